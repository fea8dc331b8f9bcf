"""Padding, windows, and their inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import constant_beside, library_of
from ..functions.indexing import index_put
from ..functions.shaping import taken
from ..graph.record_call import as_view, plain
from ..tensor.tensor import Tensor, wrapped
from .tools import functional, refuse, tuple_of

__all__ = ["out_size", "padded", "windows"]

MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


@functional
def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """Room around the last axes, the last one first; less than none cuts off."""
    pad = list(pad)
    ndim = input._array.ndim
    refuse(len(pad) % 2, "Padding length must be divisible by 2")
    refuse(
        len(pad) > 2 * ndim,
        "Padding length should be less than or equal to two times the input dimension but got padding length "
        f"{len(pad)} and input of dimension {ndim}",
    )
    if mode not in MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    room = [(0, 0)] * ndim
    for k in range(len(pad) // 2):
        room[ndim - 1 - k] = (int(pad[2 * k]), int(pad[2 * k + 1]))
    if mode == "reflect":
        for d, pair in enumerate(room):
            refuse(
                max(pair) >= input._array.shape[d] and max(pair) > 0,
                "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({pair[0]}, {pair[1]}) at dimension {d} of input {list(input._array.shape)}",
            )
    if mode == "circular":
        for d, pair in enumerate(room):
            refuse(
                max(pair) > input._array.shape[d],
                "Padding value causes wrapping around more than once.",
            )
    return padded(input, room, MODES[mode], 0 if value is None else value)


def padded(x: Tensor, room: Any, mode: str = "constant", value: Any = 0) -> Tensor:
    """By pairs (before, after) for each axis."""
    cuts = tuple(slice(max(-a, 0), min(b, 0) or None) for a, b in room)
    if any(c != slice(0, None) for c in cuts):
        x = taken(x, cuts, "SliceBackward0")
    room = [(max(a, 0), max(b, 0)) for a, b in room]
    if not any(a or b for a, b in room):
        return x.clone() if x._view is not None else x
    if mode == "constant":
        return plain(np.pad, x, room, mode, constant_values=value, name="ConstantPadNdBackward0")
    return plain(np.pad, x, room, mode)


def out_size(
    n: int, kernel: int, stride: int, before: int, dilation: int = 1, ceil: bool = False
) -> int:
    """How many windows fit; with ``ceil`` one more, if it starts inside."""
    reach = n + 2 * before - dilation * (kernel - 1) - 1
    count = -(-reach // stride) + 1 if ceil else reach // stride + 1
    if ceil and (count - 1) * stride >= n + before:
        count -= 1
    return count


def windows(x: Tensor, kernel: Any, stride: Any, dilation: Any) -> Tensor:
    """The windows over the last axes, as new axes at the end: a view of the same memory."""
    n = len(kernel)
    axes = tuple(range(x._array.ndim - n, x._array.ndim))
    reach = tuple(d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True))
    made = plain_view(x, reach, axes)
    steps = tuple(slice(None, None, s) for s in (*stride, *dilation))
    return taken(made, (Ellipsis, *steps), "SliceBackward0")


def plain_view(x: Tensor, reach: Any, axes: Any) -> Tensor:
    return as_view(np.lib.stride_tricks.sliding_window_view, x, reach, axes, name="UnfoldBackward0")


@functional
def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Each window of images as a column."""
    kernel, dilation, padding, stride = (
        tuple_of(v, 2) for v in (kernel_size, dilation, padding, stride)
    )
    x = input if input._array.ndim == 4 else input.unsqueeze(0)
    x = padded(x, [(0, 0), (0, 0), *((p, p) for p in padding)])
    found = windows(x, kernel, stride, dilation).permute(0, 1, 4, 5, 2, 3)
    n, c = found._array.shape[:2]
    made = found.reshape(n, c * kernel[0] * kernel[1], -1)
    return made if input._array.ndim == 4 else made.squeeze(0)


@functional
def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Columns put back into images; where windows overlap they add up."""
    size, kernel, dilation, padding, stride = (
        tuple_of(v, 2) for v in (output_size, kernel_size, dilation, padding, stride)
    )
    columns = input if input._array.ndim == 3 else input.unsqueeze(0)
    whole = tuple(s + 2 * p for s, p in zip(size, padding, strict=True))
    place = constant_beside(columns._array, places_of_columns, whole, kernel, dilation, stride)
    n, rows, count = columns._array.shape
    refuse(
        rows % place.shape[0] or count != place.shape[1],
        f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, padding={padding}, stride={stride}, "
        f"expected {place.shape[1]} columns in multiples of {place.shape[0]} rows, but got {rows} rows, {count} columns",
    )
    channels = rows // place.shape[0]
    zeros = library_of([input._array]).zeros
    flat = wrapped(zeros((n, channels, whole[0] * whole[1]), input._array.dtype))
    values = columns.reshape(n, channels, *place.shape)
    made = index_put(flat, (slice(None), slice(None), place), values, accumulate=True)
    made = made.reshape(n, channels, *whole)
    made = made[:, :, padding[0] : whole[0] - padding[0], padding[1] : whole[1] - padding[1]]
    return made if input._array.ndim == 3 else made.squeeze(0)


def places_of_columns(whole: Any, kernel: Any, dilation: Any, stride: Any) -> Any:
    """Where in the flattened image the entries of the columns go."""
    numbers = np.arange(whole[0] * whole[1], dtype=np.float64).reshape(1, 1, *whole)
    return unfold(wrapped(numbers), kernel, dilation, 0, stride)._array.astype(np.int64)[0]
