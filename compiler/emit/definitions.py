"""Definitions of values in a text that nobody can import: numbers, small arrays, containers of them."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

__all__ = ["definition"]

LONGEST = 200  # letters of a definition


def definition(name: str, value: Any) -> ast.stmt | None:
    """``name = value``, or None if that cannot be written in a line.

    >>> ast.unparse(definition("rate", np.float64(0.5))), definition("log", print)
    ('rate = np.float64(0.5)', None)
    >>> ast.unparse(definition("w", {"a": np.arange(2, dtype=np.float32)}))
    "w = {'a': np.array([0.0, 1.0], dtype=np.float32)}"
    """
    text = spelled(value)
    if text is None or len(text) > LONGEST:
        return None
    return ast.parse(f"{name} = {text}").body[0]


def spelled(value: Any) -> str | None:
    """A value as an expression."""
    if type(value) in (bool, int, str, type(None)):
        return repr(value)
    if type(value) in (float, complex):
        return repr(value) if np.isfinite(value) else None
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        inner = spelled(value.item())
        return inner and f"np.{type(value).__name__}({inner})"
    if type(value) is np.ndarray and value.dtype.kind in "biufc" and value.size <= LONGEST:
        return spelled_array(value)
    if type(value) in (list, tuple) and len(value) <= LONGEST:
        items = joined(map(spelled, value))
        if items is None or type(value) is list:
            return items if items is None else f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    if type(value) is dict and len(value) <= LONGEST:
        items = joined(joined([spelled(k), spelled(v)], ": ") for k, v in value.items())
        return items if items is None else f"{{{items}}}"
    return None


def spelled_array(value: Any) -> str | None:
    entries = spelled(value.tolist())
    if entries is None or (value.size == 0 and value.ndim > 1):
        return None
    usual = np.array(value.tolist()).dtype == value.dtype
    return f"np.array({entries})" if usual else f"np.array({entries}, dtype=np.{value.dtype.name})"


def joined(parts: Any, by: str = ", ") -> str | None:
    found = list(parts)
    return None if any(part is None for part in found) else by.join(found)
