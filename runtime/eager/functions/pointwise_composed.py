"""Elementwise functions that are made of those of `pointwise`, and second names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.transfers import array_beside
from ...batching.batched_array import as_array
from ..graph.record_call import cast, elementwise, guarded, plain
from ..tensor.dtypes import c_name, category, default, known, result_type
from ..tensor.out_argument import into, refuse_out
from ..tensor.registry import FUNCTIONS, alias, function, method, writing
from ..tensor.shape_errors import sizes_text
from ..tensor.tensor import Tensor, wrapped
from ..tensor.transfers import check_one_place
from .pointwise import (
    binary,
    check_real,
    clamp,
    clamp_,
    floated,
    is_complex,
    pow,
    scaled,
    unary,
    where,
)

__all__: list[str] = []


def present(name: str, before: Any) -> None:
    """The extreme of what is no NaN; of two equal ones the first has the gradient."""

    def apply(self: Any, other: Any, *, out: Any = None) -> Any:
        refuse_out(name, out, self, other)
        check_real(name, self, other)
        check_one_place(self, other)
        refused = sizes_text(
            [np.shape(a._array if isinstance(a, Tensor) else a) for a in (self, other)]
        )
        if refused is not None:
            raise RuntimeError(refused)
        a, b = (x._array if isinstance(x, Tensor) else x for x in (self, other))
        kind = result_type([a, b])
        with np.errstate(invalid="ignore"):
            first = wrapped(as_array(before(a, b) | (np.not_equal(b, b))))
        made = plain(
            np.where, first, cast(self, kind), cast(other, kind), name=f"{name.title()}Backward0"
        )
        return into(out, guarded(made, self, other))

    apply.__name__ = apply.__qualname__ = name
    method(apply, write=True)


present("fmax", np.greater_equal)
present("fmin", np.less_equal)

for _new, _old in {
    "multiply": "mul", "divide": "div", "true_divide": "div", "subtract": "sub",
}.items():  # fmt: skip
    alias(_new, _old)

unary("sgn", np.sign)
unary("isposinf", np.isposinf)
unary("isneginf", np.isneginf)
unary("isreal", np.isreal)
binary("heaviside", np.heaviside)
binary("nextafter", np.nextafter)
for _name, _fn in {
    "gcd": np.gcd, "lcm": np.lcm, "bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift,
}.items():  # fmt: skip
    binary(_name, _fn)


@method
def float_power(self: Any, exponent: Any) -> Any:
    """The power in double precision."""
    kind = np.dtype(np.complex128 if is_complex(self, exponent) else np.float64)
    return pow(*(a.to(known[kind]) if isinstance(a, Tensor) else a for a in (self, exponent)))


writing("float_power", FUNCTIONS["float_power"])


def check_same(self: Any, what: str, other: Any) -> None:
    if isinstance(other, Tensor) and other._array.dtype != self._array.dtype:
        raise RuntimeError(
            f"expected dtype {c_name(self.dtype)} for `{what}` but got dtype {c_name(other.dtype)}"
        )


def check_sizes(*args: Any) -> None:
    refused = sizes_text([a._array.shape for a in args if isinstance(a, Tensor)])
    if refused is not None:
        raise RuntimeError(refused)


@method(write=True)
def lerp(self: Any, end: Any, weight: Any) -> Any:
    """From one tensor (at 0) to the other (at 1), counted from the nearer one."""
    check_same(self, "end", end)
    if not isinstance(weight, Tensor) or weight._array.ndim:
        check_same(self, "weight", weight)
    check_sizes(self, end, weight)
    if isinstance(weight, Tensor):
        made = self + weight * (end - self)
        ends = (self, end) if weight.requires_grad else ()
        return guarded(made, *ends, *([weight] if self.requires_grad or end.requires_grad else []))
    way = end - self
    return end - scaled(way, 1 - weight) if abs(weight) >= 0.5 else self + scaled(way, weight)


@method(write=True)
def addcmul(self: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    check_sizes(self, tensor1, tensor2)
    if isinstance(value, float) and category(self._array.dtype) >= 2:
        tensor1 = tensor1.to(self.dtype) if category(tensor1._array.dtype) < 2 else tensor1
    return self + scaled(tensor1 * tensor2, value)


@method(write=True)
def addcdiv(self: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    if category(tensor1._array.dtype) < 2 and category(tensor2._array.dtype) < 2:
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as "
            "(input + value * retrograd.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + "
            "value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: "
            "(input + value * tensor1 / tensor2), for all dtypes."
        )
    check_sizes(self, tensor1, tensor2)
    kind = known[result_type([x._array for x in (self, tensor1, tensor2)])]
    return self + scaled(tensor1.to(kind) / tensor2, value)


@method(write=True)
def ldexp(self: Any, other: Any) -> Any:
    """``self`` times two to the power ``other``."""
    return self * 2.0**other


@method(write=True)
def frac(self: Any) -> Any:
    return self - self.trunc()


@method(write=True)
def logit(self: Any, eps: float | None = None) -> Any:
    x = floated(self)
    x = x if eps is None else clamp(x, eps, 1 - eps)
    odds = elementwise(np.true_divide, x, 1 - x, name="OddsBackward0")  # x may be written to
    return guarded(odds.log(), self)


@method
def clamp_min(self: Any, min: Any) -> Any:
    return clamp(self, min)


@method
def clamp_max(self: Any, max: Any) -> Any:
    return clamp(self, None, max)


Tensor.clamp_min_ = FUNCTIONS["clamp_min_"] = lambda self, min: clamp_(self, min)
Tensor.clamp_max_ = FUNCTIONS["clamp_max_"] = lambda self, max: clamp_(self, None, max)


@method(write=True)
def nan_to_num(self: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    return plain(
        np.nan_to_num, self, nan=nan or 0.0, posinf=posinf, neginf=neginf, name="NanToNumBackward0"
    )


@method(write=True)
def xlogy(self: Any, other: Any) -> Any:
    """``self * log(other)``, zero where ``self`` is."""
    kinds = [a for a in (self, other) if isinstance(a, Tensor)]
    near = kinds[0]._array
    x, y = (a if isinstance(a, Tensor) else wrapped(array_beside(near, a)) for a in (self, other))
    if len(kinds) == 1 and not isinstance(self, Tensor):
        x = cast(x, floated(kinds[0])._array.dtype)
    elif len(kinds) == 1:
        y = cast(y, floated(kinds[0])._array.dtype)
    check_sizes(x, y)
    kind = result_type([x._array, y._array])
    kind = kind if category(kind) >= 2 else default()
    x, y = cast(x, kind), cast(y, kind)
    nothing = (x._array == 0) & (y._array <= 0)
    return guarded(x * where(wrapped(nothing), 1.0, y).log(), self, other)


@method(write=True)
def mvlgamma(self: Any, p: int) -> Any:
    """The logarithm of the multivariate gamma function."""
    shifts = [FUNCTIONS["lgamma"](self - j / 2) for j in range(p)]
    return guarded(sum(shifts[1:], shifts[0]) + p * (p - 1) / 4 * math.log(math.pi), self)


@function
def view_as_real(input: Any) -> Any:
    """The two parts of complex numbers along a new last axis (a copy)."""
    if input._array.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    return FUNCTIONS["stack"]([input.real, input.imag], -1)


@function
def view_as_complex(input: Any) -> Any:
    """Complex numbers of the two entries along the last axis (a copy)."""
    if input._array.dtype.kind != "f":
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of "
            f"scalar type: {input.dtype.letter}"
        )
    if input._array.shape[-1:] != (2,):
        raise RuntimeError("Tensor must have a last dimension of size 2")
    return FUNCTIONS["complex"](input[..., 0], input[..., 1])
