"""What is left of a function as a person would write it: no second name for a shape, no test that was made before."""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from typing import Any

from .reduction import assigned
from .unused import is_pure

__all__ = ["tidy"]

ROOM = 84  # columns of a statement of a function
FEW = 2  # reads of a shape for which it needs no name
SIZES = ("shape", "dtype", "ndim", "size")
NESTED = (ast.FunctionDef, ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom)
ONCE = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp)
OPPOSITE = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def tidy(function: ast.FunctionDef) -> None:
    """Write a function more shortly, in place; it computes the same."""
    read_in_place(function)
    function.body = without_known_tests(function.body)
    if not any(isinstance(n, NESTED) for s in function.body for n in ast.walk(s)):
        function.body = nested(function.body)
    match function.body:
        case [
            *rest,
            ast.If(test=test, body=[ast.Return(value=ast.expr() as a)], orelse=[]),
            ast.Return(value=ast.expr() as b),
        ]:
            made = ast.Return(ast.IfExp(test, a, b))
            if columns(made) <= ROOM and not isinstance(b, ast.IfExp):
                function.body = [*rest, made]


def columns(node: ast.AST) -> int:
    return len(
        re.sub(r"[\w.]+::_*", "rt_", ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))))
    )


# -- names of shapes ----------------------------------------------------------------------


def read_in_place(function: ast.FunctionDef) -> None:
    """``like.shape`` where ``shape = like.shape`` is read, if that is seldom."""
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
    bound = Counter(n.id for n in names if isinstance(n.ctx, ast.Store))
    read = Counter(n.id for n in names if isinstance(n.ctx, ast.Load))
    for statement in list(function.body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Attribute(value=ast.Name(id=owner), attr=attribute) as value,
            ) if attribute in SIZES:
                if bound[name] == 1 and not bound[owner] and read[name] <= FEW:
                    function.body.remove(statement)
                    Put(name, value).visit(function)


class Put(ast.NodeTransformer):
    """Puts an expression where a name is read."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> Any:
        return copy.deepcopy(self.value) if node.id == self.name else node


# -- values that the next statement reads ---------------------------------------------------


def nested(body: list[ast.stmt]) -> list[ast.stmt]:
    """``return f(g(x))`` for ``y = g(x)`` and ``return f(y)``."""
    made: list[ast.stmt] = []
    for at, statement in enumerate(body):
        while made and (name := lone_target(made[-1])) is not None:
            found = merged(made[-1], name, statement, body[at + 1 :])
            if found is None:
                break
            made.pop()
            statement = found
        made.append(statement)
    return made


def lone_target(node: ast.stmt) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def merged(first: Any, name: str, second: Any, rest: list[ast.stmt]) -> ast.stmt | None:
    """The second statement with the value of the first in the place of its name, if nobody else reads it."""
    again = lone_target(second)
    if not (isinstance(second, ast.Return) and second.value) and again is None:
        return None
    if again != name and any(name in reads(s) for s in rest):
        return None
    found = reads(second.value).count(name)
    if found == 0:
        return second if again == name and is_pure(first.value) else None
    if found > 1 or any(isinstance(n, ONCE) for n in ast.walk(second.value)):
        return None
    if calls_before(second.value, name):  # they may change what the value is made of
        return None
    made = copy.deepcopy(second)
    made.value = Put(name, first.value).visit(made.value)
    return made if columns(made) <= ROOM else None


def calls_before(node: ast.AST, name: str) -> bool:
    """True if a call has come to its end before a name is read."""
    if name not in reads(node):
        return isinstance(node, ast.Call) or any(isinstance(n, ast.Call) for n in ast.walk(node))
    for child in ast.iter_child_nodes(node):
        if name in reads(child):
            return not isinstance(child, ast.Name) and calls_before(child, name)
        if calls_before(child, name):
            return True
    return False


def reads(tree: ast.AST) -> list[str]:
    return [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]


# -- tests that were made before -----------------------------------------------------------


def without_known_tests(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, where those that come after ``if c: return`` do not ask for ``c`` again."""
    made: list[ast.stmt] = []
    for at, statement in enumerate(body):
        made.append(statement)
        match statement:
            case ast.If(test=test, body=[*_, ast.Return() | ast.Raise()], orelse=[]) if is_pure(
                test
            ):
                rest = body[at + 1 :]
                names = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
                if names.isdisjoint(assigned(rest)):
                    return [*made, *without_known_tests(Known(test).block(rest))]
    return made


class Known(ast.NodeTransformer):
    """Takes out what a test decides that is false."""

    def __init__(self, test: ast.expr) -> None:
        self.false = ast.dump(test)
        self.true = ast.dump(opposite(test))

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            made = self.visit(statement)
            found += made if isinstance(made, list) else [made]
        return found

    def chosen(self, node: Any) -> Any:
        asked = ast.dump(node.test)
        return node.orelse if asked == self.false else node.body if asked == self.true else None

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        chosen = self.chosen(node)
        return node if chosen is None else chosen

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        chosen = self.chosen(node)
        return node if chosen is None else chosen or ast.Pass()


def opposite(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPPOSITE:
            return ast.Compare(left, [OPPOSITE[type(op)]()], [right])
    return ast.UnaryOp(ast.Not(), test)
