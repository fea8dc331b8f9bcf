"""What an expression of the emitted text is, while it is read: scalars, views, containers, tapes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..loop_ir.ir import Buffer, Get, Lit, Op, Var, affine, integer
from ..refusal import Unsupported

__all__ = [
    "CODES",
    "MIXED", "Arena", "Constant", "Either", "Growing", "Items", "Iteration", "Maybe", "Object", "Rows", "Scalar", "Tape", "Unsupported", "View",
    "all_weak", "code_of", "dtype_of", "plain_view", "scalar",
]  # fmt: skip

CODES = {"float64": "f8", "float32": "f4", "int64": "i8", "bool": "b1"}
DTYPES = {code: np.dtype(name) for name, code in CODES.items()}


def code_of(dtype: Any) -> str:
    """The letter and size of a dtype of the loop IR.

    >>> code_of(np.dtype(float))
    'f8'
    """
    name = np.dtype(dtype).name
    if name not in CODES:
        raise Unsupported(f"of dtype {name}")
    return CODES[name]


def dtype_of(code: str) -> Any:
    return DTYPES[code]


MIXED = "mixed"


@dataclass(frozen=True)
class Scalar:
    """A number; ``weak``: a Python one, and not a NumPy scalar; an expression, if only the run tells."""

    expr: Any
    weak: Any = True

    @property
    def dtype(self) -> str:
        return str(self.expr.dtype)

    @property
    def dims(self) -> tuple[Any, ...]:
        return ()

    @property
    def mixed(self) -> bool:
        return not isinstance(self.weak, bool)

    @property
    def softness(self) -> Any:
        """Whether it is a Python number, as an expression."""
        return self.weak if self.mixed else Lit(self.weak, "b1")

    @property
    def literal(self) -> Any:
        """Its value, if it is known."""
        if isinstance(self.expr, Lit):
            return self.expr.value
        if self.dtype == "i8" and not affine(self.expr).terms:
            return affine(self.expr).const
        return None


@dataclass(frozen=True)
class View:
    """An array by its elements: ``at(index)``; ``place(index)`` is where in ``buffer`` one stands."""

    dims: tuple[Any, ...]
    dtype: str
    at: Callable[[tuple[Any, ...]], Any]
    buffer: Buffer | None = None
    place: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None = None
    whole: bool = False  # all of its buffer, in order
    cheap: bool = False  # no arithmetic: may be read again
    listed: bool = False  # it stands for the list of its rows


@dataclass(frozen=True)
class Items:
    """A container of known structure."""

    values: tuple[Any, ...]
    keys: tuple[Any, ...] | None = None  # of a dict
    kind: str = "tuple"

    def holding(self, values: list[Any]) -> Any:
        """A container of Python like this one, with other values."""
        if self.kind == "dict" and self.keys is not None:
            return dict(zip(self.keys, values, strict=True))
        made = {"list": list, "tuple": tuple}.get(self.kind)
        if made is None:
            raise Unsupported(f"a {self.kind} where a constant is needed")
        return made(values)


@dataclass(frozen=True)
class Constant:
    """An object that is known and stays what it is: None, a text, a function, a module, a dtype, a slice."""

    value: Any


@dataclass(frozen=True)
class Object:
    """An object of the module that anybody may change: which one it is is known, and nothing else."""

    value: Any


@dataclass(eq=False)
class Arena:
    """Where the items of the lists made at one place of the text stand."""

    name: str
    used: Var
    key: int = 0  # where in the text
    item: Any = None  # an item, by its leaves: arrays as views of the arena's buffers
    leaves: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Tape:
    """A list that grows: from ``start`` in its arena; ``count`` is None while it still does."""

    arena: Arena
    start: Any
    count: Any = None


@dataclass(eq=False)
class Rows:
    """A list that gets one item in each iteration of a loop: as many rows of memory."""

    key: int  # where in the text
    count: Any
    block: list[Any]  # the body of the loop
    at: Any  # the number of the item, while the loop is read
    before: list[Any]  # what stands before the loop
    item: Any = None  # an item, by its leaves
    leaves: list[View] = field(default_factory=list)


@dataclass(eq=False)
class Growing:
    """A list whose items are known one by one: it grows in one block only, in which it was made."""

    block: list[Any]
    key: int  # where in the text
    items: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Maybe:
    """A value, or None if a condition does not hold: whoever reads it leaves the kernel then."""

    there: Any
    value: Any


@dataclass(frozen=True)
class Either:
    """A name that is of one kind if a condition held, and of another if not."""

    cond: Any
    then: Any
    orelse: Any


@dataclass(frozen=True)
class Iteration:
    """What a loop runs over: ``count`` and the element number ``k`` of it."""

    count: Any
    element: Callable[[Any], Any]
    direct: tuple[Any, Any] | None = None  # a range: its bounds, the element being the index
    backwards: bool = False
    static: bool = False  # the elements are of several kinds: which one has to be known


def all_weak(*values: Any) -> Any:
    """Whether all of some values are Python numbers, and so what is computed from them."""
    softs = [v.weak if isinstance(v, Scalar) else False for v in values]
    if any(soft is False for soft in softs):
        return False
    open_ = [soft for soft in softs if soft is not True]
    return functools.reduce(lambda a, b: Op("logical_and", (a, b), "b1"), open_) if open_ else True


def scalar(value: Any) -> Scalar:
    """A Python number as a literal."""
    if isinstance(value, np.generic):
        return Scalar(Lit(value.item(), code_of(value.dtype)), weak=False)
    if isinstance(value, bool):
        return Scalar(Lit(value, "b1"))
    if isinstance(value, int):
        if abs(value) > 2**53:
            raise Unsupported("an integer beyond 2**53")
        return Scalar(integer(value))
    if isinstance(value, float):
        return Scalar(Lit(value, "f8"))
    raise Unsupported(f"a {type(value).__name__}")


def plain_view(buffer: Buffer) -> View:
    """All of a buffer."""
    return View(
        buffer.dims,
        buffer.dtype,
        lambda index: Get(buffer, index),
        buffer,
        lambda index: index,
        whole=True,
        cheap=True,
    )
