"""Binds a call's arguments to a rule's parameters: rules leave out what they do not treat."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["bound", "calling", "named", "own_parameters"]

POSITIONS_OF_METHODS: dict[str, list[str | None]] = {  # of ufuncs
    "reduce": ["array", "axis", "dtype", "out", "keepdims", "initial", "where"],
    "accumulate": ["array", "axis", "dtype", "out"],
    "reduceat": ["array", "indices", "axis", "dtype", "out"],
}


def bound(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    skip: int,
    fn: Any = None,
) -> dict[str, Any]:
    """The parameters of ``function`` after the first ``skip`` that this call of ``fn`` gives."""
    plain = () if kwargs or fn is None else plain_names(fn, function, skip)
    if plain and len(args) == len(plain):
        return dict(zip(plain, args, strict=True))
    own = own_parameters(function, skip)
    most, names = (len(args), {}) if fn is None else calling(fn, function, skip)
    if len(args) > most:
        raise TypeError(f"argument {most + 1} must be given by its name")
    given = {names.get(k, k): v for k, v in kwargs.items()}
    unknown = next((k for k in given if k not in own.parameters), None)
    if unknown is not None and fn is not None:
        raise TypeError(f"there is no derivative for a call with the option `{unknown}`")
    return dict(own.bind(*args, **given).arguments)


def named(
    fn: Any, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The call of an operation with those arguments by name that a rule has in another place.

    ``np.sum(x, 0, None, None, True)`` is ``np.sum(x, 0, dtype=None, out=None, keepdims=True)``.
    """
    own = own_parameters(function, 1).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in own):
        return args, kwargs
    most = min(calling(fn, function, 1)[0], len(own))
    names = options_of(fn)[most : len(args)] if len(args) > most else ()
    if len(names) < len(args) - most or not set(names).isdisjoint(kwargs) or None in names:
        return args, kwargs
    return args[:most], dict(zip(names, args[most:], strict=True)) | kwargs


@functools.lru_cache(maxsize=4096)
def plain_names(fn: Any, function: Callable[..., Any], skip: int) -> tuple[str, ...]:
    """The parameters of a rule all of whose arguments are given by position, in this order."""
    own = own_parameters(function, skip).parameters.values()
    most, _ = calling(fn, function, skip)
    plain = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in own) and most >= len(own)
    return tuple(p.name for p in own) if plain else ()


@functools.lru_cache(maxsize=4096)
def own_parameters(function: Callable[..., Any], skip: int) -> inspect.Signature:
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    return inspect.Signature([p for p in parameters if p.kind is not p.KEYWORD_ONLY])


@functools.lru_cache(maxsize=4096)
def calling(fn: Any, function: Callable[..., Any], skip: int) -> tuple[int, dict[str, str]]:
    """How many arguments mean by position what the rule means, and other names of the first ones.

    A rule leaves out what it does not treat: the third of ``np.sum`` is `dtype`, not `keepdims`.
    """
    own = list(own_parameters(function, skip).parameters.values())
    names: dict[str, str] = {}
    for k, (mine, real) in enumerate(zip(own, positions(fn), strict=False)):
        if mine.kind is mine.VAR_POSITIONAL or real is None:
            break
        if mine.name == real:
            continue
        if mine.default is not mine.empty:
            return k, names
        names[real] = mine.name
    return sys.maxsize, names


def positions(fn: Any) -> list[str | None]:
    """The names of an operation's positional parameters; None where it takes any number."""
    if isinstance(fn, np.ufunc):  # not all versions of NumPy tell, and those that do take long
        return ["x", "out"] if fn.nin == 1 else [*(f"x{k + 1}" for k in range(fn.nin)), "out"]
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return positions_of_c(fn)
    found = [
        p.name if p.kind is not p.VAR_POSITIONAL else None
        for p in parameters
        if p.kind is not p.KEYWORD_ONLY
    ]
    return [name for name, p in zip(found, parameters, strict=False) if p.kind is not p.VAR_KEYWORD]


@functools.lru_cache(maxsize=4096)
def options_of(fn: Any) -> tuple[str | None, ...]:
    """The names that an operation's positional arguments may be given by; None where there is none."""
    if isinstance(fn, np.ufunc):
        return (None,) * fn.nin
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return tuple(positions_of_c(fn))
    if any(p.kind is p.VAR_KEYWORD for p in parameters) and positions_of_c(fn):
        return tuple(positions_of_c(fn))
    return tuple(p.name if p.kind is p.POSITIONAL_OR_KEYWORD else None for p in parameters)


def positions_of_c(fn: Any) -> list[str | None]:
    """The same for a C function that does not tell: a method is called like NumPy's function."""
    if isinstance(getattr(fn, "__self__", None), np.ufunc):
        return POSITIONS_OF_METHODS.get(fn.__name__, [None])
    if isinstance(fn, types.MethodDescriptorType) and callable(getattr(np, fn.__name__, None)):
        return positions(getattr(np, fn.__name__))
    return []
