"""Between what the index of a loop lies where it is read: the bounds of the loop, and tests of it around."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...loop_ir.ir import Affine, Op, Var, affine, minus, plus
from ..reader import Reader

__all__ = ["limits", "tested"]

OTHERWISE = {
    "less": "greater_equal",
    "less_equal": "greater",
    "greater": "less_equal",
    "greater_equal": "less",
    "equal": "not_equal",
    "not_equal": "equal",
}
MIRRORED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}


@contextmanager
def tested(r: Reader, cond: Any, side: bool) -> Iterator[None]:
    """What is read meanwhile runs only where a condition holds, or does not."""
    r.tests.append((cond, side))
    try:
        yield
    finally:
        r.tests.pop()


def limits(r: Reader, loop: Any) -> tuple[Affine, list[Affine]]:
    """The least index of a loop, and ends that it stays below: the first is the one to test for."""
    low, high = affine(loop.lower), affine(loop.upper)
    others = []
    for cond, side in r.tests:
        for order, bound in comparisons(cond, side, loop.var):
            if not (r.stable(bound) and r.entered(bound, loop)):
                continue
            if order in ("greater", "greater_equal", "equal"):
                low = later(low, plus(bound, 1 if order == "greater" else 0))
            if order in ("less", "less_equal", "equal"):
                end = plus(bound, 0 if order == "less" else 1)
                high = min_of(high, end)
                others.append(end)
            if order == "not_equal" and minus(bound, low) == affine(0):
                low = plus(low, 1)
            if order == "not_equal" and minus(high, bound) == affine(1):
                high = bound
    return low, [high, *others]


def later(low: Affine, bound: Affine) -> Affine:
    more = minus(bound, low)
    return bound if not more.terms and more.const > 0 else low


def min_of(high: Affine, bound: Affine) -> Affine:
    less = minus(high, bound)
    return bound if not less.terms and less.const > 0 else high


def comparisons(cond: Any, side: bool, var: Var) -> Iterator[tuple[str, Affine]]:
    """What a condition says of a variable, as comparisons with it on the left."""
    if not isinstance(cond, Op):
        return
    if cond.name == "logical_not":
        yield from comparisons(cond.args[0], not side, var)
    if cond.name == ("logical_and" if side else "logical_or"):
        for part in cond.args:
            yield from comparisons(part, side, var)
    if cond.name not in OTHERWISE or any(x.dtype != "i8" for x in cond.args):
        return
    order = cond.name if side else OTHERWISE[cond.name]
    left, right = map(affine, cond.args)
    for x, y, way in ((left, right, order), (right, left, MIRRORED.get(order, order))):
        if x.terms == ((var, 1),) and all(atom != var for atom, _ in y.terms):
            yield way, plus(y, -x.const)
