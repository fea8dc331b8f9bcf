"""Functions of NumPy's on the device: what runs as it is written there, and what only its text computes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.runtime.arrays.libraries import CUPY, is_cupy
from retrograd.runtime.objects.pytree import leaves

from .star_arguments import with_all

__all__ = ["as_written", "on_device"]


def on_device(args: Sequence[Any]) -> bool:
    """True if one of the arrays in arguments is on the device."""
    return CUPY in sys.modules and any(map(is_cupy, leaves(list(args))))


def as_written(chain: Any) -> Callable[[list[Any]], Any]:
    """The function itself, given its bound objects and one argument for each parameter.

    NumPy's protocols take it to the device unless it makes arrays of its own.
    """
    k = len(chain.bound)

    def run(full: list[Any]) -> Any:
        return with_all(chain.raw, functools.partial(chain.fn, *full[:k]))(*full[k:])

    return run
