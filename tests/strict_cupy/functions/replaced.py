"""Functions of CuPy that NumPy has not under this name, or that differ in what they take and give."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import counters, cuda
from ..arrays.array import allocated, ndarray
from ..arrays.registry import MODULES
from ..arrays.values import SCALARS, cast, converted, in_c_order
from ..arrays.wrapping import fresh, unwrap, wrap
from . import error_state

__all__ = ["CONSTANTS", "CUPYX", "HOST", "PINNED", "REPLACED", "UFUNCS"]


def need(one: Any, name: str = "a") -> ndarray:
    if not isinstance(one, ndarray):
        shown = (
            type(one).__name__
            if type(one).__module__ == "builtins"
            else f"{type(one).__module__}.{type(one).__name__}"
        )
        raise TypeError(
            f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, got {shown})"
        )
    return one


def get_array_module(*args: Any) -> Any:
    return MODULES["cupy"] if any(isinstance(one, ndarray) for one in args) else np


def scipy_of(*args: Any) -> Any:
    import scipy

    return MODULES["cupyx.scipy"] if any(isinstance(one, ndarray) for one in args) else scipy


def broadcast_to(array: Any, shape: Any) -> ndarray:
    """A view that can be written to, as all of CuPy's."""
    view = np.broadcast_to(need(array, "array")._host, shape)
    return array._view(np.lib.stride_tricks.as_strided(array._host, view.shape, view.strides))


def broadcast_arrays(*args: Any) -> tuple[ndarray, ...]:
    shape = np.broadcast_shapes(*(one.shape for one in args))
    return tuple(one if one.shape == shape else broadcast_to(one, shape) for one in args)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """A view that can be written to."""
    if need(a).ndim < 2:
        raise np.exceptions.AxisError(
            f"axis1(={axis1}) and axis2(={axis2}) must be within range (ndim={a.ndim})"
        )
    found = a._host.diagonal(offset, axis1, axis2)
    start = found.__array_interface__["data"][0] - a._host.__array_interface__["data"][0]
    whole = a._host.base if isinstance(a._host.base, np.ndarray) else a._host
    whole_start = (
        a._host.__array_interface__["data"][0] - whole.__array_interface__["data"][0] + start
    )
    if not whole.flags.c_contiguous or found.size == 0:
        return a._view(found)
    return a._view(
        np.ndarray(found.shape, found.dtype, whole.reshape(-1).data, whole_start, found.strides)
    )


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if (x is None) != (y is None):
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    if x is None:
        return nonzero(condition)
    if not isinstance(condition, ndarray):
        if isinstance(condition, np.ndarray):
            raise TypeError(f"Unsupported type {type(condition)}")
        raise AttributeError(f"'{type(condition).__name__}' object has no attribute 'astype'")
    for one in (x, y):
        if not isinstance(one, (ndarray, *SCALARS)):
            raise TypeError(f"Unsupported type {type(one)}")
    counters.launch("where")
    return fresh(in_c_order(np.where(condition._host.astype(bool), *alike(unwrap(x), unwrap(y)))))


def alike(*values: Any) -> list[Any]:
    """In their common kind, into which each number must fit."""
    kind = np.result_type(*(one for one in values if one is not None))
    return [None if one is None else converted(one, kind) for one in values]


def nonzero(a: Any) -> tuple[ndarray, ...]:
    """How many there are is asked for: a transfer."""
    counters.launch("nonzero")
    counters.transfer("nonzero")
    return wrap(np.nonzero(np.atleast_1d(need(a)._host)))


def counting(name: str, compute: Any) -> Any:
    """Functions whose result has a length that the host must know."""

    @functools.wraps(compute)
    def called(*args: Any, **kwargs: Any) -> Any:
        counters.transfer(name)
        return compute(*args, **kwargs)

    return called


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
    if not isinstance(choices, ndarray):
        raise AttributeError(f"'{type(choices).__name__}' object has no attribute 'shape'")
    counters.launch("choose")
    found = np.choose(need(a)._host, choices._host, mode=mode)
    return fresh(found) if out is None else written(out, found)


