"""Buffers that one iteration writes and reads alone lose that axis; with none left, they are scalars."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

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
    minus,
    plus,
    subexpressions,
    walk,
)  # fmt: skip
from ...loop_ir.operation_names import FEW
from ...loop_ir.values import result_variables

__all__ = ["contract", "unroll"]


def contract(kernel: Kernel) -> Kernel:
    """Take memory away from what does not need it."""
    while dead(kernel):
        pass
    contract_block(kernel.body)
    while dead(kernel):
        pass
    return kernel


def contract_block(stmts: list[Stmt]) -> None:
    """Move every allocation as far in as it goes; outer blocks first."""
    used = Used()
    for stmt in list(stmts):
        if isinstance(stmt, Alloc) and stmt.buffer.role == "local":
            while stmt in stmts and narrowed(stmts, stmt, used):
                pass
    for stmt in stmts:
        for block in blocks_of(stmt):
            contract_block(block)


def narrowed(stmts: list[Stmt], alloc: Alloc, used: Used) -> bool:
    """Move an allocation into the one loop that uses its buffer, or make a scalar of it."""
    buffer = alloc.buffer
    if not buffer.dims:
        scalarise(stmts, alloc)
        return True
    users = [s for s in stmts if s is not alloc and buffer in used.by(s)]
    if len(users) != 1 or isinstance(users[0], Product):
        return False
    (user,) = users
    if not isinstance(user, For):
        return False
    if any(isinstance(s, Product) and buffer in (s.c, s.a[0], s.b[0]) for s in walk([user])):
        return False
    indices = list(indices_of(user, buffer))
    for p in range(len(buffer.dims)):
        if known(buffer.dims[p]) == 1 and all(known(index[p]) == 0 for index in indices):
            drop(user, buffer, p)
            return True
        if all(index[p] == affine(user.var) for index in indices):
            drop(user, buffer, p)
            stmts.remove(alloc)
            user.body.insert(0, alloc)
            return True
    return False


class Used:
    """Which buffers the statements of a block use, each looked through once.

    To contract one buffer leaves the uses of the others where they are.
    """

    def __init__(self) -> None:
        self.known: dict[int, tuple[Stmt, set[Buffer]]] = {}

    def by(self, stmt: Stmt) -> set[Buffer]:
        if id(stmt) not in self.known:
            self.known[id(stmt)] = stmt, set(buffers_in(stmt))
        return self.known[id(stmt)][1]


def uses(stmt: Stmt, buffer: Buffer) -> bool:
    return any(used is buffer for used in buffers_in(stmt))


def buffers_in(stmt: Stmt) -> Iterator[Buffer]:
    for s in walk([stmt]):
        if isinstance(s, (Store, Alloc)):
            yield s.buffer
        if isinstance(s, Product):
            yield from (s.c, s.a[0], s.b[0])
        for top in exprs_of(s):
            yield from (e.buffer for e in subexpressions(top) if isinstance(e, Get))


def indices_of(stmt: Stmt, buffer: Buffer) -> Any:
    for s in walk([stmt]):
        if isinstance(s, Store) and s.buffer is buffer:
            yield s.index
        for top in exprs_of(s):
            for e in subexpressions(top):
                if isinstance(e, Get) and e.buffer is buffer:
                    yield e.index


def drop(loop: For, buffer: Buffer, p: int) -> None:
    """Take one axis from a buffer."""
    buffer.dims = without(buffer.dims, p)
    for s in walk(loop.body):
        if isinstance(s, Store) and s.buffer is buffer:
            s.index = without(s.index, p)
    change_exprs(
        loop.body,
        lambda e: (
            Get(buffer, without(e.index, p))
            if isinstance(e, Get) and e.buffer is buffer and len(e.index) > len(buffer.dims)
            else e
        ),
    )


def without(items: tuple[Any, ...], p: int) -> tuple[Any, ...]:
    return (*items[:p], *items[p + 1 :])


def scalarise(stmts: list[Stmt], alloc: Alloc) -> None:
    """A buffer of one element as a variable."""
    buffer = alloc.buffer
    var = Var(f"sc_{buffer.name}", buffer.dtype)
    replace_stores(stmts, buffer, lambda _: var)
    change_exprs(stmts, lambda e: var if isinstance(e, Get) and e.buffer is buffer else e)
    stmts[stmts.index(alloc)] = Set(var, zero(buffer.dtype))


def zero(dtype: str) -> Any:
    return {"f": Lit(0.0, dtype), "i": integer(0), "b": Lit(False, "b1")}[dtype[0]]


def replace_stores(stmts: list[Stmt], buffer: Buffer, place: Any) -> None:
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Store) and stmt.buffer is buffer:
            var = place(stmt.index)
            stmts[k] = Accumulate(var, "add", stmt.value) if stmt.op else Set(var, stmt.value)
        for block in blocks_of(stmt):
            replace_stores(block, buffer, place)


def dead(kernel: Kernel) -> bool:
    """Take out what nobody reads: stores to local buffers, and loops that are empty."""
    read: set[int] = set()
    scalars = {v.name for v in result_variables(kernel.results)}
    for s in walk(kernel.body):
        for top in exprs_of(s):
            for e in subexpressions(top):
                if isinstance(e, Get):
                    read.add(id(e.buffer))
                elif isinstance(e, Var):
                    scalars.add(e.name)
        if isinstance(s, Product):
            read |= {id(s.a[0]), id(s.b[0])}
    used = read | {id(s.buffer) for s in walk(kernel.body) if isinstance(s, (Store, Reserve))}
    used |= {id(s.c) for s in walk(kernel.body) if isinstance(s, Product)}
    gone = {id(s) for s in walk(kernel.body) if isinstance(s, Alloc) and is_idle(s, used)}
    return sweep(kernel.body, read, scalars, gone)


def is_idle(alloc: Alloc, used: set[int]) -> bool:
    return alloc.buffer.role == "local" and id(alloc.buffer) not in used


def sweep(stmts: list[Stmt], read: set[int], scalars: set[str], gone: set[int]) -> bool:
    changed = False
    for stmt in list(stmts):
        useless = (
            (
                isinstance(stmt, Store)
                and stmt.buffer.role == "local"
                and id(stmt.buffer) not in read
            )
            or (isinstance(stmt, (Let, Set, Accumulate)) and stmt.var.name not in scalars)
            or (isinstance(stmt, For) and not stmt.body)
            or id(stmt) in gone
            or (isinstance(stmt, If) and not stmt.then and not stmt.orelse)
        )
        if isinstance(stmt, Product) and stmt.c.role == "local" and id(stmt.c) not in read:
            useless = True
        if useless:
            stmts.remove(stmt)
            changed = True
            continue
        for block in blocks_of(stmt):
            changed = sweep(block, read, scalars, gone) or changed
    return changed


# -- short loops ------------------------------------------------------------------------

GROWTH = 1500  # statements that one pass may write out: a nest multiplies


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
    for stmt in list(stmts):
        if isinstance(stmt, Alloc) and stmt.buffer.role == "local" and is_split(stmts, stmt.buffer):
            buffer = stmt.buffer
            found: dict[tuple[int, ...], Var] = {}

            def place(index: tuple[Any, ...], b: Buffer = buffer, f: Any = found) -> Var:
                key = tuple(int(known(i) or 0) for i in index)
                name = "_".join(["el", *map(str, key), b.name])
                return f.setdefault(key, Var(name, b.dtype))  # type: ignore[no-any-return]

            replace_stores(stmts, buffer, place)
            change_exprs(stmts, partial(element_of, buffer, place))
            at = stmts.index(stmt)
            stmts[at : at + 1] = [Set(v, zero(buffer.dtype)) for _, v in sorted(found.items())]
    for stmt in stmts:
        for block in blocks_of(stmt):
            split_block(block)


def element_of(buffer: Buffer, place: Any, e: Any) -> Any:
    return place(e.index) if isinstance(e, Get) and e.buffer is buffer else e


def is_split(stmts: list[Stmt], buffer: Buffer) -> bool:
    size = 1
    for n in buffer.dims:
        if known(n) is None:
            return False
        size *= int(known(n) or 0)
    if size > 16 or any(
        isinstance(s, Product) and buffer in (s.c, s.a[0], s.b[0]) for s in walk(stmts)
    ):
        return False
    return all(
        known(i) is not None for s in stmts for index in indices_of(s, buffer) for i in index
    )
