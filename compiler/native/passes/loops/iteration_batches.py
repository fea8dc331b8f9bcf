"""Loops whose iterations are counted in batches, for batched products and rank-1 updates."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import (
    Accumulate,
    Affine,
    Break,
    Buffer,
    Continue,
    For,
    Get,
    Let,
    Lit,
    Op,
    Opaque,
    Product,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    integer,
    loads,
    minus,
    plus,
    variables,
    walk,
)

__all__ = ["BATCH", "Turns", "depends", "factors", "is_worth", "multiplied", "product_of"]

BATCH = 64  # iterations
LEAST = 512  # elements of a matrix that is worth it
FEWEST = 16  # iterations of a loop that is worth it


class Turns:
    """A loop: what changes in it, and the number of an iteration in its batch."""

    def __init__(self, loop: For, number: int) -> None:
        self.loop = loop
        inside = list(walk(loop.body))
        self.written = {s.var.name for s in inside if isinstance(s, (Let, Set, Accumulate, For))}
        self.buffers = {id(s.buffer) for s in inside if isinstance(s, Store)}
        self.buffers |= {id(s.c) for s in inside if isinstance(s, Product)}
        self.buffers |= {id(b) for s in inside if isinstance(s, Opaque) for b in s.memory}
        self.leaves = any(isinstance(s, (Break, Continue)) for s in inside)
        self.slot = Var(f"turn_{number}")
        self.used = False

    @property
    def count(self) -> Affine:
        return minus(self.loop.hi, self.loop.lo)

    @property
    def turn(self) -> Affine:
        """How many iterations there were before this one."""
        if self.loop.backwards:
            return minus(plus(self.loop.hi, -1), self.loop.var)
        return minus(self.loop.var, self.loop.lo)

    def is_plain(self) -> bool:
        """True if it runs to its end, often enough, and its bounds stay."""
        count = self.count
        often = bool(count.terms) or count.const >= FEWEST
        return often and not self.leaves and self.stays(self.loop.lo) and self.stays(self.loop.hi)

    def stays(self, e: Any) -> bool:
        """True if an expression has one value in all iterations."""
        return not (
            {v.name for v in variables(e)} & (self.written | {self.loop.var.name})
            or {id(g.buffer) for g in loads(e)} & self.buffers
        )

    def start(self) -> None:
        """Count, once: from here on ``slot`` is there."""
        if not self.used:
            turn = Op("remainder", (self.turn, integer(BATCH)), "i8")
            self.loop.body.insert(0, Let(self.slot, turn))
            self.used = True


def is_worth(n: Any, m: Any) -> bool:
    n, m = affine(n), affine(m)
    return bool(n.terms or m.terms) or n.const * m.const >= LEAST


def factors(e: Any) -> list[Any]:
    """The factors of a product.

    >>> x, y, z = (Var(name, "f8") for name in "xyz")
    >>> factors(Op("multiply", (x, Op("multiply", (y, z), "f8")), "f8")) == [x, y, z]
    True
    """
    if isinstance(e, Op) and e.name == "multiply":
        return [f for a in e.args for f in factors(a)]
    return [e]


def multiplied(parts: list[Any], dtype: str) -> Any:
    found = parts[0] if parts else Lit(1.0, dtype)
    for part in parts[1:]:
        found = Op("multiply", (found, part), dtype)
    return found


def depends(e: Any, var: Var) -> bool:
    return any(v == var for v in variables(e))


def product_of(
    c: Buffer, a: Buffer, b: Buffer, flipped: bool, sizes: tuple[Any, Any, Any], name: str
) -> Product:
    """``c = a @ b``, or ``a.T @ b`` if ``flipped``."""
    i, j, p = (Var(f"{name}_{x}") for x in "ijp")
    ai, aj, ap = affine(i), affine(j), affine(p)
    m, k, n = (affine(size) for size in sizes)
    read = Get(a, (ap, ai) if flipped else (ai, ap))
    term = Op("multiply", (read, Get(b, (ap, aj))), c.dtype)
    zero = For(j, integer(0), n, [Store(c, (ai, aj), Lit(0.0, c.dtype))], free=True)
    add = For(j, integer(0), n, [Store(c, (ai, aj), term, "add")], free=True)
    middle = For(p, integer(0), k, [add])
    rows: list[Stmt] = [For(i, integer(0), m, [zero, middle], free=True)]
    return Product(c, (a, flipped), (b, False), (m, k, n), rows)
