"""The functions of the eager API by name, most of them methods of tensors too."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..graph.record_call import in_place
from .tensor import Tensor

__all__ = ["FUNCTIONS", "SPACES", "alias", "function", "member", "method", "writing"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}
SPACES: dict[str, dict[str, Any]] = {}  # functions of retrograd.linalg, retrograd.nn.functional...


def function(made: Any) -> Any:
    """Register a function of the API."""
    FUNCTIONS[made.__name__] = made
    return made


def member(space: str, name: str | None = None) -> Callable[[Any], Any]:
    """Register a function of a part of the API: ``retrograd.linalg``, say."""

    def register(made: Any) -> Any:
        SPACES.setdefault(space, {})[name or made.__name__] = made
        return made

    return register


def method(
    made: Any = None, *, name: str | None = None, write: bool = False, free: bool = True
) -> Any:
    """Register a function as a method of tensors too; with ``write`` there is ``name_`` as well."""
    if made is None:
        return lambda function: method(function, name=name, write=write, free=free)
    called = name or made.__name__
    if free:
        FUNCTIONS[called] = made
    setattr(Tensor, called, made)
    if write:
        writing(called, made)
    return made


def writing(name: str, made: Callable[..., Any]) -> None:
    """``x.name_(...)``: the result is written into ``x``."""

    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        given = kwargs.values()
        return in_place(self, lambda old, *rest: made(old, *rest, **kwargs), *args, reads=given)

    write.__name__ = write.__qualname__ = f"{name}_"
    write.__doc__ = f"`{name}` in place."
    setattr(Tensor, f"{name}_", write)
    FUNCTIONS.setdefault(f"{name}_", write)


def alias(new: str, old: str) -> None:
    """A second name of a function, and of its method."""
    FUNCTIONS[new] = FUNCTIONS[old]
    for suffix in ("", "_"):
        found = getattr(Tensor, old + suffix, None)
        if isinstance(found, types.FunctionType):
            setattr(Tensor, new + suffix, found)
