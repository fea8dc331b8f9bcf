"""The linear helpers of products and linear algebra: what `@`, dot, tensordot, solve transpose to.

Every ``..._pull`` is plainly bilinear (no conjugate is taken inside unless it says so), so
that a pull of a pull is a product again; rules put ``np.conj`` where complex values need it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import UnsupportedOperation
from ..core import cast, sum_to
from ..reductions import sorting
from ..shaping import mT
from .einsum import chain, einsum, einsum_front, einsum_pull, einsum_view, multi_dot
from .factorisations import (
    cofactor,
    cofactor_push,
    economic,
    herm,
    hermitian,
    leading,
    over,
    phi,
    qr_r,
    turn,
    turn_pull,
    upper_part,
    upper_pull,
)

__all__ = [
    "apply",
    "axis_from_end",
    "chain",
    "cofactor",
    "cofactor_push",
    "column",
    "convolve_pull",
    "correlate_pull_left",
    "correlate_pull_right",
    "cross",
    "direction",
    "dot_axes",
    "economic",
    "einsum",
    "einsum_front",
    "einsum_pull",
    "einsum_view",
    "herm",
    "hermitian",
    "inner_axes",
    "kron_pull_left",
    "kron_pull_right",
    "lag",
    "leading",
    "matmul_pull_left",
    "matmul_pull_right",
    "matrix_convolve",
    "multi_dot",
    "over",
    "phi",
    "powers",
    "qr_r",
    "solve_for",
    "tensordot_pull_left",
    "tensordot_pull_right",
    "turn",
    "turn_pull",
    "uncolumn",
    "upper_part",
    "upper_pull",
    "vecdot_pull",
]

Value = Any


# x @ y


def lift(c: Value, left: int, right: int) -> Value:
    """The product's cotangent with the axes that 1-D operands lost put back as 1."""
    c = np.asarray(c)
    c = c[..., None] if right == 1 else c
    return c[..., None, :] if left == 1 else c


def is_sparse(x: Value) -> bool:
    """True if a factor is a matrix of ``scipy.sparse``, which NumPy's functions do not take."""
    return not isinstance(x, np.ndarray) and hasattr(x, "toarray")


def matmul_pull_left(c: Value, y: Value, like: Value) -> Value:
    """The cotangent of ``x`` in ``x @ y``, shaped like ``like``: ``c @ y.T`` for matrices.

    >>> matmul_pull_left(np.ones(2), np.eye(2), like=np.zeros(2))
    array([1., 1.])
    """
    if is_sparse(y):
        return cast(c @ y.T, like)
    shape = np.shape(like)
    if np.ndim(c) == np.ndim(y) == len(shape) == 2:
        return cast(c @ np.asarray(y).T, like)
    if np.ndim(y) == 1:
        return cast(sum_to(np.multiply(np.asarray(c)[..., None], y), shape), like)
    full = (1, *shape) if len(shape) == 1 else shape
    c = lift(c, len(shape), np.ndim(y))
    if len(full) == 2 and np.ndim(y) > 2:  # x is shared by a batch: one product for all of it
        c, y = (np.moveaxis(stretch(v, c.shape[:-2]), -2, 0) for v in (c, y))
        c, y = (v.reshape(v.shape[0], math.prod(v.shape[1:])) for v in (c, y))
        flat = c @ y.T
        return cast(flat.reshape(shape), like)
    return cast(sum_to(c @ mT(y), full).reshape(shape), like)


def stretch(v: Value, batch: tuple[int, ...]) -> Value:
    return np.broadcast_to(v, batch + v.shape[-2:])


