"""Rules of what goes along axes: sums, extremes, cumulative sums, sorting, transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .batch import Batch, rule, rule_of_first
from .batched_array import MORE, NotBatched

__all__ = ["axes_of", "shifted"]

_function: Any
_default: Any


def shifted(axis: Any, rank: int) -> Any:
    """An axis of one example (or several) as that of the whole batch."""
    if type(axis) in (tuple, list):
        return tuple(shifted(one, rank) for one in axis)
    return np.lib.array_utils.normalize_axis_index(axis, rank) + 1


def axes_of(axis: Any, rank: int) -> Any:
    """The axes that are gone over; None are all of one example."""
    return tuple(range(1, rank + 1)) if axis is None else shifted(axis, rank)


def is_shared(batch: Batch, values: Any) -> bool:
    """True if options are the same for all examples."""
    return not any(batch.has(x) for x in values)


def reduction(
    function: Callable[..., Any], first: int = 1, default: Any = None
) -> Callable[..., Any]:
    """The rule of a function that takes several axes, None being all: `axis` is its argument ``first``."""

    def apply(batch: Batch, a: Any, *args: Any, **kwargs: Any) -> Any:
        rank = np.ndim(a)
        named = dict(kwargs)
        options = list(args)
        axis = options[first - 1] if len(options) >= first else named.pop("axis", default)
        rest = [o for k, o in enumerate(options) if k != first - 1]
        where = named.pop("where", None)
        if where is not None and where is not np._NoValue:
            named["where"] = batch.aligned(where, rank)
        if named.get("out", 0) is None:
            del named["out"]
        if (
            "out" in named
            or not batch.has(a)
            or not is_shared(batch, [*rest, *(v for k, v in named.items() if k != "where")])
        ):
            return NotImplemented
        given = rest[: first - 1], rest[first - 1 :]
        return function(a.value, *given[0], axes_of(axis, rank), *given[1], **named)

    return apply


for _function in (
    np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min, np.any, np.all, np.count_nonzero, np.ptp, np.nansum,
    np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.median, np.nanmedian,
):  # fmt: skip
    rule(_function)(reduction(_function))


@rule(("ufunc", "reduce"))
def reduce(batch: Batch, ufunc: Any, a: Any, *args: Any, **kwargs: Any) -> Any:
    kwargs = {k: v[0] if k == "out" and type(v) is tuple else v for k, v in kwargs.items()}
    return reduction(ufunc.reduce, 1, 0)(batch, a, *args, **kwargs)


@rule_of_first(("ufunc", "accumulate"))
def accumulate(
    batch: Batch, ufunc: Any, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None
) -> Any:
    if out is not None:
        return NotImplemented
    return ufunc.accumulate(a.value, shifted(axis, a.ndim), dtype)


def along(function: Callable[..., Any], place: int, default: Any) -> Callable[..., Any]:
    """The rule of a function along one axis; None goes over the elements in a row.

    ``place``: where `axis` is among the arguments after the first.
    """

    def apply(batch: Batch, a: Any, *args: Any, **kwargs: Any) -> Any:
        named, options = dict(kwargs), list(args)
        out = named.pop("out", None)
        if batch.has(out) and not batch.has(a):  # the same for all, written for each
            return written(batch, out, function(a, *args, **named))
        axis = options.pop(place) if len(options) > place else named.pop("axis", default)
        if (
            len(options) > place
            or not batch.has(a)
            or not is_shared(batch, [*options, *named.values()])
        ):
            return NotImplemented
        flat = axis is None or not a.ndim
        value = a.value.reshape(batch.count, -1) if flat else a.value
        made = function(value, *options, axis=1 if flat else shifted(axis, a.ndim), **named)
        if axis is None and named.get("keepdims") is True:
            made = made.reshape(batch.count, *(1,) * a.ndim)
        return made if out is None else written(batch, out, made)

    return apply


def written(batch: Batch, out: Any, made: Any) -> Any:
    """The array that was given for a result, which is written there."""
    if not batch.has(out):
        raise NotBatched(MORE)
    out.value[...] = made
    return out


for _function, _place, _default in (
    (np.argmax, 0, None), (np.argmin, 0, None), (np.nanargmax, 0, None), (np.nanargmin, 0, None),
    (np.cumsum, 0, None), (np.cumprod, 0, None), (np.nancumsum, 0, None), (np.nancumprod, 0, None),
    (np.argsort, 0, -1), (np.partition, 1, -1), (np.argpartition, 1, -1), (np.repeat, 1, None),
    (np.delete, 1, None),
):  # fmt: skip
    rule(_function)(along(_function, _place, _default))


def along_no_scalar(function: Any, place: int, default: Any) -> Callable[..., Any]:
    """The same for what refuses numbers, and gives what has the shape of its argument."""
    inner = along(function, place, default)

    def apply(batch: Batch, a: Any, *args: Any, **kwargs: Any) -> Any:
        return inner(batch, a, *args, **kwargs) if np.ndim(a) else NotImplemented

    return apply


for _function, _place in (
    (np.sort, 0), (np.fft.fft, 1), (np.fft.ifft, 1), (np.fft.rfft, 1), (np.fft.irfft, 1), (np.fft.hfft, 1),
    (np.fft.ihfft, 1),
):  # fmt: skip
    rule(_function)(along_no_scalar(_function, _place, -1))


@rule_of_first(np.diff)
def diff(batch: Batch, a: Any, n: int = 1, axis: int = -1, *args: Any, **kwargs: Any) -> Any:
    if args or kwargs or not a.ndim:
        return NotImplemented
    return np.diff(a.value, n, shifted(axis, a.ndim))


def of_several_axes(function: Any, default: Any) -> None:
    """A Fourier transform along several axes."""

    def apply(
        batch: Batch, a: Any, s: Any = None, axes: Any = default, *args: Any, **kwargs: Any
    ) -> Any:
        if args or kwargs.get("out") is not None or not a.ndim:
            return NotImplemented
        if axes is None:
            axes = range(-len(s), 0) if s is not None else range(a.ndim)
        return function(a.value, s, shifted(tuple(axes), a.ndim), **kwargs)

    rule_of_first(function)(apply)


for _function, _default in (
    (np.fft.fft2, (-2, -1)), (np.fft.ifft2, (-2, -1)), (np.fft.rfft2, (-2, -1)), (np.fft.irfft2, (-2, -1)),
    (np.fft.fftn, None), (np.fft.ifftn, None), (np.fft.rfftn, None), (np.fft.irfftn, None),
):  # fmt: skip
    of_several_axes(_function, _default)


def of_shifts(function: Any) -> None:
    def apply(batch: Batch, x: Any, axes: Any = None) -> Any:
        return function(x.value, axes_of(axes, x.ndim))

    rule_of_first(function)(apply)


of_shifts(np.fft.fftshift)
of_shifts(np.fft.ifftshift)


@rule(np.bincount)
def bincount(batch: Batch, x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """All examples are counted at once, those of each after those of the one before."""
    places = batch.whole(x)
    size = max(minlength, int(np.max(places, initial=-1)) + 1) if type(places) is np.ndarray else 0
    if size != minlength or type(batch.own(weights)) not in (np.ndarray, type(None)):
        return NotImplemented
    flat = (places + size * np.arange(batch.count)[:, None]).ravel()
    given = None if weights is None else batch.whole(weights).ravel()
    return np.bincount(flat, given, batch.count * size).reshape(batch.count, size)
