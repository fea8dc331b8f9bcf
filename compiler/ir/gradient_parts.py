"""Which parts of an argument have a gradient: floats. What stands beside them in a container has None.

A whole number among the floats of a list or tuple was meant for one, and is refused by whoever asks here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.runtime.objects.container_classes import has_fields
from retrograd.runtime.objects.declared_containers import REGISTERED

from .types import Tree, Type, is_numeric

__all__ = ["integers_among_floats", "is_float_kind", "is_opaque", "is_registered", "parts"]


def is_opaque(kind: Tree) -> bool:
    """An object of a class that says nothing of its fields: it has no gradient."""
    if kind.container != "object":
        return False
    return not has_fields(kind.cls)


def is_registered(leaf: Any) -> bool:
    """True if somebody has said how objects of a class are taken apart: into other things than attributes."""
    return isinstance(leaf, Tree) and leaf.cls in REGISTERED


def is_float_kind(leaf: Any) -> bool:
    """True of a part that has a gradient, or of which nothing is known."""
    if is_numeric(leaf):
        return getattr(leaf, "kind", None) in ("f", "c", None)
    return leaf is None or is_registered(leaf)


def parts(kind: Type, path: str = "") -> Iterator[tuple[str, Any]]:
    """What a gradient may be asked of, each with how it is written."""
    if isinstance(kind, Tree) and kind.keys and not is_opaque(kind):
        for key, item in zip(kind.keys, kind.items, strict=True):
            inner = f"{path}.{key}" if kind.container == "object" else f"{path}[{key!r}]"
            yield from parts(item, inner)
    elif not (isinstance(kind, Tree) and kind.container != "object"):
        yield path, kind


def integers_among_floats(kind: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The whole numbers in a list or tuple that holds floats, too."""
    if not isinstance(kind, Tree) or is_opaque(kind):
        return
    numbers = [getattr(item, "kind", None) for item in kind.items]
    mixed = kind.container in ("list", "tuple") and {"f", "c"} & set(numbers)
    for key, item, number in zip(kind.keys, kind.items, numbers, strict=True):
        inner = f"{path}.{key}" if kind.container == "object" else f"{path}[{key!r}]"
        if mixed and number in ("b", "i"):
            yield inner, item
        yield from integers_among_floats(item, inner)