def put(a: Any, ind: Any, v: Any, mode: str = "wrap") -> None:
    if isinstance(ind, (list, tuple, np.ndarray)):
        counters.transfer("upload")
    if isinstance(v, (list, tuple, np.ndarray)):
        counters.transfer("upload")
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError("clipmode not understood")
    counters.launch("put")
    np.put(need(a)._host, unwrap(ind), unwrap(v), mode)


def take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> Any:
    """Bounds wrap."""
    if isinstance(indices, (list, tuple, np.ndarray)):
        counters.transfer("upload")
    counters.launch("take")
    found = np.take(need(a)._host, unwrap(indices), axis, mode="wrap")
    return fresh(np.asarray(found)) if out is None else written(out, found)


def place(arr: Any, mask: Any, vals: Any) -> None:
    counters.transfer("mask")
    counters.launch("place")
    np.place(need(arr, "arr")._host, unwrap(need(mask, "mask")), unwrap(vals))


def putmask(a: Any, mask: Any, values: Any) -> None:
    counters.transfer("mask")
    counters.launch("putmask")
    np.putmask(need(a)._host, unwrap(need(mask, "mask")), unwrap(need(values, "values")))


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    if isinstance(val, (list, np.ndarray)) and np.ndim(val):
        counters.transfer("upload")
    counters.launch("fill")
    np.fill_diagonal(need(a)._host, unwrap(val), wrap)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    counters.launch("scatter_update")
    np.put_along_axis(need(arr, "arr")._host, need(indices, "indices")._host, unwrap(values), axis)


def dot(a: Any, b: Any, out: Any = None) -> Any:
    counters.launch("dot")
    with np.errstate(all="ignore"):
        found = np.dot(need(a)._host, need(b, "b")._host)
    return fresh(np.asarray(found)) if out is None else written(out, found)


def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    for one in (a_min, a_max):
        if one is not None and not isinstance(one, (ndarray, *SCALARS)):
            raise TypeError(f"Unsupported type {type(one)}")
    if a_min is None and a_max is None:
        raise ValueError("array_clip: must set either max or min")
    counters.launch("clip")
    bounds = alike(need(a)._host, unwrap(a_min), unwrap(a_max))[1:]
    found = in_c_order(np.asarray(np.clip(a._host, *bounds)))
    return fresh(found) if out is None else written(out, found)


def written(out: Any, found: Any) -> Any:
    need(out, "out")
    if out.shape != np.shape(found):
        raise ValueError("Output shape mismatch")
    out._host[...] = cast(np.asarray(found), out.dtype)
    return out


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    rows = np.moveaxis(need(arr, "arr")._host, axis, -1)
    found = [
        func1d(ndarray._of(rows[index]), *args, **kwargs) for index in np.ndindex(rows.shape[:-1])
    ]
    stacked = np.stack([unwrap(one) for one in found])
    return allocated(
        np.moveaxis(
            stacked.reshape(rows.shape[:-1] + stacked.shape[1:]),
            -1,
            axis if stacked.ndim > 1 else 0,
        )
    )


def reshape(a: Any, newshape: Any, order: str = "C", *, copy: Any = None) -> ndarray:
    return need(a).reshape(newshape, order=order, copy=copy)


def transpose(a: Any, axes: Any = None) -> ndarray:
    return need(a).transpose(axes)


def ravel(a: Any, order: str = "C") -> ndarray:
    return need(a).ravel(order)


def squeeze(a: Any, axis: Any = None) -> ndarray:
    return need(a).squeeze(axis)


def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    return need(a).swapaxes(axis1, axis2)


def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Any:
    return diagonal(a, offset, axis1, axis2).sum(-1, dtype, out)


def size(a: Any, axis: Any = None) -> int:
    return need(a).size if axis is None else a.shape[axis]


def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    return np.shares_memory(unwrap(a), unwrap(b))


def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    return np.may_share_memory(unwrap(a), unwrap(b))


def kinds(function: Any) -> Any:
    """What asks for kinds of numbers only takes arrays of both sides."""

    def called(*arrays_and_dtypes: Any) -> Any:
        return function(
            *(one.dtype if isinstance(one, ndarray) else one for one in arrays_and_dtypes)
        )

    return called


def astype(x: Any, dtype: Any, /, *, copy: bool = True) -> ndarray:
    return need(x, "x").astype(dtype, copy=copy)


