"""Where a kernel asks whether it is to stop: between stretches of work of known length, never within a vector.

A loop that has no loops in it is a stretch: what it takes is charged before it begins.  Where it is not in
another loop it runs in strips, since nothing else bounds it.  Loops of a few known iterations count as
statements.  The parts of a loop that threads share do not ask.
"""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Accumulate,
    Break,
    Buffer,
    Continue,
    For,
    If,
    Kernel,
    Let,
    Lit,
    Parts,
    Poll,
    Product,
    Set,
    Stmt,
    While,
    blocks_of,
    minus,
    plus,
    times,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.values import Items, View

__all__ = ["held_arrays", "may_let_go", "with_polls"]

FEW = 64  # iterations of a loop that is a statement


def with_polls(stmts: list[Stmt], top: bool = True) -> None:
    """Put polls into statements, in place."""
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, While):
            with_polls(stmt.body, False)
            stmt.body.insert(0, Poll(Lit(1, "i8"), weight(stmt.body)))
        elif isinstance(stmt, For) and not isinstance(stmt, Parts) and not is_small(stmt):
            if breaks(stmt.body):
                with_polls(stmt.body, False)
                stmt.body.insert(0, Poll(Lit(1, "i8"), weight(stmt.body)))
            elif is_leaf(stmt):
                poll = Poll(minus(stmt.hi, stmt.lo), weight(stmt.body), strip=top and is_open(stmt))
                if poll.strip or not charged(stmts[:k], poll):
                    stmts.insert(k, poll)
                    k += 1
            else:
                with_polls(stmt.body, False)
                stmt.body.insert(0, Poll(Lit(1, "i8"), 1))
        elif isinstance(stmt, Product):
            m, n, p = stmt.sizes
            stmts.insert(k, Poll(plus(plus(m, n), p), FEW))
            k += 1
        elif isinstance(stmt, If):
            with_polls(stmt.then, top)
            with_polls(stmt.orelse, top)
        k += 1


def charged(before: list[Stmt], poll: Poll) -> bool:
    """Charge a loop with one before it, if its length is known there; whether that was done."""
    names = {v.name for v in variables(poll.count)}
    for stmt in reversed(before):
        if isinstance(stmt, Poll):
            if stmt.strip:
                return False
            both = plus(times(stmt.count, stmt.weight), times(poll.count, poll.weight))
            stmt.count, stmt.weight = both, 1
            return True
        written = {s.var.name for s in walk([stmt]) if isinstance(s, (Let, Set, Accumulate))}
        if names & written or any(isinstance(s, (Break, Continue)) for s in walk([stmt])):
            return False
        if any(isinstance(s, (Poll, While)) for s in walk([stmt])):
            return False
    return False


def is_leaf(loop: For) -> bool:
    return all(is_small(s) for s in walk(loop.body) if isinstance(s, (For, While, Product)))


def is_small(stmt: Stmt) -> bool:
    """True if a loop, with those in it, has a few known iterations."""
    if not isinstance(stmt, For) or isinstance(stmt, Parts):
        return False
    return iterations(stmt) <= FEW and is_leaf(stmt) and weight([stmt]) <= 64 * FEW


def is_open(loop: For) -> bool:
    """True if it is not known how many iterations a loop has."""
    return bool(minus(loop.hi, loop.lo).terms)


def iterations(loop: For) -> int:
    return FEW + 1 if is_open(loop) else minus(loop.hi, loop.lo).const


def weight(stmts: list[Stmt]) -> int:
    """About how many statements run."""
    total = 1
    for stmt in stmts:
        inner = sum(weight(block) for block in blocks_of(stmt))
        total += 1 + (max(iterations(stmt), 1) * inner if isinstance(stmt, For) else inner)
    return min(total, 2**20)


def breaks(stmts: list[Stmt]) -> bool:
    """True if a loop with this body may end early."""
    return any(
        isinstance(s, Break) or (isinstance(s, If) and any(map(breaks, blocks_of(s))))
        for s in stmts
    )


# -- whether others may run meanwhile -----------------------------------------------------


def leaves(param: Any) -> list[Any]:
    return (
        [leaf for v in param.values for leaf in leaves(v)] if isinstance(param, Items) else [param]
    )


def may_let_go(kernel: Kernel) -> bool:
    """True if another thread may run meanwhile: places that were tested must stay what they are.

    An array of integers that is changed by another thread would lead out of the memory of a third.
    """
    buffers = [leaf.buffer for p in kernel.params for leaf in leaves(p) if isinstance(leaf, View)]
    return all(isinstance(b, Buffer) and b.dtype[0] == "f" for b in buffers)


def held_arrays(kernel: Kernel) -> int:
    """How many arrays are in containers: nobody else may hold them."""
    inside = [leaf for p in kernel.params if isinstance(p, Items) for leaf in leaves(p)]
    return sum(isinstance(leaf, View) for leaf in inside)
