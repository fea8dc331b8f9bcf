"""The runtime of generated code for CuPy arrays: ``from retrograd.runtime.device import on_cupy as rt``.

Its functions are copies of the runtime's, to which NumPy is CuPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import __getattr__ as helper_by_name
from ..helper_index import HOMES
from . import device_helpers, device_helpers_scipy
from .adapted import INSTEAD, choose, take_along_axis
from .copies import copied as as_on_device
from .nested_lists import array as nested_array

ENTERED = (device_helpers, device_helpers_scipy)  # they register what stands for other helpers

# Of NumPy's names, what CuPy lacks, or has with other arguments, and stands here.
OWN = {
    "array": nested_array,
    "errstate": np.errstate,
    "choose": choose,
    "take_along_axis": take_along_axis,
}


ADDED = {
    whole.rpartition(".")[2]: function for whole, function in INSTEAD.items()
}  # functions that CuPy lacks


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in OWN:
        return OWN[name]
    if name in ADDED and name not in HOMES:
        return ADDED[name]
    return as_on_device(helper_by_name(name))
