"""Which devices CuPy finds on this machine, and which is the current one."""

from __future__ import annotations

import sys
from typing import Any

from ..errors import BackendUnavailable
from .libraries import CUPY, cupy

__all__ = ["count", "cupy", "current", "is_loaded", "number_of"]


def is_loaded() -> bool:
    """True if somebody has imported CuPy."""
    return CUPY in sys.modules


def count() -> int:
    """How many devices there are; 0 without CuPy, or without a driver."""
    try:
        return int(cupy().cuda.runtime.getDeviceCount())
    except BackendUnavailable:
        return 0
    except RuntimeError:  # of CUDA's: no driver, or no device
        return 0


def current() -> int:
    """The device where arrays are made."""
    return int(cupy().cuda.runtime.getDevice())


def number_of(array: Any) -> int:
    """The device that an array of CuPy's is on."""
    return int(array.device.id)
