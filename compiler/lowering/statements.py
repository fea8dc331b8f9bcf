"""Simple statements: what only evaluates, leaves, raises or defines."""

from __future__ import annotations

import gast

from retrograd.runtime.errors import CompileError, UnsupportedSyntax

from ..ir.operations import Const
from ..ir.primitives import ASSERT, RAISE
from .calls.decorators import decorated
from .interface.lowerer import Lowerer

__all__ = ["SimpleStatements"]


class SimpleStatements:
    """Lowers statements that hold no others."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def refuse(self, node: gast.AST) -> None:
        name, fix = REFUSED.get(type(node).__name__, (type(node).__name__, ""))
        raise UnsupportedSyntax(f"{name} is not supported", place=self.scope.place(node), fix=fix)

    def do_Pass(self, node: gast.AST) -> None: ...

    def do_Expr(self, node: gast.AST) -> None:
        if not isinstance(node.value, gast.Constant):
            self.lowerer.expression(node.value)

    def do_FunctionDef(self, node: gast.AST) -> None:
        self.scope.env[node.name] = decorated(self.lowerer, node)

    def do_Return(self, node: gast.AST) -> None:
        value = Const(None) if node.value is None else self.lowerer.expression(node.value)
        if self.scope.dead:
            return
        self.lowerer.lending.check_kept(value, node)
        self.scope.env["$result"] = self.lowerer.cells.stored(value)
        if self.scope.loop_depth:
            self.scope.env["$returned"] = self.scope.env["$stop"] = Const(True)
        self.exit()

    def do_Break(self, node: gast.AST) -> None:
        self.scope.env["$stop"] = Const(True)
        self.exit()

    def do_Continue(self, node: gast.AST) -> None:
        self.exit()

    def exit(self) -> None:
        self.scope.env["$left"] = Const(True)
        self.scope.end()

    def do_Raise(self, node: gast.AST) -> None:
        raised = [
            self.lowerer.operations.operand(self.lowerer.expression(e))
            for e in (node.exc, node.cause)
            if e is not None
        ]
        self.lowerer.operations.emit_effect(RAISE, tuple(raised), node)
        self.scope.end(raised=True)

    def fails(self, error: CompileError, node: gast.AST) -> bool:
        """Raise, in the text, what Python raises in a statement that may not run; False of any other error."""
        parts = [n for n in gast.walk(node) if hasattr(n, "lineno")]
        here = error.place is not None and error.place in map(self.scope.place, parts)
        if error.raises is None or not here:
            return False
        if not (self.scope.is_conditional() or (error.said and self.scope.program.under_way)):
            return False
        made = self.lowerer.operations.apply(error.raises, (Const(error.said or error.reason),), {})
        self.lowerer.operations.emit_effect(RAISE, (made,), node)
        self.scope.end(raised=True)
        return True

    def do_Assert(self, node: gast.AST) -> None:
        parts = [
            self.lowerer.operations.operand(
                self.lowerer.protocols.truth_of(self.lowerer.expressions.condition(node.test), node)
            )
        ]
        parts += (
            []
            if node.msg is None
            else [self.lowerer.operations.operand(self.lowerer.expression(node.msg))]
        )
        self.lowerer.operations.emit_effect(ASSERT, tuple(parts), node)


REFUSED = {
    "Delete": ("`del` of an attribute", "make a new container without it"),
    "ClassDef": ("a class in a function", "define it at module level"),
    "AsyncFor": ("`async for`", "write a plain loop"),
    "AsyncWith": ("`async with`", "write a plain block"),
    "AsyncFunctionDef": ("`async def`", "write a plain function"),
}
