"""The result of a differentiated function must be one real number: checked at compile time or at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.helpers import linear

from ..analyses.shapes.infer import type_of
from ..ir.containers import LEAF
from ..ir.operations import Apply, Const, Function, Operand, Value
from ..ir.types import STRANGER, Array, Dim, Stack, Tree, kind_of

__all__ = ["check_result", "check_scalar", "unit_cotangent"]


def check_result(function: Function) -> None:
    """The gradient of a function is that of a real number; anything else wants ``vjp`` or ``jacobian``."""
    y = function.body.yields[0] if function.body.yields else Const(None)
    dims = getattr(type_of(y), "dims", None)
    wanted, fix = "a scalar", "return a scalar (np.sum, np.mean), or use rg.vjp or rg.jacobian"
    what = ""
    contained = isinstance(type_of(y), (Tree, Stack)) and type_of(y) != STRANGER
    if function.tree != LEAF or contained:
        what = "a container"
    elif dims and any(is_above_one(n) for n in dims):
        what = f"an array of {len(dims)} dimension{'s' * (len(dims) > 1)}"
    elif function.facts.raises:
        what, fix = "nothing: it always raises an exception", ""
    elif isinstance(y, Const) and y.text is None and not isinstance(y.value, (int, float, complex)):
        what = repr(y.value)
    if not what and kind_of(type_of(y)) == "c":
        what, wanted = "a complex number", "a real scalar"
        fix = "return its real part (np.real) or its modulus (np.abs), or use rg.vjp"
    if what:
        source = function.source
        raise NotDifferentiable(
            f"`{function.name}` must return {wanted}; it returns {what}",
            place=source.place(source.tree) if source is not None else None, fix=fix,
        )  # fmt: skip


def is_above_one(n: Any) -> bool:
    return n.above_one if isinstance(n, Dim) else n is not None and n != 1


def unit_cotangent(y: Operand, b: Any) -> Operand:
    """The cotangent 1 of a result, in its shape: an array of one element is one number."""
    dims = getattr(type_of(y), "dims", None)
    if not dims:
        return Const(1.0)
    made: Operand = b.apply(np.ones, tuple(Const(1) for _ in dims))
    return made


def check_scalar(y: Operand, forward: Function, may_be_complex: bool) -> None:
    """A result of unknown shape, or one that may be complex, is looked at when it is there."""
    known = kind_of(type_of(y)) is not None or not may_be_complex
    dims = getattr(type_of(y), "dims", None)
    if known and dims is not None and all(n == 1 for n in dims):
        return
    if dims:
        check = Apply([Value(None)], None, linear.check_scalar, (y, Const(len(dims))), effect=True)
        forward.body.ops.append(check)
        return
    forward.body.ops.append(Apply([Value(None)], None, linear.check_scalar, (y,), effect=True))
    if isinstance(y, Value):
        y.type = Array(None, (), None)
