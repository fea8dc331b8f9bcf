"""NumPy's protocols as CuPy answers them: by the name, in the module of the same name."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..arrays.array import ndarray
from ..arrays.registry import MODULES
from ..arrays.values import SCALARS

__all__ = ["called", "dispatched"]

COMPARISONS = ("greater", "greater_equal", "less", "less_equal", "equal", "not_equal")
METHODS = ("at", "accumulate", "outer", "reduce", "reduceat")


def dispatched(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``__array_ufunc__``."""
    inputs, kwargs = positional(inputs, kwargs)
    found = getattr(MODULES["cupy"], ufunc.__name__, None)
    if found is None:
        return NotImplemented
    if not all(
        hasattr(one, "__cuda_array_interface__") or isinstance(one, (np.ndarray, *SCALARS))
        for one in inputs
    ):
        return NotImplemented  # an array of the host goes on, and is refused there
    if method == "__call__":
        if ufunc.__name__ in COMPARISONS:  # the only place where a 0-d array of the host passes
            inputs = tuple(
                one.item() if isinstance(one, np.ndarray) and one.ndim == 0 else one
                for one in inputs
            )
        return found(*inputs, **kwargs)
    if method not in METHODS or not hasattr(found, method):
        return NotImplemented
    return getattr(found, method)(*inputs, **kwargs)


def positional(
    inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """NumPy gives ``out`` as a tuple, always."""
    if "out" not in kwargs:
        return inputs, kwargs
    out = kwargs["out"]
    if isinstance(out, tuple):
        if len(out) != 1:
            raise ValueError("The 'out' parameter must have exactly one array value")
        kwargs = kwargs | {"out": out[0]}
    return inputs, kwargs


def called(func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``__array_function__``."""
    try:
        home = functools.reduce(getattr, func.__module__.split(".")[1:], MODULES["cupy"])
        found = getattr(home, func.__name__)
    except AttributeError:
        return NotImplemented
    if found is func or any(one not in (ndarray, np.ndarray) for one in types):
        return NotImplemented
    return found(*args, **kwargs)
