"""The short way for the commonest operations: elementwise, on real tensors of one shape and type.

What `operation` does in general is done here with the formulas of ``adjoints_plain.py`` and a program
for each operation and choice of inputs, written when it is first needed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..adjoints_plain import ADJOINTS
from ..rules.book import book
from .anomaly_mode import anomaly, remember
from .grad_mode import modes
from .node import accumulator, sequence
from .operation import OpNode, Plan, plan_of
from .saved_tensors import FREED, Saved
from .watching import seen, watch

__all__ = ["Short", "short_of"]

TABLE: Any = ADJOINTS


class Short:
    """An elementwise operation: its function and rule, and what is planned for each choice of inputs."""

    __slots__ = ("fn", "name", "parameters", "plans", "rule", "table")

    def __init__(self, fn: Any, name: str) -> None:
        self.fn, self.name, self.rule = fn, name, book.rules[fn]
        family = self.rule.differential.__module__.rpartition(".")[2]
        self.table = TABLE[f"{family}.{self.rule.name}"]
        self.parameters = self.rule.own
        self.plans: dict[int, ShortPlan] = {}

    def plan(self, active: int) -> ShortPlan:
        found = self.plans.get(active)
        if found is None:
            found = self.plans[active] = ShortPlan(self, active)
        return found


class ShortPlan:
    """For one choice of inputs: the class of its nodes, and which values they keep."""

    __slots__ = ("general", "keep", "kind", "targets")

    def __init__(self, short: Short, active: int) -> None:
        names = [n for k, n in enumerate(short.parameters) if active >> k & 1]
        reads = {n: parameters_of(short.table[n]) for n in names}
        keep = list(dict.fromkeys(r for n in names for r in reads[n] if r != "c"))
        self.keep = tuple(-1 if n == "z" else short.parameters.index(n) for n in keep)
        self.general: Plan = plan_of(short.rule, tuple(names))._replace(
            keep=tuple((n, False) for n in keep)
        )
        self.targets = tuple((n, ()) for n in short.parameters)
        self.kind = short_class(short, tuple(names), tuple(keep))


def parameters_of(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_varnames[: function.__code__.co_argcount])


class ShortNode(OpNode):
    """A node of an elementwise operation; ``saved`` are tuples (array, counter, version, source)."""

    __slots__ = ()

    pulls: Any = None
    table: Any = None

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        saved, c = self.saved, bars[0]
        if c is None:
            return (None,) * len(self.edges)
        if saved is None:
            raise RuntimeError(FREED)
        for k, one in enumerate(saved):
            if type(one) is not tuple:
                return self.in_full(c, create)
            if one[1] is not None and (
                one[1][0] != one[2] or (one[3] is not None and one[3]._more is not None)
            ):
                self.value(k)
        if create or watch.on:
            return self.in_full(c, create)
        return self.pulls(c, saved)  # type: ignore[no-any-return]

    def in_full(self, c: Any, create: bool) -> tuple[Any, ...]:
        """By the general formulas, which may be recorded."""
        from ..tape_follow import evaluate
        from .operation import boxed, tensor

        values: list[Any] = [self.value(k) for k in range(len(self.saved))]
        if create:
            values, c = [self.boxed(k, v) for k, v in enumerate(values)], boxed(c)
        if watch.on:
            values, c = [seen(v) for v in values], seen(c)
        named = dict(zip((n for n, _ in self.plan.keep), values, strict=True), c=c)
        found: list[Any] = []
        for edge, (name, _) in zip(self.edges, self.targets, strict=True):
            if edge is None:
                found.append(None)
                continue
            pull = type(self).table[name]
            part = evaluate(pull, *[named[n] for n in parameters_of(pull)])
            found.append(tensor(part) if create else part)
        return tuple(found)

    def value(self, k: int) -> Any:
        return self.general(k).unpacked()

    def general(self, k: int) -> Saved:
        """A kept value in the general form, once it was checked."""
        saved = self.saved[k]
        if type(saved) is tuple:
            array, counter, version, source = saved
            saved = Saved(array, counter, source)
            saved.version = version
            self.saved = (*self.saved[:k], saved, *self.saved[k + 1 :])
            saved.check(self.whence(k))
            self.saved = (*self.saved[:k], (array, counter, version, source), *self.saved[k + 1 :])
        else:
            saved.check(self.whence(k))
        return saved  # type: ignore[no-any-return]

    def handle(self, name: str) -> Any:
        k = self.position(name)
        if k is not None and self.saved is not None and type(self.saved[k]) is tuple:
            array, counter, version, source = self.saved[k]
            kept = Saved(array, counter, source)
            kept.version = version
            self.saved = (*self.saved[:k], kept, *self.saved[k + 1 :])
        return super().handle(name)

    def release(self) -> None:
        if self.saved:
            self.saved = None


def short_class(short: Short, active: tuple[str, ...], keep: tuple[str, ...]) -> Any:
    """The class of the nodes, with a program that calls the adjoints of the active inputs."""
    calls = []
    scope: dict[str, Any] = {}
    for name in short.parameters:
        if name not in active:
            calls.append("None")
            continue
        pull = short.table[name]
        scope[f"pull_{name}"] = pull
        reads = ["c" if r == "c" else f"s[{keep.index(r)}][0]" for r in parameters_of(pull)]
        calls.append(f"pull_{name}({', '.join(reads)})")
    exec(f"def pulls(c, s): return ({', '.join(calls)},)", scope)
    members = {
        "__slots__": (),
        "pulls": staticmethod(scope["pulls"]),
        "table": short.table,
        "__module__": __name__,
    }
    return type(short.name, (ShortNode,), members)


@cache
def short_of(fn: Any, name: str) -> Short | None:
    """The operation, if its rule is one of those with plain adjoints."""
    rule = book.rules.get(fn)
    if rule is None:
        return None
    family = rule.differential.__module__.rpartition(".")[2]
    known = TABLE.get(f"{family}.{rule.name}")
    if known is None or set(known) != set(rule.own):
        return None
    return Short(fn, name)


FLOATS = {np.dtype(np.float32), np.dtype(np.float64)}


def unary(short: Short, x: Any, fresh: Any) -> Any:
    """One tensor; None where this is not the way."""
    array = x._array
    if (
        array.dtype not in FLOATS
        or x._view is not None
        or modes.inference
        or x._more is not None
        or watch.on
    ):
        return None
    z = short.fn(array)
    if type(z) is not np.ndarray:
        z = np.asarray(z)
    made = fresh(z)
    if modes.grad and x._requires:
        record(short, 1, made, (array,), (x,))
    return made


def binary(short: Short, x: Any, y: Any, Tensor: Any, fresh: Any) -> Any:
    """Two tensors, or a tensor and a Python number; None where this is not the way."""
    active = 0
    if type(x) is Tensor:
        a = x._array
        kind, shape = a.dtype, a.shape
        if x._view is not None or x._more is not None:
            return None
        if x._requires:
            active = 1
    elif type(x) is float or type(x) is int:
        a, kind = x, None
    else:
        return None
    if type(y) is Tensor:
        b = y._array
        if y._view is not None or y._more is not None:
            return None
        if kind is None:
            kind = b.dtype
        elif (b.dtype is not kind and b.dtype != kind) or b.shape != shape:
            return None
        if y._requires:
            active |= 2
    elif type(y) is float or type(y) is int:
        b = y
    else:
        return None
    if kind not in FLOATS or modes.inference or watch.on:
        return None
    z = short.fn(a, b)
    if type(z) is not np.ndarray:
        z = np.asarray(z)
    made = fresh(z)
    if active and modes.grad:
        record(short, active, made, (a, b), (x, y))
    return made


def record(
    short: Short, active: int, made: Any, arrays: tuple[Any, ...], inputs: tuple[Any, ...]
) -> None:
    """Give the result its node."""
    plan = short.plans.get(active) or short.plan(active)
    node = object.__new__(plan.kind)
    node.seq = next(sequence)
    node.more = None
    node.rule, node.plan, node.targets, node.several = short.rule, plan.general, plan.targets, False
    z = made._array
    node.outputs = ((z.shape, z.dtype),)
    edges: list[Any] = []
    bit = 1
    for x in inputs:
        if active & bit:
            edges.append((x._grad_fn, x._nr) if x._grad_fn is not None else (accumulator(x), 0))
        else:
            edges.append(None)
        bit <<= 1
    node.edges = tuple(edges)
    saved = []
    for k in plan.keep:
        if k < 0:
            saved.append((z, made._counter, 0, None))
            continue
        x = inputs[k]
        counter = getattr(x, "_counter", None)
        saved.append(
            (
                arrays[k],
                counter,
                counter[0] if counter is not None else 0,
                x if counter is not None else None,
            )
        )
    node.saved = tuple(saved)
    made._grad_fn, made._requires = node, True
    if modes.pack is not None:
        from .keeping import pack

        opened(node)
        pack(node)
    if anomaly.enabled:
        remember(node)


def opened(node: Any) -> None:
    """The kept values in the general form, for hooks."""
    made: list[Any] = []
    for array, counter, version, source in node.saved:
        if not isinstance(array, np.ndarray):
            made.append((array, counter, version, source))
            continue
        saved = Saved(array, counter, source)
        saved.version = version
        made.append(saved)
    node.saved = tuple(made)
