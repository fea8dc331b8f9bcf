"""Operators of tensors: infix, comparisons, constants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.libraries import is_cupy
from ...batching.batched_array import as_array
from ..fast_path.operand_calls import binary_way, operand_calls, reflected_way
from ..graph.grad_mode import modes
from ..graph.record_call import elementwise, in_place
from ..graph.tangents import levels
from ..tensor.overrides import operator_asked
from ..tensor.registry import FUNCTIONS
from ..tensor.tensor import Tensor, wrapped
from . import pointwise_composed  # noqa: F401  (its functions are entered)
from .pointwise import COMPARISONS, add, check_subtraction, div, floor_divide, mul, pow, sub

__all__ = ["taken"]


def operand(value: Any) -> bool:
    return isinstance(value, (Tensor, int, float, complex, np.ndarray, np.generic)) or is_cupy(
        value
    )


def infix(name: str, fn: Any, numpy: Any = None, node: str = "") -> None:
    """An operator: ``numpy``, recorded as ``node``, where its operands let it go the short way."""

    def forward(self: Any, other: Any) -> Any:
        return fn(self, taken(other, self)) if operand(other) else operator_asked(fn, self, other)

    def reflected(other: Any, self: Any) -> Any:
        if operand(other):
            return fn(taken(other, self), self)
        own = fn if name in ("add", "mul") else getattr(Tensor, f"__r{name}__")
        return operator_asked(own, self, other)

    calls = operand_calls(numpy, node) if node else None
    first = forward if calls is None else binary_way(calls, forward)
    second = reflected if calls is None else reflected_way(calls, reflected)

    def write(self: Tensor, other: Any) -> Any:
        if not operand(other):
            return operator_asked(getattr(Tensor, f"{fn.__name__}_"), self, other)
        return in_place(self, fn, taken(other, self))

    setattr(Tensor, f"__{name}__", first)
    setattr(Tensor, f"__r{name}__", lambda self, other: second(other, self))
    setattr(Tensor, f"__i{name}__", write)


def taken(other: Any, *beside: Any) -> Any:
    """An operand as a tensor; an array is copied where the way back may read it: nobody counts its writes."""
    if not isinstance(other, (np.ndarray, np.generic)):
        return wrapped(other.copy()) if is_cupy(other) else other
    read = modes.grad and any(
        isinstance(one, Tensor) and (one.requires_grad or levels.current >= 0) for one in beside
    )
    return wrapped(np.array(other) if read else as_array(other))


def rsub(other: Any, self: Any) -> Any:
    check_subtraction(self, other)
    return elementwise(np.subtract, other, self, name="RsubBackward1")


infix("add", add, np.add, "AddBackward0")
infix("sub", sub, np.subtract, "SubBackward0")
infix("mul", mul, np.multiply, "MulBackward0")
infix("truediv", div, np.true_divide, "DivBackward0")
for _name, _fn in {
    "pow": pow,
    "mod": FUNCTIONS["remainder"],
    "floordiv": floor_divide,
    "and": FUNCTIONS["bitwise_and"],
    "or": FUNCTIONS["bitwise_or"],
    "xor": FUNCTIONS["bitwise_xor"],
    "lshift": FUNCTIONS["bitwise_left_shift"],
    "rshift": FUNCTIONS["bitwise_right_shift"],
}.items():
    infix(_name, _fn)
Tensor.__rsub__ = lambda self, other: (
    rsub(taken(other, self), self)
    if operand(other)
    else operator_asked(Tensor.__rsub__, self, other)
)
Tensor.__rtruediv__ = lambda self, other: (
    mul(self.reciprocal(), taken(other, self))
    if operand(other)
    else operator_asked(Tensor.__rtruediv__, self, other)
)
for _name in ("sub", "pow", "mod", "floordiv", "and", "or", "xor", "lshift", "rshift"):
    getattr(Tensor, f"__r{_name}__").__name__ = f"__r{_name}__"
Tensor.__rtruediv__.__name__ = "__rdiv__"
Tensor.__neg__ = FUNCTIONS["neg"]
Tensor.__pos__ = lambda self: self
Tensor.__abs__ = FUNCTIONS["abs"]
Tensor.__invert__ = FUNCTIONS["bitwise_not"]
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):

    def _compare(self: Tensor, other: Any, _fn: Any = COMPARISONS[_name], _own: str = _name) -> Any:
        if operand(other):
            return elementwise(_fn, self, taken(other))
        return operator_asked(getattr(Tensor, _own), self, other)

    setattr(Tensor, f"__{_name}__", _compare)

for _name in ("pi", "e", "inf", "nan"):
    FUNCTIONS[_name] = getattr(math, _name)
FUNCTIONS["newaxis"] = None
