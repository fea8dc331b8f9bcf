"""``cupy.cuda`` as far as a library asks: one device, streams and events that wait for nothing, pools that hold nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import counters
from .arrays.pointers import Device, MemoryPointer, Props

__all__ = ["CUDA", "NVTX", "POOLS", "PROFILER", "RUNTIME", "CUDARuntimeError", "ranges"]

ranges: list[str] = []  # messages of NVTX ranges in the order in which they began


class CUDARuntimeError(RuntimeError):
    """As the runtime reports it."""

    def __init__(self, status: int) -> None:
        names = {
            101: "cudaErrorInvalidDevice: invalid device ordinal",
            2: "cudaErrorMemoryAllocation: out of memory",
        }
        super().__init__(names.get(status, f"error {status}"))
        self.status = status


class OutOfMemoryError(MemoryError):
    """No room on the device."""

    def __init__(self, size: int = 0, total: int = 0, limit: int = 0) -> None:
        super().__init__(
            f"Out of memory allocating {size:,} bytes (allocated so far: {total:,} bytes, limit set to: {limit:,} bytes)."
        )


class Stream:
    """Everything has happened already."""

    null: Stream
    ptds: Stream
    _count = 0

    def __init__(
        self,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: Any = None,
    ) -> None:
        Stream._count += 1
        self.ptr = 0 if null else Stream._count
        self.is_non_blocking, self.priority, self.done = non_blocking, priority or 0, True
        self._before: list[Stream] = []

    def __enter__(self) -> Stream:
        self._before.append(_current[0])
        _current[0] = self
        return self

    def __exit__(self, *error: object) -> None:
        _current[0] = self._before.pop()

    def use(self) -> Stream:
        _current[0] = self
        return self

    def synchronize(self) -> None:
        counters.transfer("synchronize")

    def record(self, event: Any = None) -> Any:
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Any) -> None: ...

    def launch_host_func(self, callback: Any, arg: Any) -> None:
        callback(arg)

    def add_callback(self, callback: Any, arg: Any) -> None:
        callback(self, 0, arg)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.ptr == self.ptr

    def __hash__(self) -> int:
        return hash(("stream", self.ptr))

    def __repr__(self) -> str:
        return f"<Stream {self.ptr} (device 0)>"


class ExternalStream(Stream):
    """Of another library."""

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        super().__init__()
        self.ptr = ptr


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)
_current = [Stream.null]


class Event:
    """The host's time at which it was recorded."""

    def __init__(
        self, block: bool = False, disable_timing: bool = False, interprocess: bool = False
    ) -> None:
        self.done, self._time = True, 0.0
        self.disable_timing = disable_timing

    def record(self, stream: Any = None) -> None:
        self._time = time.perf_counter()

    def synchronize(self) -> None:
        counters.transfer("synchronize")


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    return 1000 * (end_event._time - start_event._time)


class MemoryPool:
    """Has nothing, and gives what NumPy gives."""

    def __init__(self, allocator: Any = None) -> None:
        self._limit = 0

    def malloc(self, size: int) -> MemoryPointer:
        return alloc(size)

    def free_all_blocks(self, stream: Any = None) -> None: ...

    def free_all_free(self) -> None: ...

    def n_free_blocks(self) -> int:
        return 0

    def used_bytes(self) -> int:
        return 0

    def free_bytes(self) -> int:
        return 0

    def total_bytes(self) -> int:
        return 0

    def set_limit(self, size: Any = None, fraction: Any = None) -> None:
        self._limit = int(size or (fraction or 0) * (1 << 34))

    def get_limit(self) -> int:
        return self._limit


class PinnedMemoryPool(MemoryPool): ...


class UnownedMemory:
    """Memory of another library: here, of the host."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        import ctypes

        import numpy as np

        self.ptr, self.size, self.owner, self.device_id = ptr, size, owner, 0
        self.bytes = np.frombuffer((ctypes.c_char * size).from_address(ptr), np.uint8)


def alloc(size: int) -> MemoryPointer:
    import numpy as np

    counters.allocation(size)
    return MemoryPointer._of(np.empty(size, np.uint8))


_pool, _pinned = MemoryPool(), PinnedMemoryPool()
POOLS = {
    "get_default_memory_pool": lambda: _pool,
    "get_default_pinned_memory_pool": lambda: _pinned,
}


@contextmanager
def profile() -> Iterator[None]:
    yield


@contextmanager
def using_allocator(allocator: Any = None) -> Iterator[None]:
    yield


CUDA = {
    "Device": Device, "Stream": Stream, "ExternalStream": ExternalStream, "Event": Event, "MemoryPool": MemoryPool,
    "PinnedMemoryPool": PinnedMemoryPool, "MemoryPointer": MemoryPointer, "UnownedMemory": UnownedMemory, "alloc": alloc,
    "get_current_stream": lambda device_id=-1: _current[0], "get_device_id": lambda: 0, "get_elapsed_time": get_elapsed_time,
    "is_available": lambda: True, "get_local_runtime_version": lambda: 12080, "get_cuda_path": lambda: None,
    "set_allocator": lambda allocator=None: None, "get_allocator": lambda: alloc, "using_allocator": using_allocator,
    "set_pinned_memory_allocator": lambda allocator=None: None, "profile": profile,
}  # fmt: skip


def get_device_properties(device: int) -> dict[str, Any]:
    if device != 0:
        raise CUDARuntimeError(101)
    return Props()._asdict()


RUNTIME = {
    "CUDARuntimeError": CUDARuntimeError, "getDevice": lambda: 0, "getDeviceCount": lambda: 1,
    "setDevice": lambda device: Device(device) and None, "getDeviceProperties": get_device_properties,
    "deviceSynchronize": lambda: counters.transfer("synchronize"), "runtimeGetVersion": lambda: 12080,
    "driverGetVersion": lambda: 12080, "memGetInfo": lambda: (1 << 34, 1 << 34),
    "profilerStart": lambda: None, "profilerStop": lambda: None, "is_hip": False,
}  # fmt: skip


def push(message: str, color: int) -> int:
    ranges.append(message)
    return len(ranges)


def begin(message: str) -> None:
    ranges.append(message)


NVTX = {
    "Mark": lambda message, id_color=-1: begin(message), "MarkC": lambda message, color=0: begin(message),
    "RangePush": lambda message, id_color=-1: begin(message),
    "RangePushC": lambda message, color=0: begin(message), "RangePop": lambda: None,
    "RangeStart": push, "RangeEnd": lambda range_id: None, "available": True,
}  # fmt: skip


class time_range:
    """A range of NVTX as a context or a decorator."""

    def __init__(
        self, message: Any = None, color_id: Any = None, argb_color: Any = None, sync: bool = False
    ) -> None:
        self.message = message

    def __enter__(self) -> time_range:
        begin(str(self.message))
        return self

    def __exit__(self, *error: object) -> None: ...

    def __call__(self, function: Any) -> Any:
        def ranged(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return ranged


PROFILER = {"profile": profile, "time_range": time_range}
