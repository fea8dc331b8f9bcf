"""The types of what is computed with texts: measured, with a text in the place of each.

>>> import operator
>>> of_texts(operator.add, (TEXT, TEXT), {}) == TEXT, of_texts(str.startswith, (TEXT, TEXT), {}).kind
(True, 'b')
>>> of_texts(operator.mod, (TEXT, Number("f")), {}) == TEXT, of_texts(operator.add, (TEXT, Number("f")), {})
(True, None)
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ..ir.lattice import as_type, join
from ..ir.types import BOTTOM, TEXT, Number, Stack, Type, is_text

__all__ = ["of_texts"]

SAMPLES = {"b": True, "i": 1, "f": 0.5}


def of_texts(fn: Any, args: Sequence[Type], kwargs: Mapping[str, Type]) -> Type:
    """The type of ``fn(*args)`` where it makes a text, or is given one; None for any other."""
    if traits_of(fn).gives == "text":
        return TEXT
    given = [*args, *kwargs.values()]
    if not any(map(is_text, given)) or not is_of_texts(fn):
        return None
    if traits_of(fn).sign == "%":
        return TEXT if is_text(args[0]) else None
    samples = [sample(kind) for kind in given]
    if any(one is None for one in samples):
        return None
    try:
        return measured(
            fn(*samples[: len(args)], **dict(zip(kwargs, samples[len(args) :], strict=True)))
        )
    except Exception:
        return None  # what it raises, it raises when it runs


def is_of_texts(fn: Any) -> bool:
    """True of methods of texts, and of what Python has a sign for."""
    return own_attribute(fn, "__objclass__") is str or traits_of(fn).sign in ("+", "*", "%")


def sample(kind: Type) -> Any:
    """A text of some letters and blanks, a number, or a list of them; None where none is like it."""
    if is_text(kind):
        return "a b"
    if isinstance(kind, Number):
        return SAMPLES.get(kind.kind)
    return ["a b"] if isinstance(kind, Stack) and is_text(kind.item) and not kind.keyed else None


def measured(made: Any) -> Type:
    """The type of an answer, whatever it says."""
    if isinstance(made, (list, tuple)):
        items: Any = functools.reduce(join, [BOTTOM, *map(as_type, made)])
        return Stack(items, user=True, fixed=isinstance(made, tuple))
    return as_type(made)
