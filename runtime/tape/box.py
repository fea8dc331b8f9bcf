"""The box around a value that is being differentiated: what it holds, and what may be asked of it.

It answers as the number or array in it would, and refuses what would cut the derivative off.  What is an
operation on it (operators, NumPy's functions, subscripts, attributes of arrays) is entered by the modules
above (`answers`), which know how operations are recorded.
"""

from __future__ import annotations

import dis
import itertools
import operator
import sys
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..batching import batched_array
from ..errors import TapeError
from ..objects.pytree import LEAVES, children, map_operands
from ..rules.book import Rule
from .box_text import Text

__all__ = [
    "KEPT", "Box", "Level", "answers", "any_mark", "boxes_in", "has_boxes", "is_float", "lowered", "raw",
]  # fmt: skip

IDS = itertools.count(1)
STORE = "STORE_SUBSCR"
KEPT = (
    "a value of a differentiation that has ended was kept (in a global name, an attribute, a closure or a "
    "cache) and is used again; return it from the function instead, or keep rg.stop_gradient of it"
)


class Level:
    """The record of one tape: it knows what to do with an operation on its boxes."""

    ended = False  # its function has returned: what is left of its boxes was kept
    refused: TapeError | None = None  # what would have cut off a derivative
    short: Callable[..., Any] | None = (
        None  # a shorter way: it gives None for what it has no form of
    )

    def __init__(self) -> None:
        self.id = next(IDS)

    def record(self, op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
        """The result of an operation some of whose arguments carry a derivative."""
        raise NotImplementedError

    def constant(self, z: Any) -> Any:
        """A result that carries none; a float array may be written to later, so it is boxed."""
        if type(z) is np.ndarray or is_cupy(z):
            return Box(self, z) if z.dtype.kind in "fc" else z
        if type(z) in (tuple, list) and z:
            return map_operands(lambda leaf: Box(self, leaf) if is_array(leaf) else leaf, z)
        return z


class Box:
    """A value of one level; ``_mark`` is what the level knows of its derivative (None: none).

    ``_value`` is never changed in place while anything else may hold it: a write makes a new
    version (`writes`).  ``_view`` says whose memory it shows, and ``_views`` are weak references
    to those that show its own (`views`); ``_apart``: no other memory is shown.
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
        """``isinstance(x, np.ndarray)`` decides as it does outside of the tape.

        CuPy would take a box for one of its arrays; it asks who is none of them (`__array_ufunc__`).
        """
        value = raw(self)
        return Box if is_cupy(value) else type(value)

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
        if any_mark(self) and is_stored(sys._getframe(1)):
            self._leave("writing it to an array of integers")
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

    def __contains__(self, item: Any) -> bool:
        return raw(item) in raw(self)

    def __reduce__(self) -> Any:
        raise TapeError("a value that is being differentiated cannot be pickled or copied that way")

    def __delitem__(self, index: Any) -> None:
        raise TypeError("cannot delete array elements")


def is_stored(frame: FrameType) -> bool:
    """Whether what runs in a frame is ``a[i] = x`` (of an array of integers), rather than ``int(x)``."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] == STORE


def answers(*names: str) -> Callable[[Any], Any]:
    """Enter a method of boxes under the names that Python and NumPy look for."""

    def enter(method: Any) -> Any:
        for name in names:
            setattr(Box, name, method)
        return method

    return enter


# -- what is asked of values that may be boxes --------------------------------------------------


def raw(value: Any) -> Any:
    """The number or array at the bottom of a box."""
    while type(value) is Box:
        value = value._value
    return value


def any_mark(value: Any) -> bool:
    while type(value) is Box:
        if value._mark is not None:
            return True
        value = value._value
    return False


def is_float(value: Any) -> bool:
    """True if a value can carry a derivative."""
    value = raw(value)
    if batched_array.is_array(value):
        return value.dtype.kind in "fc" or value.dtype.name == "bfloat16"
    return isinstance(value, (float, complex))


def is_array(value: Any) -> bool:
    value = raw(value)
    return (type(value) is np.ndarray or is_cupy(value)) and value.dtype.kind in "fc"


def boxes_in(tree: Any) -> list[Any]:
    """The boxes in nested tuples, lists, dicts and slices."""
    found: list[Any] = []
    gather(tree, found)
    return found


def gather(tree: Any, found: list[Any]) -> None:
    kind = type(tree)
    if kind is Box:
        found.append(tree)
    elif kind is slice:
        gather((tree.start, tree.stop, tree.step), found)
    elif kind is list or kind is tuple:
        for item in tree:
            own = type(item)
            if own is Box:
                found.append(item)
            elif own is slice:
                gather((item.start, item.stop, item.step), found)
            elif own not in LEAVES and (own is not np.ndarray or item.dtype == object):
                gather(item, found)
    elif kind is dict:
        for item in tree.values():
            gather(item, found)
    elif kind not in LEAVES and (kind is not np.ndarray or tree.dtype == object):
        for _, item in children(tree) or ():
            gather(item, found)


def has_boxes(tree: Any) -> bool:
    """True if there is a box in a tree (`any` would ask the boxes for their truth)."""
    if type(tree) is tuple and tree and type(tree[0]) is tuple:  # the arguments of a call
        for item in tree[0]:
            if type(item) is Box:
                return True
    return bool(boxes_in(tree))


def lowered(tree: Any, level: Level) -> Any:
    """The tree as the levels below see it."""

    def lower(leaf: Any) -> Any:
        return leaf._value if type(leaf) is Box and leaf._level is level else leaf

    return map_operands(lower, tree)
