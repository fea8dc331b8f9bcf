"""NumPy's functions for CuPy's: a program that names `cupy` is read as one that names `numpy`."""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

from .libraries import CUPY

__all__ = ["host_twin"]

MODULES = {
    "cupy": "numpy", "cupy.linalg": "numpy.linalg", "cupy.fft": "numpy.fft", "cupy.random": "numpy.random",
    "cupyx.scipy.fft": "scipy.fft", "cupyx.scipy.linalg": "scipy.linalg", "cupyx.scipy.ndimage": "scipy.ndimage",
    "cupyx.scipy.signal": "scipy.signal", "cupyx.scipy.special": "scipy.special", "cupyx.scipy.stats": "scipy.stats",
}  # fmt: skip

TWINS: dict[int, tuple[Any, Any]] = {}  # by the id of CuPy's function: that function, and NumPy's
READ: dict[str, Any] = {}  # the modules that were gone through


def host_twin(value: Any) -> Any:
    """The function or module of NumPy's or SciPy's for one of CuPy's; anything else is its own."""
    if CUPY in sys.modules and isinstance(value, types.ModuleType):
        host = MODULES.get(value.__name__)
        return value if host is None else importlib.import_module(host)
    if CUPY not in sys.modules or not callable(value):
        return value
    for name, host in MODULES.items():
        module = sys.modules.get(name)
        if module is not None and READ.get(name) is not module:
            READ[name] = module
            enter(module, importlib.import_module(host))
    found = TWINS.get(id(value))
    return found[1] if found is not None and found[0] is value else value


def enter(device: Any, host: Any) -> None:
    """Note the functions of a module that are in both, by one name."""
    for name in dir(device):
        own, other = getattr(device, name, None), getattr(host, name, None)
        if callable(own) and callable(other) and own is not other and not name.startswith("_"):
            TWINS[id(own)] = own, other