def matmul_pull_right(c: Value, x: Value, like: Value) -> Value:
    """The cotangent of ``y`` in ``x @ y``, shaped like ``like``: ``x.T @ c`` for matrices.

    >>> matmul_pull_right(2.0, np.ones(2), like=np.zeros(2))
    array([2., 2.])
    """
    if is_sparse(x):
        return cast(x.T @ c, like)
    shape = np.shape(like)
    if np.ndim(c) == np.ndim(x) == len(shape) == 2:
        return cast(np.asarray(x).T @ c, like)
    if np.ndim(x) == 1:
        grown = np.asarray(c)[..., None, :] if len(shape) > 1 else np.asarray(c)
        pulled = np.multiply(x[:, None] if len(shape) > 1 else x, grown)
        return cast(sum_to(pulled, shape), like)
    full = (*shape, 1) if len(shape) == 1 else shape
    c = lift(c, np.ndim(x), len(shape))
    if len(full) == 2 and np.ndim(x) > 2:  # y is shared by a batch: one product for all of it
        whole = (stretch(x, c.shape[:-2]), c)
        x, c = (v.reshape(math.prod(v.shape[:-1]), v.shape[-1]) for v in whole)
        return cast((x.T @ c).reshape(shape), like)
    return cast(sum_to(mT(x) @ c, full).reshape(shape), like)


# np.dot, np.inner, np.tensordot: sums over some axes of one times some axes of the other


def dot_axes(x: Value, y: Value) -> Any:
    """The ``axes`` with which ``np.tensordot(x, y, axes)`` is ``np.dot(x, y)``.

    >>> dot_axes(np.ones((2, 3)), np.ones(3))
    ((-1,), (0,))
    """
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return ((), ())
    return ((-1,), (0 if np.ndim(y) == 1 else -2,))


def inner_axes(x: Value, y: Value) -> Any:
    """The ``axes`` with which ``np.tensordot(x, y, axes)`` is ``np.inner(x, y)``."""
    return ((), ()) if np.ndim(x) == 0 or np.ndim(y) == 0 else ((-1,), (-1,))


def both_axes(axes: Any, left: int, right: int) -> tuple[list[int], list[int]]:
    """The summed axes of both operands, none negative, from any form of ``axes``."""
    if isinstance(axes, (int, np.integer)):
        return list(range(left - axes, left)), list(range(axes))
    ours, theirs = (list(np.atleast_1d(np.asarray(a, int))) for a in axes)
    return [int(a) % left for a in ours], [int(a) % right for a in theirs]


def contracted(x: Value, y: Value, left: list[int], right: list[int]) -> Value:
    """``np.tensordot`` over these axes; over none it is the outer product, of numbers too."""
    return np.tensordot(x, y, (left, right)) if left else np.multiply.outer(x, y)


def tensordot_pull_left(c: Value, y: Value, like: Value, axes: Any = 2) -> Value:
    """The cotangent of ``x`` in ``np.tensordot(x, y, axes)``, shaped like ``like``.

    >>> tensordot_pull_left(np.ones(2), np.ones(3), like=np.zeros((2, 3)), axes=1).shape
    (2, 3)
    """
    ours, theirs = both_axes(axes, np.ndim(like), np.ndim(y))
    free = [a for a in range(np.ndim(y)) if a not in theirs]
    kept = [a for a in range(np.ndim(like)) if a not in ours]
    pulled = contracted(c, y, list(range(len(kept), np.ndim(c))), free)
    order = kept + [ours[i] for i in sorting(theirs)]
    return cast(np.transpose(pulled, sorting(order)), like)


def tensordot_pull_right(c: Value, x: Value, like: Value, axes: Any = 2) -> Value:
    """The cotangent of ``y`` in ``np.tensordot(x, y, axes)``, shaped like ``like``.

    >>> tensordot_pull_right(np.ones(2), np.ones((2, 3)), like=np.zeros(3), axes=1)
    array([2., 2., 2.])
    """
    theirs, ours = both_axes(axes, np.ndim(x), np.ndim(like))
    free = [a for a in range(np.ndim(x)) if a not in theirs]
    kept = [a for a in range(np.ndim(like)) if a not in ours]
    pulled = contracted(x, c, free, list(range(len(free))))
    order = [ours[i] for i in sorting(theirs)] + kept
    return cast(np.transpose(pulled, sorting(order)), like)


