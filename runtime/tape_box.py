"""The box around a value that is being differentiated: every operation on it is dispatched.

It answers as the array or number in it would, and refuses what would cut the derivative off.
"""

from __future__ import annotations

import operator
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import linear
from .errors import TapeError
from .tape_dispatch import KIND, Level, apply, has_boxes, name_of, raw
from .tape_zero import is_zero

__all__ = ["Box"]

PASSIVE = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "is_integer")
WRITERS = {"sort", "put", "partition", "resize", "setfield", "byteswap", "setflags", "itemset"}
WRITING = {np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal}


class Box:
    """A value of one level; ``_mark`` is what the level knows of its derivative (None: none).

    ``_value`` is never changed in place while anything else may hold it: a write makes a new
    version (`tape_writes`).  ``_group`` are weak references to the boxes that share its memory.
    """

    __slots__ = (
        "__weakref__", "_escaped", "_given", "_group", "_level", "_mark", "_own", "_part", "_pending",
        "_value",
    )  # fmt: skip

    def __init__(self, level: Level, value: Any, mark: Any = None, given: str = "") -> None:
        self._level, self._value, self._mark, self._given = level, value, mark, given
        self._group: list[weakref.ref[Box]] = []
        self._own = self._escaped = False
        self._part: Any = None  # of a view: (weak reference to the box, index)
        self._pending: Any = None  # what was added to a part of it, and is not stored yet

    # -- bookkeeping -----------------------------------------------------------------

    def _read(self) -> None:
        """Somebody may keep the value from now on."""
        if self._pending is not None:
            raise TapeError(
                "a view of this array was written to in place; write `x[i] += v` in one statement, "
                "or copy the view before"
            )
        self._own = False

    def _share(self, other: Box) -> None:
        found = [self, other, *self._sharers(), *other._sharers()]
        group = [weakref.ref(box) for box in {id(box): box for box in found}.values()]
        for box in found:
            box._group = group

    def _sharers(self) -> list[Box]:
        return [box for ref in self._group if (box := ref()) is not None and box is not self]

    # -- what it says it is ------------------------------------------------------------

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        """``isinstance(x, np.ndarray)`` decides as it does outside of the tape."""
        return type(raw(self))

    @__class__.setter
    def __class__(self, kind: Any) -> None:  # pragma: no cover
        raise TypeError("the class of a box is that of its value")

    def __repr__(self) -> str:
        return repr(raw(self))  # a list of boxes is printed as the list it stands for

    def __str__(self) -> str:
        return str(raw(self))

    def __format__(self, spec: str) -> str:
        return format(raw(self), spec)

    # -- leaving the tape --------------------------------------------------------------

    def _stop_gradient(self) -> Any:
        return apply(linear.stop_gradient, (self,), {})

    def _leave(self, what: str) -> Any:
        if any_mark(self):
            raise TapeError(
                f"{what} would cut off the derivative of a value that is being differentiated; use "
                "NumPy functions and operators on it, or rg.stop_gradient if that is meant"
            )
        self._escaped = True
        return raw(self)

    def __float__(self) -> float:
        return float(self._leave("float(x), or a function of `math`,"))

    def __complex__(self) -> complex:
        return complex(self._leave("complex(x)"))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self._leave("making a plain array of it"), dtype=dtype)

    def __int__(self) -> int:
        return int(raw(self))

    def __index__(self) -> int:
        return operator.index(raw(self))

    def __bool__(self) -> bool:
        return bool(raw(self))

    def __len__(self) -> int:
        return len(raw(self))

    def __trunc__(self) -> int:
        return int(raw(self))

    def __floor__(self) -> int:
        return int(raw(self).__floor__())

    def __ceil__(self) -> int:
        return int(raw(self).__ceil__())

    def __iter__(self) -> Iterator[Any]:
        iter(raw(self))
        return (self[k] for k in range(len(self)))

    def __contains__(self, item: Any) -> bool:
        return raw(item) in raw(self)

    def __hash__(self) -> int:
        raise TapeError(
            "a value that is being differentiated is put into a set, or is a key: use a list, or "
            "rg.stop_gradient if its derivative is not wanted"
        )

    def __reduce__(self) -> Any:
        raise TapeError("a value that is being differentiated cannot be pickled or copied that way")

    def __copy__(self) -> Any:
        return self.copy() if isinstance(raw(self), np.ndarray) else self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    # -- NumPy's protocols -------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        op = ufunc if method == "__call__" else getattr(ufunc, method)
        if kwargs.get("out") is not None or method == "at":
            raise TapeError(f"{name_of(op)} would write into an array; use its result instead")
        kwargs.pop("out", None)
        return apply(op, args, kwargs)

    def __array_function__(self, func: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        if func in WRITING or has_boxes(kwargs.get("out")):
            raise TapeError(f"{name_of(func)} would write into an array; use its result instead")
        return apply(func, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = raw(self)
        if name in PASSIVE:
            return getattr(value, name)
        if name in WRITERS:
            raise TapeError(f"x.{name}() would write into an array; use the form that returns one")
        if name == "tobytes":
            self._leave("x.tobytes()")
        if name == "fill":
            return lambda v: self.__setitem__(Ellipsis, v)
        descriptor = getattr(np.ndarray, name, None)
        if descriptor is None or not hasattr(value, name):
            found = getattr(value, name)
            self._leave(f"x.{name}")
            return found
        if isinstance(descriptor, types.GetSetDescriptorType):
            return apply(descriptor, (self,), {})
        return method(self, descriptor)

    def __getitem__(self, index: Any) -> Any:
        made = apply(operator.getitem, (self, index), {})
        if type(made) is Box and made._group:
            made._part = (weakref.ref(self), index)
        return made

    def __setitem__(self, index: Any, value: Any) -> None:
        from .tape_writes import write

        write(self, index, value)

    def __delitem__(self, index: Any) -> None:
        raise TypeError("cannot delete array elements")

    def __round__(self, digits: int | None = None) -> Any:
        return apply(round, (self,) if digits is None else (self, digits), {})


KIND[0] = Box


def any_mark(value: Any) -> bool:
    while type(value) is Box:
        if value._mark is not None:
            return True
        value = value._value
    return False


def method(box: Box, descriptor: Any) -> Callable[..., Any]:
    """``x.sum`` as a function."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if has_boxes(kwargs.get("out")):
            raise TapeError(f"x.{descriptor.__name__} would write into an array")
        return apply(descriptor, (box, *args), kwargs)

    return call


# -- operators -----------------------------------------------------------------------------

BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow,
    "matmul": operator.matmul, "divmod": divmod,
}  # fmt: skip
COMPARE = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq,
    "ne": operator.ne,
}  # fmt: skip
UNARY = {"neg": operator.neg, "pos": operator.pos, "abs": operator.abs}


def binary(op: Any, flip: bool) -> Callable[[Any, Any], Any]:
    def call(self: Any, other: Any) -> Any:
        if is_zero(other) or isinstance(raw(other), (str, bytes, type(None))):
            return NotImplemented
        if type(other) in (list, tuple):
            other = apply(np.array, (other,), {})
        return apply(op, (other, self) if flip else (self, other), {})

    return call


def unary(op: Any) -> Callable[[Any], Any]:
    return lambda self: apply(op, (self,), {})


def in_place(op: Any) -> Callable[[Any, Any], Any]:
    def call(self: Any, other: Any) -> Any:
        from .tape_writes import update

        return update(self, op, other)

    return call


for name, op in BINARY.items():
    setattr(Box, f"__{name}__", binary(op, flip=False))
    setattr(Box, f"__r{name}__", binary(op, flip=True))
    if name != "divmod":
        setattr(Box, f"__i{name}__", in_place(op))
for name, op in COMPARE.items():
    setattr(Box, f"__{name}__", binary(op, flip=False))
for name, single in UNARY.items():
    setattr(Box, f"__{name}__", unary(single))
