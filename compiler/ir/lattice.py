"""The types of Python's values; joins and meets: the type of what is either of two, and of that of which both hold."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy

from .size_names import fresh_name
from .types import (
    BOTTOM,
    STRANGER,
    TEXT,
    Array,
    Dim,
    Number,
    Numeric,
    Opaque,
    Size,
    Stack,
    Tree,
    Type,
    array,
    dtype_of,
    is_numeric,
    is_record,
    kind_of,
    number,
)

__all__ = ["as_stack", "as_type", "is_array", "join", "meet"]


def as_type(value: Any) -> Type:
    """The type of a Python number or an array, sizes included."""
    for python, kind in ((bool, "b"), (int, "i"), (float, "f"), (complex, "c")):
        if type(value) is python:
            return Number(kind)
    if type(value) is str:
        return TEXT
    if not is_array(value):
        return None
    dtype, dims = value.dtype, value.shape
    if dtype.kind == "V":
        return None  # of fields
    return Array(dtype.name, tuple(int(n) for n in dims), dtype.kind)


def is_array(value: Any) -> bool:
    """True if this has the shape of an array: one of NumPy's or CuPy's, or a sparse one of SciPy's."""
    if type(value) in (np.ndarray, np.memmap) or is_cupy(value) or isinstance(value, np.generic):
        return True
    sparse = (type(value).__module__ or "").startswith("scipy.sparse")
    return sparse and isinstance(getattr(value, "dtype", None), np.dtype)


def join(a: Type, b: Type) -> Type:
    """Join: the type of a value that is either of two.

    >>> join(Number("f"), Number("i")).kind
    'f'
    >>> join(Array("float64", (Dim("n", True),), "f"), Number("f"))
    Numeric(bound=None, dtype='float64')
    """
    if a == b or b is BOTTOM:
        return a
    if a is BOTTOM:
        return b
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return Opaque(own=a.own and b.own, whole=a.may_be_whole or b.may_be_whole)
    if STRANGER in (a, b) or any(isinstance(t, Opaque) and not t.own for t in (a, b)):
        return STRANGER
    if isinstance(a, Number) and isinstance(b, Number):
        return number(a.kind, b.kind, a.lowest, b.lowest)
    if isinstance(a, Array) and isinstance(b, Array):
        return join_arrays(a, b)
    if is_numeric(a) and is_numeric(b):
        return join_scalar(a, b)
    if (
        isinstance(a, Tree)
        and isinstance(b, Tree)
        and (a.container, a.keys, a.cls) == (b.container, b.keys, b.cls)
    ):
        return Tree(a.container, a.keys, tuple(map(join, a.items, b.items)), a.cls)
    a, b = as_stack(a), as_stack(b)
    if isinstance(a, Stack) and isinstance(b, Stack) and a.keyed == b.keyed:
        fixed = a.fixed or b.fixed
        return Stack(join(a.item, b.item), a.user or b.user, a.keyed, join(a.key, b.key), fixed)
    return None


def as_stack(kind: Type) -> Type:
    """The type of a list or a dict of known structure as that of one whose structure is known when it runs."""
    if not (isinstance(kind, Tree) and kind.container in ("list", "dict")) or is_record(kind):
        return kind
    item: Any = functools.reduce(join, [BOTTOM, *kind.items])
    keyed = kind.container == "dict"
    key: Any = functools.reduce(join, [BOTTOM, *map(as_type, kind.keys)]) if keyed else None
    return Stack(item, user=True, keyed=keyed, key=key)


def meet(a: Type, b: Type) -> Type:
    """Meet: the type of a value of which both hold.

    >>> meet(Array(None, (3,), None), Array("float32", None, "f"))
    Array(dtype='float32', dims=(3,), kind='f', least=None)
    """
    if a is None or a is BOTTOM:
        return b
    if not isinstance(a, Array) or not isinstance(b, Array):
        return a
    dims = b.dims if a.dims is None else a.dims
    if a.dims is not None and b.dims is not None and len(a.dims) == len(b.dims):
        dims = tuple(n if m is None else m for m, n in zip(a.dims, b.dims, strict=True))
    dtype, kind = a.dtype or b.dtype, a.kind or b.kind
    return Array(dtype, dims, kind) if dtype else array(kind, dims, a.least, b.least)


def join_arrays(a: Array, b: Array) -> Array:
    dtype = a.dtype if a.dtype == b.dtype else None
    kind, dims = join_kinds(a, b), join_dims(a.dims, b.dims)
    return Array(dtype, dims, kind) if dtype else array(kind, dims, a.lowest, b.lowest)


def join_scalar(a: Any, b: Any) -> Array | Numeric:
    """A Python number or a NumPy scalar: still no dimensions."""
    known = not (isinstance(a, Numeric) or isinstance(b, Numeric)) and a.dims == b.dims == ()
    if known:
        return array(join_kinds(a, b), (), a.lowest, b.lowest)
    dtype = dtype_of(a)
    return Numeric(dtype=dtype if dtype == dtype_of(b) else None)


def join_kinds(a: Type, b: Type) -> str | None:
    """The kind that holds both; of texts, times and objects only one and the same."""
    first, second = kind_of(a), kind_of(b)
    if first is None or second is None or first == second:
        return first if first == second else None
    return max(first, second, key="bifc".index) if {first, second} <= set("bifc") else None


def join_dims(a: tuple[Size, ...] | None, b: tuple[Size, ...] | None) -> tuple[Size, ...] | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(map(join_size, a, b))


def join_size(a: Size, b: Size) -> Size:
    if a == b:
        return a
    return Dim(fresh_name(), True) if above_one(a) and above_one(b) else None


def above_one(size: Size) -> bool:
    """True if a dimension is certainly not 1, so that broadcasting never stretches it."""
    return size != 1 if isinstance(size, int) else isinstance(size, Dim) and size.above_one
