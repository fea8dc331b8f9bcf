"""The parameters that a function's text names, whatever it says of itself to others."""

from __future__ import annotations

import inspect
import types
from typing import Any

__all__ = ["own_signature"]


def own_signature(fn: Any) -> inspect.Signature:
    """The signature of a function as it is written: ``__wrapped__`` and ``__signature__`` tell of another.

    >>> def call(*args, **kwargs): return args
    >>> call.__signature__ = inspect.Signature([])
    >>> str(own_signature(call))
    '(*args, **kwargs)'
    """
    if isinstance(fn, types.MethodType) and told_otherwise(fn.__func__):
        bare = types.MethodType(as_written(fn.__func__), fn.__self__)
        return inspect.signature(bare, follow_wrapped=False)
    given = as_written(fn) if told_otherwise(fn) else fn
    return inspect.signature(given, follow_wrapped=False)


def told_otherwise(fn: Any) -> bool:
    return isinstance(fn, types.FunctionType) and "__signature__" in fn.__dict__


def as_written(fn: Any) -> types.FunctionType:
    """The same function without attributes."""
    made = types.FunctionType(
        fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__
    )
    made.__kwdefaults__ = fn.__kwdefaults__
    return made
