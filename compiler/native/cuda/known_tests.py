"""Tests that the host makes before it launches anything, and sizes by one name each.

A kernel for the device cannot leave half-way, so a test inside of a loop is made for all of its iterations ahead.
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass

from ..loop_ir.host_values import is_of_host
from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Bail,
    Break,
    Continue,
    For,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    affine,
    blocks_of,
    change_exprs,
    integer,
    minus,
    plus,
    rewrite,
    times,
    variables,
    walk,
)  # fmt: skip

__all__ = ["AnyOf", "tested_ahead"]


@dataclass(eq=False)
class AnyOf(Bail):
    """Leave if ``cond`` is true for any value of the variables of ``loops``."""

    loops: list[tuple[Var, Any, Any]]


def tested_ahead(kernel: Kernel, computed: set[str]) -> Kernel:
    """Write sizes alike, drop what cannot fail, and test the rest before the loops that it stands in."""
    sizes_alike(kernel)
    simpler(kernel.body, [])
    ahead(kernel.body, computed)
    return kernel


def sizes_alike(kernel: Kernel) -> None:
    """Names for sizes of arguments go, and ``max(n, 0)`` of one is it."""
    found: dict[Var, Any] = {}

    def change(e: Any) -> Any:
        if isinstance(e, Var):
            return found.get(e, e)
        if isinstance(e, Op) and e.name == "maximum" and e.dtype == "i8":
            a, b = map(affine, e.args)
            return a if b == integer(0) and is_size(a) else e
        return e

    change_exprs(kernel.body, change)
    for s in walk(kernel.body):
        if isinstance(s, Let) and isinstance(rewrite(s.value, change), Affine):
            value = rewrite(s.value, change)
            if all(isinstance(v, Var) and v.name.startswith("n_") for v, _ in value.terms):
                found[s.var] = value
    change_exprs(kernel.body, change)
    for s in walk(kernel.body):
        for e in (getattr(s, "buffer", None) and [s.buffer]) or []:  # type: ignore[attr-defined]
            e.dims = tuple(rewrite(n, change) for n in e.dims)


def is_size(e: Affine) -> bool:
    """True of a sum of sizes, which is not negative."""
    return e.const >= 0 and all(
        isinstance(v, Var) and v.name.startswith("n_") and k > 0 for v, k in e.terms
    )


# -- what cannot fail -------------------------------------------------------------------

Ranges = list[tuple[Var, Any, Any]]  # variables of the loops around, inner last, and their bounds


def simpler(stmts: list[Stmt], ranges: Ranges) -> None:
    """Indices that are known to be inside are what they are, and their tests go."""
    for s in list(stmts):
        inner = ranges
        if isinstance(s, For):
            inner = [*ranges, (s.var, s.lo, s.hi)]
        if isinstance(s, Bail):
            cond = never(s.cond, ranges)
            if isinstance(cond, Lit) and not cond.value:
                stmts.remove(s)
                continue
            s.cond = cond
        elif not isinstance(s, For):
            own = [s]
            change_here(own, ranges)
        for block in blocks_of(s):
            simpler(block, inner)


def change_here(stmts: list[Stmt], ranges: Ranges) -> None:
    if any(blocks_of(s) for s in stmts):
        return
    change_exprs(stmts, lambda e: unwrapped(e, ranges))


def unwrapped(e: Any, ranges: Ranges) -> Any:
    if not (isinstance(e, Op) and e.name == "wrap"):
        return e
    k, _ = e.args
    lowest = bound(affine(k), ranges, -1)
    return k if lowest is not None and is_size(lowest) else e


def never(cond: Any, ranges: Ranges) -> Any:
    """A condition without the parts that are false."""
    if isinstance(cond, Op) and cond.name == "logical_or":
        a, b = (never(c, ranges) for c in cond.args)
        if is_false(a):
            return b
        return a if is_false(b) else Op("logical_or", (a, b), "b1")
    if isinstance(cond, Op) and cond.name in ("less", "less_equal") and cond.args[0].dtype == "i8":
        room = bound(minus(*cond.args), ranges, -1)  # at least
        room = None if room is None else plus(room, -1 if cond.name == "less_equal" else 0)
        if room is not None and is_size(room):
            return Lit(False, "b1")
    if isinstance(cond, Op) and cond.name == "not_equal" and cond.args[0].dtype == "i8":
        return Lit(False, "b1") if minus(*cond.args) == integer(0) else cond
    return cond


def is_false(e: Any) -> bool:
    return isinstance(e, Lit) and not e.value


def bound(e: Affine, ranges: Ranges, sign: int) -> Affine | None:
    """The least value (or, with ``sign`` 1, the greatest) in terms of sizes, while there are iterations at all."""
    for var, lo, hi in reversed(ranges):
        k = next((k for v, k in e.terms if v == var), 0)
        if any(var in set(variables(v)) and v != var for v, _ in e.terms):
            return None
        if k:
            end = lo if k * sign < 0 else minus(hi, 1)
            e = plus(minus(e, times(k, var)), times(k, end))
    return e


# -- the rest ---------------------------------------------------------------------------


def ahead(stmts: list[Stmt], computed: set[str]) -> None:
    """Take tests out of loops, inner loops first."""
    k = 0
    while k < len(stmts):
        s = stmts[k]
        for block in blocks_of(s):
            ahead(block, computed)
        if isinstance(s, For) and not leaves_early(s.body):
            found = [t for t in s.body if isinstance(t, Bail) and may_go(t, s, computed)]
            s.body[:] = [t for t in s.body if t not in found]
            for t in found:
                loops = [(s.var, s.lo, s.hi), *(t.loops if isinstance(t, AnyOf) else [])]
                if any(s.var in set(variables(e)) for e in parts_of(t)):
                    stmts.insert(k, AnyOf(t.cond, loops))
                else:
                    stmts.insert(k, t)
                k += 1
        k += 1


def leaves_early(stmts: list[Stmt]) -> bool:
    return any(isinstance(s, (Break, Continue)) for s in walk(stmts))


def parts_of(t: Bail) -> list[Any]:
    more = [e for _, lo, hi in t.loops for e in (lo, hi)] if isinstance(t, AnyOf) else []
    return [t.cond, *more]


def may_go(t: Bail, loop: For, computed: set[str]) -> bool:
    """True if a test asks for nothing that the loop computes."""
    made = {s.var.name for s in walk(loop.body) if isinstance(s, (Let, Set, Accumulate))}
    return all(
        is_of_host(e, computed) and not any(v.name in made for v in variables(e))
        for e in parts_of(t)
    )
