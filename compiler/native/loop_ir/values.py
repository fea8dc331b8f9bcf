"""Numbers, arrays and containers by their expressions: what a kernel takes and gives, and what a name stands for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.runtime.records import dataclass, field

from ..refusal import Unsupported
from .ir import Buffer, Get, Lit, Op, Var, affine, integer, subexpressions

__all__ = [
    "Constant",
    "Items",
    "Scalar",
    "View",
    "all_weak",
    "code_of",
    "common",
    "dtype_of",
    "plain_view",
    "result_variables",
    "scalar",
]


CODES = {"float64": "f8", "float32": "f4", "int64": "i8", "bool": "b1", "complex128": "c16"}


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


@dataclass(frozen=True)
class Scalar:
    """A number; ``weak``: a Python one, and not a NumPy scalar; an expression, if only the run tells."""

    expr: Any
    weak: Any = True
    item: Buffer | None = field(default=None, compare=False)  # on the device, what it is a view of

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
        """An expression that is true of a Python number."""
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


def all_weak(*values: Any) -> Any:
    """True, or an expression, if all of some values are Python numbers: so is what comes of them."""
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
    if isinstance(value, complex):
        return Scalar(Lit(value, "c16"))
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


def common(*values: Any) -> str:
    """The dtype of several values together."""

    weak = {"f8": 1.0, "i8": 1, "b1": True, "c16": 1j}

    def found(mixed: bool) -> str:
        given = [
            weak[v.dtype]
            if isinstance(v, Scalar) and (mixed if v.mixed else v.weak)
            else dtype_of(v.dtype)
            for v in values
        ]
        return code_of(np.result_type(*given))

    if found(True) != found(False):
        raise Unsupported("a number that is Python's or NumPy's, of another dtype")
    return found(True)


def result_variables(value: Any) -> Iterator[Var]:
    """The variables that a result is read from."""
    if isinstance(value, Items):
        for v in value.values:
            yield from result_variables(v)
    elif isinstance(value, Scalar):
        parts = (value.expr, value.weak) if value.mixed else (value.expr,)
        yield from (e for part in parts for e in subexpressions(part) if isinstance(e, Var))
