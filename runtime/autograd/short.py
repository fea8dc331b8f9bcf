"""Nodes of the commonest operations, and the programs that make and run them.

A program is written for each operation and *case* (which inputs require grad, are numbers, or are
stretched), when it is first needed, from the formulas of ``adjoints_plain.py``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import adjoints, adjoints_plain, linear
from ..rules.book import Rule, book
from .node import accumulator, sequence, stand_in
from .operation import OpNode, plan_of
from .saved_tensors import FREED, Saved
from .watching import seen, watch

__all__ = ["NUMBER", "REQUIRES", "SINGLE", "STRETCHED", "Short", "ShortNode", "short_of"]

GENERAL: Any = adjoints.ADJOINTS
SHAPES: Any = adjoints.SHAPES
PLAIN: Any = adjoints_plain.ADJOINTS

# The bits of a case, for the first input and for the second; the last one: float32, not float64.
REQUIRES, NUMBER, STRETCHED, SINGLE = (1, 2), (4, 8), (16, 32), 64


class Short:
    """An operation of one or two tensors, and what is planned for each case.

    ``plain``: the adjoints of one shape; None where it is not elementwise (the general ones are called).
    """

    __slots__ = ("fn", "name", "parameters", "plain", "records", "rule")

    def __init__(self, fn: Any, name: str, rule: Rule, plain: Any) -> None:
        self.fn, self.name, self.rule, self.plain = fn, name, rule, plain
        self.parameters = rule.own
        self.records: dict[int, Any] = {}

    def record(self, case: int) -> Any:
        """The program ``record(z, inputs, arrays) -> tensor`` of a case."""
        found = self.records.get(case)
        if found is None:
            found = self.records[case] = recording(self, case)
        return found

    def pulls(self, case: int) -> dict[str, Any]:
        """The adjoints of the inputs that require grad."""
        table = GENERAL[key_of(self.rule)] if self.plain is None else self.plain
        return {
            n: table[n] for n, bit in zip(self.parameters, REQUIRES, strict=False) if case & bit
        }


def key_of(rule: Rule) -> str:
    return f"{rule.differential.__module__.rpartition('.')[2]}.{rule.name}"


def parameters_of(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_varnames[: function.__code__.co_argcount])


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


# -- the nodes -----------------------------------------------------------------------------


class ShortNode(OpNode):
    """A node of such an operation.

    ``saved``: arrays as (array, counter, version, source), numbers and stand-ins as they are; where a
    value has hooks it is a list, and the value a `Saved`.  What is alike in all nodes of a case is in
    their class: ``table`` holds the adjoints, ``stretched`` the inputs whose adjoints are summed.
    """

    __slots__ = ("shape",)

    table: Any = None
    stretched: frozenset[str] = frozenset()
    frees = True  # whether more is kept than shapes
    several = False
    __init__ = object.__init__  # made without arguments, and filled by `record`

    @property  # type: ignore[override]
    def outputs(self) -> Any:
        return ((self.shape, self.kind),)

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        c = bars[0]
        if c is None:
            return (None,) * len(self.edges)
        if self.saved is None:
            raise RuntimeError(FREED)
        if not create and not watch.on:
            return self.brief(c, True)
        return self.in_full(c, create)

    def brief(self, c: Any, keep: bool) -> tuple[Any, ...]:
        """The adjoints of the inputs; each class has a program for it."""
        raise NotImplementedError

    def carefully(self, c: Any, keep: bool) -> tuple[Any, ...]:
        """The same where a kept value has to be looked at first."""
        found = self.in_full(c, False)
        if not keep:
            self.release()
        return found

    def in_full(self, c: Any, create: bool) -> tuple[Any, ...]:
        """The adjoints with values that were checked; they may be recorded."""
        from ..tape_follow import evaluate
        from .operation import boxed, tensor

        if self.saved is None:
            raise RuntimeError(FREED)
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
            pull = self.table[name]
            part = evaluate(pull, *[named[n] for n in parameters_of(pull)])
            if name in self.stretched:
                part = evaluate(linear.unbroadcast, part, named[name])
            found.append(tensor(part) if create else part)
        return tuple(found)

    def value(self, k: int) -> Any:
        saved = self.saved[k]
        if type(saved) is tuple:
            self.opened(k).check(self.whence(k))
            return saved[0]
        return super().value(k)

    def opened(self, k: int) -> Any:
        """A kept value in the general form."""
        array, counter, version, source = self.saved[k]
        saved = Saved(array, counter, source)
        saved.version = version
        return saved

    def whence(self, k: int) -> Any:
        saved = self.saved[k]
        return self.whence_of(k, saved[3] if type(saved) is tuple else saved.source)

    def open(self, place: int | None = None) -> None:
        """A kept array in the general form (or all of them), for hooks."""
        self.saved = [
            self.opened(k) if type(s) is tuple and place in (None, k) else s
            for k, s in enumerate(self.saved)
        ]

    def handle(self, name: str) -> Any:
        k = self.position(name)
        if k is not None and self.saved is not None:
            self.open(k)
        return super().handle(name)

    def release(self) -> None:
        if self.saved and self.frees:
            self.saved = None


# -- the programs ----------------------------------------------------------------------------


def recording(short: Short, case: int) -> Any:
    """The program that makes the result and its node, for one case."""
    keep = kept(short, case)
    kind = node_class(short, case, keep)
    inputs = "xy"[: len(short.parameters)]
    edges = [
        f"({x}_fn, {x}._nr) if {x}_fn is not None else (accumulator({x}), 0)"
        if case & bit
        else "None"
        for x, bit in zip(inputs, REQUIRES, strict=False)
    ]
    nodes = [
        f"    {x}_fn = {x}._grad_fn\n"
        for x, bit in zip(inputs, REQUIRES, strict=False)
        if case & bit
    ]
    items, before = [], []
    for name, shape_only in keep.items():
        if name == "z":
            items.append("stand_in(z)" if shape_only else "(z, counter, 0, None)")
            continue
        k = short.parameters.index(name)
        x, a = "xy"[k], "ab"[k]
        if case & NUMBER[k]:
            items.append(a)
        elif shape_only:
            items.append(f"stand_in({a})")
        else:
            before.append(f"    {x}_counter = {x}._counter\n")
            items.append(f"({a}, {x}_counter, {x}_counter[0], {x})")
    text = f"""
