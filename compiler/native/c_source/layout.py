"""Where memory stands: small arrays of known size on the stack, all else in a workspace of the caller's."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from ..loop_ir.ir import (
    Alloc,
    Buffer,
    Op,
    Reserve,
    Stmt,
    Var,
    affine,
    blocks_of,
    integer,
    plus,
    rewrite,
    subexpressions,
    times,
    walk,
)
from ..loop_ir.storage import elements
from ..refusal import Unsupported
from .bounds import Bounds
from .unread import buffers_of

__all__ = ["ROOM", "STACK", "Layout", "home_of"]

STACK = 256  # elements of an array on the stack
ROOM = Var("n_steps")  # how many items each list has room for, if only the run tells
CODES = {"f8": "work", "f4": "fwork", "i8": "iwork", "b1": "bwork"}


@dataclass
class Layout:
    """``pieces``: the memory in each workspace, with sizes; ``taped``: whether lists need ``ROOM``."""

    pieces: dict[str, list[tuple[Buffer, Any]]] = field(default_factory=dict)
    stack: set[int] = field(default_factory=set)
    taped: bool = False
    counts: dict[Any, Var] = field(default_factory=dict)  # names for parts of sizes

    @classmethod
    def of(cls, body: list[Stmt], bounds: Bounds) -> Layout:
        made = cls()
        seen: set[int] = set()
        for stmt in walk(body):
            if not isinstance(stmt, (Alloc, Reserve)) or id(stmt.buffer) in seen:
                continue
            seen.add(id(stmt.buffer))
            if stmt.buffer.role != "result":
                made.place(stmt.buffer, bounds)
        return made

    def place(self, buffer: Buffer, bounds: Bounds) -> None:
        if buffer.role == "arena":
            buffer.dims = (affine(ROOM), *buffer.dims[1:])
            self.taped = True
        n = elements(buffer)
        if n is not None and n <= STACK:
            self.stack.add(id(buffer))
            return
        size: Any = integer(1)
        for dim in buffer.dims:
            most = bounds.most(dim)
            if most is None:
                raise Unsupported("an array whose size is computed on the way")
            size = times(size, self.counted(most))
        self.pieces.setdefault(CODES[buffer.dtype], []).append((buffer, size))

    def counted(self, size: Any) -> Any:
        """A size with a name for each number in it that is not negative."""

        def change(e: Any) -> Any:
            if not isinstance(e, Op) or e.name not in ("maximum", "minimum", "floor_divide"):
                return e
            return self.counts.setdefault(e, Var(f"n_count_{len(self.counts)}"))

        return rewrite(affine(size), change)

    def named_in(self, needed: set[str]) -> list[tuple[Any, Var]]:
        """The parts of sizes that have these names, and those that they are made of, inner ones first."""
        found: list[tuple[Any, Var]] = []
        wanted = set(needed)
        for e, var in reversed(self.counts.items()):
            if var.name in wanted:
                found.insert(0, (e, var))
                wanted |= {s.name for s in subexpressions(e) if isinstance(s, Var)}
        return found

    def total(self, workspace: str) -> Any:
        found: Any = integer(0)
        for _, size in self.pieces[workspace]:
            found = plus(found, size)
        return found


def home_of(body: list[Stmt], buffer: Buffer) -> list[Stmt]:
    """The smallest block that all uses of some memory stand in."""
    for stmt in body:
        for block in blocks_of(stmt):
            if any(buffer in buffers_of(s) for s in walk(block)):
                others = [s for s in body if s is not stmt]
                here = buffer in buffers_of(stmt)
                sides = [b for b in blocks_of(stmt) if b is not block]
                elsewhere = any(
                    buffer in buffers_of(s) for s in walk([*others, *(s for b in sides for s in b)])
                )
                return body if here or elsewhere else home_of(block, buffer)
    return body
