"""Reads of Python objects while a program is lowered: names, attributes, entries, methods, code.

Each reading can be made again, to see whether the text still holds: slowly by `Reading.holds`, or by an
expression in a dispatcher.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.user.custom_rules import custom_of

__all__ = [
    "ERRORS",
    "MISSING",
    "READ",
    "Reading",
    "after",
    "class_of",
    "custom_state",
    "may_change",
    "noting",
    "of_function",
    "same",
    "static",
]


class Missing:
    """Stands for an object that is not there."""

    def __repr__(self) -> str:
        return "missing"


MISSING = Missing()
ERRORS = (AttributeError, LookupError, ValueError, TypeError)


class Reading(NamedTuple):
    """``value`` was what ``how`` gave of ``name`` of ``owner``."""

    how: str
    owner: Any
    name: Any
    value: Any

    @property
    def key(self) -> Any:
        """Equal for readings of the same place."""
        return id(self.owner), self.how, repr(self.name)

    def now(self) -> Any:
        try:
            return READ[self.how](self.owner, self.name)
        except ERRORS:
            return MISSING

    def holds(self) -> bool:
        """True if the same is read now."""
        return same(self.now(), self.value)

    def condition(self, key: str, names: dict[str, Any]) -> str:
        """Python source that is true (or raises one of `ERRORS`, if not) while this holds; ``names`` gets what it reads."""
        if self.how == "shape":
            return shape_text(self, key, names)
        if self.how == "custom":  # a counter tells
            return ""
        if self.value is MISSING or self.now() is not self.value:
            text = None if self.how != "static" else static_text(self, key, names)
        else:
            text = SOURCE.get(self.how, nothing)(self, key, names)
        if text is not None:
            return text
        names[f"holds_{key}__"] = self.holds
        return f"holds_{key}__()"


def same(now: Any, was: Any) -> bool:
    """True if two readings gave the same: one object, one method of one object, or equal numbers and texts."""
    if now is was:
        return True
    if type(now) is not type(was):
        return False
    if isinstance(now, types.MethodType):
        return now.__func__ is was.__func__ and now.__self__ is was.__self__
    if isinstance(now, (types.BuiltinMethodType, types.MethodWrapperType)):
        return now.__self__ is was.__self__ and now.__name__ == was.__name__
    if isinstance(now, tuple):
        return len(now) == len(was) and all(map(same, now, was))
    return isinstance(now, (int, float, complex, str, bytes)) and repr(now) == repr(was)


# -- how things are read ---------------------------------------------------------------


def static_of(cls: Any, name: str) -> Any:
    """The entry of a class or its bases under a name, descriptors as they are."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    raise AttributeError(name)


def after(owner: tuple[type, type], name: str, default: Any = ERRORS) -> Any:
    """The same, of the classes after ``owner[1]``: what ``super()`` finds."""
    order = owner[0].__mro__
    for base in order[order.index(owner[1]) + 1 :]:
        if name in base.__dict__:
            return base.__dict__[name]
    if default is ERRORS:
        raise AttributeError(name)
    return default


def custom_state(fn: Any, name: str = "") -> Any:
    """The state of the custom derivative of a function."""
    found = custom_of(fn)
    return () if found is None else (found, found.pull, found.push, found.constant, found.step)


def kind_now(owner: Any, name: str) -> Any:

    from .state_types import kind_of_state  # what a cached text needs does not know of types

    return kind_of_state(getattr(owner, name, None))[1]


def builtin_of(fn: Any, name: str) -> Any:
    """The builtin of a name that no global hides."""
    if name in fn.__globals__:
        raise LookupError(name)
    return fn.__builtins__[name]


def content_of(fn: Any, name: str) -> Any:
    return fn.__closure__[fn.__code__.co_freevars.index(name)].cell_contents


READ: dict[str, Any] = {
    "global": lambda fn, name: fn.__globals__[name],
    "builtin": builtin_of,
    "cell": content_of,
    "attribute": getattr,
    "method": lambda owner, name: getattr(owner, name).__func__,
    "kind": kind_now,
    "item": lambda owner, key: owner[key],
    "has": lambda owner, key: key in owner,
    "length": lambda owner, name: len(owner),
    "keys": lambda owner, name: tuple(owner),
    "class": lambda owner, name: type(owner),
    "static": static_of,
    "super": after,
    "code": lambda fn, name: fn.__code__,
    "defaults": lambda fn, name: fn.__defaults__,
    "keyword": lambda fn, name: fn.__kwdefaults__[name],
    "shape": lambda array, name: array.shape,
    "custom": custom_state,
    "call": lambda fn, given: fn(*given[0], **dict(given[1])),
}


def of_function(fn: Any) -> Iterator[Reading]:
    """The text of a function, and the defaults of its parameters."""
    yield Reading("code", fn, "", fn.__code__)
    if fn.__defaults__ is not None:
        yield Reading("defaults", fn, "", fn.__defaults__)
    for name, value in (fn.__kwdefaults__ or {}).items():
        yield Reading("keyword", fn, name, value)


