"""The runtime of generated code for CuPy arrays: ``from retrograd.runtime.device import on_cupy as rt``.

Its functions are copies of the runtime's, to which NumPy is CuPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import __getattr__ as helper
from ..arrays.libraries import cupy
from ..objects.copied_functions import FOLLOWED, Copies
from ..objects.homes import RUNTIME
from .device_helpers import INSTEAD
from .namespaces import on_device
from .nested_lists import array

OWN = {"array": array, "errstate": np.errstate}  # of NumPy's names, what CuPy lacks and stands here

HOMES = (*FOLLOWED, *(f"{RUNTIME}{name}." for name in ("checkpointing", "solvers", "user")))
FAMILIES: dict[Any, Copies] = {}


def stand_in(value: Any) -> Any:
    """What stands for a global value of the runtime on the device."""
    try:
        return INSTEAD.get(value) or on_device(value)
    except TypeError:  # not hashable
        return on_device(value)


def twin(function: Any) -> Any:
    """What stands for a function on the device."""
    library = cupy()
    if library not in FAMILIES:
        FAMILIES[library] = Copies(stand_in, HOMES)
    return FAMILIES[library].follow(function)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return OWN[name] if name in OWN else twin(helper(name))
