"""Inputs of which the function reads entries that another argument picks: the pattern by those entries, each its own.

Rows of observations that share a camera meet in its columns; in columns of the cameras as they are picked they do not,
so two directions are enough for two rows each.  A column of a picked entry is one of the entry it was picked from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .batched_products import Products, sizes
from .sparsity_pattern import Pattern, Unknowable, lowered, packed, sets_of_results

__all__ = ["Picked", "picked"]


class Picked(NamedTuple):
    """The pattern by picked entries: ``columns`` are those of the matrix, ``shapes`` of the inputs as they are picked."""

    pattern: Pattern
    columns: Any
    shapes: list[tuple[int, ...]]


def picked(products: Products, budget: float) -> Picked | None:
    """The pattern, if entries of an input are picked, and no row has one twice."""
    from retrograd.compiler.differentiate.batching.gathered_arguments import gathered, index_of

    _, function = lowered(products.chain, products.full, products.places)
    if function is None or products.chain.bound:
        return None
    positions = [place.at for place in products.places]
    by = [index_of(function, at) for at in positions]
    if all(k is None for k in by):
        return None
    indices = [None if k is None else products.full[k] for k in by]
    focus = gathered(function, positions)
    inputs = [
        x if index is None else x[index] for x, index in zip(products.inputs, indices, strict=True)
    ]
    starts = sizes(inputs)
    given = {v: (x, start) for v, x, start in zip(focus.wrt, inputs, starts, strict=False)}
    args = [*products.full, *(given[op.result][0] for op in focus.reads)]
    marks = [given.get(v, (None, None))[1] for v in focus.function.body.params]
    try:
        rows = sets_of_results(focus.function, args, marks, budget)
    except Unknowable:
        return None
    columns = np.concatenate(
        [
            begin + places(x, index)
            for x, index, begin in zip(products.inputs, indices, sizes(products.x), strict=False)
        ]
    )
    pattern = packed(rows, starts[-1])
    of_rows = np.repeat(np.arange(pattern.m), np.diff(pattern.indptr))
    entries = of_rows * products.n + columns[pattern.indices]
    if len(np.unique(entries)) < len(entries):
        return None
    return Picked(pattern, columns, [np.shape(x) for x in inputs])


def places(x: Any, index: Any) -> Any:
    """Where the entries of an input that are picked stand in it."""
    numbers = np.arange(np.size(x)).reshape(np.shape(x))
    return np.ravel(numbers if index is None else numbers[index])
