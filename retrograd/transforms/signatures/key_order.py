"""Whether a program depends on the order in which the keys of a dict stand."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from retrograd.compiler.ir.types import Given, Tree, Type
from retrograd.runtime.errors import CompileError

__all__ = ["has_order", "is_blind"]

Lowered = Callable[[dict[str, Type]], Any]


def has_order(kind: Type) -> bool:
    """True if there is a dict with more keys than one in an argument."""
    kind = kind.type if isinstance(kind, Given) else kind
    if not isinstance(kind, Tree):
        return False
    return is_dict(kind) or any(map(has_order, kind.items))


def is_dict(kind: Any) -> bool:
    return isinstance(kind, Tree) and kind.container == "dict" and len(kind.keys) > 1


def is_blind(types: dict[str, Type], lowered: Lowered) -> bool:
    """True if the program is the same, step by step, whatever the order, and hands no dict to what may ask for it."""
    try:
        first = lowered(types)
        if not all(map(reads_parts_only, first)):
            return False
        said = text_of(first)
        return all(text_of(lowered(other)) == said for other in in_other_orders(types))
    except CompileError:
        return False


def text_of(functions: list[Any]) -> list[str]:
    """The programs as texts, without the types of their parameters."""
    from retrograd.compiler.ir.dump import show

    return [show(function).partition("\n")[2] for function in functions]


def reads_parts_only(function: Any) -> bool:
    """True if a dict is only read by its keys, or handed to functions of the program."""
    from retrograd.compiler.ir.operations import Apply, Call, If, values_read, walk

    for op in walk(function.body):
        if not any(has_order(value.type) for value in values_read(op)):
            continue
        plain = isinstance(op, Apply) and (op.fn is operator.getitem or op.fn is len)
        if not (plain or isinstance(op, (Call, If))):
            return False
    return not any(has_order(y.type) for y in function.body.yields if hasattr(y, "type"))


def in_other_orders(types: dict[str, Type]) -> Iterator[dict[str, Type]]:
    for change in (reverse, rotate):
        yield {name: reordered(kind, change) for name, kind in types.items()}


def reverse(keys: list[Any]) -> list[Any]:
    return keys[::-1]


def rotate(keys: list[Any]) -> list[Any]:
    return [*keys[1:], *keys[:1]]


def reordered(kind: Type, change: Callable[[list[Any]], list[Any]]) -> Type:
    """A type whose dicts have their keys in another order.

    >>> reordered(Tree("dict", ("a", "b"), (None, None)), reverse).keys
    ('b', 'a')
    """
    if isinstance(kind, Given):
        return replace(kind, type=reordered(kind.type, change))
    if not isinstance(kind, Tree):
        return kind
    items = {k: reordered(i, change) for k, i in zip(kind.keys, kind.items, strict=True)}
    keys = change(list(items)) if kind.container == "dict" else list(items)
    return replace(kind, keys=tuple(keys), items=tuple(items[k] for k in keys))
