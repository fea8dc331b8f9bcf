"""Elementwise functions: arithmetic, elementary functions, comparisons, choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.transfers import array_beside
from ...batching.batched_array import as_array, somewhere
from ...helpers import linear
from ..batches.crossings import edge_into
from ..fast_path.operand_calls import operand_calls, unary_way
from ..graph.grad_mode import modes
from ..graph.node import no_derivative, shape_and_type, zero_slope
from ..graph.record_call import attributed, cast, elementwise, guarded, in_place, plain
from ..graph.tangents import at_each_level, levels, set_tangent, tangent_of
from ..tensor.dtypes import c_name, category, default, known, of, result_type
from ..tensor.out_argument import into, refuse_out
from ..tensor.registry import FUNCTIONS, alias, function, method
from ..tensor.shape_errors import sizes_text
from ..tensor.tensor import Tensor, of_node, wrapped
from ..tensor.transfers import check_one_place
from ..tensor.views import check_leaf

__all__: list[str] = []

UNARY: dict[str, Any] = {"abs": np.absolute, "conj_physical": np.conjugate}
FLOATING: dict[str, Any] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "reciprocal": np.reciprocal,
    "deg2rad": np.deg2rad, "rad2deg": np.rad2deg, "sinc": np.sinc,
}  # fmt: skip


def sign_of(x: Any) -> Any:
    """The sign, zero for what has none."""
    if x.dtype.kind == "b":
        return x.copy()
    return np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype)


STEPS: dict[str, Any] = {
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "sign": sign_of,
}  # fmt: skip
CONSTANT: dict[str, Any] = {
    "isnan": np.isnan, "isinf": np.isinf,
    "isfinite": np.isfinite, "signbit": np.signbit, "logical_not": np.logical_not, "bitwise_not": np.invert,
}  # fmt: skip
COMPARISONS: dict[str, Any] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "logical_and": np.logical_and, "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}  # fmt: skip
BINARY: dict[str, Any] = {
    "maximum": np.maximum, "minimum": np.minimum, "atan2": np.arctan2, "fmod": np.fmod,
    "remainder": np.remainder, "hypot": np.hypot, "logaddexp": np.logaddexp, "logaddexp2": np.logaddexp2,
    "copysign": np.copysign,
}  # fmt: skip
INTEGERS: dict[str, Any] = {
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
}  # fmt: skip


def floated(x: Tensor) -> Tensor:
    """Integers as floats of the default type."""
    return x if category(x._array.dtype) >= 2 else x.to(known[default()])


def unary(name: str, fn: Any, prepare: Any = None, write: bool = True) -> None:
    node = f"{name.title().replace('_', '')}Backward0"

    def general(self: Any) -> Any:
        return elementwise(fn, self if prepare is None else prepare(self), name=node)

    calls = operand_calls(fn, node)
    way = general if calls is None else unary_way(calls, general)

    def apply(self: Any, *, out: Any = None) -> Any:
        if out is None:
            return way(self)
        refuse_out(name, out, self)
        return into(out, general(self))

    apply.__name__ = apply.__qualname__ = name
    method(apply, write=write)


def step(name: str, fn: Any) -> None:
    """A function whose derivative is zero, and recorded as such."""

    def apply(self: Any, *, out: Any = None) -> Any:
        refuse_out(name, out, self)
        refuse_complex(name, self)
        return into(out, stepped(zero_slope(f"{name.title()}Backward0"), fn, self))

    apply.__name__ = apply.__qualname__ = name
    method(apply, write=True)


def stepped(kind: Any, fn: Any, *args: Any) -> Any:
    made = elementwise(fn, *(a.detach() if isinstance(a, Tensor) else a for a in args))
    tensors = [a for a in args if isinstance(a, Tensor)]
    if category(made._array.dtype) < 2:
        return made
    made = recorded_step(kind, made, tensors)
    if levels.current >= 0:
        at_each_level(flat, made, tensors)
    return made


def recorded_step(kind: Any, made: Any, tensors: list[Any]) -> Any:
    """With the node of a step where one of the operands requires grad."""
    recorded = modes.grad and not modes.inference and any(a.requires_grad for a in tensors)
    if not recorded:
        return made
    edges = tuple(edge_into(a) for a in tensors)
    return of_node(made._array, kind(edges, (shape_and_type(made._array),)), 0)


def flat(made: Any, tensors: list[Any]) -> None:
    """Zeros as the tangent at one level, where one of the operands has a tangent."""
    if any(tangent_of(one) is not None for one in tensors):
        set_tangent(made, wrapped(np.zeros_like(made._array)))


def binary(name: str, fn: Any) -> None:
    node = f"{name.title()}Backward0"

    def apply(self: Any, other: Any, *, out: Any = None) -> Any:
        refuse_out(name, out, self, other)
        if name in FLOATED:
            self, other = both_floated(self, other)
        if name in ("fmod", "remainder"):
            check_divisor(self, other)
        if name in ORDERED:
            check_real(name, self, other)
        if name in REAL and is_complex(self, other):
            given = [a._array.shape for a in (self, other) if isinstance(a, Tensor)]
            raise RuntimeError(sizes_text(given) or f"{name} not implemented for complex tensors.")
        if name == "copysign" and isinstance(other, Tensor) and other.requires_grad:
            zeros = stepped(zero_slope(node), np.zeros_like, other)
            # the second operand has a slope, of zero
            return into(out, guarded(elementwise(fn, self + zeros, other, name=node), self))
        if name == "logaddexp" and is_complex(self, other):
            return into(out, complex_logaddexp(self, other))
        return into(out, elementwise(fn, self, other, name=node))

    apply.__name__ = apply.__qualname__ = name
    method(apply, write=True)


ORDERED = ("maximum", "minimum")
REAL = ("atan2", "hypot", "fmod", "remainder", "copysign")


def refuse_complex(name: str, *args: Any) -> None:
    """Complex numbers have no order, and their signs are directions (`sgn`)."""
    if is_complex(*args):
        raise NotImplementedError(f"{name} is not supported for complex types")


def is_complex(*args: Any) -> bool:
    return any(isinstance(a, Tensor) and a._array.dtype.kind == "c" for a in args)


def complex_logaddexp(a: Any, b: Any) -> Any:
    """The logarithm of a sum, of the one with the greater real part and the rest."""
    refused = sizes_text([a._array.shape, b._array.shape])
    if refused is not None:
        raise RuntimeError(refused)
    first = wrapped(a._array.real >= b._array.real)
    high, low = where(first, a, b), where(first, b, a)
    nothing = wrapped(np.isneginf(high._array.real) & np.isneginf(low._array.real))
    step = where(nothing, 0.0, low) - where(nothing, 0.0, high)  # of two logarithms of zero
    return guarded(high + (step.exp() + 1).log(), a, b)


def check_real(name: str, *args: Any) -> None:
    if is_complex(*args):
        raise RuntimeError(f"{name} not implemented for complex tensors.")


FLOATED = ("atan2", "hypot", "logaddexp", "logaddexp2", "copysign")


def both_floated(a: Any, b: Any) -> tuple[Any, Any]:
    """Two integers as floats of the default type."""
    given = [x for x in (a, b) if isinstance(x, Tensor)]
    if any(category(x._array.dtype) >= 2 for x in given):
        return a, b
    made = [floated(x) if isinstance(x, Tensor) else x for x in (a, b)]
    return made[0], made[1]


def not_bool(self: Any, message: str) -> Any:
    if self._array.dtype.kind == "b":
        raise RuntimeError(message)
    return self


NEGATION = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
    "`~` or `logical_not()` operator instead."
)


for _name, _fn in UNARY.items():
    unary(_name, _fn)
unary("neg", np.negative, lambda x: not_bool(x, NEGATION))


@method
def positive(self: Any) -> Any:
    """The tensor itself."""
    return not_bool(self, "The `+` operator, on a bool tensor is not supported.")


for _name, _fn in FLOATING.items():
    unary(_name, _fn, floated)
for _name, _fn in CONSTANT.items():
    unary(_name, _fn)
for _name, _fn in STEPS.items():
    step(_name, _fn)
for _name, _fn in (BINARY | COMPARISONS | INTEGERS).items():
    binary(_name, _fn)
for _new, _old in {
    "absolute": "abs", "negative": "neg", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "arctan2": "atan2", "fix": "trunc",
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne",
}.items():  # fmt: skip
    alias(_new, _old)


# -- arithmetic ---------------------------------------------------------------------------------


@method(write=True)
def add(self: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    refuse_out("add", out, self, other)
    return into(out, elementwise(np.add, self, scaled(other, alpha, self), name="AddBackward0"))


@method(write=True)
def sub(self: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    check_subtraction(self, other)
    refuse_out("sub", out, self, other)
    return into(
        out, elementwise(np.subtract, self, scaled(other, alpha, self), name="SubBackward0")
    )


def check_subtraction(*args: Any) -> None:
    bools = [isinstance(a, Tensor) and a._array.dtype.kind == "b" for a in args]
    if all(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    if any(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead."
        )


def scaled(other: Any, alpha: Any, beside: Any = None) -> Any:
    """A multiple, in the type that what it is added to makes of it."""
    if type(alpha) is int and alpha == 1:
        return other
    given = [a._array if isinstance(a, Tensor) else a for a in (beside, other) if a is not None]
    kind = result_type(given)
    if category(kind) < 2 and not isinstance(alpha, int):
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    if isinstance(other, Tensor) and isinstance(beside, Tensor):
        other = cast(other, kind)
    if not isinstance(other, Tensor):
        return other * alpha
    made = elementwise(np.multiply, other, alpha, name="ScaleBackward0")
    return made.to(known[kind]) if kind.kind == "b" else made


@method(write=True)
def mul(self: Any, other: Any, *, out: Any = None) -> Any:
    refuse_out("mul", out, self, other)
    return into(out, elementwise(np.multiply, self, other, name="MulBackward0"))


@method(write=True)
def div(self: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    refuse_out("div", out, self, other)
    if rounding_mode is not None:
        return into(out, rounded_quotient(self, other, rounding_mode))
    if not any(isinstance(a, Tensor) and category(a._array.dtype) >= 2 for a in (self, other)):
        self = floated(self) if isinstance(self, Tensor) else self
        other = floated(other) if isinstance(other, Tensor) else other
    return into(out, elementwise(np.true_divide, self, other, name="DivBackward0"))


def rounded_quotient(self: Any, other: Any, mode: str) -> Any:
    if mode not in ("floor", "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'"
        )
    if is_complex(self, other):
        raise RuntimeError(f"div_{mode} not implemented for complex tensors.")
    check_divisor(self, other)
    made = stepped(
        zero_slope("DivBackward3"), np.floor_divide if mode == "floor" else truncated, self, other
    )
    pairs = [(a, b) for a, b in ((self, other), (other, self)) if isinstance(a, Tensor)]
    return guarded(made, *(a for a, b in pairs if a is other or getattr(b, "requires_grad", False)))


def check_divisor(self: Any, other: Any) -> None:
    """Refuse a division of whole numbers by zero."""
    kind = result_type([a._array if isinstance(a, Tensor) else a for a in (self, other)])
    if kind.kind not in "biu":
        return
    zero = as_array(other._array if isinstance(other, Tensor) else other) == 0
    if np.size(self._array if isinstance(self, Tensor) else self) and somewhere(zero):
        raise RuntimeError("ZeroDivisionError")


def truncated(a: Any, b: Any) -> Any:
    """The quotient without its fraction, exact for integers."""
    if np.result_type(a, b).kind == "f":
        return np.trunc(np.true_divide(a, b))
    q = np.floor_divide(a, b)
    return q + ((q < 0) & (q * b != a))


@method(write=True)
def floor_divide(self: Any, other: Any) -> Any:
    check_divisor(self, other)
    return stepped(no_derivative("floor_divide"), np.floor_divide, self, other)


@method(write=True)
def pow(self: Any, exponent: Any) -> Any:
    kind = 0 if not isinstance(exponent, Tensor) else 1 if isinstance(self, Tensor) else 2
    whole = isinstance(self, Tensor) and category(self._array.dtype) < 2
    if whole and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    made = elementwise(linear.power, self, exponent, name=f"PowBackward{kind}")
    if not kind:
        return made
    reads = (exponent, made) if kind == 1 else (exponent,)
    return guarded(attributed(made, exponent=exponent), *reads)


@method(write=True)
def square(self: Any) -> Any:
    return pow(self, 2)


@method(write=True)
def rsqrt(self: Any) -> Any:
    return elementwise(np.reciprocal, elementwise(np.sqrt, floated(self)), name="RsqrtBackward0")


@method(write=True)
def sigmoid(self: Any) -> Any:
    if self._array.dtype.kind == "c":
        return ((-self).exp() + 1).reciprocal()
    return elementwise(linear.sigmoid, floated(self), name="SigmoidBackward0")


@method(write=True)
def relu(self: Any) -> Any:
    not_bool(self, "Boolean inputs not supported for relu")
    refuse_complex("relu", self)
    return elementwise(linear.relu, self, name="ReluBackward0")


@method
def clamp(self: Any, min: Any = None, max: Any = None) -> Any:
    """Held between two bounds; at a bound the gradient passes."""
    if min is None and max is None:
        raise RuntimeError("retrograd.clamp: At least one of 'min' or 'max' must not be None")
    refuse_complex("clamp", self, min, max)
    made = self
    for bound, is_beyond in ((min, COMPARISONS["lt"]), (max, COMPARISONS["gt"])):
        if bound is None:
            continue
        given = [x._array if isinstance(x, Tensor) else x for x in (made, bound)]
        made = cast(made, result_type(given))
        beyond = elementwise(is_beyond, made, bound)
        if isinstance(bound, Tensor):  # one that is NaN is no bound
            beyond = beyond | (bound != bound)
        made = where(beyond, bound, made)
    return guarded(made, self, min, max)


def clamp_(self: Any, min: Any = None, max: Any = None) -> Any:
    """`clamp` in place."""
    check_leaf(self, (min, max))
    bounds = [x._array if isinstance(x, Tensor) else x for x in (min, max) if x is not None]
    kind = result_type([self._array, *bounds])
    shapes = [self._array.shape, *map(np.shape, bounds)]
    refused = sizes_text(shapes)
    if refused is None and (whole := np.broadcast_shapes(*shapes)) != self._array.shape:
        refused = (
            f"output with shape {list(self.shape)} doesn't match the broadcast shape {list(whole)}"
        )
    if refused is not None:
        raise RuntimeError(refused)
    if category(kind) > category(self._array.dtype):
        tensors = any(isinstance(x, Tensor) for x in (min, max))
        raise RuntimeError(
            f"result type {of(kind).letter} can't be cast to the desired output type "
            + (self.dtype.letter if tensors else c_name(self.dtype))
        )
    return in_place(self, lambda old: clamp(old, min, max), reads=(min, max))


Tensor.clamp_ = FUNCTIONS["clamp_"] = clamp_
alias("clip", "clamp")


@method(write=True)
def round(self: Any, *, decimals: int = 0) -> Any:
    kind = zero_slope("RoundBackward1" if decimals else "RoundBackward0")
    return stepped(kind, lambda x: np.round(x, decimals), self)


@function
def where(condition: Any, self: Any = None, other: Any = None) -> Any:
    """Entries of one tensor or the other; with the condition alone, its indices."""
    if self is None:
        return tuple(wrapped(k) for k in np.nonzero(condition._array))
    if condition._array.dtype.kind != "b" and condition._array.dtype != np.uint8:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.letter}"
        )
    kinds = [a for a in (self, other) if isinstance(a, Tensor)]
    if len(kinds) == 2 and kinds[0]._array.dtype != kinds[1]._array.dtype:
        kind = result_type([a._array for a in kinds])
        self, other = cast(self, kind), cast(other, kind)
    elif len(kinds) == 1:
        kind = result_type([a._array if isinstance(a, Tensor) else a for a in (self, other)])
        self, other = cast(self, kind), cast(other, kind)
    return attributed(
        plain(np.where, condition, self, other, name="WhereBackward0"), condition=condition
    )


def abs_(self: Any) -> Any:
    """`abs` in place."""
    check_leaf(self)
    if self._array.dtype.kind == "c":
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    return in_place(self, FUNCTIONS["abs"])


Tensor.abs_ = FUNCTIONS["abs_"] = abs_
Tensor.where = lambda self, condition, other: where(condition, self, other)


@method(write=True)
def masked_fill(self: Any, mask: Any, value: Any) -> Any:
    if mask._array.dtype.kind != "b":
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {c_name(mask.dtype)}"
        )
    is_tensor = isinstance(value, Tensor)
    kind = self._array.dtype
    filler = value.to(self.dtype) if is_tensor else wrapped(array_beside(self._array, value, kind))
    return plain(np.where, mask, filler, self, name="MaskedFillBackward0")


@method
def isclose(
    self: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    check_one_place(self, other)
    a, b = self._array, other._array
    if a.dtype != b.dtype:
        raise RuntimeError(f"{self.dtype.letter} did not match {other.dtype.letter}")
    if (refused := sizes_text([a.shape, b.shape])) is not None:
        raise RuntimeError(refused)
    return wrapped(as_array(np.isclose(a, b, rtol, atol, equal_nan)))


@method
def allclose(
    self: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    return bool(isclose(self, other, rtol, atol, equal_nan)._array.all())


@method
def equal(self: Any, other: Any) -> bool:
    check_one_place(self, other)
    return self.shape == other.shape and bool(np.array_equal(self._array, other._array))
