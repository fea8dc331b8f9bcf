"""Images of other sizes, and sampled on grids: along one axis after the other, by a matrix of weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.transfers import constant_beside, library_of
from ..functions.pointwise import where
from ..functions.shaping import taken
from ..linalg.products import matmul, tensordot
from ..tensor.tensor import Tensor, wrapped
from .pooling import parts
from .tools import functional, refuse

__all__: list[str] = []

LINEAR = {"linear": 1, "bilinear": 2, "trilinear": 3, "bicubic": 2}


@functional
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: bool = False,
) -> Tensor:
    """Images of other sizes: nearest, linear, cubic, or means of areas."""
    n = input._array.ndim - 2
    if antialias:
        raise NotImplementedError("interpolate() has no antialias=True here")
    if mode in LINEAR and LINEAR[mode] != n:
        raise NotImplementedError(
            f"Got {n + 2}D input, but {mode} mode needs {LINEAR[mode] + 2}D input"
        )
    if mode not in (*LINEAR, "nearest", "nearest-exact", "area"):
        raise NotImplementedError(f"interpolate() has no mode {mode!r}")
    if align_corners is not None and mode not in LINEAR:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if (size is None) == (scale_factor is None):
        raise ValueError(
            "either size or scale_factor should be defined"
            if size is None
            else "only one of size or scale_factor should be defined"
        )
    sizes = input._array.shape[2:]
    scales: Any = None
    if size is not None:
        wanted = [int(v) for v in size] if isinstance(size, (tuple, list)) else [int(size)] * n
    else:
        scales = (
            list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * n
        )
        wanted = [math.floor(s * f) for s, f in zip(sizes, scales, strict=True)]
        if recompute_scale_factor:
            scales = None
    made = input
    for k, (old, new) in enumerate(zip(sizes, wanted, strict=True)):
        ratio = old / new if scales is None else 1 / scales[k]
        made = resized(made, k + 2, old, new, ratio, mode, bool(align_corners))
    return made


def resized(
    x: Tensor, axis: int, old: int, new: int, ratio: float, mode: str, corners: bool
) -> Tensor:
    if mode.startswith("nearest"):
        at = constant_beside(x._array, nearest, old, new, ratio, mode)
        return x[(slice(None),) * axis + (at,)]
    given = old, new, ratio, mode, corners, x._array.dtype
    weights = wrapped(constant_beside(x._array, matrix, *given))
    return tensordot(x, weights, ((axis,), (1,))).movedim(-1, axis)


def nearest(old: int, new: int, ratio: float, mode: str) -> Any:
    """The old entry for each new one."""
    shift = 0.5 if mode == "nearest-exact" else 0.0
    return np.minimum(np.floor((np.arange(new) + shift) * ratio).astype(int), old - 1)


def matrix(old: int, new: int, ratio: float, mode: str, corners: bool, kind: Any) -> Any:
    """The weights of the old entries in each new one."""
    weights = np.zeros((new, old))
    if mode == "area":
        for row, (a, b) in zip(weights, parts(old, new), strict=True):
            row[a:b] = 1 / (b - a)
        return weights.astype(kind)
    if corners:
        place = np.arange(new) * ((old - 1) / (new - 1) if new > 1 else 0.0)
    else:
        place = (np.arange(new) + 0.5) * ratio - 0.5
    if mode != "bicubic":
        place = np.maximum(place, 0)
    below = np.floor(place).astype(int)
    t = place - below
    taps = cubic(t) if mode == "bicubic" else {0: 1 - t, 1: t}
    for shift, weight in taps.items():
        np.add.at(weights, (np.arange(new), np.clip(below + shift, 0, old - 1)), weight)
    return weights.astype(kind)


def cubic(t: Any, a: float = -0.75) -> dict[int, Any]:
    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return {-1: far(t + 1), 0: near(t), 1: near(1 - t), 2: far(2 - t)}


# -- grids -----------------------------------------------------------------------------------------------------


@functional
def affine_grid(theta: Tensor, size: Any, align_corners: Any = None) -> Tensor:
    """Where an affine map takes the pixels of images, from -1 to 1."""
    sizes = tuple(int(n) for n in size)
    rows = constant_beside(theta._array, pixels_of, sizes[2:], align_corners, theta._array.dtype)
    flat = matmul(wrapped(rows), theta.transpose(1, 2))
    return flat.reshape(sizes[0], *sizes[2:], len(sizes) - 2)


def pixels_of(sizes: Any, corners: Any, kind: Any) -> Any:
    """The coordinates of the pixels from -1 to 1, with a one behind."""
    axes = []
    for n in sizes:
        whole = np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
        axes.append(whole if corners else whole * (n - 1) / n)
    grids = np.meshgrid(*axes, indexing="ij")[::-1]
    base = np.stack([*grids, np.ones_like(grids[0])], -1).astype(kind)
    return base.reshape(-1, base.shape[-1])


@functional
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Any = None,
) -> Tensor:
    """The values of images at points, between the pixels by the weights of the nearest four."""
    refuse(input._array.ndim != 4, "grid_sample() takes images of two axes here (a 4D input)")
    if mode not in ("bilinear", "nearest") or padding_mode not in ("zeros", "border", "reflection"):
        raise NotImplementedError(
            f"grid_sample() has no mode={mode!r} with padding_mode={padding_mode!r}"
        )
    height, width = input._array.shape[2:]
    x = placed(taken(grid, (..., 0), "SelectBackward0"), width, padding_mode, align_corners)
    y = placed(taken(grid, (..., 1), "SelectBackward0"), height, padding_mode, align_corners)
    if mode == "nearest":
        return pixels(input, np.rint(x._array).astype(int), np.rint(y._array).astype(int))
    left, top = np.floor(x._array).astype(int), np.floor(y._array).astype(int)
    kind = input._array.dtype
    u, v = x - wrapped(left.astype(kind)), y - wrapped(top.astype(kind))
    total: Any = 0
    for j, across in ((0, 1 - u), (1, u)):
        for i, down in ((0, 1 - v), (1, v)):
            total = total + pixels(input, left + j, top + i) * (across * down).unsqueeze(1)
    return total


def placed(at: Tensor, n: int, padding_mode: str, corners: Any) -> Tensor:
    """Coordinates from -1 to 1 as places among ``n`` pixels."""
    place = (at + 1) * ((n - 1) / 2) if corners else ((at + 1) * n - 1) / 2
    if padding_mode == "reflection":
        low, span = (0.0, n - 1.0) if corners else (-0.5, float(n))
        if span == 0:
            return place * 0
        away = (place - low).abs()
        flips = np.floor(away._array / span)
        rest = away - wrapped((flips * span).astype(place._array.dtype))
        place = where(wrapped(flips % 2 == 0), rest + low, span - rest + low)
    if padding_mode != "zeros":
        outside = (place._array <= 0) | (place._array >= n - 1)
        place = where(wrapped(outside), wrapped(np.clip(place._array, 0, n - 1)), place)
    return place


def pixels(input: Tensor, x: Any, y: Any) -> Tensor:
    """The pixels of each image at places, zero outside."""
    height, width = input._array.shape[2:]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    batch = library_of([input._array]).arange(input._array.shape[0])[:, None, None]
    found = input.permute(0, 2, 3, 1)[batch, np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return where(wrapped(inside[..., None]), found, 0).permute(0, 3, 1, 2)
