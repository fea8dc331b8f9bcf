"""Products: `@`, dot, inner, outer, vdot, vecdot, tensordot, einsum, kron, cross, convolve."""

import operator

import numpy as np

from ....helpers import linear
from ...book import constant, rule, traits, transpose

constant(linear.axis_from_end)

# x @ y


@rule(operator.matmul, operator.imatmul, np.matmul, np.linalg.matmul)
def matmul(z, x1, x2, *, dx1, dx2):
    return dx1 @ x2 + x1 @ dx2


@transpose(operator.matmul, operator.imatmul, np.matmul, np.linalg.matmul, argument="x1")
def _(c, x1, x2):
    return linear.matmul_pull_left(c, np.conj(x2), like=x1)


@transpose(operator.matmul, operator.imatmul, np.matmul, np.linalg.matmul, argument="x2")
def _(c, x1, x2):
    return linear.matmul_pull_right(c, np.conj(x1), like=x2)


@rule(linear.matmul_pull_left, memory="new", fills="all")
def matmul_pull_left(z, c, y, like, *, dc, dy):
    return linear.matmul_pull_left(dc, y, like=like) + linear.matmul_pull_left(c, dy, like=like)


@rule(linear.matmul_pull_right, memory="new", fills="all")
def matmul_pull_right(z, c, x, like, *, dc, dx):
    return linear.matmul_pull_right(dc, x, like=like) + linear.matmul_pull_right(c, dx, like=like)


@transpose(linear.matmul_pull_left, argument="c")
def _(c_bar, c, y, like):
    return c_bar @ np.conj(y)


@transpose(linear.matmul_pull_left, argument="y")
def _(c_bar, c, y, like):
    return linear.matmul_pull_right(np.conj(c), c_bar, like=y)


@transpose(linear.matmul_pull_right, argument="c")
def _(c_bar, c, x, like):
    return np.conj(x) @ c_bar


@transpose(linear.matmul_pull_right, argument="x")
def _(c_bar, c, x, like):
    return linear.matmul_pull_left(np.conj(c), c_bar, like=x)


# dot, inner and tensordot: one pair of pulls


@rule(np.dot, np.ndarray.dot, memory="new")
def dot(z, a, b, *, da, db):
    return np.dot(da, b) + np.dot(a, db)


@rule(np.inner, memory="new")
def inner(z, a, b, *, da, db):
    return np.inner(da, b) + np.inner(a, db)


@rule(np.tensordot, np.linalg.tensordot, memory="new", rank_0="array")
def tensordot(z, a, b, axes=2, *, da, db):
    return np.tensordot(da, b, axes) + np.tensordot(a, db, axes)


@transpose(np.dot, np.ndarray.dot, argument="a")
def _(c, a, b):
    return linear.tensordot_pull_left(c, np.conj(b), like=a, axes=linear.dot_axes(a, b))


@transpose(np.dot, np.ndarray.dot, argument="b")
def _(c, a, b):
    return linear.tensordot_pull_right(c, np.conj(a), like=b, axes=linear.dot_axes(a, b))


@transpose(np.inner, argument="a")
def _(c, a, b):
    return linear.tensordot_pull_left(c, np.conj(b), like=a, axes=linear.inner_axes(a, b))


@transpose(np.inner, argument="b")
def _(c, a, b):
    return linear.tensordot_pull_right(c, np.conj(a), like=b, axes=linear.inner_axes(a, b))


@transpose(np.tensordot, np.linalg.tensordot, argument="a")
def _(c, a, b, axes=2):
    return linear.tensordot_pull_left(c, np.conj(b), like=a, axes=axes)


@transpose(np.tensordot, np.linalg.tensordot, argument="b")
def _(c, a, b, axes=2):
    return linear.tensordot_pull_right(c, np.conj(a), like=b, axes=axes)


@rule(linear.tensordot_pull_left, memory="new", fills="all")
def tensordot_pull_left(z, c, y, like, axes=2, *, dc, dy):
    return linear.tensordot_pull_left(dc, y, like=like, axes=axes) + linear.tensordot_pull_left(
        c, dy, like=like, axes=axes
    )


