"""A loop in parts: each adds up in memory of its own, and the sums of all are added in their order.

How many parts there are follows from sizes alone: results do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from ...loop_ir.clone import copies
from ...loop_ir.cost import elements_of, number, product
from ...loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    Buffer,
    For,
    Get,
    If,
    Leave,
    Let,
    Lit,
    Op,
    Parts,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    change_exprs,
    integer,
    minus,
    plus,
    times,
    walk,
)
from ...loop_ir.operation_traits import scalar_operation
from ...loop_ir.storage import SMALL, elements, on_stack

__all__ = ["Plan", "in_parts", "is_short"]

LEAST = 200_000.0  # operations of a part: some ten microseconds, where threads take a few to begin
MOST = 32.0  # parts
ADDED = 16.0  # operations for each element that a part adds to in memory of its own
ROOM = 2.0**22  # elements of all such memory


@dataclass
class Plan:
    """A loop that may be shared, and what its parts have of their own."""

    loop: For
    work: Any  # operations, a float
    sums: dict[Var, str]  # variables of the kernel, and how they add
    added: list[Buffer] = field(default_factory=list)  # memory that every iteration adds to
    made: list[Buffer] = field(default_factory=list)  # memory of one iteration


def is_short(work: Any) -> bool:
    """True if it is known that two parts are too many."""
    return isinstance(work, Lit) and work.value < 2 * LEAST


def in_parts(plan: Plan, counter: list[int]) -> list[Stmt]:
    """The loop as it is if it is short, and in parts if it is long."""
    counter[0] += 1
    count = Var(f"parts_{counter[0]}")
    many = Op("greater", (affine(count), integer(1)), "b1")
    work = Var(f"work_{counter[0]}", "f8")
    shared = Cut(plan, count, counter).statements()
    found = Op("cast", (number_of_parts(plan, work),), "i8")
    return [Let(work, plan.work), Let(count, found), If(many, shared, [plan.loop])]


def number_of_parts(plan: Plan, work: Var) -> Any:
    """How many parts a loop is worth, a float."""
    iterations = number(minus(plan.loop.hi, plan.loop.lo), {})
    bounds = [product(Lit(1 / LEAST, "f8"), work), iterations]
    for buffer in plan.added:
        size = product(Lit(ADDED, "f8"), elements_of(buffer.dims))
        bounds.append(Op("divide", (work, size), "f8"))
    for buffer in [*plan.added, *(b for b in plan.made if not on_stack(b))]:
        bounds.append(Op("divide", (Lit(ROOM, "f8"), elements_of(buffer.dims)), "f8"))
    found: Any = Lit(MOST, "f8")
    for bound in bounds:
        found = Op("minimum", (found, bound), "f8")
    return found


class Cut:
    """The statements of one loop in parts."""

    def __init__(self, plan: Plan, count: Var, counter: list[int]) -> None:
        self.plan, self.count, self.counter = plan, affine(count), counter
        k = counter[0]
        self.part = Var(f"part_{k}")
        self.own = {var: Var(f"p{k}_{var.name}", var.dtype) for var in plan.sums}
        self.sums = {
            var: Buffer(f"sums_{v.name}", v.dtype, (self.count,)) for var, v in self.own.items()
        }
        self.rooms = {
            b: Buffer(f"p{k}_{b.name}", b.dtype, (self.count, *b.dims))
            for b in [*plan.added, *plan.made]
        }
        self.small = [
            b for b in plan.added if 0 < (elements(b) or 0) <= SMALL
        ]  # added up on a stack
        self.rows = {
            b: Buffer(f"row_p{k}_{b.name}", b.dtype, self.rooms[b].dims) for b in self.small
        }
        for b in [*self.small, *filter(on_stack, plan.made)]:
            self.rooms[b].dims = b.dims

    def fresh(self, var: Var) -> Var:
        self.counter[0] += 1
        return Var(f"p{self.counter[0]}_{var.name}", var.dtype)

    def statements(self) -> list[Stmt]:
        """Memory for all parts, the parts, and what they have found."""
        rows = [room for room in self.rooms.values() if room.dims[:1] == (self.count,)]
        buffers = [*rows, *self.rows.values(), *self.sums.values()]
        made: list[Stmt] = [Alloc(buffer) for buffer in buffers]
        return [*made, Parts(self.part, integer(0), self.count, self.body()), *self.found()]

    def body(self) -> list[Stmt]:
        """One part."""
        at = (affine(self.part),)
        made: list[Stmt] = []
        for buffer in self.plan.added:
            small = buffer in self.rows
            made += [Alloc(self.rooms[buffer], zero=True)] if small else self.zeros(buffer)
        for var, v in self.own.items():
            made.append(Set(v, identity(self.plan.sums[var], v.dtype)))
        body = copies(self.stretch(), dict(self.own), self.fresh)
        change_exprs(body, self.element)
        for s in walk(body):
            if isinstance(s, Store) and s.buffer in self.rooms:
                s.buffer, s.index = self.place(s.buffer, s.index)
        self.settle(body)
        for buffer in self.small:
            body += self.put_down(buffer)
        return [*made, *body, *(Store(self.sums[var], at, v) for var, v in self.own.items())]

    def put_down(self, buffer: Buffer) -> list[Stmt]:
        """Puts what a part has added up on its stack into its row."""
        rows, at = self.flat(buffer)
        room = Buffer(self.rooms[buffer].name, buffer.dtype, rows.dims[1:])
        stored = Store(rows, (affine(self.part), affine(at)), Get(room, (affine(at),)))
        return [For(at, integer(0), rows.dims[1], [stored], free=True)]

    def stretch(self) -> list[Stmt]:
        """The iterations of one part."""
        loop = self.plan.loop
        n = minus(loop.hi, loop.lo)

        def start(k: Any) -> Affine:
            all_before = affine(Op("multiply", (n, affine(k)), "i8"))
            return plus(loop.lo, affine(Op("floor_divide", (all_before, self.count), "i8")))

        lo, hi = Var("from"), Var("upto")
        own = For(loop.var, affine(lo), affine(hi), loop.body, loop.backwards, loop.free)
        return [Let(lo, start(self.part)), Let(hi, start(plus(self.part, 1))), own]

    def place(self, buffer: Buffer, index: tuple[Any, ...]) -> tuple[Buffer, tuple[Any, ...]]:
        """Where a part has what stands in a buffer."""
        room = self.rooms[buffer]
        return room, (affine(self.part), *index) if len(room.dims) > len(index) else index

    def element(self, e: Any) -> Any:
        return (
            Get(*self.place(e.buffer, e.index))
            if isinstance(e, Get) and e.buffer in self.rooms
            else e
        )

    def settle(self, stmts: list[Stmt]) -> None:
        """A test that fails ends its part; memory that all parts have a row of is there already."""
        for k in reversed(range(len(stmts))):
            s = stmts[k]
            for block in blocks_of(s):
                self.settle(block)
            if isinstance(s, Bail):
                stmts[k] = Leave(s.cond, self.part)
            elif isinstance(s, Alloc) and len(self.rooms[s.buffer].dims) == len(s.buffer.dims):
                s.buffer = self.rooms[s.buffer]
            elif isinstance(s, Alloc):
                stmts[k : k + 1] = self.zeros(s.buffer) if s.zero else []

    def zeros(self, buffer: Buffer) -> list[Stmt]:
        """Zeros in the row of a part."""
        row, at = self.flat(buffer)
        zero = Store(row, (affine(self.part), affine(at)), identity("add", buffer.dtype))
        return [For(at, integer(0), row.dims[1], [zero], free=True)]

    def flat(self, buffer: Buffer) -> tuple[Buffer, Var]:
        """The buffer of all parts as a matrix, a row for each, and a variable for a row."""
        size: Any = integer(1)
        for n in buffer.dims:
            known = affine(size), affine(n)
            if all(k.terms for k in known):
                size = affine(Op("multiply", known, "i8"))
            else:
                size = times(*known)
        name = (self.rows.get(buffer) or self.rooms[buffer]).name
        return Buffer(name, buffer.dtype, (self.count, size)), self.fresh(Var("at"))

    def found(self) -> list[Stmt]:
        """Adds up what the parts have found, one after the other."""
        made: list[Stmt] = []
        for buffer in self.plan.added:
            rows, at = self.flat(buffer)
            part = self.fresh(Var("part"))
            whole = Buffer(buffer.name, buffer.dtype, rows.dims[1:], buffer.role)
            value = Get(rows, (affine(part), affine(at)))
            added = [Store(whole, (affine(at),), value, "add")]
            row: list[Stmt] = [For(at, integer(0), rows.dims[1], list(added), free=True)]
            made.append(For(part, integer(0), self.count, row))
        if self.sums:
            part = self.fresh(Var("part"))
            sums: list[Stmt] = [
                Accumulate(var, op, Get(self.sums[var], (affine(part),)))
                for var, op in self.plan.sums.items()
            ]
            made.append(For(part, integer(0), self.count, sums))
        return made


def identity(op: str, dtype: str) -> Any:
    """The neutral element of an operation."""
    found = scalar_operation(op).identity
    assert found is not None
    if dtype[0] in "fc":
        return Lit(found, dtype)
    return Lit(op == "multiply", "b1") if dtype == "b1" else integer(int(found))
