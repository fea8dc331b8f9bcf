"""Which entries of the arguments each entry of a result may depend on: the pattern of a Jacobian.

The program runs once, at the arguments, and beside every value there is an array of sets (see
`dependence_sets`).  A set may be too large, never too small: what is not known of an operation is
taken to depend on all of its arguments.  What the program decides by is written down: a branch, the
number of iterations, an index, the zeros of a matrix.  ``varies`` tells whether that may be another
at other numbers.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers.core import map_tree
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import (
    UNDEFINED,
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
    With,
)
from ...ir.primitives import ASSERT, BUNDLE, RAISE, UNPACK, Primitive
from ...ir.types import Array, Tree
from ..shapes.infer import type_of
from . import product_patterns  # noqa: F401  (it enters its forms)
from .index_sets import everything
from .operation_patterns import Called, after, depends, leaves

__all__ = ["CAPTURED", "FIXED", "NUMBERS", "Dependence", "Unknown"]

FIXED, CAPTURED, NUMBERS = (
    0,
    1,
    2,
)  # by what a value is decided: shapes, arrays of the module, arguments


SAMPLED = 8  # sets of an array that tell how large they are
MEMBERS = 16  # of a set, which cost what a set costs


class Unknown(Exception):
    """A program that cannot be run for its pattern."""


class Dependence:
    """One run: values, sets (None: depends on nothing) and what decides each value.

    ``budget``: how much it may cost, in sets and members of them, before it is given up.
    """

    def __init__(self, budget: float = float("inf")) -> None:
        self.budget = budget
        self.values: dict[Value, Any] = {}
        self.sets: dict[Value, Any] = {}
        self.levels: dict[Value, int] = {}
        self.varies = FIXED
        self.captured: list[Any] = []
        self.sizes: set[Any] = set()  # the dimensions of the arguments

    def run(
        self, function: Function, args: Sequence[Any], sets: Sequence[Any], levels: Sequence[int]
    ) -> list[Any]:
        """The sets of the results."""
        if function.facts.writes:
            raise Unknown(f"{function.name} writes into its arguments")
        self.sizes = {n for p in function.body.params for n in sizes_in(p.type)}
        with np.errstate(all="ignore"):
            for param, *known in zip(function.body.params, args, sets, levels, strict=True):
                self.bind(param, *known)
            self.block(function.body)
        return [self.sets_of(y) for y in function.body.yields]

    # -- operands ------------------------------------------------------------------------

    def bind(self, v: Value, value: Any, sets: Any, level: int) -> None:
        self.values[v], self.sets[v], self.levels[v] = value, sets, level

    def value(self, x: Operand) -> Any:
        if isinstance(x, Value):
            return self.values[x]
        if isinstance(x, Const):
            return None if x is UNDEFINED else x.value
        if isinstance(x, (tuple, list)):
            return type(x)([self.value(i) for i in x])
        if isinstance(x, dict):
            return {k: self.value(i) for k, i in x.items()}
        if isinstance(x, slice):
            return slice(*[self.value(p) for p in (x.start, x.stop, x.step)])
        return x

    def sets_of(self, x: Operand) -> Any:
        if isinstance(x, Value):
            return self.sets[x]
        if isinstance(x, (tuple, list)):
            parts = type(x)([self.sets_of(i) for i in x])
            return None if all(p is None for p in parts) else parts
        if isinstance(x, dict):
            named = {k: self.sets_of(i) for k, i in x.items()}
            return None if all(p is None for p in named.values()) else named
        return None

    def level(self, x: Operand) -> int:
        if isinstance(x, Value):
            return self.levels[x]
        if isinstance(x, Const):
            return self.capture(x.value)
        if isinstance(x, (tuple, list)):
            return max(map(self.level, x), default=FIXED)
        if isinstance(x, dict):
            return max(map(self.level, x.values()), default=FIXED)
        if isinstance(x, slice):
            return max(self.level(p) for p in (x.start, x.stop, x.step))
        return FIXED

    def capture(self, value: Any) -> int:
        """An array of the user's module may be written to between two calls."""
        simple = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, type)
        if isinstance(value, simple) or callable(value):
            return FIXED
        if isinstance(value, (tuple, list)):
            return max(map(self.capture, value), default=FIXED)
        if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "tocsr"):
            self.captured.append(value)
            return CAPTURED
        return NUMBERS

    def decide(self, level: int) -> None:
        self.varies = max(self.varies, level)

    # -- operations ----------------------------------------------------------------------

    def block(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Loop):
                self.loop(op)
            elif isinstance(op, If):
                self.branch(op)
            elif isinstance(op, Call):
                self.call(op)
            else:
                assert isinstance(op, Apply)
                self.apply(op)

    def results(self, op: Op, ends: Sequence[Operand], level: int = FIXED) -> None:
        known = [(self.value(y), self.sets_of(y), max(level, self.level(y))) for y in ends]
        for result, end in zip(op.results, known, strict=True):
            self.bind(result, *end)

    def branch(self, op: If) -> None:
        level = self.level(op.cond)
        if isinstance(op, Try):
            return self.attempt(op)
        if isinstance(op, With):
            with self.value(op.cond) as entered:
                for param in op.then.params:
                    self.bind(param, entered, None, NUMBERS)
                self.block(op.then)
            return self.results(op, op.then.yields)
        self.decide(level)
        side = op.then if self.value(op.cond) else op.orelse
        self.block(side)
        self.results(op, side.yields, level)

    def attempt(self, op: Try) -> None:
        """True if something is raised may depend on any number."""
        self.decide(NUMBERS)
        side = op.body
        try:
            self.block(op.body)
        except self.value(op.cond) as error:
            side = op.handler
            for param in side.params:
                self.bind(param, error, None, NUMBERS)
            self.block(side)
        self.results(op, side.yields, NUMBERS)

    def loop(self, op: Loop) -> None:
        carried = [(self.value(i), self.sets_of(i), self.level(i)) for i in op.inits]
        stacks = [(self.value(s), self.sets_of(s), self.level(s), flip) for s, flip in op.feeds]
        self.decide(max((level for *_, level, _ in stacks), default=FIXED))
        collected: list[list[Any]] = [[] for _ in range(op.collects)]
        n, count, ended = len(op.inits), 0, False
        for index in self.turns(op, stacks):
            if op.cond is not None and not self.holds(op, carried):
                break
            count += 1
            given: list[Any] = [] if op.bounds is None else [(index, None, FIXED)]
            given += carried
            given += [element(stack, count - 1) for stack in stacks]
            for param, known in zip(op.body.params, given, strict=True):
                self.bind(param, *known)
            self.block(op.body)
            ends = [(self.value(y), self.sets_of(y), self.level(y)) for y in op.body.yields]
            carried = ends[:n]
            for rows, end in zip(collected, ends[n:], strict=False):
                rows.append(end)
            if op.stops:
                self.decide(ends[-1][2])
                ended = bool(ends[-1][0])
            if ended:
                break
        made = [*carried, *map(stack_of, collected)]
        made += [(count, None, self.varies)] if op.counts else []
        for result, known in zip(op.results, made, strict=True):
            self.bind(result, *known)

    def turns(self, op: Loop, stacks: list[Any]) -> Any:
        if op.bounds is not None:
            self.decide(max(map(self.level, op.bounds)))
            lo, hi, step = map(self.value, op.bounds)
            turns = range(lo, hi, step)
            return reversed(turns) if op.backwards else turns
        if stacks and op.cond is None:
            return range(min(len(stack[0]) for stack in stacks))
        return iter(int, 1)  # for ever

    def holds(self, op: Loop, carried: list[Any]) -> bool:
        assert op.cond is not None
        for param, known in zip(op.cond.params, carried, strict=True):
            self.bind(param, *known)
        self.block(op.cond)
        self.decide(self.level(op.cond.yields[0]))
        return bool(self.value(op.cond.yields[0]))

    def call(self, op: Call) -> None:
        callee = op.callee
        if callee.facts.writes:
            raise Unknown(f"{callee.name} writes into its arguments")
        known = [(self.value(a), self.sets_of(a), self.level(a)) for a in op.args]
        kept = {p: self.known(p) for p in callee.body.params if p in self.values}  # it calls itself
        for param, one in zip(callee.body.params, known, strict=True):
            self.bind(param, *one)
        self.block(callee.body)
        self.results(op, callee.body.yields)
        for param, one in kept.items():
            self.bind(param, *one)
        if callee.facts.custom is not None:  # its derivative is another program
            every = everything([sets for _, sets, _ in known])
            for result in op.results:
                self.sets[result] = depends(self.values[result], every)

    def known(self, v: Value) -> tuple[Any, Any, int]:
        return self.values[v], self.sets[v], self.levels[v]

    def apply(self, op: Apply) -> None:
        if isinstance(op.fn, Primitive):
            return self.structural(op)
        args, kwargs = (
            tuple(map(self.value, op.args)),
            {k: self.value(v) for k, v in op.kwargs.items()},
        )
        sets = tuple(map(self.sets_of, op.args))
        named = {k: self.sets_of(v) for k, v in op.kwargs.items()}
        levels = [*map(self.level, op.args), *map(self.level, op.kwargs.values())]
        level = FIXED if self.is_sized(op) else max(levels, default=FIXED)
        if not (op.fn in book or is_constant(op.fn) or op.fn is builtins.getattr):
            level = NUMBERS
        if op.fn in (operator.iadd,):
            z = args[0] + args[1]
        else:
            z = called(op.fn, owned(op.fn, args), kwargs)
        found = None
        if any(s is not None for s in (*sets, *named.values())) and not is_constant(op.fn):
            call = Called(op.fn, args, kwargs, sets, named, z)
            found = after(call)
            if call.decides:
                still = [s is None for s in (*sets, *named.values())]
                self.decide(
                    max((n for n, yes in zip(levels, still, strict=True) if yes), default=0)
                )
        self.spend(found)
        self.bind(op.result, z, found, level)

    def spend(self, sets: Any) -> None:
        if self.budget == float("inf"):
            return
        for found in leaves(sets):
            if found.size:
                some = [len(found.flat[k]) for k in range(0, found.size, -(-found.size // SAMPLED))]
                self.budget -= found.size * (1 + sum(some) / len(some) / MEMBERS)
        if self.budget < 0:
            raise Unknown("it would cost more than it may")

    def is_sized(self, op: Apply) -> bool:
        """True if an operation reads a shape that the shapes of the arguments give."""
        if traits_of(op.fn).reads not in ("shape", "length") or len(op.args) != 1:
            return False
        kind = type_of(op.args[0])
        if isinstance(kind, Tree):
            return True
        dims = kind.dims if isinstance(kind, Array) else None
        return dims is not None and all(isinstance(n, int) or n in self.sizes for n in dims)

    def structural(self, op: Apply) -> None:
        if op.fn is BUNDLE:
            (x,) = op.args
            return self.bind(op.result, self.value(x), self.sets_of(x), self.level(x))
        if op.fn is UNPACK:
            (x,) = op.args
            parts, sets = self.value(x), self.sets_of(x)
            for k, result in enumerate(op.results):
                self.bind(result, parts[k], None if sets is None else sets[k], self.level(x))
            return None
        if op.fn is RAISE:
            raise self.value(op.args[0])
        if op.fn is ASSERT:
            return self.decide(self.level(op.args[0]))
        raise Unknown(f"`{op.fn}` cannot be run for its pattern")


def sizes_in(kind: Any) -> Iterator[Any]:
    if isinstance(kind, Array):
        yield from kind.dims or ()
    elif isinstance(kind, Tree):
        for item in kind.items:
            yield from sizes_in(item)


def element(stack: Any, k: int) -> tuple[Any, Any, int]:
    values, sets, level, flip = stack
    at = -1 - k if flip else k
    return values[at], None if sets is None else sets[at], level


def stack_of(rows: list[Any]) -> tuple[Any, Any, int]:
    sets = [s for _, s, _ in rows]
    known = None if all(s is None for s in sets) else sets
    return [v for v, _, _ in rows], known, max((level for *_, level in rows), default=FIXED)


def owned(fn: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, copied where the operation writes into the first."""
    if traits_of(fn).writes == "sum" and args:
        return (
            map_tree(lambda x: np.array(x) if isinstance(x, np.ndarray) else x, args[0]),
            *args[1:],
        )
    return args


def called(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if (
        hasattr(fn, "__get__")
        and own_attribute(fn, "__objclass__") is not None
        and not callable(fn)
    ):
        return fn.__get__(args[0], type(args[0]))
    return fn(*args, **kwargs)
