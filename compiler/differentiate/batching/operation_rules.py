"""Batching rules of single operations: k directions, along the last axis.

A rule takes the walker of `batch` and an operation, and gives the result in all directions, or
None where it does not know enough: then the operation is called once for each direction.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of
from retrograd.runtime.user import batched as runtime

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Op, Operand, Value
from ...ir.types import Array, Number, Numeric, Stack
from ..rule_instance import bind_operands

if TYPE_CHECKING:
    from .batch import Walker

__all__ = ["NotBatched", "form_of", "reads_shape", "shape_read", "written"]

Given = dict[str, Operand]
Form = Callable[["Walker", Apply, Given], Operand | None]
FORMS: dict[Any, Form] = {}


def form(*operations: Any) -> Callable[[Form], Form]:
    def register(made: Form) -> Form:
        FORMS.update(dict.fromkeys(operations, made))
        return made

    return register


def form_of(m: Walker, op: Apply) -> Operand | None:
    """The operation in all directions at once, if that can be said."""
    if traits_of(op.fn).elementwise and op.fn is not operator.iadd:
        return elementwise(m, op)
    if traits_of(op.fn).batched == "as it is":
        args = [m.wide(a) for a in op.args]
        return m.b.emit(op.fn, *args, **op.kwargs)
    made = FORMS.get(op.fn)
    rule = book.rules.get(op.fn)
    if made is None or rule is None:
        return None
    return made(m, op, bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn))


# -- reading shapes, writing -----------------------------------------------------------------


def reads_shape(op: Apply) -> bool:
    """True if only the shape of one direction is asked for."""
    return traits_of(op.fn).reads in ("shape", "length")


def shape_read(m: Walker, op: Apply) -> Operand:
    """The same of the first direction."""

    def first(x: Operand) -> Operand:
        if not m.has(x):
            return x
        if isinstance(type_of(x), Array):
            return m.b.getitem(m.read(x), (Const(Ellipsis), Const(0)))
        return m.b.emit(runtime.first_direction, m.read(x))

    args = [first(a) for a in op.args]
    return m.b.emit(op.fn, *args, **{k: first(a) for k, a in op.kwargs.items()})


def written(m: Walker, op: Apply) -> Operand:
    """A write: the place is the same in all directions; what is written is stretched over them."""
    buffer, *rest = op.args
    if isinstance(type_of(buffer), (Array, Numeric)) or type_of(buffer) is None:
        if op.fn is operator.iadd:
            return m.b.emit(op.fn, m.wide(buffer), m.beside(rest[0]))
        if op.fn is linear.index_add:
            return m.b.emit(op.fn, m.wide(buffer), within(m, rest[0]), m.beside(rest[1]))
        steps = [step for step in rest[0] if step[0].value is not operator.getitem]
        if not steps and rest[0]:
            path = tuple((step[0], within(m, step[1])) for step in rest[0])
            return m.b.emit(op.fn, m.wide(buffer), path, m.beside(rest[1]))
    if isinstance(type_of(buffer), Stack) and op.fn is linear.index_add:
        return m.b.emit(op.fn, m.wide(buffer), rest[0], m.wide(rest[1]))
    raise NotBatched(op, "writes to a place that one direction has")


# -- element by element ----------------------------------------------------------------------


def elementwise(m: Walker, op: Apply) -> Operand | None:
    if any(isinstance(type_of(a), (list,)) for a in op.args):
        return None
    args = [m.beside(a) for a in op.args]
    kwargs = {k: m.beside(a) for k, a in op.kwargs.items()}
    made: Operand = m.b.apply(op.fn, *args, **kwargs)
    return made


@form(builtins.float, builtins.complex, np.float64, np.float32, np.complex128)
def number(m: Walker, op: Apply, given: Given) -> Operand | None:
    """A number is an array of numbers, one for each direction."""
    (x, *others) = op.args
    plain = op.fn in (builtins.float, np.float64) and isinstance(type_of(m.read(x)), Array)
    known = type_of(m.read(x))
    if others or not plain or known.dtype != "float64" or known.rank != 1:  # type: ignore[union-attr]
        return None
    return m.read(x)


# -- subscripts ------------------------------------------------------------------------------


def indexes(index: Operand) -> bool:
    """True if a subscript is known well enough: it may be no ``...`` in disguise."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        isinstance(p, (slice, list))
        or (isinstance(p, Const) and not isinstance(p.value, tuple))
        or (isinstance(p, Value) and isinstance(p.type, (Array, Number)))
        for p in parts
    )


def within(m: Walker, index: Operand) -> Operand:
    """The subscript of the same place in all directions."""
    if not indexes(index):
        return m.b.emit(runtime.in_each, index)
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(p, Const) and p.value is Ellipsis for p in parts):
        return (*parts, slice(None, None, None))
    return index


@form(operator.getitem)
def getitem(m: Walker, op: Apply, given: Given) -> Operand | None:
    x, index = op.args
    if not m.has(x) or m.has(index):
        return None
    if not isinstance(type_of(x), (Array, Numeric)):  # a container, or nobody knows
        constant = isinstance(index, Const) and type(index.value) in (int, str)
        if isinstance(type_of(x), Stack) or (constant and type_of(x) is not None):
            return m.b.getitem(m.read(x), index)
        return None
    return m.b.apply(operator.getitem, m.read(x), within(m, index))


@form(linear.scatter)
def scatter(m: Walker, op: Apply, given: Given) -> Operand | None:
    c, like, index = given["c"], given["like"], given["index"]
    if not isinstance(type_of(like), Array) or m.has(like) or m.has(index):
        return None
    zeros = m.wide(m.b.emit(linear.zeros_like, like))
    return m.b.emit(linear.index_add, zeros, within(m, index), m.beside(c))


# -- what the helpers of derivatives do ---------------------------------------------------------


@form(linear.unbroadcast)
def unbroadcast(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(given["like"]):
        return None
    return m.b.emit(runtime.unbroadcast_each, m.read(given["c"]), given["like"])


@form(linear.stretch)
def stretch(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(given["like"]):
        return None
    shape = m.b.emit(operator.add, m.b.emit(np.shape, given["like"]), (m.k(),))
    return m.b.emit(np.broadcast_to, m.read(given["c"]), shape)


@form(linear.unreduce)
def unreduce(m: Walker, op: Apply, given: Given) -> Operand | None:
    if m.has(list(given.values())[1:]):
        return None
    c, *rest = op.args
    return m.b.emit(runtime.unreduce_each, m.read(c), *rest, **op.kwargs)


@form(linear.match)
def match(m: Walker, op: Apply, given: Given) -> Operand | None:
    c, like = given["c"], given["like"]
    if m.has(like) or not isinstance(type_of(like), Array) or not m.has(c):
        return None
    return m.b.emit(runtime.match_each, m.read(c), like)


class NotBatched(Exception):
    """An operation that takes one direction at a time: which, and its line."""

    def __init__(self, op: Op | None, why: str) -> None:
        fn = getattr(op, "fn", None)
        self.line = op.loc.line if op is not None and op.loc is not None else 0
        self.name = own_attribute(fn, "__name__", type(op).__name__)
        super().__init__(f"`{self.name}` {why}" if op is not None else why)
