"""Which loops threads may share: long ones, whose iterations do not depend on each other but for sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...loop_ir.cost import work_of
from ...loop_ir.ir import (
    Accumulate,
    Alloc,
    Bail,
    Break,
    Buffer,
    Continue,
    For,
    Get,
    If,
    Kernel,
    Let,
    Op,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    While,
    affine,
    blocks_of,
    exprs_of,
    loads,
    minus,
    subexpressions,
    variables,
    walk,
)
from ...loop_ir.operation_traits import scalar_operation
from ...loop_ir.values import result_variables
from ..sums.partial_sums import Plan, in_parts, is_short
from .loop_fusion import offset

__all__ = ["share"]

OWN = {"i": "add", "b": "multiply"}  # what counts and flags may do
ALLOWED = (Let, Set, Accumulate, Store, For, While, If, Bail, Break, Continue, Alloc)


def share(kernel: Kernel) -> Kernel:
    """Cut the outermost loops that may be shared into parts, wherever there is enough to do."""
    uses = Counter(v.name for v in result_variables(kernel.results))
    for stmt in walk(kernel.body):
        uses.update(mentioned(stmt))
    share_block(kernel.body, uses, [0], 1)
    return kernel


def share_block(stmts: list[Stmt], uses: Counter[Any], counter: list[int], depth: int) -> None:
    """Loops in a block; ``depth``: in how many sizes their work has to grow."""
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        plan = plan_of(stmt, uses, depth) if isinstance(stmt, For) else None
        if plan is None:
            inner = 2 if isinstance(stmt, (For, While)) else depth
            for block in [] if isinstance(stmt, Product) else blocks_of(stmt):
                share_block(block, uses, counter, inner)
            k += 1
        else:
            stmts[k : k + 1] = made = in_parts(plan, counter)
            k += len(made)


def mentioned(stmt: Stmt) -> Iterator[Any]:
    """The variables, by name, and the buffers that a statement itself has to do with."""
    found: dict[Any, None] = {}
    for top in exprs_of(stmt):
        for e in subexpressions(top):
            if isinstance(e, Var):
                found[e.name] = None
            elif isinstance(e, Get):
                found[e.buffer] = None
    if isinstance(stmt, (Let, Set, Accumulate, For)):
        found[stmt.var.name] = None
    elif isinstance(stmt, (Store, Alloc, Reserve)):
        found[stmt.buffer] = None
    elif isinstance(stmt, Product):
        found |= dict.fromkeys((stmt.c, stmt.a[0], stmt.b[0]))
    yield from found


def plan_of(loop: For, uses: Counter[Any], depth: int) -> Plan | None:
    """The plan of a loop in parts; None if they cannot run side by side, or are too short."""
    inside = list(walk(loop.body))
    if not all(isinstance(s, ALLOWED) for s in inside) or breaks(loop.body):
        return None
    if degree(loop) < depth or not computes(inside) or moves_its_end(loop, inside):
        return None
    work = work_of(loop)
    if is_short(work):
        return None
    here: Counter[Any] = Counter()
    for stmt in inside:
        here.update(mentioned(stmt))
    outside = {key for key in here if uses[key] > here[key]}
    sums = sums_of(inside, outside)
    if sums is None:
        return None
    plan = Plan(loop, work, sums)
    return plan if memory(plan, inside, outside) else None


def moves_its_end(loop: For, inside: list[Stmt]) -> bool:
    """True if an iteration changes what the bounds are made of."""
    bounds = set(mentioned(loop)) - {loop.var.name}
    changed = {s.var.name for s in inside if isinstance(s, (Set, Accumulate))}
    return bool(bounds & (changed | {s.buffer for s in inside if isinstance(s, Store)}))


def degree(loop: For) -> int:
    """In how many sizes that are not known the work of a loop grows."""
    below = [degree(s) for s in walk(loop.body) if isinstance(s, For)]
    return bool(minus(loop.hi, loop.lo).terms) + max(below, default=0)


def computes(inside: list[Stmt]) -> bool:
    """True if there is arithmetic, and not memory alone."""
    return any(
        isinstance(e, Op) and e.dtype[0] == "f"
        for s in inside
        for top in exprs_of(s)
        for e in subexpressions(top)
    )


def breaks(stmts: list[Stmt]) -> bool:
    """True if a loop may end before its last iteration."""
    return any(
        isinstance(s, Break) or (isinstance(s, If) and any(breaks(block) for block in blocks_of(s)))
        for s in stmts
    )


def sums_of(inside: list[Stmt], outside: set[Any]) -> dict[Var, str] | None:
    """The variables that are sums over all iterations; None if others are handed on."""
    read = {v.name for s in inside for e in exprs_of(s) for v in variables(e)}
    found: dict[Var, str] = {}
    for s in inside:
        if not isinstance(s, (Set, Accumulate)) or s.var.name not in outside:
            continue
        if isinstance(s, Set) or s.var.name in read or scalar_operation(s.op).identity is None:
            return None
        kind = s.var.dtype[0]
        if found.setdefault(s.var, s.op) != s.op or s.op != OWN.get(kind, s.op):
            return None
    return found


def memory(plan: Plan, inside: list[Stmt], outside: set[Any]) -> bool:
    """True if iterations write to elements of their own, or add to what none of them reads."""
    changing = {s.var.name for s in inside if isinstance(s, (Let, Set, Accumulate, For))}
    changing.add(plan.loop.var.name)
    plan.made = list(dict.fromkeys(s.buffer for s in inside if isinstance(s, Alloc)))
    for buffer in plan.made:
        if buffer.role != "local" or buffer in outside:
            return False
        if any(v.name in changing for n in buffer.dims for v in variables(n)):
            return False
    for buffer in dict.fromkeys(s.buffer for s in inside if isinstance(s, Store)):
        if buffer in plan.made or is_apart(buffer, inside, plan.loop.var, changing):
            continue
        if not is_added(buffer, inside):
            return False
        plan.added.append(buffer)
    return True


def is_apart(buffer: Buffer, inside: list[Stmt], var: Var, changing: set[str]) -> bool:
    """True if one index of all accesses moves with the loop, and with nothing else."""
    indices = [s.index for s in inside if isinstance(s, Store) and s.buffer is buffer]
    indices += [g.index for g in gets(inside) if g.buffer is buffer]
    for p in range(len(buffer.dims)):
        moving = {tuple(k for atom, k in affine(i[p]).terms if atom == var) for i in indices}
        others = {offset(i[p], var) for i in indices}
        if (
            len(moving) == len(others) == 1
            and moving != {()}
            and is_fixed(indices[0][p], var, changing)
        ):
            return True
    return False


def is_fixed(index: Any, var: Var, changing: set[str]) -> bool:
    """True if all of an index but the loop's variable is the same in all iterations."""
    others = [atom for atom, _ in affine(index).terms if atom != var]
    read = {v.name for e in others for v in variables(e)}
    return not read & changing and not any(any(loads(e)) for e in others)


def is_added(buffer: Buffer, inside: list[Stmt]) -> bool:
    """True if a buffer is only added to."""
    if buffer.dtype == "b1" or any(g.buffer is buffer for g in gets(inside)):
        return False
    return all(s.op == "add" for s in inside if isinstance(s, Store) and s.buffer is buffer)


def gets(stmts: list[Stmt]) -> Iterator[Get]:
    return (g for s in stmts for e in exprs_of(s) for g in loads(e))
