"""Operations of adjoints that are recorded themselves: they go the way of a prepared form, too."""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np

from ...batching.batched_array import BatchedArray
from ...device.places import is_far, twin_for
from ...rules.book import book
from ...tape.box import Box, raw
from ...traits.lookup import traits_of
from ..graph.boxes import EAGER
from ..graph.grad_mode import asked
from ..graph.recorded_operation import title
from ..graph.saving import running
from ..graph.tangents import levels
from ..tensor.tensor import Tensor, wrapped
from .argument_calls import briefly, is_plain, is_simple
from .operand_calls import binary_way, operand_calls, reflected_way, unary_way

__all__: list[str] = []


def shortly(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], boxes: list[Any]) -> Any:
    """The result of an operation on boxes; None where this is not the way."""
    if levels.current >= 0 or running.users or (asked.on and not is_plain()):
        return None
    for box in boxes:
        if box._level is not EAGER or box._mark is None or type(box._value) is BatchedArray:
            return None
    if any(type(one) is BatchedArray for one in args):
        return None
    if type(args[0]) is Box and is_same(op, args[0]._value, args, kwargs):
        return args[0]
    tensors = tuple([marked(one) for one in args])
    if not kwargs:
        ways = ways_of(op)
        if ways is not None and len(tensors) == ways[0]:
            made = ways[1 if isinstance(tensors[0], Tensor) else 2](*tensors)
            if made is not None:
                return again(made)
    made = briefly(op, tensors, {k: marked(one) for k, one in kwargs.items()}, None)
    if type(made) is list or type(made) is tuple:
        return type(made)([again(one) for one in made])
    return again(made)


def nothing(*args: Any) -> None:
    """The way of what has no short one."""


@cache
def ways_of(op: Any) -> tuple[Any, ...] | None:
    """How many operands an operation has, and its ways for a tensor and for a number as the first."""
    fn = np.matmul if op is operator.matmul else op
    rule = book.rules.get(fn)
    calls = None if rule is None else operand_calls(fn, title(rule))
    if calls is None or not is_simple(fn):
        return None
    if len(calls.parameters) == 1:
        return 1, unary_way(calls, nothing), nothing
    return 2, binary_way(calls, nothing), reflected_way(calls, nothing)


def is_same(op: Any, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """True if an operation leaves its first argument as it is."""
    if op is np.conjugate:
        return len(args) == 1 and not kwargs and not np.iscomplexobj(value)
    if kwargs or not may_give_back(op):
        return False
    if len(args) == 2 and np.shape(value) != np.shape(raw(args[1])):
        return False
    own = twin_for(op, value)
    return own(value, *[raw(one) for one in args[1:]]) is value


@cache
def may_give_back(op: Any) -> bool:
    """True if an operation may leave its argument as it is."""
    return op is np.asarray or bool(traits_of(op).gives_back)


def again(made: Any) -> Any:
    """A result as operations on boxes have it."""
    if not isinstance(made, Tensor):
        return made
    value = made._array if made._array.ndim else made._array[()]
    return Box(EAGER, value, made) if made._requires else value


def marked(value: Any) -> Any:
    """An argument with tensors for its boxes, and for its arrays: nobody else writes to these."""
    kind = type(value)
    if kind is Box:
        return value._mark
    if kind is np.ndarray or is_far(value):
        return wrapped(value)
    if kind is list or kind is tuple:
        return kind([marked(one) for one in value])
    return value


EAGER.short = shortly
