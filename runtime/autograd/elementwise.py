"""The short way for the commonest operations: elementwise, on real tensors of one shape and type.

What `operation` does in general is done here with the formulas of ``adjoints_plain.py`` and a program
for each operation and choice of inputs, written when it is first needed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import adjoints, adjoints_plain
from ..rules.book import Rule, book
from .anomaly_mode import anomaly, remember
from .grad_mode import modes
from .kinks import STEPWISE, stepwise
from .node import accumulator, sequence, stand_in
from .operation import OpNode, Plan, plan_of
from .saved_tensors import FREED, Saved
from .watching import seen, watch

__all__ = ["Short", "ShortNode", "short_of"]

GENERAL: Any = adjoints.ADJOINTS
SHAPES: Any = adjoints.SHAPES
PLAIN: Any = adjoints_plain.ADJOINTS


class Short:
    """An operation of one or two tensors: its function and rule, and what is planned for each case.

    A case is a number: bits 0 and 1 say which inputs require grad, ``STRETCHED`` that their shapes
    differ (or that the operation is not elementwise): then the general adjoints are called.
    """

    __slots__ = ("fn", "name", "parameters", "plain", "plans", "rule")

    def __init__(self, fn: Any, name: str, rule: Rule, plain: Any) -> None:
        self.fn, self.name, self.rule, self.plain = fn, name, rule, plain
        self.parameters = rule.own
        self.plans: dict[int, ShortPlan] = {}

    def plan(self, case: int) -> ShortPlan:
        found = self.plans.get(case)
        if found is None:
            found = self.plans[case] = ShortPlan(self, case)
        return found


STRETCHED = 4
LASTING = {"ScaleBackward0"}  # a multiple keeps its factor only: it may run again


class ShortPlan:
    """For one case: the class of its nodes, and which values they keep (and of which the shape only)."""

    __slots__ = ("general", "keep", "kind", "targets")

    def __init__(self, short: Short, case: int) -> None:
        names = tuple(n for k, n in enumerate(short.parameters) if case >> k & 1)
        whole = GENERAL[key_of(short.rule)] if case & STRETCHED else short.plain
        table = {n: whole[n] for n in names}
        reads: dict[str, bool] = {}
        for pull in table.values():
            shapes = SHAPES.get(pull.__name__, ()) if case & STRETCHED else ()
            for read in parameters_of(pull):
                if read != "c":
                    reads[read] = reads.get(read, True) and read in shapes
        if short.name == "DivBackward0" and case & 2:
            reads["x"] = False  # not read, but torch does: it may not be written to
        self.keep = tuple(
            (-1 if n == "z" else short.parameters.index(n), s) for n, s in reads.items()
        )
        self.general: Plan = plan_of(short.rule, names)._replace(keep=tuple(reads.items()))
        self.targets = tuple((n, ()) for n in short.parameters)
        self.kind = short_class(short, table, tuple(reads))
        self.kind.frees = not all(reads.values()) and short.name not in LASTING


def key_of(rule: Rule) -> str:
    return f"{rule.differential.__module__.rpartition('.')[2]}.{rule.name}"


def parameters_of(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_varnames[: function.__code__.co_argcount])


class ShortNode(OpNode):
    """A node of an elementwise operation; ``saved`` are tuples (array, counter, version, source)."""

    __slots__ = ()

    pulls: Any = None
    table: Any = None
    frees = True  # whether more is kept than shapes

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        saved, c = self.saved, bars[0]
        if c is None:
            return (None,) * len(self.edges)
        if saved is None:
            raise RuntimeError(FREED)
        if self.more is not None:
            self.check_guards()
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
        if create and type(self).__name__ in STEPWISE:
            return stepwise(self, found)
        return tuple(found)

    def counter(self, k: int) -> Any:
        saved = self.saved[k]
        return saved[1] if type(saved) is tuple else super().counter(k)

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
        if (self.saved and self.frees) or (self.more is not None and self.more.get("guards")):
            self.saved = None


def short_class(short: Short, table: dict[str, Any], keep: tuple[str, ...]) -> Any:
    """The class of the nodes, with a program that calls the adjoints of the active inputs."""
    calls = []
    scope: dict[str, Any] = {}
    for name in short.parameters:
        if name not in table:
            calls.append("None")
            continue
        scope[f"pull_{name}"] = table[name]
        reads = ["c" if r == "c" else f"s[{keep.index(r)}][0]" for r in parameters_of(table[name])]
        calls.append(f"pull_{name}({', '.join(reads)})")
    exec(f"def pulls(c, s): return ({', '.join(calls)},)", scope)
    members = {
        "pulls": staticmethod(scope["pulls"]),
        "table": table,
        "__slots__": (),
        "__module__": __name__,
    }
    return type(short.name, (ShortNode,), members)


@cache
def short_of(fn: Any, name: str) -> Short | None:
    """The operation, if its rule is one of those with plain adjoints."""
    rule = book.rules.get(fn)
    if rule is None:
        return None
    if fn is np.matmul:
        return Short(fn, name, rule, None)
    known = PLAIN.get(key_of(rule))
    if known is None or set(known) != set(rule.own):
        return None
    return Short(fn, name, rule, known)


FLOATS = {np.dtype(np.float32), np.dtype(np.float64)}


def unary(short: Short, x: Any, fresh: Any) -> Any:
    """One tensor; None where this is not the way."""
    array = x._array
    if array.dtype not in FLOATS or x._more is not None or modes.inference or watch.on:
        return None
    if x._view is not None and is_stale(x):
        return None
    z = short.fn(array)
    if type(z) is not np.ndarray:
        z = np.asarray(z)
    made = fresh(z)
    if modes.grad and x._requires:
        record(short, 1, made, (array,), (x,))
    return made


def is_stale(view: Any) -> bool:
    """Whether the history of a view has to be looked at before it is used."""
    info = view._view
    return bool(info.version != view._counter[0] or (not view._requires and info.base._requires))


def binary(short: Short, x: Any, y: Any, Tensor: Any, fresh: Any) -> Any:
    """Two tensors, or a tensor and a Python number; None where this is not the way."""
    case = 0
    kind = shape = None
    if type(x) is Tensor:
        a = x._array
        kind, shape = a.dtype, a.shape
        if x._more is not None or (x._view is not None and is_stale(x)):
            return None
        if x._requires:
            case = 1
    elif type(x) is float or type(x) is int:
        a = x
    else:
        return None
    if type(y) is Tensor:
        b = y._array
        if y._more is not None or (y._view is not None and is_stale(y)):
            return None
        if kind is None:
            kind = b.dtype
        elif b.dtype is not kind and b.dtype != kind:
            return None
        elif b.shape != shape:
            case |= STRETCHED
        if y._requires:
            case |= 2
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
    if case & 3 and modes.grad:
        record(short, case if short.plain is not None else case | STRETCHED, made, (a, b), (x, y))
    return made


def record(
    short: Short, case: int, made: Any, arrays: tuple[Any, ...], inputs: tuple[Any, ...]
) -> None:
    """Give the result its node."""
    plan = short.plans.get(case) or short.plan(case)
    node = object.__new__(plan.kind)
    node.seq = next(sequence)
    node.more = None
    node.rule, node.plan, node.targets, node.several = short.rule, plan.general, plan.targets, False
    z = made._array
    node.outputs = ((z.shape, z.dtype),)
    edges: list[Any] = []
    bit = 1
    for x in inputs:
        if case & bit:
            edges.append((x._grad_fn, x._nr) if x._grad_fn is not None else (accumulator(x), 0))
        else:
            edges.append(None)
        bit <<= 1
    node.edges = tuple(edges)
    saved = []
    for k, shape_only in plan.keep:
        if shape_only:
            value = z if k < 0 else arrays[k]
            saved.append(
                (stand_in(value) if isinstance(value, np.ndarray) else value, None, 0, None)
            )
            continue
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
