"""Assignments that nobody reads, and parameters that nobody reads."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

__all__ = [
    "can_do_without",
    "unread_parameters",
    "without_arguments",
    "without_parameters",
    "without_unread",
]

PURE = (
    ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.IfExp,
    ast.BinOp, ast.expr_context, ast.cmpop, ast.boolop, ast.unaryop, ast.operator,
)  # fmt: skip
ASKING = ("getattr", "type", "len", "isinstance", "hasattr")


def is_pure(node: ast.expr) -> bool:
    """True of an expression that does nothing but give a value."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            named = part.func
            if not (isinstance(named, ast.Name) and named.id in ASKING):
                return False
        elif not isinstance(part, PURE):
            return False
    return True


def without_unread(node: ast.FunctionDef) -> None:
    """Leave out assignments to names that the function does not read, in place."""
    while True:
        read = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        if not Unread(read).changed(node):
            break
    match node.body:
        case [
            *rest,
            ast.Assign(targets=[ast.Name(id=name)], value=value),
            ast.Return(value=ast.Name(id=last)),
        ]:
            if name == last:
                node.body = [*rest, ast.Return(value)]


class Unread(ast.NodeTransformer):
    """Takes assignments out."""

    def __init__(self, read: set[str]) -> None:
        self.read, self.found = read, False

    def changed(self, node: ast.FunctionDef) -> bool:
        node.body = [s for s in map(self.visit, node.body) if s is not None] or [ast.Pass()]
        return self.found

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        lone = len(node.targets) == 1 and isinstance(target, ast.Name)
        if lone and target.id not in self.read and is_pure(node.value):  # type: ignore[attr-defined]
            self.found = True
            return None
        return node

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        if not node.body and not node.orelse and is_pure(node.test):
            self.found = True
            return None
        node.body = node.body or [ast.Pass()]
        return node


def unread_parameters(node: ast.FunctionDef, is_own: Callable[[ast.expr], bool]) -> set[str]:
    """Parameters that are read nowhere but where the function hands them to itself."""
    spec = node.args
    if spec.vararg or spec.kwarg or spec.posonlyargs:
        return set()
    names = [a.arg for a in (*spec.args, *spec.kwonlyargs)]
    handed: set[int] = set()
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and is_own(call.func):
            pairs = [
                *zip(names, call.args, strict=False),
                *((k.arg, k.value) for k in call.keywords),
            ]
            handed |= {id(v) for n, v in pairs if isinstance(v, ast.Name) and v.id == n}
    body = [n for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name)]
    read = {n.id for n in body if id(n) not in handed}
    return set(names) - read


def without_arguments(call: ast.Call, names: list[str], dropped: set[str]) -> None:
    """A call without the arguments for these parameters, in place."""
    call.args = [a for name, a in zip(names, call.args, strict=False) if name not in dropped]
    call.keywords = [k for k in call.keywords if k.arg not in dropped]


def can_do_without(call: ast.Call, names: list[str], dropped: set[str]) -> bool:
    """True if the arguments for these parameters can be left out: they do nothing, and each is given by itself."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(not k.arg for k in call.keywords):
        return False
    pairs = [*zip(names, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
    return all(does_nothing(value) for name, value in pairs if name in dropped)


def does_nothing(node: ast.expr) -> bool:
    """True of what gives the same whether it is asked or not: numbers, and calls of functions that write nothing."""
    acting = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
    return is_pure(node) or not any(isinstance(part, acting) for part in ast.walk(node))


def without_parameters(node: ast.FunctionDef, dropped: set[str]) -> None:
    """A function without these parameters, in place."""
    spec = node.args
    first = len(spec.args) - len(spec.defaults)
    spec.defaults = [
        d for a, d in zip(spec.args[first:], spec.defaults, strict=True) if a.arg not in dropped
    ]
    spec.args = [a for a in spec.args if a.arg not in dropped]
    pairs = [
        p for p in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if p[0].arg not in dropped
    ]
    spec.kwonlyargs, spec.kw_defaults = [a for a, _ in pairs], [d for _, d in pairs]
