"""Which operations of NumPy's and SciPy's have a helper in their derivatives: read from the texts of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from retrograd.runtime.device.needs import codes, dotted
from retrograd.runtime.rules.book import book

from .named import is_ours

__all__ = ["served_by"]


@cache
def served_by() -> dict[Any, set[Any]]:
    """By each helper the operations whose derivatives of first order call it."""
    found: dict[Any, set[Any]] = {}
    for operation in book.rules:
        if not is_ours(operation):
            for helper in reached(operation):
                found.setdefault(helper, set()).add(operation)
    return found


def reached(operation: Any) -> set[Any]:
    seen: set[Any] = set()
    ahead = [operation]
    while ahead:
        for callee in called(ahead.pop()):
            if callee not in seen and is_ours(callee):
                seen.add(callee)
                ahead.append(callee)
    return seen


def called(operation: Any) -> Iterator[Any]:
    """What the texts of a rule call that has a rule itself, or is a helper."""
    rule = book.rules.get(operation)
    pulls = [one.pull for key, one in transposes().get(operation, {}).items()]
    texts = [rule.differential if rule else None, book.adjoints.get(operation), *pulls]
    for text in filter(None, texts):
        yield from values_in(text, set())


@cache
def transposes() -> dict[Any, dict[str, Any]]:
    found: dict[Any, dict[str, Any]] = {}
    for (operation, argument), one in book.transposes.items():
        found.setdefault(operation, {})[argument] = one
    return found


def values_in(function: Any, seen: set[Any]) -> Iterator[Any]:
    """The functions that are named in the code of a function of the rule book, or closed over."""
    if not hasattr(function, "__code__") or function in seen:
        return
    seen.add(function)
    given = [cell.cell_contents for cell in function.__closure__ or ()]
    for code in codes(function.__code__):
        for root, *path in dotted(code):
            value = function.__globals__.get(root)
            for name in path:
                value = getattr(value, name, None)
            given.append(value)
    for value in given:
        if is_ours(value):
            yield value
            if not is_operation(value):
                yield from values_in(value, seen)


def is_operation(value: Any) -> bool:
    return value in book
