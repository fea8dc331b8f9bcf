"""Questions about classes that have one answer, whatever a value is of those that it may be: ``type(x) == list``."""

from __future__ import annotations

import builtins
import operator
import types
import typing
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.objects.own_attributes import home_of

from ...ir.operations import Value
from ...ir.primitives import IN, NOT_IN

__all__ = [
    "ATTRIBUTE",
    "answers_plainly",
    "called",
    "classes_of",
    "possible_classes",
    "told_by_classes",
]

ATTRIBUTE = types.GetSetDescriptorType


def possible_classes(known: Any, node: Any) -> list[Any]:
    """The classes that ``type(x)`` may be, as a number that is NumPy's or Python's; none where nobody knows."""
    op = known.facts.asked.get(node) if isinstance(node, Value) else None
    if op is None or op.fn is not builtins.type or len(op.args) != 1:
        return []
    return list(dict.fromkeys(map(type, known.candidates(op.fn, op.args[0]))))


def told_by_classes(known: Any, fn: Any, left: Any, asked: Any) -> bool | None:
    """What ``type(x) == asked`` says to every class that ``x`` may be of; None where they differ."""
    if not all(compares_plainly(cls) for cls in (asked if type(asked) is tuple else (asked,))):
        return None
    answers = {bool(called(fn)(kind, asked)) for kind in possible_classes(known, left)}
    return answers.pop() if len(answers) == 1 else None


def compares_plainly(cls: Any) -> bool:
    return isinstance(cls, type) and type(cls).__eq__ is type.__eq__


def called(fn: Any) -> Any:
    """What computes an operation: ``x.ndim`` and ``a in b`` are some, too."""
    if fn is IN or fn is NOT_IN:
        return lambda item, among: (item in among) is (fn is IN)
    return operator.attrgetter(fn.__name__) if isinstance(fn, ATTRIBUTE) else fn


def classes_of(asked: Any) -> Iterator[Any]:
    if isinstance(asked, tuple):
        for item in asked:
            yield from classes_of(item)
    elif isinstance(asked, types.UnionType):
        yield from classes_of(typing.get_args(asked))
    else:
        yield asked


def answers_plainly(cls: Any) -> bool:
    """True unless the class of a class has an answer of its own: those of Python's library are pure."""
    found = getattr(type(cls), "__instancecheck__", None)
    home = home_of(found)
    return not isinstance(found, types.FunctionType) or home.partition(".")[0] in ("abc", "typing")
