"""The names of the runtime, as they are on the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import __getattr__ as helper_by_name
from ..helper_index import HOMES
from . import device_helpers, device_helpers_memory, device_helpers_scipy
from .adapted import INSTEAD, choose, take_along_axis
from .copies import copied
from .nested_lists import array

__all__ = ["OWN", "named"]

ENTERED = (
    device_helpers,
    device_helpers_memory,
    device_helpers_scipy,
)  # they register what stands for other helpers

# Of NumPy's names, what CuPy lacks, or has with other arguments, and stands here.
OWN = {
    "array": array,
    "errstate": np.errstate,
    "choose": choose,
    "take_along_axis": take_along_axis,
}
ADDED = {whole.rpartition(".")[2]: function for whole, function in INSTEAD.items()}


def named(name: str) -> Any:
    """The helper of this name, or what stands for a function that CuPy lacks."""
    if name.startswith("__"):
        raise AttributeError(name)
    if name in OWN:
        return OWN[name]
    if name in ADDED and name not in HOMES:
        return ADDED[name]
    return copied(helper_by_name(name))
