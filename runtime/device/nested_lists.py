"""Arrays of nested lists, in which arrays of the device stand beside numbers of the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..arrays.libraries import cupy, is_cupy

__all__ = ["array", "shape_of"]


def array(obj: Any, dtype: Any = None, **options: Any) -> Any:
    """``cupy.array`` that takes lists of both: each part is written to its place, and nothing is fetched."""
    parts = list(parts_in(obj)) if isinstance(obj, (list, tuple)) else []
    on_device = [is_cupy(part) for _, part in parts]
    if not any(on_device) or all(on_device):
        return cupy().array(obj, dtype=dtype, **options)
    shape = shape_of(obj)
    made = cupy().empty(shape, dtype or np.result_type(*(kind_of(part) for _, part in parts)))
    for place, part in parts:
        made[place] = part
    return made


def parts_in(tree: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The parts of nested lists that are no lists, and their places."""
    if isinstance(tree, (list, tuple)):
        for k, item in enumerate(tree):
            yield from parts_in(item, (*place, k))
    else:
        yield place, tree


def shape_of(tree: Any) -> tuple[int, ...]:
    if not isinstance(tree, (list, tuple)):
        return tuple(np.shape(tree)) if not is_cupy(tree) else tuple(tree.shape)
    shapes = {shape_of(item) for item in tree}
    if len(shapes) > 1:
        raise ValueError(f"the parts of a list have different shapes: {sorted(shapes)}")
    return (len(tree), *next(iter(shapes), ()))


def kind_of(part: Any) -> Any:
    return part.dtype if is_cupy(part) else part
