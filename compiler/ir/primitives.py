"""Primitives: operations for which Python has syntax but no function, as the `fn` of an `Apply`."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.rules.traits import declare

__all__ = [
    "ASSERT", "BUNDLE", "DELETE_ITEM", "FORMAT", "IN", "NOT_IN", "RAISE", "RENAMED", "SET_ATTRIBUTE", "SET_CONTENT",
    "SET_ITEM", "SET_SLICE", "STAR", "UNPACK", "WRITTEN", "Primitive", "Store", "Structure",
]  # fmt: skip


class Primitive:
    """One of them: equal to itself alone, of no module."""

    def __init__(self, name: str, **facts: Any) -> None:
        self.__name__ = name
        self.__module__ = ""
        declare((self,), facts)

    def __repr__(self) -> str:
        return self.__name__


class Structure(Primitive):
    """Values put into a container, and taken out of it again."""


class Store(Primitive):
    """A write into a container of the caller's: the container, a key, and what is written."""


BUNDLE = Structure("bundle", gives="container", looks=True)  # the container itself, of its items
STAR = Structure("star", gives="container")  # ``*xs``, among the items of a list
UNPACK = Structure("unpack", gives="container")  # ``a, b = x``

SET_ITEM = Store("setitem")  # ``d[k] = v``
SET_ATTRIBUTE = Store("setattr")  # ``x.name = v``
SET_SLICE = Store("setslice")  # ``xs[:] = v``
SET_CONTENT = Store("setcontent")  # ``x[...] = v``
DELETE_ITEM = Store("delitem")  # ``del d[k]``

RENAMED = Primitive("renamed")  # ``b = a``, in a text only: what is about to be another value
WRITTEN = Primitive("written")  # an argument holds a new version at the end
RAISE = Primitive("raise")
ASSERT = Primitive("assert")
FORMAT = Primitive("fstring", gives="text", folds="values")
IN = Primitive("in", sign="in")
NOT_IN = Primitive("not in", sign="not in")
