"""The grammar of a rule, read from its syntax tree: assignments, then one linear return.

The book's own rules are checked by the tests, so that importing them stays cheap; a user's rule
is checked when it is registered.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.runtime.errors import RuleError
from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.book import book, is_constant

__all__ = [
    "NotLinear",
    "body_of",
    "check",
    "check_functions",
    "check_linear",
    "check_statements",
    "names_in",
]

ATTRIBUTES = {"shape", "size", "ndim", "T", "dtype", "real", "imag"}
ALLOWED = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute,
    ast.Call, ast.Tuple, ast.List, ast.Slice, ast.keyword, ast.Starred, ast.expr_context,
    ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip


class NotLinear(RuleError):
    """A rule whose return is not linear in its differentials."""


def check(function: Callable[..., Any], ds: set[str]) -> None:
    """Raise `RuleError` unless ``function`` is a differential in ``ds``."""
    check_statements(function, ds)
    check_functions(function)
    check_linear(function, ds)


def require(condition: object, message: str) -> None:
    if not condition:
        raise RuleError(message)


def body_of(function: Callable[..., Any]) -> list[ast.stmt]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise RuleError("a rule is a plain `def`")
    return [s for s in tree.body if not is_docstring(s)]


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def returned(function: Callable[..., Any]) -> ast.expr:
    last = body_of(function)[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        raise RuleError(f"rule {function.__name__}: the last statement returns the differential")
    return last.value


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def check_statements(function: Callable[..., Any], ds: set[str]) -> None:
    """Assignments that mention no differential, then a return; only simple expressions."""
    *first, last = body_of(function)
    returned(function)
    for statement in first:
        text = ast.unparse(statement)
        require(isinstance(statement, ast.Assign), f"{text!r} is not an assignment")
        require(not names_in(statement) & ds, f"{text!r} mentions a differential")
    for statement in (*first, last):
        inside = [n for child in ast.iter_child_nodes(statement) for n in ast.walk(child)]
        wrong = [n for n in inside if not isinstance(n, ALLOWED)]
        require(
            not wrong, f"{type(wrong[0]).__name__ if wrong else ''} in {ast.unparse(statement)!r}"
        )
        strange = {
            n.attr for n in inside if isinstance(n, ast.Attribute) and not called(n, function)
        }
        require(
            strange <= ATTRIBUTES,
            f"attributes {sorted(strange - ATTRIBUTES)} are not allowed in a rule",
        )


def called(node: ast.Attribute, function: Callable[..., Any]) -> bool:
    """True if this attribute is a name of a module, such as ``np.linalg``."""
    return resolve(node, function) is not None


def resolve(node: ast.expr, function: Callable[..., Any]) -> Any:
    """The object that a dotted name stands for, or None."""
    if isinstance(node, ast.Name):
        return function.__globals__.get(node.id)
    if isinstance(node, ast.Attribute):
        base = resolve(node.value, function)
        return None if base is None else getattr(base, node.attr, None)
    return None


def calls_in(function: Callable[..., Any]) -> Iterator[ast.Call]:
    for statement in body_of(function):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield node


def check_functions(function: Callable[..., Any]) -> None:
    """Every function a rule uses has a rule of its own, or is constant."""
    for call in calls_in(function):
        fn = resolve(call.func, function)
        known = fn in book or is_constant(fn)
        require(known, f"{ast.unparse(call.func)} is neither ruled nor constant")


def check_linear(function: Callable[..., Any], ds: set[str]) -> None:
    """The return is linear in the differentials, and every linear use has a transpose."""
    value = returned(function)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    for part in parts:
        if not is_linear(part, ds, function) and not (len(parts) > 1 and is_zero(part, function)):
            raise NotLinear(f"{ast.unparse(part)!r} mentions no differential")


def is_zero(node: ast.expr, function: Callable[..., Any]) -> bool:
    """True if a part of a result is said to be constant: ``0.0``, ``linear.zeros_like(x)``."""
    if isinstance(node, ast.Call):
        return resolve(node.func, function) is linear.zeros_like
    return isinstance(node, ast.Constant) and node.value == 0


def is_linear(node: ast.expr, ds: set[str], function: Callable[..., Any]) -> bool:
    """True: linear, False: mentions no differential; anything else raises."""
    if not names_in(node) & ds:
        return False
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_linear(node.operand, ds, function)
    if isinstance(node, ast.BinOp):
        return linear_operator(node, ds, function)
    if isinstance(node, ast.Subscript) and not names_in(node.slice) & ds:
        return is_linear(node.value, ds, function)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return is_linear(node.value, ds, function)
    if isinstance(node, ast.Call):
        return linear_call(node, ds, function)
    raise NotLinear(ast.unparse(node))


def linear_operator(node: ast.BinOp, ds: set[str], function: Callable[..., Any]) -> bool:
    left, right = (is_linear(side, ds, function) for side in (node.left, node.right))
    if isinstance(node.op, (ast.Add, ast.Sub)) and left and right:
        return True
    if isinstance(node.op, (ast.Mult, ast.MatMult)) and left != right:
        return True
    if isinstance(node.op, ast.Div) and left and not right:
        return True
    raise NotLinear(ast.unparse(node))


def linear_call(node: ast.Call, ds: set[str], function: Callable[..., Any]) -> bool:
    fn = resolve(node.func, function)
    own = book.rules[fn].own
    named = [*zip(own, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
    carrying = [(name, a) for name, a in named if names_in(a) & ds]
    for name, argument in carrying:
        require(
            (fn, name) in book.transposes, f"{ast.unparse(node.func)} has no transpose of `{name}`"
        )
        is_linear(argument, ds, function)
    if not carrying:
        raise NotLinear(ast.unparse(node))
    return True
