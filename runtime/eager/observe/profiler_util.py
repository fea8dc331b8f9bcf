"""Events of the profiler: single ones, averages by name, lists of them, and their files."""

from __future__ import annotations

import bisect
import ctypes
import json
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from .profiler_table import table, time_text

__all__ = [
    "EventList",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]


class Interval:
    """From when to when, in microseconds."""

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    def elapsed_us(self) -> float:
        """How long it lasted."""
        return self.end - self.start


class Kernel(NamedTuple):
    """An event on a device."""

    name: str
    device: int
    duration: float


class Times:
    """The average times of an event or of many, and all times as texts."""

    count: int
    cpu_time_total: float
    device_time_total: float
    self_cpu_time_total: float
    self_device_time_total: float

    @property
    def cpu_time(self) -> float:
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self) -> float:
        return self.device_time_total / self.count if self.count else 0.0

    @property
    def cuda_time(self) -> float:
        warnings.warn(
            "`cuda_time` is deprecated, please use `device_time` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return self.device_time

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_str") and "time" in name:
            return time_text(getattr(self, name.removesuffix("_str")))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


class FunctionEvent(Times):
    """One thing that happened: an operation, a node that was run, a label."""

    def __init__(
        self, id: int, name: str, thread: int, start_us: float, end_us: float, *, fwd_thread: int | None = None,
        input_shapes: Any = None, stack: Any = None, scope: int = 0, sequence_nr: int = -1, cpu_memory_usage: int = 0,
        flops: int | None = None, node_id: int = -1, is_legacy: bool = False, is_async: bool = False,
        is_user_annotation: bool = False, use_device: str | None = None,
    ) -> None:  # fmt: skip
        self.id, self.name, self.thread, self.node_id = id, name, thread, node_id
        self.time_range = Interval(start_us, end_us)
        self.fwd_thread, self.scope, self.sequence_nr = fwd_thread, scope, sequence_nr
        self.input_shapes, self.stack = input_shapes or [], stack or []
        self.flops, self.cpu_memory_usage, self.device_memory_usage = flops, cpu_memory_usage, 0
        self.is_legacy, self.is_async, self.is_remote = is_legacy, is_async, False
        self.is_user_annotation, self.use_device = is_user_annotation, use_device
        self.device_type, self.overload_name = "cpu", ""
        self.count = 1
        self.kernels: list[Kernel] = []
        self.cpu_children: list[FunctionEvent] = []
        self.cpu_parent: FunctionEvent | None = None

    @property
    def key(self) -> str:
        return self.name

    def append_kernel(self, name: str, device: int, duration: float) -> None:
        """Note what ran on a device for this."""
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child: FunctionEvent) -> None:
        """Note what happened inside of this."""
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent: FunctionEvent) -> None:
        """Note inside of what this happened."""
        self.cpu_parent = parent

    @property
    def cpu_time_total(self) -> float:  # type: ignore[override]
        return 0.0 if self.is_async else float(self.time_range.elapsed_us())

    @property
    def self_cpu_time_total(self) -> float:  # type: ignore[override]
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def self_cpu_memory_usage(self) -> int:
        return self.cpu_memory_usage - sum(child.cpu_memory_usage for child in self.cpu_children)

    @property
    def device_time_total(self) -> float:  # type: ignore[override]
        return float(sum(kernel.duration for kernel in self.kernels))

    @property
    def self_device_time_total(self) -> float:  # type: ignore[override]
        return self.device_time_total - sum(c.device_time_total for c in self.cpu_children)

    @property
    def self_device_memory_usage(self) -> int:
        return 0

    def __repr__(self) -> str:
        return (
            f"<FunctionEvent id={self.id} name={self.name} cpu_time={self.cpu_time_str} "
            f"start_us={self.time_range.start} end_us={self.time_range.end} "
            f"cpu_children={[child.id for child in self.cpu_children]} thread={self.thread} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage}>"
        )


SUMS = (
    "cpu_time_total", "device_time_total", "self_cpu_time_total", "self_device_time_total", "cpu_memory_usage",
    "device_memory_usage", "self_cpu_memory_usage", "self_device_memory_usage", "count",
)  # fmt: skip


class FunctionEventAvg(Times):
    """Events of one name together."""

    def __init__(self) -> None:
        self.key: str | None = None
        self.node_id, self.scope, self.overload_name = 0, 0, ""
        self.is_async = self.is_remote = self.is_legacy = self.is_user_annotation = False
        self.use_device: str | None = None
        self.device_type = "cpu"
        self.input_shapes: Any = None
        self.stack: list[str] = []
        self.flops = 0
        self.cpu_parent: Any = None
        self.cpu_children: list[FunctionEvent] = []
        for name in SUMS:
            setattr(self, name, 0)

    def add(self, other: Any) -> FunctionEventAvg:
        """Count one more event, or other averages."""
        if self.key is None:
            for name in (
                "key", "node_id", "is_async", "is_remote", "cpu_parent", "cpu_children", "input_shapes", "stack",
                "scope", "is_legacy", "is_user_annotation", "use_device", "device_type",
            ):  # fmt: skip
                setattr(self, name, getattr(other, name))
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.flops += other.flops or 0
        return self

    __iadd__ = add

    def __repr__(self) -> str:
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str} input_shapes={self.input_shapes} "
            f"cpu_memory_usage={self.cpu_memory_usage}>"
        )

    cpu_memory_usage: int


