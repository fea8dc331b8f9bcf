"""Propagation of index sets through products, where zeros of an inactive factor cut dependences."""

from __future__ import annotations

import operator
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .index_sets import EMPTY, as_sets, filled, reduced, union
from .operation_patterns import Called, dense, form

__all__ = ["matmul", "outer"]


@form(operator.matmul, np.matmul, np.dot, np.ndarray.dot)
def matmul(call: Called) -> Any:
    """Each entry hangs on a row of the left factor and a column of the right one, but for fixed zeros."""
    (a, b, *_), (left, right, *_) = call.args, call.sets
    ranks = rank(a), rank(b)
    if 0 in ranks or (max(ranks) > 2 and call.fn not in (operator.matmul, np.matmul)):
        return dense(call)
    call.decides = True
    found = []
    if left is not None:
        rows = by_rows(turned(b), turned(left), right is None)
        found.append(np.swapaxes(rows, -1, -2))
    if right is not None:
        found.append(by_rows(row(a), column(right), left is None))
    made = np.broadcast_to(as_sets(reduce(union, found)), wide_shape(call.z, *ranks))
    return made.reshape(np.shape(call.z))


def rank(x: Any) -> int:
    return int(x.ndim) if hasattr(x, "ndim") else np.ndim(x)


def wide_shape(z: Any, left: int, right: int) -> tuple[int, ...]:
    """The shape of a product before the axes of vectors are dropped."""
    shape = list(np.shape(z))
    if left == 1:
        shape.insert(len(shape) if right == 1 else len(shape) - 1, 1)
    return (*shape, 1) if right == 1 else tuple(shape)


def row(a: Any) -> Any:
    return a if rank(a) > 1 else np.reshape(a, (1, -1))


def column(b: Any) -> Any:
    return b if rank(b) > 1 else np.reshape(b, (-1, 1))


def turned(b: Any) -> Any:
    """A factor of the transposed product: a vector is a row on the left and a column on the right."""
    if rank(b) == 1:
        return np.reshape(b, (1, -1) if b.dtype != object else (-1, 1))
    return b.T if hasattr(b, "tocsr") else np.swapaxes(b, -1, -2)


def by_rows(matrix: Any, sets: Any, fixed: bool) -> Any:
    """``matrix @ sets``: of each row, the sets beside its entries that are not zero."""
    if hasattr(matrix, "tocsr"):
        rows = matrix.tocsr()
        places = [rows.indices[i:j] for i, j in pairwise(rows.indptr.tolist())]
        return joined_rows(places, sets)
    if fixed and matrix.ndim == 2 and sets.ndim == 2 and not np.all(matrix):
        return joined_rows([np.flatnonzero(entries) for entries in matrix], sets)
    return reduced(sets, -2, keepdims=True)


def joined_rows(places: list[Any], sets: Any) -> Any:
    out = filled((len(places), sets.shape[1]), EMPTY)
    for i, chosen in enumerate(places):
        if len(chosen):
            out[i] = union.reduce(sets[chosen], axis=0)
    return out


@form(np.outer)
def outer(call: Called) -> Any:
    left, right = (as_sets(EMPTY) if s is None else np.ravel(s) for s in call.sets[:2])
    return np.broadcast_to(union(left[..., None], right), np.shape(call.z))


@form(np.cross, linear.cross)
def cross(call: Called) -> Any:
    """Each of three entries hangs on the two others, of both vectors."""
    axis, found = call.given.get("axis"), []
    axes = {k: call.given.get(k, -1) if axis is None else axis for k in ("axisa", "axisb", "axisc")}
    if any(np.shape(call.given[v])[axes[f"axis{v}"]] != 3 for v in "ab"):
        return dense(call)
    for name, sets in call.active().items():
        vectors = np.moveaxis(sets, axes[f"axis{name}"], -1)
        found.append(union(vectors[..., [1, 2, 0]], vectors[..., [2, 0, 1]]))
    made = np.moveaxis(as_sets(reduce(union, found)), -1, axes["axisc"])
    return np.broadcast_to(made, np.shape(call.z))
