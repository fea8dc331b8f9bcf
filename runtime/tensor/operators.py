"""Operators of tensors: infix, comparisons, constants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .funnel import elementwise, in_place
from .pointwise import COMPARISONS, add, check_subtraction, div, floor_divide, mul, pow, sub
from .registry import FUNCTIONS
from .tensor import Tensor, wrapped

__all__: list[str] = []


def operand(value: Any) -> bool:
    return isinstance(value, (Tensor, int, float, complex, np.ndarray, np.generic))


def infix(name: str, fn: Any) -> None:
    def forward(self: Tensor, other: Any) -> Any:
        return fn(self, taken(other)) if operand(other) else NotImplemented

    def backward(self: Tensor, other: Any) -> Any:
        return fn(taken(other), self) if operand(other) else NotImplemented

    def write(self: Tensor, other: Any) -> Any:
        return in_place(self, fn, taken(other))

    setattr(Tensor, f"__{name}__", forward)
    setattr(Tensor, f"__r{name}__", backward)
    setattr(Tensor, f"__i{name}__", write)


def taken(other: Any) -> Any:
    return wrapped(np.asarray(other)) if isinstance(other, (np.ndarray, np.generic)) else other


def rsub(other: Any, self: Any) -> Any:
    check_subtraction(self, other)
    return elementwise(np.subtract, other, self, name="RsubBackward1")


for _name, _fn in {
    "add": add,
    "sub": sub,
    "mul": mul,
    "truediv": div,
    "pow": pow,
    "mod": FUNCTIONS["remainder"],
    "floordiv": floor_divide,
    "and": FUNCTIONS["bitwise_and"],
    "or": FUNCTIONS["bitwise_or"],
    "xor": FUNCTIONS["bitwise_xor"],
}.items():
    infix(_name, _fn)
Tensor.__rsub__ = lambda self, other: rsub(taken(other), self) if operand(other) else NotImplemented
Tensor.__rtruediv__ = lambda self, other: (
    mul(self.reciprocal(), taken(other)) if operand(other) else NotImplemented
)
Tensor.__neg__ = FUNCTIONS["neg"]
Tensor.__pos__ = lambda self: self
Tensor.__abs__ = FUNCTIONS["abs"]
Tensor.__invert__ = FUNCTIONS["bitwise_not"]
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):

    def _compare(self: Tensor, other: Any, _fn: Any = COMPARISONS[_name]) -> Any:
        return elementwise(_fn, self, taken(other)) if operand(other) else NotImplemented

    setattr(Tensor, f"__{_name}__", _compare)

for _name in ("pi", "e", "inf", "nan"):
    FUNCTIONS[_name] = getattr(math, _name)
FUNCTIONS["newaxis"] = None
