"""Products ``0 * inf`` in a derivative: cotangents with exact zeros, factors that may be infinite.

A cotangent is *holed* if it may hold zeros that a choice put there: by ``np.where``, a mask, a
subscript, a branch that was not taken.  A value is *wild* if it may be infinite or nan though the
arguments are finite: a logarithm, a quotient, an overflow; or if the program expects nan in it
(``expected_nan.py``).  Only a product of the two is guarded, so that programs without choices keep
their plain text::

    np.where(x > 0, np.log(x), 0.0)     x_bar = rt.div0(np.where(x > 0, c, 0.0), x)
    np.log(x)                           x_bar = c / x
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.traits import Traits
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.shapes.infer import type_of
from ..ir.operations import Apply, Block, Call, Const, If, Loop, Op, Operand, Value, values_in, walk
from ..ir.primitives import BUNDLE, Primitive
from ..ir.types import Array, Number, Tree, kind_of
from ..simplify.builder import Builder
from .expected_nan import expected_nan

__all__ = ["Marks", "multiplies", "quotient", "reached", "scaled"]


class Marks:
    """Marks on the values of one derivative: of its primal at once, of the rest as it is built."""

    def __init__(
        self, body: Block, forward: bool = False, missing: tuple[bool, ...] | None = None
    ) -> None:
        """``missing``: which parameters whoever calls this expects nan in, if he expects it at all."""
        self.forward = forward
        self.holed: set[Operand] = set()
        self.sparse: set[Operand] = set()  # holed by subscripts only
        expected = expected_nan(body)
        self.missing = expected is not None or missing is not None
        self.wild: set[Operand] = set(expected or ())
        self.mixed: set[Operand] = set()  # lists with an exact zero in them
        self.wild.update(p for p, on in zip(body.params, missing or (), strict=False) if on)
        self.masks: set[Operand] = set()
        before = -1
        while before != len(self.wild) + len(self.masks) + len(self.holed):
            before = len(self.wild) + len(self.masks) + len(self.holed)
            self.primal(body)

    # -- the primal program ------------------------------------------------------------

    def primal(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Apply) and op.results[0].made:
                if op.fn in (linear.mul0, linear.div0):
                    self.holed.update(values_in(op.args[:1]))
                self.note(op)  # of a derivative that is differentiated again
            elif isinstance(op, Apply):
                self.look(op)
            elif isinstance(op, Call):
                if acts_wild(op, set()) or self.any_wild(op.args):
                    self.wild.update(op.results)
            elif isinstance(op, If):
                self.primal(op.then)
                self.primal(op.orelse)
                for result, *ends in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
                    self.follow(result, ends)
            elif isinstance(op, Loop):
                self.loop(op)

    def loop(self, op: Loop) -> None:
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            self.follow(element, [stack])
        self.primal(op.body)
        for param, result, *ends in zip(
            op.carried, op.results, op.inits, op.body.yields, strict=False
        ):
            self.follow(param, ends)
            self.follow(result, [param, *ends])
        for stack, value in zip(op.stacks, op.collected(), strict=True):
            self.follow(stack, [value])

    def follow(self, result: Value, ends: list[Operand]) -> None:
        if self.any_wild(ends):
            self.wild.add(result)
        if result.made and any(e in self.holed for e in ends if isinstance(e, Value)):
            self.holed.add(result)
        if result.made:
            self.accumulated(result, ends)

    def look(self, op: Apply) -> None:
        """One operation of any program: whether its results are wild, or a mask."""
        args, known = [*op.args, *op.kwargs.values()], traits_of(op.fn)
        if is_wild_operation(op, known) or (self.any_wild(args) and not self.tames(op, known)):
            self.wild.update(op.results)
        shares = self.forward and op.fn is linear.share_ties
        casts = known.identity is not None and bool(op.args)
        if shares or known.zeros == "mask" or (casts and self.is_mask(op.args[0])):
            self.masks.update(op.results)

    def tames(self, op: Apply, known: Traits) -> bool:
        """True if the result is finite, or no number at all, whatever the arguments are; sines of nan are nan."""
        kind = op.results[0].type
        if isinstance(kind, (Array, Number)) and kind.kind in ("b", "i"):
            return True
        return known.infinite == "never" and (not self.missing or known.expects == "nan")

    def any_wild(self, operands: Any) -> bool:
        return any(v in self.wild for v in values_in(operands)) or any(
            self.is_wild(x) for x in operands if isinstance(x, Const)
        )

    # -- the derivative ------------------------------------------------------------------

    def note(self, op: Apply) -> None:
        """An operation that was just emitted."""
        self.look(op)
        if isinstance(op.fn, Primitive):
            self.mixed.update(op.results if op.fn is BUNDLE and holds_zero(op.args[0]) else ())
            self.holed.update(
                op.results if any(v in self.holed for v in values_in(op.args)) else ()
            )
            return
        known = traits_of(op.fn)
        if known.fills == "all":
            if self.missing and not is_number(
                op.result
            ):  # rows of zeros are zeros of a sum along them
                self.accumulated(op.result, [*op.args])
            return
        if self.chooses(op):
            self.holed.update(op.results)
        elif known.zeros == "places" or (
            self.keeps(op, self.holed | self.sparse) and known.fills is None
        ):
            self.sparse.update(op.results)

    def chooses(self, op: Apply) -> bool:
        if self.missing and op.fn in (linear.mul0, linear.div0):
            return self.is_holed(op.args[0])
        if traits_of(op.fn).zeros == "choice":
            return True
        if op.fn in (operator.mul, np.multiply) and any(self.is_mask(a) for a in op.args):
            return True
        if op.fn is operator.getitem and isinstance(op.args[1], Value):
            return op.args[0] in self.mixed or self.keeps(op, self.holed)
        if op.fn is np.where:
            return any(is_zero(a) or self.is_holed(a) for a in op.args[1:])
        return self.keeps(op, self.holed)

    def keeps(self, op: Apply, holed: set[Operand]) -> bool:
        """True if holes in the arguments are holes in the result: a sum fills those of one term."""
        if op.fn in (operator.add, operator.sub, linear.add, operator.iadd):
            return all(a in holed for a in op.args if isinstance(a, Value))
        return any(v in holed for v in values_in([*op.args, *op.kwargs.values()]))

    def called(self, op: Call, given: Any = None) -> None:
        """The results of a derived function: as the adjoints or tangents that it was given."""
        given = op.args if given is None else given
        if acts_wild(op, set()) or self.any_wild(given):
            self.wild.update(op.results)
        if any(a in self.holed for a in given if isinstance(a, Value)) or chooses(op, set()):
            self.holed.update(op.results)
        elif self.missing:
            self.sparse.update(op.results)

    def accumulated(self, result: Value, ends: list[Operand]) -> None:
        """What loops and branches add up: in a program that expects nan, its parts may be empty as before."""
        if self.missing and any(self.is_holed(e) for e in ends):
            self.sparse.add(result)

    def merge(self, result: Value, ends: list[Operand], holed: bool = False) -> None:
        """``result`` is one of ``ends``: of the sides of a branch, of what a loop carries."""
        if self.any_wild(ends):
            self.wild.add(result)
        if holed or any(e in self.holed for e in ends if isinstance(e, Value)):
            self.holed.add(result)
        self.accumulated(result, ends)

    def is_holed(self, c: Operand) -> bool:
        return isinstance(c, Value) and (c in self.holed or c in self.sparse or self.is_mask(c))

    def is_zeroed(self, factor: Operand) -> bool:
        if self.missing:
            return self.is_holed(factor)
        return self.is_mask(factor) or (isinstance(factor, Value) and factor in self.holed)

    def expects(self, operands: Any) -> tuple[bool, ...] | None:
        """Which operands of a call may be nan, if the program expects that at all."""
        return tuple(self.any_wild([x]) for x in operands) if self.missing else None

    def is_wild(self, x: Operand) -> bool:
        if isinstance(x, Const):
            return is_infinite(x) or (self.missing and is_data(x))
        return isinstance(x, Value) and x in self.wild

    def is_mask(self, x: Operand) -> bool:
        return isinstance(x, Value) and (x in self.masks or kind_of(x.type) == "b")


def holds_zero(items: Operand) -> bool:
    """True of a list, written out, with an exact zero among others: what is taken from it is chosen."""
    if isinstance(items, (tuple, list)):
        return any(is_zero(item) or holds_zero(item) for item in items)
    return False


def is_infinite(x: Operand) -> bool:
    return isinstance(x, Const) and isinstance(x.value, float) and not math.isfinite(x.value)


def is_number(x: Value) -> bool:
    return isinstance(x.type, Number) or getattr(x.type, "dims", None) == ()


def is_data(x: Const) -> bool:
    """True of an array of the module: whoever expects nan may have it there."""
    return is_ndarray(x.value) and x.value.dtype.kind in "fc"


def is_zero(x: Operand) -> bool:
    return isinstance(x, Const) and isinstance(x.value, (int, float)) and x.value == 0


def is_wild_operation(op: Apply, known: Traits) -> bool:
    infinite = known.infinite
    if infinite == "by exponent":
        return not is_whole(op.args[1])
    if infinite == "by divisor":
        return not is_nonzero(op.args[1])
    return infinite == "may"


def is_whole(exponent: Operand) -> bool:
    return (
        isinstance(exponent, Const)
        and isinstance(exponent.value, (int, float))
        and exponent.value >= 0
        and exponent.value == int(exponent.value)
    )


def is_nonzero(divisor: Operand) -> bool:
    if isinstance(divisor, Const):
        return isinstance(divisor.value, (int, float, complex)) and divisor.value != 0
    return isinstance(type_of(divisor), Number) and type_of(divisor).kind == "i"  # type: ignore[union-attr]


def acts_wild(op: Op, seen: set[Any]) -> bool:
    """True if an operation, or the function it calls, may give infinities."""
    if isinstance(op, Apply):
        return is_wild_operation(op, traits_of(op.fn))
    if not isinstance(op, Call) or op.callee in seen:
        return False
    seen.add(op.callee)
    return any(acts_wild(inner, seen) for inner in walk(op.callee.body))


def chooses(op: Op, seen: set[Any]) -> bool:
    """True if an operation, or the function it calls, chooses."""
    if isinstance(op, Apply):
        return traits_of(op.fn).zeros in ("choice", "condition")
    if not isinstance(op, Call) or op.callee in seen:
        return False
    seen.add(op.callee)
    return any(chooses(inner, seen) for inner in walk(op.callee.body))


# -- products and quotients --------------------------------------------------------------


def scaled(b: Builder, c: Operand, factor: Operand, first: bool = True) -> Operand:
    """``c * factor`` (``factor * c``, unless ``first``), guarded where it may be ``0 * inf``."""
    marks = b.marks
    if marks is not None:
        if marks.is_holed(c) and marks.is_wild(factor):
            if marks.missing and marks.is_zeroed(factor) and marks.is_wild(c):
                c = b.apply(np.where, b.apply(operator.eq, factor, Const(0)), Const(0.0), c)
            return b.apply(linear.mul0, c, factor)
        if marks.is_zeroed(factor) and marks.is_wild(c):
            return b.apply(linear.mul0, factor, c)
    return b.apply(operator.mul, c, factor) if first else b.apply(operator.mul, factor, c)


def quotient(b: Builder, c: Operand, y: Operand) -> Operand:
    """``c / y``, guarded where it may be ``0 / 0``."""
    marks = b.marks
    if marks is not None and marks.is_holed(c) and not is_nonzero(y) and not is_tree(y):
        return b.apply(linear.div0, c, y)
    return b.apply(operator.truediv, c, y)


def multiplies(b: Builder, fn: Any, c: Operand, others: list[Operand]) -> bool:
    """True if a helper multiplies ``c``, which may have holes, by what it computes from wild others."""
    marks, rule = b.marks, book.rules.get(fn)
    if marks is None or not marks.missing or rule is None or not rule.broadcasts:
        return False
    return traits_of(fn).zeros is None and marks.is_holed(c) and marks.any_wild(others)


def reached(b: Builder, x: Operand, c: Operand, letters: str) -> Operand:
    """A factor ``x`` of a product that sums, guarded where it meets zeros of ``c``."""
    if not (b.marks.is_holed(c) and b.marks.is_wild(x)):
        return x
    made = b.defs.get(c) if isinstance(c, Value) else None
    if isinstance(made, Apply) and made.fn is operator.neg:
        c = made.args[0]  # it has the same zeros
    return b.apply(linear.reached, x, x, c, Const(letters))


def is_tree(x: Operand) -> bool:
    return isinstance(type_of(x), Tree)
