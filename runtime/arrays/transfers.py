"""Between the main memory and the device: the only functions that move what is in an array."""

from __future__ import annotations

from typing import Any

from .libraries import cupy, is_cupy

__all__ = ["current_device", "device_of", "to_device", "to_host"]


def to_device(array: Any) -> Any:
    """An array of the current device with the same numbers; the array itself where it is one."""
    return cupy().asarray(array)


def to_host(array: Any) -> Any:
    """An array in the main memory with the same numbers; whoever asks waits for the device."""
    return array.get() if is_cupy(array) else array


def device_of(array: Any) -> int:
    """The number of the device that an array of CuPy's is on."""
    return int(array.device.id)


def current_device() -> int:
    return int(cupy().cuda.runtime.getDevice())
