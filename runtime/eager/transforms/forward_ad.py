"""Forward mode: dual tensors carry a tangent, which each operation pushes by the rule's own text."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ...objects.pytree import at, map_operands, map_paths
from ...rules.argument_binding import bound
from ...rules.book import is_constant
from ...tape.box import Box
from ...tape.dispatch import known_rule
from ...tape.rule_evaluation import defaults_of, evaluate_rule
from ...tape.zero_tangent import Zero, is_zero
from ..graph.grad_mode import modes
from ..graph.tangents import (
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

__all__ = [
    "UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "has_duals", "make_dual", "push",
    "refuse_dual", "unpack_dual",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "_current_level":  # a number that changes
        return levels.current
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class UnpackedDualTensor(NamedTuple):
    """The two parts of a dual tensor."""

    primal: Any
    tangent: Any


OPENED: list[Any] = []


def enter_dual_level() -> int:
    """Open a level."""
    if levels.current >= 0:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    OPENED.append(levels.opened())
    return levels.current


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level: its tangents are gone."""
    if level is None:
        level = levels.current
    if level < 0 and levels.current < 0:
        raise RuntimeError("Dual level must be a positive number.")
    if level != levels.current:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    levels.closed(OPENED.pop())


@contextmanager
def inner_level() -> Iterator[None]:
    """A level, above those that are open: its tangents have tangents at the levels below."""
    before = levels.opened()
    try:
        yield
    finally:
        levels.closed(before)


class dual_level:
    """The context of forward mode; a decorator too."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *error: Any) -> None:
        exit_dual_level()

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with type(self)():
                return function(*args, **kwargs)

        return wrapped


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """A view of the tensor that carries a tangent."""
    if levels.current < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for what, x in (("primal", tensor), ("tangent", tangent)):
        if not (x.is_floating_point() or x.is_complex()):
            raise ValueError(f"Expected {what} to be floating point or complex, but got: {x.dtype}")
    if tangent_of(tangent) is not None:
        raise RuntimeError(
            f"Setting a forward grad that itself has a forward gradient at the same level{levels.current} is not "
            "supported."
        )
    if tensor._array.shape != tangent._array.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    made = tensor.view_as(tensor)
    if tangent._array.dtype != tensor._array.dtype:
        tangent = tangent.to(tensor.dtype)
    elif tangent._array.strides != tensor._array.strides:
        tangent = tangent.clone()
    set_tangent(made, tangent)
    return made


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """The primal, a view without tangent, and the tangent, None if there is none."""
    tangent = tangent_of(tensor)
    primal = tensor.view_as(tensor)
    set_tangent(primal, None)
    return UnpackedDualTensor(primal, tangent)


def refuse_dual(name: str, *tensors: Any) -> None:
    """Refuse what has no way forward."""
    if has_duals(tensors):
        raise no_way_forward(name)


def no_way_forward(name: str) -> NotImplementedError:
    """What is said of a function that pushes no tangents."""
    return NotImplementedError(
        f"Trying to use forward AD with {name} that does not support it because it has not been implemented yet."
    )


# -- pushing ---------------------------------------------------------------------------------------


def has_duals(tree: Any) -> bool:
    """Whether a tensor with a tangent is among the arguments, at any level."""
    return any(map(is_dual, tensors_in(tree)))


def tangents_in(tree: Any) -> list[Any]:
    """The tangents of the tensors among the arguments, at the level at work."""
    found = [tangent_of(one) for one in tensors_in(tree)]
    return [tangent for tangent in found if tangent is not None]


def tensors_in(tree: Any) -> list[Any]:
    from ..tensor.tensor import Tensor

    found: list[Any] = []

    def look(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            found.append(leaf)
        return leaf

    map_operands(look, tree)
    return found


def push(fn: Any, args: Any, kwargs: Any, made: Any, rule: Any = None, given: Any = None) -> None:
    """Give the result of an operation its tangents, level by level: the differential of its rule."""
    if is_constant(fn):
        return
    if rule is None:
        rule = known_rule(fn)
        if rule is None:
            raise no_way_forward(getattr(fn, "__name__", str(fn)))
        given = bound(rule.differential, args, kwargs, 1, fn)
    given = {name: map_operands(unboxed, value) for name, value in given.items()}
    at_each_level(pushed, fn, rule, given, made)


def pushed(fn: Any, rule: Any, given: dict[str, Any], made: Any) -> None:
    """The tangent at one level, computed at the level below."""
    from ..graph.recorded_operation import tensor
    from ..tensor.tensor import Tensor

    others = tangents_in(given)
    if not others:
        return
    for name in given.keys() - {*rule.active, *rule.constant_in}:
        if tangents_in(given[name]):
            raise no_way_forward(f"{getattr(fn, '__name__', fn)} with respect to `{name}`")
    ds = {
        f"d{name}": map_operands(dot, given[name]) if tangents_in(given.get(name)) else Zero()
        for name in rule.active
    }
    if all(is_zero(d) for d in ds.values()):
        return
    own = defaults_of(rule) | {name: map_operands(boxed, value) for name, value in given.items()}
    z = map_operands(boxed, made)
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


def unboxed(leaf: Any) -> Any:
    """The tensor a box stands for."""
    return leaf._mark if type(leaf) is Box and leaf._mark is not None else leaf


def boxed(leaf: Any) -> Any:
    """A tensor as the rules take it: a box if what is done with it is recorded, or pushed at a level below."""
    from ..graph.recorded_operation import EAGER
    from ..tensor.tensor import Tensor

    if not isinstance(leaf, Tensor):
        return leaf
    recorded = modes.grad and leaf.requires_grad and leaf._array.dtype.kind in "fcV"
    dual = levels.current > 0 and tangents_below(leaf)
    return Box(EAGER, leaf._array, plain(leaf)) if recorded or dual else leaf._array


def plain(tensor: Any) -> Any:
    """The tensor without its tangent: what is computed with it has none at this level."""
    from ..tensor.tensor import fresh

    if tangent_of(tensor) is None:
        return tensor
    lower = tangents_below(tensor) if levels.current > 0 else {}
    made = fresh(tensor._array)
    made._counter, made._view = tensor._counter, tensor._view
    made._grad_fn, made._nr, made._requires = tensor._grad_fn, tensor._nr, tensor._requires
    made._accumulator = tensor._accumulator
    if made._grad_fn is None and made._requires:
        from ..graph.node import accumulator

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


def dot(leaf: Any) -> Any:
    """The tangent of a tensor, zeros where it has none."""
    from ..tensor.tensor import Tensor

    if not isinstance(leaf, Tensor):
        return (
            np.zeros_like(leaf)
            if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "fc"
            else leaf
        )
    tangent = tangent_of(leaf)
    return np.zeros_like(leaf._array) if tangent is None else boxed(tangent)
