"""Python's own functions: ``range``, ``zip``, ``len``, ``max``, ``isinstance``, ..."""

from __future__ import annotations

import ast
import functools
from functools import partial
from typing import Any

import numpy as np

from ...loop_ir.ir import Lit, Op, Set, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import cast, literal
from ...loop_ir.values import Constant, Items, Scalar, View, all_weak, dtype_of, scalar
from ...refusal import Unsupported
from ..growing_lists import count_of, item_of
from ..handlers import complex_too, reads
from ..iterations import iteration, steps_of
from ..loop_builder import counted, varying
from ..module_objects import is_fixed
from ..numpy.elementwise import elementwise
from ..numpy.reductions import total
from ..reader import Reader
from ..values import Iteration, Rows, Tape
from .attributes import attribute_of
from .operators import binary


@reads(range)
@complex_too
def range_(r: Reader, *args: Any) -> Iteration:
    values = [r.integer(a) for a in args]
    lo, hi, step = {1: (integer(0), *values, integer(1)), 2: (*values, integer(1))}.get(
        len(values), tuple(values)
    )
    k = literal(step)
    if k == 0:
        raise Unsupported("a range without steps")
    if k is None:
        return strided_range(r, lo, hi, step)
    gap = minus(hi, lo) if k > 0 else minus(lo, hi)
    known_count = None if gap.terms else integer(max(0, -(-gap.const // abs(k))))
    if k == 1:
        count = known_count or Op("maximum", (gap, integer(0)), "i8")
        return Iteration(r.named(count, "count"), lambda i: Scalar(affine(i)), (lo, hi))
    if known_count is not None:
        return Iteration(known_count, lambda i: Scalar(plus(lo, times(k, i))))
    steps = Op("floor_divide", (plus(gap, abs(k) - 1), affine(abs(k))), "i8")
    count = r.named(Op("maximum", (affine(r.named(steps)), integer(0)), "i8"), "count")
    return Iteration(count, lambda i: Scalar(plus(lo, times(k, i))))


def strided_range(r: Reader, lo: Any, hi: Any, step: Any) -> Iteration:
    """A range whose step is known when the kernel runs: upwards."""
    r.bail(Op("less_equal", (affine(step), integer(0)), "b1"))
    gap = r.named(plus(minus(hi, lo), minus(step, 1)), "gap")
    steps = Op("floor_divide", (affine(gap), affine(step)), "i8")
    count = r.named(Op("maximum", (affine(r.named(steps)), integer(0)), "i8"), "count")
    return Iteration(count, lambda i: Scalar(plus(lo, times(step, i))))


@reads(reversed)
@complex_too
def reversed_(r: Reader, value: Any) -> Iteration:
    over = iteration(r, value)
    return Iteration(over.count, over.element, over.direct, not over.backwards, over.static)


@reads(zip)
@complex_too
def zip_(r: Reader, *values: Any, strict: Any = None) -> Iteration:
    parts = [iteration(r, v) for v in values]
    count = parts[0].count
    for part in parts[1:]:
        if r.norm(part.count) != r.norm(count):
            r.bail(Op("not_equal", (affine(part.count), affine(count)), "b1"))

    def element(k: Any) -> Any:
        return Items(tuple(p.element(position(p, k)) for p in parts))

    def position(part: Iteration, k: Any) -> Any:
        at = minus(minus(count, 1), k) if part.backwards else affine(k)
        return plus(part.direct[0], at) if part.direct else at

    return Iteration(count, element, static=any(p.static for p in parts))


@reads(enumerate)
@complex_too
def enumerate_(r: Reader, value: Any, start: Any = None) -> Iteration:
    first = integer(0) if start is None else r.integer(start)
    over = zip_(r, value)
    return Iteration(
        over.count,
        lambda k: Items((Scalar(plus(first, k)), over.element(k).values[0])),
        static=over.static,
    )


@reads(len)
@complex_too
def length(r: Reader, value: Any) -> Scalar:
    if isinstance(value, Items):
        return scalar(len(value.values))
    if isinstance(value, (Tape, Rows)):
        return Scalar(r.named(count_of(r, value), "count"))
    if isinstance(value, Iteration):
        return Scalar(affine(value.count))
    if isinstance(value, View) and value.dims:
        return Scalar(affine(value.dims[0]))
    raise Unsupported("the length of this")


@reads(hasattr)
@complex_too
def hasattr_(r: Reader, value: Any, name: Any) -> Any:
    return scalar(has(r, value, r.literal(name)))


def has(r: Reader, value: Any, name: str) -> bool:
    """True if a value has an attribute."""
    if isinstance(value, Constant) and is_fixed(value.value):
        return hasattr(value.value, name)
    return hasattr(kind_of(value), name)


def kind_of(value: Any) -> Any:
    """The type of a value."""
    if isinstance(value, View):
        return np.ndarray
    if isinstance(value, Scalar) and not value.mixed:
        if value.weak:
            return {"f8": float, "i8": int, "b1": bool, "c16": complex}[value.dtype]
        return dtype_of(value.dtype).type
    if isinstance(value, Items):
        return {"list": list, "dict": dict}.get(value.kind, tuple)
    if isinstance(value, Constant):
        return type(value.value)
    raise Unsupported("the type of this")


@reads(getattr)
@complex_too
def getattr_(r: Reader, value: Any, name: Any, *default: Any) -> Any:
    if has(r, value, r.literal(name)):
        return attribute_of(r, value, r.literal(name))
    if not default:
        raise Unsupported(f"the attribute `{r.literal(name)}`")
    return default[0]


def in_container(kind: str, r: Reader, value: Any = None) -> Any:
    """``list`` and ``tuple``."""
    if value is None:
        return Items((), kind=kind)
    if isinstance(value, Items) and value.keys is None:
        return Items(value.values, kind=kind)
    if isinstance(value, (Tape, Rows)):
        return value
    over = iteration(r, value)
    return Items(tuple(steps_of(over)), kind=kind)


reads(tuple)(partial(in_container, "tuple"))
reads(list)(partial(in_container, "list"))


@reads(bool)
def bool_(r: Reader, value: Any) -> Any:
    found = r.truth(value)
    return scalar(found) if isinstance(found, bool) else Scalar(found)


@reads(slice)
def slice_(r: Reader, *bounds: Any) -> Constant:
    return Constant(slice(*map(r.literal, bounds)))


@reads(float)
def float_(r: Reader, value: Any) -> Scalar:
    return Scalar(cast(r.number(value).expr, "f8"))


@reads(int)
def int_(r: Reader, value: Any) -> Scalar:
    found = r.number(value)
    if found.dtype[0] == "f":
        return whole(r, found.expr)
    e = r.named(cast(found.expr, "i8"))
    if found.weak is not True and found.literal is None:
        r.check_small(e)
    return Scalar(e)


def whole(r: Reader, e: Any) -> Scalar:
    """A float without its fraction, as a Python integer; large ones are left to Python."""
    e = r.named(e)
    size = Op("absolute", (e,), e.dtype)
    r.bail(Op("logical_not", (Op("less", (size, Lit(2.0**31, e.dtype)), "b1"),), "b1"))
    return Scalar(r.named(Op("cast", (e,), "i8"), "k"))


@reads(round)
def rounded(r: Reader, value: Any) -> Scalar:
    """Python's ``round``."""
    found = r.number(value)
    if found.dtype[0] != "f" or found.weak is not True:
        raise Unsupported("round() of this")
    return whole(r, Op("rint", (found.expr,), found.dtype))


@reads(abs)
@complex_too
def abs_(r: Reader, value: Any) -> Any:
    value = r.array(value)
    return elementwise(r, np.absolute, value, weak=all_weak(value))


def pick(r: Reader, better: str, args: tuple[Any, ...]) -> Any:
    """``max`` / ``min`` of numbers, or of a container of them: the first of equal ones."""
    if len(args) == 1 and isinstance(args[0], Items):
        args = args[0].values
    numbers = [r.number(a) for a in args]
    kinds = {n.dtype for n in numbers}
    if len(kinds) != 1:
        raise Unsupported("max() of different kinds")
    (kind,) = kinds
    best, weak = r.named(numbers[0].expr), numbers[0].weak
    for other in numbers[1:]:
        e = r.named(other.expr)
        taken = r.named(Op(better, (e, best), "b1"))
        if weak is not other.weak:
            soft = Op("where", (taken, other.softness, Scalar(best, weak).softness), "b1")
            weak = r.named(soft)
        best = r.named(Op("where", (taken, e, best), kind))
    return Scalar(best, weak)


@reads(max)
def max_(r: Reader, *values: Any) -> Any:
    return pick(r, "greater", values)


@reads(min)
def min_(r: Reader, *values: Any) -> Any:
    return pick(r, "less", values)


@reads(isinstance)
@complex_too
def isinstance_(r: Reader, value: Any, cls: Any) -> Any:
    classes = cls.value if isinstance(cls, Constant) else r.literal(cls)
    classes = classes if isinstance(classes, tuple) else (classes,)
    if isinstance(value, (Tape, Rows)):  # a list, or a tuple of one
        answers = {any(issubclass(k, c) for c in classes) for k in (list, tuple)}
        if len(answers) == 2:
            raise Unsupported("the type of this")
        return scalar(answers.pop())
    return scalar(any(issubclass(kind_of(value), c) for c in classes))


def all_or_any(every: bool, r: Reader, values: Any) -> Any:
    """Python's ``all`` and ``any`` of conditions that are known one by one."""
    if not isinstance(values, Items):
        raise Unsupported("any() of this")
    found = [r.truth(v) for v in values.values]
    if (not every) in found:
        return scalar(not every)
    open_ = [c for c in found if not isinstance(c, bool)]
    name = "logical_and" if every else "logical_or"
    if not open_:
        return scalar(every)
    return Scalar(functools.reduce(lambda a, b: Op(name, (a, b), "b1"), open_))


reads(any)(partial(all_or_any, False))
reads(all)(partial(all_or_any, True))


@reads(sum)
@complex_too
def sum_of_items(r: Reader, values: Any, start: Any = None) -> Any:
    """Python's ``sum``."""
    found = scalar(0) if start is None else start
    if isinstance(values, Items):
        for value in values.values:
            found = binary(r, ast.Add(), found, value)
        return found
    if isinstance(values, (Tape, Rows)):
        return sum_of_list(r, values, found)
    values = r.array(values)
    if isinstance(values, Scalar):
        raise Unsupported("sum() of a number")
    return binary(r, ast.Add(), found, total(r, values, scalar(0)))


def sum_of_list(r: Reader, values: Any, start: Any) -> Any:
    """The sum of numbers in a list that grew; an empty one is left to the text."""
    count = r.named(count_of(r, values), "count")
    r.bail(Op("less_equal", (affine(count), integer(0)), "b1"))
    first = binary(r, ast.Add(), start, item_of(r, values, integer(0)))
    if not isinstance(first, Scalar) or first.mixed:
        raise Unsupported("sum() of a list of arrays")
    whole = varying(r, "total", first.expr)
    with counted(r, 1, count) as k:
        item = binary(r, ast.Add(), Scalar(whole, first.weak), item_of(r, values, k))
        if item.dtype != whole.dtype or item.weak is not first.weak:
            raise Unsupported("sum() of numbers of several kinds")
        r.emit(Set(whole, item.expr))
    return Scalar(whole, first.weak)