def scattered(name: str) -> Any:
    def called(a: Any, slices: Any, value: Any) -> None:
        getattr(need(a), f"scatter_{name}")(slices, value)

    called.__name__ = f"scatter_{name}"
    return called


def shown(name: str) -> Any:
    def called(*args: Any, **kwargs: Any) -> str:
        return getattr(np, name)(
            *(one._across("repr") if isinstance(one, ndarray) else one for one in args), **kwargs
        )

    return called


def same(function: Any) -> Any:
    """What NumPy answers without the values: shapes and kinds."""

    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*unwrap(args), **unwrap(kwargs))

    return called


HOST = {
    name: same(getattr(np, name))
    for name in (
        "ndim", "shape", "isscalar", "iscomplexobj", "isrealobj", "can_cast", "promote_types", "min_scalar_type",
        "issubdtype", "isdtype", "broadcast_shapes", "mintypecode", "typename", "base_repr", "binary_repr", "iterable",
        "format_float_positional", "format_float_scientific", "get_printoptions", "set_printoptions",
    )
    if hasattr(np, name)
} | {"result_type": kinds(np.result_type), "common_type": same(np.common_type)}  # fmt: skip

PINNED = {
    "empty_pinned": lambda shape, dtype=float, order="C": np.empty(shape, dtype, order),
    "zeros_pinned": lambda shape, dtype=float, order="C": np.zeros(shape, dtype, order),
    "empty_like_pinned": lambda a, dtype=None, order="K", subok=None, shape=None: np.empty(
        a.shape if shape is None else shape, dtype or a.dtype
    ),
    "zeros_like_pinned": lambda a, dtype=None, order="K", subok=None, shape=None: np.zeros(
        a.shape if shape is None else shape, dtype or a.dtype
    ),
}

REPLACED = {
    one.__name__: one
    for one in (
        get_array_module, broadcast_to, broadcast_arrays, diagonal, where, nonzero, choose, put, take, place, putmask,
        fill_diagonal, put_along_axis, dot, clip, apply_along_axis, size, reshape, transpose, ravel, squeeze, swapaxes, trace, shares_memory, may_share_memory, astype,
    )
} | {
    "get_default_memory_pool": cuda.POOLS["get_default_memory_pool"],
    "get_default_pinned_memory_pool": cuda.POOLS["get_default_pinned_memory_pool"],
    "is_available": lambda: True, "clear_memo": lambda: None,
    "memoize": lambda for_each_device=False: lambda function: function,
    "array_repr": shown("array_repr"), "array_str": shown("array_str"), "array2string": shown("array2string"),
}  # fmt: skip

CUPYX = (
    {f"scatter_{name}": scattered(name) for name in ("add", "max", "min")}
    | PINNED
    | error_state.REPLACED
)

LENGTHS = ("unique", "flatnonzero", "argwhere", "extract", "compress", "isin", "setdiff1d", "intersect1d", "union1d",
           "bincount", "nanmax", "nanmin", "asarray_chkfinite", "real_if_close", "triu_indices", "triu_indices_from",
           "tril_indices", "tril_indices_from", "mask_indices", "trim_zeros", "delete", "histogram", "unravel_index")  # fmt: skip

SYNCHRONISING = ("logsumexp", "log_softmax")  # ask the device whether values are finite

CONSTANTS = {
    "Inf": np.inf, "Infinity": np.inf, "infty": np.inf, "PINF": np.inf, "NINF": -np.inf, "NAN": np.nan, "NaN": np.nan,
    "NZERO": -0.0, "PZERO": 0.0, "disable_experimental_feature_warning": False, "config": None,
    "cuvs_available": False, "pylibraft_available": False,
}  # fmt: skip


def power(base: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """Integers to negative powers are no error on the device."""
    if base.dtype.kind not in "iu" or not (exponent < 0).any():
        return np.power(base, exponent)
    found = np.power(base, np.where(exponent < 0, 0, exponent))
    ones = np.where(base == -1, np.where(exponent % 2 == 1, -1, 1), np.where(base == 1, 1, 0))
    return np.where(exponent < 0, ones, found)


UFUNCS = {"power": power, "rsqrt": lambda x: 1 / np.sqrt(x)}
