"""Float exceptions: a text in which Python's floats raise is run again in NumPy's arithmetic.

``0.5 * x ** -0.5`` at the Python float 0.0 is a ZeroDivisionError, where the function ``x ** 0.5`` has a value.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.objects.own_attributes import own_attribute

from .internal_errors import place_of

__all__ = ["at_limits", "in_numpy", "no_finite", "numbers_of_numpy", "raised_by_floats"]

OTHER_NAMES = {
    "pow": "float_power", "asin": "arcsin", "acos": "arccos", "acosh": "arccosh", "atanh": "arctanh",
}  # fmt: skip
COUNTERPARTS = {name: getattr(np, OTHER_NAMES.get(name, name), None) for name in dir(math)}
TWO = {
    ast.Div: ("divided", operator.truediv, np.true_divide),
    ast.Pow: ("raised", operator.pow, np.power),
}


def raised_by_floats(error: BaseException | None) -> bool:
    """True if Python's arithmetic of floats raised it, and NumPy's would give inf or nan."""
    domain = isinstance(error, ValueError) and str(error).startswith(("math domain", "expected a"))
    return domain or isinstance(error, (ZeroDivisionError, OverflowError))


def at_limits(chain: Any, made: Any, args: Sequence[Any], error: Exception) -> Any:
    """The answer of a text that raised ``error`` by Python's floats, where the function has a value."""
    name = next(iter(made.functions))
    try:
        with np.errstate(all="ignore"):
            return in_numpy(made)[name](*args)
    except Exception:
        raise no_finite(chain, error) from error


def no_finite(chain: Any, error: Exception) -> NotDifferentiable:
    name = own_attribute(chain.fn, "__qualname__", chain.name)
    return NotDifferentiable(
        f"the derivative of `{name}` has no finite value here: {type(error).__name__}: {error}",
        place=place_of(chain.fn, error),
        fix="use NumPy's functions and numbers (np.sqrt, np.float64(x)), which give inf or nan; or other arguments",
    )


def in_numpy(made: Any) -> dict[str, Callable[..., Any]]:
    """The functions of a text; what Python's arithmetic refuses in them, NumPy's computes."""
    tree = ast.parse(made.text)
    if any(isinstance(node, ast.Try) for node in ast.walk(tree)):
        raise ValueError("a text that may catch the error itself")
    tree = ast.fix_missing_locations(Softened().visit(tree))
    scope = dict(next(iter(made.functions.values())).__globals__)
    scope |= {name: softly(plain, numpy) for name, plain, numpy in TWO.values()} | {"asked": asked}
    exec(compile(tree, "<in NumPy's arithmetic>", "exec"), scope)
    return {name: scope[name] for name in made.functions}


def numbers_of_numpy(tree: Any) -> Any:
    """Python's floats in lists, tuples and dicts as NumPy's."""
    if type(tree) is float:
        return np.float64(tree)
    if type(tree) in (list, tuple):
        return type(tree)(map(numbers_of_numpy, tree))
    return {k: numbers_of_numpy(v) for k, v in tree.items()} if type(tree) is dict else tree


class Softened(ast.NodeTransformer):
    """``a / b``, ``a ** b`` and ``math.f(x)`` as calls of what does not raise."""

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if type(node.op) not in TWO:
            return node
        return call(TWO[type(node.op)][0], node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if type(node.op) not in TWO or not isinstance(node.target, ast.Name):
            return node
        old = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], call(TWO[type(node.op)][0], old, node.value))

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        of = node.func
        if (
            isinstance(of, ast.Attribute)
            and isinstance(of.value, ast.Name)
            and of.value.id == "math"
        ):
            return ast.Call(ast.Name("asked", ast.Load()), [of, *node.args], node.keywords)
        return node


def call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def softly(plain: Callable[[Any, Any], Any], numpy: Any) -> Callable[[Any, Any], Any]:
    def run(a: Any, b: Any) -> Any:
        try:
            return plain(a, b)
        except (ZeroDivisionError, OverflowError):
            with np.errstate(all="ignore"):
                kind = np.complex128 if isinstance(a, complex) or isinstance(b, complex) else float
                return numpy(np.asarray(a, kind), np.asarray(b, kind)).item()

    return run


def asked(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function of `math`; where it has no value, NumPy's of the same meaning."""
    try:
        return fn(*args, **kwargs)
    except (ValueError, ZeroDivisionError, OverflowError):
        numpy = COUNTERPARTS.get(fn.__name__)
        if numpy is None:
            raise
        with np.errstate(all="ignore"):
            return float(numpy(*args, **kwargs))
