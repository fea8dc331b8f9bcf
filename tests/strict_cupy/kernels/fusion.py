"""``cupy.fuse``: the function as it is, counted as one launch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import counters

__all__ = ["fuse"]


def fuse(*args: Any, **kwargs: Any) -> Any:
    """With or without parentheses."""

    def wrapped(function: Callable[..., Any], kernel_name: str | None = None) -> Callable[..., Any]:
        name = kernel_name or function.__name__

        @functools.wraps(function)
        def called(*values: Any, **named: Any) -> Any:
            with counters.as_one(name):
                return function(*values, **named)

        return called

    if len(args) == 1 and callable(args[0]) and not kwargs:
        return wrapped(args[0])
    if args:
        raise TypeError("fuse() takes keyword arguments only")
    unknown = set(kwargs) - {"kernel_name"}
    if unknown:
        raise TypeError(f"fuse() got unexpected keyword arguments {sorted(unknown)}")
    return functools.partial(wrapped, kernel_name=kwargs.get("kernel_name"))
