"""Functions that were compiled from Python text by others: numba's, seen through to that text."""

from __future__ import annotations

import types
import weakref
from typing import Any

import numpy as np

from .own_attributes import own_attribute

__all__ = ["python_function"]

ELEMENTWISE: weakref.WeakKeyDictionary[Any, np.vectorize] = weakref.WeakKeyDictionary()


def python_function(fn: Any) -> Any:
    """The Python function that ``fn`` was compiled from, of each element if it is a ufunc; else ``fn``.

    >>> class Compiled:
    ...     def __init__(self, py_func): self.py_func = py_func
    >>> def square(x): return x * x
    >>> python_function(Compiled(square)) is square, python_function(np.sin) is np.sin
    (True, True)
    """
    if isinstance(fn, (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type)):
        return fn
    text = own_attribute(fn, "py_func")
    if isinstance(text, types.FunctionType):
        return text
    text = own_attribute(fn, "__wrapped__")
    if isinstance(text, types.FunctionType) and own_attribute(fn, "nin") is not None:
        if fn not in ELEMENTWISE:
            ELEMENTWISE[fn] = np.vectorize(text)
        return ELEMENTWISE[fn]
    return fn
