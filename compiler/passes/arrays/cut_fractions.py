"""Arrays that hold whole numbers on one way and fractions on another: what is written to them may be cut off.

::

    q = np.arange(n) if test else x
    y = np.zeros_like(q)
    y[1:] = x[1:] ** 2          # whole numbers, and no derivative, where the test holds

>>> x, y, at = Value("x", Array("float64", (2,), "f")), Value("y", Array(None, (2,), "f")), Const(())
>>> whole = Block(yields=[Value("q", Array("int64", (2,), "i"))])
>>> chosen = If([y], None, Value("test", Number("b")), whole, Block(yields=[x]))
>>> written = Apply([Value("z", y.type)], None, linear.write, (y, at, x))
>>> f = Function("f", Block([x], [chosen, written], [written.result]), None)
>>> check_fractions([f])
>>> [op.fn.__name__ for op in f.body.ops[1:]]
['check_holds', 'write']

Types say what holds both, so the text asks.  Arrays that have their kind from an argument are asked for at the entrance.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.shapes.infer import infer, type_of
from ...analyses.written_dtypes import lenders, written_by
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
    Value,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE
from ...ir.types import Array, Number, Opaque, kind_of

__all__ = ["check_fractions"]

WHOLE = ("b", "i", "u")


def check_fractions(functions: Sequence[Function]) -> None:
    """Ask, in place, what is written to for its kind, where that may be one of whole numbers.

    ``functions`` are those of a program: a helper makes arrays of what any of them gives it.
    """
    helpers: dict[Function, Targets] = {}
    targets = [Targets.of_function(f, helpers) for f in functions]
    while any([t.hand_down() for t in targets]):
        for t in helpers.values():
            t.forget()
    for t in targets:
        t.visit(t.function.body)


def is_dtype_of_whole_numbers(value: Any) -> bool:
    """True of ``int``, ``np.int64``, ``np.dtype("i4")``."""
    if isinstance(value, type):
        return value in (int, bool) or issubclass(value, (np.integer, np.bool_))
    return isinstance(value, np.dtype) and value.kind in WHOLE


def is_whole(kind: Any) -> bool:
    """True of the type of whole numbers, and of that of a dtype of them."""
    if isinstance(kind, Opaque) and kind.dtype is not None:
        return np.dtype(kind.dtype).kind in WHOLE
    return kind_of(kind) in WHOLE


def is_certain(kind: Any) -> bool:
    """True of a type that tells the dtype, and does not only say what holds it."""
    return isinstance(kind, Number) or getattr(kind, "dtype", None) is not None


def is_surely_whole(kind: Any) -> bool:
    """True of whole numbers; a number of another type may be one all the same: ``1 if test else 0.5``."""
    return is_certain(kind) and is_whole(kind)


def is_refused_by_numpy(op: Op) -> bool:
    """True of ``y[1:] += x``, which raises an error; ``y[1] += x`` writes a number back, cut off."""
    if not isinstance(op, Apply) or op.fn is not linear.increase:
        return False
    part = infer(operator.getitem, (op.args[0], op.args[1]), {})
    return isinstance(part, Array) and part.dims not in (None, ())


class Targets:
    """The arrays of a function that are written to."""

    def __init__(self, function: Function, helpers: dict[Function, Targets]) -> None:
        self.function = function
        self.helpers = helpers
        self.under_way = False
        self.calls: list[Call] = []
        self.made: dict[Value, tuple[Op, int]] = {}
        self.params = set(function.body.params)
        self.given: set[Value] = set()  # the parameters that are whole numbers in some call
        self.known: dict[Value, bool] = {}
        self.open: set[Value] = set()
        self.in_turn = False  # what was asked for depends on itself
        self.lent: dict[Function, frozenset[int]] = {}
        for op in walk(function.body):
            if isinstance(op, Call):
                self.calls.append(op)
            self.made.update({v: (op, k) for k, v in enumerate(op.results)})
            if isinstance(op, Loop):
                self.made.update({v: (op, k) for k, v in enumerate(op.carried)})

    @classmethod
    def of_function(cls, function: Function, helpers: dict[Function, Targets]) -> Targets:
        if function not in helpers:
            helpers[function] = cls(function, helpers)
        return helpers[function]

    def hand_down(self) -> bool:
        """Tell the helpers which of their parameters may be whole numbers; whether that is new to any."""
        new = False
        for call in self.calls:
            given = self.inside(call.callee).given
            for param, arg in zip(call.callee.body.params, call.args, strict=False):
                open_to = isinstance(param.type, (Number, Array, Opaque)) and not is_surely_whole(
                    param.type
                )
                if open_to and param not in given and self.asked(arg):
                    given.add(param)
                    new = True
        return new

    def forget(self) -> None:
        self.known.clear()

    def visit(self, block: Block) -> None:
        made: list[Op] = []
        for op in block.ops:
            for inner in op.blocks:
                self.visit(inner)
            made += [*self.checks(op), op]
        block.ops = made

    def checks(self, op: Op) -> list[Op]:
        if is_refused_by_numpy(op):
            return []
        if isinstance(op, Call) and not any(map(self.is_doubtful, values_in(list(op.args)))):
            return []
        return [
            Apply([Value(None)], op.loc, linear.check_holds, (v, Const(0.5) if x is None else x), effect=True)
            for v, x in written_by(op, self.of)
            if self.is_doubtful(v)
        ]  # fmt: skip

    def is_doubtful(self, v: Value) -> bool:
        return not is_surely_whole(type_of(v)) and self.asked(v)

    def of(self, callee: Function) -> frozenset[int]:
        if callee not in self.lent:
            self.lent[callee] = lenders(callee)
        return self.lent[callee]

    def inside(self, callee: Function) -> Targets:
        return self.of_function(callee, self.helpers)

    def asked(self, v: Operand) -> bool:
        """Whether an array may be one of whole numbers on one way, and is not on all."""
        if self.under_way:  # by a function that calls itself
            return self.may_be_whole(v)
        self.under_way, self.in_turn = True, False
        found = self.may_be_whole(v)
        self.under_way = False
        if self.in_turn:  # what was not found to be may not be settled
            self.known = {v: True for v, whole in self.known.items() if whole}
        return found

    def may_be_whole(self, x: Operand) -> bool:
        if isinstance(x, Const):
            return is_dtype_of_whole_numbers(x.value) or is_whole(type_of(x))
        if not isinstance(x, Value):
            return any(map(self.may_be_whole, values_in(x)))
        kind = type_of(x)
        if is_surely_whole(kind):
            return True
        if x in self.open:
            self.in_turn = True
        elif x not in self.known:
            self.open.add(x)
            self.known[x] = self.made_whole(x, kind)
            self.open.remove(x)
        return self.known.get(x, False)

    def made_whole(self, x: Value, kind: Any) -> bool:
        if x in self.given:
            return True
        if x in self.params:  # of a function that somebody calls with the one or the other
            known = kind.kind is not None if isinstance(kind, Array) else False
            return known and not is_certain(kind) and kind.dims != ()
        op, k = self.made.get(x, (None, 0))
        if isinstance(op, If):
            return any(self.may_be_whole(side.yields[k]) for side in (op.then, op.orelse))
        if isinstance(op, Loop):
            ends = (op.inits[k], op.body.yields[k]) if k < len(op.inits) else ()
            return any(map(self.may_be_whole, ends))
        if isinstance(op, Call):
            return self.inside(op.callee).asked(op.callee.body.yields[k])
        return isinstance(op, Apply) and self.gives_whole(op)

    def gives_whole(self, op: Apply) -> bool:
        """Whether an operation gives whole numbers of those among its arguments that may be such."""
        if op.fn in (linear.write, linear.increase):
            return self.may_be_whole(op.args[0])
        args = tuple(map(self.at_worst, op.args))
        kwargs = {name: self.at_worst(v) for name, v in op.kwargs.items()}
        changed = any(
            v is not w
            for v, w in zip((*args, *kwargs.values()), (*op.args, *op.kwargs.values()), strict=True)
        )
        return changed and is_whole(infer(op.fn, args, kwargs))

    def at_worst(self, x: Operand) -> Operand:
        """What an argument may be: whole numbers, or their dtype."""
        op = self.made.get(x, (None, 0))[0] if isinstance(x, Value) else None
        if isinstance(op, Apply) and op.fn is BUNDLE:
            found = self.at_worst(op.args[0])
            return x if found is op.args[0] else found
        if isinstance(x, (list, tuple)):
            items = list(map(self.at_worst, x))
            return x if all(map(operator.is_, items, x)) else type(x)(items)
        if not isinstance(x, Value) or is_surely_whole(x.type) or not self.may_be_whole(x):
            return x
        if isinstance(x.type, Number):
            return Value(x.hint, Number("i"))
        if self.is_dtype(x):
            return Const(np.dtype(np.int64))
        return Value(x.hint, Array("int64", getattr(x.type, "dims", None), "i"))

    def is_dtype(self, x: Operand) -> bool:
        if isinstance(x, Const):
            return isinstance(x.value, (type, np.dtype))
        op, k = self.made.get(x, (None, 0)) if isinstance(x, Value) else (None, 0)
        chosen = isinstance(op, If) and any(
            self.is_dtype(s.yields[k]) for s in (op.then, op.orelse)
        )
        return chosen or isinstance(type_of(x), Opaque)
