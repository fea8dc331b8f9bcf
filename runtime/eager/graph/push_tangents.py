"""Forward mode: each operation pushes the tangents of its arguments by the rule's own text."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...objects.pytree import at, map_operands, map_paths
from ...rules.argument_binding import bound
from ...rules.book import is_constant
from ...tape.box import Box
from ...tape.dispatch import known_rule
from ...tape.rule_evaluation import defaults_of, evaluate_rule
from ...tape.zero_tangent import Zero, is_zero
from ..tensor.tensor import Tensor, fresh
from .boxes import tensor, unboxed
from .grad_mode import modes
from .node import accumulator
from .tangents import (
    apart,
    at_each_level,
    below,
    is_dual,
    levels,
    like,
    remember_tangent,
    set_tangent,
    tangent_of,
    tangents_of,
)

__all__ = ["has_duals", "push", "refuse_dual"]


def refuse_dual(name: str, *tensors: Any) -> None:
    """Refuse what has no way forward."""
    if has_duals(tensors):
        raise no_way_forward(name)


def no_way_forward(name: str) -> NotImplementedError:
    """The error of a function that pushes no tangents."""
    return NotImplementedError(
        f"Trying to use forward AD with {name} that does not support it because it has not been implemented yet.\n"
        "Write an `autograd.Function` with a jvp, or use reverse mode."
    )


def has_duals(tree: Any) -> bool:
    """True if a tensor with a tangent is among the arguments, at any level."""
    return any(map(is_dual, tensors_in(tree)))


def tangents_in(tree: Any) -> list[Any]:
    """The tangents of the tensors among the arguments, at the level at work."""
    found = [tangent_of(one) for one in tensors_in(tree)]
    return [tangent for tangent in found if tangent is not None]


def tensors_in(tree: Any) -> list[Any]:
    found: list[Any] = []

    def look(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            found.append(leaf)
        return leaf

    map_operands(look, tree)
    return found


def push(
    level: Any, fn: Any, args: Any, kwargs: Any, made: Any, rule: Any = None, given: Any = None
) -> None:
    """Give the result of an operation its tangents: the differential of its rule.

    ``level``: what the operations in the differential are recorded by.
    """
    if is_constant(fn):
        return
    if rule is None:
        rule = known_rule(fn)
        if rule is None:
            raise no_way_forward(getattr(fn, "__name__", str(fn)))
        given = bound(rule.differential, args, kwargs, 1, fn)
    given = {name: map_operands(unboxed, value) for name, value in given.items()}
    at_each_level(pushed, level, fn, rule, given, made)


def pushed(level: Any, fn: Any, rule: Any, given: dict[str, Any], made: Any) -> None:
    """The tangent at one level, computed at the level below."""
    others = tangents_in(given)
    if not others:
        return
    for name in given.keys() - {*rule.active, *rule.constant_in}:
        if tangents_in(given[name]):
            raise no_way_forward(f"{getattr(fn, '__name__', fn)} with respect to `{name}`")
    ds = {
        f"d{name}": map_operands(partial(dot, level), given[name])
        if tangents_in(given.get(name))
        else Zero()
        for name in rule.active
    }
    if all(is_zero(d) for d in ds.values()):
        return
    own = defaults_of(rule) | {
        name: map_operands(partial(boxed, level), value) for name, value in given.items()
    }
    z = map_operands(partial(boxed, level), made)
    with below():
        dots = evaluate_rule(rule, z, own, ds)

    def attach(part: Any, path: tuple[Any, ...]) -> Any:
        if isinstance(part, Tensor) and part._array.dtype.kind in "fcV":
            found = at(dots, path)
            if not is_zero(found) and tangent_of(part) is None:  # else it is one of the arguments
                with below():
                    tangent = apart(like(tensor(found), part), others)
                set_tangent(part, tangent)
                if part._grad_fn is not None:
                    remember_tangent(part._grad_fn, part._nr, tangent)
        return part

    map_paths(attach, made)


def boxed(level: Any, leaf: Any) -> Any:
    """A tensor as the rules take it: a box if what is done with it is recorded, or pushed at a level below."""
    if not isinstance(leaf, Tensor):
        return leaf
    recorded = modes.grad and leaf.requires_grad and leaf._array.dtype.kind in "fcV"
    dual = levels.current > 0 and tangents_below(leaf)
    return Box(level, leaf._array, plain(leaf)) if recorded or dual else leaf._array


def plain(tensor: Any) -> Any:
    """The tensor without its tangent: what is computed with it has none at this level."""
    if tangent_of(tensor) is None:
        return tensor
    lower = tangents_below(tensor) if levels.current > 0 else {}
    made = fresh(tensor._array)
    made._counter, made._view = tensor._counter, tensor._view
    made._grad_fn, made._nr, made._requires = tensor._grad_fn, tensor._nr, tensor._requires
    made._accumulator = tensor._accumulator
    if made._grad_fn is None and made._requires:
        accumulator(tensor)
        made._accumulator = tensor._accumulator
    set_tangent(made, None)
    if lower:
        made._entries()["tangents"] = lower
        made._entries()["shows"] = dict.fromkeys([*lower, levels.names[levels.current]])
    return made


def tangents_below(tensor: Any) -> dict[int, Any]:
    with below():
        return tangents_of(tensor)


def dot(level: Any, leaf: Any) -> Any:
    """The tangent of a tensor, zeros where it has none."""
    if not isinstance(leaf, Tensor):
        return (
            np.zeros_like(leaf)
            if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "fc"
            else leaf
        )
    tangent = tangent_of(leaf)
    return np.zeros_like(leaf._array) if tangent is None else boxed(level, tangent)
