"""The profiler: how long operations take, and which node belongs to which; labels and ranges."""

from __future__ import annotations

import sys
import threading
import time
import uuid
import warnings
import weakref
from collections import defaultdict
from typing import Any, ClassVar

import numpy as np

from ...arrays import devices
from ..graph.grad_mode import Mode
from .device_times import DeviceTimes
from .nvprof import EnforceUnique, load_nvprof, parse_nvprof_trace
from .observers import BACKWARD, USER, Happening, happening, leave, mine, watching
from .profiler_util import (
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    MemRecordsAcc,
    StringTable,
)
from .ranges import emit_itt, emit_nvtx, set_range_sink

__all__ = [
    "EnforceUnique", "EventList", "FunctionEvent", "FunctionEventAvg", "Interval", "Kernel", "KinetoStepTracker",
    "MemRecordsAcc", "StringTable", "emit_itt", "emit_nvtx", "is_profiling", "load_nvprof", "parse_nvprof_trace", "profile",
    "record_function", "set_range_sink",
]  # fmt: skip

DEVICES = ("cuda", "xpu", "mtia", "hpu", "privateuseone")
UNFINISHED = "<unfinished retrograd.autograd.profile>"


class Recorder:
    """The sink of one profiler: it makes the events."""

    def __init__(self, options: profile) -> None:
        self.options = options
        self.events: list[FunctionEvent] = []
        self.open: list[FunctionEvent] = []
        self.memory: dict[int, Any] = {}
        self.latest: FunctionEvent | None = None  # the one that ended last: new memory is its
        self.running = True
        self.thread = threading.get_ident()
        self.started = time.perf_counter_ns()
        self.device_times = DeviceTimes() if options.use_device else None

    def now(self) -> float:
        return (time.perf_counter_ns() - self.started) / 1000

    def event(self, name: str, **what: Any) -> FunctionEvent:
        """A new event inside of the open one."""
        now = self.now()
        made = FunctionEvent(len(self.events), name, 1, now, now, **what)
        self.events.append(made)
        if self.open:
            made.set_cpu_parent(self.open[-1])
            self.open[-1].append_cpu_child(made)
        return made

    def begin(self, what: Happening) -> None:
        inner = bool(self.open) and self.open[-1].name.startswith("aten::")
        made = self.event(
            what.name,
            scope=what.scope,
            sequence_nr=-1 if inner else what.number,
            fwd_thread=1 if what.scope == BACKWARD else 0,
            input_shapes=what.sizes() if self.options.record_shapes else None,
            stack=calling_lines() if self.options.with_stack else None,
            is_user_annotation=what.scope == USER,
        )
        self.open.append(made)
        if self.device_times is not None:
            self.device_times.begin()

    def end(self, what: Happening) -> None:
        made = self.latest = self.open.pop()
        made.time_range.end = self.now()
        if self.device_times is not None:
            self.device_times.end(made)
        if self.options.with_flops:
            made.flops = flops(what)
        if self.options.profile_memory:
            for array in arrays(what.made):
                self.allocated(array)

    # -- memory --------------------------------------------------------------------------

    def allocated(self, array: Any) -> None:
        """Note new memory, and when it is given back."""
        while isinstance(array.base, np.ndarray):
            array = array.base
        if id(array) in self.memory or not array.flags.owndata:
            return
        size = array.nbytes
        self.memory[id(array)] = weakref.finalize(array, self.freed, id(array), size)
        self.memory[id(array)].atexit = False
        made: FunctionEvent | None = self.latest
        while made is not None:
            made.cpu_memory_usage += size
            made = made.cpu_parent

    def freed(self, number: int, size: int) -> None:
        self.memory.pop(number, None)
        if not self.running or threading.get_ident() != self.thread:
            return
        if not self.open:
            self.event("[memory]").cpu_memory_usage = -size
        for event in self.open:
            event.cpu_memory_usage -= size


def is_profiling() -> bool:
    """True if a profiler notes what this thread computes."""
    return any(isinstance(sink, Recorder) for sink in mine.sinks)


def arrays(made: Any) -> list[Any]:
    """The arrays of a result."""
    if isinstance(made, (tuple, list)):
        return [array for one in made for array in arrays(one)]
    array = getattr(made, "_array", made)
    return [array] if isinstance(array, np.ndarray) else []


def flops(what: Happening) -> int:
    """How many additions and multiplications an operation takes, where that is known."""
    found = arrays(what.made)
    if what.name in ("aten::mm", "aten::bmm") and found:
        return 2 * int(found[0].size) * what.sizes()[0][-1]
    if what.name in ("aten::add", "aten::mul") and found:
        return int(found[0].size)
    return 0


def calling_lines() -> list[str]:
    """The lines that led here, the innermost first, without those of the library."""
    found: list[str] = []
    frame: Any = sys._getframe(2)
    home = __name__.rpartition(".runtime.")[0]
    while frame is not None:
        own = str(frame.f_globals.get("__name__", ""))
        code = frame.f_code
        if own != "contextlib" and not own.startswith((f"{home}.runtime.", f"{home}.eager")):
            found.append(f"{code.co_filename}({frame.f_lineno}): {code.co_name}")
        frame = frame.f_back
    return found