class EventList(list[Any]):
    """Events, or averages of them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._use_device = options.pop("use_device", None)
        self._profile_memory = options.pop("profile_memory", False)
        self._with_flops = options.pop("with_flops", False)
        super().__init__(*args)

    def __str__(self) -> str:
        return self.table()

    @property
    def self_cpu_time_total(self) -> float:
        return float(sum(event.self_cpu_time_total for event in self))

    def like(self, events: Any) -> EventList:
        """Other events with the same options."""
        return EventList(
            events,
            use_device=self._use_device,
            profile_memory=self._profile_memory,
            with_flops=self._with_flops,
        )

    def table(
        self, sort_by: str | None = None, row_limit: int = 100, max_src_column_width: int = 75,
        max_name_column_width: int = 55, max_shapes_column_width: int = 80, header: str | None = None,
        top_level_events_only: bool = False, time_unit: str | None = None,
    ) -> str:  # fmt: skip
        """The events as a text."""
        events: Any = self
        if sort_by is not None:
            key = sort_by.replace("cuda", "device").replace("xpu", "device")
            events = sorted(self, key=lambda event: getattr(event, key), reverse=True)
        return table(
            events, row_limit=row_limit, header=header, top_only=top_level_events_only, unit=time_unit,
            widths=(max_name_column_width, max_shapes_column_width, max_src_column_width),
            with_flops=self._with_flops, with_memory=self._profile_memory,
        )  # fmt: skip

    def _populate_cpu_children(self) -> None:
        """Find from their times which events happened inside of which, in each thread."""
        by_thread: dict[Any, list[Any]] = defaultdict(list)
        for event in self:
            if not event.is_async:
                by_thread[event.thread, event.node_id].append(event)
        for events in by_thread.values():
            events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))
            nest(events)

    def key_averages(
        self,
        group_by_input_shapes: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:
        """The events of each name (and shapes, and calling lines) together."""
        groups: dict[tuple[Any, ...], FunctionEventAvg] = defaultdict(FunctionEventAvg)
        for event in self:
            key: tuple[Any, ...] = (event.key, event.node_id, event.is_user_annotation)
            if group_by_input_shapes:
                key = (*key, str(event.input_shapes))
            groups[*key, *event.stack[:group_by_stack_n]].add(event)
        found = self.like(groups.values())
        for average in found:
            average.stack = average.stack[:group_by_stack_n]
            if not group_by_input_shapes:
                average.input_shapes = ""
        return found

    def total_average(self) -> FunctionEventAvg:
        """All of them as one, called ``Total``."""
        total = FunctionEventAvg()
        for event in self:
            total.add(event)
        total.key = "Total"
        return total

    def export_chrome_trace(self, path: str) -> None:
        """Write a file that ``chrome://tracing`` shows."""
        events = [
            {
                "name": event.name, "cat": "user_annotation" if event.is_user_annotation else "cpu_op", "ph": "X",
                "ts": event.time_range.start, "dur": event.time_range.elapsed_us(), "pid": "CPU functions",
                "tid": event.thread,
                "args": {"Sequence number": event.sequence_nr, "Input Dims": event.input_shapes},
            }
            for event in self
        ]  # fmt: skip
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schemaVersion": 1, "traceEvents": events}, file, indent=1)

    def supported_export_stacks_metrics(self) -> list[str]:
        return ["self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total"]

    def export_stacks(self, path: str, metric: str) -> None:
        """Write the calling lines with their times, as flame graphs take them."""
        if metric not in self.supported_export_stacks_metrics():
            raise ValueError(f"metric should be one of: {self.supported_export_stacks_metrics()}")
        key = metric.replace("cuda", "device").replace("xpu", "device")
        with open(path, "w", encoding="utf-8") as file:
            for event in self:
                if event.stack and int(getattr(event, key)) > 0:
                    frames = ";".join(str(line).replace(" ", "_") for line in reversed(event.stack))
                    file.write(f"{frames} {int(getattr(event, key))}\n")


def nest(events: list[Any]) -> None:
    """Enter each of these, which are in the order of their start, in the event around it."""
    around: list[Any] = []
    for event in events:
        span = event.time_range
        while around and not is_inside(span, around[-1].time_range):
            around.pop()
        if around:
            around[-1].append_cpu_child(event)
            event.set_cpu_parent(around[-1])
        around.append(event)


def is_inside(span: Interval, outer: Interval) -> bool:
    return span.start < outer.end and span.end <= outer.end


class StringTable(defaultdict[str, str]):
    """C++ names by their mangled ones; a single character is itself.

    >>> StringTable()["x"]
    'x'
    """

    def __missing__(self, key: str) -> str:
        self[key] = demangled(key) if len(key) > 1 else key
        return self[key]


def demangled(name: str) -> str:
    """A C++ name as it was written, where the C++ library is there to say it."""
    for library in ("libstdc++.so.6", "libc++.1.dylib"):
        try:
            cxx, c = ctypes.CDLL(library), ctypes.CDLL(None)
        except OSError:
            continue
        demangle = cxx.__cxa_demangle
        demangle.restype = ctypes.c_void_p
        status = ctypes.c_int()
        found = demangle(name.encode(), None, None, ctypes.byref(status))
        if not found or status.value:
            return name
        text = ctypes.string_at(found).decode()
        c.free(ctypes.c_void_p(found))
        return text
    return name


class MemRecordsAcc:
    """Records of memory, found by when they start."""

    def __init__(self, mem_records: Any) -> None:
        self._mem_records = sorted(mem_records, key=lambda record: record[0].start_ns())
        self._starts = [record[0].start_ns() for record in self._mem_records]

    def in_interval(self, start_ns: int, end_ns: int) -> Iterator[Any]:
        """Those that start between the two, both included."""
        first = bisect.bisect_left(self._starts, start_ns)
        last = bisect.bisect_right(self._starts, end_ns)
        yield from self._mem_records[first:last]
