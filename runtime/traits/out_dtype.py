"""``out=`` of reductions: NumPy computes in the type of what it is to fill, unless a ``dtype`` says otherwise."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from ..objects.own_attributes import own_attribute
from .lookup import traits_of

__all__ = ["computes_as_out", "computes_between"]

METHODS = ("reduce", "accumulate", "reduceat")  # of ufuncs


@functools.lru_cache(1024)
def computes_as_out(fn: Any) -> bool:
    """True if a function computes in the type of its ``out=``: a reduction that takes a ``dtype``.

    >>> computes_as_out(np.sum), computes_as_out(np.ndarray.cumsum), computes_as_out(np.add.reduce)
    (True, True, True)
    >>> computes_as_out(np.add), computes_as_out(np.max), computes_as_out(np.einsum)
    (False, False, False)
    """
    if isinstance(fn, np.ufunc):
        return False  # by the types of its arguments
    name = own_attribute(fn, "__name__", "")
    if isinstance(own_attribute(fn, "__self__"), np.ufunc):
        return name in METHODS
    try:
        parameters = inspect.signature(getattr(np, name, fn)).parameters
    except (TypeError, ValueError):
        return False
    return {"a", "dtype", "out"} <= set(parameters)


@functools.lru_cache(1024)
def computes_between(fn: Any) -> bool:
    """True if a function computes, partly or without being asked, in the type of ``out=``: ``np.std``, ``np.einsum``.

    >>> computes_between(np.ndarray.var), computes_between(np.median), computes_between(np.sum)
    (True, True, False)
    """
    return traits_of(fn).computes_in == "either"
