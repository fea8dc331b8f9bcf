"""``retrograd.cuda``: the device of CuPy's, where CuPy is installed and finds one; programs that ask are told what there is."""

from __future__ import annotations

from typing import Any

from retrograd.cuda import nvtx
from retrograd.cuda.streams import Event, Stream, current_stream, default_stream, stream
from retrograd.runtime.arrays import devices as found

__all__ = [
    "Event", "Stream", "current_device", "current_stream", "default_stream", "device", "device_count", "empty_cache",
    "get_device_capability", "get_device_name", "get_device_properties", "is_available", "is_initialized", "manual_seed",
    "manual_seed_all", "mem_get_info", "memory_allocated", "memory_reserved", "nvtx", "seed", "seed_all", "set_device", "stream", "synchronize",
]  # fmt: skip

ABSENT = "retrograd is not built with CUDA: tensors are in the main memory; ask `cuda.is_available()` before"


def library() -> Any:
    """CuPy, if it finds a device."""
    if not found.count():
        raise AssertionError(ABSENT)
    return found.cupy()


def is_available() -> bool:
    """True if CuPy is installed and finds a device."""
    return found.count() > 0


def is_initialized() -> bool:
    """True if anything has asked for the device."""
    return found.is_loaded() and is_available()


def device_count() -> int:
    """How many devices CuPy finds; 0 without it."""
    return found.count()


def current_device() -> int:
    """The number of the device where tensors are made."""
    library()
    return found.current()


def number(device: Any) -> int:
    """The number of a device, given as one, by its name, or not at all."""
    index = getattr(device, "index", None)
    if isinstance(device, str):
        index = int(device.partition(":")[2]) if ":" in device else None
    elif isinstance(device, int):
        index = device
    return current_device() if index is None else index


def set_device(device: Any) -> None:
    """Tensors are made there from now on."""
    library().cuda.runtime.setDevice(number(device))


class device:
    """A context in which another device is the current one."""

    def __init__(self, device: Any) -> None:
        self.index = number(device)

    def __enter__(self) -> None:
        self.before = current_device()
        set_device(self.index)

    def __exit__(self, *error: object) -> None:
        set_device(self.before)


def synchronize(device: Any = None) -> None:
    """Wait until everything is done there."""
    with library().cuda.Device(number(device)):
        library().cuda.runtime.deviceSynchronize()


def get_device_properties(device: Any = None) -> dict[str, Any]:
    """What CUDA says of a device, by CUDA's names."""
    return dict(library().cuda.runtime.getDeviceProperties(number(device)))


def get_device_name(device: Any = None) -> str:
    """What it is called."""
    name = get_device_properties(device)["name"]
    return name.decode() if isinstance(name, bytes) else str(name)


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The version of what it can."""
    known = get_device_properties(device)
    return int(known["major"]), int(known["minor"])


def manual_seed(seed: int) -> None:
    """Start the random numbers of the device anew (without one there is nothing to seed, as in PyTorch)."""
    from retrograd.runtime.eager.random import generator

    generator.seed_device(seed)


manual_seed_all = manual_seed


def seed() -> None:
    """The same from a seed that is not known before."""
    from retrograd.runtime.eager.random import generator

    generator.seed_device(None)


seed_all = seed


def empty_cache() -> None:
    """Give the memory back that CuPy keeps for later."""
    if is_initialized():
        library().get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """The bytes of all arrays on the current device."""
    return int(library().get_default_memory_pool().used_bytes()) if is_initialized() else 0


def memory_reserved(device: Any = None) -> int:
    """The same with what is kept for later."""
    return int(library().get_default_memory_pool().total_bytes()) if is_initialized() else 0


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """The bytes that are free, and all of them."""
    with library().cuda.Device(number(device)):
        free, whole = library().cuda.runtime.memGetInfo()
    return int(free), int(whole)
