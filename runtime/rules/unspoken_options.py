"""Options of a call that say nothing: given as they are by default, or only about how it is computed.

::

    np.median(x, overwrite_input=False)
    linalg.solve(a, b, overwrite_a=True)      it may use the memory of `a`, and need not
    np.sin(x, casting="unsafe")               nothing is cast
    fft.fft(x, workers=2)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..objects.own_attributes import home_of
from .argument_binding import named
from .book import book

__all__ = ["given", "spoken"]

Args = tuple[Any, ...]

OF_UFUNCS = {
    "where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True, "out": None,
    "signature": None, "keepdims": False,
}  # fmt: skip
OF_EINSUM = {"dtype": None, "casting": "safe", "order": "K"}
CASTING = (np.einsum, np.clip, np.ndarray.clip, np.concatenate, np.stack, np.vstack, np.hstack)
ON_A_DEVICE = frozenset({
    np.arange, np.asanyarray, np.asarray, np.empty, np.empty_like, np.eye, np.from_dlpack, np.full, np.full_like,
    np.linspace, np.ones, np.ones_like, np.zeros, np.zeros_like,
})  # fmt: skip
HOST = frozenset({None, "cpu"})
LITERALS = (bool, int, float, str, type(None))


def given(
    op: Any, args: Args, kwargs: dict[str, Any], value: Callable[[Any], Any]
) -> tuple[Args, dict[str, Any]]:
    """The arguments, but for a None that is what the call has by default: None in its place, or no keyword.

    >>> given(np.histogram, ("a", "bins"), {"range": None, "weights": "w"}, lambda v: v)
    (('a', 'bins'), {'weights': 'w'})
    """
    defaults = defaults_of(op)
    nones = {name for name, default in defaults.items() if default is None}
    kwargs = {k: v for k, v in kwargs.items() if k not in nones or value(v) is not None}
    positional = zip(args, (*defaults, *[""] * len(args)), strict=False)
    return tuple(None if k in nones and value(v) is None else v for v, k in positional), kwargs


def spoken(
    op: Any, args: Args, kwargs: dict[str, Any], value: Callable[[Any], Any]
) -> tuple[Args, dict[str, Any]]:
    """The arguments in the places of the rule, and the keywords that say something or that the rule knows.

    ``value`` tells what is known of an argument.

    >>> spoken(np.median, ("a", 0, None, False), {}, lambda v: v)
    (('a', 0), {})
    """
    try:
        rule, placed = book.rules.get(op), "device" in kwargs and op in ON_A_DEVICE
    except TypeError:  # not hashable
        return args, kwargs
    if placed and value(kwargs["device"]) in HOST:
        kwargs = {k: v for k, v in kwargs.items() if k != "device"}
    if rule is None:
        return args, kwargs
    args, kwargs = named(op, rule.differential, args, kwargs)
    if not kwargs.keys() - set(rule.own):
        return args, kwargs
    known = {k: value(v) for k, v in kwargs.items()}
    said = {k: v for k, v in kwargs.items() if k in rule.own or not says_nothing(op, k, known)}
    return args, said


def says_nothing(op: Any, name: str, known: dict[str, Any]) -> bool:
    """True if an option changes neither the value nor anything that is read of it."""
    value = known[name]
    if name in ("workers", "subok") or is_permission(op, name):
        return True  # arrays of other classes have no rules
    default = defaults_of(op).get(name, inspect.Parameter.empty)
    if type(value) in LITERALS and type(value) is type(default) and bool(value == default):
        return True
    return name == "casting" and value in ("unsafe", "same_kind") and casts_nothing(op, known)


def is_permission(op: Any, name: str) -> bool:
    """True if SciPy may use the memory of an argument, whose content is not defined then."""
    home = home_of(op)
    return name.startswith("overwrite_") and home.startswith("scipy.")


def casts_nothing(op: Any, known: dict[str, Any]) -> bool:
    """True if no type is asked for: operands are cast to one that holds them all."""
    others = (known.get(k) for k in ("out", "dtype", "signature"))
    chosen = isinstance(op, np.ufunc) or op in CASTING
    return chosen and all(other is None for other in others)


@functools.lru_cache(maxsize=4096)
def defaults_of(op: Any) -> dict[str, Any]:
    if isinstance(op, np.ufunc):
        return OF_UFUNCS
    try:
        parameters = inspect.signature(op).parameters
    except (TypeError, ValueError):
        return {}
    handed_on = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    others = {np.einsum: OF_EINSUM, np.clip: OF_UFUNCS, np.ndarray.clip: OF_UFUNCS}
    return (others.get(op, {}) if handed_on else {}) | {
        name: p.default for name, p in parameters.items()
    }
