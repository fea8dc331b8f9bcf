"""Pooling: the largest entry or the mean of windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.transfers import constant_beside, library_of
from ...device.places import is_far
from ..graph.record_call import guarded, plain
from ..linalg.products import tensordot
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor, wrapped
from .padding import out_size, padded, windows
from .tools import functional, refuse, tuple_of

__all__: list[str] = []


def sized(kernel_size: Any, stride: Any, padding: Any, n: int) -> Any:
    kernel = tuple_of(kernel_size, n)
    given = stride is None or (isinstance(stride, (tuple, list)) and not stride)
    steps = kernel if given else tuple_of(stride, n)
    around = tuple_of(padding, n)
    for k, p in zip(kernel, around, strict=True):
        refuse(
            p < 0 or p > k // 2,
            f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k}",
        )
    return kernel, steps, around


def max_pooling(n: int) -> None:
    def apply(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        kernel, steps, around = sized(kernel_size, stride, padding, n)
        spread = tuple_of(dilation, n)
        where = largest(input, kernel, steps, around, spread, ceil_mode)
        made = gathered(input, where, n, f"MaxPool{n}DWithIndicesBackward0")
        return with_places(made, where) if return_indices else made

    apply.__name__ = apply.__qualname__ = f"max_pool{n}d"
    apply.__doc__ = "The largest entry of each window; the first of several has the gradient."
    FUNCTIONS[f"max_pool{n}d"] = functional(apply)
    functional(with_indices(apply, f"max_pool{n}d_with_indices"))


def with_indices(apply: Any, name: str) -> Any:
    def both(*args: Any, **kwargs: Any) -> Any:
        return apply(*args, **kwargs, return_indices=True)

    both.__name__ = both.__qualname__ = name
    return both


def largest(input: Tensor, kernel: Any, steps: Any, around: Any, spread: Any, ceil: bool) -> Any:
    """The places in the flattened image that the windows' largest entries have."""
    n = len(kernel)
    array = input._array
    sizes = array.shape[-n:]
    counts = [
        out_size(*row, ceil) for row in zip(sizes, kernel, steps, around, spread, strict=True)
    ]
    refuse(min(counts) < 1, "max_pool: Output size is too small")
    need = [
        (c - 1) * s + d * (k - 1) + 1
        for c, s, d, k in zip(counts, steps, spread, kernel, strict=True)
    ]
    room = [(p, max(w - m - p, 0)) for p, w, m in zip(around, need, sizes, strict=True)]
    lead = [(0, 0)] * (array.ndim - n)
    lowest = -np.inf if array.dtype.kind == "f" else np.iinfo(array.dtype).min
    whole = array
    if any(any(pair) for pair in room):
        whole = np.pad(array, [*lead, *room], constant_values=lowest)
    shown = [part(whole, offset, counts, steps, spread) for offset in np.ndindex(*kernel)]
    weights = tuple(math.prod(sizes[k + 1 :]) for k in range(n))
    start = constant_beside(array, starts, tuple(counts), tuple(steps), tuple(around), weights)
    return start + constant_beside(array, inside, kernel, spread, weights)[first_largest(shown)]


def starts(counts: Any, steps: Any, around: Any, weights: Any) -> Any:
    """The places in the flattened image at which the windows begin."""
    rows = zip(counts, steps, around, strict=True)
    grid = np.ix_(*(np.arange(c) * s - p for c, s, p in rows))
    return np.asarray(sum(s * w for s, w in zip(grid, weights, strict=True)))


def inside(kernel: Any, spread: Any, weights: Any) -> Any:
    """The places of the entries of a window, counted from its beginning."""
    entries = np.stack(np.unravel_index(np.arange(math.prod(kernel)), kernel))
    return np.asarray(weights) @ (entries * np.reshape(spread, (-1, 1)))


def part(whole: Any, offset: Any, counts: Any, steps: Any, spread: Any) -> Any:
    """What all windows show at one place of theirs."""
    rows = zip(offset, counts, steps, spread, strict=True)
    return whole[(..., *(slice(o * d, o * d + (c - 1) * s + 1, s) for o, c, s, d in rows))]


def first_largest(parts: list[Any]) -> Any:
    """Which of the arrays has the greatest entry, at each place: the first of several, or the first NaN."""
    best = parts[0]
    for part in parts[1:]:
        best = np.maximum(best, part)
    missing = best != best
    may_miss = is_far(missing) or missing.any()
    first = library_of([best]).zeros(best.shape, np.min_scalar_type(-len(parts)))
    for k in range(len(parts) - 1, 0, -1):
        equal = parts[k] == best
        if may_miss:
            equal |= parts[k] != parts[k]
        first += (k - first) * equal
    equal = parts[0] == best
    if may_miss:
        equal |= parts[0] != parts[0]
    return first * ~equal


def gathered(input: Tensor, where: Any, n: int, name: str) -> Tensor:
    shape = input._array.shape
    flat = input.reshape(*shape[:-n], -1)
    places = where.reshape(*where.shape[:-n], -1)
    return plain(np.take_along_axis, flat, places, -1, name=name).reshape(where.shape)


