"""Writes at arrays of indices, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Store
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Scalar, View
from ...refusal import Unsupported
from ..aliasing import check_written
from ..handlers import complex_too, reads_ufunc_method
from ..reader import Reader
from ..views import Step, gather_map, is_index_tuple, sliced, steps_of_index

__all__ = ["add_at", "scatter", "steps_at"]


def scatter(r: Reader, owner: View, steps: list[Step], value: Any, op: str | None) -> None:
    """Writes one after the other: the last one of an index stays."""
    dims, source = gather_map(r, steps)
    r.check_fits(value, dims)
    read = r.spread(value, dims)
    place, buffer = owner.place, owner.buffer
    if place is None or buffer is None:
        raise Unsupported("a write to what is no array in memory")
    r.nest(
        dims,
        lambda index: [Store(buffer, place(source(index)), cast(read(index), buffer.dtype), op)],
        free=False,
    )


def steps_at(r: Reader, owner: View, index: Any) -> list[Step]:
    """The axes of an index that is a value."""
    return steps_of_index(r, owner, list(index.values) if is_index_tuple(index) else [index])


@reads_ufunc_method(np.add, "at")
@complex_too
def add_at(r: Reader, owner: Any, index: Any, value: Any) -> None:
    """``np.add.at(owner, index, value)``."""
    check_written(r, owner)
    steps = steps_at(r, owner, index)
    value = r.array(value)
    if value.dtype == "c16" and owner.dtype != "c16":
        raise Unsupported("complex numbers that are added to real ones in place")
    value = r.copied(value) if id(owner.buffer) in r.reads(value) else value
    if any(s.kind == "array" for s in steps):
        scatter(r, owner, steps, value, "add")
        return
    found = sliced(r, owner, steps)
    if isinstance(found, Scalar):
        at = tuple(s.value for s in steps)
        r.emit(Store(owner.buffer, owner.place(at), cast(r.number(value).expr, owner.dtype), "add"))
    else:
        r.fill(found, value, "add")
