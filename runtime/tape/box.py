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

from ..errors import TapeError
from ..helpers import linear
from .box_text import Text
from .dispatch import KIND, Level, apply, has_boxes, name_of, raw

__all__ = ["Box"]

PASSIVE = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "is_integer", "strides", "flags")
WRITERS = {"resize", "setfield", "byteswap", "setflags", "itemset"}
MEMORY = {"data", "base", "ctypes"}


class Box:
    """A value of one level; ``_mark`` is what the level knows of its derivative (None: none).

    ``_value`` is never changed in place while anything else may hold it: a write makes a new
    version (`tape_writes`).  ``_view`` says whose memory it shows, and ``_views`` are weak references
    to those that show its own (`tape_views`); ``_apart``: no other memory is shown.
    """

    __slots__ = (
        "__weakref__", "_apart", "_given", "_level", "_mark", "_own", "_value", "_view", "_views",
    )  # fmt: skip

    def __init__(self, level: Level, value: Any, mark: Any = None, given: str = "") -> None:
        self._level, self._value, self._mark, self._given = level, value, mark, given
        self._own, self._apart = False, True
        self._view: Any = None
        self._views: Any = None

    # -- bookkeeping -----------------------------------------------------------------

    def _read(self) -> None:
        """Somebody may keep the value from now on."""
        self._own = False

    def _snapshot(self) -> Box:
        """A box of what this one holds now, whatever is written to it later."""
        self._read()
        return Box(self._level, self._value, self._mark)

    # -- what it says it is ------------------------------------------------------------

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        """``isinstance(x, np.ndarray)`` decides as it does outside of the tape."""
        return type(raw(self))

    @__class__.setter
    def __class__(self, kind: Any) -> None:  # pragma: no cover
        raise TypeError("the class of a box is that of its value")

    def __repr__(self) -> str:
        return self._spoken(repr(raw(self)))  # a list of boxes is printed as the list it stands for

    def __str__(self) -> str:
        return self._spoken(str(raw(self)))

    def __format__(self, spec: str) -> str:
        return self._spoken(format(raw(self), spec))

    def _spoken(self, text: str) -> str:
        """A text of it, which is printed but does not become a number again."""
        return Text.of(text, weakref.ref(self._level)) if any_mark(self) else text

    # -- leaving the tape --------------------------------------------------------------

    def _stop_gradient(self) -> Any:
        return apply(linear.stop_gradient, (self,), {})

    def _leave(self, what: str) -> Any:
        if any_mark(self):
            error = TapeError(
                f"{what} would cut off the derivative of a value that is being differentiated; use "
                "NumPy functions and operators on it, or rg.stop_gradient if that is meant"
            )
            self._level.refused = self._level.refused or error  # whoever catches it
            raise error
        return raw(self)

    def __float__(self) -> float:
        return float(self._leave("float(x), or a function of `math`,"))

    def __complex__(self) -> complex:
        return complex(self._leave("complex(x)"))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self._leave("making a plain array of it"), dtype=dtype)

    def __hash__(self) -> int:
        """Numbers are keys of dicts and caches, which compare and keep them."""
        return hash(self._leave("a key of a dict, a set or a cache (hash(x))"))

    def __buffer__(self, flags: int) -> Any:  # Python 3.12
        raise TapeError("memoryview(x) is the memory of a value that is being differentiated")

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

    def __reduce__(self) -> Any:
        raise TapeError("a value that is being differentiated cannot be pickled or copied that way")

    def __copy__(self) -> Any:
        return self.copy() if isinstance(raw(self), np.ndarray) else self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    # -- NumPy's protocols -------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        from . import writes
        from .operators import is_direct

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

    def __array_function__(self, func: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        from . import writes

        if func in writes.WRITING:
            return writes.WRITING[func](*args, **kwargs)
        if func is np.nan_to_num and kwargs.get("copy", True) is not True:
            return writes.nan_to_num(*args, **kwargs)
        if has_boxes(kwargs.get("out")):
            rest = {k: v for k, v in kwargs.items() if k != "out"}
            return writes.filled(func, args, rest, kwargs["out"])
        return apply(func, args, kwargs)

    def __getattr__(self, name: str) -> Any:
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
            return self._astype
        if isinstance(descriptor, types.GetSetDescriptorType):
            return apply(descriptor, (self,), {})
        return method(self, descriptor)

    def _astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        if np.dtype(dtype).kind not in "biufc":
            self._leave(f"x.astype({np.dtype(dtype).name})")
        return apply(np.ndarray.astype, (self, dtype, *args), kwargs)

    def __getitem__(self, index: Any) -> Any:
        return apply(operator.getitem, (self, index), {})

    def __setitem__(self, index: Any, value: Any) -> None:
        from .writes import write

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


def is_foreign(value: Any) -> bool:
    """Whether NumPy takes a value for an object, whose own operators compute."""
    if value is None or isinstance(
        value, (str, slice, list, tuple, np.ndarray, int, float, complex)
    ):
        return False
    return np.asarray(value).dtype == object


def writer(box: Box, name: str) -> Any:
    """What an attribute that gives or writes the memory of an array is on the tape."""
    if name in MEMORY:
        raise TapeError(f"x.{name} is the memory of a value that is being differentiated")
    if name in WRITERS:
        raise TapeError(f"x.{name}() would write into an array; use the form that returns one")
    from . import writes

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
        from .writes import filled

        return filled(descriptor, (box, *args), kwargs, out)

    return call


def set_in_place(name: str) -> property:
    """An attribute of an array that a program may set."""

    def set_part(box: Box, value: Any) -> None:
        from .writes import part_set

        part_set(box, name, value)

    return property(lambda box: box.__getattr__(name), set_part)


for name in ("real", "imag", "flat", "shape", "dtype", "strides"):
    setattr(Box, name, set_in_place(name))