def with_places(made: Tensor, where: Any) -> tuple[Tensor, Tensor]:
    """The result and its places, which may not be written to before the way back."""
    places = wrapped(where)
    return guarded(made, places), places


for _n in (1, 2, 3):
    max_pooling(_n)


# -- means -----------------------------------------------------------------------------------------------------


def mean_pooling(n: int) -> None:
    def apply(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Any = None,
    ) -> Tensor:
        kernel, steps, around = sized(kernel_size, stride, padding, n)
        refuse(divisor_override == 0, "divisor must be not zero")
        made = input
        sizes = input._array.shape[-n:]
        for k in range(n):
            axis = input._array.ndim - n + k
            count = len(chosen(sizes[k], kernel[k], steps[k], around[k], ceil_mode))
            made = summed(made, axis, kernel[k], steps[k], around[k], count)
        if divisor_override is not None:
            return made / float(divisor_override)
        given = sizes, kernel, steps, around, ceil_mode, count_include_pad, input._array.dtype
        return made / wrapped(constant_beside(input._array, entries_of_windows, *given))

    apply.__name__ = apply.__qualname__ = f"avg_pool{n}d"
    apply.__doc__ = "The mean of each window."
    FUNCTIONS[f"avg_pool{n}d"] = functional(apply)


def entries_of_windows(
    sizes: Any, kernel: Any, steps: Any, around: Any, ceil: bool, padding: bool, kind: Any
) -> Any:
    """How many entries each window has, those of the padding counted if asked."""
    n = len(sizes)
    counts: Any = np.ones((1,) * n)
    for k in range(n):
        matrix = chosen(sizes[k], kernel[k], steps[k], around[k], ceil)
        own = matrix if padding else matrix[:, around[k] : around[k] + sizes[k]]
        counts = counts * own.sum(1).reshape([-1 if j == k else 1 for j in range(n)])
    return counts.astype(kind)


def chosen(size: int, kernel: int, step: int, around: int, ceil: bool) -> Any:
    """Which entries of the padded axis each window has."""
    count = out_size(size, kernel, step, around, 1, ceil)
    refuse(count < 1, "avg_pool: Output size is too small")
    start = np.arange(count)[:, None] * step
    place = np.arange(size + 2 * around)
    return ((place >= start) & (place < start + kernel)).astype(float)


def summed(x: Tensor, axis: int, kernel: int, step: int, around: int, count: int) -> Tensor:
    """The sums of the windows along one axis."""
    after = max((count - 1) * step + kernel - x._array.shape[axis] - around, 0)
    room = [(0, 0)] * x._array.ndim
    room[axis] = (around, after)
    rows = padded(x, room).movedim(axis, -1)
    found = windows(rows, (kernel,), (step,), (1,))[..., :count, :]
    return found.sum(-1).movedim(-1, axis)


for _n in (1, 2, 3):
    mean_pooling(_n)


# -- of a given size -----------------------------------------------------------------------------------------------


def parts(size: int, count: int) -> list[tuple[int, int]]:
    return [(k * size // count, -(-(k + 1) * size // count)) for k in range(count)]


def mean_weights(count: int, size: int, kind: Any) -> Any:
    """The weight of each entry in the mean of each part."""
    weights = np.zeros((count, size), kind)
    for row, (a, b) in zip(weights, parts(size, count), strict=True):
        row[a:b] = 1 / (b - a)
    return weights


def adaptive_sizes(input: Tensor, output_size: Any, n: int) -> list[int]:
    given = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * n
    own = input._array.shape[-n:]
    return [o if g is None else int(g) for g, o in zip(given, own, strict=True)]


def adaptive(n: int) -> None:
    def average(input: Tensor, output_size: Any) -> Tensor:
        made = input
        for k, count in enumerate(adaptive_sizes(input, output_size, n)):
            axis = input._array.ndim - n + k
            size = input._array.shape[axis]
            kind = input._array.dtype
            weights = wrapped(constant_beside(input._array, mean_weights, count, size, kind))
            made = tensordot(made, weights, ((axis,), (1,))).movedim(-1, axis)
        return made

    def maximum(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        sizes = input._array.shape[-n:]
        counts = adaptive_sizes(input, output_size, n)
        xp = library_of([input._array])
        where = xp.zeros((*input._array.shape[:-n], *counts), np.int64)
        numbers = xp.arange(math.prod(sizes)).reshape(sizes)
        for place in np.ndindex(*counts):
            box = tuple(
                slice(*parts(s, c)[i]) for s, c, i in zip(sizes, counts, place, strict=True)
            )
            block = input._array[(..., *box)]
            best = np.argmax(block.reshape(*block.shape[:-n], -1), -1)
            where[(..., *place)] = numbers[box].reshape(-1)[best]
        made = gathered(input, where, n, f"AdaptiveMaxPool{n}DBackward0")
        return with_places(made, where) if return_indices else made

    for name, made in ((f"adaptive_avg_pool{n}d", average), (f"adaptive_max_pool{n}d", maximum)):
        made.__name__ = made.__qualname__ = name
        functional(made)


for _n in (1, 2, 3):
    adaptive(_n)
