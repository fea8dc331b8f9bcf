"""Operators of boxes: they ask whom Python and NumPy would ask, in the same order.

What stands on the other side may be an object of the user's with operators of its own: a box leaves
to it what the number or array in the box would leave to it.
"""

from __future__ import annotations

import fractions
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.transfers import is_ndarray
from ..batching.batched_array import BatchedArray
from ..errors import TapeError
from .box import Box, boxes_in, raw
from .dispatch import apply
from .writes import update
from .zero_tangent import is_zero

__all__ = ["DIRECT", "defers", "is_direct"]

BINARY: dict[str, tuple[Any, Any]] = {
    "add": (operator.add, np.add), "sub": (operator.sub, np.subtract),
    "mul": (operator.mul, np.multiply), "truediv": (operator.truediv, np.true_divide),
    "floordiv": (operator.floordiv, np.floor_divide), "mod": (operator.mod, np.remainder),
    "pow": (operator.pow, np.power), "matmul": (operator.matmul, np.matmul),
    "divmod": (divmod, np.divmod),
}  # fmt: skip
COMPARE: dict[str, tuple[Any, Any, str]] = {
    "lt": (operator.lt, np.less, "gt"), "le": (operator.le, np.less_equal, "ge"),
    "gt": (operator.gt, np.greater, "lt"), "ge": (operator.ge, np.greater_equal, "le"),
    "eq": (operator.eq, np.equal, "eq"), "ne": (operator.ne, np.not_equal, "ne"),
}  # fmt: skip
UNARY = {"neg": operator.neg, "pos": operator.pos, "abs": operator.abs}
DIRECT = frozenset({bool, int, float, complex, np.ndarray, BatchedArray, Box, fractions.Fraction})
PRIORITY = -1_000_000.0  # of what says nothing, NumPy's scalars too


def defers(memory: Any, other: Any, in_place: bool = False) -> bool:
    """True if an array leaves a binary operation to what stands on its right: NumPy's `binop_should_defer`."""
    kind = type(other)
    asked = getattr(kind, "__array_ufunc__", PRIORITY)
    if asked is not PRIORITY:
        return asked is None and not in_place
    if not in_place and issubclass(kind, type(memory)):
        return False
    own = getattr(memory, "__array_priority__", PRIORITY)
    return bool(own < getattr(other, "__array_priority__", PRIORITY))


def is_direct(other: Any) -> bool:
    """True if the operator is one of numbers and arrays."""
    kind = type(other)
    if kind in DIRECT or kind.__module__.partition(".")[0] in ("scipy", "cupy"):
        return True
    return issubclass(kind, np.generic) and kind.__module__ == "numpy"


def binary(name: str, op: Any, ufunc: Any, mirror: str, flip: bool) -> Callable[[Any, Any], Any]:
    """``__mul__`` and its like; ``mirror``: what the other side has for it."""

    def call(self: Any, other: Any) -> Any:
        if is_zero(other):
            return NotImplemented
        if is_direct(other):
            other = float(other) if type(other) is fractions.Fraction else other
            return apply(op, (other, self) if flip else (self, other), {})
        return foreign(self, other)

    def foreign(self: Any, other: Any) -> Any:
        memory = raw(self)
        kind = type(other)
        if not flip and is_own_subclass(kind, type(memory), mirror):
            return NotImplemented
        if name == "matmul" and not isinstance(memory, np.ndarray):
            return NotImplemented
        if flip and issubclass(kind, float) and isinstance(memory, float) and has_own(kind, mirror):
            return apply(
                op, (plain(other), self), {}
            )  # `float` takes NumPy's numbers, and no boxes
        if isinstance(memory, (float, complex)) and not isinstance(memory, np.generic):
            if not issubclass(kind, (int, float, complex)):
                return NotImplemented
            return apply(op, (plain(other), self) if flip else (self, plain(other)), {})
        if not flip and defers(memory, other):
            return NotImplemented
        return by_numpy(self, other)

    def by_numpy(self: Any, other: Any) -> Any:
        """Does as the ufunc: it asks the object, or takes it for an array."""
        asked = getattr(type(other), "__array_ufunc__", PRIORITY)
        pair = (other, self) if flip else (self, other)
        if asked is None:
            return NotImplemented
        if asked is not PRIORITY and asked is not np.ndarray.__array_ufunc__:
            return other.__array_ufunc__(ufunc, "__call__", *pair)
        if isinstance(other, np.ndarray):  # of another class, and so is what NumPy makes of it
            return apply(op, pair, {})
        held = apply(np.array, (other,), {}) if boxes_in(other) else np.asarray(other)
        if held.dtype != object:
            return apply(op, (held, self) if flip else (self, held), {})
        if isinstance(other, (str, bytes)) or (other is None and name not in COMPARE):
            return NotImplemented
        if name in ("matmul", "divmod"):
            raise TapeError(f"{op.__name__} of an array and a {type(other).__name__}")
        made = each(op, held, self, flip)
        truths = name in COMPARE and isinstance(made, np.ndarray)
        return made.astype(bool) if truths else made

    call.__name__ = f"__{'r' * flip}{name}__"
    return call


