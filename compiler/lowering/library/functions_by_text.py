"""Functions of NumPy and SciPy without a rule: where that is what refuses a program, their own text is compiled.

    y = signal.chirp(t, f0, 1.0, f1)    is lowered as the lines of `chirp`: phase = ...; y = np.cos(phase + phi)

A first attempt leaves them as they are, since most of them only decide or prepare, and a call is read better
than its text.
"""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import CompileError
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.shapes.infer import type_of
from ...ir.operations import Const, Value
from ...ir.types import Array
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["by_its_text", "text_behind"]

DISPATCHED = type(np.sum)  # what hands on to other arrays' functions, around one in Python
PER_AXIS = "axis_nan_policy_wrapper"  # SciPy's, of statistics of one axis


def by_its_text(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node | None:
    """A call of what the rule book knows nothing of, by its text, if that is asked for; None: it stays a call.

    Of objects that are known, a text is read to decide with it.
    """
    program, behind = lowerer.scope.program, text_behind(fn, args, kwargs)
    given = [*args, *kwargs.values()]
    inert, known = lowerer.inactive.are_inert(given), all(isinstance(a, Const) for a in given)
    if behind is None or (inert and not (program.attempt.reads and known)):
        return None
    if not program.attempt.reads:
        program.attempt.unread[behind] = None
        return None
    before = dict(program.readings)
    try:
        return lowerer.calls.call_user(behind, args, kwargs, node)
    except CompileError:
        program.forget(before)
        return None


def text_behind(fn: Any, args: list[Node], kwargs: dict[str, Node]) -> types.FunctionType | None:
    """The function in Python that a call runs, if its text says all that it does with these arguments."""
    if isinstance(fn, DISPATCHED):
        fn = own_attribute(fn, "__wrapped__")
    if not isinstance(fn, types.FunctionType):
        return None
    if fn.__code__.co_name != PER_AXIS:
        return fn
    inner = own_attribute(fn, "__wrapped__")
    plain = not {"axis", "nan_policy", "keepdims"} & set(kwargs) and all(
        map(is_vector_or_none, args)
    )
    return inner if plain and isinstance(inner, types.FunctionType) else None


def is_vector_or_none(node: Node) -> bool:
    """True of an array of one axis, and of what is no array."""
    kind = type_of(node) if isinstance(node, Value) else None
    return not isinstance(node, Value) or (isinstance(kind, Array) and len(kind.dims or ()) == 1)
