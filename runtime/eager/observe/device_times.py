"""How long the device takes for what a profiler has seen: events of CUDA's before and behind it."""

from __future__ import annotations

from typing import Any

from ...arrays import devices
from .profiler_util import FunctionEvent

__all__ = ["DeviceTimes"]


class DeviceTimes:
    """The events of one profiler; nothing is waited for until they are read."""

    def __init__(self) -> None:
        self.cuda = devices.cupy().cuda
        self.open: list[Any] = []
        self.pairs: list[tuple[FunctionEvent, Any, Any]] = []

    def marked(self) -> Any:
        event = self.cuda.Event()
        event.record()
        return event

    def begin(self) -> None:
        self.open.append(self.marked())

    def end(self, made: FunctionEvent) -> None:
        self.pairs.append((made, self.open.pop(), self.marked()))

    def enter(self) -> None:
        """Note the times, in microseconds, once the device is there."""
        if self.pairs:
            self.pairs[-1][2].synchronize()
        for made, begun, ended in self.pairs:
            elapsed = 1000 * self.cuda.get_elapsed_time(begun, ended)
            made.append_kernel(made.name, devices.current(), elapsed)
