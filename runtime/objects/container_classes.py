"""Classes of containers: which keep what they hold under keys, which in attributes, and which leave that to a base."""

from __future__ import annotations

import types
from collections import ChainMap, OrderedDict, UserDict, UserList, defaultdict
from typing import Any

from .class_protocols import tells
from .declared_containers import REGISTERED, declared

__all__ = ["ATTRIBUTES", "WRAPPED", "goes_over_itself", "has_fields", "identity_of", "is_mapping", "shows_all"]  # fmt: skip

ATTRIBUTES = (types.SimpleNamespace,)
WRAPPED = (UserDict, UserList)  # around a container of their own
MAPPINGS = (OrderedDict, defaultdict, UserDict, ChainMap, types.MappingProxyType)


def is_mapping(kind: type) -> bool:
    """True if a class is one of dicts of known keys: Python's, and those below ``dict`` that leave all of it as it is.

    >>> is_mapping(OrderedDict), is_mapping(type("Params", (dict,), {})), is_mapping(dict)
    (True, True, False)
    """
    if kind in MAPPINGS:
        return True
    if kind is dict or not issubclass(kind, dict) or kind.__module__ == "collections":
        return False
    own = {name for base in kind.__mro__[: kind.__mro__.index(dict)] for name in vars(base)}
    asked = dict.__dict__.keys() | {"__getattr__", "__getattribute__", "__missing__"}
    return not own & (asked - {"__doc__"})


def has_fields(kind: type | None) -> bool:
    """True if the objects of a class may be containers of their attributes."""
    if kind is None or kind in REGISTERED:
        return kind is not None
    named = hasattr(kind, "_fields") and issubclass(kind, tuple)
    return named or issubclass(kind, ATTRIBUTES) or declared(kind) is not None


def goes_over_itself(kind: type) -> bool:
    """True if a class of tuples or lists leaves it to them what its items are."""
    base: Any = tuple if issubclass(kind, tuple) else list
    return all(tells(kind, n) is tells(base, n) for n in ("__iter__", "__getitem__", "__len__"))


def shows_all(kind: type) -> bool:
    """True if a class of dicts says of its items what a dict says."""
    asked = ("__iter__", "__getitem__", "__setitem__", "__len__", "items", "keys", "values")
    return not any(isinstance(tells(kind, n), types.FunctionType) for n in asked)


def identity_of(kind: type) -> Any:
    """What a class is told by: itself, or, where each call of a function makes it anew, its name and fields.

    >>> from collections import namedtuple
    >>> identity_of(namedtuple("P", "x y")) == identity_of(namedtuple("P", "x y")), identity_of(dict)
    (True, <class 'dict'>)
    """
    if kind.__bases__ == (tuple,) and "_fields" in kind.__dict__:
        fields: Any = kind.__dict__["_fields"]
    else:
        fields = declared(kind) if "<locals>" in kind.__qualname__ else None
    return kind if fields is None else (kind.__name__, *fields)
