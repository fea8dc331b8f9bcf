"""``retrograd.autograd.profiler_util``: the events of a profile, and their tables."""

from __future__ import annotations

from retrograd.runtime.eager.observe.profiler_util import (
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    MemRecordsAcc,
    StringTable,
)

__all__ = [
    "EventList",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]
