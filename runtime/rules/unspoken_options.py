"""Options of a call that say nothing: given as they are by default, or how many may work at it.

::

    np.median(x, overwrite_input=False)
    fft.fft(x, workers=2)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .book import book

__all__ = ["spoken"]

OF_UFUNCS = {
    "where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True, "out": None,
    "signature": None, "keepdims": False,
}  # fmt: skip
LITERALS = (bool, int, float, str, type(None))


def spoken(op: Any, kwargs: dict[str, Any], value: Callable[[Any], Any]) -> dict[str, Any]:
    """The keywords that say something, or that the rule of the operation knows; ``value`` tells what is known.

    >>> spoken(np.median, {"axis": 0, "overwrite_input": False}, lambda v: v)
    {'axis': 0}
    """
    try:
        rule = book.rules.get(op) if kwargs else None
    except TypeError:  # not hashable
        return kwargs
    if rule is None or not kwargs.keys() - set(rule.own):
        return kwargs
    return {k: v for k, v in kwargs.items() if k in rule.own or not says_nothing(op, k, value(v))}


def says_nothing(op: Any, name: str, value: Any) -> bool:
    if name == "workers":
        return True
    default = defaults_of(op).get(name, inspect.Parameter.empty)
    return type(value) in LITERALS and type(value) is type(default) and bool(value == default)


@functools.lru_cache(maxsize=4096)
def defaults_of(op: Any) -> dict[str, Any]:
    if isinstance(op, np.ufunc):
        return OF_UFUNCS
    try:
        parameters = inspect.signature(op).parameters
    except (TypeError, ValueError):
        return {}
    return {name: p.default for name, p in parameters.items()}
