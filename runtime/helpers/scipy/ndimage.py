"""The helpers of ``scipy.ndimage``: filters with every kind of boundary, maps of each axis, labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage, signal

from ..core import cast, unbroadcast

__all__ = [
    "axes_pull",
    "image_map",
    "label_counts",
    "label_pull",
    "template",
    "template_pull",
    "window",
    "window_pull",
]

Value = Any
PADS = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap",
    "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


# Correlation with a window, along all axes or along one


def window(
    x: Value, weights: Value, axis: Any, mode: str, cval: float, origin: Any, turn: bool
) -> Value:
    """``ndimage.correlate`` (``turn``: ``convolve``), or the same along one ``axis``."""
    if axis is None:
        f = ndimage.convolve if turn else ndimage.correlate
        return f(x, weights, mode=mode, cval=cval, origin=origin)
    f1 = ndimage.convolve1d if turn else ndimage.correlate1d
    return f1(x, weights, axis, mode=mode, cval=cval, origin=origin)


def window_pull(
    c: Value, x: Value, weights: Value, axis: Any, mode: str, cval: float, origin: Any, turn: bool
) -> Value:
    """The cotangent of the image ``x``, which is read for its shape.

    >>> window_pull(np.ones(3), np.zeros(3), np.ones(3), None, "nearest", 0.0, 0, False)
    array([3., 3., 3.])
    """
    if not np.size(x):  # what is empty cannot be continued, nor convolved
        return np.zeros_like(x)
    weights, widths = placed(x, weights, axis, origin, turn)
    wide = signal.convolve(c, weights, "full")
    labels = continued(np.arange(np.size(x)).reshape(np.shape(x)), widths, mode, -1)
    out = np.zeros(np.size(x) + 1, wide.dtype)
    np.add.at(out, labels.ravel(), wide.ravel())
    return cast(out[:-1].reshape(np.shape(x)), x)


def template_pull(
    c: Value, x: Value, weights: Value, axis: Any, mode: str, cval: float, origin: Any, turn: bool
) -> Value:
    """The cotangent of the ``weights``, which are read for their shape."""
    if not np.size(x):
        return np.zeros_like(weights)
    _, widths = placed(x, weights, axis, origin, turn)
    wide = continued(x, widths, mode, cval)
    pulled = signal.correlate(wide, c, "valid")
    return cast((np.flip(pulled) if turn else pulled).reshape(np.shape(weights)), weights)


def template(
    g: Value, x: Value, axis: Any, mode: str, cval: float, origin: Any, turn: bool
) -> Value:
    """`window` as a function of the weights."""
    return window(x, g, axis, mode, cval, origin, turn)


def continued(x: Value, widths: Any, mode: str, value: float) -> Value:
    """The image and as much around it as windows reach; nothing is around a number."""
    if not widths:
        return np.asarray(x)
    pad: Any = np.pad
    named = {"constant_values": value} if PADS[mode] == "constant" else {}
    return pad(x, widths, mode=PADS[mode], **named)


def placed(x: Value, weights: Value, axis: Any, origin: Any, turn: bool) -> tuple[Value, Any]:
    """The weights of the correlation with an axis for each of the image's, and how far they reach."""
    rank = np.ndim(x)
    origins = [origin] * rank if np.ndim(origin) == 0 else list(origin)
    if axis is not None:
        shape = [1] * rank
        shape[axis] = -1
        weights = np.reshape(weights, shape)
        origins = [o if k == axis % rank else 0 for k, o in enumerate(origins)]
    if turn:
        weights = np.flip(weights)
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, weights.shape, strict=True)]
    lefts = [n // 2 + o for n, o in zip(weights.shape, origins, strict=True)]
    return weights, [(m, n - 1 - m) for m, n in zip(lefts, weights.shape, strict=True)]


# Maps that treat each axis by itself


def each(value: Any, k: int) -> Any:
    return value[k] if isinstance(value, (tuple, list, np.ndarray)) else value


def named(**options: Any) -> dict[str, Any]:
    """The options that are given."""
    return {key: value for key, value in options.items() if value is not None}


def by_columns(f: Callable[[Value], Value], e: Value) -> Value:
    """A map of one axis, column by column: a spline that is not filtered first is none along the other axis."""
    return np.stack([f(column) for column in np.transpose(e)], axis=1)


LINES: dict[str, Callable[..., Value]] = {
    "gaussian_filter": lambda e, k, sigma, order, mode, truncate, radius: ndimage.gaussian_filter1d(
        e,
        each(sigma, k),
        0,
        each(order, k),
        None,
        each(mode, k),
        0.0,
        truncate,
        **named(radius=each(radius, k)),
    ),
    "uniform_filter": lambda e, k, size, mode, origin: ndimage.uniform_filter1d(
        e, each(size, k), 0, None, each(mode, k), 0.0, each(origin, k)
    ),
    "shift": lambda e, k, shift, order, mode, prefilter: by_columns(
        lambda line: ndimage.shift(line, each(shift, k), None, order, mode, 0.0, prefilter), e
    ),
    "zoom": lambda e, k, zoom, order, mode, prefilter, grid_mode: by_columns(
        lambda line: ndimage.zoom(
            line, each(zoom, k), None, order, mode, 0.0, prefilter, grid_mode=grid_mode
        ),
        e,
    ),
    "spline_filter": lambda e, k, order, mode: ndimage.spline_filter1d(e, order, 0, mode=mode),
}
WHOLE: dict[str, Callable[..., Value]] = {
    "gaussian_filter": lambda x, sigma, order, mode, truncate, radius: ndimage.gaussian_filter(
        x, sigma, order, None, mode, 0.0, truncate, **named(radius=radius)
    ),
    "uniform_filter": lambda x, size, mode, origin: ndimage.uniform_filter(
        x, size, None, mode, 0.0, origin
    ),
    "shift": lambda x, shift, order, mode, prefilter: ndimage.shift(
        x, shift, None, order, mode, 0.0, prefilter
    ),
    "zoom": lambda x, zoom, order, mode, prefilter, grid_mode: ndimage.zoom(
        x, zoom, None, order, mode, 0.0, prefilter, grid_mode=grid_mode
    ),
    "spline_filter": lambda x, order, mode: ndimage.spline_filter(x, order, mode=mode),
}


def image_map(x: Value, f: Any, params: tuple[Any, ...]) -> Value:
    """The linear map ``f`` of an image, with zeros around it."""
    z = WHOLE[f.__name__](x, *params)
    return z.astype(x.dtype) if f.__name__ == "spline_filter" else z


def axes_pull(c: Value, like: Value, f: Any, params: tuple[Any, ...]) -> Value:
    """The transpose of `image_map`: axis by axis, from the answers to unit impulses.

    >>> axes_pull(np.array([3.0, 0.0]), np.zeros(2), ndimage.uniform_filter, (3, "nearest", 0))
    array([2., 1.])
    """
    for k in range(np.ndim(like)):
        answers = LINES[f.__name__](np.eye(np.shape(like)[k]), k, *params)
        c = np.moveaxis(np.tensordot(answers, c, (0, k)), 0, k)
    return cast(c, like)


# Labels


def label_pull(c: Value, like: Value, labels: Value, index: Value) -> Value:
    """The transpose of ``ndimage.sum_labels``: to each entry what its label got.

    >>> label_pull(np.array([5.0, 7.0]), np.zeros(3), np.array([2, 1, 2]), np.array([1, 2]))
    array([7., 5., 7.])
    """
    if labels is None:
        return np.full(np.shape(like), c, np.result_type(c))
    shape = np.broadcast_shapes(np.shape(labels), np.shape(like))
    labels = np.broadcast_to(labels, shape)
    if index is None:
        return unbroadcast(np.where(labels > 0, c, 0), like)
    out = np.zeros(shape, np.result_type(c))
    for one, value in zip(np.ravel(index), np.ravel(c), strict=True):
        out += np.where(labels == one, value, 0)
    return unbroadcast(out, like)


def label_counts(like: Value, labels: Value, index: Value) -> Value:
    """How many entries have each label."""
    counts = ndimage.sum_labels(np.ones(np.shape(like)), labels, index)
    return np.asarray(counts, np.result_type(like))[()]
