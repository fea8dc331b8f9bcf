"""Operations for which Python has syntax and no function: what `Apply.fn` is where it is not a Python object."""

from __future__ import annotations

__all__ = [
    "ASSERT", "BUNDLE", "DELETE_ITEM", "FORMAT", "IN", "NOT_IN", "RAISE", "SET_ATTRIBUTE", "SET_CONTENT",
    "SET_ITEM", "SET_SLICE", "UNPACK", "WRITTEN", "Primitive", "Store", "Structure",
]  # fmt: skip


class Primitive:
    """One of them: equal to itself alone, of no module."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self.__module__ = ""

    def __repr__(self) -> str:
        return self.__name__


class Structure(Primitive):
    """Values put into a container, and taken out of it again."""


class Store(Primitive):
    """A write into a container of the caller's: the container, a key, and what is written."""


BUNDLE = Structure("bundle")  # the container itself, of its items
UNPACK = Structure("unpack")  # ``a, b = x``

SET_ITEM = Store("setitem")  # ``d[k] = v``
SET_ATTRIBUTE = Store("setattr")  # ``x.name = v``
SET_SLICE = Store("setslice")  # ``xs[:] = v``
SET_CONTENT = Store("setcontent")  # ``x[...] = v``
DELETE_ITEM = Store("delitem")  # ``del d[k]``

WRITTEN = Primitive("written")  # an argument holds a new version at the end
RAISE = Primitive("raise")
ASSERT = Primitive("assert")
FORMAT = Primitive("fstring")
IN = Primitive("in")
NOT_IN = Primitive("not in")
