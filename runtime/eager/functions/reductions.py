"""Sums, products, means, extremes and orders along axes."""

from __future__ import annotations

import functools
import inspect
import operator
from typing import Any, NamedTuple

import numpy as np

from ...arrays.transfers import array_beside, library_of
from ...batching.batched_array import as_array
from ...device.places import is_far
from ...helpers import linear
from ..graph.record_call import attributed, guarded, plain
from ..tensor.dtypes import category, default, known
from ..tensor.registry import FUNCTIONS, method
from ..tensor.tensor import Tensor, wrapped

__all__: list[str] = []


def axes(dim: Any) -> Any:
    return tuple(dim) if isinstance(dim, (list, tuple)) else dim


def widened(self: Tensor, dtype: Any) -> Tensor:
    """In the type asked for; sums of integers and booleans are of int64."""
    if dtype is not None:
        return self.to(dtype)
    return self if category(self._array.dtype) >= 2 else self.to(known[np.dtype(np.int64)])


def with_axis(fn: Any) -> Any:
    """A number has one axis, where one is asked for."""

    optional = inspect.signature(fn).parameters["dim"].default is None

    @functools.wraps(fn)
    def apply(self: Tensor, dim: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
        given = () if dim is MISSING else (dim,)
        if self._array.ndim or dim is None or isinstance(dim, Tensor) or (optional and not given):
            return fn(self, *given, *args, **kwargs)
        made = fn(self.unsqueeze(0), *given, *args, **kwargs)
        if isinstance(made, Extreme):
            return located(*(plain(np.reshape, part, ()) for part in made))
        inner = made._grad_fn
        made = plain(np.reshape, made, ())
        if inner is not None and [g for g in (inner.more or {}).get("guards", ()) if g.is_result]:
            guarded(made, made)
        return made

    return apply


MISSING = object()


def numbered(dim: Any) -> int:
    return 0 if dim is None else 1


def reduced(fn: Any, self: Tensor, dim: Any, keepdim: bool, name: str) -> Any:
    dim = axes(dim)
    if dim == () or (not self._array.ndim and dim in (0, -1, (0,), (-1,))):
        dim = None
    return plain(fn, self, axis=dim, keepdims=keepdim, name=f"{name}Backward{numbered(dim)}")


@method
def sum(self: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    made = reduced(np.sum, widened(self, dtype), dim, keepdim, "Sum")
    made = attributed(made, self_sym_sizes=self._array.shape)
    return made if numbered(dim) == 0 else attributed(made, dim=dim, keepdim=keepdim)


@method
def mean(self: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    if category(self._array.dtype) < 2 and dtype is None:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {self.dtype.letter}"
        )
    return reduced(np.mean, widened(self, dtype), dim, keepdim, "Mean")


@method
def prod(self: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    x = widened(self, dtype)
    if self._array.ndim:
        made = reduced(np.prod, x, dim, keepdim, "Prod")
    else:  # the slope is one, and no function of the number
        made = plain(np.positive, x, name="ProdBackward1")
    return guarded(made, self, made)


@method
def var(
    self: Tensor,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    return spread(np.var, self, dim, unbiased, keepdim, correction, "VarBackward0")


@method
def std(
    self: Tensor,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    made = spread(np.std, self, dim, unbiased, keepdim, correction, "StdBackward0")
    return guarded(made, self, made)


def spread(
    fn: Any, self: Tensor, dim: Any, unbiased: bool, keepdim: bool, correction: Any, name: str
) -> Any:
    """A variance or a deviation."""
    if category(self._array.dtype) < 2:
        raise RuntimeError("std and var only support floating point and complex dtypes")
    ddof = int(unbiased) if correction is None else correction
    dim = None if not self._array.ndim and dim in (0, -1) else axes(dim)
    return plain(fn, self, axis=dim, ddof=ddof, keepdims=keepdim, name=name)


def check_ordered(name: str, self: Tensor) -> None:
    if self._array.dtype.kind == "c":
        raise RuntimeError(f"{name}(): does not support complex input")


def check_entries(name: str, self: Tensor, dim: Any = None) -> None:
    """Refuse an extreme of nothing."""
    shape = self._array.shape
    if self._array.size:
        return
    if dim is None or dim == ():
        raise (IndexError if name.startswith("arg") else RuntimeError)(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            + (
                ""
                if name.startswith("arg")
                else " Specify the reduction dim with the 'dim' argument."
            )
        )
    for d in dim if isinstance(dim, (tuple, list)) else (dim,):
        if not shape[d]:
            raise IndexError(
                f"{name}(): Expected reduction dim {d % len(shape)} to have non-zero size."
            )


class Extreme(NamedTuple):
    """The values and where they are."""

    values: Any
    indices: Any


def located(values: Tensor, indices: Any) -> Extreme:
    """Values and where they are: the way back reads the places, so they may not be written to."""
    at = indices if isinstance(indices, Tensor) else wrapped(indices)
    return Extreme(guarded(values, at), at)


def extreme(name: str, fn: Any, place: Any, pair: Any) -> Any:
    def apply(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
        if isinstance(dim, Tensor):
            return pair(self, dim)
        check_ordered(name, self)
        check_entries(name, self, dim)
        if dim is None:
            made = plain(fn, self, name=f"{name.title()}Backward1")
            return guarded(made, self, made)
        indices = as_array(place(self._array, axis=dim, keepdims=keepdim))
        values = plain(
            operator.getitem,
            self,
            along(indices, dim, self._array.ndim, keepdim),
            name=f"{name.title()}Backward0",
        )
        attributed(values, dim=dim, indices=wrapped(indices), keepdim=keepdim)
        return located(values, indices)

    apply.__name__ = apply.__qualname__ = name
    return method(with_axis(apply))


def along(indices: Any, dim: int, ndim: int, keepdim: bool) -> Any:
    """The places of one entry along an axis, as an index."""
    if not ndim:
        return (Ellipsis,)
    dim %= ndim
    whole = indices if keepdim else np.expand_dims(indices, dim)
    grid = list(library_of([whole]).ogrid[tuple(slice(0, n) for n in whole.shape)])
    grid[dim] = whole
    return tuple(g if keepdim else np.squeeze(g, dim) for g in grid)


extreme("max", np.max, np.argmax, lambda a, b: FUNCTIONS["maximum"](a, b))
extreme("min", np.min, np.argmin, lambda a, b: FUNCTIONS["minimum"](a, b))


@method
def amax(self: Tensor, dim: Any = (), keepdim: bool = False) -> Any:
    check_entries("amax", self, dim)
    check_ordered("amax", self)
    made = reduced(np.max, self, dim, keepdim, "Amax")
    return guarded(made, self, made)


@method
def amin(self: Tensor, dim: Any = (), keepdim: bool = False) -> Any:
    check_entries("amin", self, dim)
    check_ordered("amin", self)
    made = reduced(np.min, self, dim, keepdim, "Amin")
    return guarded(made, self, made)


def place(name: str, fn: Any, self: Tensor, dim: Any, keepdim: bool) -> Any:
    check_ordered(name, self)
    if self._array.dtype.kind == "b":
        raise RuntimeError(f"{name}(): does not support bool input")
    check_entries(name, self, dim)
    return wrapped(as_array(fn(self._array, dim, keepdims=keepdim)))


@method
def argmax(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    return place("argmax", np.argmax, self, dim, keepdim)


@method
def argmin(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    return place("argmin", np.argmin, self, dim, keepdim)


@method
def all(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    return wrapped(as_array(np.all(self._array, axes(dim), keepdims=keepdim)))


@method
def any(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    return wrapped(as_array(np.any(self._array, axes(dim), keepdims=keepdim)))


@method
@with_axis
def cumsum(self: Tensor, dim: int, *, dtype: Any = None) -> Any:
    x = widened(self, dtype).contiguous()
    return plain(np.cumsum, x, dim, name="CumsumBackward0")


@method
@with_axis
def cumprod(self: Tensor, dim: int, *, dtype: Any = None) -> Any:
    x = widened(self, dtype).contiguous()
    if x._array.shape[dim] == 1:  # the slope is one, and no function of the number
        made = plain(np.positive, x, name="CumprodBackward0")
    else:
        made = plain(np.cumprod, x, dim, name="CumprodBackward0")
    return guarded(made, self, made)


@method
@with_axis
def sort(self: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Sorted values and their indices."""
    if self._array.dtype.kind == "c":
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    order = order_along(self._array, dim, descending)
    return located(plain(np.take_along_axis, self, order, dim, name="SortBackward0"), order)


def order_along(array: Any, dim: int, descending: bool) -> Any:
    """The places of the entries in order, equal ones as they come; NaN is greater than all."""
    if not descending:
        return np.argsort(array, axis=dim, kind="stable")
    backwards = np.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return array.shape[dim] - 1 - np.flip(backwards, dim)


@method
def argsort(self: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return sort(self, dim, descending).indices


@method
@with_axis
def topk(self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    if self._array.dtype.kind in "cb":
        text = (
            " topk does not support complex" if self.is_complex() else "topk does not support bool"
        )
        raise RuntimeError(f"{text} dtypes on CPU")
    if not 0 <= k <= self._array.shape[dim]:
        raise RuntimeError("selected index k out of range")
    order = order_along(self._array, dim, largest)[
        (slice(None),) * (dim % self._array.ndim) + (slice(k),)
    ]
    return located(plain(np.take_along_axis, self, order, dim, name="TopkBackward0"), order)


def greatest(self: Tensor, dim: Any) -> Any:
    """The greatest entries along axes, which are kept."""
    array = self._array.real
    if not array.size:
        return np.max(array, axis=axes(dim), keepdims=True, initial=-np.inf)
    return np.max(array, axis=axes(dim), keepdims=True)


@method
@with_axis
def logsumexp(self: Tensor, dim: Any, keepdim: bool = False) -> Any:
    x = self if category(self._array.dtype) >= 2 else self.to(known[default()])
    top = greatest(x, dim)
    top = wrapped(np.where(np.isfinite(top), top, 0).astype(x._array.dtype))
    made = (x - top).exp().sum(dim, keepdim=True).log() + top
    made = made if keepdim else plain(np.squeeze, made, axes(dim))
    return guarded(made, self, made)


def over_axis(fn: Any, self: Tensor, dim: int, dtype: Any, name: str) -> Any:
    x = self if dtype is None else widened(self, dtype)
    if category(x._array.dtype) < 2:
        raise NotImplementedError(
            f"\"softmax_lastdim_kernel_impl\" not implemented for '{x.dtype.letter}'"
        )
    return plain(fn, x, dim, name=f"{name}Backward0")


@method
@with_axis
def softmax(self: Tensor, dim: int, dtype: Any = None) -> Any:
    return over_axis(linear.softmax, self, dim, dtype, "Softmax")


@method
@with_axis
def log_softmax(self: Tensor, dim: int, dtype: Any = None) -> Any:
    return over_axis(linear.log_softmax, self, dim, dtype, "LogSoftmax")


def median_of_all(self: Tensor) -> Any:
    array = self._array.reshape(-1)
    if not array.size and array.dtype.kind in "biu":  # what PyTorch has for NaN there
        least = array.dtype.kind == "b" or np.iinfo(array.dtype).min
        return wrapped(array_beside(array, least, array.dtype))
    if not array.size:
        return self.sum() * np.nan
    if is_far(array):
        return median_there(self, array.size, False)
    missing = array != array
    middle = np.sort(array, kind="stable")[(array.size - 1) // 2]
    alike = np.where(np.any(missing), missing, array == middle)
    made = plain(np.max, self.reshape(-1)[wrapped(alike)], name="MedianBackward0")
    return guarded(made, self, made)  # the equal entries share the gradient


def median_there(self: Tensor, count: Any, skips_nan: bool) -> Any:
    """The same on the device, of the least ``count`` entries: which are equal to it is not waited for."""
    x = self.reshape(-1)
    array = x._array
    middle = np.sort(array)[(count - 1) // 2]
    missing = array != array
    alike = array == middle
    if not skips_nan:
        alike = np.where(np.any(missing), missing, alike)
    if category(array.dtype) < 2:
        return wrapped(middle)
    share = wrapped((alike / alike.sum()).astype(array.dtype))
    made = plain(np.sum, FUNCTIONS["where"](wrapped(alike), x, 0) * share, name="MedianBackward0")
    return guarded(made, self, made)


@method
@with_axis
def median(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The lower median; of what has a NaN, the first NaN."""
    check_ordered("median", self)
    if dim is None:
        return median_of_all(self)
    check_entries("median", self, dim)
    array = self._array
    order = np.argsort(array, axis=dim, kind="stable")
    indices = np.expand_dims(np.take(order, (array.shape[dim] - 1) // 2, dim), dim)
    missing = array != array
    first = np.argmax(missing, axis=dim, keepdims=True)
    indices = np.where(np.any(missing, axis=dim, keepdims=True), first, indices)
    values = plain(np.take_along_axis, self, indices, dim, name="MedianBackward1")
    if keepdim:
        return located(values, indices)
    return located(plain(np.squeeze, values, dim), np.squeeze(indices, dim))


@method
def count_nonzero(self: Tensor, dim: Any = None) -> Any:
    return wrapped(as_array(np.count_nonzero(self._array, axes(dim))))


@method
def nansum(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    if self._array.dtype.kind == "c":
        raise RuntimeError("nansum on CPU does not support complex inputs")
    return reduced(np.nansum, self, dim, keepdim, "Nansum")
