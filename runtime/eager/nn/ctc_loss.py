"""The connectionist temporal classification loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import beside, library_of, on_host
from ..functions.joining import cat, stack
from ..functions.pointwise import where
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor, wrapped
from .losses import reduced
from .tools import functional, refuse

__all__: list[str] = []

NEVER = (
    -1e30
)  # the logarithm of a chance of zero that sums of exponentials can be differentiated at


@functional
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the logarithm of the chance of all alignments of a text with a sequence of letters."""
    single = log_probs._array.ndim == 2
    logs = log_probs.unsqueeze(1) if single else log_probs
    n = logs._array.shape[1]
    lengths, sizes = (
        np.asarray(on_host(getattr(v, "_array", v))).reshape(-1)
        for v in (input_lengths, target_lengths)
    )
    refuse(
        len(lengths) != n, f"input_lengths must be of size batch_size {n}, but got {len(lengths)}"
    )
    flat = on_host(targets._array)
    if flat.ndim == 2 or single:
        texts = [row[:s] for row, s in zip(flat.reshape(n, -1), sizes, strict=True)]
    else:
        texts = np.split(flat, np.cumsum(sizes)[:-1])
    losses = stack(
        [
            one(logs[:t, k], text, blank)
            for k, (t, text) in enumerate(zip(lengths, texts, strict=True))
        ]
    )
    impossible = wrapped(losses._array > -NEVER / 2)
    losses = where(impossible, 0.0 if zero_infinity else float("inf"), losses)
    if reduction == "mean":
        many = np.maximum(sizes, 1).astype(losses._array.dtype)
        return (losses / wrapped(beside(losses._array, many))).mean()
    made = reduced(losses, reduction)
    return made.squeeze(0) if single and reduction == "none" else made


def one(logs: Tensor, text: Any, blank: int) -> Tensor:
    """By the chances of all beginnings, letter after letter, with blanks between."""
    states = np.full(2 * len(text) + 1, blank)
    states[1::2] = text
    skips = np.zeros(len(states), bool)  # a letter may follow another one at once
    skips[2:] = (states[2:] != blank) & (states[2:] != states[:-2])
    never = wrapped(library_of([logs._array]).full(2, NEVER, logs._array.dtype))
    seen = logs[:, states]
    first, jumps = (
        wrapped(beside(logs._array, mask)) for mask in (np.arange(len(states)) < 2, skips)
    )
    chances = where(first, seen[0], NEVER)
    for step in seen[1:]:
        before = cat([never, chances])
        jump = where(jumps, before[:-2], NEVER)
        chances = chances.logaddexp(before[1:-1]).logaddexp(jump) + step
    last = chances[-2:] if len(states) > 1 else chances
    return -last.logsumexp(0)


FUNCTIONS["ctc_loss"] = ctc_loss
