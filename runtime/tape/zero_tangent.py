"""The zero tangent, which stays zero: so that ``0 * inf`` in a term nobody asked for is no nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..helpers import linear
from ..traits.lookup import traits_of

__all__ = ["Zero", "is_zero"]


class Zero:
    """Stands for the differential of an argument that is not differentiated, inside a rule."""

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __rsub__(self, other: Any) -> Any:
        return other

    def __sub__(self, other: Any) -> Any:
        return self if is_zero(other) else -other

    def __neg__(self) -> Zero:
        return self

    def itself(self, *args: Any, **kwargs: Any) -> Zero:
        return self

    __mul__ = __rmul__ = __truediv__ = __matmul__ = __rmatmul__ = __getitem__ = __call__ = itself
    __pos__ = itself

    def __getattr__(self, name: str) -> Zero:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        if ufunc in (np.add, np.subtract) and method == "__call__":
            a, b = args
            if is_zero(b):
                return a
            return b if ufunc is np.add else -b
        return self

    def __array_function__(self, func: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        return helped(func, args, kwargs)


def is_zero(value: Any) -> bool:
    return type(value) is Zero


def helped(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A linear function of something that is zero; its other arguments are factors."""
    if not traits_of(fn).joint or all(is_zero(a) for a in args[-2:]):
        return Zero()
    if fn is linear.add:  # perhaps of containers
        return args[1] if is_zero(args[0]) else args[0]
    return fn(*[0.0 if is_zero(a) else a for a in args], **kwargs)
