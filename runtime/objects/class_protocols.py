"""Which classes answer operators and protocols as numbers, texts and arrays do, and which in a way of their own."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..arrays.libraries import ROOTS

__all__ = [
    "ASKED",
    "EXACT",
    "FUNCTIONS",
    "OPERATORS",
    "foreign_class",
    "is_foreign",
    "is_named_tuple",
    "is_sparse",
    "leaves_of",
    "tells",
]

EXACT = {
    bool, int, float, complex, str, bytes, list, tuple, dict, slice, type(None), type(Ellipsis),
    np.ndarray,
}  # fmt: skip
BASES = (int, float, complex, str, bytes, tuple)
LIBRARIES = (*ROOTS, "retrograd", "uarray")  # the last: functions of scipy.fft
FUNCTIONS = (
    type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType,
    types.MethodDescriptorType, types.WrapperDescriptorType, types.GetSetDescriptorType, functools.partial,
)  # fmt: skip
OPERATORS = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
]
OTHERS = [
    "neg",
    "pos",
    "invert",
    "abs",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "bool",
    "len",
    "iter",
    "next",
    "getitem",
    "contains",
    "reversed",
    "call",
    "float",
    "int",
    "complex",
    "index",
    "round",
    "trunc",
    "floor",
    "ceil",
    "array",
    "array_ufunc",
    "array_function",
    "getattribute",
    "getattr",
    "enter",
    "exit",
]
ASKED = [f"__{side}{name}__" for name in OPERATORS for side in ("", "r", "i")]
ASKED += [f"__{name}__" for name in OTHERS]  # not how objects are made and printed


def is_foreign(cls: type) -> bool:
    """True if objects of a class may answer otherwise than numbers, texts, arrays and their containers.

    >>> import collections
    >>> is_foreign(float), is_foreign(np.float64), is_foreign(collections.OrderedDict)
    (False, False, True)
    """
    if cls in EXACT or cls is np.memmap or issubclass(cls, np.generic):
        return False
    if root_of(cls) in LIBRARIES:  # `np.matrix`, masked arrays; but none of ours
        return issubclass(cls, np.ndarray) and root_of(cls) != "retrograd"
    return not answers_as_base(cls)


def root_of(cls: type) -> str:
    return (cls.__module__ or "").partition(".")[0]


def answers_as_base(cls: type) -> bool:
    """True if a class below a number, a text or a tuple changes none of their answers.

    >>> answers_as_base(type("Rate", (float,), {}))
    True
    >>> answers_as_base(type("Rate", (float,), {"__mul__": lambda self, other: 0.0}))
    False
    """
    base = next((b for b in BASES if issubclass(cls, b)), None)
    return base is not None and all(tells(cls, n) is tells(base, n) for n in ASKED)


def tells(cls: type, name: str) -> Any:
    """The entry of a class, or those above it, under a name: as Python looks up special methods."""
    return inspect.getattr_static(cls, name, None)


def foreign_class(value: Any) -> type | None:
    """The class of a value that may answer in its own way, or holds what may: an array of objects."""
    kind = type(value)
    if kind is np.ndarray:
        return object if value.dtype.kind == "O" else None
    if isinstance(value, FUNCTIONS):
        return None
    return kind if is_foreign(kind) or is_named_tuple(kind) else None


def is_named_tuple(kind: type) -> bool:
    """True if NumPy would make an array of it, and nobody could put the derivative back."""
    return issubclass(kind, tuple) and kind is not tuple and root_of(kind) not in LIBRARIES


def is_sparse(cls: type) -> bool:
    """True if objects of a class are sparse matrices of SciPy's: `*` and `**` are not those of arrays.

    >>> is_sparse(np.ndarray)
    False
    """
    return (cls.__module__ or "").startswith("scipy.sparse") and hasattr(cls, "tocsr")


def leaves_of(tree: Any) -> Iterator[Any]:
    """The leaves of tuples, lists, dicts and slices."""
    if type(tree) in (tuple, list):
        for item in tree:
            yield from leaves_of(item)
    elif type(tree) is dict:
        yield from leaves_of(list(tree.values()))
    elif type(tree) is slice:
        yield from leaves_of([tree.start, tree.stop, tree.step])
    else:
        yield tree
