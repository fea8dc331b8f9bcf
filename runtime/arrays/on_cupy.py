"""The runtime of generated code for CuPy arrays: ``from retrograd.runtime.arrays import on_cupy as rt``.

Its functions are copies of the runtime's, to which NumPy is CuPy.
"""

from __future__ import annotations

from typing import Any

from ... import runtime
from ..objects.copied_functions import Copies
from .libraries import cupy
from .namespaces import on_device

FAMILIES: dict[Any, Copies] = {}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    library = cupy()
    if library not in FAMILIES:
        FAMILIES[library] = Copies(on_device)
    return FAMILIES[library].follow(getattr(runtime, name))
