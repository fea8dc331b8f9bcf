"""Examples of a batch that go forward together, for functions that have a rule for the whole batch.

The first example runs in the calling thread.  Where it meets a function with a rule of its own, the
others are run up to the same place, one at a time, each in a thread that waits there; the rule is
called once, and each goes on with its part of the result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from ..functions.joining import stack
from ..graph.grad_mode import modes
from ..stacks import carried
from ..tensor.tensor import Tensor

__all__ = ["Group", "VmapInfo", "together"]

MODES = ("grad", "inference", "multithreading", "pack", "mutation", "disabled", "tangents")
ABSENT = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement the vmap "
    "staticmethod or set generate_vmap_rule=True. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
APART = (
    "vmap: the examples of a batch do not call the same custom functions in the same order, and {} has one rule "
    "for all of them"
)


class VmapInfo(NamedTuple):
    """The batch that a rule is told of."""

    batch_size: int
    randomness: str


class Together(threading.local):
    """The group the running thread is one of."""

    group: Any = None


together = Together()
carried.append(together)


class Arrived(NamedTuple):
    """A call of a custom function that waits for the others."""

    cls: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Abandoned(BaseException):
    """Ends the thread of an example after another has failed."""


class Example:
    """One of the other examples, in a thread of its own that runs only while it is asked to."""

    def __init__(self, group: Group, number: int) -> None:
        self.group, self.number = group, number
        self.go, self.stopped = threading.Semaphore(0), threading.Semaphore(0)
        self.arrived: Arrived | None = None
        self.answer: Any = None
        self.error: BaseException | None = None
        self.result: Any = None
        self.done = False
        self.modes = {name: getattr(modes, name) for name in MODES}
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        self.go.acquire()
        for name, value in self.modes.items():
            setattr(modes, name, value)
        together.group = Seat(self)
        try:
            self.check()
            self.result = self.group.run(self.number)
        except Abandoned:
            pass
        except BaseException as error:
            self.error = error
        self.done = True
        self.stopped.release()

    def check(self) -> None:
        if self.group.abandoned:
            raise Abandoned

    def resume(self) -> None:
        """Let it run up to the next meeting, or its end."""
        self.arrived = None
        self.go.release()
        self.stopped.acquire()
        if self.error is not None:
            raise self.error

    def wait(self, call: Arrived) -> Any:
        """Wait at a meeting (called in its thread)."""
        self.arrived = call
        self.stopped.release()
        self.go.acquire()
        self.check()
        return self.answer


class Seat:
    """The group as an example sees it."""

    def __init__(self, example: Example) -> None:
        self.example = example

    def meet(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self.example.wait(Arrived(cls, args, kwargs))


class Group:
    """The examples of one call of `vmap`; ``run(k)`` is what the function gives for the ``k``-th."""

    def __init__(self, run: Callable[[int], Any], info: VmapInfo) -> None:
        self.run, self.info = run, info
        self.others: list[Example] = []
        self.outer = together.group
        self.abandoned = False

    def results(self) -> list[Any]:
        """The result of each example."""
        together.group = self
        try:
            first = self.run(0)
            if not self.others:
                return [first, *(self.alone(k) for k in range(1, self.info.batch_size))]
            for other in self.others:
                other.resume()
                if not other.done:
                    assert other.arrived is not None
                    raise RuntimeError(APART.format(other.arrived.cls.__name__))
            return [first, *(other.result for other in self.others)]
        finally:
            together.group = self.outer
            self.abandon()

    def alone(self, number: int) -> Any:
        """An example after the first, which met no custom function."""
        together.group = Late()
        return self.run(number)

    def abandon(self) -> None:
        self.abandoned = True
        for other in self.others:
            while not other.done:
                other.go.release()
                other.stopped.acquire()
            other.thread.join()

    def meet(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The first example calls a custom function: bring the others here, and call its rule."""
        if not self.others:
            self.others = [Example(self, k) for k in range(1, self.info.batch_size)]
        for other in self.others:
            other.resume()
            if other.arrived is None or other.arrived.cls is not cls:
                raise RuntimeError(APART.format(cls.__name__))
        calls = [Arrived(cls, args, kwargs), *(o.arrived for o in self.others if o.arrived)]
        together.group = self.outer
        try:
            parts = self.computed(cls, calls)
        finally:
            together.group = self
        for other, part in zip(self.others, parts[1:], strict=True):
            other.answer = part
        return parts[0]

    def computed(self, cls: Any, calls: list[Arrived]) -> list[Any]:
        """The result of the rule, a part for each example."""
        given, in_dims = [], []
        for values in zip(*(call.args for call in calls), strict=True):
            one = values[0]
            batched = isinstance(one, Tensor) and any(v is not one for v in values)
            in_dims.append(0 if batched else None)
            given.append(stack(list(values)) if batched else one)
        if all(dim is None for dim in in_dims):
            made = cls.apply(*given, **calls[0].kwargs)
            return [made] * len(calls)
        if not cls.has_vmap():
            raise RuntimeError(ABSENT.format(cls.__name__))
        made = cls.vmap(self.info, tuple(in_dims), *given, **calls[0].kwargs)
        if not isinstance(made, tuple) or len(made) != 2:
            raise RuntimeError(
                f"Expected the vmap staticmethod of {cls.__name__} to have two returns, an output and out_dims"
            )
        return split(*made, len(calls))


class Late:
    """The group of an example that comes after the first has met nobody."""

    def meet(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise RuntimeError(APART.format(cls.__name__))


def split(out: Any, out_dims: Any, count: int) -> list[Any]:
    """A batched result in its parts."""
    several = isinstance(out, tuple)
    dims = out_dims if isinstance(out_dims, tuple) else (out_dims,) * (len(out) if several else 1)
    columns = [
        [one] * count if dim is None else list(one.unbind(dim))
        for one, dim in zip(out if several else (out,), dims, strict=True)
    ]
    rows = list(zip(*columns, strict=True))
    return [tuple(row) for row in rows] if several else [row[0] for row in rows]
