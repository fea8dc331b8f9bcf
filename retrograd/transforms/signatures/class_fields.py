"""What classes say of their fields, and of which class a function is a method."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.objects.declared_containers import declared
from retrograd.runtime.objects.own_attributes import own_attribute

__all__ = ["class_of_method", "classes_in", "fields_of_class"]


def fields_of_class(cls: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """The annotations of the fields of a class, and the names that texts among them are read with."""
    found: dict[str, Any] = {}
    space: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        module = sys.modules.get(base.__module__)
        own = inspect.get_annotations(base)
        if base is object or not own:
            continue
        space |= vars(module) if module is not None else {}
        found |= {name: said for name, said in own.items() if not is_of_class(said)}
    fields = getattr(cls, "_fields", None) if issubclass(cls, tuple) else declared(cls)
    if dataclasses.is_dataclass(cls):
        fields = [f.name for f in dataclasses.fields(cls)]
    if fields is not None and not typing.is_typeddict(cls):
        found = {name: found.get(name) for name in fields}
    return found, space


def is_of_class(said: Any) -> bool:
    """``ClassVar``, of the class and not of its objects."""
    if isinstance(said, str):
        return said.startswith(("ClassVar", "typing.ClassVar"))
    return typing.get_origin(said) is typing.ClassVar or said is typing.ClassVar


def class_of_method(fn: Any) -> type | None:
    """The class in whose text a function stands, if its first parameter is one of its objects."""
    path = (own_attribute(fn, "__qualname__") or "").split(".")
    if len(path) < 2 or "<locals>" in path:
        return None
    found: Any = sys.modules.get(fn.__module__)
    space = own_attribute(fn, "__globals__") or {}
    found = space.get(path[0]) if path[0] in space else getattr(found, path[0], None)
    for name in path[1:-1]:
        found = getattr(found, name, None)
    if not inspect.isclass(found):
        return None
    written = inspect.getattr_static(found, path[-1], None)
    return None if isinstance(written, (staticmethod, classmethod)) else found


def classes_in(value: Any, depth: int = 0) -> Iterator[type]:
    """The classes of the objects that a value holds."""
    if depth > 6 or isinstance(value, (type, types.ModuleType)):
        return
    yield type(value)
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, (list, tuple)):
        inner = list(value)
    else:
        inner = list((own_attribute(value, "__dict__") or {}).values())
    for item in inner[:64]:
        yield from classes_in(item, depth + 1)
