"""The laws of the IR, checked after every stage in tests (``RETROGRAD_VERIFY=1``).

Every value is written once and before it is read, in a scope that sees it; what regions take
and yield fits their operation; a buffer that was added to in place is not read again.
"""

from __future__ import annotations

import os

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from .operations import (
    UNDEFINED,
    Apply,
    Block,
    Call,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
    operands_of,
    values_in,
)  # fmt: skip
from .primitives import UNPACK, Primitive

__all__ = ["InvalidIR", "checked", "verify"]


def shapes_read(op: Op) -> list[Operand]:
    """The operands read for shape and dtype only, which adding in place does not change."""
    if not isinstance(op, Apply) or isinstance(op.fn, Primitive):
        return []
    if op.fn in (linear.zeros_like, np.zeros_like, np.ndarray.shape, np.shape):
        return list(op.args)
    own = book.rules[op.fn].own if op.fn in book else ()
    named = [*zip(own, op.args, strict=False), *op.kwargs.items()]
    return [v for name, v in named if name == "dtype" or (name == "like" and "like" in own)]


class InvalidIR(AssertionError):
    """A transformation made a program that cannot be right."""


def checked(function: Function, stage: str, placed: bool = False) -> Function:
    """``function``, verified if the environment asks for it; ``placed``: its writes are in place now."""
    if os.environ.get("RETROGRAD_VERIFY"):
        verify(function, stage, placed)
    return function


def verify(function: Function, stage: str = "", placed: bool = True) -> None:
    """Raise `InvalidIR` unless ``function`` obeys the laws.

    Until its writes are ``placed``, what is added to a buffer is a value of its own: ``place`` copies
    what is read later.

    >>> import numpy as np
    >>> x, y = Value("x"), Value("y")
    >>> body = Block([x], [Apply([y], None, np.exp, (x,))], [y])
    >>> verify(Function("f", body, None))
    >>> body.ops = []
    >>> try:
    ...     verify(Function("f", body, None), "dead code")
    ... except InvalidIR as error:
    ...     print(error)
    f, after dead code: a yield reads `y`, which is not defined here
    """
    Checker(function, stage, placed).run()


class Checker:
    """One walk over a function in the order of execution."""

    def __init__(self, function: Function, stage: str, placed: bool) -> None:
        self.function, self.placed = function, placed
        self.where = f"{function.name}, after {stage}" if stage else function.name
        self.written: set[Value] = set()

    def run(self) -> None:
        self.block(self.function.body, set(), set())

    def fail(self, what: str) -> None:
        raise InvalidIR(f"{self.where}: {what}")

    # -- definitions and reads -----------------------------------------------------------

    def block(self, block: Block, outer: set[Value], spent: set[Value]) -> set[Value]:
        """Check a region; the buffers that are spent when it ends."""
        seen, spent = set(outer), set(spent)
        self.define(block.params, seen)
        for op in block.ops:
            looked_at = shapes_read(op)
            for operand in operands_of(op):
                old = set() if any(operand is o for o in looked_at) else spent
                self.read(operand, seen, old, kind(op), isinstance(op, Loop))
            self.regions(op, seen, spent)
            self.define(op.results, seen)
        for operand in block.yields:
            self.read(operand, seen, spent, "a yield", True)
        return spent

    def define(self, values: list[Value], seen: set[Value]) -> None:
        for v in values:
            if v in self.written:
                self.fail(f"{name(v)} is written twice")
            self.written.add(v)
            seen.add(v)

    def read(
        self, operand: Operand, seen: set[Value], spent: set[Value], by: str, blank: bool
    ) -> None:
        if operand is UNDEFINED and not blank:
            self.fail(f"{by} reads a name that is not bound")
        for v in values_in(operand):
            if v not in seen:
                self.fail(f"{by} reads {name(v)}, which is not defined here")
            if v in spent and self.placed:
                self.fail(f"{by} reads {name(v)}, a buffer that was added to in place")

    # -- operations ----------------------------------------------------------------------

    def regions(self, op: Op, seen: set[Value], spent: set[Value]) -> None:
        if isinstance(op, If):
            own = len(op.then.params) if isinstance(op, (Try, With)) else 0
            self.arity(op, len(op.then.params) + len(op.orelse.params), min(own, 1), "parameters")
            for block in op.blocks:
                self.arity(op, len(block.yields), len(op.results), "yields")
            spent |= self.block(op.then, seen, spent) | self.block(op.orelse, seen, spent)
        elif isinstance(op, Loop):
            self.loop(op, seen, spent)
        elif isinstance(op, Apply):
            self.apply(op, spent)
        elif not isinstance(op, Call):
            self.fail(f"an operation of type {type(op).__name__}")

    def apply(self, op: Apply, spent: set[Value]) -> None:
        if op.fn is not UNPACK:
            self.arity(op, len(op.results), 1, "results")
        if traits_of(op.fn).writes == "sum" and isinstance(op.args[0], Value):
            spent.add(op.args[0])

    def loop(self, op: Loop, seen: set[Value], spent: set[Value]) -> None:
        counted, carried = int(op.bounds is not None), len(op.inits)
        self.arity(op, len(op.body.params), counted + carried + len(op.feeds), "parameters")
        self.arity(op, len(op.body.yields), carried + op.collects + int(op.stops), "yields")
        self.arity(op, len(op.results), carried + op.collects + int(op.counts), "results")
        if (op.cond is None) != (op.bounds is not None) and not (op.asks and op.feeds):
            self.fail("a loop needs either bounds or a condition")
        if op.cond is not None:
            self.arity(op, len(op.cond.params), carried, "parameters of the condition")
            self.arity(op, len(op.cond.yields), 1, "conditions")
            self.again(self.block(op.cond, seen, spent), seen, spent)
        self.again(self.block(op.body, seen, spent), seen, spent)

    def again(self, after: set[Value], seen: set[Value], spent: set[Value]) -> None:
        """Check that an iteration adds in place to nothing that the next one needs."""
        for v in (after - spent) & seen if self.placed else ():
            self.fail(f"a loop adds to {name(v)} in place, which was made outside it")

    def arity(self, op: Op, found: int, wanted: int, what: str) -> None:
        if found != wanted:
            self.fail(f"{kind(op)} has {found} {what} instead of {wanted}")


def name(v: Value) -> str:
    return f"`{v.hint or v.bar or 'a value'}`"


def kind(op: Op) -> str:
    if isinstance(op, Apply):
        called = own_attribute(op.fn, "__name__", repr(op.fn))
    else:
        called = type(op).__name__.lower()
    line = f" of line {op.loc.line}" if op.loc is not None else ""
    return f"{called}{line}"
