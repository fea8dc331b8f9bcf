"""Structured SSA: every value is written once, control flow is nested regions.

There are four kinds of operation: ``Apply`` (a call of a resolved Python object: ``a + b`` is
``operator.add``; or of one of the `primitives`, for which Python has syntax alone), ``Call`` (of
another function of the program), ``If`` and ``Loop``; ``Try`` and ``With`` are branches of a special
kind.  There is no break and no return: a loop body yields a ``stop`` flag, and what follows an early
exit stands in the other branch of its ``if``.  So the adjoint of a region is a region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np

from retrograd.runtime.records import dataclass, field

from .facts import Facts
from .plain_values import is_literal
from .types import Number, Type

__all__ = [
    "UNDEFINED",
    "Apply",
    "Block",
    "Call",
    "Const",
    "Function",
    "If",
    "Location",
    "Loop",
    "Op",
    "Operand",
    "Try",
    "Value",
    "With",
    "bodies_called",
    "callees_of",
    "defined_in",
    "operands_of",
    "reachable",
    "read_in",
    "values_in",
    "walk",
]


class Location(NamedTuple):
    """A line and a column in the user's file."""

    line: int
    column: int = 0


class Value:
    """The result of an operation: the user's name for it (or None), its type, its location."""

    __slots__ = (
        "absent", "again", "bar", "distinct", "dot", "exact", "hidden", "hint", "loc", "made", "partial", "soft", "sparse", "type",
    )  # fmt: skip

    def __init__(
        self, hint: str | None = None, type: Type = None, loc: Location | None = None
    ) -> None:
        self.hint, self.type, self.loc = hint, type, loc
        self.bar: str | None = None  # of an adjoint: whose ("~exp": of an unnamed value)
        self.dot: str | None = None  # of the tangent of a value without a name: of what
        self.soft = False  # the name may be left out where it is used once
        self.made = False  # written by a transformation, not by the user
        self.exact = (
            False  # the user's arithmetic, though it may be an adjoint, too: never rewritten
        )
        self.absent = False  # None, unless the side of a branch has run of which it was kept
        self.again = False  # computed a second time, so that it need not be kept
        self.hidden = False  # the result of an early ``return``: on no path written twice
        self.partial = False  # may not be bound, though this function does not show it
        self.sparse = False  # perhaps a sparse matrix: see `mark_sparse`
        self.distinct = False  # of places in an array: no two are one

    def twin(self) -> Value:
        """Another value of the same name and type, for a copy of the program."""
        made = Value(self.hint, self.type, self.loc)
        made.bar, made.soft, made.made = self.bar, self.soft, self.made
        made.hidden, made.partial, made.sparse = self.hidden, self.partial, self.sparse
        made.absent, made.dot, made.distinct = self.absent, self.dot, self.distinct
        return made

    def __repr__(self) -> str:
        return f"%{self.hint or ''}.{id(self) % 9973}"


class Const:
    """A literal, or (with ``text``) a Python object known by a name of the user's module."""

    __slots__ = ("text", "value")

    def __init__(self, value: Any, text: str | None = None) -> None:
        self.value, self.text = value, text

    def __repr__(self) -> str:
        return self.text or repr(self.value)

    def key(self) -> tuple[Any, ...]:
        """Equal keys, equal constants (``1``, ``1.0`` and ``True`` differ; so do 0.0 and -0.0)."""
        value = self.value
        if is_literal(value) or isinstance(value, np.generic):
            return (type(value), repr(value))
        return (object, id(value))