class profile:
    """A context that notes what is computed in it, by the running thread.

    >>> with profile() as prof:
    ...     pass
    >>> prof.function_events
    []
    """

    def __init__(
        self, enabled: bool = True, *, use_cuda: bool = False, use_device: str | None = None,
        record_shapes: bool = False, with_flops: bool = False, profile_memory: bool = False, with_stack: bool = False,
        with_modules: bool = False, use_kineto: bool = False, use_cpu: bool = True, experimental_config: Any = None,
        acc_events: bool = False, custom_trace_id_callback: Any = None, post_processing_timeout_s: Any = None,
        activity_filters: Any = None,
    ) -> None:  # fmt: skip
        self.enabled = enabled
        self._events: EventList | None = None
        self._recorder: Recorder | None = None
        if not enabled:
            return
        self.use_device = checked_device("cuda" if use_cuda else use_device, use_cuda)
        self.record_shapes, self.with_flops = record_shapes or with_flops, with_flops
        self.profile_memory, self.with_stack = profile_memory, with_stack
        self.with_modules, self.use_cpu, self.acc_events = with_modules, use_cpu, acc_events
        self.use_kineto, self.experimental_config = use_kineto, experimental_config
        self.custom_trace_id_callback, self.trace_id = custom_trace_id_callback, ""
        self.entered = False
        if not use_cpu and not use_kineto:
            raise AssertionError("Device-only events supported only with Kineto (use_kineto=True)")
        if not use_cpu:
            raise AssertionError("No activities specified for the profiler")

    def __enter__(self) -> Any:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        if is_profiling():
            raise RuntimeError("Profiler is already enabled on this thread")
        self.entered = True
        callback = self.custom_trace_id_callback
        self.trace_id = callback() if callback else f"{uuid.uuid4().int:032X}"
        self._start_trace()
        return self

    def _prepare_trace(self) -> None:
        self.entered = True

    def _start_trace(self) -> None:
        self._recorder = Recorder(self)
        watching(self._recorder)

    def __exit__(self, *error: Any) -> None:
        recorder = self._recorder
        if not self.enabled or recorder is None:
            return
        leave(recorder)
        recorder.running = False
        if recorder.device_times is not None:
            recorder.device_times.enter()
        before = self._events if self.acc_events and self._events is not None else ()
        self._events = EventList(
            [*before, *recorder.events],
            use_device=self.use_device,
            profile_memory=self.profile_memory,
            with_flops=self.with_flops,
        )

    # -- what was found ------------------------------------------------------------------

    @property
    def function_events(self) -> EventList | None:
        """The events, in the order in which they began."""
        return self._events

    def finished(self) -> EventList:
        if self._events is None:
            raise AssertionError("Profiler didn't finish running")
        return self._events

    def __repr__(self) -> str:
        return UNFINISHED if self._events is None else repr(self._events)

    def __str__(self) -> str:
        return UNFINISHED if self._events is None else str(self._events)

    def table(self, *args: Any, **options: Any) -> str:
        """The events as a text."""
        return self.finished().table(*args, **options)

    def key_averages(self, *args: Any, **options: Any) -> EventList:
        """The events of each name together."""
        return self.finished().key_averages(*args, **options)

    def total_average(self) -> FunctionEventAvg:
        """All events as one."""
        return self.finished().total_average()

    def export_chrome_trace(self, path: str, *options: Any) -> None:
        """Write a file that ``chrome://tracing`` shows."""
        self.finished().export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write the calling lines with their times."""
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        self.finished().export_stacks(path, metric)

    @property
    def self_cpu_time_total(self) -> float:
        return self.finished().self_cpu_time_total


def checked_device(name: str | None, by_flag: bool) -> str | None:
    """The device whose times are asked for, if it is there."""
    if by_flag:
        warnings.warn(
            "The attribute `use_cuda` will be deprecated soon, please use ``use_device = 'cuda'`` instead.",
            FutureWarning, stacklevel=3,
        )  # fmt: skip
    if name is None:
        return None
    if name not in DEVICES:
        warnings.warn(f"The {name} is not a valid device option.", stacklevel=3)
    elif name == "cuda" and devices.count():
        return name
    else:
        warnings.warn(
            f"{name.upper()} is not available, disabling {name.upper()} profiling", stacklevel=3
        )
    return None


class record_function(Mode):
    """A label around a part of a program, as a context or a decorator.

    >>> with record_function("part"):
    ...     pass
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args
        self.run_callbacks_on_exit = True
        self.entered: list[Any] = []

    def clone(self) -> record_function:
        return record_function(self.name, self.args)

    def __enter__(self) -> record_function:
        label = happening(self.name, (), -1, USER)
        label.__enter__()
        self.entered.append(label)
        return self

    def __exit__(self, *error: Any) -> None:
        self.entered.pop().__exit__(*error)


class KinetoStepTracker:
    """The newest of the steps that several requesters count."""

    _current_step = 0
    _step_dict: ClassVar[defaultdict[str, int]] = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester: str) -> None:
        """A requester begins at the current step."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester: str) -> bool:
        """Forget one; whether it was known."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester: str) -> int:
        """One more step of a requester; the newest step."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        newest = max(cls._step_dict.values())
        if newest > cls._current_step + 1:
            warnings.warn(
                "Profiler step count has increased more than 1 - "
                f"current_step = {cls._current_step} step dict =  {cls._step_dict}",
                stacklevel=2,
            )
        cls._current_step = max(newest, cls._current_step)
        return cls._current_step

    @classmethod
    def current_step(cls) -> int:
        """The newest step."""
        return cls._current_step
