"""Constants that are written as literals, and those that need a name."""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

__all__ = ["is_data", "is_key", "is_literal", "is_writable"]

WRITTEN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


def is_literal(value: Any) -> bool:
    """True if a value never changes, and a literal gives it back: not one of a class below ``float`` or ``str``.

    >>> is_literal((1, "a")), is_literal(np.float64(1.0))
    (True, False)
    """
    if type(value) is tuple:
        return all(map(is_literal, value))
    return type(value) in WRITTEN


def is_data(value: Any) -> bool:
    """True of arrays, numbers, texts and None: no object with a way of its own.

    >>> is_data(np.ones(2)), is_data("a"), is_data([1.0])
    (True, True, False)
    """
    return isinstance(value, DATA)


DATA = (np.ndarray, np.generic, int, float, complex, str, bytes, type(None))


def is_key(value: Any) -> bool:
    """True if a text can name the entry of a dict by this key.

    >>> is_key((1, "a")), is_key(...), is_key(float("nan"))
    (True, False, False)
    """
    if type(value) is tuple:
        return all(map(is_key, value))
    if type(value) in (float, complex):
        return cmath.isfinite(value)
    return is_literal(value) and value is not Ellipsis


def is_writable(value: Any) -> bool:
    """True if the text can say it without a name: a literal, or a scalar of NumPy's."""
    if type(value) is tuple:
        return all(map(is_writable, value))
    return type(value) in WRITTEN or (
        isinstance(value, np.generic)
        and type(value).__module__ == "numpy"
        and value.dtype.kind in "biufc"
    )
