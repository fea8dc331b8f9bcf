"""Loops of one iteration are no loops, and arrays of known numbers are written as such."""

from __future__ import annotations

import itertools
from typing import Any

from retrograd.runtime.records import dataclass

from ..loop_ir.ir import (
    Affine,
    Alloc,
    Break,
    Buffer,
    Comment,
    Continue,
    For,
    Get,
    Lit,
    Op,
    Routine,
    Stmt,
    Store,
    affine,
    blocks_of,
    change_exprs,
    exprs_of,
    loads,
    minus,
    walk,
)
from ..loop_ir.storage import elements
from .versions import replaced

__all__ = ["Given", "with_known_numbers", "without_single_loops"]

MOST = 64  # elements that are written out


@dataclass(eq=False)
class Given(Alloc):
    """An array that holds these numbers from the start, and keeps them."""

    numbers: tuple[Any, ...] = ()


def without_single_loops(stmts: list[Stmt]) -> None:
    """The body in place of a loop of one iteration; nothing in place of one that never runs."""
    made: list[Stmt] = []
    for stmt in stmts:
        for block in blocks_of(stmt):
            without_single_loops(block)
        count = minus(stmt.hi, stmt.lo) if isinstance(stmt, For) else None
        if (
            not isinstance(stmt, For)
            or count is None
            or count.terms
            or count.const > 1
            or (count.const == 1 and any(isinstance(s, (Break, Continue)) for s in walk(stmt.body)))
        ):
            made.append(stmt)
        elif count.const == 1:
            replaced(stmt.body, stmt.var, affine(stmt.lo))
            made += stmt.body
    stmts[:] = made


def folded(e: Any) -> Any:
    """A choice between two values, where the test is of known integers."""
    if isinstance(e, Op) and e.name == "where" and isinstance(e.args[0], Op):
        test = e.args[0]
        if (
            test.name == "equal"
            and test.args[0].dtype == "i8"
            and not (difference := minus(*test.args)).terms
        ):
            return e.args[2] if difference.const else e.args[1]
    return e


# -- arrays of known numbers -----------------------------------------------------------------


def with_known_numbers(body: list[Stmt]) -> None:
    """Arrays that are filled with known numbers where they are made, and written to nowhere else."""
    change_exprs(body, folded)
    known: dict[int, dict[tuple[int, ...], Any]] = {}
    own: dict[int, list[Stmt]] = {}
    made: dict[int, Buffer] = {}
    for stmt in body:
        if (
            isinstance(stmt, Alloc)
            and 0 < (elements(stmt.buffer) or 0) <= MOST
            and stmt.buffer.role == "local"
        ):
            made[id(stmt.buffer)] = stmt.buffer
            zero = Lit(0.0, stmt.buffer.dtype)
            at = itertools.product(*(range(affine(n).const) for n in stmt.buffer.dims))
            known[id(stmt.buffer)] = dict.fromkeys(at, zero) if stmt.zero else {}
            own[id(stmt.buffer)] = []
            continue
        target = filled(stmt)
        if target is not None and id(target) in known:
            if followed(stmt, {}, known):
                own[id(target)].append(stmt)
            else:
                del known[id(target)]
        else:
            for written in written_in(stmt):
                known.pop(id(written), None)
    for key, numbers in known.items():
        if made[key].dtype[0] != "f" or len(numbers) != elements(made[key]):
            continue
        if not read_early(body, made[key], own[key]):
            give(body, made[key], tuple(numbers[at] for at in sorted(numbers)), own[key])


def read_early(body: list[Stmt], buffer: Buffer, own: list[Stmt]) -> bool:
    """True if somebody reads an array before all of its numbers are there."""
    last = max((body.index(s) for s in own), default=-1)
    readers = [s for s in walk(body[: last + 1]) if not isinstance(s, Alloc)]
    return any(g.buffer is buffer for s in readers for e in exprs_of(s) for g in loads(e))


def give(body: list[Stmt], buffer: Buffer, numbers: tuple[Any, ...], own: list[Stmt]) -> None:
    last = max((body.index(s) for s in own), default=-1)
    first = next(k for k, s in enumerate(body) if isinstance(s, Alloc) and s.buffer is buffer)
    if last < 0:
        body[first] = Given(buffer, numbers=numbers)
        return
    body[last] = Given(buffer, numbers=numbers)
    for stmt in [body[first], *own]:
        if stmt in body:
            body.remove(stmt)


def filled(stmt: Stmt) -> Buffer | None:
    """The array that a statement writes to, and nothing else."""
    found = {id(b): b for b in written_in(stmt)}
    stores = all(isinstance(s, (Store, For, Comment)) for s in walk([stmt]))
    return next(iter(found.values())) if len(found) == 1 and stores else None


def written_in(stmt: Stmt) -> list[Buffer]:
    return [
        s.buffer if isinstance(s, Store) else s.written
        for s in walk([stmt])
        if isinstance(s, (Store, Routine))
    ]


def followed(stmt: Stmt, at: dict[Any, int], known: dict[int, Any]) -> bool:
    """Do what a statement does with known numbers; False if it cannot be done."""
    if isinstance(stmt, For):
        lo, hi = number(stmt.lo, at, known), number(stmt.hi, at, known)
        if lo is None or hi is None or hi - lo > MOST:
            return False
        return all(followed(s, at | {stmt.var: k}, known) for k in range(lo, hi) for s in stmt.body)
    if not isinstance(stmt, Store) or stmt.op is not None:
        return isinstance(stmt, Comment)
    index = tuple(number(i, at, known) for i in stmt.index)
    value = number(stmt.value, at, known)
    if None in index or not isinstance(value, Lit):
        return False
    known[id(stmt.buffer)][index] = value
    return True


def number(e: Any, at: dict[Any, int], known: dict[int, Any]) -> Any:
    """An integer, or a literal; None if it is not known."""
    if isinstance(e, Lit):
        return e
    if e in at:
        return at[e]
    if isinstance(e, Affine):
        parts = [at.get(a) for a, _ in e.terms]
        return (
            None
            if None in parts
            else e.const
            + sum(k * v for (_, k), v in zip(e.terms, parts, strict=True) if v is not None)
        )
    if isinstance(e, Get):
        index = tuple(number(i, at, known) for i in e.index)
        return known.get(id(e.buffer), {}).get(index)
    if (
        isinstance(e, Op)
        and e.name == "where"
        and isinstance(e.args[0], Op)
        and e.args[0].name == "equal"
    ):
        a, b = (number(x, at, known) for x in e.args[0].args)
        return (
            None
            if a is None or b is None or isinstance(a, Lit)
            else number(e.args[1 if a == b else 2], at, known)
        )
    return None
