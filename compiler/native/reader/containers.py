"""Numbers and arrays of a container, put in memory beside each other."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..loop_ir.ir import Affine, Buffer, Store, Var, integer, variables
from ..loop_ir.scalar_operations import cast
from ..loop_ir.values import Scalar, View, common, plain_view
from ..refusal import Unsupported
from .reader import Reader

__all__ = ["stacked_numbers", "stacked_rows"]


def stacked_rows(r: Reader, values: list[Any]) -> View:
    if not values:
        raise Unsupported("an empty array")
    code = common(*values)
    dims = values[0].dims
    made = r.buffer((integer(len(values)), *dims), code, "v")
    for k, value in enumerate(values):
        if len(value.dims) != len(dims):
            raise Unsupported("rows of different shapes")
        for a, b in zip(value.dims, dims, strict=True):
            r.same(a, b)
        if isinstance(value, Scalar):
            r.emit(Store(made, (integer(k),), cast(value.expr, code)))
        else:
            r.nest(
                dims,
                partial(row_store, made, k, value),
            )
    return plain_view(made)


def row_store(made: Buffer, k: int, value: View, index: tuple[Any, ...]) -> list[Any]:
    return [Store(made, (integer(k), *index), cast(value.at(index), made.dtype))]


def stacked_numbers(r: Reader, values: tuple[Any, ...]) -> View | None:
    """Numbers of one kind in memory, if they are that; those of an argument once."""
    kinds = {(v.dtype, v.weak) if isinstance(v, Scalar) else None for v in values}
    if len(kinds) != 1 or None in kinds or values[0].mixed:
        return None
    key = tuple(v.expr for v in values)
    if not all(isinstance(e, (Var, Affine)) and of_arguments(e) for e in key):
        return stacked_rows(r, list(values))
    if key not in r.beside:
        with r.into(r.entry_sets):
            r.beside[key] = stacked_rows(r, list(values))
    return r.beside[key]


def of_arguments(e: Any) -> bool:
    """True if an expression is of numbers that are arguments."""
    return all(v.name.startswith("a_") for v in variables(e))
