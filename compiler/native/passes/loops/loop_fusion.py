"""Loops over the same range become one, where each iteration needs only its own of the other's."""

from __future__ import annotations

from typing import Any

from ...loop_ir.effects import Effects, KnownEffects, independent
from ...loop_ir.ir import (
    Alloc,
    Break,
    Continue,
    For,
    If,
    Kernel,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    blocks_of,
    change_exprs,
    exprs_of,
    minus,
    subexpressions,
    walk,
)
from ...loop_ir.operation_names import FEW
from ...loop_ir.operation_traits import scalar_operation

__all__ = ["fuse"]

UNKNOWN = 64.0  # iterations of a loop whose number is not known
FAR = 60  # statements that are looked at, going back


def fuse(kernel: Kernel) -> Kernel:
    """Fuse loops everywhere, outer before inner."""
    fuse_block(kernel.body, KnownEffects())
    return kernel


def fuse_block(stmts: list[Stmt], known: KnownEffects) -> None:
    effects = known.of
    raise_starts(stmts, effects)
    j = 0
    while j < len(stmts):
        j = j + 1 if not merged(stmts, j, known) else j
    for stmt in stmts:
        for block in blocks_of(stmt):
            fuse_block(block, known)


def raise_starts(stmts: list[Stmt], effects: Any) -> None:
    """Move allocations, and zeros that sums begin with, as far up as they go: out of the way."""
    for j in range(1, len(stmts)):
        stmt = stmts[j]
        start = isinstance(stmt, Set) and isinstance(stmt.value, Lit)
        if not start and not (isinstance(stmt, Alloc) and stmt.buffer.role == "local"):
            continue
        mine = effects(stmt)
        i = j
        while i and may_pass(effects(stmts[i - 1]), mine, stmts[i - 1]):
            if start and leaves(stmts[i - 1]):
                break  # the variable may be read where that leads
            i -= 1
        stmts.insert(i, stmts.pop(j))


def may_pass(other: Effects, mine: Effects, stmt: Stmt) -> bool:
    """True if a start may stand before a statement; if that leaves the kernel, nothing is lost."""
    if isinstance(stmt, (Break, Continue)):
        return False
    if mine.writes & (other.reads | other.writes) or mine.reads & other.writes:
        return False
    return not mine.buffers.keys() & other.buffers.keys()


def leaves(stmt: Stmt) -> bool:
    """True if the iteration that a statement stands in may end there."""
    if isinstance(stmt, (For, While)):
        return False
    return isinstance(stmt, (Break, Continue)) or any(
        leaves(inner) for block in blocks_of(stmt) for inner in block
    )


def merged(stmts: list[Stmt], j: int, known: KnownEffects) -> bool:
    """Fuse the loop number ``j`` with one before it."""
    later, effects = stmts[j], known.of
    if not isinstance(later, For) or effects(later).fixed:
        return False
    best: tuple[int, int, bool] | None = None
    free = True  # `later` may move up to here
    for i in range(j - 1, max(j - FAR, -1), -1):
        earlier = stmts[i]
        if isinstance(earlier, For) and fusable(earlier, later, effects):
            between = stmts[i + 1 : j]
            if free or all(independent(effects(earlier), effects(s)) for s in between):
                worth = shared(effects(earlier), effects(later))
                if best is None or worth > best[0]:
                    best = (worth, i, free)
        free = free and independent(effects(earlier), effects(later))
        if effects(earlier).fixed:
            break
    if best is None:
        return False
    _, i, free = best
    earlier = stmts[i]
    assert isinstance(earlier, For)
    rename(later, earlier.var)
    known.all_changed(later.body)
    for stmt in later.body:
        effects(earlier).add(effects(stmt))
    earlier.body = [*earlier.body, *later.body]
    earlier.free = earlier.free and later.free
    del stmts[j]
    if not free:
        stmts.insert(j - 1, stmts.pop(i))
    return True


def shared(first: Effects, second: Effects) -> int:
    """How many buffers a loop reads that the other writes."""
    return sum(first.written(k) for k in second.buffers)


def fusable(a: For, b: For, effects: Any) -> bool:
    """True if two loops may run as one."""
    if (a.lo, a.hi, a.backwards) != (b.lo, b.hi, b.backwards):
        return False
    first, second = effects(a), effects(b)
    if first.fixed or second.fixed:
        return False
    if first.writes & (second.reads | second.writes) or second.writes & first.reads:
        return False
    in_turn = all(
        in_step(first.buffers[k], second.buffers[k], a.var, b.var)
        for k in first.buffers.keys() & second.buffers.keys()
        if first.written(k) or second.written(k)
    )
    return in_turn and alike(a, b)


def alike(a: For, b: For) -> bool:
    """True if one loop is not worse than two: vectors stay vectors."""
    inner_a, inner_b = is_inner(a), is_inner(b)
    if inner_a and inner_b:
        return a.free == b.free
    if inner_a != inner_b:
        inner, nest = (a, b) if inner_a else (b, a)
        loops = [s for s in nest.body if is_long(s)]
        lost = slow([*inner.body, *(s for s in nest.body if not is_long(s))])  # by all that came in
        return 2 * lost <= weight(loops)
    return True


def is_long(stmt: Stmt) -> bool:
    return isinstance(stmt, (While, If)) or (isinstance(stmt, For) and not is_short(stmt))


def weight(stmts: list[Stmt]) -> float:
    """How much arithmetic one iteration does, in operations of a vector."""
    total = 0.0
    for s in stmts:
        for top in exprs_of(s):
            total += sum(isinstance(e, Op) for e in subexpressions(top))
        for block in blocks_of(s):
            times = 1.0
            if isinstance(s, For):
                count = minus(s.hi, s.lo)
                times = UNKNOWN if count.terms else max(count.const, 0)
            total += times * weight(block)
    return total


def slow(stmts: list[Stmt]) -> float:
    """The loss of an iteration that is not a lane of a vector."""
    return sum(
        90.0 if scalar_operation(e.name).inline else 16.0
        for s in walk(stmts)
        for top in exprs_of(s)
        for e in subexpressions(top)
        if isinstance(e, Op) and (scalar_operation(e.name).inline or scalar_operation(e.name).slow)
    )


def is_inner(loop: For) -> bool:
    """True if a loop may become vectors: those in it are short, and will be written out."""
    return not any(map(is_long, loop.body))


def is_short(loop: For) -> bool:
    count = minus(loop.hi, loop.lo)
    return not count.terms and count.const <= FEW


def in_step(first: Any, second: Any, a: Var, b: Var) -> bool:
    """True if all accesses agree in one index, which moves with the loop."""
    indices = [index for index, _ in [*first, *second]]
    if any(index is None for index in indices):
        return False
    rank = len(indices[0])
    return any(
        all(moves(index[p], a) for index, _ in first)
        and all(moves(index[p], b) for index, _ in second)
        and len(
            {offset(index[p], a) for index, _ in first}
            | {offset(index[p], b) for index, _ in second}
        )
        == 1
        for p in range(rank)
    )


def moves(e: Any, var: Var) -> bool:
    return any(atom == var and k == 1 for atom, k in affine(e).terms)


def offset(e: Any, var: Var) -> Any:
    """The offset from a loop's variable."""
    found = affine(e)
    return (tuple(t for t in found.terms if t[0] != var), found.const)


def rename(loop: For, var: Var) -> None:
    """Give a loop's body another variable."""
    old = loop.var
    change_exprs(loop.body, lambda e: var if e == old else e)
