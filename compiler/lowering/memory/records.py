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

from retrograd.runtime.objects.own_attributes import home_of

from ...analyses.class_protocols import asks_always, tells
from ...ir.primitives import Primitive
from ...ir.types import Stack, Tree, is_record
from .places import is_mutable

__all__ = ["holds_record", "is_recordable", "takes_records"]

ASKED = ("__getattr__", "__getattribute__", "__setattr__", "__len__", "__iter__", "__getitem__", "__bool__", "__eq__")


def is_recordable(cls: Any) -> bool:
    """True of a plain class of the user's, whose objects are what their attributes are."""
    if not isinstance(cls, type) or not is_mutable(cls) or cls.__module__.startswith("retrograd"):
        return False
    own = all(tells(cls, name) is tells(object, name) for name in ASKED if name != "__eq__")
    return own and cls.__mro__[-2:] and set(cls.__mro__[1:-1]) <= {b for b in cls.__mro__ if vars(b).get("__module__") == b.__module__} and not issubclass(cls, (dict, list, tuple, set, int, float, complex, str, BaseException)) and not asks_always(cls)


def holds_record(kind: Any) -> bool:
    if isinstance(kind, Stack):
        return holds_record(kind.item)
    if isinstance(kind, Tree):
        return is_record(kind) or any(map(holds_record, kind.items))
    return False


def takes_records(fn: Any) -> bool:
    """True of what takes a list apart, or puts one together, and asks nothing of what is in it."""
    if isinstance(fn, Primitive) or fn in (operator.getitem, builtins.len, builtins.tuple, builtins.list, builtins.reversed):
        return True
    return home_of(fn).startswith("retrograd.runtime.helpers")
