"""Names that only stand for another, and tests that were made already."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    Comment,
    For,
    Get,
    Let,
    Op,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    exprs_of,
    integer,
    minus,
    subexpressions,
    walk,
)
from .unread import names_read
from .versions import replaced, sole

__all__ = ["Room", "asked_once", "in_fewer_words", "to_the_end"]


def in_fewer_words(stmts: list[Stmt], hints: dict[str, str]) -> None:
    """A name for a variable that keeps its value is that variable; a result is given back as it is computed."""
    for stmt in stmts:
        for block in blocks_of(stmt):
            in_fewer_words(block, hints)
    k = 0
    while k < len(stmts):
        stmt, rest = stmts[k], stmts[k + 1 :]
        if type(stmt) is Let and (stands_for(stmt, rest) or is_read_once(stmt, rest, hints)):
            found = sole(stmt.value)
            if isinstance(found, Var):
                hand_name(stmt.var, found, hints)
            replaced(rest, stmt.var, found)
            del stmts[k]
        else:
            k += 1


def to_the_end(stmts: list[Stmt], counts: dict[str, Any]) -> None:
    """A loop from 0 to a count that is 0 where another integer is negative runs to that integer."""
    for stmt in stmts:
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(value, Affine):
            value = sole(value)
        if (
            isinstance(stmt, Let)
            and isinstance(value, Op)
            and value.name == "maximum"
            and value.args[1] == integer(0)
        ):
            counts[stmt.var.name] = value.args[0]
        found = sole(stmt.hi) if isinstance(stmt, For) and stmt.lo == integer(0) else None
        if isinstance(stmt, For) and isinstance(found, Var) and found.name in counts:
            stmt.hi = affine(counts[found.name])
        for block in blocks_of(stmt):
            to_the_end(block, counts)


def stands_for(stmt: Let, rest: list[Stmt]) -> bool:
    found = sole(stmt.value)
    if isinstance(found, Get) and found.buffer.role == "argument":
        return all(not affine(i).terms for i in found.index)  # nobody writes there
    if not isinstance(found, Var) or found.dtype != stmt.var.dtype:
        return False
    return not any(isinstance(s, (Set, Accumulate)) and s.var == found for s in walk(rest))


def hand_name(var: Var, found: Var, hints: dict[str, str]) -> None:
    """What the text has a name for is called by it."""
    own = hints.get(var.name, "")
    if own.startswith("v_") and not hints.get(found.name, "a_").startswith(("v_", "a_", "n_")):
        hints[found.name] = own


def is_read_once(stmt: Let, rest: list[Stmt], hints: dict[str, str]) -> bool:
    """True of a number without a name of the text's that the next statement reads, and nobody else."""
    if (
        hints.get(stmt.var.name, "v_").startswith(("v_", "n_"))
        or not rest
        or stmt.var.dtype == "i8"
    ):
        return False
    if sum(mentioned(s, stmt.var) for s in walk(rest)) != 1:
        return False
    for following in rest:
        if stmt.var.name in names_read(following):
            return not blocks_of(following)
        if not isinstance(following, (Comment, Let)) and not to_caller(following):
            return False
    return False


def to_caller(stmt: Stmt) -> bool:
    """A number that is given back: it changes nothing that is read."""
    return isinstance(stmt, Store) and stmt.buffer.role == "result" and not stmt.buffer.dims


def mentioned(stmt: Stmt, var: Var) -> int:
    return (
        sum(s == var for e in exprs_of(stmt) for s in subexpressions(e))
        if not isinstance(stmt, Alloc)
        else 0
    )


def asked_once(stmts: list[Stmt]) -> None:
    """Of several tests that a size is large enough the strictest; of room for several arrays one."""
    smallest: dict[Any, int] = {}
    for stmt in stmts:
        for block in blocks_of(stmt):
            asked_once(block)
        if (found := at_least(stmt)) is not None:
            smallest[found[0]] = max(found[1], smallest.get(found[0], found[1]))
    kept: list[Stmt] = []
    room: list[Any] = []
    for stmt in stmts:
        if (found := at_least(stmt)) is not None:
            terms, _ = found
            if smallest.pop(terms, None) is None:
                continue
            least_is = smallest_of(stmts, terms)
            stmt = Bail(Op("less", (Affine(terms), integer(least_is)), "b1"))
        if isinstance(stmt, Reserve):
            if stmt.count in room:
                kept.append(Room(stmt.buffer, stmt.count))
                continue
            room.append(stmt.count)
        elif isinstance(stmt, (Set, Accumulate)) or blocks_of(stmt):
            room = []
        kept.append(stmt)
    stmts[:] = kept


class Room(Reserve):
    """Room that was asked for already."""


def smallest_of(stmts: list[Stmt], terms: Any) -> int:
    return max(found[1] for s in stmts if (found := at_least(s)) is not None and found[0] == terms)


def at_least(stmt: Stmt) -> tuple[Any, int] | None:
    """The terms and the number, if a statement leaves where a sum of sizes is less than a number."""
    cond = stmt.cond if type(stmt) is Bail else None
    if not isinstance(cond, Op) or cond.name != "less" or cond.args[0].dtype != "i8":
        return None
    difference = minus(cond.args[0], cond.args[1])
    names = [a for a, _ in difference.terms]
    if not all(isinstance(a, Var) and a.name.startswith("n_") for a in names):
        return None
    return difference.terms, -difference.const
