"""Arguments of calls that are known while reading: axes, shapes, dtypes, and what is not given."""

from __future__ import annotations

from typing import Any

from ..loop_ir.values import Constant, Items, View, code_of
from ..refusal import Unsupported
from .reader import Reader

__all__ = ["axes_of", "dtype_option", "limit", "none", "plain", "shape_of"]


def axes_of(r: Reader, value: View, axis: Any) -> tuple[int, ...]:
    """The axes of a reduction, not negative."""
    found = None if axis is None else r.literal(axis)
    rank = len(value.dims)
    if found is None:
        return tuple(range(rank))
    axes = found if isinstance(found, tuple) else (found,)
    if any(not -rank <= a < rank for a in axes):
        raise Unsupported("an axis that is not there")
    return tuple(sorted({a % rank for a in axes}))


def plain(r: Reader, *options: Any) -> None:
    """Options that are not given."""
    for option in options:
        if not (option is None or (isinstance(option, Constant) and option.value is None)):
            raise Unsupported("dtype= or out= of a reduction")


def none(value: Any) -> Any:
    """An argument, None being one that is not given."""
    return None if isinstance(value, Constant) and value.value is None else value


def dtype_option(r: Reader, dtype: Any, default: str = "f8") -> str:
    if dtype is None or (isinstance(dtype, Constant) and dtype.value is None):
        return default
    return code_of(dtype.value if isinstance(dtype, Constant) else r.literal(dtype))


def shape_of(r: Reader, shape: Any) -> tuple[Any, ...]:
    """A shape that is given as a number or a tuple."""
    values = shape.values if isinstance(shape, Items) else (shape,)
    return tuple(r.norm(r.integer(v)) for v in values)


def limit(value: Any) -> bool:
    """True if a bound of a clip is there."""
    return value is not None and not (isinstance(value, Constant) and value.value is None)
