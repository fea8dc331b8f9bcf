"""Names reserved by generated text, which no object of the user's may have there.

A name of the user's that is one of them is numbered, as when two modules have an object of one name.
"""

from __future__ import annotations

import builtins
import cmath
import keyword
import math
import operator
import sys
from typing import Any

import numpy as np

from retrograd import runtime
from retrograd.runtime.rules.scipy import registry

__all__ = ["MODULES", "is_own"]

MODULES = {"np": np, "rt": runtime, "math": math, "cmath": cmath, "operator": operator}
FREE = object()


def is_own(name: str, value: Any) -> bool:
    """True if the text means by ``name`` something else than ``value``.

    >>> is_own("np", 2.0), is_own("np", np), is_own("zip", zip), is_own("_", 2.0), is_own("rate", 2.0)
    (True, False, False, True, False)
    """
    if not name.strip("_") or keyword.iskeyword(name):  # `for _ in ...`
        return True
    found = meaning(name)
    return found is not FREE and found is not value


def meaning(name: str) -> Any:
    """The meaning of a name in the text: a module that it imports, a function of Python's, or nothing."""
    if name in MODULES:
        return MODULES[name]
    if any(space.partition(".")[0] == name for space in registry.spaces()):
        return sys.modules.get(name, FREE)
    return vars(builtins).get(name, FREE)
