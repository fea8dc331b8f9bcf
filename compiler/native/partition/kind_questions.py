"""Statements whose values are asked for their kind: in a kernel every number is a float, so that they stay NumPy.

::

    total = 0
    for k in range(n):          # no iteration: a whole number
        total = total + x[k]
    if isinstance(total, int):
        ...
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.traits.lookup import traits_of

from ..text.name_aliasing import names_of, value_of, visible_in

__all__ = ["asked_for_kind", "asked_in", "asks_anything"]

ONES = (True, 1, 1.0)  # one number, of each kind that a kernel takes
MORE: tuple[tuple[Any, ...], ...] = ((), (int,), ("bit_length",))  # further arguments of a question


def asked_for_kind(every: list[ast.stmt], visible: dict[str, Any]) -> list[ast.stmt]:
    """The statements that ask, those that bind what is asked, and what that is computed of."""
    made = made_arrays(every, visible)
    asking = {stmt: set(asked_by(stmt, visible, made)) for stmt in every}
    found = dict.fromkeys(stmt for stmt, names in asking.items() if names)
    wanted = set().union(*asking.values())
    while more := [s for s in every if s not in found and wanted.intersection(bound_by(s))]:
        found.update(dict.fromkeys(more))
        wanted |= {n for stmt in more for n in names_of(stmt)}
    return list(found)


def asks_anything(text: str, scope: dict[str, Any]) -> bool:
    """True if a function of a module asks a value for its kind."""
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return any(any(asked_in(f, visible_in(f, scope))) for f in functions)


def asked_in(function: ast.FunctionDef, visible: dict[str, Any]) -> Iterator[str]:
    """The names of what a function asks for its kind."""
    inner = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
    return asked_by(function, visible, made_arrays(inner, visible))


def bound_by(stmt: ast.stmt) -> Iterator[str]:
    """The names that a simple statement binds."""
    if not isinstance(stmt, (ast.For, ast.While, ast.If)):
        yield from (
            n.id
            for n in ast.walk(stmt)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        )


def made_arrays(every: list[ast.stmt], visible: dict[str, Any]) -> set[str]:
    """The names of arrays that are made of numbers, which give them their dtype."""
    bindings = (s for s in every if isinstance(s, ast.Assign) and makes_array(s.value, visible))
    return {n for s in bindings for n in bound_by(s)}


def makes_array(value: ast.expr, visible: dict[str, Any]) -> bool:
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call))
    return any(is_maker(value_of(call.func, visible)) for call in calls)


def is_maker(fn: Any) -> bool:
    """What declares whose memory it gives has no effect, and may be called here: drawing numbers has one."""
    known = home_of(fn).startswith("numpy") and traits_of(fn).memory in ("new", "either")
    return known and takes_dtype_of_numbers(fn)


@cache
def takes_dtype_of_numbers(fn: Any) -> bool:
    """True of ``np.full(2, v)`` and ``np.array([v])``: whole numbers give an array of such."""
    forms: tuple[Callable[[Any], tuple[Any, ...]], ...] = (
        lambda v: (v,), lambda v: ([v, v],), lambda v: (2, v),
    )  # fmt: skip
    return any(len({dtype_given(fn, form(v)) for v in ONES} - {""}) > 1 for form in forms)


def dtype_given(fn: Callable[..., Any], args: tuple[Any, ...]) -> str:
    try:
        return str(getattr(fn(*args), "dtype", ""))
    except Exception:
        return ""


def asked_by(stmt: ast.stmt, visible: dict[str, Any], made: set[str]) -> Iterator[str]:
    """The names of what a statement, or the head of a compound one, asks for its kind."""
    heads = [stmt.test] if isinstance(stmt, (ast.While, ast.If)) else [stmt]
    for head in [stmt.iter] if isinstance(stmt, ast.For) else heads:
        for node in ast.walk(head):
            if isinstance(node, ast.Call):
                fn = value_of(node.func, visible)
                if fn is linear.check_holds or asks_kind(fn):
                    yield from (n for arg in node.args[:1] for n in names_of(arg))
            elif isinstance(node, ast.FormattedValue) or asks_dtype(node, made):
                yield from names_of(node.value)  # type: ignore[attr-defined]


def asks_dtype(node: ast.AST, made: set[str]) -> bool:
    """True of ``a.dtype`` of an array that is made of numbers, or of what is computed there."""
    if not isinstance(node, ast.Attribute) or not asks_kind(attribute_of_arrays(node.attr)):
        return False
    return not isinstance(node.value, ast.Name) or node.value.id in made


def attribute_of_arrays(name: str) -> Any:
    found = vars(np.ndarray).get(name)
    return found if hasattr(type(found), "__set__") else None


def asks_kind(fn: Any) -> bool:
    """True if a question has another answer for a number of another kind."""
    try:
        return traits_of(fn).folds is not None and answers_differ(fn)
    except TypeError:  # not hashable
        return False


@cache
def answers_differ(fn: Any) -> bool:
    if not callable(fn):  # an attribute of arrays
        name = fn.__name__
        return len({repr(getattr(np.array(v), name)) for v in ONES}) > 1
    return any(len({answer(fn, (v, *more)) for v in ONES}) > 1 for more in MORE)


def answer(fn: Callable[..., Any], args: tuple[Any, ...]) -> str:
    try:
        found = fn(*args)
    except Exception as error:
        return type(error).__name__
    told = isinstance(found, (bool, str, type, np.dtype))
    return repr(found) if told else "a number or a method"
