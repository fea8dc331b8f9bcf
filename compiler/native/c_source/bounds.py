"""How large integers may be: a size that is known when the function is entered, at least as large."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Affine,
    For,
    Kernel,
    Let,
    Lit,
    Op,
    Stmt,
    Var,
    affine,
    blocks_of,
    integer,
    plus,
    times,
)

__all__ = ["Bounds"]


class Bounds:
    """The largest value of integers of a kernel, in terms of its parameters; None if there is no such bound."""

    def __init__(self, kernel: Kernel) -> None:
        self.entry: set[str] = set()
        self.sizes: set[str] = set()
        self.ranges: dict[str, tuple[Any, Any]] = {}
        self.values: dict[str, Any] = {}
        self.learn(kernel.body)

    def learn(self, stmts: list[Stmt]) -> None:
        for stmt in stmts:
            if isinstance(stmt, Let) and stmt.var.dtype == "i8":
                self.values[stmt.var.name] = stmt.value
            elif isinstance(stmt, For):
                self.ranges[stmt.var.name] = stmt.lo, plus(stmt.hi, -1)
            for block in blocks_of(stmt):
                self.learn(block)

    def most(self, e: Any, sign: int = 1) -> Any:
        """An upper bound (a lower one, if ``sign`` is -1), or None."""
        total: Any = integer(0)
        e = affine(e)
        for atom, k in e.terms:
            found = self.atom(atom, sign if k > 0 else -sign)
            if found is None:
                return None
            total = plus(total, times(found, k))
        return plus(total, e.const)

    def is_nonnegative(self, e: Any) -> bool:
        """True if an integer is surely not negative."""
        low = self.most(e, -1)
        if low is None:
            return False
        low = affine(low)
        return low.const >= 0 and all(k >= 0 and self.is_size(a) for a, k in low.terms)

    def is_size(self, atom: Any) -> bool:
        if isinstance(atom, Op) and atom.name == "maximum":
            return any((known := literal(a)) is not None and known >= 0 for a in atom.args)
        if isinstance(atom, Op) and atom.name in ("imul", "floor_divide"):
            return all(map(self.is_nonnegative, atom.args))
        return isinstance(atom, Var) and atom.name in self.sizes

    def atom(self, e: Any, sign: int) -> Any:
        if isinstance(e, Var):
            if e.name in self.entry:
                return affine(e)
            if e.name in self.ranges:
                return self.most(self.ranges[e.name][1 if sign > 0 else 0], sign)
            return self.most(self.values[e.name], sign) if e.name in self.values else None
        if isinstance(e, Lit):
            return integer(int(e.value))
        if not isinstance(e, Op):
            return None
        if e.name == "imul" and not all(map(self.is_nonnegative, e.args)):
            return None
        if e.name in ("maximum", "minimum", "imul") and len(e.args) == 2:
            parts = [self.most(a, sign) for a in e.args]
            if None in parts:
                return None
            return times(*parts) if e.name == "imul" else affine(Op(e.name, tuple(parts), "i8"))
        if e.name == "floor_divide" and (literal(e.args[1]) or 0) > 0:
            part = self.most(e.args[0], sign)
            return None if part is None else affine(Op("floor_divide", (part, e.args[1]), "i8"))
        if e.name in ("wrap", "remainder") and self.is_nonnegative(e.args[1]):
            part = self.most(e.args[1])
            return integer(0) if sign < 0 else None if part is None else plus(part, -1)
        if e.name == "cast" and e.args[0].dtype == "b1":
            return integer(1 if sign > 0 else 0)
        return None


def literal(e: Any) -> int | None:
    return e.const if isinstance(e, Affine) and not e.terms else None
