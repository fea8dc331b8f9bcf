"""How a rule of the book is evaluated on the tape: its differential, its adjoints, and what stands for its values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TapeError
from ..helpers import linear, lists
from ..objects.homes import RUNTIME
from ..objects.own_attributes import home_of
from ..objects.pytree import LEAVES, children, map_paths
from ..rules.argument_binding import own_parameters
from ..rules.book import Rule
from ..rules.scipy import registry
from .box import Box, raw
from .boxed_functions import evaluate
from .dispatch import ADJOINTS_OF_EXTRA, call

__all__ = [
    "adjoint_of", "checked", "cotangent_of", "defaults_of", "evaluate_rule", "is_list_of", "is_mask",
    "parameters", "rebuilt", "shapes_of", "stand_in", "zeros_like",
]  # fmt: skip

SMALL = 64


# -- a rule and its adjoints --------------------------------------------------------------------


def is_mask(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or getattr(value, "dtype", None) == np.bool_


def is_list_of(op: Any, value: Any) -> bool:
    """True if an argument is the list that one of the helpers on lists changes."""
    return isinstance(value, list) and home_of(op) == lists.__name__


def evaluate_rule(rule: Rule, z: Any, own: dict[str, Any], ds: dict[str, Any]) -> Any:
    """The differential of a rule; a parameter ``*xs`` takes its tuple apart."""
    args: list[Any] = [z]
    named: dict[str, Any] = {}
    for p in own_parameters(rule.differential, 1).parameters.values():
        if p.name not in own:
            continue
        if p.kind is p.VAR_POSITIONAL:
            args += own[p.name]
        elif p.kind is p.POSITIONAL_ONLY or len(args) == 1 + positional(rule).index(p.name):
            args.append(own[p.name])
        else:
            named[p.name] = own[p.name]
    return evaluate(rule.differential, *args, **named, **ds)


def positional(rule: Rule) -> list[str]:
    return list(own_parameters(rule.differential, 1).parameters)


@functools.lru_cache(maxsize=4096)
def defaults_of(rule: Rule) -> dict[str, Any]:
    """The defaults of the parameters of a rule."""
    return {
        p.name: () if p.kind is p.VAR_POSITIONAL else p.default
        for p in own_parameters(rule.differential, 1).parameters.values()
        if p.kind is p.VAR_POSITIONAL or p.default is not p.empty
    }


@functools.lru_cache(maxsize=4096)
def adjoint_of(rule: Rule, name: str) -> Callable[..., Any] | None:
    """The emitted adjoint of one argument; the user's own rules have none."""
    differential = rule.differential
    if not differential.__module__.startswith(RUNTIME):
        return None
    key = rule.key
    from ..generated.adjoints import ADJOINTS  # 5,000 lines: most programs have nothing on the tape

    table: Any = ADJOINTS_OF_EXTRA.get(key) or ADJOINTS.get(key) or of_extra(key)
    found: Callable[..., Any] | None = table.get(name)
    return found


def of_extra(key: str) -> dict[str, Callable[..., Any]]:
    """The adjoints of a rule for SciPy."""
    if not registry.is_extra(key):
        return {}
    from ..generated import adjoints_scipy  # it imports SciPy

    table: Any = adjoints_scipy.ADJOINTS
    found: dict[str, Callable[..., Any]] = table.get(key, {})
    return found


def parameters(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_varnames[: function.__code__.co_argcount])


def shapes_of(adjoint: Any) -> tuple[str, ...]:
    """The names that an emitted adjoint reads for their shape only."""
    table: Any = adjoint.__globals__.get("SHAPES", {})
    found: tuple[str, ...] = table.get(adjoint.__name__, ())
    return found


def cotangent_of(rule: Rule) -> str:
    """The name of the gradient of the result in the adjoints of a rule."""
    return "c_bar" if "c" in rule.own else "c"


# -- values ------------------------------------------------------------------------------------


def checked(name: str, part: Any) -> Any:
    """A part of a result that carries no derivative: it must be something that can carry none."""
    if type(part) in LEAVES or isinstance(part, (np.ndarray, np.generic)) or type(part) is Box:
        return part
    raise TapeError(
        f"{name} gives a {type(part).__name__}, which may hold values being differentiated; the tape goes "
        "through numbers, arrays, tuples, lists, dicts and dataclasses of them"
    )


def rebuilt(like: Any, parts: dict[tuple[Any, ...], Any]) -> Any:
    """The cotangent of a container: what arrived at each place, and zeros."""
    return map_paths(lambda z, path: parts[path] if path in parts else zeros_like(z), like)


def zeros_like(x: Any) -> Any:
    return 0.0 if x is None else call(linear.zeros_like, x)


def stand_in(value: Any) -> Any:
    """Something of the same structure, shape and dtype that holds no memory."""
    if type(value) is np.ndarray and value.size > SMALL:
        return np.broadcast_to(np.zeros((), value.dtype), value.shape)
    if type(value) is Box:
        return stand_in(raw(value))
    if children(value) is not None:
        return map_paths(lambda part, _: stand_in(part), value)
    return value
