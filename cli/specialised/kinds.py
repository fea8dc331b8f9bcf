"""What is known of a value before the text runs: which values and classes it can be of.

A `Kind` is a list of possibilities, of which one holds, or None: it can be anything.

>>> for kind in (kind_of(1.5), of_type(Array("float64", ("n",), "f")), either([2], [3])):
...     print(kind)
[1.5]
[Thing(cls=<class 'numpy.ndarray'>, dtype=dtype('float64'), rank=1)]
[2, 3]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrograd.compiler.ir.types import Array, Given, Number, Tree
from retrograd.runtime.arrays.libraries import NUMPY

__all__ = ["MOST", "Kind", "Thing", "class_of", "either", "is_one", "kind_of", "of_type", "same"]

MOST = 6  # possibilities, beyond which nothing is known


class Thing(NamedTuple):
    """A value of exactly this class; of an array its dtype and rank, of a tuple its length as the rank."""

    cls: type
    dtype: np.dtype[Any] | None = None
    rank: int | None = None


Kind = list[Any] | None
CLASSES = {"b": bool, "i": int, "f": float, "c": complex}
CONTAINERS = {"tuple": tuple, "list": list}
WIDE = {"b": np.bool_, "i": np.int64, "f": np.float64, "c": np.complex128}


def same(a: Any, b: Any) -> bool:
    """True if two possibilities are one."""
    if isinstance(a, Thing) or isinstance(b, Thing):
        return type(a) is type(b) and a == b
    return a is b or (
        type(a) is type(b)
        and isinstance(a, (str, int, float, tuple, np.dtype))
        and repr(a) == repr(b)
    )


def either(*kinds: Kind) -> Kind:
    """What is of one of these kinds."""
    found: list[Any] = []
    for kind in kinds:
        if kind is None:
            return None
        found += [a for k, a in enumerate(kind) if not any(same(a, b) for b in found + kind[:k])]
    return found if len(found) <= MOST else None


def kind_of(value: Any) -> Kind:
    """Of a value that is known."""
    return [value]


def is_one(kind: Kind) -> bool:
    """True if the value itself is known."""
    return kind is not None and len(kind) == 1 and not isinstance(kind[0], Thing)


def class_of(one: Any) -> type:
    return one.cls if isinstance(one, Thing) else type(one)


def of_type(kind: Any) -> Kind:
    """Of a value of this type of the compiler's."""
    if isinstance(kind, Given):
        kind = kind.type
    if isinstance(kind, Number):
        if kind.least is not None or kind.kind not in CLASSES:
            return None
        wide = WIDE[kind.kind]
        return [Thing(CLASSES[kind.kind]), Thing(wide, np.dtype(wide), 0)]
    if isinstance(kind, Array):
        return of_array(kind)
    if isinstance(kind, Tree) and kind.cls is None and kind.container in CONTAINERS:
        return [Thing(CONTAINERS[kind.container], None, len(kind.keys))]
    return None


def of_array(kind: Array) -> Kind:
    """An array, or, where it may have no dimension, a number of NumPy's."""
    if kind.dtype is None or kind.library != NUMPY or kind.least not in (None, kind.kind):
        return None
    dtype = np.dtype(kind.dtype)
    whole = Thing(np.ndarray, dtype, kind.rank)
    return [whole] if kind.rank else [whole, Thing(dtype.type, dtype, 0)]
