"""A call replaced by the one expression that a function returns."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from typing import Any

__all__ = ["expression_of"]

LONGEST = 110  # characters of an expression that takes the place of a call
NESTED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_simple(node: Any) -> bool:
    """True of what can be read several times."""
    if isinstance(node, ast.Attribute):
        return is_simple(node.value)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, (ast.Name, ast.Constant))


def expression_of(body: list[ast.stmt], given: dict[str, Any]) -> ast.expr | None:
    """What these statements return for arguments that are these expressions; None if that is no short expression."""
    inside = Inside(dict(given))
    own = body[1:] if body and is_docstring(body[0]) else body
    for k, statement in enumerate(own):
        match statement:
            case ast.Return(value=ast.expr() as value) if k == len(own) - 1:
                made = inside.written(value)
                fits = (
                    inside.fits and len(ast.unparse(made)) <= LONGEST + inside.length_of_arguments
                )
                return made if fits else None
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                inside.bind(name, inside.written(value))
            case _:
                return None
    return None


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class Inside(ast.NodeTransformer):
    """Writes expressions with the names replaced by what they stand for."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given: dict[str, Any] = {}
        self.uses: Counter[int] = Counter()
        self.fits, self.nested = True, False
        self.length_of_arguments = sum(len(text_of(g)) for g in given.values())
        for name, value in given.items():
            self.bind(name, value)

    def bind(self, name: str, value: Any) -> None:
        self.given[name] = value

    def written(self, node: ast.expr) -> Any:
        if any(isinstance(n, ast.NamedExpr) for n in ast.walk(node)):
            self.fits = False
        return self.visit(copy.deepcopy(node))

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self.given:
            return node
        value = self.given[node.id]
        if isinstance(value, list):
            self.fits = False
            return node
        self.uses[id(value)] += 1
        if not is_simple(value) and (self.uses[id(value)] > 1 or self.nested):
            self.fits = False
        return copy.deepcopy(value)

    def generic_visit(self, node: Any) -> Any:
        if isinstance(node, NESTED):
            if self.hides(node):
                self.fits = False
            before, self.nested = self.nested, True
            made = super().generic_visit(node)
            self.nested = before
            return made
        return super().generic_visit(node)

    def hides(self, node: Any) -> bool:
        """Whether it binds a name that is read in what is put into it, or that is replaced."""
        bound = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        bound |= {a.arg for n in ast.walk(node) if isinstance(n, ast.arguments) for a in n.args}
        values = [
            v
            for value in self.given.values()
            for v in (value if isinstance(value, list) else [value])
        ]
        read = {n.id for v in values for n in ast.walk(v) if isinstance(n, ast.Name)}
        return bool(bound & (read | set(self.given)))

    def visit_Call(self, node: ast.Call) -> Any:
        args: list[Any] = []
        for a in node.args:
            known = (
                isinstance(a, ast.Starred)
                and isinstance(a.value, ast.Name)
                and self.given.get(a.value.id)
            )
            args += (
                [copy.deepcopy(v) for v in known] if isinstance(known, list) else [self.visit(a)]
            )
        node.args = args
        node.func = self.visit(node.func)
        node.keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return node


def text_of(given: Any) -> str:
    return " ".join(ast.unparse(g) for g in (given if isinstance(given, list) else [given]))
