"""Whose arrays they are: NumPy's, or CuPy's where it has been imported."""

from __future__ import annotations

import sys
from typing import Any

from ..errors import BackendUnavailable

__all__ = ["CUPY", "NUMPY", "ROOTS", "cupy", "is_cupy"]

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


def is_cupy(value: Any) -> bool:
    """True of an array of CuPy's; nobody has one where nobody has imported it."""
    library = sys.modules.get(CUPY)
    return library is not None and isinstance(value, library.ndarray)
