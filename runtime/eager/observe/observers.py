"""Tells profilers of every operation, node and label, through the sinks of the running thread.

``watch.on`` is all that an operation reads when nobody watches.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from ...objects.pytree import map_operands
from ...tape.box import Box
from ..graph.grad_mode import ask, modes
from ..graph.node import AccumulateGrad, peek
from ..stacks import carried

__all__ = [
    "BACKWARD",
    "EVALUATION",
    "FORWARD",
    "USER",
    "Happening",
    "Sink",
    "factory",
    "happening",
    "leave",
    "recorded",
    "running_through",
    "seen",
    "unseen",
    "watch",
    "watched_call",
    "watched_run",
    "watching",
]

EVALUATION = "autograd::engine::evaluate_function: "  # what begins so is around the run of a node
FORWARD, BACKWARD, USER = 0, 1, 7  # the scopes of events
NAMES = {
    "multiply": "mul", "subtract": "sub", "divide": "div", "true_divide": "div", "negative": "neg",
    "power": "pow", "absolute": "abs", "matmul": "mm", "positive": "clone", "broadcast_to": "expand",
    "concatenate": "cat", "getitem": "index", "astype": "_to_copy", "reshape": "view", "transpose": "permute",
    "swapaxes": "transpose", "add.reduce": "sum", "multiply.reduce": "prod", "maximum.reduce": "amax",
    "minimum.reduce": "amin", "unsafe_view": "matmul", "to_copy": "_to_copy", "reduce": "sum",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "conjugate": "conj_physical", "dot": "mm",
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
    "zeros_like": "zeros_like", "expand_dims": "unsqueeze", "copyto": "copy_", "ascontiguousarray": "contiguous",
}  # fmt: skip


QUESTIONS = (np.shape, np.ndim, np.size, np.iscomplexobj)  # what computes nothing


class Happening:
    """One operation while it runs: ``number`` is that of the node it makes, or was made with."""

    __slots__ = ("inputs", "made", "name", "number", "scope")

    def __init__(self, name: str, inputs: Any, number: int, scope: int) -> None:
        self.name, self.inputs, self.number, self.scope = name, inputs, number, scope
        self.made: Any = None

    def sizes(self) -> list[list[int]]:
        """The shapes of the inputs as received; ``[]`` for what is no tensor."""
        return [list(getattr(x, "shape", ())) for x in self.inputs]


class Sink(Protocol):
    """Somebody who is told when something begins and ends."""

    def begin(self, what: Happening) -> None: ...

    def end(self, what: Happening) -> None: ...


class Watch:
    """``on``: how many sinks there are, in all threads."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = 0


class Mine(threading.local):
    """The sinks of a thread, who runs its operations, and the number that was told of the running one."""

    sinks: tuple[Sink, ...] = ()
    number = -1
    runners: tuple[Any, ...] = ()


watch = Watch()
mine = Mine()
carried.append(mine)
guard = threading.Lock()


def watching(sink: Sink) -> None:
    """Tell a sink of what happens in this thread, from now on."""
    mine.sinks = (*mine.sinks, sink)
    with guard:
        watch.on += 1
    ask(1)


def leave(sink: Sink) -> None:
    """Tell it no more."""
    mine.sinks = tuple(other for other in mine.sinks if other is not sink)
    with guard:
        watch.on -= 1
    ask(-1)


@contextmanager
def running_through(runner: Callable[..., Any]) -> Iterator[None]:
    """Operations of this thread are run by ``runner(name, run, fn, args, kwargs)``, where ``run(fn)`` is the call."""
    before = mine.runners
    mine.runners = (*before, runner)
    with guard:
        watch.on += 1
    ask(1)
    try:
        yield
    finally:
        mine.runners = before
        with guard:
            watch.on -= 1
        ask(-1)


@contextmanager
def happening(name: str, inputs: Any, number: int, scope: int = FORWARD) -> Iterator[Happening]:
    """Tell the sinks that something begins and ends."""
    what, sinks, around = Happening(name, inputs, number, scope), mine.sinks, mine.number
    mine.number = number
    for sink in sinks:
        sink.begin(what)
    try:
        yield what
    finally:
        mine.number = around
        for sink in reversed(sinks):
            sink.end(what)


