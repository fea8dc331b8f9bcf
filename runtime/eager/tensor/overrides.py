"""Objects with ``__torch_function__``: they decide what a function of the API does with them.

A function is called as it is; what is no tensor makes it fail, and is asked then.  So nothing is paid for it before.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

from .tensor import Tensor

__all__ = [
    "ELSEWHERE",
    "asked_for",
    "is_override",
    "operator_asked",
    "overridable",
    "refuse_overrides",
]

NOT_A_TENSOR = re.compile(r"'(\w+)' object has no attribute '(_\w+|dtype)'")


ELSEWHERE: dict[
    type, Callable[..., Any]
] = {}  # kinds of tensors, and how elementwise operations are done with them


def is_override(value: Any) -> bool:
    """True for an object that is no plain tensor, and says itself what functions do with it."""
    if isinstance(value, (Tensor, type)):
        return type(value) in ELSEWHERE
    return getattr(type(value), "__torch_function__", None) is not None


def overrides(values: Iterable[Any]) -> list[Any]:
    """Those among arguments (and in lists of arguments), one of each class: subclasses before their bases."""
    found: list[Any] = []
    flat: list[Any] = []
    for value in values:
        flat += value if isinstance(value, (list, tuple)) else (value,)
    for value in flat:
        if not is_override(value) or any(type(value) is type(one) for one in found):
            continue
        at = next((k for k, one in enumerate(found) if issubclass(type(value), type(one))), None)
        found.insert(len(found) if at is None else at, value)
    return found


def refuse_overrides(values: Iterable[Any]) -> None:
    """NumPy must not take such an object for an array."""
    for value in values:
        if is_override(value):
            raise TypeError(f"expected a tensor, and not {type(value).__name__}")


def asked_for(function: Any, found: list[Any], args: Any, kwargs: Any) -> Any:
    """What the first of them says that says anything; NotImplemented if none does."""
    types = tuple(type(one) for one in found)
    for one in found:
        answer = one.__torch_function__(function, types, args, kwargs)
        if answer is not NotImplemented:
            return answer
    return NotImplemented


def operator_asked(function: Any, *operands: Any) -> Any:
    """The same for an operator, which Python may hand to the other operand then."""
    found = overrides(operands)
    return asked_for(function, found, operands, {}) if found else NotImplemented


def overridable(function: Callable[..., Any], space: str = "") -> Callable[..., Any]:
    """The public face of a function."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            found = overrides((*args, *kwargs.values()))
            if not found:
                explained(function, args, error)
                raise
        answer = asked_for(called, found, args, kwargs)
        if answer is NotImplemented:
            names = "".join(f"\n\n  - object of type {type(one)}" for one in found)
            raise TypeError(
                f"Multiple dispatch failed for 'retrograd.{space}{function.__name__}'; all __torch_function__ handlers "
                f"returned NotImplemented:{names}"
            )
        return answer

    return called


def explained(function: Any, args: tuple[Any, ...], error: Exception) -> None:
    """Say which argument is no tensor, where that is what went wrong."""
    missing = NOT_A_TENSOR.fullmatch(str(error)) if type(error) is AttributeError else None
    if missing is None:
        return
    names = [*inspect.signature(function).parameters]
    for k, (value, name) in enumerate(zip(args, names, strict=False)):
        if type(value).__name__ == missing[1] and not isinstance(value, Tensor):
            shown = "input" if k == 0 else name
            raise TypeError(
                f"{function.__name__}(): argument '{shown}' (position {k + 1}) must be Tensor, not {missing[1]}"
            ) from None