@rule(linear.tensordot_pull_right, memory="new", fills="all")
def tensordot_pull_right(z, c, x, like, axes=2, *, dc, dx):
    return linear.tensordot_pull_right(dc, x, like=like, axes=axes) + linear.tensordot_pull_right(
        c, dx, like=like, axes=axes
    )


@transpose(linear.tensordot_pull_left, argument="c")
def _(c_bar, c, y, like, axes=2):
    return np.tensordot(c_bar, np.conj(y), axes)


@transpose(linear.tensordot_pull_left, argument="y")
def _(c_bar, c, y, like, axes=2):
    return linear.tensordot_pull_right(np.conj(c), c_bar, like=y, axes=axes)


@transpose(linear.tensordot_pull_right, argument="c")
def _(c_bar, c, x, like, axes=2):
    return np.tensordot(np.conj(x), c_bar, axes)


@transpose(linear.tensordot_pull_right, argument="x")
def _(c_bar, c, x, like, axes=2):
    return linear.tensordot_pull_left(np.conj(c), c_bar, like=x, axes=axes)


# outer, vdot, vecdot


@rule(np.outer, np.linalg.outer, memory="new", order=2)
def outer(z, a, b, *, da, db):
    return np.outer(da, b) + np.outer(a, db)


@transpose(np.outer, np.linalg.outer, argument="a")
def _(c, a, b):
    return linear.reshape_like(c @ np.conj(np.ravel(b)), like=a)


@transpose(np.outer, np.linalg.outer, argument="b")
def _(c, a, b):
    return linear.reshape_like(np.conj(np.ravel(a)) @ c, like=b)


@rule(np.vdot, memory="new", for_complex=True)
def vdot(z, a, b, *, da, db):
    return np.vdot(da, b) + np.vdot(a, db)


@transpose(np.vdot, argument="a")
def _(c, a, b):
    return linear.reshape_like(np.conj(c) * np.ravel(b), like=a)


@transpose(np.vdot, argument="b")
def _(c, a, b):
    return linear.reshape_like(c * np.ravel(a), like=b)


@rule(linear.vecdot_pull)
def vecdot_pull(z, c, y, like, axis=-1, *, dc, dy):
    return linear.vecdot_pull(dc, y, like, axis) + linear.vecdot_pull(c, dy, like, axis)


@transpose(linear.vecdot_pull, argument="y")
def _(c_bar, c, y, like, axis=-1):
    return linear.vecdot_pull(np.conj(c), c_bar, y, axis)


if hasattr(np, "vecdot"):  # NumPy 2.1

    @rule(np.vecdot, np.linalg.vecdot)
    def vecdot(z, x1, x2, axis=-1, *, dx1, dx2):
        return np.vecdot(dx1, x2, axis=axis) + np.vecdot(x1, dx2, axis=axis)

    @transpose(np.vecdot, np.linalg.vecdot, argument="x1")
    def _(c, x1, x2, axis=-1):
        return linear.vecdot_pull(np.conj(c), x2, x1, axis)

    @transpose(np.vecdot, np.linalg.vecdot, argument="x2")
    def _(c, x1, x2, axis=-1):
        return linear.vecdot_pull(c, x1, x2, axis)

    @transpose(linear.vecdot_pull, argument="c")
    def _(c_bar, c, y, like, axis=-1):
        return np.vecdot(y, c_bar, axis=axis)


if hasattr(np, "matvec"):  # NumPy 2.2

    @rule(np.matvec)
    def matvec(z, x1, x2, *, dx1, dx2):
        return np.matvec(dx1, x2) + np.matvec(x1, dx2)

    @transpose(np.matvec, argument="x1")
    def _(c, x1, x2):
        return linear.unbroadcast(c[..., :, None] * np.conj(x2)[..., None, :], x1)

    @transpose(np.matvec, argument="x2")
    def _(c, x1, x2):
        return linear.unbroadcast(np.matvec(linear.herm(x1), c), x2)

    @rule(np.vecmat)
    def vecmat(z, x1, x2, *, dx1, dx2):
        return np.vecmat(dx1, x2) + np.vecmat(x1, dx2)

    @transpose(np.vecmat, argument="x1")
    def _(c, x1, x2):
        return linear.unbroadcast(np.matvec(x2, np.conj(c)), x1)

    @transpose(np.vecmat, argument="x2")
    def _(c, x1, x2):
        return linear.unbroadcast(x1[..., :, None] * c[..., None, :], x2)


