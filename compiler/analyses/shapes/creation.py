"""Shape functions of conversions and of the functions that make arrays."""

from __future__ import annotations

import builtins
import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Value, values_in
from ...ir.types import (
    CUT,
    ONES,
    Array,
    Dim,
    Number,
    Opaque,
    Size,
    Stack,
    Tree,
    Type,
    array,
    broadcast,
    kind_of,
)
from .elementwise import as_array, as_type, common_dims
from .table import UNKNOWN, shape

NUMBERS = ("b", "i", "u", "f", "c")
GRIDS = (type(np.mgrid), type(np.ogrid))


def dtype_of(dtype: Any) -> str | None:
    """The name of a dtype given as an argument; None if it is not known."""
    try:
        return None if dtype is None or dtype is UNKNOWN else np.dtype(dtype).name
    except TypeError:
        return None


def dims_from(given: Any) -> Any:
    """The dims in a shape argument: an int, a tuple, or the types of them."""
    if isinstance(given, (int, Number)):
        given = (given,)
    if isinstance(given, Tree):
        given = given.items
    if not isinstance(given, (tuple, list)):
        return None
    return tuple(n if type(n) is int else getattr(n, "size", None) for n in given)


def from_object(x: Any) -> Array | None:
    """The type of ``np.array(x)``: known for numbers, arrays, and lists of equal ones."""
    if isinstance(x, Stack):
        item = None if x.keyed or holds_arrays(x.item) else from_object(x.item)
        return item.with_dims((None, *item.dims)) if item and item.dims is not None else None
    t = as_type(x)
    if not isinstance(t, Tree):
        return as_array(t)
    items = [from_object(item) for item in t.items]
    if not items or t.container not in ("list", "tuple") or None in items:
        return None
    dims = {item.dims for item in items if item is not None}
    whole = broadcast(*items)
    same = len(dims) == 1 and isinstance(whole, Array) and whole.dims is not None
    return whole.with_dims((len(items), *whole.dims)) if same else None  # type: ignore


def retyped(t: Array | None, dtype: Any) -> Array | None:
    if t is None or dtype is None:
        return t
    name = dtype_of(dtype)
    return t.with_dtype(name) if name else array(None, t.dims, "b")  # of any kind


def some_array(x: Any) -> Array:
    """The type of ``np.array(x)``, whatever is known of ``x``."""
    return from_object(x) or Array()


def rows_of(fn: Any, args: Any, made: Type) -> list[Value]:
    """The lists of arrays that an array of more dimensions is made of; it has one, if there are no items in them."""
    if not args or not isinstance(made, Array) or (made.rank or 0) < 2 or not is_flat_of_none(fn):
        return []
    return [v for v in values_in(args[0]) if holds_arrays(v.type)]


def holds_arrays(kind: Any) -> bool:
    item = from_object(kind.item) if isinstance(kind, Stack) and not kind.keyed else None
    return item is not None and bool(item.rank)


@functools.cache
def is_flat_of_none(fn: Any) -> bool:
    """True of a function of NumPy that makes an array of a list, even of one without items."""
    if not isinstance(fn, (type(np.array), type(np.mean))):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of means of nothing
        try:
            made = fn([])
        except Exception:
            return False
    return is_ndarray(made) and made.ndim == 1


@shape(np.array, np.asarray, np.asarray_chkfinite)
def _(a: Any, dtype: Any = None, order: Any = None, copy: Any = True, subok: Any = False) -> Type:
    return retyped(from_object(a) if subok else some_array(a), dtype)


@shape(np.asanyarray)
def _(a: Any, dtype: Any = None, order: Any = None, copy: Any = True, subok: Any = False) -> Type:
    return retyped(from_object(a), dtype)


@shape(np.from_dlpack)
def _(x: Any, copy: Any = None) -> Type:
    kind = as_type(x)
    return kind if isinstance(kind, Array) else None


