"""Whose arrays they are: NumPy's, or CuPy's where it has been imported."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..errors import BackendUnavailable, SignatureMismatch

__all__ = ["CUPY", "NUMPY", "cupy", "is_cupy", "library_of"]

NUMPY, CUPY = "numpy", "cupy"
INSTALL = "pip install cupy-cuda12x (or cupy-cuda13x), and a device with its driver"


def cupy() -> Any:
    """The library, imported."""
    try:
        import cupy
    except ImportError as error:
        raise BackendUnavailable(f"CuPy cannot be imported: {error}", fix=INSTALL) from None
    return cupy


def is_cupy(value: Any) -> bool:
    """True of an array of CuPy's; nobody has one where nobody has imported it."""
    library = sys.modules.get(CUPY)
    return library is not None and isinstance(value, library.ndarray)


def library_of(arrays: Iterable[tuple[str, Any]]) -> str:
    """Whose the arrays are, which have names; those of two libraries are not computed with together."""
    homes = {CUPY if is_cupy(array) else NUMPY: name for name, array in arrays}
    if len(homes) > 1:
        raise SignatureMismatch(
            f"argument `{homes[CUPY]}` is an array of CuPy, on the device, and `{homes[NUMPY]}` one of NumPy, on the host: "
            f"pass cupy.asarray({homes[NUMPY]}), or {homes[CUPY]}.get()"
        )
    return next(iter(homes), NUMPY)
