"""DLPack: the capsule says that its memory is the device's, so that no library of the host takes it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import counters

__all__ = ["CUDA", "capsule", "imported"]

CPU, CUDA = 1, 2
PLACE = {
    b"dltensor": 8,
    b"dltensor_versioned": 40,
}  # where the kind of device stands in the structure

_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def capsule(array: Any, max_version: Any, device: Any, copy: Any) -> Any:
    """NumPy's own capsule around the values, moved to the device by its label."""
    if device is not None and tuple(device) == (CPU, 0):
        counters.transfer("get")
        return array._copied().__dlpack__()
    made = (
        array._host.__dlpack__()
        if max_version is None
        else array._host.__dlpack__(max_version=max_version)
    )
    label(made, CUDA)
    return made


def label(made: Any, device: int) -> None:
    name = _name(made)
    ctypes.c_int32.from_address(_pointer(made, name) + PLACE[name]).value = device


class Labelled:
    """What NumPy imports from: the capsule, said to be the host's."""

    def __init__(self, made: Any) -> None:
        self.made = made

    def __dlpack__(self, **how: Any) -> Any:
        label(self.made, CPU)
        return self.made

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0


def imported(source: Any) -> np.ndarray:
    """The values of what another library of the device hands over, without a copy."""
    if hasattr(source, "__dlpack_device__"):
        if source.__dlpack_device__()[0] == CPU:
            raise TypeError(
                "CPU arrays cannot be directly imported to CuPy. Use `cupy.array(numpy.from_dlpack(input))` instead."
            )
        source = source.__dlpack__(stream=1)
    return writeable(np.from_dlpack(Labelled(source)))


def writeable(host: np.ndarray) -> np.ndarray:
    """The same memory: NumPy takes what comes in an old capsule for read-only, the device does not."""
    if host.flags.writeable or host.size == 0 or any(step < 0 for step in host.strides):
        return host
    extent = (
        sum((length - 1) * step for length, step in zip(host.shape, host.strides, strict=True))
        + host.itemsize
    )
    memory = (ctypes.c_char * extent).from_address(host.__array_interface__["data"][0])
    memory.owner = host
    return np.ndarray(host.shape, host.dtype, memory, 0, host.strides)