@shape(np.ascontiguousarray, np.asfortranarray)
def _(a: Any, dtype: Any = None) -> Type:
    t = retyped(some_array(a), dtype)
    return t.with_dims((1,)) if t is not None and t.dims == () else t


@shape(np.copy)
def _(a: Any, order: Any = None, subok: Any = False) -> Type:
    return from_object(a) if subok else some_array(a)


@shape(np.ndarray.copy, linear.copy, linear.contiguous)
def _(a: Any, order: Any = None) -> Type:
    return a if isinstance(a, Stack) else as_type(a)


@shape(np.ndarray.astype, getattr(np, "astype", np.ndarray.astype))
def _(a: Any, dtype: Any, *options: Any, **others: Any) -> Type:
    return retyped(as_array(as_type(a)), dtype)


def number_maker(dtype: str) -> Callable[..., Any]:
    def function(x: Any = 0.0) -> Type:
        return retyped(from_object(x), dtype)

    return function


for _name in ("float64", "float32", "complex128", "complex64"):
    shape(getattr(np, _name))(number_maker(_name))


@shape(np.ndarray.item, linear.item)
def _(a: Any, *index: Any) -> Type:
    kind = kind_of(as_type(a))
    return Number(kind) if kind else None


@shape(np.zeros, np.ones, np.empty)
def _(given: Any, dtype: Any = None, order: Any = "C") -> Type:
    whole = Array("float64", dims_from(given), "f")
    return retyped(whole, dtype)


@shape(np.zeros_like, np.ones_like, np.empty_like)
def _(a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None) -> Type:
    t = retyped(from_object(a), dtype)
    return t if t is None or shape is None else t.with_dims(dims_from(shape))


