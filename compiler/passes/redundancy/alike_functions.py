"""Functions that are alike but for the module's lists and arrays in them: one, which is given these.

>>> from tests.before_after import with_callees
>>> with_callees('''
... LOW, HIGH = [0.5, 2.0], [0.25, 3.0]
...
... def height(x, c):
...     s = x * c[0]
...     return s * s + c[1]
...
... def f(x):
...     return height(x, LOW) * height(2.0 * x, HIGH)
... ''', "x: float", unite)
def height(x):
    s = x * LOW[0]
    return s * s + LOW[1]
def height_2(x):
    s = x * HIGH[0]
    return s * s + HIGH[1]
def f(x):
    return height(x) * height_2(2.0 * x)
# becomes
def height(x, c):
    s = x * c[0]
    return s * s + c[1]
def f(x):
    return height(x, LOW) * height(2.0 * x, HIGH)

A container is known while a function is lowered: its length may decide, and its items have their types.
Where two of them lead to the same operations on the same types, it did not matter which one it was.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from math import inf
from typing import Any, NamedTuple

from retrograd.runtime.arrays.transfers import is_plain_array
from retrograd.runtime.rules.book import book

from ...analyses.shapes.infer import type_of
from ...ir.containers import Pack
from ...ir.facts import Facts
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    callees_of,
    operands_of,
    walk,
)
from ...ir.types import rename

__all__ = ["unite"]

OF_VALUES = ("hint", "bar", "soft", "made", "exact", "again", "hidden", "partial", "sparse")
OF_CALLS = [each.name for each in fields(Facts) if each.name != "given"]
BY_EQUALITY = (types.MethodType, types.BuiltinMethodType)  # another object each time they are read
Group = list[Function]


class United(NamedTuple):
    """The function that is called in place of one, and the containers that it is given beside its arguments."""

    function: Function
    given: tuple[Const, ...]


def unite(functions: list[Function]) -> set[Function]:
    """Call one of the functions that are alike in place of all of them; those that nobody calls any more.

    The first of ``functions`` is the one that is differentiated.  It stays what it is, as do functions
    with a derivative of their own, and those that an operation takes as an argument.
    """
    fixed = {functions[0], *handed_on(functions)}
    for function in functions:
        if function.facts.custom is not None:
            fixed |= {function, *functions_of(function.facts.custom)}
    united: dict[Function, United] = {}
    for level in by_height(functions):
        for function in level:
            call_united(function, united)
        for group in groups([f for f in level if f not in fixed]):
            united |= united_group(group)
    return {f for f, made in united.items() if f is not made.function}


def call_united(function: Function, united: dict[Function, United]) -> None:
    for op in walk(function.body):
        if isinstance(op, Call) and op.callee in united:
            made = united[op.callee]
            op.callee, op.args = made.function, (*op.args, *made.given)


def united_group(group: Group) -> dict[Function, United]:
    """Give the first of some functions that are alike a parameter for what is not the same in all of them."""
    first = group[0]
    held = [containers_of(function) for function in group]
    read = containers_of(first)
    params: dict[tuple[int, ...], Value] = {}
    given: list[int] = []
    for k, column in enumerate(zip(*held, strict=True)):
        objects = tuple(id(const.value) for const in column)
        if len({*objects}) > 1:
            if objects not in params:
                params[objects] = parameter(first, column[0])
                given.append(k)
            read[k] = params[objects]
    first.body.params += params.values()
    first.names += tuple(str(p.hint) for p in params.values())
    put_containers(first, read)
    return {
        f: United(first, tuple(own[k] for k in given)) for f, own in zip(group, held, strict=True)
    }


def parameter(function: Function, const: Const) -> Value:
    """The parameter for a container: by the name that the user's function has for it."""
    names = (name for name, value in function.facts.given.items() if value is const.value)
    return Value(next(names, "items"), type_of(const))


# -- containers of the module ---------------------------------------------------------------------


def places(op: Op) -> list[int]:
    """Which arguments of an operation are containers of the module, any of which would do."""
    if isinstance(op, Call):
        return [k for k, arg in enumerate(op.args) if isinstance(arg, Const) and holds(arg.value)]
    if not isinstance(op, Apply) or not any(isinstance(arg, Const) for arg in op.args):
        return []
    if op.fn is operator.getitem:
        whole = op.args[0]
        return [0] if isinstance(whole, Const) and holds(whole.value) else []
    ruled = getattr(type(op.fn), "__hash__", None) is not None and op.fn in book.rules
    return [
        k
        for k, arg in enumerate(op.args)
        if ruled and isinstance(arg, Const) and is_data(arg.value)
    ]


def holds(value: Any) -> bool:
    return type(value) in (list, tuple, dict) or is_data(value)


def is_data(value: Any) -> bool:
    """True of an array to compute with: one of whole numbers may say which axes or items are meant."""
    return is_plain_array(value) and value.dtype.kind in "fc"


def containers_of(function: Function) -> list[Any]:
    return [operands_of(op)[k] for op in walk(function.body) for k in places(op)]


