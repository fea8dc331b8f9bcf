"""``retrograd.autograd.profiler``: what operations cost."""

from __future__ import annotations

from retrograd.runtime.eager.observe.profiler import (
    EnforceUnique,
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    KinetoStepTracker,
    MemRecordsAcc,
    StringTable,
    emit_itt,
    emit_nvtx,
    load_nvprof,
    parse_nvprof_trace,
    profile,
    record_function,
    set_range_sink,
)

__all__ = [
    "EnforceUnique",
    "EventList",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "KinetoStepTracker",
    "MemRecordsAcc",
    "StringTable",
    "emit_itt",
    "emit_nvtx",
    "load_nvprof",
    "parse_nvprof_trace",
    "profile",
    "record_function",
    "set_range_sink",
]
