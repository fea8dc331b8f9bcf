"""Names for values the user did not name, after the operation that computes them."""

from __future__ import annotations

import numpy as np

from retrograd.runtime.objects.own_attributes import own_attribute

from .operations import Apply, Call, Const, Loop, Op, Value
from .types import Opaque, Stack

__all__ = ["spoken"]


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
    name = owner or own_attribute(op.fn, "__name__", "t").strip("_")
    about = next((a.hint for a in op.args if isinstance(a, Value) and a.hint), None)
    if name == "len" and any(isinstance(a, Value) and isinstance(a.type, Stack) for a in op.args):
        return "n"
    if name in NOUNS:
        return NOUNS[name]
    if name in PARTS:
        return f"{about}_{PARTS[name]}" if about else PARTS[name]
    return f"{name}_{about}" if about and len(about) + len(name) < 16 else name


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
