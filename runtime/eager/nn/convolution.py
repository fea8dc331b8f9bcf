"""Convolutions: products of the weights with the windows of the input."""

from __future__ import annotations

import math
from typing import Any

from ...arrays.transfers import library_of
from ...helpers import linear
from ..functions.indexing import index_put
from ..functions.joining import cat
from ..graph.record_call import plain
from ..linalg.products import matmul
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor, wrapped
from .padding import padded, windows
from .tools import functional, refuse, tuple_of

__all__: list[str] = []


def convolving(n: int) -> None:
    def apply(
        input: Tensor,
        weight: Tensor,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        return unbatched(
            n, input, lambda x: convolved(n, x, weight, bias, stride, padding, dilation, groups)
        )

    apply.__name__ = apply.__qualname__ = f"conv{n}d"
    apply.__doc__ = f"A convolution (not flipped) over {n} axes."
    FUNCTIONS[f"conv{n}d"] = functional(apply)


def unbatched(n: int, input: Tensor, fn: Any) -> Tensor:
    """One sample alone is a batch of one."""
    ndim = input._array.ndim
    if ndim == n + 1:
        return fn(input.unsqueeze(0)).squeeze(0)
    refuse(
        ndim != n + 2,
        f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to conv{n}d, but got input of size: "
        f"{list(input._array.shape)}",
    )
    return fn(input)


def room(n: int, padding: Any, kernel: Any, stride: Any, dilation: Any) -> list[tuple[int, int]]:
    """How much to add before and after each axis."""
    if padding == "valid":
        return [(0, 0)] * n
    if padding == "same":
        refuse(max(stride) > 1, "padding='same' is not supported for strided convolutions")
        totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
        return [(t // 2, t - t // 2) for t in totals]
    refuse(isinstance(padding, str), f"Invalid padding string: '{padding}'")
    return [(p, p) for p in tuple_of(padding, n)]


def convolved(
    n: int,
    x: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    stride, dilation = tuple_of(stride, n), tuple_of(dilation, n)
    kernel = weight._array.shape[2:]
    channels = x._array.shape[1]
    refuse(
        weight._array.shape[1] * groups != channels,
        f"Given groups={groups}, weight of size {list(weight._array.shape)}, expected input"
        f"{list(x._array.shape)} to have {weight._array.shape[1] * groups} channels, but got {channels} channels "
        "instead",
    )
    refuse(
        x._array.dtype != weight._array.dtype,
        f"Input type ({x.dtype.letter.lower()}) and bias type ({weight.dtype.letter.lower()}) should be the same",
    )
    x = padded(x, [(0, 0), (0, 0), *room(n, padding, kernel, stride, dilation)])
    sizes = tuple(x._array.shape[2:])
    refuse(
        any(s < d * (k - 1) + 1 for s, k, d in zip(sizes, kernel, dilation, strict=True)),
        f"Calculated padded input size per channel: {' x '.join(map(str, sizes)).join('()')}. Kernel size: "
        f"{' x '.join(str(k) for k in kernel).join('()')}. Kernel size can't be greater than actual input size",
    )
    if groups == 1:
        name = "ConvolutionBackward0"
        made = plain(linear.products_with_windows, x, weight, stride, dilation, name=name)
    else:
        found = windows(x, kernel, stride, dilation)  # (N, C, places..., kernel...)
        made = grouped(n, found, weight, groups)
    return made if bias is None else made + bias.reshape([-1] + [1] * n)


def grouped(n: int, found: Tensor, weight: Tensor, groups: int) -> Tensor:
    """One product for each group of channels."""
    batch, channels, *rest = found._array.shape
    places, kernel = rest[:n], rest[n:]
    order = (1, *range(n + 2, 2 * n + 2), 0, *range(2, n + 2))
    columns = found.permute(order).reshape(
        groups, channels // groups * math.prod(kernel), batch * math.prod(places)
    )
    rows = weight.reshape(groups, weight._array.shape[0] // groups, -1)
    made = matmul(rows, columns).reshape(weight._array.shape[0], batch, *places)
    return made.movedim(0, 1)


for _n in (1, 2, 3):
    convolving(_n)


# -- transposed ----------------------------------------------------------------------------------------------


def convolving_transposed(n: int) -> None:
    def apply(
        input: Tensor,
        weight: Tensor,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Tensor:
        return unbatched(
            n,
            input,
            lambda x: spread_and_convolved(
                n, x, weight, bias, stride, padding, output_padding, groups, dilation
            ),
        )

    apply.__name__ = apply.__qualname__ = f"conv_transpose{n}d"
    apply.__doc__ = f"The transpose of a convolution over {n} axes."
    FUNCTIONS[f"conv_transpose{n}d"] = functional(apply)


def spread_and_convolved(
    n: int,
    x: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    extra: Any,
    groups: int,
    dilation: Any,
) -> Tensor:
    """Zeros between the entries, then the convolution with the flipped weights."""
    stride, padding, extra, dilation = (tuple_of(v, n) for v in (stride, padding, extra, dilation))
    kernel = weight._array.shape[2:]
    channels = x._array.shape[1]
    refuse(
        weight._array.shape[0] != channels,
        f"Given transposed=1, weight of size {list(weight._array.shape)}, expected input{list(x._array.shape)} to "
        f"have {weight._array.shape[0]} channels, but got {channels} channels instead",
    )
    refuse(
        any(e >= max(s, d) for e, s, d in zip(extra, stride, dilation, strict=True)),
        "output padding must be smaller than either stride or dilation, but got output_padding",
    )
    if max(stride) > 1:
        sizes = [(m - 1) * s + 1 for m, s in zip(x._array.shape[2:], stride, strict=True)]
        zeros = library_of([x._array]).zeros
        whole = wrapped(zeros((*x._array.shape[:2], *sizes), x._array.dtype))
        x = index_put(whole, (slice(None), slice(None), *(slice(None, None, s) for s in stride)), x)
    around = [
        (d * (k - 1) - p, d * (k - 1) - p + e)
        for k, d, p, e in zip(kernel, dilation, padding, extra, strict=True)
    ]
    x = padded(x, [(0, 0), (0, 0), *around])
    parts = [weight] if groups == 1 else weight.split(channels // groups, 0)
    turned = [part.transpose(0, 1).flip(*range(2, n + 2)) for part in parts]
    flipped = turned[0] if groups == 1 else cat(turned, 0)
    return convolved(n, x, flipped, bias, 1, 0, dilation, groups)


for _n in (1, 2, 3):
    convolving_transposed(_n)
