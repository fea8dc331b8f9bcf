"""Running extremes, quantiles, differences and moments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...arrays.transfers import array_beside, library_of
from ...batching.batched_array import everywhere, somewhere
from ...device.places import is_far
from ..graph.node import together
from ..graph.push_tangents import refuse_dual
from ..graph.record_call import guarded, plain
from ..tensor.registry import FUNCTIONS, function, method, writing
from ..tensor.tensor import Tensor, wrapped
from .joining import cat
from .reductions import (
    Extreme,
    amax,
    amin,
    axes,
    check_entries,
    check_ordered,
    located,
    mean,
    median,
    median_there,
    sort,
    std,
    var,
    with_axis,
)
from .shaping import taken

__all__: list[str] = []


class MinMax(NamedTuple):
    """The least and the largest."""

    min: Any
    max: Any


def part(self: Tensor, dim: int, start: Any, stop: Any) -> Tensor:
    """A range of an axis."""
    index = (slice(None),) * (dim % max(self._array.ndim, 1)) + (slice(start, stop),)
    return taken(self, index, "SliceBackward0")


def check_floating(name: str, x: Tensor) -> None:
    if x._array.dtype.kind in "iub":
        raise RuntimeError(f"{name} only support floating point and complex dtypes")


@function
def var_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    check_floating("var_mean", input)
    made = var(input, dim, unbiased, keepdim, correction=correction), mean(input, dim, keepdim)
    return together("VarMeanBackward0", *made)


@function
def std_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    check_floating("std_mean", input)
    made = std(input, dim, unbiased, keepdim, correction=correction), mean(input, dim, keepdim)
    return together("StdMeanBackward0", *made)


@method
def aminmax(self: Tensor, *, dim: Any = None, keepdim: bool = False) -> Any:
    if not self._array.size and dim is None:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    dim = () if dim is None else dim
    ends = amin(self, dim, keepdim), amax(self, dim, keepdim)
    return MinMax(*together("AminmaxBackward0", *ends))


@method
def nanmean(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    return plain(np.nanmean, self, axis=axes(dim), keepdims=keepdim, name="NanmeanBackward0")


METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


@method
def quantile(
    self: Tensor, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    """Quantiles of sorted entries; one axis more in front if ``q`` has one."""
    if self._array.dtype.kind != "f":
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation not in METHODS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}"
        )
    if isinstance(q, Tensor) and q._array.dtype != self._array.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    refuse_dual("quantile", q)
    if isinstance(q, Tensor) and q.requires_grad:
        raise RuntimeError("the derivative for 'q' is not implemented")
    at = q._array if isinstance(q, Tensor) else array_beside(self._array, q, np.float64)
    at = at.astype(np.float64)
    if not everywhere((at >= 0) & (at <= 1)):
        if at.ndim:
            raise RuntimeError("quantile() q values must be in the range [0, 1]")
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {at.item():g}")
    shape = self._array.shape
    x = self.reshape(-1) if dim is None else self.movedim(dim, -1)
    made = quantiles(x, at.reshape(-1), interpolation)
    if dim is None:
        made = made.reshape(-1, *[1] * (len(shape) if keepdim else 0))
    elif keepdim:
        made = made.unsqueeze(dim % len(shape) + 1)
    return made if at.ndim else made.squeeze(0)


def quantiles(x: Tensor, at: Any, interpolation: str) -> Tensor:
    """Along the last axis, with those of each ``at`` in front."""
    n = x._array.shape[-1]
    rank = at * (n - 1)
    low, high = np.floor(rank).astype(int), np.ceil(rank).astype(int)
    weight = {
        "linear": rank - low, "lower": 0 * rank, "higher": 1.0 * (high > low), "midpoint": 0.5 * (high > low),
        "nearest": 1.0 * (np.round(rank) > low),
    }[interpolation]  # fmt: skip
    ordered = x.sort(-1).values
    weights = wrapped(weight.astype(x._array.dtype))
    made = ordered[..., low] * (1 - weights) + ordered[..., high] * weights
    missing = np.isnan(x._array).any(-1)
    if is_far(missing) or somewhere(missing):
        made = made + wrapped(np.where(missing, np.nan, 0).astype(x._array.dtype)[..., None])
    return made.movedim(-1, 0)


@method
def nanmedian(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The lower median of the entries that are not NaN."""
    check_ordered("nanmedian", self)
    if dim is None:
        if is_far(self._array):
            return median_there(self, (self._array == self._array).sum(), True)
        there = self.reshape(-1)[wrapped((self._array == self._array).reshape(-1))]
        return median(there if there.numel() else self)
    check_entries("nanmedian", self, dim)
    count = (self._array == self._array).sum(dim, keepdims=True)
    order = np.argsort(self._array, axis=dim, kind="stable")
    where = np.take_along_axis(order, np.maximum(count - 1, 0) // 2, dim)
    return at_places(self, where, dim, keepdim, "Nanmedian")


@method
def msort(self: Tensor) -> Tensor:
    """Sorted along the first axis."""
    values: Tensor = sort(self, 0).values
    return values


def cumulating(name: str) -> None:
    """In place the type stays."""
    fn = FUNCTIONS[name]
    writing(name, lambda self, dim: fn(self, dim).to(self.dtype))


cumulating("cumsum")
cumulating("cumprod")


@method
def kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest entry along an axis, and where it is."""
    check_ordered("kthvalue", self)
    check_entries("kthvalue", self, dim)
    n = self._array.shape[dim] if self._array.ndim else 1
    if not 1 <= k <= n:
        raise RuntimeError(
            "kthvalue(): selected number k out of range for dimension "
            + str(dim % max(self._array.ndim, 1))
        )
    if not self._array.ndim:
        return Extreme(self.clone(), wrapped(array_beside(self._array, 0)))
    order = np.argsort(self._array, axis=dim, kind="stable")
    where = np.expand_dims(np.take(order, k - 1, dim), dim)
    return at_places(self, where, dim, keepdim, "Kthvalue")


def at_places(self: Tensor, where: Any, dim: int, keepdim: bool, name: str) -> Extreme:
    values = plain(np.take_along_axis, self, where, dim, name=f"{name}Backward0")
    if keepdim:
        return located(values, where)
    return located(plain(np.squeeze, values, dim), np.squeeze(where, dim))


@method
@with_axis
def mode(self: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent entry along an axis, the least of several; and the last place it is at."""
    check_ordered("mode", self)
    check_entries("mode", self, dim)
    if not self._array.ndim:
        return Extreme(self.clone(), wrapped(array_beside(self._array, 0)))
    rows = np.moveaxis(self._array, dim, -1)
    counts = (rows[..., :, None] == rows[..., None, :]).sum(-1)
    often = np.where(counts == counts.max(-1, keepdims=True), rows, np.inf).min(-1, keepdims=True)
    last = rows.shape[-1] - 1 - np.argmax((rows == often)[..., ::-1], -1)
    return at_places(self, np.expand_dims(last, dim), dim, keepdim, "Mode")


# -- along an axis ------------------------------------------------------------------------------


def accumulated(ufunc: Any, array: Any, axis: int) -> Any:
    """The extremes so far along an axis; CuPy has them for sums only: there in steps of 1, 2, 4, ..."""
    if not is_far(array):
        return ufunc.accumulate(array, axis=axis)
    made = np.moveaxis(array.copy(), axis, -1)
    step = 1
    while step < made.shape[-1]:
        made[..., step:] = ufunc(made[..., step:], made[..., :-step])
        step *= 2
    return np.moveaxis(made, -1, axis)


def running(name: str, ufunc: Any) -> None:
    def apply(self: Tensor, dim: int) -> Any:
        if not self._array.ndim:
            if dim not in (-1, 0):
                raise IndexError(
                    f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}"
                )
            return located(guarded(self.clone(), self), array_beside(self._array, 0))
        check_ordered(name, self)
        array = self._array
        extreme = accumulated(ufunc, array, dim)
        new = (array == extreme) | (array != array)
        shape = [1] * array.ndim
        shape[dim] = -1
        steps = np.where(new, library_of([array]).arange(array.shape[dim]).reshape(shape), 0)
        where = accumulated(np.maximum, steps, dim)
        values = plain(np.take_along_axis, self, where, dim, name=f"{name.title()}Backward0")
        return located(guarded(values, self), where)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = "The extreme of the entries so far, and its last place."
    method(apply)