def put_containers(function: Function, items: list[Operand]) -> None:
    """Other operands in place of the containers of a function, in the order of `containers_of`."""
    left = iter(items)
    for op in walk(function.body):
        if found := places(op):
            assert isinstance(op, (Apply, Call))
            args = list(op.args)
            for k in found:
                args[k] = next(left)
            op.args = tuple(args)


# -- which functions are alike --------------------------------------------------------------------


def handed_on(functions: Iterable[Function]) -> Iterator[Function]:
    """The functions that are arguments of an operation."""
    for function in functions:
        for op in walk(function.body):
            if isinstance(op, Apply):
                yield from callees_of(op)


def functions_of(rule: Any) -> Iterator[Function]:
    """The functions of a derivative that a function has of its own: they are called by that, and seen nowhere else."""
    for part in vars(rule).values():
        if isinstance(part, Function):
            yield part
        elif is_dataclass(part) and not isinstance(part, type):
            yield from functions_of(part)


def by_height(functions: Iterable[Function]) -> list[list[Function]]:
    """Functions that call none, those that call these, and so on; last those that may call themselves."""
    heights: dict[Function, float] = {}

    def height(function: Function) -> float:
        if function not in heights:
            heights[function] = inf  # as long as it is not known: it calls itself
            called = [height(f) for op in walk(function.body) for f in callees_of(op)]
            heights[function] = 1 + max(called, default=-1)
        return heights[function]

    levels: dict[float, list[Function]] = {}
    for function in functions:
        levels.setdefault(height(function), []).append(function)
    return [levels[level] for level in sorted(levels)]


def groups(functions: list[Function]) -> Iterator[Group]:
    """Those among some functions of one height that are alike."""
    of_source: dict[Any, Group] = {}
    for function in functions:
        of_source.setdefault((id(function.source), function.name), []).append(function)
    for same in of_source.values():
        alike: dict[Hashable, Group] = {}
        for function in same if len(same) > 1 else ():
            alike.setdefault(Form(function).key(), []).append(function)
        yield from (group for group in alike.values() if len(group) > 1)


class Form:
    """All that there is to a function, but for its containers of the module; values and sizes by number."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.numbers: dict[Value, int] = {}
        self.sizes: dict[str, str] = {}
        self.tokens: list[Any] = []

    def key(self) -> Hashable:
        function, add = self.function, self.tokens.append
        add((function.names, function.doc, *((n, id(v)) for n, v in function.defaults.items())))
        self.tree(function.tree)
        add(tuple(repr(getattr(function.facts, name)) for name in OF_CALLS))
        add(tuple((name, id(value)) for name, value in function.captures.items()))
        self.block(function.body)
        found = tuple(self.tokens)
        try:
            hash(found)
        except TypeError:  # something in it has no equals
            return id(function)
        return found

    def tree(self, tree: Any) -> None:
        """How the results are packed."""
        if isinstance(tree, Pack):
            self.tokens.append((tree.kind, *tree.keys))
            for item in tree.items:
                self.tree(item)
        else:
            self.tokens.append(tree)

    def block(self, block: Block) -> None:
        self.define(block.params)
        for op in block.ops:
            self.op(op)
        self.operand(block.yields)

    def define(self, values: Iterable[Value]) -> None:
        for v in values:
            kind = rename(v.type, lambda name: self.sizes.setdefault(name, f"d{len(self.sizes)}"))
            self.numbers[v] = len(self.numbers)
            self.tokens.append((kind, v.loc, *(getattr(v, name) for name in OF_VALUES)))

    def op(self, op: Op) -> None:
        self.tokens.append((type(op), op.loc, *self.said(op)))
        known = places(op)
        for k, operand in enumerate(operands_of(op)):
            if k in known:
                self.tokens.append(("a container", type_of(operand)))
            else:
                self.operand(operand)
        for block in op.blocks:
            self.block(block)
        self.define(op.results)

    def said(self, op: Op) -> tuple[Any, ...]:
        """What an operation says beside its operands."""
        if isinstance(op, Apply):
            fn = op.fn if isinstance(op.fn, BY_EQUALITY) else id(op.fn)
            return fn, op.effect, op.style, tuple(op.kwargs)
        if isinstance(op, Call):
            return (id(op.callee),)
        if isinstance(op, If):
            return op.expression, isinstance(op, Try) and op.caught is None
        assert isinstance(op, Loop)
        flips = tuple(flip for _, flip in op.feeds)
        return (
            op.backwards,
            op.collects,
            op.stops,
            op.counts,
            op.snapshots,
            flips,
            op.bounds is None,
        )

    def operand(self, operand: Operand) -> None:
        if isinstance(operand, Value):
            self.tokens.append(self.numbers.setdefault(operand, len(self.numbers)))
        elif isinstance(operand, Const):
            self.tokens.append(operand.key())
        elif isinstance(operand, (list, tuple)):
            self.tokens.append((type(operand), len(operand)))
            for item in operand:
                self.operand(item)
        elif isinstance(operand, dict):
            self.tokens.append(tuple(operand))
            self.operand(list(operand.values()))
        elif isinstance(operand, slice):
            self.operand((operand.start, operand.stop, operand.step))
        else:
            self.tokens.append(id(operand))
