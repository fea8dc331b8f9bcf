"""How much arithmetic a loop does, as an expression of sizes that are known before it."""

from __future__ import annotations

from typing import Any

from .ir import (
    Accumulate,
    Affine,
    For,
    Get,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    blocks_of,
    exprs_of,
    loads,
    subexpressions,
    variables,
    walk,
)
from .operation_traits import scalar_operation

__all__ = ["elements_of", "number", "work_of"]

UNKNOWN = Lit(64.0, "f8")  # what only a run could tell


def work_of(loop: For, outside: dict[str, Any] | None = None) -> Any:
    """The operations of all iterations of a loop, a float: each inner loop counts with its mean length.

    >>> i, j, n = Var("i"), Var("j"), Var("n")
    >>> body = [Let(Var("t", "f8"), Op("multiply", (Var("x", "f8"), Var("x", "f8")), "f8"))]
    >>> work_of(For(i, affine(0), affine(10), body))
    Lit(value=20.0, dtype='f8')
    """
    known = dict(outside or {})
    known |= {s.var.name: UNKNOWN for s in walk(loop.body) if isinstance(s, (Set, Accumulate))}
    lo, hi = number(loop.lo, known), number(loop.hi, known)
    known[loop.var.name] = product(Lit(0.5, "f8"), total(lo, hi))
    return product(apart(hi, lo), work_in(loop.body, known))


def work_in(stmts: list[Stmt], known: dict[str, Any]) -> Any:
    """The operations of one run of some statements; ``known``: integers as far as they can be told."""
    done: Any = Lit(0.0, "f8")
    for stmt in stmts:
        own = 1.0 + sum(map(cost, exprs_of(stmt)))
        done = total(done, Lit(own, "f8"))
        if isinstance(stmt, Let) and stmt.var.dtype == "i8":
            known[stmt.var.name] = number(stmt.value, known)
        elif isinstance(stmt, Let):
            known[stmt.var.name] = UNKNOWN  # an index may be computed from it
        if isinstance(stmt, For):
            done = total(done, work_of(stmt, known))
        elif isinstance(stmt, While):
            done = total(done, product(UNKNOWN, work_in(stmt.body, dict(known))))
        else:
            for block in blocks_of(stmt):
                done = total(done, work_in(block, dict(known)))
    return done


def cost(e: Any) -> float:
    """The operations of an expression; additions and products of integers are free."""
    return sum(
        scalar_operation(part.name).cost
        for part in subexpressions(e)
        if isinstance(part, Op) and part.name != "cast"
    ) + sum(isinstance(part, Get) for part in subexpressions(e))


def elements_of(dims: tuple[Any, ...]) -> Any:
    """The number of elements of a buffer, a float."""
    found: Any = Lit(1.0, "f8")
    for n in dims:
        found = product(found, number(n, {}))
    return found


# -- integers as floats ------------------------------------------------------------------


def number(e: Any, known: dict[str, Any]) -> Any:
    """An integer as a float, ``known`` in place of the names in it."""
    if isinstance(e, Affine):
        found: Any = Lit(float(e.const), "f8")
        for atom, k in e.terms:
            found = total(found, product(Lit(float(k), "f8"), number(atom, known)))
        return found
    if isinstance(e, Var):
        return known.get(e.name, Op("cast", (affine(e),), "f8"))
    if isinstance(e, Op) and e.name in ("imul", "minimum", "maximum", "floor_divide"):
        a, b = (number(x, known) for x in e.args)
        if e.name == "imul":
            return product(a, b)
        return Op("divide" if e.name == "floor_divide" else e.name, (a, b), "f8")
    if any(loads(e)) or any(v.name in known for v in variables(e)):
        return UNKNOWN
    return Op("cast", (affine(e),), "f8")


def total(a: Any, b: Any) -> Any:
    if isinstance(a, Lit) and isinstance(b, Lit):
        return Lit(a.value + b.value, "f8")
    if isinstance(b, Lit):
        a, b = b, a
    if isinstance(a, Lit) and a.value == 0:
        return b
    if isinstance(b, Op) and b.name == "add" and isinstance(b.args[0], Lit):
        a, b = total(a, b.args[0]), b.args[1]  # constants in front
    return Op("add", (a, b), "f8")


def product(a: Any, b: Any) -> Any:
    if isinstance(a, Lit) and isinstance(b, Lit):
        return Lit(a.value * b.value, "f8")
    if isinstance(b, Lit):
        a, b = b, a
    if isinstance(a, Lit) and a.value in (0.0, 1.0):
        return b if a.value else a
    if isinstance(b, Op) and b.name == "multiply" and isinstance(b.args[0], Lit):
        a, b = product(a, b.args[0]), b.args[1]
    return Op("multiply", (a, b), "f8")


def apart(a: Any, b: Any) -> Any:
    """``a - b``."""
    return total(a, product(Lit(-1.0, "f8"), b))
