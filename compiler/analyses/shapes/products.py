"""Shapes of products."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Number, Size, Type, join_dims, kind_of, promote
from .shaping import as_array, dims_of, known_axis, like_second
from .table import shape

__all__ = ["matmul_dims", "product_type"]

Dims = tuple[Size, ...] | None


def product_type(x: Any, y: Any, dims: Dims) -> Array:
    """An array of these dims in the dtype of a product of ``x`` and ``y``."""
    kinds = [as_array(t).kind if as_array(t) else None for t in (x, y)]  # type: ignore[union-attr]
    kind = None if None in kinds else max((k for k in kinds if k), key="bifc".index)
    if not isinstance(x, (Array, Number)) or not isinstance(y, (Array, Number)):
        return Array(None, dims)
    both_weak = isinstance(x, Number) and isinstance(y, Number)
    return Array(None if both_weak else promote((x, y)), dims, kind)


def matmul_dims(a: Dims, b: Dims) -> Dims:
    """The dims of ``a @ b``, whatever their ranks.

    >>> matmul_dims((4, 2, 3), (3,))
    (4, 2)
    """
    if a is None or b is None or not a or not b:
        return None
    rows = () if len(a) == 1 else (a[-2],)
    columns = () if len(b) == 1 else (b[-1],)
    batch = join_dims(a[:-2], b[:-2])
    return None if batch is None else batch + rows + columns


def with_rule(dims: Callable[[Any, Any], Dims]) -> Callable[[Type, Type], Type]:
    """The shape function of a product whose dims follow from those of its operands."""

    def product(x: Type, y: Type) -> Type:
        return product_type(x, y, dims(dims_of(x), dims_of(y)))

    return product


def dot_dims(a: Dims, b: Dims) -> Dims:
    if a is None or b is None:
        return None
    if not a or not b:
        return a + b
    return a[:-1] + (() if len(b) == 1 else b[:-2] + b[-1:])


def inner_dims(a: Dims, b: Dims) -> Dims:
    if a is None or b is None:
        return None
    return a[:-1] + b[:-1] if a and b else a + b


def outer_dims(a: Dims, b: Dims) -> Dims:
    return (flat(a), flat(b))


def flat(dims: Dims) -> Size:
    """The number of elements."""
    if dims is None:
        return None
    known = all(isinstance(n, int) for n in dims)
    return dims[0] if len(dims) == 1 else int(np.prod(dims)) if known else None  # type: ignore[arg-type]


def kron_dims(a: Dims, b: Dims) -> Dims:
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    a, b = ((1,) * (rank - len(d)) + d for d in (a, b))
    return tuple(scale(m, n) for m, n in zip(a, b, strict=True))


def scale(m: Size, n: Size) -> Size:
    if isinstance(m, int) and isinstance(n, int):
        return m * n
    return m if n == 1 else n if m == 1 else None


shape(operator.matmul, operator.imatmul, np.matmul, np.linalg.matmul)(with_rule(matmul_dims))
shape(np.dot, np.ndarray.dot)(with_rule(dot_dims))
shape(np.inner)(with_rule(inner_dims))
shape(np.outer, np.linalg.outer)(with_rule(outer_dims))
shape(np.vdot)(with_rule(lambda a, b: ()))
shape(np.kron)(with_rule(kron_dims))


# polynomials


@shape(np.polyval)
def _(p: Type, x: Type) -> Type:
    """One value for each point: of doubles, which nothing makes wider."""
    points = isinstance(x, Number) and x.kind in ("i", "f")
    points = points or (isinstance(x, Array) and x.dtype == "float64")
    known = isinstance(p, Array) and p.dtype == "float64" and points
    return Array("float64", dims_of(x), "f") if known else None


@shape(np.vander)
def _(x: Type, N: Any = None, increasing: Any = False) -> Type:
    """A row of powers for each number."""
    if not isinstance(x, Array) or x.dims is None or len(x.dims) != 1:
        return None
    count = x.dims[0] if N is None else N if type(N) is int else None
    return product_type(x, Array("int64", (), "i"), (x.dims[0], count))


@shape(linear.exponents, linear.derivative_factors, linear.integral_factors)
def _(p: Type, *rest: Any) -> Type:
    """One row, of the precision of real coefficients."""
    return Array(p.dtype, (None,), "f") if isinstance(p, Array) and p.kind == "f" else None


@shape(np.cross, linear.cross)
def _(
    x: Type, y: Type, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None
) -> Type:
    places = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    return product_type(x, y, cross_dims(dims_of(x), dims_of(y), *places))


@shape(np.linalg.cross)
def _(x1: Type, x2: Type, axis: Any = -1) -> Type:
    return product_type(x1, x2, cross_dims(dims_of(x1), dims_of(x2), axis, axis, axis))


def cross_dims(a: Dims, b: Dims, i: Any, j: Any, k: Any) -> Dims:
    """The dims of a product of vectors along ``i`` and ``j`` that lie along ``k`` then."""
    if a is None or b is None:
        return None
    batch = join_dims(without(a, i) or (), without(b, j) or ())
    known = None if batch is None else known_axis(k, len(batch) + 1)
    if batch is None or known is None or without(a, i) is None or without(b, j) is None:
        return None
    return (*batch[:known], 3, *batch[known:])


@shape(np.tensordot, np.linalg.tensordot)
def _(x: Type, y: Type, axes: Any = 2) -> Type:
    return product_type(x, y, tensordot_dims(dims_of(x), dims_of(y), axes))


def tensordot_dims(a: Dims, b: Dims, axes: Any) -> Dims:
    if a is None or b is None:
        return None
    if isinstance(axes, int) and not isinstance(axes, bool):
        return a[: len(a) - axes] + b[axes:]
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        return None
    ours, theirs = (x if isinstance(x, (tuple, list)) else (x,) for x in axes)
    left = [known_axis(i, len(a)) for i in ours]
    right = [known_axis(i, len(b)) for i in theirs]
    if None in left or None in right:
        return None
    kept = tuple(n for i, n in enumerate(a) if i not in left)
    return kept + tuple(n for i, n in enumerate(b) if i not in right)


def vecdot(x: Type, y: Type, axis: Any = -1) -> Type:
    dims = [dims_of(x), dims_of(y)]
    rest: list[Dims] = [None if d is None else without(d, axis) for d in dims]
    return product_type(x, y, join_dims(*rest))


def without(dims: tuple[Size, ...], axis: Any) -> Dims:
    at = known_axis(axis, len(dims))
    return None if at is None else dims[:at] + dims[at + 1 :]


if hasattr(np, "vecdot"):
    shape(np.vecdot, np.linalg.vecdot)(vecdot)


def matvec_dims(a: Dims, x: Dims) -> Dims:
    if a is None or x is None or len(a) < 2:
        return None
    return plus_last(join_dims(a[:-2], x[:-1]), a[-2])


def vecmat_dims(x: Dims, a: Dims) -> Dims:
    if a is None or x is None or len(a) < 2:
        return None
    return plus_last(join_dims(a[:-2], x[:-1]), a[-1])


def plus_last(batch: Dims, n: Size) -> Dims:
    return None if batch is None else (*batch, n)


if hasattr(np, "matvec"):
    shape(np.matvec)(with_rule(matvec_dims))
    shape(np.vecmat)(with_rule(vecmat_dims))


@shape(linear.multi_dot)
def _(*arrays: Type) -> Type:
    whole = arrays[0]
    for x in arrays[1:]:
        whole = product_type(whole, x, dot_dims(dims_of(whole), dims_of(x)))
    return whole


@shape(np.convolve, np.correlate)
def _(a: Type, v: Type, mode: Any = None) -> Type:
    return product_type(a, v, (None,))


# einsum


@shape(np.einsum, linear.einsum)
def _(subscripts: Any, *operands: Type, optimize: Any = False) -> Type:
    present = [t for t in operands if t is not None]
    dims = einsum_dims(subscripts, [dims_of(t) for t in present])
    if dims is None or not all(isinstance(t, Array) for t in present):
        return Array(None, dims)
    kinds = [t.kind for t in present if isinstance(t, Array)]
    kind = None if None in kinds else max((k for k in kinds if k), key="bifc".index)
    return Array(promote(tuple(present)), dims, kind)


@shape(linear.einsum_view)
def _(x: Type, subscripts: Any) -> Type:
    return Array(promote((x,)), einsum_dims(subscripts, [dims_of(x)]), kind_of(x))


def einsum_dims(subscripts: Any, operands: list[Dims]) -> Dims:
    """The dims of the result, from the sizes that the subscripts have in the operands."""
    if not isinstance(subscripts, str) or None in operands:
        return None
    inputs, output = linear_terms(subscripts)
    if len(inputs) != len(operands):
        return None
    found: dict[str, Size] = {}
    batch: Dims = ()
    for term, dims in zip(inputs, operands, strict=True):
        head, dots, tail = term.partition("...")
        hidden = len(dims or ()) - len(head) - len(tail)
        if dims is None or hidden < 0 or (hidden and not dots):
            return None
        batch = join_dims(batch, dims[len(head) : len(head) + hidden])
        named = dims[: len(head)] + dims[len(head) + hidden :]
        for letter, n in zip(head + tail, named, strict=True):
            found[letter] = merge(found.get(letter, 1), n)
    head, dots, tail = output.partition("...")
    if batch is None:
        return None
    middle = batch if dots else ()
    return tuple(found.get(x) for x in head) + middle + tuple(found.get(x) for x in tail)


def merge(m: Size, n: Size) -> Size:
    """The size of a subscript that is ``m`` here and ``n`` there."""
    joined = join_dims((m,), (n,))
    return None if joined is None else joined[0]


def linear_terms(subscripts: str) -> tuple[list[str], str]:
    text = linear.einsum_front(subscripts, 0)
    inputs, _, output = text.partition("->")
    return inputs.split(","), output


@shape(linear.einsum_pull)
def _(c: Type, subscripts: Any, like: Type, *others: Type) -> Type:
    return like_second(c, like)


@shape(
    linear.matmul_pull_left,
    linear.matmul_pull_right,
    linear.tensordot_pull_left,
    linear.tensordot_pull_right,
    linear.vecdot_pull,
    linear.kron_pull_left,
    linear.kron_pull_right,
    linear.convolve_pull,
    linear.correlate_pull_left,
    linear.correlate_pull_right,
)
def _(c: Type, other: Type, like: Type, *_args: Any, **_kwargs: Any) -> Type:
    return like_second(c, like)