@shape(np.full)
def _(given: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Type:
    fill = from_object(fill_value) or Array()
    return retyped(fill.with_dims(dims_from(given)), dtype)


@shape(np.full_like)
def _(a: Any, fill_value: Any, dtype: Any = None, *options: Any, shape: Any = None) -> Type:
    t = retyped(from_object(a), dtype)
    return t if t is None or shape is None else t.with_dims(dims_from(shape))


@shape(np.eye)
def _(n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> Type:
    dims = (dims_from(n) or (None,)) + (dims_from(n if m is None else m) or (None,))
    return retyped(Array("float64", dims, "f"), dtype)


@shape(np.identity)
def _(n: Any, dtype: Any = None) -> Type:
    return retyped(Array("float64", (dims_from(n) or (None,)) * 2, "f"), dtype)


@shape(np.linspace)
def _(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False) -> Type:
    types = as_type(start), as_type(stop)
    dims = common_dims(*types)
    if retstep is not False or dims is None:
        return None
    whole = as_array(broadcast(*types, Number("f")))
    return None if whole is None else whole.with_dims((*(dims_from(num) or (None,)), *dims))


@shape(np.arange)
def _(*limits: Any, dtype: Any = None) -> Type:
    whole = broadcast(*map(as_type, limits))
    kind = whole.kind if isinstance(whole, Number) else None
    name = {"i": "int64", "f": "float64"}.get(kind or "")
    return retyped(Array(name, (counted_to(*limits),), kind if name else None), dtype)


def counted_to(*limits: Any) -> Size:
    """The length of ``np.arange(n)``, where that is known, or the size of an array."""
    if len(limits) != 1:
        return None
    (n,) = limits
    return max(n, 0) if type(n) is int else getattr(n, "size", None)


@shape(np.indices)
def _(dimensions: Any, dtype: Any = None, sparse: Any = False) -> Type:
    dims = dims_from(dimensions)
    if dims is None or sparse is not False:
        return None
    return retyped(Array("int64", (len(dims), *dims), "i"), dtype)


def grid_type(maker: Any, index: Any) -> Type:
    """The type of ``np.mgrid[index]``, and of ``np.ogrid[index]`` where that is an array.

    >>> grid_type(np.mgrid, (slice(3), slice(0, 1, 5j)))
    Array(dtype='float64', dims=(2, 3, 5), kind='f', least=None)
    """
    several = isinstance(index, tuple)
    parts = index if several else (index,)
    if not all(isinstance(p, slice) for p in parts) or (
        several and isinstance(maker, type(np.ogrid))
    ):
        return None
    kinds = [kind_of_line(p) for p in parts]
    kind = None if None in kinds else "f" if "f" in kinds else "i"
    dims = tuple(map(count_of_line, parts))
    name = {"i": "int64", "f": "float64"}.get(kind or "")
    return Array(name, (len(parts), *dims) if several else dims, kind)


def kind_of_line(part: slice) -> str | None:
    """Whether a line has whole numbers or fractions; None if that is not known."""
    if isinstance(part.step, complex):
        return "f"
    whole = broadcast(
        *(as_type(end) for end in (part.start, part.stop, part.step) if end is not None)
    )
    kind = whole.kind if isinstance(whole, Number) else None
    return kind if kind in ("i", "f") else None


def count_of_line(part: slice) -> Size:
    if isinstance(part.step, complex):
        return int(abs(part.step))
    counts = part.step is None and (
        part.start is None or (type(part.start) is int and part.start == 0)
    )
    return counted_to(part.stop) if counts else None


@shape(np.shape, np.ndarray.shape)
def _(a: Any) -> Type:
    t = from_object(a)
    if t is None or t.dims is None:
        return None
    sizes = [Number("i", size=None if isinstance(n, int) else n) for n in t.dims]
    return Tree("tuple", tuple(range(len(sizes))), tuple(sizes))


@shape(np.size, np.ndarray.size)
def _(a: Any, axis: Any = None) -> Type:
    """The size of a vector is its length."""
    dims: Any = getattr(from_object(a), "dims", None) or ()
    vector = axis is None and len(dims) == 1
    return Number("i", size=dims[0] if vector and isinstance(dims[0], Dim) else None)


@shape(np.ndarray.flags)
def _(x: Any) -> Type:
    return Opaque(own=True)


@shape(builtins.slice)
def _(*ends: Any) -> Type:
    return CUT


@shape(linear.float_dtype)
def _(dtype: Any) -> Type:
    return Opaque(own=True)


@shape(np.ndarray.dtype)
def _(x: Any) -> Type:
    known = isinstance(x, Array) and x.dtype is not None and x.kind in NUMBERS
    return Opaque(own=True, dtype=x.dtype if known else None)


def common_dtype(combine: Callable[..., Any]) -> Callable[..., Any]:
    """What a function makes of dtypes, where all of them are known."""

    def function(*given: Any, **named: Any) -> Type:
        try:
            found = combine(*map(in_place_of, given), **named)
        except Exception:
            return Opaque(own=True)
        return Opaque(own=True, dtype=found.name if found.kind in NUMBERS else None)

    return function


def in_place_of(given: Any) -> Any:
    """What stands for an array or a number where only its dtype matters."""
    if isinstance(given, Array) and given.dtype is not None and given.dims != ():
        return np.dtype(given.dtype)
    return ONES[given.kind] if isinstance(given, Number) else given


for _combine in (np.dtype, np.result_type, np.promote_types):
    shape(_combine)(common_dtype(_combine))


@shape(np.finfo)
def _(dtype: Any) -> Type:
    return Opaque(own=True, holds=traits_of(np.finfo).holds)


@shape(np.iinfo)
def _(dtype: Any) -> Type:
    return Opaque(own=True, holds=traits_of(np.iinfo).holds)


@shape(np.roots, np.sort_complex)
def _(x: Any) -> Type:
    """Complex, as far as the text can tell: real roots come as floats."""
    same = isinstance(x, Array) and x.dims is not None
    rank = len(x.dims or ()) if same else None
    return Array(None, None if rank is None else (None,) * rank, "c")
