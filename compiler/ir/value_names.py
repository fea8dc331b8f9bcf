"""Names for values the user did not name, after the operation that computes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute

from .operations import Apply, Call, Const, Loop, Op, Value
from .types import Number, Opaque, Stack

__all__ = ["in_words", "name_of_function", "spoken"]


def spoken(op: Op | None, v: Value) -> str | None:
    """A temporary is named after what it is: ``exp_x``, ``x_shape``, ``product``."""
    if isinstance(op, Loop):
        return v.hint
    if not isinstance(op, Apply):
        return op.callee.name.removesuffix("_fwd") if isinstance(op, Call) else None
    owner = (
        op.fn.__self__.__name__ if isinstance(own_attribute(op.fn, "__self__"), np.ufunc) else None
    )
    if (asked := name_asked(op)) is not None:
        return asked
    name = owner or name_of_function(op)
    about = next((a.hint for a in op.args if isinstance(a, Value) and a.hint), None)
    if name == "len" and any(isinstance(a, Value) and isinstance(a.type, Stack) for a in op.args):
        return "n"
    if (worded := in_words(op)) is not None:
        return worded
    if name in NOUNS:
        return NOUNS[name]
    if name in PARTS:
        return f"{about}_{PARTS[name]}" if about else PARTS[name]
    return f"{name}_{about}" if about and len(about) + len(name) < 16 else name


def name_of_function(op: Apply) -> str:
    return str(own_attribute(op.fn, "__name__", "t")).strip("_")


def in_words(op: Apply) -> str | None:
    """What is made of one or two names: ``t_minus_1``, ``beta_s``, ``L_jj``; None where that is too long."""
    name = name_of_function(op)
    if len(op.args) != 2:
        return None
    first, second = op.args
    if name == "getitem":
        about, place = named(first), place_in(second)
        made = f"{about}_{place}" if about and place else ""
    elif (
        name == "pow"
        and isinstance(second, Const)
        and type(second.value) is int
        and second.value in POWERS
    ):
        made = f"{named(first)}_{POWERS[second.value]}" if named(first) else ""
    elif name in WORDS:
        one, two = named(first), named(second, name in ("add", "sub"))
        made = f"{one}_{WORDS[name]}{two}" if one and two else ""
    else:
        return None
    return made if 0 < len(made) <= LONGEST else None


def named(x: Any, or_number: bool = False) -> str | None:
    """The user's name of a value, or a small number in words."""
    if isinstance(x, Value) and x.hint and not x.hint.startswith(("$", "~", "_")):
        return x.hint
    small = or_number and isinstance(x, Const) and type(x.value) is int and 0 < x.value < 10
    return str(x.value) if small else None


def place_in(index: Any) -> str | None:
    """A place in an array or a container: ``jj``, ``0``, ``out``."""
    parts = index if isinstance(index, tuple) else (index,)
    words: list[str] = []
    for part in parts:
        known = part.value if isinstance(part, Const) else None
        if type(known) is int and known >= 0:
            words.append(str(known))
        elif type(known) is str and known.isidentifier():
            words.append(known)
        elif (
            isinstance(part, Value)
            and part.hint
            and part.hint.isidentifier()
            and isinstance(part.type, Number)
        ):
            words.append(part.hint)
        else:
            return None
    return ("_" if any(len(word) > 1 for word in words) else "").join(words)


LONGEST = 14
WORDS = {"mul": "", "matmul": "", "add": "plus_", "sub": "minus_", "truediv": "over_"}
POWERS = {2: "squared", 3: "cubed"}


def name_asked(op: Apply) -> str | None:
    """What is asked of an object when it runs: ``mean`` of ``d.mean()``, ``rate`` of ``d["rate"]``."""
    if not isinstance(op.result.type, Opaque) or len(op.args) < 2:
        return None
    key = op.args[1].value if isinstance(op.args[1], Const) else None
    return key if isinstance(key, str) and key.isidentifier() else None


NOUNS = {
    "add": "total", "sub": "difference", "mul": "product", "truediv": "ratio", "pow": "power", "neg": "minus",
    "matmul": "product", "floordiv": "quotient", "mod": "remainder", "lt": "below", "le": "below",
    "gt": "above", "ge": "above", "eq": "same", "ne": "differs", "not_": "absent", "multiply": "product",
    "subtract": "difference", "divide": "ratio", "less": "below", "greater": "above", "bundle": "parts",
    "iadd": "total", "sum": "total", "reduce": "total", "max": "peak", "min": "low", "maximum": "peak", "minimum": "low", "abs": "magnitude", "round": "rounded", "power": "power",
}  # fmt: skip


PARTS = {
    "getitem": "part",
    "T": "T",
    "shape": "shape",
    "size": "size",
    "len": "length",
    "mT": "T",
    "getattr": "part",
}
