"""Functions of the program that are handed to calls that carry no derivative: they become values.

::

    found = minimize(lambda y: np.abs(y[0] - n), start, bounds=[(0, 2)])  # `n` is a whole number
    return x * found.x[0]
"""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import CompileError, UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.library_functions import is_library

from ...ir.operations import Const, Value
from ..calls.closure_conversion import lift
from ..interface.lowerer import Lowerer
from ..nodes import LocalFunction, Node

__all__ = ["call_with_functions", "special_or_late"]


def call_with_functions(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node | None:
    """A call of other people's code as it is; None if no function is handed to it, or something that is differentiated."""
    given = [*args, *kwargs.values()]
    others = [a for a in given if not isinstance(a, LocalFunction)]
    inert = len(others) < len(given) and lowerer.inactive.are_inert(others)
    if not inert or not (is_library(fn) or lowerer.inactive.stays(fn, others, {})):
        return None
    back = lowerer.loops.checkpoint()
    try:
        made = [value_of(lowerer, a, node) if a not in others else a for a in given]
    except CompileError:
        made = [None]
    if None in made:
        back()
        return None
    named = dict(zip(kwargs, made[len(args) :], strict=True))
    return lowerer.inactive.call(fn, made[: len(args)], named, node)


def special_or_late(
    lowerer: Lowerer,
    special: Any,
    fn: Any,
    args: list[Node],
    kwargs: dict[str, Node],
    node: gast.AST,
) -> Node:
    """A call that means something to the compiler, or that stays a call if it is refused and carries no derivative."""
    back, env = lowerer.loops.checkpoint(), dict(lowerer.scope.env)
    try:
        return special(lowerer, fn, args, kwargs, node)
    except UnsupportedOperation:
        back()
        lowerer.scope.use(env)
        made = call_with_functions(lowerer, fn, args, kwargs, node)
        if made is None:
            raise
        return made


def value_of(lowerer: Lowerer, f: LocalFunction, node: gast.AST) -> Value | None:
    """A function as a value, with what it reads around it; None if that is differentiated, or it is called in other ways."""
    given = f.node.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
        return None
    params = [Value(p.id) for p in given.args]
    found = lift(lowerer, f, params, getattr(f.node, "name", "f"), node)
    if not lowerer.inactive.are_inert(found.free):
        return None
    return lowerer.inactive.late(linear.closing, (Const(found.function), *found.free), {})
