"""Shapes of products and of linear algebra."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.runtime import linear

from ..types import Array, Number, Size, Tree, Type, join_dims, promote
from .shapes_shaping import as_array, dims_of, known_axis, like_second
from .shapes_table import shape

__all__: list[str] = []

Dims = tuple[Size, ...] | None


def product_type(x: Any, y: Any, dims: Dims) -> Array:
    """An array of these dims in the dtype of a product of ``x`` and ``y``."""
    kinds = [as_array(t).kind if as_array(t) else None for t in (x, y)]  # type: ignore[union-attr]
    kind = None if None in kinds else max((k for k in kinds if k), key="bifc".index)
    if not isinstance(x, (Array, Number)) or not isinstance(y, (Array, Number)):
        return Array(None, dims)
    both_weak = isinstance(x, Number) and isinstance(y, Number)
    return Array(None if both_weak else promote((x, y)), dims, kind)


def floating(x: Any, dims: Dims, real: bool = False) -> Array:
    """An array of these dims in the dtype that np.linalg gives for ``x``."""
    array = as_array(x)
    if array is None or array.dtype is None:
        return Array(None, dims)
    dtype = np.dtype(array.dtype)
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    dtype = np.zeros(0, dtype).real.dtype if real else dtype
    return Array(dtype.name, dims, dtype.kind)


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
shape(np.cross, np.linalg.cross, linear.cross)(with_rule(join_dims))


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


# linear algebra


@shape(np.linalg.inv, np.linalg.cholesky, linear.cofactor, np.linalg.matrix_power)
def _(a: Type, *_args: Any, **_kwargs: Any) -> Type:
    return floating(a, dims_of(a))


@shape(linear.herm)
def _(x: Type, when: Any = True) -> Type:
    dims = dims_of(x)
    if dims is None or not isinstance(when, bool):
        return floating(x, None)
    return floating(x, (*dims[:-2], dims[-1], dims[-2]) if when else dims)


@shape(linear.hermitian, linear.phi, linear.upper_part, linear.upper_pull, linear.reciprocal)
def _(x: Type) -> Type:
    return floating(x, dims_of(x))


@shape(linear.over)
def _(x: Type, r: Type) -> Type:
    return product_type(x, r, dims_of(x))


@shape(linear.cofactor_push)
def _(e: Type, a: Type) -> Type:
    return product_type(e, a, join_dims(dims_of(e), dims_of(a)))


@shape(linear.turn, linear.turn_pull)
def _(t: Type, phase: Type) -> Type:
    return Array(None, join_dims(dims_of(t), dims_of(phase)))


@shape(linear.thin)
def _(factor: Type, s: Type, axis: Any) -> Type:
    return factor


@shape(linear.gaps, linear.singular_gaps)
def _(w: Type) -> Type:
    dims = dims_of(w)
    return floating(w, None if dims is None else (*dims, dims[-1]))


@shape(linear.powers)
def _(a: Type, n: Any) -> Type:
    dims = dims_of(a)
    count = abs(n) if isinstance(n, int) else None
    return floating(a, None if dims is None else (count, *dims))


@shape(linear.matrix_convolve)
def _(x: Type, y: Type, lag: Any) -> Type:
    return product_type(x, y, matmul_dims(dims_of(x), dims_of(y)))


def solve_dims(a: Dims, b: Dims, like: Dims) -> Dims:
    """The dims of a solution (or product): vectors exactly if ``like`` has one axis."""
    if a is None or b is None or like is None:
        return None
    if len(like) != 1:
        return matmul_dims(a, b)
    columns = matmul_dims(a, (*b, 1))
    return None if columns is None else columns[:-1]


@shape(np.linalg.solve)
def _(a: Type, b: Type) -> Type:
    dims = solve_dims(dims_of(a), dims_of(b), dims_of(b))
    return floating(product_type(a, b, None), dims)


@shape(linear.solve_for)
def _(a: Type, b: Type, like: Type) -> Type:
    dims = solve_dims(dims_of(a), dims_of(b), dims_of(like))
    return floating(product_type(a, b, None), dims)


@shape(linear.apply)
def _(a: Type, x: Type, like: Type) -> Type:
    return product_type(a, x, solve_dims(dims_of(a), dims_of(x), dims_of(like)))


@shape(linear.column)
def _(x: Type, like: Type) -> Type:
    dims, rank = dims_of(x), dims_of(like)
    if dims is None or rank is None:
        return floating(x, None)
    return floating(x, (*dims, 1) if len(rank) == 1 else dims)


@shape(linear.uncolumn)
def _(x: Type, like: Type) -> Type:
    dims, rank = dims_of(x), dims_of(like)
    if dims is None or rank is None:
        return floating(x, None)
    return floating(x, dims[:-1] if len(rank) == 1 else dims)


@shape(np.linalg.det)
def _(a: Type) -> Type:
    return floating(a, cut(dims_of(a), 2))


@shape(np.linalg.slogdet)
def _(a: Type) -> Type:
    dims = cut(dims_of(a), 2)
    return results(floating(a, dims), floating(a, dims, real=True))


@shape(np.linalg.eigvalsh)
def _(a: Type, UPLO: Any = "L") -> Type:
    return floating(a, cut(dims_of(a), 1), real=True)


@shape(np.linalg.eigh)
def _(a: Type, UPLO: Any = "L") -> Type:
    return results(floating(a, cut(dims_of(a), 1), real=True), floating(a, dims_of(a)))


@shape(np.linalg.svdvals)
def _(x: Type) -> Type:
    return floating(x, short_side(dims_of(x)), real=True)


@shape(np.linalg.svd)
def _(a: Type, full_matrices: Any = True) -> Type:
    dims = dims_of(a)
    s = short_side(dims)
    if dims is None or s is None or not isinstance(full_matrices, bool):
        return results(floating(a, None), floating(a, s, real=True), floating(a, None))
    m, n = (dims[-2], dims[-1]) if full_matrices else (s[-1], s[-1])
    u, vh = (*dims[:-1], m), (*dims[:-2], n, dims[-1])
    return results(floating(a, u), floating(a, s, real=True), floating(a, vh))


@shape(np.linalg.qr)
def _(a: Type) -> Type:
    dims = dims_of(a)
    s = short_side(dims)
    if dims is None or s is None:
        return results(floating(a, None), floating(a, None))
    return results(floating(a, (*dims[:-1], s[-1])), floating(a, (*s, dims[-1])))


@shape(np.linalg.pinv)
def _(a: Type, rcond: Any = None, hermitian: Any = False) -> Type:
    dims = dims_of(a)
    return floating(a, None if dims is None else (*dims[:-2], dims[-1], dims[-2]))


def cut(dims: Dims, k: int) -> Dims:
    return None if dims is None else dims[:-k]


def short_side(dims: Dims) -> Dims:
    """The dims of the singular values of a matrix."""
    if dims is None:
        return None
    m, n = dims[-2:]
    both = isinstance(m, int) and isinstance(n, int)
    short = m if m == n else min(m, n) if both else None  # type: ignore[type-var]
    return (*dims[:-2], short)


def results(*types: Type) -> Tree:
    return Tree("tuple", tuple(range(len(types))), types)