def has_own(kind: type, name: str) -> bool:
    """True if an operator of a subclass of `float` is that of `float`."""
    return getattr(kind, name, None) is getattr(float, name, None) is not None


def is_own_subclass(kind: type, own: type, mirror: str) -> bool:
    """True if Python asks the right side first: a subclass that has the reflected method of its own."""
    if kind is own or not issubclass(kind, own):
        return False
    return getattr(kind, mirror, None) is not getattr(own, mirror, None)


def plain(other: Any) -> Any:
    """A number of a subclass of the user's as the number that it is."""
    if isinstance(other, int):
        return int.__int__(other)
    return float.__float__(other) if isinstance(other, float) else complex(other)


def each(op: Any, held: np.ndarray, box: Any, flip: bool) -> Any:
    """The operator element by element, on Python's numbers: an array of objects, or one of them."""
    shape = np.broadcast_shapes(held.shape, np.shape(raw(box)))
    wide = np.broadcast_to(held, shape)
    numbers = apply(np.broadcast_to, (box, shape), {})
    made = np.empty(shape, object)
    for place in np.ndindex(shape):
        number = apply(np.ndarray.item, (numbers[place] if shape else numbers,), {})
        made[place] = op(wide[place], number) if flip else op(number, wide[place])
    return made if shape else made[()]


def unary(op: Any) -> Callable[[Any], Any]:
    return lambda self: apply(op, (self,), {})


def in_place(op: Any, ufunc: Any) -> Callable[[Any, Any], Any]:
    def call(self: Any, other: Any) -> Any:
        memory = raw(self)
        if not is_ndarray(memory):
            return NotImplemented
        if is_direct(other) or type(other) in (list, tuple):
            return update(self, op, other)
        if defers(memory, other, in_place=True):
            return NotImplemented
        asked = getattr(type(other), "__array_ufunc__", PRIORITY)
        if asked is None:
            raise TypeError(f"operand '{type(other).__name__}' does not support ufuncs")
        if asked is not PRIORITY and asked is not np.ndarray.__array_ufunc__:
            return other.__array_ufunc__(ufunc, "__call__", self, other, out=(self,))
        return update(self, op, np.asarray(other))

    return call


for name, (op, ufunc) in BINARY.items():
    setattr(Box, f"__{name}__", binary(name, op, ufunc, f"__r{name}__", flip=False))
    setattr(Box, f"__r{name}__", binary(name, op, ufunc, f"__{name}__", flip=True))
    if name != "divmod":
        setattr(Box, f"__i{name}__", in_place(op, ufunc))
for name, (op, ufunc, mirrored) in COMPARE.items():
    setattr(Box, f"__{name}__", binary(name, op, ufunc, f"__{mirrored}__", flip=False))
for name, single in UNARY.items():
    setattr(Box, f"__{name}__", unary(single))
