"""A pullback and a pushforward as functions of their own, which can be differentiated again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import retrograd as rg

__all__ = ["pulled", "pushed"]


@lru_cache(maxsize=512)  # what is compiled for a function is found by it
def pulled(f: Callable[..., Any], wrt: tuple[int, ...], backend: str | None) -> Callable[..., Any]:
    """``(cotangent, *args)`` to a tuple of gradients."""

    def back(cotangent: Any, *args: Any) -> Any:
        return rg.vjp(f, *args, wrt=wrt, backend=backend)[1](cotangent)

    return back


@lru_cache(maxsize=512)
def pushed(f: Callable[..., Any], backend: str | None) -> Callable[..., Any]:
    """``(args, tangents)`` to the tangent of the result."""

    def along(args: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        return rg.jvp(f, args, tangents, backend=backend)[1]

    return along
