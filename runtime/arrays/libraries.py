"""Whose arrays they are: NumPy's, or CuPy's where it has been imported."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from ..errors import BackendUnavailable

__all__ = ["CUPY", "NUMPY", "ROOTS", "cupy", "cupyx", "is_cupy", "is_dask", "is_of_cupy"]

NUMPY, CUPY = "numpy", "cupy"
ROOTS = (NUMPY, "scipy", CUPY, "cupyx")  # the packages whose functions compute with arrays
INSTALL = "pip install cupy-cuda12x (or cupy-cuda13x), and a device with its driver"


def cupy() -> Any:
    """The library, imported."""
    try:
        import cupy
    except ImportError as error:
        raise BackendUnavailable(f"CuPy cannot be imported: {error}", fix=INSTALL) from None
    if not hasattr(cupy, "ndarray"):
        raise BackendUnavailable("`cupy` is a folder here, and no library", fix=INSTALL)
    return cupy


def cupyx() -> Any:
    """What CuPy has beside NumPy's functions."""
    cupy()
    return importlib.import_module("cupyx")


def is_of_cupy(kind: type) -> bool:
    """True of the class of CuPy's arrays."""
    library = sys.modules.get(CUPY)
    return library is not None and kind is library.ndarray


def is_cupy(value: Any) -> bool:
    """True of an array of CuPy's; nobody has one where nobody has imported it."""
    library = sys.modules.get(CUPY)
    return library is not None and isinstance(value, library.ndarray)


def is_dask(x: Any) -> bool:
    """Whether something is an array of dask's, without dask."""
    return type(x).__module__.partition(".")[0] == "dask" and hasattr(x, "to_delayed")