class Undefined:
    """The content of a name that is not bound yet."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = Const(Undefined())
Operand = Any  # Value | Const | tuple, list, dict and slice of them


@dataclass(eq=False)
class Op:
    """The base of all operations: results, and the location in the source."""

    results: list[Value]
    loc: Location | None

    blocks: ClassVar[Any] = ()  # its regions, in order


@dataclass(eq=False)
class Apply(Op):
    """``result = fn(*args, **kwargs)``; ``effect``: kept and ordered even if nobody reads it."""

    fn: Any
    args: tuple[Operand, ...]
    kwargs: dict[str, Operand] = field(default_factory=dict)
    effect: bool = False
    style: str | None = None  # how the user spelled it, where one object has two spellings

    @property
    def result(self) -> Value:
        return self.results[0]


@dataclass(eq=False)
class Call(Op):
    """``*results = callee(*args)``: another function of the program."""

    callee: Any
    args: tuple[Operand, ...]


@dataclass(eq=False)
class Block:
    """A region: parameters, operations in order, and what it yields."""

    params: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    yields: list[Operand] = field(default_factory=list)


@dataclass(eq=False)
class If(Op):
    """``results = then.yields if cond else orelse.yields``."""

    cond: Operand
    then: Block
    orelse: Block
    expression: bool = False  # the user wrote ``a if c else b``, ``and``, ``or``

    @property
    def blocks(self) -> list[Block]:  # type: ignore[override]
        return [self.then, self.orelse]


@dataclass(eq=False)
class Try(If):
    """``results = orelse.yields``, or ``then.yields`` if that raises one of the classes ``cond``.

    ``then`` takes the exception as its parameter, if the user named it; ``caught`` is the result
    that says which side ran to its end, once somebody asked for it.
    """

    caught: Value | None = None

    @property
    def body(self) -> Block:
        return self.orelse

    @property
    def handler(self) -> Block:
        return self.then

    def flag(self) -> tuple[Value, bool]:
        """A result that says which side ran, and what it is if an exception was caught."""
        for result, a, b in zip(self.results, self.handler.yields, self.body.yields, strict=True):
            ends = getattr(a, "value", None), getattr(b, "value", None)
            if ends in ((True, False), (False, True)) and {*map(type, ends)} == {bool}:
                return result, bool(ends[0])
        return self.tag(), True

    def tag(self) -> Value:
        if self.caught is None:
            self.caught = Value("caught", Number("b"), self.loc)
            self.results.append(self.caught)
            self.handler.yields.append(Const(True))
            self.body.yields.append(Const(False))
        return self.caught


@dataclass(eq=False)
class With(If):
    """``with cond as then.params:``; ``orelse`` never runs, its yields are not bound."""


@dataclass(eq=False)
class Loop(Op):
    """A counted or conditional loop with carried values, in the manner of ``scan``.

    ``body.params`` are [index if counted] + carried + one element of each stack of ``feeds``;
    ``body.yields`` are carried + collected [+ stop].  ``results`` are carried + one stack per
    collected value [+ the number of iterations begun, if ``counts``].
    ``feeds`` are (stack, flip): ``flip`` reads the stack from its end.
    """

    inits: list[Operand]
    body: Block
    bounds: tuple[Operand, Operand, Operand] | None = None  # lo, hi, step; None: while
    backwards: bool = False
    cond: Block | None = None
    feeds: list[tuple[Operand, bool]] = field(default_factory=list)
    collects: int = 0
    stops: bool = False
    counts: bool = False
    header: Any = None  # how the user wrote a loop over sequences: see `Sequence` in the lowering
    snapshots: int = 0  # how many of its states a derivative may keep; 0: every one
    starts: dict[Value, list[Operand]] = field(
        default_factory=dict
    )  # what a stack holds before it runs

    @property
    def blocks(self) -> list[Block]:  # type: ignore[override]
        return [self.body] if self.cond is None else [self.cond, self.body]

    @property
    def asks(self) -> bool:
        """True if the object that it goes over says when it ends: it is not a stack, and gone over once."""
        return self.bounds is None and self.cond is None

    @property
    def index(self) -> Value | None:
        return self.body.params[0] if self.bounds is not None else None

    @property
    def carried(self) -> list[Value]:
        start = int(self.bounds is not None)
        return self.body.params[start : start + len(self.inits)]

    @property
    def elements(self) -> list[Value]:
        return self.body.params[int(self.bounds is not None) + len(self.inits) :]

    @property
    def stacks(self) -> list[Value]:
        return self.results[len(self.inits) : len(self.inits) + self.collects]

    @property
    def count(self) -> Value | None:
        return self.results[-1] if self.counts else None

    @property
    def stop(self) -> Operand:
        return self.body.yields[-1] if self.stops else Const(False)

    def collected(self) -> list[Operand]:
        return self.body.yields[len(self.inits) : len(self.inits) + self.collects]

    def tape_position(self) -> int:
        """After how many operations of the body the collected values are all there.

        A loop that may stop collects at the end of each iteration, whichever way it ends.
        """
        if self.stops:
            return len(self.body.ops)
        wanted = set(values_in(self.collected()))
        last = [k for k, op in enumerate(self.body.ops) if wanted & set(op.results)]
        return last[-1] + 1 if last else 0

    def collect(self, value: Operand, stack: Value) -> None:
        """Add one collected value, with the result that will hold its stack."""
        at = len(self.inits) + self.collects
        self.body.yields.insert(at, value)
        self.results.insert(at, stack)
        self.collects += 1

    def carry(self, init: Operand, param: Value, value: Operand, result: Value) -> None:
        """Add one carried value."""
        at = len(self.inits)
        self.body.params.insert(at + int(self.bounds is not None), param)
        self.body.yields.insert(at, value)
        self.results.insert(at, result)
        self.inits.append(init)
        if self.cond is not None:
            self.cond.params.append(Value(param.hint, param.type))

    def feed(self, stack: Operand, flip: bool, element: Value) -> None:
        """Add one stack to read an element of in each iteration."""
        self.feeds.append((stack, flip))
        self.body.params.append(element)


@dataclass(eq=False)
class Function:
    """One function of the program.

    ``body.params`` are its parameters, ``body.yields`` its results; ``tree`` says how the
    results are packed (a ``structure.Leaf`` or a container of them).
    """

    name: str
    body: Block
    tree: Any
    source: Any = None
    names: tuple[str, ...] = ()  # of the parameters
    defaults: dict[str, Any] = field(default_factory=dict)
    captures: dict[str, Any] = field(default_factory=dict)
    doc: str = ""
    facts: Facts = field(default_factory=Facts)


def values_in(operand: Operand) -> list[Value]:
    """The values in an operand, in order.

    >>> x = Value("x")
    >>> values_in((slice(x, None), [Const(1), x])) == [x, x]
    True
    """
    if isinstance(operand, Value):
        return [operand]
    found: list[Value] = []
    if isinstance(operand, (tuple, list)):
        for item in operand:
            if isinstance(item, Value):
                found.append(item)
            elif isinstance(item, CONTAINERS):
                gather(item, found)
    elif isinstance(operand, CONTAINERS):
        gather(operand, found)
    return found


CONTAINERS = (tuple, list, dict, slice)


def gather(operand: Operand, found: list[Value]) -> None:
    """Append the values in a container of operands."""
    if isinstance(operand, dict):
        operand = operand.values()
    elif isinstance(operand, slice):
        operand = (operand.start, operand.stop, operand.step)
    for item in operand:
        if isinstance(item, Value):
            found.append(item)
        elif isinstance(item, CONTAINERS):
            gather(item, found)


def map_operand(operand: Operand, change: Callable[[Any], Any]) -> Operand:
    """The operand with ``change`` applied to every value and constant in it."""
    if isinstance(operand, (Value, Const)):
        return change(operand)
    if isinstance(operand, (tuple, list)):
        return type(operand)([map_operand(item, change) for item in operand])
    if isinstance(operand, dict):
        return {k: map_operand(item, change) for k, item in operand.items()}
    if isinstance(operand, slice):
        parts = (operand.start, operand.stop, operand.step)
        return slice(*[map_operand(part, change) for part in parts])
    return operand


def operands_of(op: Op) -> list[Operand]:
    """The operands an operation reads itself (not those read inside its regions)."""
    if isinstance(op, Apply):
        return [*op.args, *op.kwargs.values()]
    if isinstance(op, Call):
        return list(op.args)
    if isinstance(op, If):
        return [op.cond]
    assert isinstance(op, Loop)
    feeds = [stack for stack, _ in op.feeds]
    return [*op.inits, *(op.bounds or ()), *feeds, *op.starts.values()]


def values_read(op: Op) -> list[Value]:
    """The values in the operands of an operation."""
    if not isinstance(op, Apply):
        return values_in(operands_of(op))
    found: list[Value] = []
    for operand in op.args:
        if isinstance(operand, Value):
            found.append(operand)
        elif isinstance(operand, CONTAINERS):
            gather(operand, found)
    if op.kwargs:
        gather(op.kwargs, found)
    return found


def callees_of(op: Op) -> Iterator[Function]:
    """The functions an operation calls, or hands to what it calls."""
    if isinstance(op, Call):
        yield op.callee
    elif isinstance(op, Apply):
        for arg in op.args:
            if isinstance(arg, Const) and isinstance(arg.value, Function):
                yield arg.value


def reachable(function: Function) -> dict[Function, None]:
    """A function and all that it calls or hands on."""
    found = {function: None}
    left = [function]
    while left:
        for op in walk(left.pop().body):
            new = [callee for callee in callees_of(op) if callee not in found]
            found |= dict.fromkeys(new)
            left += new
    return found


def set_operands(op: Op, change: Callable[[Any], Any]) -> None:
    """Replace the values an operation itself reads."""
    if isinstance(op, Apply):
        op.args = tuple([map_operand(a, change) for a in op.args])
        if op.kwargs:
            op.kwargs = {k: map_operand(a, change) for k, a in op.kwargs.items()}
    elif isinstance(op, Call):
        op.args = tuple(map_operand(a, change) for a in op.args)
    elif isinstance(op, If):
        op.cond = map_operand(op.cond, change)
    elif isinstance(op, Loop):
        op.inits = [map_operand(a, change) for a in op.inits]
        op.feeds = [(map_operand(a, change), flip) for a, flip in op.feeds]
        if op.bounds is not None:
            lo, hi, step = (map_operand(a, change) for a in op.bounds)
            op.bounds = (lo, hi, step)


def walk(block: Block) -> list[Op]:
    """Every operation in a block and in the regions below it, in order."""
    found: list[Op] = []
    enter(block, found)
    return found


def bodies_called(block: Block) -> list[Block]:
    """The bodies of all functions that a block calls."""
    called = [op.callee for op in walk(block) if isinstance(op, Call)]
    return [f.body for callee in called for f in reachable(callee)]


def enter(block: Block, found: list[Op]) -> None:
    for op in block.ops:
        found.append(op)
        if isinstance(op, (If, Loop)):
            for inner in op.blocks:
                enter(inner, found)


def replace_values(block: Block, change: Callable[[Any], Any]) -> None:
    """Replace values wherever ``block`` and its regions read them."""
    for op in block.ops:
        set_operands(op, change)
        for inner in op.blocks:
            replace_values(inner, change)
    block.yields = [map_operand(y, change) for y in block.yields]


def read_in(block: Block) -> list[Value]:
    """Every value that a block and its regions read, once each, in order."""
    found: dict[Value, None] = {}
    for op in walk(block):
        found.update(dict.fromkeys(values_in(operands_of(op))))
        for inner in op.blocks:
            found.update(dict.fromkeys(values_in(inner.yields)))
    found.update(dict.fromkeys(values_in(block.yields)))
    return list(found)


def defined_in(block: Block) -> set[Value]:
    """Everything a region and those in it define: parameters and results."""
    found = set(block.params)
    for op in walk(block):
        found.update(op.results, *(inner.params for inner in op.blocks))
    return found
