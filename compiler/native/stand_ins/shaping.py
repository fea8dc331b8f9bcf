"""Axes turned, moved and put in front, and arrays joined and parted along the axis of a name."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd import runtime as rt

__all__ = ["STAND_INS"]


def flipud(m: Any) -> Any:
    if np.ndim(m) < 1:
        raise ValueError("no axis to turn")
    return np.flip(m, 0)


def fliplr(m: Any) -> Any:
    if np.ndim(m) < 2:
        raise ValueError("no axis to turn")
    return np.flip(m, 1)


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    rank = np.ndim(m)
    first, second = axes[0] % rank, axes[1] % rank
    if rank < 2 or first == second:
        raise ValueError("no plane to turn in")
    turns = k % 4
    if turns == 1:
        return np.swapaxes(np.flip(m, second), first, second)
    if turns == 2:
        return np.flip(np.flip(m, first), second)
    if turns == 3:
        return np.flip(np.swapaxes(m, first, second), second)
    return m[...]


def matrix_transpose(x: Any) -> Any:
    if np.ndim(x) < 2:
        raise ValueError("no matrix")
    return np.swapaxes(x, -1, -2)


def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    rank = np.ndim(a)
    if not (-rank <= axis < rank and -rank <= start <= rank):
        raise ValueError("an axis that is not there")
    axis = axis % rank
    place = start + rank if start < 0 else start
    return np.moveaxis(a, axis, place - 1 if axis < place else place)


def atleast_1d(x: Any) -> Any:
    return np.array([x]) if np.ndim(x) == 0 else x


def atleast_2d(x: Any) -> Any:
    if np.ndim(x) == 0:
        return np.array([x])[None, :]
    return x[None, :] if np.ndim(x) == 1 else x


def atleast_3d(x: Any) -> Any:
    if np.ndim(x) == 0:
        return np.array([x])[None, :, None]
    if np.ndim(x) == 1:
        return x[None, :, None]
    return x[:, :, None] if np.ndim(x) == 2 else x


def dstack(tup: Any) -> Any:
    if not isinstance(tup, (list, tuple)):
        raise ValueError("an array of them")
    return np.concatenate([atleast_3d(x) for x in tup], axis=2)


def dsplit_like(c: Any, like: Any) -> Any:
    found = []
    start = 0
    for x in like:
        size = atleast_3d(x).shape[2]
        found.append(rt.reshape_like(c[:, :, start : start + size], x))
        start = start + size
    return found


def line(x: Any) -> Any:
    """All elements, in their order."""
    return np.array([x]) if np.ndim(x) == 0 else np.ravel(x)


def append(arr: Any, values: Any, axis: Any = None) -> Any:
    if isinstance(values, (list, tuple)):
        values = np.array(values)
    if axis is None:
        return np.concatenate((line(arr), line(values)))
    return np.concatenate((arr, values), axis=axis)


def extract(c: Any, like: Any, axis: Any = None, last: Any = False) -> Any:
    lines = c if axis is None else np.moveaxis(c, axis, 0)
    size = np.size(like) if axis is None else like.shape[axis]
    part = lines[len(lines) - size :] if last else lines[:size]
    return rt.reshape_like(part if axis is None else np.moveaxis(part, 0, axis), like)


def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    return np.split(ary, indices_or_sections, axis=0 if np.ndim(ary) == 1 else 1)


def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    if np.ndim(ary) < 2:
        raise ValueError("no matrix")
    return np.split(ary, indices_or_sections, axis=0)


def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    if np.ndim(ary) < 3:
        raise ValueError("no stack")
    return np.split(ary, indices_or_sections, axis=2)


def fftshift(x: Any, axes: Any = None) -> Any:
    for axis in range(np.ndim(x)) if axes is None else (axes,):
        x = np.roll(x, x.shape[axis] // 2, axis)
    return x


def ifftshift(x: Any, axes: Any = None) -> Any:
    for axis in range(np.ndim(x)) if axes is None else (axes,):
        x = np.roll(x, -(x.shape[axis] // 2), axis)
    return x


def ediff1d(ary: Any) -> Any:
    return np.diff(line(ary))


def edge(c: Any, like: Any, axis: Any = -1) -> Any:
    if np.ndim(c):
        return c
    first = np.moveaxis(like, axis, 0)[:1]
    return np.moveaxis(np.broadcast_to(c, first.shape), 0, axis)


STAND_INS: dict[tuple[str, str], Any] = {
    ("numpy", f.__name__): f
    for f in (
        flipud, fliplr, rot90, matrix_transpose, rollaxis, atleast_1d, atleast_2d, atleast_3d, dstack,
        append, hsplit, vsplit, dsplit, ediff1d,
    )
}  # fmt: skip
STAND_INS |= {("retrograd.runtime", f.__name__): f for f in (dsplit_like, extract, edge)}
STAND_INS |= {("numpy.fft", f.__name__): f for f in (fftshift, ifftshift)}
STAND_INS[("numpy.linalg", "matrix_transpose")] = matrix_transpose
