"""``np.vectorize`` on boxes: the function of each element, and an array of what it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TapeError
from .box import has_boxes, raw
from .dispatch import apply

__all__ = ["vectorized"]


def vectorized(made: np.vectorize, each: Callable[..., Any]) -> Callable[..., Any]:
    """What ``made`` computes, ``each`` being its function as it runs on the tape."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not has_boxes((args, kwargs)):
            return made(*args, **kwargs)
        if made.signature is not None or made.excluded:
            raise TapeError(
                "np.vectorize with a signature or excluded arguments does not know a value that is being "
                "differentiated; write the loop"
            )
        given = [*args, *kwargs.values()]
        shape = np.broadcast_shapes(*(np.shape(raw(x)) for x in given))
        wide = [stretched(x, shape) for x in given]
        found = [
            each(
                *(x[at] for x in wide[: len(args)]),
                **dict(zip(kwargs, [x[at] for x in wide[len(args) :]], strict=True)),
            )
            for at in np.ndindex(shape)
        ]
        if isinstance(found[0], tuple):
            return tuple(gathered(list(part), shape) for part in zip(*found, strict=True))
        return gathered(found, shape)

    return call


def stretched(x: Any, shape: tuple[int, ...]) -> Any:
    whole = apply(np.asarray, (x,), {}) if not np.shape(raw(x)) else x
    return apply(np.broadcast_to, (whole, shape), {})


def gathered(found: list[Any], shape: tuple[int, ...]) -> Any:
    """One array of the results, a number for each element."""
    return apply(np.reshape, (apply(np.array, (found,), {}), shape), {})
