"""Which rule computes what NumPy is asked of batches: that of the function, or one example after the other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from functools import partial
from types import FunctionType, MethodDescriptorType
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..objects.copied_functions import is_followed
from . import batched_array, elementwise, indexing, joining, making, products, reductions, shaping  # noqa: F401  (rules)
from .batch import RULES, UNDISPATCHED, Batch, batch_of
from .batched_array import BatchedArray
from .loop import looped
from .scopes import by_copy

__all__ = ["attempt", "computed"]


def computed(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy gives for batches among its arguments."""
    batch = batch_of((args, kwargs))
    ufunc = function[0] if type(function) is tuple else None
    rule = RULES.get(function)
    if rule is None and ufunc is not None:
        kind = "ufunc" if ufunc.signature is None else "gufunc"
        found = RULES.get((kind, function[1]))
        rule = None if found is None else bound(found, ufunc)
    if rule is not None:
        made = rule(batch, *args, **kwargs)
        if made is not NotImplemented:
            return wrapped(batch.level, made)
    if type(function) is str:
        function = getattr(operator, function)
    elif ufunc is not None:
        function = ufunc if function[1] == "__call__" else getattr(*function)
    return looped(function, args, kwargs, batch, name_of(function))


def bound(rule: Callable[..., Any], ufunc: Any) -> Callable[..., Any]:
    return lambda batch, *args, **kwargs: rule(batch, ufunc, *args, **kwargs)


def wrapped(level: int, made: Any) -> Any:
    """The results of a rule as batches."""
    if type(made) is BatchedArray and made.level >= level:  # what was given to be written to
        return made
    if isinstance(made, (np.ndarray, BatchedArray)) or is_cupy(made):
        return BatchedArray(level, made)
    if isinstance(made, tuple) and hasattr(made, "_make"):
        return made._make(wrapped(level, one) for one in made)
    if type(made) in (tuple, list):
        return type(made)(wrapped(level, one) for one in made)
    return made


def attempt(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Any function of arrays: on the batches themselves where it can be, else for one example after the other."""
    if type(function) is FunctionType and function in COPIED:
        batch = batch_of((args, kwargs))
        if batch.level:
            return copied_or_looped(function, args, kwargs, batch)
    try:
        return function(*args, **kwargs)
    except Exception:  # if it was not the batch, it is wrong with one example, too
        batch = batch_of((args, kwargs))
        if not batch.level:
            raise
        if function is operator.getitem:
            return computed("getitem", args, kwargs)
        if isinstance(function, MethodDescriptorType):
            return getattr(args[0], function.__name__)(*args[1:], **kwargs)
        if isinstance(function, Hashable):
            if function in RULES:  # NumPy does not ask all operands
                return computed(function, args, kwargs)
            if function in UNDISPATCHED:
                return wrapped(batch.level, UNDISPATCHED[function](batch, *args, **kwargs))
        return copied_or_looped(function, args, kwargs, batch)


COPIED: set[Any] = set()  # functions of this package that were not for batches as they are


def copied_or_looped(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], batch: Batch
) -> Any:
    """By the copy that is for batches, if there is one and it can; else one example after the other."""
    try:
        made = by_copy(function, args, kwargs)
    except Exception:
        made = NotImplemented
    if made is NotImplemented:
        if is_followed(function):
            COPIED.discard(function)
        return looped(partial(attempt, function), (args, kwargs), {}, batch, name_of(function))
    COPIED.add(function)
    return made


def name_of(function: Any) -> str:
    return str(getattr(function, "__name__", function))


batched_array.FUNCTION.append(computed)