def vecdot_pull(c: Value, y: Value, like: Value, axis: int = -1) -> Value:
    """``c`` times ``y`` along ``axis``, summed over what broadcasting stretched in ``like``.

    >>> vecdot_pull(np.array([2.0]), np.ones((1, 2)), like=np.zeros(2))
    array([2., 2.])
    """
    pulled = np.asarray(c)[..., None] * np.moveaxis(y, axis, -1)
    shape = np.moveaxis(np.empty(np.shape(like), bool), axis, -1).shape
    return cast(np.moveaxis(sum_to(pulled, shape), -1, axis), like)


def kron_pull_left(c: Value, y: Value, like: Value) -> Value:
    """The cotangent of ``x`` in ``np.kron(x, y)``: every block of ``c`` against ``y``.

    >>> kron_pull_left(np.ones(4), np.ones(2), like=np.zeros(2))
    array([2., 2.])
    """
    ours, theirs, blocks = kron_blocks(c, like, y)
    odd = list(range(1, 2 * len(ours), 2))
    pulled = np.tensordot(blocks, np.reshape(y, theirs), (odd, list(range(len(theirs)))))
    return cast(pulled.reshape(np.shape(like)), like)


def kron_pull_right(c: Value, x: Value, like: Value) -> Value:
    """The cotangent of ``y`` in ``np.kron(x, y)``: the blocks of ``c`` weighted by ``x``.

    >>> kron_pull_right(np.ones(4), np.ones(2), like=np.zeros(2))
    array([2., 2.])
    """
    theirs, ours, blocks = kron_blocks(c, x, like)
    even = list(range(0, 2 * len(ours), 2))
    pulled = np.tensordot(np.reshape(x, theirs), blocks, (list(range(len(theirs))), even))
    return cast(pulled.reshape(np.shape(like)), like)


def kron_blocks(c: Value, x: Value, y: Value) -> tuple[list[int], list[int], np.ndarray]:
    """The shapes of ``x`` and ``y`` at equal rank, and ``c`` with an axis pair for each axis."""
    rank = max(np.ndim(x), np.ndim(y))
    outer, inner = ([1] * (rank - np.ndim(v)) + list(np.shape(v)) for v in (x, y))
    pairs = [n for pair in zip(outer, inner, strict=True) for n in pair]
    return outer, inner, np.reshape(c, pairs)


def axis_from_end(like: Value, axis: int = -1, instead: int | None = None) -> int:
    """``axis`` of ``like`` counted from the end: broadcasting leaves it there. ``instead`` wins.

    >>> axis_from_end(np.zeros((3, 2)), 0), axis_from_end(np.zeros((3, 2)), -1, 0)
    (-2, -2)
    """
    at = int(axis if instead is None else instead)
    return at if at < 0 else at - np.ndim(like)


def cross(x: Value, y: Value, axisa: int = -1, axisb: int = -1, axisc: int = -1) -> Value:
    """``np.cross`` of vectors of length three, along axes that are counted from the end.

    >>> cross(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    array([0., 0., 1.])
    """
    if np.shape(x)[axisa] != 3 or np.shape(y)[axisb] != 3:
        raise UnsupportedOperation("np.cross has a derivative for vectors of length 3 only")
    return np.cross(x, y, axisa, axisb, axisc)


# np.convolve and np.correlate


def whole(c: Value, left: int, right: int, mode: str, cut: int) -> np.ndarray:
    """``c`` among the zeros of the full convolution that ``mode`` cut it from."""
    short = min(left, right)
    start = {"full": 0, "same": cut, "valid": short - 1}[mode]
    out = np.zeros(left + right - 1, np.result_type(np.asarray(c), np.float16))
    out[start : start + len(c)] = c
    return out