# kron


@rule(np.kron, memory="new")
def kron(z, a, b, *, da, db):
    return np.kron(da, b) + np.kron(a, db)


@transpose(np.kron, argument="a")
def _(c, a, b):
    return linear.kron_pull_left(c, np.conj(b), like=a)


@transpose(np.kron, argument="b")
def _(c, a, b):
    return linear.kron_pull_right(c, np.conj(a), like=b)


@rule(linear.kron_pull_left)
def kron_pull_left(z, c, y, like, *, dc, dy):
    return linear.kron_pull_left(dc, y, like=like) + linear.kron_pull_left(c, dy, like=like)


@rule(linear.kron_pull_right)
def kron_pull_right(z, c, x, like, *, dc, dx):
    return linear.kron_pull_right(dc, x, like=like) + linear.kron_pull_right(c, dx, like=like)


@transpose(linear.kron_pull_left, argument="c")
def _(c_bar, c, y, like):
    return np.kron(c_bar, np.conj(y))


@transpose(linear.kron_pull_left, argument="y")
def _(c_bar, c, y, like):
    return linear.kron_pull_right(np.conj(c), c_bar, like=y)


@transpose(linear.kron_pull_right, argument="c")
def _(c_bar, c, x, like):
    return np.kron(np.conj(x), c_bar)


@transpose(linear.kron_pull_right, argument="x")
def _(c_bar, c, x, like):
    return linear.kron_pull_left(np.conj(c), c_bar, like=x)


# cross


@rule(np.cross, memory="new")
def cross(z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None, *, da, db):
    i = linear.axis_from_end(a, axisa, axis)
    j = linear.axis_from_end(b, axisb, axis)
    k = linear.axis_from_end(z, axisc, axis)
    return linear.cross(da, b, i, j, k) + linear.cross(a, db, i, j, k)


@rule(linear.cross)
def linear_cross(z, a, b, axisa=-1, axisb=-1, axisc=-1, *, da, db):
    return linear.cross(da, b, axisa, axisb, axisc) + linear.cross(a, db, axisa, axisb, axisc)


@transpose(linear.cross, argument="a")
def _(c, a, b, axisa=-1, axisb=-1, axisc=-1):
    return linear.unbroadcast(linear.cross(np.conj(b), c, axisb, axisc, axisa), a)


@transpose(linear.cross, argument="b")
def _(c, a, b, axisa=-1, axisb=-1, axisc=-1):
    return linear.unbroadcast(linear.cross(c, np.conj(a), axisc, axisa, axisb), b)


@rule(np.linalg.cross, memory="new")
def linalg_cross(z, x1, x2, axis=-1, *, dx1, dx2):
    i = linear.axis_from_end(x1, axis)
    j = linear.axis_from_end(x2, axis)
    k = linear.axis_from_end(z, axis)
    return linear.cross(dx1, x2, i, j, k) + linear.cross(x1, dx2, i, j, k)


traits(np.linalg.matmul, memory="new")
traits(operator.matmul, operator.imatmul, np.ndarray.dot, of_matrices=True)
traits(np.matmul, np.dot, of_matrices=True, fills="all")
traits(np.outer, np.tensordot, fills="all")
traits(linear.axis_from_end, reads="like")

# How axes are matched
traits(operator.matmul, operator.imatmul, np.matmul, np.linalg.matmul, contracts="matmul")
traits(np.dot, np.ndarray.dot, contracts="dot")
traits(np.inner, contracts="inner")
traits(np.outer, np.linalg.outer, contracts="outer")
traits(np.tensordot, np.linalg.tensordot, contracts="tensordot")
traits(np.einsum, linear.einsum, contracts="einsum")
