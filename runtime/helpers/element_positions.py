"""Places: where in an argument each entry of a rearranged result comes from; and choices by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .core import cast, unbroadcast
from .creation import unpack
from .joining import numbered

__all__ = [
    "along_axis_index",
    "axes_back",
    "beside",
    "block_strides",
    "kept_places",
    "layout",
    "margins",
    "mask_of",
    "plain_order",
    "reduceat",
    "restored",
    "running_places",
    "spread_at",
    "strided_places",
    "turn_ends",
    "turn_order",
    "unchoose",
    "unmargins",
    "wrapped_places",
]  # fmt: skip


def kept_places(x: Any, trim: str = "fb", axis: Any = None) -> Any:
    """The places of what ``np.trim_zeros(x, trim, axis)`` keeps.

    >>> kept_places(np.array([0.0, 5.0, 0.0, 7.0, 0.0]))
    array([1, 2, 3])
    """
    x = np.asarray(x)
    places, ones = numbered(x), (x != 0)
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis).tolist()
    for along in axes:
        others = tuple(k for k in range(x.ndim) if k != along % x.ndim)
        found = np.flatnonzero(np.any(ones, axis=others))
        first, last = (found[0], found[-1] + 1) if len(found) else (0, 0)
        first = first if "f" in trim.lower() or not len(found) else 0
        last = last if "b" in trim.lower() or not len(found) else x.shape[along]
        places = np.take(places, np.arange(first, last), axis=along)
    return places


def strided_places(x: Any, shape: Any = None, strides: Any = None) -> Any:
    """The places of the entries of ``as_strided(x, shape, strides)``.

    >>> strided_places(np.zeros(4), (2, 2), (8, 8))
    array([[0, 1],
           [1, 2]])
    """
    x = np.asarray(x)
    block_strides(strides, x, shape)
    places = numbered(x)
    shape = x.shape if shape is None else shape
    if strides is None:  # a block of memory is read as one
        return np.resize(places, shape)
    if any(step % x.itemsize for step in strides):
        raise UnsupportedOperation("as_strided with strides between the elements", fix="index it")
    scaled = tuple(step // x.itemsize * places.itemsize for step in strides)
    return np.lib.stride_tricks.as_strided(places, shape, scaled).copy()


def block_strides(strides: Any, x: Any, shape: Any) -> Any:
    """The strides that ``as_strided`` is given for ``x``, which must be a block of memory and hold what is read.

    What is kept of ``x`` for the way back is such a block, whatever ``x`` was.
    """
    x = np.asarray(x)
    if not x.flags.c_contiguous:
        raise UnsupportedOperation(
            "as_strided of an array that is no block of memory", fix="copy it first: x.copy()"
        )
    sizes = np.atleast_1d(x.shape if shape is None else shape).tolist()
    ways = [step * (n - 1) for step, n in zip(strides or (), sizes, strict=False)]
    inside = all(way >= 0 for way in ways) and sum(ways) <= x.nbytes - x.itemsize
    if strides is not None and 0 not in sizes and not inside:
        raise UnsupportedOperation("as_strided reads beside the array", fix="index it")
    return strides


def running_places(z: Any, x: Any, axis: int = 0) -> Any:
    """Where along ``axis`` each running extreme ``z`` of ``x`` was reached last.

    >>> running_places(np.array([1.0, 3.0, 3.0, 3.0]), np.array([1.0, 3.0, 3.0, 2.0]))
    array([0, 1, 2, 2])
    """
    shape = [1] * np.ndim(z)
    shape[axis] = -1
    here = np.broadcast_to(np.arange(np.shape(z)[axis]).reshape(shape), np.shape(z))
    reached = np.equal(x, z) | (np.isnan(x) & np.isnan(z))
    return np.maximum.accumulate(np.where(reached, here, 0), axis=axis)


def layout(order: Any, like: Any) -> str:
    """``C`` or ``F``: the order in which entries are read, which ``A`` and ``K`` ask the memory for.

    >>> layout("A", np.zeros((2, 3)).T)
    'F'
    """
    if order in ("C", "F", "c", "f"):
        return str(order).upper()
    flags = np.asarray(like).flags
    if order in ("A", "a"):
        return "F" if flags.f_contiguous and not flags.c_contiguous else "C"
    if flags.c_contiguous or flags.f_contiguous:
        return "C" if flags.c_contiguous else "F"
    raise UnsupportedOperation(
        f"order={order!r} of an array that is no block of memory", fix="say C or F"
    )


def plain_order(order: Any) -> str:
    """``C`` or ``F``; what asks the memory of one array for its order does not fit another.

    >>> plain_order("F")
    'F'
    """
    if order in ("C", "F", "c", "f"):
        return str(order).upper()
    raise UnsupportedOperation(
        f"order={order!r} depends on the memory of the array", fix="say C or F"
    )


def along_axis_index(x: Any, indices: Any, axis: int) -> Any:
    """The subscript that `np.put_along_axis` writes to.

    >>> along_axis_index(np.zeros((2, 3)), np.array([[0], [2]]), 1)
    (array([[0],
           [1]]), array([[0],
           [2]]))
    """
    rank = np.ndim(x)
    parts = []
    for k, n in enumerate(np.shape(x)):
        shape = [1] * rank
        shape[k] = -1
        parts.append(np.asarray(indices) if k == axis % rank else np.arange(n).reshape(shape))
    return tuple(parts)


def turn_order(places: Any) -> Any:
    """The positions in ``places`` by turns: the first ones that name each place, then the second ones.

    >>> turn_order(np.array([5, 7, 5, 5, 7]))
    array([0, 1, 2, 4, 3])
    """
    return np.argsort(turns(places), kind="stable")


def turn_ends(places: Any) -> Any:
    """Where each turn ends in `turn_order`.

    >>> turn_ends(np.array([5, 7, 5, 5, 7]))
    array([2, 4, 5])
    """
    return np.cumsum(np.bincount(turns(places)))


def turns(places: Any) -> Any:
    """How often each place was named before."""
    by_place = np.argsort(places, kind="stable")
    named = np.asarray(places)[by_place]
    first = np.flatnonzero(np.r_[True, named[1:] != named[:-1]][: named.size])
    counts = np.diff(np.r_[first, named.size])
    found = np.empty(named.size, int)
    found[by_place] = np.arange(named.size) - np.repeat(first, counts)
    return found


def wrapped_places(places: Any, size: int, mode: str) -> Any:
    """The places that ``np.put(x, places, v, mode)`` writes to.

    >>> wrapped_places(np.array([5, -1]), 4, "wrap")
    array([1, 3])
    """
    if mode == "wrap":
        return np.asarray(places) % size
    return np.clip(places, 0, size - 1) if mode == "clip" else np.asarray(places)


def mask_of(mask: Any, x: Any) -> Any:
    """The mask that ``np.place(x, mask, v)`` reads: as many entries as ``x`` has, true if not zero.

    >>> mask_of([1.0, 0.0, 2.0], np.zeros(3))
    array([ True, False,  True])
    """
    mask = np.asarray(mask, bool)
    if mask.size != np.size(x):
        raise ValueError("place: mask and data must be the same size")
    return mask.reshape(np.shape(x))


def beside(c: Any, like: Any) -> Any:
    """``c`` with axes of length 1 behind, one for each of ``like``: for an outer operation.

    >>> beside(np.zeros(2), np.zeros((3, 4))).shape
    (2, 1, 1)
    """
    return np.reshape(c, np.shape(c) + (1,) * np.ndim(like))


def unchoose(c: Any, a: Any, like: Any, mode: str = "raise") -> Any:
    """`np.choose`, transposed: ``c`` goes to the choice that ``a`` took.

    >>> unchoose(np.array([5.0, 7.0]), np.array([1, 0]), [np.zeros(2), 0.0])
    [array([0., 7.]), np.float64(5.0)]
    """
    a, n = np.asarray(a), len(like)
    a = a % n if mode == "wrap" else np.clip(a, 0, n - 1) if mode == "clip" else a
    items = [unbroadcast(np.where(a == k, c, 0), choice) for k, choice in enumerate(like)]
    if isinstance(like, np.ndarray):
        return cast(np.stack([np.broadcast_to(i, like.shape[1:]) for i in items]), like)
    return type(like)(items)


def reduceat(c: Any, indices: Any, axis: int = 0) -> Any:
    """``np.add.reduceat(c, indices, axis)``.

    >>> reduceat(np.arange(4.0), [0, 2])
    array([1., 5.])
    """
    return np.add.reduceat(c, indices, axis)


def spread_at(c: Any, like: Any, indices: Any, axis: int = 0) -> Any:
    """`reduceat`, transposed: each summand gets what its sums get.

    >>> spread_at(np.array([1.0, 5.0]), np.zeros(4), [0, 2])
    array([1., 1., 5., 5.])
    """
    starts = np.asarray(indices)
    ends = np.append(starts[1:], np.shape(like)[axis])
    ends = np.where(ends > starts, ends, starts + 1)
    sums = np.repeat(np.arange(len(starts)), ends - starts)
    offsets = np.cumsum(ends - starts) - (ends - starts)
    places = np.arange(len(sums)) - np.repeat(offsets - starts, ends - starts)
    out = np.zeros(np.shape(like), np.asarray(c).dtype)
    index = (slice(None),) * (axis % np.ndim(like)) + (places,)
    np.add.at(out, index, np.take(c, sums, axis=axis))
    return cast(out, like)


def axes_back(out: Any, moved: Any, axis: int) -> tuple[int, ...]:
    """The order of axes that puts the last axes of ``out`` where ``axis`` of ``moved`` was.

    >>> axes_back(np.zeros((2, 3, 5)), np.zeros((2, 3, 4)), 0)
    (2, 0, 1)
    """
    kept, rank = np.ndim(moved) - 1, np.ndim(out)
    at = axis % np.ndim(moved)
    return (*range(at), *range(kept, rank), *range(at, kept))


def restored(c: Any, like: Any, axis: int) -> Any:
    """``c`` with an axis of length 1 where ``like`` has one that it lost.

    >>> restored(np.zeros(3), np.zeros((2, 3)), 0).shape
    (1, 3)
    """
    return c if np.ndim(c) == np.ndim(like) else np.expand_dims(c, axis)


def margins(c: Any, like: Any, pad_width: Any) -> Any:
    """The constants ``c`` in the margins that `np.pad` puts around ``like``, zeros inside.

    >>> margins((5.0, 7.0), np.ones(2), 1)
    array([5., 0., 0., 7.])
    """
    dtype = np.result_type(np.asarray(like), np.float16)
    return np.pad(np.zeros(np.shape(like), dtype), pad_width, constant_values=c)


def unmargins(c: Any, like: Any, array: Any, pad_width: Any) -> Any:
    """`margins`, transposed: what each of the constants ``like`` gets from its places in ``c``.

    >>> unmargins(np.array([1.0, 2.0, 3.0]), (0.0, 0.0), np.ones(1), 1)
    (np.float64(1.0), np.float64(3.0))
    """
    numbers = numbered(np.asarray(like))
    inside = np.full(np.shape(array), -1)
    place = np.pad(inside, pad_width, constant_values=numbers)
    sums = np.zeros(numbers.size, np.asarray(c).dtype)
    np.add.at(sums, place[place >= 0], np.asarray(c)[place >= 0])
    return unpack(sums.reshape(numbers.shape), like)
