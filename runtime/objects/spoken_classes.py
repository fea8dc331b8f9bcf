"""Classes in the words of messages: ``a pandas.DataFrame``; and how what stands for numbers becomes an array."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np

from .own_attributes import home_of

__all__ = ["a", "array_of", "full_name"]

WAYS = (  # what a class offers, and how its objects become arrays or numbers
    (("detach", "numpy"), "{}.detach().numpy()"),
    (("data_vars",), '{}["name"].to_numpy()'),
    (("to_numpy",), "{}.to_numpy()"),
    (("magnitude",), "{}.magnitude"),
    (("unit", "value"), "{}.value"),
    (("compute", "__array__"), "{}.compute()"),
    (("todense", "tocsr"), "{}.toarray()"),
    (("__array__",), "np.asarray({})"),
    (("__float__",), "float({})"),
)
WORDS: dict[Any, str] = {
    type(None): "None",
    bytes: "bytes",
    np.ufunc: "a function",
    str: "a text",
    type: "a class",
    types.BuiltinFunctionType: "a function",
    types.FunctionType: "a function",
    types.MethodType: "a method",
}


def a(cls: Any) -> str:
    """One object of a class, in words.

    >>> import fractions
    >>> a(fractions.Fraction), a(list), a(type(None)), a(np.ufunc), a(np.random.Generator)
    ('a fractions.Fraction', 'a list', 'None', 'a function', 'a numpy.random.Generator')
    """
    if cls in WORDS:
        return WORDS[cls]
    name = full_name(cls)
    return f"{'an' if name[:1].lower() in 'aeiox' else 'a'} {name}"


def full_name(cls: Any) -> str:
    """A class with the module of its library that people import it from.

    >>> import logging.handlers
    >>> full_name(logging.Logger), full_name(logging.handlers.QueueHandler), full_name(int)
    ('logging.Logger', 'logging.handlers.QueueHandler', 'int')
    """
    name: str = getattr(cls, "__qualname__", None) or type(cls).__name__
    name = name.rpartition(".<locals>.")[2]
    parts = home_of(cls).split(".")
    if parts[0] in ("", "__main__", "builtins"):
        return name
    known = (".".join(parts[:k]) for k in range(1, len(parts) + 1))
    public = next((m for m in known if vars(sys.modules.get(m, cls)).get(name) is cls), parts[0])
    return f"{public.lstrip('_')}.{name}"


def array_of(cls: Any, path: str) -> str | None:
    """How an object of another library that stands for numbers is made an array; None of what stands for none."""
    if cls is None:
        return None
    for names, way in WAYS:
        if all(hasattr(cls, name) for name in names):
            return way.format(path)
    return None
