"""The helpers as they are on the device: copies to which NumPy is CuPy, and those that are written anew."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..arrays.libraries import cupy
from ..objects.copied_functions import FOLLOWED, Copies
from ..objects.homes import HELPERS, RUNTIME
from .namespaces import on_device

__all__ = ["INSTEAD", "copied", "copy_of", "instead"]

INSTEAD: dict[str, Callable[..., Any]] = {}  # by the place of a helper below `runtime/helpers`
COPIED = (
    "checkpointing",
    "solvers",
    "user.batched",
    "user.jacobian_blocks",
    "user.finite_differences",
)
HOMES = (*FOLLOWED, *(f"{RUNTIME}{name}" for name in COPIED))
FAMILIES: dict[Any, Copies] = {}


def instead(place: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what stands for a helper on the device: ``@instead("exact_zero.mul0")``."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        INSTEAD[place] = function
        return function

    return register


def stand_in(value: Any) -> Any:
    """What stands for a global value of the runtime on the device."""
    if isinstance(value, types.FunctionType) and value.__module__.startswith(HELPERS):
        place = f"{value.__module__.removeprefix(HELPERS)}.{value.__name__}"
        return INSTEAD.get(place, value)
    return on_device(value)


def family() -> Copies:
    library = cupy()
    if library not in FAMILIES:
        FAMILIES[library] = Copies(stand_in, HOMES)
    return FAMILIES[library]


def copied(helper: Any) -> Any:
    """A helper as it is on the device."""
    return family().follow(helper)


def copy_of(helper: Any) -> Any:
    """The copy of a helper for which something else stands."""
    return family().copy(helper)