def convolve_pull(c: Value, y: Value, like: Value, mode: str = "full") -> Value:
    """The cotangent of either operand of ``np.convolve``, ``y`` being the other one.

    >>> convolve_pull(np.ones(3), np.ones(2), like=np.zeros(2))
    array([2., 2.])
    """
    m, n = np.size(like), np.size(y)
    full = whole(c, m, n, mode, (min(m, n) - 1) // 2)
    made = np.correlate(full, np.conj(np.atleast_1d(y)), "valid")
    return cast(made.reshape(np.shape(like)), like)


def same_start(m: int, n: int) -> int:
    """Where the "same" window of ``np.correlate`` begins; it is mirrored if ``n > m``."""
    return (n - 1) // 2 if n <= m else m // 2


def correlate_pull_left(c: Value, v: Value, like: Value, mode: str = "valid") -> Value:
    """The cotangent of ``a`` in ``np.correlate(a, v, mode)``.

    >>> correlate_pull_left(np.ones(2), np.ones(2), like=np.zeros(3))
    array([1., 2., 1.])
    """
    m, n = np.size(like), np.size(v)
    made = np.convolve(whole(c, m, n, mode, same_start(m, n)), v, "valid")
    return cast(made.reshape(np.shape(like)), like)


def correlate_pull_right(c: Value, a: Value, like: Value, mode: str = "valid") -> Value:
    """The cotangent of ``v`` in ``np.correlate(a, v, mode)`` (conjugate linear in ``c``).

    >>> correlate_pull_right(np.ones(2), np.ones(3), like=np.zeros(2))
    array([2., 2.])
    """
    m, n = np.size(a), np.size(like)
    made = np.correlate(a, whole(c, m, n, mode, same_start(m, n)), "valid")
    return cast(made.reshape(np.shape(like)), like)


# matrix powers


def powers(a: Value, n: int) -> Value:
    """``a**0 ... a**(n-1)`` in a stack; for negative ``n`` the first ``-n`` powers of 1/a.

    >>> powers(np.array([[2.0]]), 3).ravel()
    array([1., 2., 4.])
    """
    a = np.linalg.inv(a) if n < 0 else np.asarray(a)
    power = a if n < 0 else np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    stack = np.empty((abs(n), *a.shape), a.dtype)
    for i in range(abs(n)):
        stack[i], power = power, power @ a
    return stack


def direction(n: int) -> int:
    """1, 0 or -1: the sign, as a Python int, which changes no dtype."""
    return (n > 0) - (n < 0)


def lag(n: int) -> int:
    """By how much the derivative of ``powers(a, n)`` lags behind: the 0th power is constant."""
    return int(n > 0)


def matrix_convolve(x: Value, y: Value, lag: int) -> Value:
    """``z[i] = sum of x[j] @ y[i - lag - j]`` over stacks of matrices.

    >>> matrix_convolve(np.ones((3, 1, 1)), np.ones((3, 1, 1)), 1).ravel()
    array([0., 1., 2.])
    """
    out = np.zeros_like(x @ y)
    for i in range(lag, len(out)):
        out[i] = np.sum(x[: i - lag + 1] @ y[i - lag :: -1][: i - lag + 1], axis=0)
    return out


# np.linalg.solve, whose ``b`` is a vector exactly if it has one axis


def column(x: Value, like: Value) -> Value:
    """``x`` as columns of a matrix, where the right-hand side ``like`` was a vector."""
    return np.asarray(x)[..., None] if np.ndim(like) == 1 else x


def uncolumn(x: Value, like: Value) -> Value:
    """The columns as vectors again, where the right-hand side ``like`` was a vector."""
    return x[..., 0] if np.ndim(like) == 1 else x


def apply(a: Value, x: Value, like: Value) -> Value:
    """``a @ x`` as ``np.linalg.solve(a, like)`` sees it: vectors if ``like`` is one.

    >>> apply(np.eye(2), np.ones(2), like=np.ones(2))
    array([1., 1.])
    """
    return uncolumn(a @ column(x, like), like)


def solve_for(a: Value, b: Value, like: Value) -> Value:
    """``np.linalg.solve(a, b)``, ``b`` holding vectors exactly if ``like`` is a vector.

    >>> solve_for(2 * np.eye(2), np.ones(2), like=np.ones(2))
    array([0.5, 0.5])
    """
    return uncolumn(np.linalg.solve(a, column(b, like)), like)
