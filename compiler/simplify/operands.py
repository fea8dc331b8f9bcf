"""Facts about an operand, of its type and of the operation that made it."""

from __future__ import annotations

import builtins
import decimal
import math
import operator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.homes import SCIPY_HELPERS
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.kind_model import kind_model
from ..analyses.shapes.infer import type_of
from ..ir.operand_key import key
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.primitives import Primitive
from ..ir.types import Array, Number, kind_of
from ..ir.whole_numbers import wraps

__all__ = [
    "factor_key",
    "folded",
    "has_dtype",
    "is_exact_difference",
    "is_float",
    "is_literal",
    "is_ours",
    "is_real",
    "made_by",
    "may_drop",
    "number",
    "only_adds_axes",
    "rank",
]  # fmt: skip

REAL_HOMES = ("math", f"{SCIPY_HELPERS}cdf")


def made_by(b: Any, operand: Operand, fn: Any) -> Apply | None:
    """The operation that computed ``operand``, if it is a call of ``fn``, and one that is what it is called."""
    op = b.defs.get(operand) if isinstance(operand, Value) else None
    if op is None or op.fn is not fn or op.kwargs:
        return None
    return None if traits_of(fn).elementwise is True and wraps(op) else op


def number(operand: Operand) -> Any:
    """The value of a literal number, or None."""
    if (
        isinstance(operand, Const)
        and operand.text is None
        and type(operand.value) in (int, float, complex)
    ):
        return operand.value
    return None


def folded(fn: Any, x: Any, y: Any) -> Const:
    """A sum, a difference, a product or a quotient of literals, as a person would work it out: ``0.9 - 1`` is -0.1.

    >>> folded(operator.sub, 0.9, 1).value, folded(operator.truediv, 1, 3).value
    (-0.1, 0.3333333333333333)
    """
    plain = fn(x, y)
    if type(plain) is not float or not math.isfinite(plain):
        return Const(plain)
    with decimal.localcontext(prec=50):
        exact = float(fn(decimal.Decimal(repr(x)), decimal.Decimal(repr(y))))
    return Const(exact if len(repr(exact)) < len(repr(plain)) else plain)


def is_exact_difference(x: Operand, y: Operand) -> bool:
    """True if ``x - y`` is what it is of real numbers: of two arrays of small or unsigned integers it wraps around."""
    return "f" in (kind_of(type_of(x)), kind_of(type_of(y)))


def is_literal(operand: Operand, value: float) -> bool:
    """True if an operand is this real number, written out: ``-1 + 0j`` makes complex numbers of real ones.

    >>> is_literal(Const(1.0), 1), is_literal(Const(1 + 0j), 1), is_literal(Const(True), 1)
    (True, False, False)
    """
    found = number(operand)
    real = found is not None and not isinstance(found, complex) and not isinstance(value, complex)
    return real and bool(found == value)


def is_real(b: Any, operand: Operand) -> bool:
    """True if a value is known not to be complex (or assumed: see ``Builder.may_be_complex``)."""
    kind = kind_of(type_of(operand))
    if kind is not None or not b.may_be_complex:
        return kind != "c"
    op = b.defs.get(operand) if isinstance(operand, Value) else None
    if op is None or isinstance(op.fn, Primitive):
        return False
    known = traits_of(op.fn)
    if known.real == "always" or own_attribute(op.fn, "__module__") in REAL_HOMES:
        return True
    model = kind_model(op)
    if model is not None:
        return is_real(b, model)
    return known.real == "kept" and all(is_real(b, a) for a in op.args)


def may_drop(b: Any, operand: Operand) -> bool:
    """True if ``1.0 * y`` is ``y``: not for integers, which it would leave integers."""
    known = type_of(operand)
    if isinstance(known, (Array, Number)) and known.whole:
        return False
    kind = kind_of(known)
    return kind in ("f", "c") or (kind is None and not may_be_whole(b, operand))


def is_float(b: Any, operand: Operand) -> bool:
    """True if a number is a float for certain: a name that is one on some path has that kind, too (``0.5 if c else 1``)."""
    if not isinstance(operand, Value):
        return kind_of(type_of(operand)) == "f"
    op = b.defs.get(operand)
    if op is None or isinstance(op.fn, Primitive):
        return operand in b.shown
    sign = traits_of(op.fn).sign
    if sign in WHOLE or op.fn in (builtins.abs, operator.abs):
        return any(kind_of(type_of(a)) == "f" and is_float(b, a) for a in op.args)
    return (
        sign == "/" or op.fn is builtins.float or own_attribute(op.fn, "__module__") in REAL_HOMES
    )


def may_be_whole(b: Any, operand: Operand) -> bool:
    """True if this may be integers, as a call that is not compiled gave them, or computed of such."""
    if not isinstance(operand, Value) or kind_of(operand.type) is not None:
        return kind_of(type_of(operand)) in ("b", "i")
    op = b.defs.get(operand)
    if op is None or isinstance(op.fn, Primitive):
        return False
    if traits_of(op.fn).gives == "truth":
        return True
    whole = traits_of(op.fn).sign in WHOLE or traits_of(op.fn).reads == "part"
    return op.fn in (linear.plain, linear.snapshot) or (
        whole and all(may_be_whole(b, a) for a in op.args[:2])
    )


WHOLE = ("+", "-", "*", "**", "//", "%", "-x", "+x")  # of integers they give integers


def rank(operand: Operand) -> int | None:
    kind = type_of(operand)
    return kind.rank if isinstance(kind, (Array, Number)) else None


def is_ours(op: Apply) -> bool:
    """True if a derivative made the operation, so that it may be rewritten."""
    return op.result.made and not op.result.exact


def factor_key(x: Operand) -> Any:
    """Equal keys, equal factors."""
    return x if isinstance(x, Value) else key(x)


def only_adds_axes(key: Operand) -> bool:
    """True if a subscript is made of ``:`` and ``None``."""
    parts = key if isinstance(key, tuple) else (key,)
    bounds = [(p.start, p.stop, p.step) if isinstance(p, slice) else (p,) for p in parts]
    return all(p is None or (isinstance(p, Const) and p.value is None) for b in bounds for p in b)


def has_dtype(x: Operand, kind: Any) -> bool:
    own = type_of(x)
    arrays = isinstance(own, Array) and isinstance(kind, Array)
    return arrays and own.dtype == kind.dtype and own.dtype in ("float64", "float32")  # type: ignore[union-attr]