def record(z, {", ".join(inputs)}, {", ".join("ab"[: len(inputs)])}):
    node = Kind()
    node.seq = next(sequence)
    node.more = None
    node.shape = z.shape
    counter = [0]
{"".join(nodes)}{"".join(before)}\
    node.edges = {tupled(edges)}
    node.saved = {tupled(items)}
    made = new(Tensor)
    made._array, made._counter, made._grad_fn, made._nr, made._requires = z, counter, node, 0, True
    made._grad = made._view = made._more = made._accumulator = None
    return made
"""
    from ..tensor.tensor import Tensor

    scope = {
        "Kind": kind,
        "Tensor": Tensor,
        "accumulator": accumulator,
        "new": object.__new__,
        "sequence": sequence,
        "stand_in": stand_in,
    }
    exec(text, scope)
    return scope["record"]


def tupled(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def kept(short: Short, case: int) -> dict[str, bool]:
    """What the adjoints of a case read, and whether only for its shape."""
    reads: dict[str, bool] = {}
    for name, pull in short.pulls(case).items():
        shapes = SHAPES.get(pull.__name__, ()) if short.plain is None else ()
        for read in parameters_of(pull):
            if read != "c":
                reads[read] = reads.get(read, True) and read in shapes
        if name in stretched(short, case):
            reads.setdefault(name, True)
    return reads


def stretched(short: Short, case: int) -> frozenset[str]:
    return frozenset(n for n, bit in zip(short.parameters, STRETCHED, strict=False) if case & bit)


def node_class(short: Short, case: int, keep: dict[str, bool]) -> Any:
    """The class of the nodes of a case, with the program of their way back."""
    table = short.pulls(case)
    members = {
        "__module__": __name__,
        "__slots__": (),
        "frees": not all(keep.values()),
        "kind": np.dtype(np.float32 if case & SINGLE else np.float64),
        "plan": plan_of(short.rule, tuple(table))._replace(keep=tuple(keep.items())),
        "rule": short.rule,
        "stretched": stretched(short, case),
        "table": table,
        "targets": tuple((n, ()) for n in short.parameters),
    }
    members["brief"] = going_back(short, case, keep, members["frees"])
    return type(short.name, (ShortNode,), members)


def going_back(short: Short, case: int, keep: dict[str, bool], frees: Any) -> Any:
    """The program ``brief(node, c, keep)``: the adjoints of the inputs, if what was saved is unchanged."""
    order, table = list(keep), short.pulls(case)
    parts, checks = [], []
    scope: dict[str, Any] = {"unbroadcast": linear.unbroadcast}
    values = {}
    for k, (name, shape_only) in enumerate(keep.items()):
        number = name != "z" and case & NUMBER[short.parameters.index(name)]
        if number or shape_only:
            parts.append(f"v{k}")
        else:
            parts.append(f"(v{k}, n{k}, m{k}, s{k})")
            checks.append(
                f"n{k}[0] != m{k}" + (f" or s{k}._more is not None" if name != "z" else "")
            )
        values[name] = f"v{k}"
    calls = []
    for name in short.parameters:
        if name not in table:
            calls.append("None")
            continue
        scope[f"pull_{name}"] = table[name]
        call = f"pull_{name}({', '.join('c' if r == 'c' else values[r] for r in parameters_of(table[name]))})"
        calls.append(
            f"unbroadcast({call}, {values[name]})" if name in stretched(short, case) else call
        )
    text = "def brief(self, c, keep):\n"
    if order:
        test = f"\n    {tupled(parts)} = saved\n" + (
            f"    if {' or '.join(checks)}:\n        return self.carefully(c, keep)\n"
            if checks
            else ""
        )
        text += "    saved = self.saved\n    if type(saved) is not tuple:\n"
        text += f"        return self.carefully(c, keep){test}"
    if frees:
        text += "    if not keep:\n        self.saved = None\n"
    exec(f"{text}    return {tupled(calls)}\n", scope)
    return scope["brief"]
