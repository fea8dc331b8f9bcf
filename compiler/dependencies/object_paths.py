"""Paths from a function to the objects its program reads, which another process can follow."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute

from ..ir.types import Tree
from .object_reads import MISSING, READ, Reading, after

__all__ = ["PARTS", "Found", "Path", "behind", "follow"]

Path = tuple[tuple[str, Any], ...]  # readings, one after the other
PARTS: dict[type, tuple[str, ...]] = {
    types.MethodType: ("__func__", "__self__"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset"),
    types.DynamicClassAttribute: ("fget", "fset"),  # a property of an enumeration's members
    functools.partial: ("func",),
}

ALIKE = (
    bool, int, float, complex, str, bytes, type(None), type, types.ModuleType, types.BuiltinFunctionType, np.generic,
    np.dtype, np.ufunc,
)  # fmt: skip


class Found:
    """The objects that were read, each with the first path to it."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, Path]] = {}  # objects, too: their ids stay theirs
        self.others: dict[int, list[Path]] = {}  # further paths to objects that may be told apart

    def root(self, fn: Any, given: dict[str, Any]) -> None:
        self.enter(fn, ())
        for name, kind in given.items():
            self.enter_classes(kind, (("argument", name),))

    def enter_classes(self, kind: Any, path: Path) -> None:
        """The classes of the arguments, and what they are known to be."""
        if not isinstance(kind, Tree):
            return
        if kind.known is not None:
            self.enter(kind.known.value, (*path, ("known", "")))
        if kind.cls is not None:
            self.enter(kind.cls, (*path, ("cls", "")))
        for k, item in enumerate(kind.items):
            self.enter_classes(item, (*path, ("part", k)))

    def read(self, reading: Reading) -> None:
        path = self.path(reading)
        if path is None:
            return
        self.enter(reading.value, path)
        for k, item in enumerate(reading.value if reading.how == "defaults" else ()):
            self.enter(item, (*path, ("item", k)))
        plain = behind(reading.value)
        if plain is not reading.value:
            self.enter(plain, (*path, ("plain", "")))

    def enter(self, value: Any, path: Path) -> None:
        if value is MISSING:  # what is not there is not one object
            return
        if id(value) in self.known:
            further = [self.known[id(value)][1], *self.others.get(id(value), ())]
            if not isinstance(value, ALIKE) and path not in further:
                self.others.setdefault(id(value), []).append(path)
            return
        self.known[id(value)] = value, path
        for kind, names in PARTS.items():
            for name in names if isinstance(value, kind) else ():
                self.enter(getattr(value, name), (*path, ("attribute", name)))
        if not isinstance(value, type):
            self.enter(type(value), (*path, ("class", "")))

    def to(self, value: Any) -> Path | None:
        """The path to an object."""
        found = self.known.get(id(value))
        return None if found is None else found[1]

    def shared(self) -> list[list[Path]]:
        """The paths that lead to one object: the text may call it by one name, and depends on that."""
        return [[self.known[k][1], *paths] for k, paths in self.others.items()]

    def path(self, reading: Reading) -> Path | None:
        """The path to what a reading gives."""
        owner, name = reading.owner, reading.name
        if reading.how == "super":
            owner, name = owner[0], [owner[0].__mro__.index(owner[1]), name]
        base = self.to(owner)
        if base is None or not (isinstance(name, (str, int)) or reading.how == "super"):
            return None
        return (*base, (reading.how, name))


def behind(value: Any) -> Any:
    """The function of a decorated one, or of one of its derivatives."""
    columns = own_attribute(value, "__columns__")
    chain = own_attribute(value, "__retrograd__") if columns is None else columns[0]
    return getattr(chain, "fn", value)


def follow(fn: Any, given: dict[str, Any], path: Any) -> Any:
    """The object at the end of a path that begins with ``fn``, called with arguments of these types."""
    value = fn
    for how, name in path:
        if how == "argument":
            value = given[name]
        elif how == "part":
            value = value.items[name]
        elif how == "cls":
            value = value.cls
        elif how == "known":
            value = value.known.value
        elif how == "plain":
            value = behind(value)
        elif how == "super":
            value = after((value, value.__mro__[name[0]]), name[1])
        else:
            value = READ[how](value, name)
    return value