running("cummax", np.maximum)
running("cummin", np.minimum)


@method
def logcumsumexp(self: Tensor, dim: int) -> Any:
    """Each entry joined with all before it, in steps of 1, 2, 4, ..."""
    made = self
    n = self._array.shape[dim] if self._array.ndim else 1
    step = 1
    while step < n:
        joined = part(made, dim, step, None).logaddexp(part(made, dim, None, -step))
        made = cat([part(made, dim, None, step), joined], dim)
        step *= 2
    made = made if made is not self else self.clone()
    return guarded(made, self, made)


@method
def diff(self: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours, n times."""
    if not self._array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    parts = [x for x in (prepend, self, append) if x is not None]
    joined = cat(parts, dim) if len(parts) > 1 else self
    n = min(n, joined._array.shape[dim])
    return plain(np.diff, joined, n, dim) if n else joined


@function
def trapezoid(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Any:
    """The integral by trapezoids."""
    return weighted(y, x, dx, dim).sum(dim)


@function
def trapz(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Any:
    return trapezoid(y, x, dx=dx, dim=dim)


@function
def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Any:
    return weighted(y, x, dx, dim).cumsum(dim)


def weighted(y: Tensor, x: Any, dx: Any, dim: int) -> Any:
    """The areas of the trapezoids."""
    heights = (part(y, dim, 1, None) + part(y, dim, None, -1)) / 2
    if x is None:
        return heights * (1 if dx is None else dx)
    if x._array.ndim == 1 and y._array.ndim > 1:
        x = x.reshape([-1] + [1] * (y._array.ndim - 1 - dim % y._array.ndim))
        return heights * (x[1:] - x[:-1])
    return heights * (part(x, dim, 1, None) - part(x, dim, None, -1))


@function
def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> Any:
    """Slopes by central differences, one-sided of the first or second order at the edges."""
    dims = range(input._array.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    if len(steps) != len(dims):
        raise RuntimeError(
            f"torch.gradient expected spacing to be unspecified, a scalar or a list of length {len(dims)}, "
            f"but got a list of length {len(steps)}".replace("torch", "retrograd")
        )
    for d in dims:
        if input._array.shape[d] < edge_order + 1:
            raise RuntimeError(
                "retrograd.gradient expected each dimension size to be at least edge_order+1"
            )
    return tuple(slopes(input, h, d, edge_order) for d, h in zip(dims, steps, strict=True))


def slopes(y: Tensor, spacing: Any, dim: int, edge_order: int) -> Tensor:
    """Differences over gaps ``h``; those of two neighbouring gaps are weighted by the other's length."""
    rows = y.movedim(dim, -1)
    n = rows._array.shape[-1]
    coordinates = isinstance(spacing, Tensor) and spacing._array.ndim
    if coordinates:
        h = spacing[1:] - spacing[:-1]
    else:
        h = wrapped(library_of([rows._array]).ones(n - 1, rows._array.dtype)) * spacing
    slope = (rows[..., 1:] - rows[..., :-1]) / h
    a, b = h[:-1], h[1:]
    inner = (slope[..., :-1] * b + slope[..., 1:] * a) / (a + b)
    first, last = slope[..., :1], slope[..., -1:]
    if edge_order == 2:
        first = first + (first - slope[..., 1:2]) * (h[:1] / (h[:1] + h[1:2]))
        last = last + (last - slope[..., -2:-1]) * (h[-1:] / (h[-1:] + h[-2:-1]))
    return cat([first, inner, last], -1).movedim(-1, dim)


@method
def cov(self: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariance of the rows."""
    if self._array.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {self._array.ndim} dimensions"
        )
    x = self.reshape(1, -1) if self._array.ndim < 2 else self
    weights = (
        fweights if aweights is None else aweights if fweights is None else fweights * aweights
    )
    if weights is None:
        total, centred = x._array.shape[1], x - x.mean(1, keepdim=True)
        left = centred
    else:
        total = weights.sum()
        centred = x - (x * weights).sum(1, keepdim=True) / total
        left = centred * weights
    if aweights is None or weights is None:
        count = total - correction
    else:
        count = total - correction * (weights * aweights).sum() / total
    made = left @ centred.mH / (count.clamp(min=0) if isinstance(count, Tensor) else max(count, 0))
    return made.squeeze() if self._array.ndim < 2 else made


@method
def corrcoef(self: Tensor) -> Any:
    """The correlation of the rows."""
    c = cov(self)
    if not c._array.ndim:
        return c / c
    d = c.diagonal().real.sqrt()
    return c / d.unsqueeze(1) / d.unsqueeze(0)