# -- the same as source ----------------------------------------------------------------


def named(text: str, owner: Any = None) -> Any:
    """``text`` is the value, of ``o``; ``owner`` finds what ``o`` is."""

    def source(reading: Reading, key: str, names: dict[str, Any]) -> str | None:
        name = reading.name
        if "{name}" in text and not (isinstance(name, str) and name.isidentifier()):
            return None
        if "{key}" in text and not isinstance(name, (str, int)):
            return None
        names[f"o_{key}__"] = reading.owner if owner is None else owner(reading)
        names[f"v_{key}__"] = reading.value
        names["type__"] = type
        return f"{text.format(o=f'o_{key}__', name=name, key=repr(name))} is v_{key}__"

    return source


def shape_text(reading: Reading, key: str, names: dict[str, Any]) -> str:
    names[f"o_{key}__"], names[f"v_{key}__"] = reading.owner, reading.value
    return f"o_{key}__.shape == v_{key}__"


def nothing(reading: Reading, key: str, names: dict[str, Any]) -> str | None:
    return None


def cell_of(reading: Reading) -> Any:
    fn = reading.owner
    return fn.__closure__[fn.__code__.co_freevars.index(reading.name)]


def builtin_text(reading: Reading, key: str, names: dict[str, Any]) -> str | None:
    fn = reading.owner
    names[f"g_{key}__"], names[f"b_{key}__"] = fn.__globals__, fn.__builtins__
    names[f"v_{key}__"] = reading.value
    return f"{reading.name!r} not in g_{key}__ and b_{key}__[{reading.name!r}] is v_{key}__"


def static_text(reading: Reading, key: str, names: dict[str, Any]) -> str | None:
    """A function or a value of a class; what is bound when it is read, or is not there, in the classes' dicts."""
    cls, name = reading.owner, reading.name
    if name.isidentifier() and getattr(cls, name, MISSING) is reading.value is not MISSING:
        names[f"o_{key}__"], names[f"v_{key}__"] = cls, reading.value
        return f"o_{key}__.{name} is v_{key}__"
    names[f"o_{key}__"], names[f"v_{key}__"] = cls, cls.__mro__
    parts = [f"o_{key}__.__mro__ is v_{key}__"]
    for k, base in enumerate(cls.__mro__):
        if not may_change(base):
            continue
        names[f"in_{key}_{k}__"] = base.__dict__
        if name in base.__dict__:
            names[f"is_{key}__"] = reading.value
            return " and ".join([*parts, f"in_{key}_{k}__[{name!r}] is is_{key}__"])
        parts.append(f"{name!r} not in in_{key}_{k}__")
    return " and ".join(parts)


def super_text(reading: Reading, key: str, names: dict[str, Any]) -> str | None:
    if not isinstance(reading.value, (types.FunctionType, property)):
        return None
    names[f"of_{key}__"], names[f"o_{key}__"] = reading.owner
    names[f"v_{key}__"], names["super__"] = reading.value, super
    return f"super__(o_{key}__, of_{key}__).{reading.name} is v_{key}__"


SOURCE: dict[str, Any] = {
    "global": named("{o}[{key}]", lambda r: r.owner.__globals__),
    "builtin": builtin_text,
    "cell": named("{o}.cell_contents", cell_of),
    "attribute": named("{o}.{name}"),
    "method": named("{o}.{name}.__func__"),
    "item": named("{o}[{key}]"),
    "has": named("({key} in {o})"),
    "class": named("type__({o})"),
    "static": static_text,
    "super": super_text,
    "code": named("{o}.__code__"),
    "defaults": named("{o}.__defaults__"),
    "keyword": named("{o}.__kwdefaults__[{key}]"),
}


# -- who reads -------------------------------------------------------------------------

HEAP = 1 << 9  # of a type's flags: made by a `class` statement
FIXED = (*ROOTS, "builtins", "retrograd", "enum", "abc", "typing", "collections", "types")

readers = threading.local()


@contextmanager
def noting(program: Any) -> Iterator[None]:
    """Records for this program what is read of classes meanwhile."""
    outer, readers.program = getattr(readers, "program", None), program
    try:
        yield
    finally:
        readers.program = outer


def static(cls: Any, name: str, default: Any = None) -> Any:
    """The entry of a class under a name, descriptors as they are; noted for the program that is lowered."""
    try:
        found = static_of(cls, name)
    except AttributeError:
        found = MISSING
    program = getattr(readers, "program", None)
    if program is not None and isinstance(cls, type) and any(map(may_change, cls.__mro__)):
        program.note("static", cls, name, found)
    return default if found is MISSING else found


def class_of(value: Any) -> type:
    """The class of an object; noted where it may be another one day."""
    cls, program = type(value), getattr(readers, "program", None)
    if program is not None and may_change(cls):
        program.note("class", value, "", cls)
    return cls


def may_change(cls: type) -> bool:
    """True if anybody may write to a class, and somebody would."""
    return bool(cls.__flags__ & HEAP) and home_of(cls).partition(".")[0] not in FIXED
