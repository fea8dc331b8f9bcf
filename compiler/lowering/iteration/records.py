"""Objects in lists of run-time length: dicts of their attributes stand for them.

::

    balls = [Ball(v) for v in x]        ->      balls = [{"v": v, "m": 1.0} for v in x]
    balls[k].v                                  balls[k]["v"]

Nothing but what reads and writes their attributes, and calls their methods, is done with them: whatever would get a dict
in place of an object is refused.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.homes import HELPERS
from retrograd.runtime.objects.own_attributes import home_of

from ...analyses.class_protocols import asks_always, tells
from ...analyses.shapes.infer import type_of
from ...ir.primitives import Primitive
from ...ir.types import Stack, Tree, is_record
from ..interface.lowerer import Lowerer
from ..memory.places import is_mutable

__all__ = ["is_recordable", "refuse_records"]

ANSWERS = ("__getattr__", "__setattr__", "__len__", "__iter__", "__getitem__", "__bool__", "__new__")  # fmt: skip
TAKEN_APART = (operator.getitem, builtins.len, builtins.tuple, builtins.list, builtins.reversed)


def is_recordable(cls: Any) -> bool:
    """True of a class of the user's whose objects are what their attributes are.

    >>> of_user = {"__module__": "sky"}
    >>> is_recordable(type("Ball", (), of_user)), is_recordable(type("Row", (dict,), of_user))
    (True, False)
    """
    if not isinstance(cls, type) or type(cls) is not type or not is_mutable(cls):
        return False
    if home_of(cls).partition(".")[0] in ("retrograd", "builtins"):
        return False
    own = all(tells(cls, name) is tells(object, name) for name in ANSWERS)
    return own and cls.__base__ is not None and is_of_python(cls) and not asks_always(cls)


def is_of_python(cls: type) -> bool:
    """True of a class above which there is ``object`` alone, and classes that are written in Python."""
    return all(base is object or base.__flags__ & HEAP for base in cls.__mro__)


HEAP = 1 << 9  # of classes that a program has made


def holds_record(kind: Any) -> bool:
    if isinstance(kind, Stack):
        return holds_record(kind.item)
    if isinstance(kind, Tree):
        return is_record(kind) or any(map(holds_record, kind.items))
    return False


def refuse_records(lowerer: Lowerer, fn: Any, given: list[Any]) -> None:
    """Only what takes lists apart, and puts them together, gets the dicts that stand for objects."""
    if isinstance(fn, Primitive) or fn in TAKEN_APART or home_of(fn).startswith(HELPERS):
        return
    if any(holds_record(type_of(operand)) for operand in given):
        raise UnsupportedSyntax(
            "an object in a list of run-time length is used as a value",
            place=lowerer.scope.place(lowerer.scope.node), fix="read its attributes: ball.x",
        )  # fmt: skip
