"""Arguments once more: equal, apart from the originals, with the layout and the sharing that these have."""

from __future__ import annotations

import collections
import copy
import enum
import functools
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import cupy, is_cupy
from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.helpers.functional_writes import shows_twice
from retrograd.runtime.objects.own_attributes import own_dict

__all__ = ["CannotCopy", "Copier", "fresh", "is_ordinary", "owner_of", "same"]

ATOMS = (
    int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range, slice,
    type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType,
    np.generic, np.dtype, np.ufunc, frozenset, enum.Enum, functools.partial,
)  # fmt: skip
PLAIN = (dict, list, tuple, set)
COPIED = (bytearray, np.random.Generator, np.random.RandomState, np.random.BitGenerator)


class CannotCopy(Exception):
    """There is no second one of something: a file, a generator, a lock."""


def fresh(args: Sequence[Any]) -> list[Any]:
    """A second set of arguments; what they share among each other, these share, too."""
    copier = Copier()
    return [copier(x) for x in args]


class Copier:
    """Copies whatever is given; one object, or one piece of memory, is copied once."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}
        self.alive: list[Any] = []  # originals, so that their ids stay theirs

    def __call__(self, x: Any) -> Any:
        if type(x) in (float, int) or isinstance(x, ATOMS):
            return x
        found = self.made.get(id(x))
        return self.keep(x, self.copied(x)) if found is None else found

    def keep(self, x: Any, made: Any) -> Any:
        self.alive.append(x)
        self.made[id(x)] = made
        return made

    def copied(self, x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return self.array(x)
        if is_cupy(x):
            return self.device_array(x)
        if type(x) in PLAIN:
            return self.container(x)
        if isinstance(x, COPIED):
            return copy.deepcopy(x)
        return self.instance(x)

    # -- arrays ----------------------------------------------------------------------------------

    def array(self, x: Any) -> Any:
        """A view of a copy of its memory where it is a view of some, else a copy in the same order."""
        if x.dtype.hasobject:
            return self.objects(x)
        owner = owner_of(x)
        memory = self.memory(owner) if type(x) is type(owner) is np.ndarray else None
        if memory is None and x.flags.writeable and shows_twice(x):
            raise CannotCopy("an array shows one place of its memory several times")
        if memory is None:
            return same_flags(x.copy(order="K"), x)
        offset = address(x) - lowest(owner)
        return same_flags(np.ndarray(x.shape, x.dtype, memory, offset, x.strides), x)

    def device_array(self, x: Any) -> Any:
        """The same of an array on the device, where an array that owns its memory has no gaps in it."""
        owner = owner_of(x)
        if x is owner:
            return x.copy(order="K")
        memory, offset = self(owner), x.data.ptr - owner.data.ptr
        return cupy().ndarray(x.shape, x.dtype, memory.data + offset, x.strides)

    def objects(self, x: Any) -> Any:
        made = self.keep(x, np.empty_like(x))
        for at in np.ndindex(x.shape):
            made[at] = self(x[at])
        return made

    def memory(self, owner: Any) -> Any:
        """The bytes of an array that owns its memory, copied once; None if there are gaps in them."""
        key = -id(owner)
        if key not in self.made:
            self.alive.append(owner)
            self.made[key] = bytes_of(owner)
        return self.made[key]

    # -- containers and objects --------------------------------------------------------------------

    def container(self, x: Any) -> Any:
        if type(x) is dict:
            made: Any = self.keep(x, {})
            made.update({self(k): self(v) for k, v in x.items()})
            return made
        if type(x) is list:
            made = self.keep(x, [])
            made.extend(map(self, x))
            return made
        inner = [self(v) for v in x]
        return x if type(x) is tuple and all(map(same, inner, x)) else type(x)(inner)

    def instance(self, x: Any) -> Any:
        """An object of a class that says nothing about copies, attribute by attribute."""
        cls = type(x)
        if isinstance(x, tuple) and hasattr(x, "_fields"):
            return self.attributes(x, tuple.__new__(cls, map(self, tuple.__iter__(x))))
        if is_ordinary(cls, dict):
            made = self.attributes(x, self.keep(x, dict.__new__(cls)))
            dict.update(made, ((self(k), self(v)) for k, v in dict.items(x)))
            return made
        if is_ordinary(cls, list):
            made = self.attributes(x, self.keep(x, list.__new__(cls)))
            list.extend(made, map(self, list.__iter__(x)))
            return made
        if is_ordinary(cls):
            return self.attributes(x, self.keep(x, object.__new__(cls)))
        if isinstance(x, CONTAINERS) and is_read_its_own_way(cls):
            raise CannotCopy(f"a {cls.__name__} does not show what it holds")
        try:
            return copy.deepcopy(x, {})
        except Exception as error:
            raise CannotCopy(f"there is no copy of a {cls.__name__}") from error

    def attributes(self, x: Any, made: Any) -> Any:
        for name, value in own_dict(x).items():
            made.__dict__[name] = self(value)
        return made


ALIGNED = 64
CONTAINERS = (dict, list, set, collections.deque)


OF_OBJECTS = ("__new__", "__reduce_ex__", "__reduce__")


def is_ordinary(cls: type, base: type = object) -> bool:
    """True if all of an object stands in its ``__dict__`` and in the container ``base`` that it is.

    >>> class Backwards(list):
    ...     def __iter__(self):
    ...         return reversed(self)
    >>> is_ordinary(Backwards, list), is_ordinary(Backwards)
    (True, False)
    """
    return (
        all(getattr(cls, name) is getattr(base, name) for name in OF_OBJECTS)
        and not any(hasattr(cls, name) for name in ("__deepcopy__", "__copy__", "__getnewargs__"))
        and not any("__slots__" in each.__dict__ for each in cls.__mro__)
        and (base is not object or cls.__dictoffset__ != 0)
    )


def is_read_its_own_way(cls: type) -> bool:
    """True if Python's copies of a container, made of its items, would ask methods of the user's for them."""
    asked = ("__iter__", "items", "keys")
    return any(isinstance(getattr(cls, name, None), types.FunctionType) for name in asked)


def bytes_of(x: Any) -> Any:
    """A copy of the memory of an array, aligned as it is."""
    if not x.nbytes or not x.flags.forc:
        return None
    room = np.empty(x.nbytes + ALIGNED, np.uint8)
    shift = (lowest(x) - address(room)) % ALIGNED
    made = room[shift : shift + x.nbytes]
    np.ndarray(x.shape, x.dtype, made, 0, x.strides)[...] = x
    return made


def same(a: Any, b: Any) -> bool:
    return a is b


def owner_of(x: Any) -> Any:
    """The array whose memory this one shows, as far as NumPy tells."""
    owner, base = x, x.base
    while base is not None:
        owner = base if is_ndarray(base) else owner
        base = getattr(base, "base", None)  # `as_strided` puts an object in between
    return owner


def address(x: Any) -> int:
    return int(x.__array_interface__["data"][0])


def lowest(x: Any) -> int:
    return int(np.lib.array_utils.byte_bounds(x)[0])


def same_flags(made: Any, x: Any) -> Any:
    if not x.flags.writeable:
        made.flags.writeable = False
    return made
