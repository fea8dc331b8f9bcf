"""Traces that ``nvprof`` wrote: an SQLite file of markers, and of what ran on the device for them."""

from __future__ import annotations

import sqlite3
from typing import Any

from .profiler_util import EventList, FunctionEvent, demangled

__all__ = ["EnforceUnique", "load_nvprof", "parse_nvprof_trace"]

LAUNCH = 211  # the call that starts a kernel
MARKERS = """
    SELECT opened.id, opened.name, opened.timestamp, closed.timestamp
    FROM CUPTI_ACTIVITY_KIND_MARKER AS opened JOIN CUPTI_ACTIVITY_KIND_MARKER AS closed USING (id)
    WHERE opened.name != 0 AND closed.name = 0
"""
KERNELS = """
    SELECT opened.id, call._id_, call.cbid, kernel.name, kernel.end - kernel.start
    FROM CUPTI_ACTIVITY_KIND_MARKER AS opened
    JOIN CUPTI_ACTIVITY_KIND_MARKER AS closed USING (id)
    JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS call ON opened.timestamp < call.start AND call.end < closed.timestamp
    JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel USING (correlationId)
    WHERE opened.name != 0 AND closed.name = 0
"""


class EnforceUnique:
    """Refuses what it has seen before."""

    def __init__(self) -> None:
        self.seen: set[tuple[Any, ...]] = set()

    def see(self, *key: Any) -> None:
        """Note a key."""
        if key in self.seen:
            raise RuntimeError(f"duplicate key: {key}")
        self.seen.add(key)


def parse_nvprof_trace(path: Any) -> list[FunctionEvent]:
    """The events of a file by their starts, each with its kernels."""
    trace = sqlite3.connect(path)
    try:
        names = dict(trace.execute("SELECT _id_, value FROM StringTable"))
        events: dict[int, FunctionEvent] = {}
        unique = EnforceUnique()
        for marker, name, start, end in trace.execute(MARKERS):
            unique.see(marker)
            events[marker] = FunctionEvent(marker, demangled(names[name]), 0, start, end, node_id=0)
        unique = EnforceUnique()
        for marker, call, number, name, duration in trace.execute(KERNELS):
            unique.see(marker, call)
            if number != LAUNCH:
                raise AssertionError(f"Expected cbid to be {LAUNCH}, but got {number}")
            events[marker].append_kernel(name, 0, duration)
    finally:
        trace.close()
    return sorted(events.values(), key=lambda event: event.time_range.start)


def load_nvprof(path: Any) -> EventList:
    """The same as a list that has tables."""
    return EventList(parse_nvprof_trace(path))
