"""Writes at arrays of indices, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Store
from ...loop_ir.scalar_operations import cast
from ...loop_ir.values import Scalar, View
from ...refusal import Unsupported
from ..aliasing import check_written
from ..handlers import reads_ufunc_method
from ..reader import Reader
from ..views import Step, gather_map, is_index_tuple, is_none, sliced, step_of

__all__ = ["add_at", "scatter"]


def scatter(r: Reader, owner: View, steps: list[Step], value: Any, op: str | None) -> None:
    """Writes one after the other: the last one of an index stays."""
    dims, source = gather_map(r, steps)
    read = r.spread(value, dims)
    place, buffer = owner.place, owner.buffer
    if place is None or buffer is None:
        raise Unsupported("a write to what is no array in memory")
    r.nest(
        dims,
        lambda index: [Store(buffer, place(source(index)), cast(read(index), buffer.dtype), op)],
        free=False,
    )


@reads_ufunc_method(np.add, "at")
def add_at(r: Reader, owner: Any, index: Any, value: Any) -> None:
    """``np.add.at(owner, index, value)``."""
    check_written(r, owner)
    parts = index.values if is_index_tuple(index) else (index,)
    values = list(parts)
    while len(values) < len(owner.dims):
        values.append((None, None, None))
    steps = [
        Step("new") if is_none(v) else step_of(r, v, n)
        for v, n in zip(values, owner.dims, strict=True)
    ]
    value = r.array(value)
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
