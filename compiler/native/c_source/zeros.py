"""Memory that begins with zeros."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import Buffer, For, Lit, Stmt, Store, Var, affine, integer

__all__ = ["ZERO", "zeros"]

ZERO: dict[str, Any] = {
    "f8": Lit(0.0, "f8"),
    "f4": Lit(0.0, "f4"),
    "i8": integer(0),
    "b1": Lit(False, "b1"),
}


def zeros(buffer: Buffer) -> list[Stmt]:
    """Loops that fill memory with zeros."""
    index = tuple(Var(f"{buffer.name}_at_{k}") for k in range(len(buffer.dims)))
    stmts: list[Stmt] = [Store(buffer, tuple(map(affine, index)), ZERO[buffer.dtype])]
    for var, n in reversed(list(zip(index, buffer.dims, strict=True))):
        stmts = [For(var, integer(0), n, stmts, free=True)]
    return stmts
