"""Arrays of the device from nothing, and from values of the host, which is a transfer."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import counters
from ..arrays import dlpack
from ..arrays.array import allocated, as_shape, ndarray
from ..arrays.values import SCALARS, cast, checked, converted, garbage
from ..arrays.wrapping import fresh, unwrap
from .arguments import leaves

__all__ = ["REPLACED"]


def array(
    obj: Any,
    dtype: Any = None,
    copy: Any = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    *,
    blocking: bool = False,
) -> ndarray:
    if subok:
        raise NotImplementedError("subok=True is not supported")
    kind = None if dtype is None else checked(dtype)
    if isinstance(obj, ndarray):
        return of_device(obj, kind, copy, order, ndmin)
    if isinstance(obj, (list, tuple)) and leaves(obj):
        return of_list(obj, kind, order, ndmin)
    if hasattr(obj, "__cuda_array_interface__"):
        raise NotImplementedError("arrays of other libraries of the device: use from_dlpack")
    host = np.array(obj, dtype=kind, order=None if order == "K" else order, ndmin=ndmin)
    checked(host.dtype)
    if isinstance(obj, SCALARS):
        counters.launch("fill")
    else:
        counters.transfer("upload")
    return fresh(host)


def of_device(obj: ndarray, kind: Any, copy: Any, order: str, ndmin: int) -> ndarray:
    laid = order in ("K", "A") or obj._host.flags[f"{order}_CONTIGUOUS"]
    if not copy and laid and (kind is None or kind == obj.dtype) and ndmin <= obj.ndim:
        return obj
    counters.launch("copy")
    host = cast(np.array(obj._host, order=order), kind or obj.dtype, order)
    return allocated(host.reshape((1,) * max(0, ndmin - host.ndim) + host.shape))


def of_list(obj: Any, kind: Any, order: str, ndmin: int) -> ndarray:
    """A list of arrays of the device is joined there; numbers of the host among them are refused."""
    if not only_arrays(obj):
        np.asarray(leaves(obj)[0])  # CuPy lets NumPy try, which is refused
    counters.launch("concatenate")
    return allocated(
        np.array(unwrap(obj), dtype=kind, order=None if order == "K" else order, ndmin=ndmin)
    )


def only_arrays(obj: Any) -> bool:
    return all(
        only_arrays(one) if isinstance(one, (list, tuple)) else isinstance(one, ndarray)
        for one in obj
    )


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None, blocking: bool = False
) -> ndarray:
    return array(a, dtype, bool(copy), order or "K")


def asanyarray(
    a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None, blocking: bool = False
) -> ndarray:
    return asarray(a, dtype, order, copy=copy)


def ascontiguousarray(a: Any, dtype: Any = None) -> ndarray:
    return on_device(a, "C", dtype)


def asfortranarray(a: Any, dtype: Any = None) -> ndarray:
    return on_device(a, "F", dtype)


def on_device(a: Any, order: str, dtype: Any) -> ndarray:
    if not isinstance(a, ndarray):
        raise TypeError(
            f"Argument 'a' has incorrect type (expected cupy._core.core._ndarray_base, got {type(a).__name__})"
        )
    found = array(a, dtype, False, order)
    return found if found.ndim else found.reshape(1)


def asnumpy(
    a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True
) -> np.ndarray:
    if isinstance(a, ndarray):
        counters.transfer("asnumpy")
        found = a._copied(order)
        return found if out is None else a._into(out)
    found = np.asarray(a, order=order)
    if out is None:
        return found
    np.copyto(out, found)
    return out


def empty(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return allocated(garbage(as_shape(shape), checked(dtype), order))


def zeros(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return allocated(np.zeros(as_shape(shape), checked(dtype), order))


def ones(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    return full(shape, 1, dtype or float, order)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> ndarray:
    if isinstance(fill_value, np.ndarray) and fill_value.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")
    value = unwrap(fill_value)
    kind = np.asarray(value).dtype if dtype is None else checked(dtype)
    counters.launch("fill")
    return allocated(
        np.array(np.full(as_shape(shape), converted(value, kind), order=order), order=order)
    )


def like(a: Any, dtype: Any, order: str, subok: Any, shape: Any) -> np.ndarray:
    if subok is not None:
        raise TypeError("subok is not supported yet")
    kind = checked(a.dtype if dtype is None else dtype)
    host = a._host if isinstance(a, ndarray) else np.empty(a.shape, a.dtype)
    return np.empty_like(host, kind, order or "K", shape=None if shape is None else as_shape(shape))


def empty_like(
    prototype: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> ndarray:
    made = like(prototype, dtype, order, subok, shape)
    made[...] = garbage((), made.dtype)
    return allocated(made)


def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> ndarray:
    made = like(a, dtype, order, subok, shape)
    made.fill(0)
    return allocated(made)


def ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> ndarray:
    return full_like(a, 1, dtype, order, subok, shape)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: Any = None,
    shape: Any = None,
) -> ndarray:
    if isinstance(fill_value, np.ndarray) and fill_value.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")
    made = like(a, dtype, order, subok, shape)
    made[...] = converted(unwrap(fill_value), made.dtype)
    counters.launch("fill")
    return allocated(made)


def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float, order: str = "C") -> ndarray:
    counters.launch("fill")
    return allocated(
        np.eye(*as_shape((N, N if M is None else M)), k, checked(dtype or float), order)
    )


def identity(n: Any, dtype: Any = float) -> ndarray:
    return eye(n, dtype=dtype)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> ndarray:
    parts = [number(one) for one in (start, stop, step)]
    counters.launch("arange")
    made = np.arange(*(parts if stop is not None else (0, parts[0], parts[2])))
    return allocated(made if dtype is None else cast(made, checked(dtype)))


def number(one: Any) -> Any:
    if isinstance(one, ndarray):
        counters.transfer("item")  # the length is asked for
        return one._host[()]
    return one


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    for one in (start, stop):
        if isinstance(one, (np.ndarray, list, tuple)) and np.ndim(one):
            raise TypeError(f"Unsupported type {type(one)}")
        if isinstance(one, ndarray):
            counters.transfer("bool")  # whether a step is zero
    counters.launch("linspace")
    made, step = np.linspace(unwrap(start), unwrap(stop), num, endpoint, True, dtype, axis)
    return (fresh(made), step) if retstep else fresh(np.ascontiguousarray(made))


def from_dlpack(array: Any, *, device: Any = None, copy: Any = None) -> ndarray:
    if isinstance(array, ndarray):
        return array._view(array._host)
    return ndarray._of(dlpack.imported(array))


def fromDlpack(dltensor: Any) -> ndarray:
    return ndarray._of(dlpack.imported(dltensor))


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    if not isinstance(dst, ndarray):
        raise TypeError(f"Unsupported type {type(dst)}")
    if isinstance(src, np.ndarray) and src.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")
    if isinstance(src, (list, tuple)) or isinstance(where, (list, np.ndarray)):
        raise TypeError(f"Unsupported type {type(src)}")
    source = np.asarray(unwrap(src))
    if not isinstance(src, (int, float, complex)) and not np.can_cast(
        source.dtype, dst.dtype, casting
    ):
        raise TypeError(f"Cannot cast {source.dtype} to {dst.dtype} in {casting} casting mode")
    counters.launch("copy")
    np.copyto(
        dst._host, converted(unwrap(src), dst.dtype), where=True if where is None else unwrap(where)
    )


REPLACED = {
    one.__name__: one
    for one in (
        array, asarray, asanyarray, ascontiguousarray, asfortranarray, asnumpy, empty, zeros, ones, full, empty_like,
        zeros_like, ones_like, full_like, eye, identity, arange, linspace, from_dlpack, fromDlpack, copyto,
    )
}  # fmt: skip
