"""The law of the loop IR: what a statement names is there where it stands.  A kernel that breaks it is none.

Checked once the passes are done: what slipped out of its loop would be an error of the C compiler,
or, worse, another variable of the same name.
"""

from __future__ import annotations

from typing import Any

from .effects import strides_read
from .ir import (
    Accumulate,
    Alloc,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Opaque,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    blocks_of,
    exprs_of,
    subexpressions,
    variables,
)
from .values import Items, Scalar, View, result_variables

__all__ = ["OutOfScope", "in_scope"]


class OutOfScope(AssertionError):
    """A mistake of a pass, or of the reader: the function stays NumPy."""


def in_scope(kernel: Kernel) -> Kernel:
    """The kernel, every name of which is declared where it is used."""
    Scopes(kernel).checked()
    return kernel


class Scopes:
    """``seen``: variables that are written, and memory that is made, before a statement."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.seen: set[str] = set()
        self.memory: set[str] = set()
        for param in kernel.params:
            self.parameter(param)

    def parameter(self, param: Any) -> None:
        if isinstance(param, Items):
            for value in param.values:
                self.parameter(value)
        elif isinstance(param, Scalar):
            self.seen |= {v.name for v in variables(param.expr)}
        elif isinstance(param, View) and param.buffer is not None:
            self.memory.add(param.buffer.name)
            self.seen |= {v.name for n in param.buffer.dims for v in variables(n)}

    def checked(self) -> None:
        lets: set[str] = set()
        self.block(self.kernel.body, lets)
        for var in result_variables(self.kernel.results):
            self.name(var.name, lets, "the results")

    def block(self, stmts: list[Stmt], lets: set[str]) -> None:
        """Statements in order; the names given in them end with them."""
        for stmt in stmts:
            for e in exprs_of(stmt):
                self.expression(e, lets, stmt)
            if isinstance(stmt, Accumulate):
                self.name(stmt.var.name, lets, stmt)
            self.buffers(stmt, lets)
            inner = {*lets, stmt.var.name} if isinstance(stmt, For) else lets
            for below in blocks_of(stmt):
                self.block(below, set(inner))
            if isinstance(stmt, Let):
                lets.add(stmt.var.name)
            elif isinstance(stmt, Set):
                self.seen.add(stmt.var.name)

    def buffers(self, stmt: Stmt, lets: set[str]) -> None:
        if isinstance(stmt, (Alloc, Reserve)):
            self.memory.add(stmt.buffer.name)
        elif isinstance(stmt, Store):
            self.element(stmt.buffer, lets, stmt)
        elif isinstance(stmt, Product):
            for buffer in (stmt.c, stmt.a[0], stmt.b[0]):
                self.element(buffer, lets, stmt)
        elif isinstance(stmt, Opaque):
            for buffer in stmt.memory:
                self.element(buffer, lets, stmt)

    def expression(self, e: Any, lets: set[str], where: Any) -> None:
        for part in subexpressions(e):
            if isinstance(part, Var):
                self.name(part.name, lets, where)
            elif isinstance(part, Get):
                self.element(part.buffer, lets, where)

    def element(self, buffer: Buffer, lets: set[str], where: Any) -> None:
        """Where an element stands follows from the sizes of the other axes."""
        if buffer.name not in self.memory and buffer.role != "arena":
            raise OutOfScope(f"the memory `{buffer.name}` is not there at {describe(where)}")
        for name in strides_read(buffer):
            self.name(name, lets, where)

    def name(self, name: str, lets: set[str], where: Any) -> None:
        if name not in lets and name not in self.seen:
            raise OutOfScope(f"`{name}` is not known at {describe(where)}")


def describe(where: Any) -> str:
    return where if isinstance(where, str) else f"a {type(where).__name__}"
