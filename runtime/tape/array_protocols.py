"""NumPy's protocols, the subscripts and the attributes of arrays on boxes: each is an operation, or a write."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..arrays.transfers import is_ndarray
from ..batching import batched_array
from ..errors import TapeError
from ..helpers import linear
from ..replacements.distinct_values import unique, with_places
from . import writes
from .box import Box, answers, has_boxes, raw
from .dispatch import apply, name_of
from .operators import is_direct

__all__: list[str] = []

PASSIVE = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "is_integer", "strides", "flags")
WRITERS = {"resize", "setfield", "byteswap", "setflags", "itemset"}
MEMORY = {"data", "base", "ctypes"}


@answers("_stop_gradient")
def stopped(self: Any) -> Any:
    return apply(linear.stop_gradient, (self,), {})


@answers("__array_ufunc__")
def array_ufunc(self: Any, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
    for other in filter(lambda a: not is_direct(a), args):
        asked = getattr(type(other), "__array_ufunc__", None)
        if asked not in (None, np.ndarray.__array_ufunc__):
            return NotImplemented  # it asks that object
        if is_foreign(other):
            raise TapeError(
                f"np.{ufunc.__name__} of a {type(other).__name__}; write the operator, which asks the object"
            )
    op = ufunc if method == "__call__" else getattr(ufunc, method)
    if method == "at":
        return writes.accumulated(ufunc, *args, **kwargs)
    out = kwargs.pop("out", None)
    if out is None or all(target is None for target in out):
        return apply(op, args, kwargs)
    if len(out) > 1 or kwargs.get("where", True) is not True:
        raise TapeError(f"{name_of(op)} would write into an array; use its result instead")
    return writes.filled(op, args, kwargs, out[0])


def is_foreign(value: Any) -> bool:
    """True if NumPy takes a value for an object, whose own operators compute."""
    if (
        value is None
        or batched_array.is_array(value)
        or isinstance(value, (str, slice, list, tuple, int, float, complex))
    ):
        return False
    return np.asarray(value).dtype == object


@answers("__array_function__")
def array_function(self: Any, func: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
    if func in writes.WRITING:
        return writes.WRITING[func](*args, **kwargs)
    if func is np.nan_to_num and kwargs.get("copy", True) is not True:
        return writes.nan_to_num(*args, **kwargs)
    if has_boxes(kwargs.get("out")):
        rest = {k: v for k, v in kwargs.items() if k != "out"}
        return writes.filled(func, args, rest, kwargs["out"])
    if func is np.unique and (len(args) > 1 or kwargs):
        return distinct(args, kwargs)
    return apply(func, args, kwargs)


def distinct(args: Any, kwargs: Any) -> Any:
    """``np.unique`` with places, which the numbers tell."""
    given = inspect.signature(unique).bind(*args, **kwargs)
    given.apply_defaults()
    ar, *asked, axis, equal_nan, _ = given.arguments.values()
    return with_places(ar, linear.distinct_places(raw(ar), axis, equal_nan), asked, axis)


@answers("__getitem__")
def item(self: Any, index: Any) -> Any:
    return apply(operator.getitem, (self, index), {})


@answers("__setitem__")
def set_item(self: Any, index: Any, value: Any) -> None:
    if not is_ndarray(raw(self)):  # a program may ask so what it was given
        raise TypeError(f"{type(raw(self)).__name__!r} object does not support item assignment")
    writes.write(self, index, value)


@answers("__iter__")
def items(self: Any) -> Iterator[Any]:
    iter(raw(self))
    return (self[k] for k in range(len(self)))


@answers("__copy__")
def copied(self: Any) -> Any:
    return self.copy() if isinstance(raw(self), np.ndarray) else self


@answers("__deepcopy__")
def copied_with(self: Any, memo: Any) -> Any:
    return copied(self)


@answers("__round__")
def rounded(self: Any, digits: int | None = None) -> Any:
    return apply(round, (self,) if digits is None else (self, digits), {})


# -- attributes and methods of arrays ---------------------------------------------------------


@answers("__getattr__")
def attribute(self: Any, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    value = raw(self)
    if name in PASSIVE:
        return getattr(value, name)
    descriptor = getattr(np.ndarray, name, None)
    if descriptor is None or not hasattr(value, name):
        found = getattr(value, name)
        self._leave(f"x.{name}")
        return found
    if isinstance(value, np.ndarray):
        written = writer(self, name)
        if written is not None:
            return written
    if name == "tobytes":
        self._leave("x.tobytes()")
    if name == "astype":
        return functools.partial(astype, self)
    if isinstance(descriptor, types.GetSetDescriptorType):
        return apply(descriptor, (self,), {})
    return method(self, descriptor)


def astype(self: Any, dtype: Any, *args: Any, **kwargs: Any) -> Any:
    if np.dtype(dtype).kind not in "biufc":
        self._leave(f"x.astype({np.dtype(dtype).name})")
    return apply(np.ndarray.astype, (self, dtype, *args), kwargs)


def writer(box: Box, name: str) -> Any:
    """An attribute, on the tape, that gives or writes the memory of an array."""
    if name in MEMORY:
        raise TapeError(f"x.{name} is the memory of a value that is being differentiated")
    if name in WRITERS:
        raise TapeError(f"x.{name}() would write into an array; use the form that returns one")
    if name == "flat":
        return writes.Flat(box)
    write = writes.METHODS.get(name)
    return None if write is None else lambda *args, **kwargs: write(box, *args, **kwargs)


def method(box: Box, descriptor: Any) -> Callable[..., Any]:
    """``x.sum`` as a function."""

    def call(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        if out is None:
            return apply(descriptor, (box, *args), kwargs)
        return writes.filled(descriptor, (box, *args), kwargs, out)

    return call


def set_in_place(name: str) -> property:
    """An attribute of an array that a program may set."""
    return property(
        lambda box: attribute(box, name), lambda box, value: writes.part_set(box, name, value)
    )


for name in ("real", "imag", "flat", "shape", "dtype", "strides"):
    setattr(Box, name, set_in_place(name))
