"""Types of the arguments of calls that were seen: an example, a doctest, a run of a script."""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from retrograd.compiler.ir.types import Array, Tree, Type
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.own_attributes import own_attribute

from ..specialise.argument_types import kind_of_argument
from .agreement import Seen, join

__all__ = ["called_in_docstring", "evaluated", "of_calls", "seen_types"]

Asked = Callable[[Any], Any]


def seen_types(chain: Any, args: Sequence[Any]) -> dict[str, Any]:
    """The types of the arguments of one call, with the sizes that they have."""
    values = dict(zip(chain.full.parameters, [*chain.bound, *args], strict=False))
    return {name: with_sizes(kind_of_argument(x, name), x) for name, x in values.items()}


def with_sizes(kind: Any, value: Any) -> Any:
    if isinstance(kind, Array):
        sizes: Any = tuple(map(Seen.of, np.shape(value)))
        return kind.with_dims(sizes)
    if not isinstance(kind, Tree) or not kind.items:
        return kind
    of = (lambda k: getattr(value, k)) if kind.container == "object" else value.__getitem__
    items = [with_sizes(item, of(k)) for k, item in zip(kind.keys, kind.items, strict=True)]
    return Tree(kind.container, kind.keys, tuple(items), kind.cls, kind.known, kind.hides)


def of_calls(calls: Sequence[dict[str, Any]]) -> dict[str, Type]:
    """What holds for all calls."""
    if not calls:
        return {}
    names = [n for n in calls[0] if all(n in call for call in calls)]
    return {name: reduce(join, (call[name] for call in calls)) for name in names}


def evaluated(chain: Any, expression: str, space: dict[str, Any], chain_of: Asked) -> Any:
    """The types of the arguments of a call that an expression spells, which is not run; None if it is another's."""
    tree = ast.parse(expression.strip(), mode="eval")
    space = {"np": np, "numpy": np} | space
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and is_called(chain, node.func):
            called = value_of(node.func, space)
            found = program_of(called, chain_of)
            if found is not None and found.fn is chain.fn:
                return seen_types(found, arguments(found, node, space))
    return None


def is_called(chain: Any, node: ast.expr) -> bool:
    """Whether a call may be one of the function: by its name, the last of a path."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
    return bool(name == chain.fn.__name__)


def program_of(called: Any, chain_of: Asked) -> Any:
    try:
        return chain_of(called)
    except Exception:  # whatever it is, it is not the function
        return None


def arguments(chain: Any, node: ast.Call, space: dict[str, Any]) -> list[Any]:
    given: list[Any] = []
    for arg in node.args:
        spread = isinstance(arg, ast.Starred)
        value = value_of(arg.value if isinstance(arg, ast.Starred) else arg, space)
        given += value if spread else [value]
    named: dict[str, Any] = {}
    for keyword in node.keywords:
        value = value_of(keyword.value, space)
        named |= value if keyword.arg is None else {keyword.arg: value}
    try:
        return list(chain.bind(given, named))
    except TypeError as error:
        raise SignatureMismatch(f"{ast.unparse(node)}: {error}") from None


def value_of(node: ast.expr, space: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<example>", "eval"), space)


def called_in_docstring(chain: Any, chain_of: Asked) -> dict[str, Any] | None:
    """The types of the first call that the function's docstring shows, if it can be evaluated."""
    text = own_attribute(chain.fn, "__doc__") or ""
    if ">>>" not in text:
        return None
    import doctest  # few docstrings show a call

    space = dict(own_attribute(chain.fn, "__globals__") or {})
    try:
        examples = doctest.DocTestParser().get_examples(text)
        with contextlib.redirect_stdout(io.StringIO()):
            return first_call(chain, [e.source for e in examples], space, chain_of)
    except Exception:  # whatever a program in a docstring may raise
        return None


def first_call(
    chain: Any, lines: list[str], space: dict[str, Any], chain_of: Asked
) -> dict[str, Any] | None:
    for line in lines:
        for node in ast.walk(ast.parse(line)):
            if isinstance(node, ast.Call) and is_called(chain, node.func):
                found: Any = evaluated(chain, ast.unparse(node), space, chain_of)
                if found is not None:
                    return dict(found)
        exec(compile(line, "<docstring>", "single"), space)
    return None
