"""Places in the arguments: a parameter, and the keys that lead into it."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import children, with_items

__all__ = ["Field", "Place", "parsed", "part_name", "spelled"]


class Field(str):
    """A key that is written as an attribute: ``.w`` rather than ``['w']``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f".{self}"


class Place(NamedTuple):
    """The whole of the argument number ``at``, or the part of it that ``keys`` lead to.

    >>> Place(1, (Field("layers"), 0)).of([1.0, {"layers": [2.0, 3.0]}])
    2.0
    """

    at: int
    keys: tuple[Any, ...] = ()

    def of(self, args: Any) -> Any:
        """The value at this place."""
        found = args[self.at]
        for key in self.keys:
            found = item(found, key)
        return found

    def put(self, args: Any, value: Any) -> list[Any]:
        """The arguments with another value there."""
        changed = list(args)
        changed[self.at] = replaced(changed[self.at], self.keys, value)
        return changed

    def text(self, names: Any) -> str:
        """How it is written: ``params['w']``."""
        return f"{names[self.at]}{spelled(self.keys)}"

    def word(self, names: Any) -> str:
        """The same as a name."""
        last = str(self.keys[-1]) if self.keys else ""
        if last.isidentifier():
            return last
        return re.sub(r"\W+", "_", "_".join(map(str, (names[self.at], *self.keys))))


def spelled(keys: tuple[Any, ...]) -> str:
    """
    >>> spelled((Field("layers"), -1, "w"))
    ".layers[-1]['w']"
    """
    return "".join(f".{k}" if isinstance(k, Field) else f"[{k!r}]" for k in keys)


def item(whole: Any, key: Any) -> Any:
    if isinstance(whole, Mapping) or not isinstance(key, str):
        return whole[key]
    return getattr(whole, key)


def replaced(whole: Any, keys: tuple[Any, ...], value: Any) -> Any:
    """A copy of a container with another value at one place."""
    if not keys:
        return value
    key, inner = keys[0], replaced(item(whole, keys[0]), keys[1:], value)
    if isinstance(whole, dict):
        return whole | {str(key) if isinstance(key, Field) else key: inner}
    if isinstance(whole, tuple) and hasattr(whole, "_fields"):
        name = key if isinstance(key, str) else type(whole)._fields[key]  # type: ignore[attr-defined]
        return whole._replace(**{name: inner})  # type: ignore[attr-defined]
    if isinstance(whole, (tuple, list)):
        items = list(whole)
        items[key] = inner
        return type(whole)(items)
    parts = children(whole) or []
    if any(name == key for name, _ in parts):
        return with_items(whole, [inner if name == key else x for name, x in parts])
    made = copy.copy(whole)
    object.__setattr__(made, key, inner)
    return made


def part_name(whole: str, key: Any) -> str:
    """A name for a part of an argument."""
    return key if isinstance(key, str) and key.isidentifier() else f"{whole}_{key}"


def parsed(text: str) -> tuple[str, tuple[Any, ...]]:
    """A path as a name and the keys after it.

    >>> parsed("net.layers[0]['w']")
    ('net', (.layers, 0, 'w'))
    """
    try:
        node: Any = ast.parse(text.strip(), mode="eval").body
        keys: list[Any] = []
        while not isinstance(node, ast.Name):
            if isinstance(node, ast.Attribute):
                keys.insert(0, Field(node.attr))
            else:
                keys.insert(0, key_of(ast.literal_eval(node.slice)))
            node = node.value
    except (SyntaxError, ValueError, AttributeError):
        raise SignatureMismatch(
            f'cannot read wrt={text!r}: write a name, or a path as in "params[\'w\']", "net.w[0]"'
        ) from None
    return node.id, tuple(keys)


def key_of(key: Any) -> Any:
    if type(key) not in (int, str):
        raise ValueError(key)
    return key
