"""Helpers that compute all examples of a batch as they are: element by element, or along the last axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...batching.batch import UNDISPATCHED, Batch
from ...batching.dispatch import attempt
from ...batching.reductions import axes_of
from ...helpers import cumulative, elementwise, reductions
from ...helpers.networks import layers

__all__: list[str] = []


def along_the_last_axis(helper: Callable[..., Any]) -> None:
    """A helper of operands that are broadcast against each other, but for the last axis."""

    def apply(batch: Batch, *operands: Any) -> Any:
        shape = np.broadcast_shapes(*map(np.shape, operands))
        return attempt(helper, tuple(batch.whole(np.broadcast_to(x, shape)) for x in operands), {})

    UNDISPATCHED[helper] = apply


def element_by_element(helper: Callable[..., Any]) -> None:
    """A helper of operands that are broadcast against each other."""

    def apply(batch: Batch, *operands: Any) -> Any:
        rank = max(map(np.ndim, operands))
        return attempt(helper, tuple(batch.aligned(x, rank) for x in operands), {})

    UNDISPATCHED[helper] = apply


along_the_last_axis(cumulative.recur)
along_the_last_axis(cumulative.recur_back)
element_by_element(layers.if_positive)
element_by_element(elementwise.divide_or_zero)


def hits_of(batch: Batch, z: Any, x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    rank = np.ndim(x)
    own = where if where is True else batch.aligned(where, rank)
    given = batch.whole(z), batch.whole(x), axes_of(axis, rank), keepdims, own
    return attempt(reductions.hits_of, given, {})


UNDISPATCHED[reductions.hits_of] = hits_of
