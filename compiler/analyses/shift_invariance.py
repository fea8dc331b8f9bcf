"""Shifts that cancel: the largest entry in ``exp(x - x.max()) / sum(exp(x - x.max()))``.

What a region makes of a value ``m`` is followed as if ``m`` were ``m + t``: it becomes ``y + c t`` (a sum in t) or
``y exp(c t)`` (a factor in t), or it does not change.  Where none of the results changes, whatever ``m`` is, its
derivative is zero, and it is a constant to the derivative: no adjoint goes back to the place of the maximum.

    m                      a sum, c = 1
    e = np.exp(x - m)      a factor, c = -1
    p = e / np.sum(e)      does not change
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import Apply, Block, Const, Op, Operand, Value, values_in, values_read, walk
from ..ir.types import Array, Number
from .shapes.infer import type_of
from .shapes.reductions import axes_in

__all__ = ["cancelling"]

# Along each axis of a value, the axis of `m` along which t varies; None: along this one it does not.
Alignment = tuple[int | None, ...]


@dataclass(frozen=True)
class Shifted:
    """What a value is of t: ``y + c t``, or where `factor`, ``y exp(c t)``."""

    factor: bool
    c: float
    along: Alignment


class Unknown(Exception):
    """An operation of which is not known what it does with a shift."""


def cancelling(block: Block, ends: Iterable[Operand]) -> set[Value]:
    """The extremes in a region, and in those in it, of which nothing that comes out of them depends."""
    found = {op.results[0] for op in block.ops if is_extreme(op) and cancels(op, block, ends)}
    for op in block.ops:
        for inner in op.blocks:
            found |= cancelling(inner, inner.yields)
    return found


def is_extreme(op: Op) -> bool:
    if not isinstance(op, Apply) or traits_of(op.fn).reduces != "extreme":
        return False
    dims = getattr(type_of(op.result), "dims", None)
    return dims is not None and getattr(type_of(op.result), "kind", None) == "f"


def cancels(start: Op, block: Block, ends: Iterable[Operand]) -> bool:
    m = start.results[0]
    dims = type_of(m).dims  # type: ignore[union-attr]
    along = tuple(None if n == 1 else axis for axis, n in enumerate(dims or ()))
    known = {m: Shifted(False, 1.0, along)}
    read = False
    for op in block.ops[block.ops.index(start) + 1 :]:
        if not any(v in known for v in read_by(op)):
            continue
        read = True
        try:
            shifted = follow(op, known)
        except Unknown:
            return False
        if shifted is not None and shifted.c:
            known[op.results[0]] = shifted
    return read and not any(v in known for v in values_in(list(ends)))


def read_by(op: Op) -> Iterator[Value]:
    yield from values_read(op)
    for block in op.blocks:
        yield from values_in(block.yields)
        for inner in walk(block):
            yield from values_read(inner)
            for deeper in inner.blocks:
                yield from values_in(deeper.yields)


def follow(op: Op, known: dict[Value, Shifted]) -> Shifted | None:
    """What an operation makes of shifted operands; None if it does not change."""
    if not isinstance(op, Apply) or op.effect or type_of(op.result) is None:
        raise Unknown
    if not carries(op.result):
        return None  # a comparison, or a shape: no derivative goes through it
    args = [known.get(a) if isinstance(a, Value) else None for a in op.args]
    known_of = traits_of(op.fn)
    rule = RULES.get(op.fn) or SIGNS.get(str(known_of.sign)) or REDUCED.get(str(known_of.reduces))
    if rule is None or any(v in known for v in values_in(list(op.kwargs.values()))):
        raise Unknown
    if any(v in known for a in op.args if not isinstance(a, Value) for v in values_in(a)):
        raise Unknown
    return rule(op, args)


def carries(v: Value) -> bool:
    kind = type_of(v)
    return not isinstance(kind, (Array, Number)) or kind.kind not in ("b", "i", "u")


def rank(v: Operand) -> int:
    dims = getattr(type_of(v), "dims", None)
    if dims is None:
        raise Unknown
    return len(dims)


def spread(op: Apply, x: Shifted) -> Alignment:
    """The axes of a result to which an operand was broadcast."""
    return (None,) * (rank(op.result) - len(x.along)) + x.along


def added(op: Apply, args: list[Shifted | None], sign: float) -> Shifted | None:
    x, y = args
    if any(a is not None and a.factor for a in args):
        raise Unknown
    if x is None or y is None:
        one = x or y
        assert one is not None
        return Shifted(False, one.c if y is None else sign * one.c, spread(op, one))
    if spread(op, x) != spread(op, y):
        raise Unknown
    return Shifted(False, x.c + sign * y.c, spread(op, x))


def multiplied(op: Apply, args: list[Shifted | None], sign: float) -> Shifted | None:
    x, y = args
    if x is not None and y is not None:
        if not (x.factor and y.factor) or spread(op, x) != spread(op, y):
            raise Unknown
        return Shifted(True, x.c + sign * y.c, spread(op, x))
    one = x or y
    assert one is not None
    if one.factor:
        return Shifted(True, one.c if y is None else sign * one.c, spread(op, one))
    other = op.args[1] if y is None else op.args[0]
    k = other.value if isinstance(other, Const) else None
    if type(k) not in (int, float) or not k or (y is not None and sign < 0):
        raise Unknown
    return Shifted(False, one.c * float(k) ** sign, spread(op, one))


def negated(op: Apply, args: list[Shifted | None]) -> Shifted | None:
    (x,) = args
    assert x is not None
    return x if x.factor else Shifted(False, -x.c, x.along)


def exponential(op: Apply, args: list[Shifted | None]) -> Shifted | None:
    (x,) = args
    assert x is not None
    if x.factor:
        raise Unknown
    return Shifted(True, x.c, x.along)


def logarithm(op: Apply, args: list[Shifted | None]) -> Shifted | None:
    (x,) = args
    assert x is not None
    if not x.factor:
        raise Unknown
    return Shifted(False, x.c, x.along)


def averaged(op: Apply, args: list[Shifted | None]) -> Shifted | None:
    """A mean, an extreme or the sum of a factor along axes along which t does not vary."""
    x = args[0]
    if x is None or len(op.args) > 2 or not set(op.kwargs) <= {"axis", "keepdims"}:
        raise Unknown
    whole = 0 if isinstance(own_attribute(op.fn, "__self__"), np.ufunc) else None
    axis = op.kwargs.get("axis", op.args[1] if len(op.args) == 2 else Const(whole))
    keep = op.kwargs.get("keepdims", Const(False))
    if not isinstance(axis, Const) or not isinstance(keep, Const):
        raise Unknown
    n = rank(op.args[0])
    axes = axes_in(n, axis.value)
    along = (None,) * (n - len(x.along)) + x.along
    if any(along[a] is not None for a in axes):
        raise Unknown
    left = along if keep.value else tuple(a for k, a in enumerate(along) if k not in axes)
    return Shifted(x.factor, x.c, left)


def summed(op: Apply, args: list[Shifted | None]) -> Shifted | None:
    if args[0] is None or not args[0].factor:
        raise Unknown
    return averaged(op, args)


def taken(op: Apply, args: list[Shifted | None]) -> Shifted | None:
    """Whole axes, new ones, and places along axes along which t does not vary."""
    x = args[0]
    if x is None:
        raise Unknown
    along = iter(x.along)
    left: list[int | None] = []
    index = op.args[1] if isinstance(op.args[1], tuple) else (op.args[1],)
    for part in index:
        if isinstance(part, Const) and part.value is None:
            left.append(None)
            continue
        axis = next(along, None)
        if is_whole(part):
            left.append(axis)
        elif axis is not None or not (isinstance(part, Const) and type(part.value) is int):
            raise Unknown
    return Shifted(x.factor, x.c, (*left, *along))


def is_whole(part: Any) -> bool:
    return isinstance(part, slice) and all(
        p is None or (isinstance(p, Const) and p.value is None)
        for p in (part.start, part.stop, part.step)
    )


Rule = Callable[[Apply, list[Shifted | None]], Shifted | None]
SIGNS: dict[str, Rule] = {
    "+": lambda op, args: added(op, args, 1),
    "-": lambda op, args: added(op, args, -1),
    "*": lambda op, args: multiplied(op, args, 1),
    "/": lambda op, args: multiplied(op, args, -1),
    "-x": negated,
}
RULES: dict[Any, Rule] = {
    np.exp: exponential,
    np.log: logarithm,
    operator.getitem: taken,
}
REDUCED: dict[str, Rule] = {"sum": summed, "mean": averaged, "extreme": averaged}
