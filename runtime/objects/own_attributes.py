"""Attributes that an object has itself, whatever its class answers when it is asked."""

from __future__ import annotations

from types import WrapperDescriptorType
from typing import Any

__all__ = ["HOME", "home_of", "own_attribute", "own_dict"]


def own_attribute(x: Any, name: str, default: Any = None) -> Any:
    """``getattr``, but for ``__getattr__`` and ``__getattribute__`` of the object's class: they are the program's.

    >>> class Config:
    ...     def __getattr__(self, name):
    ...         raise KeyError(name)
    >>> own_attribute(Config(), "__name__", "nameless"), own_attribute(len, "__name__")
    ('nameless', 'len')
    """
    look: Any = type(x).__getattribute__
    if type(look) is not WrapperDescriptorType:  # written in Python
        look = type.__getattribute__ if isinstance(x, type) else object.__getattribute__
    try:
        return look(x, name)
    except AttributeError:
        return default


HOME = "__retrograd_home__"  # of a derivative, whose module is where pickles look for it


def home_of(x: Any) -> str:
    """The name of the module in which an object says it was made; nothing where it says none, or what is no name.

    Functions of C may have the module itself there, and `functools.wraps` copies what it finds.

    >>> home_of(len), home_of(3.0)
    ('builtins', '')
    """
    found = own_attribute(x, HOME) or own_attribute(x, "__module__")
    return found if isinstance(found, str) else ""


def own_dict(x: Any) -> dict[str, Any]:
    """The ``__dict__`` of an object; nothing where that is no dict, as of a library of C.

    >>> own_dict(3.0)
    {}
    """
    found = own_attribute(x, "__dict__")
    return found if isinstance(found, dict) else {}
