"""Questions about kinds, answered as of the values in boxes: ``type(x)``, ``isinstance``, ``hasattr``.

A box has the methods of arrays and numbers, all of them; what it holds has its own.
"""

from __future__ import annotations

import builtins
from typing import Any

from .box import raw

__all__ = ["seeing"]


class Asked(type):
    """``type``, as a class for whoever inherits from it or asks for its instances."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not kind:
            return super().__call__(*args, **kwargs)
        if len(args) != 1 or kwargs:
            return type(*args, **kwargs)
        found = type(raw(args[0]))
        return kind if found in (type, Asked) else found  # `Asked` makes what inherits from it

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, type) if cls is kind else super().__instancecheck__(x)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, type) if cls is kind else super().__subclasscheck__(other)

    def __eq__(cls, other: Any) -> bool:
        return cls is other or (cls is kind and other is type)

    def __hash__(cls) -> int:
        return hash(type) if cls is kind else super().__hash__()


class kind(type, metaclass=Asked):
    """Stands for ``type`` on the tape."""


def is_instance(x: Any, classes: Any) -> bool:
    return isinstance(raw(x), classes)


def has_attribute(x: Any, name: str) -> bool:
    return hasattr(raw(x), name)


def attribute(x: Any, name: str, *default: Any) -> Any:
    if raw(x) is not x and not hasattr(raw(x), name):
        return getattr(raw(x), name, *default)  # there is none
    return getattr(x, name, *default)


SEEING = {"type": kind, "isinstance": is_instance, "hasattr": has_attribute, "getattr": attribute}


def seeing(names: Any) -> dict[str, Any]:
    """The built-in names of a module, for code that runs on boxes."""
    known = names if isinstance(names, dict) else vars(names)
    return known | {k: v for k, v in SEEING.items() if known.get(k) is vars(builtins)[k]}
