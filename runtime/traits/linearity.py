"""Which arguments an operation is linear in, in pieces if it jumps: read off the text of its rule."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

from ..rules.book import Rule, book
from .lookup import traits_of

__all__ = ["linear_in"]

STRUCTURE = ("shape", "ndim", "size", "dtype")  # attributes that say nothing of the entries


def linear_in(operation: Any, together: bool = True) -> tuple[str, ...]:
    """The arguments that an operation is linear in, by its rule: in all active ones together, or in each alone.

    >>> import numpy as np
    >>> linear_in(np.where), linear_in(np.multiply), linear_in(np.multiply, together=False)
    (('x', 'y'), (), ('x', 'y'))
    """
    return in_rule(book.rules[operation], together) if operation in book else ()


@cache
def in_rule(rule: Rule, together: bool) -> tuple[str, ...]:
    """Those whose terms read neither the result nor the argument itself (``together``: nor another active one)."""
    read = dict(terms_of(rule))
    if together and any(names & {"z", *rule.active} for names in read.values()):
        return ()
    return tuple(x for x in rule.active if x in read and not read[x] & {"z", x})


def terms_of(rule: Rule) -> Iterator[tuple[str, set[str]]]:
    """Each differential of a rule, and the names whose entries the terms with it read."""
    function = tree_of(rule)
    scope = rule.differential.__globals__
    assigned: dict[str, set[str]] = {}
    for statement in function.body:
        if isinstance(statement, ast.Assign):
            names = set(names_read(statement.value, scope))
            for target in ast.walk(statement.targets[0]):
                if isinstance(target, ast.Name):
                    assigned[target.id] = resolved(names, assigned)
    terms = [term for s in function.body if isinstance(s, ast.Return) for term in split(s.value)]
    for x in rule.active:
        mine = [set(names_read(t, scope)) for t in terms if f"d{x}" in all_names(t)]
        if mine:
            yield x, resolved(set.union(*mine), assigned) - {f"d{y}" for y in rule.active}


def tree_of(rule: Rule) -> Any:
    return ast.parse(textwrap.dedent(inspect.getsource(rule.differential))).body[0]


def split(tree: Any) -> Iterator[Any]:
    """The terms of a sum, those of one that is multiplied or divided as well."""
    if not isinstance(tree, ast.BinOp):
        yield tree
    elif isinstance(tree.op, (ast.Add, ast.Sub)):
        yield from split(tree.left)
        yield from split(tree.right)
    elif isinstance(tree.op, (ast.Mult, ast.Div)):
        for left in split(tree.left):
            yield from (ast.BinOp(left, tree.op, right) for right in factors(tree))
    else:
        yield tree


def factors(tree: ast.BinOp) -> Iterator[Any]:
    """The right side of a product by its terms; a divisor is whole."""
    return split(tree.right) if isinstance(tree.op, ast.Mult) else iter((tree.right,))


def resolved(names: set[str], assigned: dict[str, set[str]]) -> set[str]:
    """The names, with what was assigned to them in place of helpers."""
    return {inner for name in names for inner in assigned.get(name, {name})}


def all_names(tree: Any) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def names_read(tree: Any, scope: dict[str, Any]) -> Iterator[str]:
    """The names in an expression of which more than the shape is read."""
    if isinstance(tree, ast.Name):
        yield tree.id
    elif isinstance(tree, ast.Call):
        yield from names_given(tree, scope)
    elif not (isinstance(tree, ast.Attribute) and tree.attr in STRUCTURE):
        for child in ast.iter_child_nodes(tree):
            yield from names_read(child, scope)


def names_given(call: ast.Call, scope: dict[str, Any]) -> Iterator[str]:
    """The same of a call: an argument called ``like`` is read for its structure."""
    try:
        fn = eval(compile(ast.Expression(call.func), "<rule>", "eval"), scope)
        parameters = list(inspect.signature(fn).parameters)
    except (NameError, AttributeError, TypeError, ValueError):
        fn, parameters = None, []
    if traits_of(fn).reads in ("shape", "length", "structure"):
        return
    for k, argument in enumerate(call.args):
        if parameters[k : k + 1] != ["like"]:
            yield from names_read(argument, scope)
    for keyword in call.keywords:
        if keyword.arg != "like":
            yield from names_read(keyword.value, scope)
