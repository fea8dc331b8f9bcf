"""One argument for each parameter, and how they are given in a call: ``*rest`` and ``**params``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

__all__ = [
    "apart",
    "handed",
    "is_starred",
    "plain_signature",
    "text_signature",
    "with_all",
    "with_defaults",
]

Parameter = inspect.Parameter


def is_starred(parameter: Parameter) -> bool:
    return parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def plain_signature(signature: inspect.Signature) -> inspect.Signature:
    """The same parameters, all of them given by position."""
    plain = [
        p.replace(kind=Parameter.POSITIONAL_OR_KEYWORD, default=p.empty)
        for p in signature.parameters.values()
    ]
    return signature.replace(parameters=plain)


def text_signature(signature: inspect.Signature) -> inspect.Signature:
    """How generated text takes these parameters: by position, but for ``*rest`` and what follows."""
    kinds = [p.kind for p in signature.parameters.values()]
    if Parameter.VAR_POSITIONAL not in kinds and Parameter.VAR_KEYWORD not in kinds:
        return plain_signature(signature)
    named = Parameter.VAR_POSITIONAL in kinds
    given = [
        p.replace(
            default=p.empty,
            kind=p.kind
            if named or p.kind is not p.KEYWORD_ONLY
            else Parameter.POSITIONAL_OR_KEYWORD,
        )
        for p in signature.parameters.values()
    ]
    return signature.replace(parameters=given)


def with_defaults(signature: inspect.Signature, given: dict[str, Any]) -> inspect.Signature:
    """The signature of a function that is given these by name: they, and what follows, are named in a call."""
    if not given:
        return signature
    found, named = [], False
    for p in signature.parameters.values():
        named = named or p.name in given
        if named and p.kind is Parameter.POSITIONAL_OR_KEYWORD:
            p = p.replace(kind=Parameter.KEYWORD_ONLY)
        found.append(p.replace(default=given[p.name]) if p.name in given else p)
    return signature.replace(parameters=found)


def apart(signature: inspect.Signature, args: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments to call a function with, given one for each of its parameters.

    >>> apart(inspect.signature(lambda x, *rest, k=1, **params: 0), [1, (2, 3), 4, {"a": 5}])
    ([1, 2, 3], {'k': 4, 'a': 5})
    """
    given: list[Any] = []
    named: dict[str, Any] = {}
    for parameter, value in zip(signature.parameters.values(), args, strict=True):
        if parameter.kind is Parameter.VAR_POSITIONAL:
            given += value
        elif parameter.kind is Parameter.VAR_KEYWORD:
            named |= value
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            given.append(value)
    return given, named


def with_all(signature: inspect.Signature, fn: Callable[..., Any]) -> Callable[..., Any]:
    """``fn`` as a function of one argument for each parameter of ``signature``, and of tangents after them."""
    own = len(signature.parameters)

    def call(*args: Any) -> Any:
        given, named = apart(signature, args[:own])
        return fn(*given, *args[own:], **named)

    return call


def handed(signature: inspect.Signature) -> str:
    """How a function with these parameters is called, all of them being names.

    >>> handed(inspect.signature(lambda x, *rest, k=1, **params: 0))
    'x, *rest, k=k, **params'
    """
    spelled: dict[Any, str] = {
        Parameter.VAR_POSITIONAL: "*{0}", Parameter.VAR_KEYWORD: "**{0}",
        Parameter.KEYWORD_ONLY: "{0}={0}",
    }  # fmt: skip
    own = signature.parameters.values()
    return ", ".join(spelled.get(p.kind, "{0}").format(p.name) for p in own)
