"""NumPy's own library, which kernels call: its table of functions, and its matrix products."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any

import numpy as np

__all__ = ["factorisations", "has_factorisations", "numpy_table", "products"]

LAPACK = ("getrf", "getrs", "potrf", "trsm")  # as kernels know them, double before single


@functools.cache
def numpy_table() -> int:
    """NumPy's table of functions."""
    core: Any = np._core._multiarray_umath  # type: ignore[attr-defined]
    take = ctypes.pythonapi.PyCapsule_GetPointer
    take.argtypes = [ctypes.py_object, ctypes.c_char_p]
    take.restype = ctypes.c_void_p
    return int(take(core._ARRAY_API, None))


@functools.cache
def library() -> Any:
    """The library of linear algebra that NumPy brought along; None where it is another one."""
    home = os.path.dirname(np.__file__)
    for place in (f"{home}.libs", f"{home}/.dylibs"):
        names = os.listdir(place) if os.path.isdir(place) else []
        for name in sorted(n for n in names if "openblas64" in n):
            try:
                blas = ctypes.CDLL(os.path.join(place, name))
            except OSError:
                continue
            if hasattr(blas, "scipy_cblas_dgemm64_"):
                return blas
    return None


def address(name: str) -> int | None:
    found = getattr(library(), name, None)
    return None if found is None else ctypes.cast(found, ctypes.c_void_p).value


@functools.cache
def products() -> tuple[int | None, int | None]:
    """The matrix products of that library."""
    double, single = (address(f"scipy_cblas_{k}gemm64_") for k in "ds")
    return double, single


@functools.cache
def factorisations() -> Any:
    """Its factorisations and triangular solutions, as a table of addresses."""
    found = [address(f"scipy_{k}{name}_64_") for k in "ds" for name in LAPACK]
    return (ctypes.c_void_p * len(found))(*found)


def has_factorisations() -> bool:
    return None not in list(factorisations())
