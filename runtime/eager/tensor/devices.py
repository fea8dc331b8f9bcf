"""Where tensors are: in the main memory, or on the device of CuPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays import devices
from ...arrays.libraries import cupy, is_cupy
from ...arrays.transfers import on_host, to_device
from ...batching.batched_array import BatchedArray, memory_of
from ...errors import BackendUnavailable

__all__ = [
    "check_device",
    "device",
    "is_there",
    "library_at",
    "mixed",
    "moved",
    "place",
]

CPU, CUDA = "cpu", "cuda"


class device:
    """Where a tensor is; a place that this machine does not have is refused.

    >>> device("cpu") == "cpu"
    True
    """

    __slots__ = ("index", "type")

    def __init__(self, type: Any = CPU, index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        if isinstance(type, int):
            type, index = CUDA, type
        name, _, number = str(type).partition(":")
        if number and index is None and number.isdigit():
            index = int(number)
        if name not in (CPU, CUDA) or (number and not number.isdigit()):
            raise RuntimeError(absent(type))
        if name == CUDA:
            check_cuda(type, index)
        self.type, self.index = name, index

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (device, str)) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> Any:
        return device, (self.type, self.index)


def absent(given: Any, why: str = "") -> str:
    return (
        f"retrograd has no device {str(given)!r} here: tensors are in the main memory; leave `device` out, or "
        f"say 'cpu'{why}"
    )


def check_cuda(given: Any, index: int | None) -> None:
    """Refuse a device that is not there, with what is missing."""
    try:
        library = cupy()
    except BackendUnavailable as error:
        raise RuntimeError(absent(given, f" ({error.reason}; {error.fix})")) from None
    found = devices.count()
    if not found:
        why = f" (CuPy {library.__version__} finds no device and driver)"
        raise RuntimeError(absent(given, why))
    if index is not None and index >= found:
        raise RuntimeError(
            "CUDA error: invalid device ordinal\nretrograd: "
            f"the device {index} is not there; there are {found}, counted from 0"
        )


def check_device(given: Any) -> None:
    """Refuse a place that tensors cannot be in."""
    if given is not None and not isinstance(given, device):
        device(given)


def place(array: Any) -> device:
    """Where an array is."""
    array = memory_of(array)
    made = object.__new__(device)
    if is_cupy(array):
        made.type, made.index = CUDA, devices.number_of(array)
    else:
        made.type, made.index = CPU, None
    return made


def library_at(where: Any, beside: Any = None) -> Any:
    """The library that makes arrays at a place; without one that of the array beside."""
    if where is None:
        return np if beside is None or not is_cupy(memory_of(beside)) else cupy()
    return cupy() if reached(where).type == CUDA else np


def reached(where: Any) -> device:
    """The place, if tensors can be made there now."""
    found = where if isinstance(where, device) else device(where)
    if found.type == CUDA and found.index not in (None, devices.current()):
        raise RuntimeError(
            f"retrograd makes tensors on the current device, which is cuda:{devices.current()}, not on {found}; call "
            f"cuda.set_device({found.index}) before"
        )
    return found


def is_there(array: Any, where: device) -> bool:
    """True if an array is at a place (`cuda` is the current device)."""
    own = place(array)
    if own.type != where.type:
        return False
    return own.type == CPU or own.index == (
        devices.current() if where.index is None else where.index
    )


def moved(array: Any, where: Any) -> Any:
    """An array at another place; itself, if it is there."""
    found = where if isinstance(where, device) else device(where)
    if is_there(array, found):
        return array
    if type(array) is BatchedArray:
        return BatchedArray(array.level, moved(array.value, found))
    return to_device(array) if reached(found).type == CUDA else on_host(array)


def mixed(*places: Any) -> RuntimeError:
    """The refusal of tensors that are not at one place."""
    named = sorted({str(one) for one in places}, reverse=True)
    return RuntimeError(
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{named[0]} and {named[1]}!"
    )
