"""The helpers of the runtime for arrays of CuPy: copies of them, to which NumPy is CuPy, or what is written anew."""

from __future__ import annotations

from typing import Any

from .. import __getattr__ as helper
from ..arrays.libraries import cupy
from ..objects.copied_functions import FOLLOWED, Copies
from ..objects.homes import RUNTIME
from .device_helpers import INSTEAD
from .namespaces import ignoring, on_device
from .nested_lists import array

__all__ = ["OWN", "named"]

OWN = {"array": array, "errstate": ignoring}  # of NumPy's names, what CuPy lacks and stands here
COPIED = ("checkpointing", "solvers", "user.batched", "user.finite_differences")
HOMES = (*FOLLOWED, *(f"{RUNTIME}{name}" for name in COPIED))

FAMILIES: dict[Any, Copies] = {}


def named(name: str) -> Any:
    """The helper of this name, as it is on the device."""
    if name.startswith("__"):
        raise AttributeError(name)
    if name in OWN:
        return OWN[name]
    library = cupy()
    if library not in FAMILIES:
        FAMILIES[library] = Copies(others, HOMES)
    return FAMILIES[library].follow(helper(name))


def others(value: Any) -> Any:
    """What stands for a global value of the runtime on the device."""
    try:
        return INSTEAD.get(value) or on_device(value)
    except TypeError:  # not hashable
        return on_device(value)
