"""NumPy's own library, which kernels call: its table of functions, and its matrix products."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any

import numpy as np

__all__ = ["numpy_table", "products"]


@functools.cache
def numpy_table() -> int:
    """NumPy's table of functions."""
    core: Any = np._core._multiarray_umath  # type: ignore[attr-defined]
    take = ctypes.pythonapi.PyCapsule_GetPointer
    take.argtypes = [ctypes.py_object, ctypes.c_char_p]
    take.restype = ctypes.c_void_p
    return int(take(core._ARRAY_API, None))


@functools.cache
def products() -> tuple[int | None, int | None]:
    """The matrix products of the library that NumPy brought along; None where it is another one."""
    home = os.path.dirname(np.__file__)
    for place in (f"{home}.libs", f"{home}/.dylibs"):
        names = os.listdir(place) if os.path.isdir(place) else []
        for name in sorted(n for n in names if "openblas64" in n):
            try:
                blas = ctypes.CDLL(os.path.join(place, name))
                found = [getattr(blas, f"scipy_cblas_{k}gemm64_") for k in "ds"]
            except (OSError, AttributeError):
                continue
            double, single = (ctypes.cast(f, ctypes.c_void_p).value for f in found)
            return double, single
    return None, None
