"""Buffers that one iteration writes and reads alone lose that axis; with none left, they are scalars."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...loop_ir.effects import strides_read
from ...loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Let,
    Lit,
    Opaque,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    change_exprs,
    exprs_of,
    integer,
    loads,
    minus,
    plus,
    variables,
    walk,
)  # fmt: skip
from ...loop_ir.operation_names import FEW
from ...loop_ir.values import result_variables

__all__ = ["contract", "unroll"]


def contract(kernel: Kernel) -> Kernel:
    """Take memory away from what does not need it."""
    clear(kernel)
    contract_block(kernel.body)
    clear(kernel)
    return kernel


def clear(kernel: Kernel) -> None:
    """Take out what nobody reads, and what nobody reads then."""
    known: dict[int, tuple[set[int], set[str]]] = {}
    while dead(kernel, known):
        pass


def contract_block(stmts: list[Stmt]) -> None:
    """Move every allocation as far in as it goes; outer blocks first."""
    waiting = [s for s in stmts if isinstance(s, Alloc) and s.buffer.role == "local"]
    used = [(s, set(buffers_in(s)) - set(made_by(s))) for s in stmts if waiting]
    while waiting:
        scalarise(stmts, [alloc for alloc in waiting if not alloc.buffer.dims])
        waiting = narrowed(stmts, [alloc for alloc in waiting if alloc.buffer.dims], used)
    for stmt in stmts:
        for block in blocks_of(stmt):
            contract_block(block)


def narrowed(
    stmts: list[Stmt], allocs: list[Alloc], used: list[tuple[Stmt, set[Buffer]]]
) -> list[Alloc]:
    """Takes an axis from each buffer that one loop of a block alone uses, if it can, and the allocation into that loop.

    Gives those that have lost one and are still here.  To contract buffers leaves the uses of others where they are.
    """
    users: dict[Buffer, list[Stmt]] = {alloc.buffer: [] for alloc in allocs}
    for stmt, buffers in used:
        for buffer in buffers & users.keys():
            users[buffer].append(stmt)
    by_loop: dict[For, list[Alloc]] = {}
    for alloc in allocs:
        found = users[alloc.buffer]
        if len(found) == 1 and isinstance(found[0], For):
            by_loop.setdefault(found[0], []).append(alloc)
    left = []
    for loop, made in by_loop.items():
        lost: dict[Buffer, int] = {}
        indices = indices_of([loop], {alloc.buffer for alloc in made})
        for alloc in made:
            axis = idle_axis(alloc.buffer, indices[alloc.buffer], loop)
            if axis is None:
                continue
            lost[alloc.buffer], inside = axis
            if inside:
                stmts.remove(alloc)
                loop.body.insert(0, alloc)
            else:
                left.append(alloc)
        drop(loop, lost)
    return left


def idle_axis(buffer: Buffer, indices: list[Any] | None, loop: For) -> tuple[int, bool] | None:
    """An axis of which an iteration uses one place, and whether that is its own."""
    if indices is None:
        return None
    for p, size in enumerate(buffer.dims):
        if known(size) == 1 and all(known(index[p]) == 0 for index in indices):
            return p, False
        if all(index[p] == affine(loop.var) for index in indices):
            return p, True
    return None


def made_by(stmt: Stmt) -> list[Buffer]:
    return [stmt.buffer] if isinstance(stmt, Alloc) else []


def uses(stmt: Stmt, buffer: Buffer) -> bool:
    return any(used is buffer for used in buffers_in(stmt))


def buffers_in(stmt: Stmt) -> Iterator[Buffer]:
    for s in walk([stmt]):
        if isinstance(s, (Store, Alloc)):
            yield s.buffer
        if isinstance(s, Product):
            yield from (s.c, s.a[0], s.b[0])
        if isinstance(s, Opaque):
            yield from s.memory
        for top in exprs_of(s):
            yield from (e.buffer for e in loads(top))


def indices_of(stmts: list[Stmt], buffers: set[Buffer]) -> dict[Buffer, list[Any] | None]:
    """The indices at which buffers are read and written; None if a product uses all of one."""
    found: dict[Buffer, list[Any] | None] = {buffer: [] for buffer in buffers}

    def use(buffer: Buffer, index: Any) -> None:
        indices = found.get(buffer)
        if indices is not None:
            indices.append(index)

    for s in walk(stmts):
        if isinstance(s, Store):
            use(s.buffer, s.index)
        if isinstance(s, Product):
            found.update(dict.fromkeys(found.keys() & {s.c, s.a[0], s.b[0]}))
        for top in exprs_of(s):
            for e in loads(top):
                use(e.buffer, e.index)
    return found


def drop(loop: For, lost: dict[Buffer, int]) -> None:
    """Take one axis from each of some buffers."""
    if not lost:
        return
    ranks = {buffer: len(buffer.dims) for buffer in lost}
    for buffer, p in lost.items():
        buffer.dims = without(buffer.dims, p)
    for s in walk(loop.body):
        if isinstance(s, Store) and s.buffer in lost:
            s.index = without(s.index, lost[s.buffer])

    def change(e: Any) -> Any:
        if isinstance(e, Get) and e.buffer in lost and len(e.index) == ranks[e.buffer]:
            return Get(e.buffer, without(e.index, lost[e.buffer]))
        return e

    change_exprs(loop.body, change)


def without(items: tuple[Any, ...], p: int) -> tuple[Any, ...]:
    return (*items[:p], *items[p + 1 :])


def scalarise(stmts: list[Stmt], allocs: list[Alloc]) -> None:
    """Buffers of one element as variables."""
    if not allocs:
        return
    names = {a.buffer: Var(f"sc_{a.buffer.name}", a.buffer.dtype) for a in allocs}
    replace_stores(stmts, lambda store: names.get(store.buffer))
    change_exprs(stmts, lambda e: names.get(e.buffer, e) if isinstance(e, Get) else e)
    for alloc in allocs:
        stmts[stmts.index(alloc)] = Set(names[alloc.buffer], zero(alloc.buffer.dtype))


def zero(dtype: str) -> Any:
    zeros = {"f": Lit(0.0, dtype), "i": integer(0), "b": Lit(False, "b1"), "c": Lit(0j, dtype)}
    return zeros[dtype[0]]


def replace_stores(stmts: list[Stmt], place: Callable[[Store], Var | None]) -> None:
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Store):
            var = place(stmt)
            if var is not None:
                stmts[k] = Accumulate(var, "add", stmt.value) if stmt.op else Set(var, stmt.value)
        for block in blocks_of(stmt):
            replace_stores(block, place)


def dead(kernel: Kernel, known: dict[int, tuple[set[int], set[str]]]) -> bool:
    """Take out what nobody reads: stores to local buffers, and loops that are empty; ``known``: what statements read."""
    read: set[int] = set()
    scalars = {v.name for v in result_variables(kernel.results)}
    every = list(walk(kernel.body))
    for s in every:
        if id(s) not in known:
            known[id(s)] = read_by(s)
        read |= known[id(s)][0]
        scalars |= known[id(s)][1]
    used = read | {id(s.buffer) for s in every if isinstance(s, (Store, Reserve))}
    used |= {id(s.c) for s in every if isinstance(s, Product)}
    gone = {id(s) for s in every if isinstance(s, Alloc) and is_idle(s, used)}
    return sweep(kernel.body, read, scalars, gone)


def read_by(stmt: Stmt) -> tuple[set[int], set[str]]:
    """The buffers and the variables that a statement itself reads."""
    tops = exprs_of(stmt)
    loaded = [e.buffer for top in tops for e in loads(top)]
    if isinstance(stmt, Product):
        loaded += [stmt.a[0], stmt.b[0]]
    placed = [*loaded, stmt.buffer] if isinstance(stmt, Store) else loaded
    placed += [stmt.c] if isinstance(stmt, Product) else []
    names = {v.name for top in tops for v in variables(top)}
    return set(map(id, loaded)), names.union(*map(strides_read, placed))


def is_idle(alloc: Alloc, used: set[int]) -> bool:
    return alloc.buffer.role == "local" and id(alloc.buffer) not in used


def sweep(stmts: list[Stmt], read: set[int], scalars: set[str], gone: set[int]) -> bool:
    changed = False
    for stmt in list(stmts):
        if is_useless(stmt, read, scalars, gone):
            stmts.remove(stmt)
            changed = True
            continue
        for block in blocks_of(stmt):
            changed = sweep(block, read, scalars, gone) or changed
    return changed


def is_useless(stmt: Stmt, read: set[int], scalars: set[str], gone: set[int]) -> bool:
    if isinstance(stmt, (Let, Set, Accumulate)):
        return stmt.var.name not in scalars
    if isinstance(stmt, Store):
        return stmt.buffer.role == "local" and id(stmt.buffer) not in read
    if isinstance(stmt, For):
        return not stmt.body
    if isinstance(stmt, If):
        return not stmt.then and not stmt.orelse
    if isinstance(stmt, Product):
        return stmt.c.role == "local" and id(stmt.c) not in read
    return id(stmt) in gone


# -- short loops ------------------------------------------------------------------------

GROWTH = 1500  # statements that one pass may write out
WRITTEN = (
    96  # statements of one loop: a nest multiplies, and what is longer takes the C compiler long
)


def unroll(kernel: Kernel) -> Kernel:
    """Write out loops of few iterations, and make scalars of the small buffers they index."""
    unroll_block(kernel.body, [0], [GROWTH])
    split_block(kernel.body)
    return contract(kernel)


def unroll_block(stmts: list[Stmt], counter: list[int], room: list[int]) -> None:
    """Inner loops first: an outer one is written out only if there is room for all of it."""
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        for block in blocks_of(stmt):
            unroll_block(block, counter, room)
        count = known(minus(stmt.hi, stmt.lo)) if isinstance(stmt, For) else None
        if count is None or count > FEW or not is_plain(stmt):
            k += 1
            continue
        assert isinstance(stmt, For)
        if count * len(stmt.body) > WRITTEN:
            k += 1
            continue
        room[0] -= (count - 1) * len(stmt.body)
        if room[0] < 0:
            return
        steps = [plus(stmt.lo, step) for step in range(count)]
        if stmt.backwards:
            steps.reverse()
        copies = [c for step in steps for c in copied(stmt, step, counter)]
        stmts[k : k + 1] = copies
        k += len(copies)


def known(e: Any) -> int | None:
    return e.const if isinstance(e, Affine) and not e.terms else None


def is_plain(loop: Any) -> bool:
    return all(isinstance(s, (Let, Set, Accumulate, Store)) for s in loop.body)


def copied(loop: For, at: Affine, counter: list[int]) -> list[Stmt]:
    """The body of a loop for one value of its variable."""
    made: list[Stmt] = []
    names: dict[Var, Var] = {}
    for s in loop.body:
        if isinstance(s, Let):
            counter[0] += 1
            names[s.var] = Var(f"u{counter[0]}_{s.var.name}", s.var.dtype)
            made.append(Let(names[s.var], s.value))
        elif isinstance(s, Set):
            made.append(Set(s.var, s.value))
        elif isinstance(s, Accumulate):
            made.append(Accumulate(s.var, s.op, s.value))
        elif isinstance(s, Store):
            made.append(Store(s.buffer, s.index, s.value, s.op))
    change_exprs(
        made, lambda e: at if e == loop.var else names.get(e, e) if isinstance(e, Var) else e
    )
    return made


def split_block(stmts: list[Stmt]) -> None:
    """Small local buffers that are only indexed by numbers become scalars."""
    allocs = {s.buffer: s for s in stmts if isinstance(s, Alloc) and is_small(s.buffer)}
    if allocs:
        indices = indices_of(stmts, set(allocs))
        split(stmts, {b: a for b, a in allocs.items() if only_numbers(indices[b])})
    for stmt in stmts:
        for block in blocks_of(stmt):
            split_block(block)


def split(stmts: list[Stmt], allocs: dict[Buffer, Alloc]) -> None:
    """A variable for each element of some buffers."""
    found: dict[Buffer, dict[tuple[int, ...], Var]] = {buffer: {} for buffer in allocs}

    def place(e: Any) -> Any:
        if not isinstance(e, (Get, Store)) or e.buffer not in found:
            return None
        key = tuple(int(known(i) or 0) for i in e.index)
        # behind a test that always leaves, an index may be outside
        name = "_".join(["el", *map(str, key), e.buffer.name]).replace("-", "m")
        return found[e.buffer].setdefault(key, Var(name, e.buffer.dtype))

    if allocs:
        replace_stores(stmts, place)
        change_exprs(stmts, lambda e: place(e) or e)
    for buffer, alloc in allocs.items():
        at = stmts.index(alloc)
        variables = sorted(found[buffer].items())
        stmts[at : at + 1] = [Set(v, zero(buffer.dtype)) for _, v in variables]


def is_small(buffer: Buffer) -> bool:
    size = 1
    for n in buffer.dims:
        if known(n) is None:
            return False
        size *= int(known(n) or 0)
    return buffer.role == "local" and size <= 16


def only_numbers(indices: list[Any] | None) -> bool:
    return indices is not None and all(known(i) is not None for index in indices for i in index)
