"""Objects of a text for the device as those of one for the host: a kernel of either is read alike."""

from __future__ import annotations

from typing import Any

from retrograd import runtime
from retrograd.runtime.arrays.twins import host_twin
from retrograd.runtime.device import on_cupy

__all__ = ["host_name"]


def host_name(value: Any) -> Any:
    """What NumPy, SciPy and the runtime have for an object of CuPy's or of the device's runtime."""
    return runtime if value is on_cupy else host_twin(value)
