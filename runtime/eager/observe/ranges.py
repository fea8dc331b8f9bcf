"""Ranges around operations for other tools: NVTX, ITT, or whatever sink is set."""

from __future__ import annotations

from typing import Any, Protocol

from ...arrays import devices
from .observers import BACKWARD, EVALUATION, Happening, leave, watching

__all__ = ["RangeSink", "emit_itt", "emit_nvtx", "set_range_sink"]


class RangeSink(Protocol):
    """Where ranges go: the functions that NVTX and ITT have."""

    def range_push(self, text: str) -> Any: ...

    def range_pop(self) -> Any: ...


class Chosen:
    """The sink that was set."""

    sink: RangeSink | None = None


chosen = Chosen()


def set_range_sink(sink: RangeSink | None) -> RangeSink | None:
    """Have `emit_nvtx` and `emit_itt` send their ranges there; the sink before it."""
    before, chosen.sink = chosen.sink, sink
    return before


class Nvtx:
    """NVTX, by CuPy."""

    def __init__(self) -> None:
        tool = devices.cupy().cuda.nvtx
        self.range_push, self.range_pop = tool.RangePush, tool.RangePop


class Ranges:
    """A sink of happenings that names a range for each; a node has one, that of its run."""

    def __init__(self, sink: RangeSink, shapes: bool) -> None:
        self.sink, self.shapes = sink, shapes

    def begin(self, what: Happening) -> None:
        if not what.name.startswith(EVALUATION):
            self.sink.range_push(text(what, self.shapes))

    def end(self, what: Happening) -> None:
        if not what.name.startswith(EVALUATION):
            self.sink.range_pop()


def text(what: Happening, shapes: bool) -> str:
    """The name, the number of the node (a stashed one on the way back), and the sizes."""
    made = what.name
    if what.number >= 0:
        made += f", {'stashed seq' if what.scope == BACKWARD else 'seq'} = {what.number}"
    return f"{made}, sizes = {what.sizes()}" if shapes else made


class Emitting:
    """A context in which every operation has a range."""

    kind = ""

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled, self.record_shapes, self.entered = enabled, record_shapes, False
        self.ranges: Ranges | None = None

    def __enter__(self) -> Any:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError(f"{self.kind} annotation context manager is not reentrant")
        self.entered = True
        self.ranges = Ranges(chosen.sink or self.default(), self.record_shapes)
        watching(self.ranges)
        return self

    def __exit__(self, *error: Any) -> None:
        if self.ranges is not None:
            leave(self.ranges)
            self.ranges = None

    def default(self) -> RangeSink:
        """The tool itself, where its package is installed."""
        raise AssertionError(
            f"retrograd has no {self.kind} of its own: give `autograd.profiler.set_range_sink` an object with "
            "range_push(text) and range_pop()"
        )


class emit_nvtx(Emitting):
    """Every operation has an NVTX range."""

    kind = "NVTX"

    def default(self) -> RangeSink:
        return Nvtx() if devices.count() else super().default()


class emit_itt(Emitting):
    """Every operation has an ITT range."""

    kind = "ITT"
