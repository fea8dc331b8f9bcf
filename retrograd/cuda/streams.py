"""Streams and events of the device, with PyTorch's names for what CuPy has."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.arrays import devices

__all__ = ["Event", "Stream", "current_stream", "default_stream", "stream"]


class Event:
    """A mark in what the device has to do."""

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> None:
        self.timed = enable_timing
        self.event = devices.cupy().cuda.Event(blocking, not enable_timing, interprocess)

    def record(self, stream: Stream | None = None) -> None:
        """Put it behind what the stream has to do so far."""
        self.event.record(None if stream is None else stream.stream)

    def wait(self, stream: Stream | None = None) -> None:
        """Have a stream wait for it."""
        (current_stream() if stream is None else stream).wait_event(self)

    def query(self) -> bool:
        """True if the device has come there."""
        return bool(self.event.done)

    def synchronize(self) -> None:
        """Wait until it has."""
        self.event.synchronize()

    def elapsed_time(self, end_event: Event) -> float:
        """The milliseconds from this event to a later one."""
        if not (self.timed and end_event.timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        return float(devices.cupy().cuda.get_elapsed_time(self.event, end_event.event))


class Stream:
    """What the device does one after the other."""

    def __init__(self, device: Any = None, priority: int = 0, *, stream: Any = None) -> None:
        made = stream is None
        self.stream = (
            devices.cupy().cuda.Stream(non_blocking=True, priority=priority) if made else stream
        )

    @property
    def cuda_stream(self) -> int:
        """The address by which CUDA knows it."""
        return int(self.stream.ptr)

    def query(self) -> bool:
        """True if nothing is left to do."""
        return bool(self.stream.done)

    def synchronize(self) -> None:
        """Wait for all that it has to do."""
        self.stream.synchronize()

    def record_event(self, event: Event | None = None) -> Event:
        """An event behind what it has to do so far."""
        made = Event() if event is None else event
        made.record(self)
        return made

    def wait_event(self, event: Event) -> None:
        """Go on only after an event."""
        self.stream.wait_event(event.event)

    def wait_stream(self, stream: Stream) -> None:
        """Go on only after what another stream has to do so far."""
        self.wait_event(stream.record_event())

    def __enter__(self) -> Stream:
        self.stream.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.stream.__exit__(*error)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and bool(self.stream == other.stream)

    def __hash__(self) -> int:
        return hash(self.stream)


def stream(stream: Stream) -> Stream:
    """A context in which the device does what is asked in that stream."""
    return stream


def current_stream(device: Any = None) -> Stream:
    """The stream in which work is done now."""
    return Stream(stream=devices.cupy().cuda.get_current_stream())


def default_stream(device: Any = None) -> Stream:
    """The one in which it is done unless another is chosen."""
    return Stream(stream=devices.cupy().cuda.Stream.null)