# -- operations ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def named(called: str) -> str:
    """``MulBackward0``, ``multiply``: the operation's name among torch's."""
    title = re.fullmatch(r"(\w+?)Backward\d*", called)
    if title is not None:
        called = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", title[1]).lower()
    return f"aten::{NAMES.get(called, called)}"


def name_of(fn: Any) -> str:
    owner = getattr(fn, "__self__", None)
    own = str(getattr(fn, "__name__", type(fn).__name__))
    return f"{owner.__name__}.{own}" if isinstance(owner, np.ufunc) else own


def next_number() -> int:
    """The number the node of an operation gets, -1 where none is recorded."""
    return peek() if modes.grad and not modes.inference else -1


def watched_call(
    run: Callable[..., Any],
    fn: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    name: str | None,
) -> Any:
    """``run(fn, args, kwargs, name)``, seen."""
    for runner in mine.runners:
        run = through(runner, run, named(name or name_of(fn)))
    if not mine.sinks:
        return run(fn, args, kwargs, name)
    inputs = (*(args[0] if args and isinstance(args[0], list) else args[:1]), *args[1:])
    with happening(named(name or name_of(fn)), inputs, next_number()) as what:
        what.made = run(fn, args, kwargs, name)
    return what.made


def through(runner: Callable[..., Any], run: Callable[..., Any], called: str) -> Callable[..., Any]:
    """A call that is run by somebody."""
    return lambda fn, args, kwargs, name: runner(
        called, lambda fn: run(fn, args, kwargs, name), fn, args, kwargs
    )


def factory(name: str, make: Callable[..., Any]) -> Callable[..., Any]:
    """A function that makes tensors, seen as two: ``ones`` has an ``empty`` in it."""

    @functools.wraps(make)
    def seen_making(*args: Any, **kwargs: Any) -> Any:
        if not watch.on or not mine.sinks:
            return make(*args, **kwargs)
        if name == "empty":
            with happening("aten::empty", args, -1) as what:
                what.made = make(*args, **kwargs)
            return what.made
        with happening(f"aten::{name}", args, -1), happening("aten::empty", (), -1) as what:
            what.made = make(*args, **kwargs)
        return what.made

    return seen_making


def recorded(op: Any, inputs: Any, record: Callable[[], Any]) -> Any:
    """``record()``, which makes the node of an operation; seen, unless the operation was as it ran."""
    if not watch.on or not mine.sinks or mine.number == (number := next_number()):
        return record()
    with happening(named(name_of(op)), inputs, number) as what:
        what.made = record()
    return what.made


# -- the way back ----------------------------------------------------------------------------


class Watched(np.ndarray):
    """An array in the formula of an adjoint: what NumPy computes with it is seen."""

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        fn = ufunc if method == "__call__" else getattr(ufunc, method)
        return told(fn, args, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return told(func, args, kwargs)


def told(fn: Any, args: Any, kwargs: Any) -> Any:
    plain_args, plain_kwargs = map_operands(unseen, args), map_operands(unseen, kwargs)
    if not mine.sinks or fn in QUESTIONS:
        return fn(*plain_args, **plain_kwargs)
    with happening(named(name_of(fn)), plain_args, next_number()) as what:
        what.made = fn(*plain_args, **plain_kwargs)
    if isinstance(what.made, np.generic):
        return np.asarray(what.made).view(Watched)
    return map_operands(seen, what.made)


def seen(value: Any) -> Any:
    """A value whose operations are seen."""
    if type(value) is np.ndarray:
        return value.view(Watched)
    if type(value) is Box and type(value._value) is np.ndarray:
        value._value = value._value.view(Watched)
    return value


def unseen(value: Any) -> Any:
    """The array itself."""
    return np.asarray(value) if type(value) is Watched else value


def watched_run(node: Any, bars: list[Any], create: bool) -> tuple[Any, ...]:
    """A node that is run, seen."""
    if not mine.sinks:
        return tuple(node.run(bars, create))
    number = -1 if type(node) is AccumulateGrad else node.seq
    inputs = [bar for bar in bars if bar is not None]
    with (
        happening(f"{EVALUATION}{node.name()}", inputs, number, BACKWARD),
        happening(node.name(), inputs, number, BACKWARD),
    ):
        return tuple(unseen(part) for part in node.run(bars, create))
