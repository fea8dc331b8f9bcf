"""Eigenvalues and singular values, and their vectors.

eigh takes the Hermitian part of its argument's differential, as torch does.  Values of equal eigenvalues
have their gradient; vectors of equal eigenvalues have none: nan, unless nothing turns them.  Complex
vectors of eigh and of svd have a phase that LAPACK chooses: only what does not depend on it has a
derivative.  Those of eig have the length 1 and a real largest entry, and the derivative keeps both.
"""

import numpy as np

from ....helpers import linear
from ...book import rule, transpose


@rule(np.linalg.eigvalsh, memory="new")
def eigvalsh(z, a, UPLO="L", *, da):
    v = np.linalg.eigh(a, UPLO)[1]
    return np.real(np.sum(np.conj(v) * (linear.hermitian(da) @ v), axis=-2))


@rule(np.linalg.eigh, memory="new")
def eigh(z, a, UPLO="L", *, da):
    w, v = z
    vh = linear.herm(v)
    return (
        np.real(np.diagonal(vh @ linear.hermitian(da) @ v, 0, -2, -1)),
        v @ linear.mul0(vh @ linear.hermitian(da) @ v, linear.vector_gaps(w)),
    )


@rule(np.linalg.eigvals, memory="new", order=-1)
def eigvals(z, a, *, da):
    v = linear.eigenvectors(a, z)
    return np.sum(linear.mT(np.linalg.inv(v)) * (da @ v), axis=-2)


@rule(np.linalg.eig, memory="new")
def eig(z, a, *, da):
    w, v = z
    inverse = np.linalg.inv(v)
    return (
        np.sum(linear.mT(inverse) * (da @ v), axis=-2),
        linear.steady(v @ linear.mul0(inverse @ (da @ v), linear.vector_gaps(w)), v),
    )


@rule(linear.eigenvectors, constant_in=("w",))
def eigenvectors(z, a, w, *, da):
    gap = linear.vector_gaps(np.diagonal(np.linalg.solve(z, a @ z), 0, -2, -1))
    return linear.steady(z @ linear.mul0(np.linalg.solve(z, da @ z), gap), z)


@rule(linear.steady)
def steady(z, e, v, *, de, dv):
    height = linear.top(v, v)
    turn = linear.top(e, v) / height
    along = np.sum(np.real(np.conj(v) * e), axis=-2, keepdims=True)
    return (
        linear.steady(de, v)
        - (along + linear.times_i(np.imag(turn), v)) * dv
        - v * linear.stretch(np.sum(np.real(np.conj(e) * dv), axis=-2, keepdims=True), v)
        + v * linear.stretch(linear.times_i(np.imag(turn / height * linear.top(dv, v)), v), v)
    )


@transpose(linear.steady, argument="e")
def _(c, e, v):
    along = np.sum(np.conj(c) * v, axis=-2, keepdims=True)
    turn = linear.times_i(np.imag(along), v) / np.conj(linear.top(v, v))
    return c - v * np.real(along) + linear.untop(turn, v)


@rule(linear.top, constant_in=("v",))
def top(z, x, v, *, dx):
    return linear.top(dx, v)


@transpose(linear.top, argument="x")
def _(c, x, v):
    return linear.untop(c, v)


@rule(linear.untop, constant_in=("v",))
def untop(z, c, v, *, dc):
    return linear.untop(dc, v)


@transpose(linear.untop, argument="c")
def _(c_bar, c, v):
    return linear.top(c_bar, v)


@rule(np.linalg.svdvals, memory="new")
def svdvals(z, x, *, dx):
    factors = np.linalg.svd(x, full_matrices=False)
    return np.real(np.sum(np.conj(factors[0]) * (dx @ linear.herm(factors[2])), axis=-2))


@rule(np.linalg.svd, memory="new")
def svd(z, a, full_matrices=True, *, da):
    u = linear.thin(z[0], z[1], -1)
    s = z[1][..., None, :]
    vh = linear.thin(z[2], z[1], -2)
    uh = linear.herm(u)
    v = linear.herm(vh)
    t = linear.mT(s)
    gap = linear.singular_gaps(z[1])
    by = linear.reciprocal(s)
    half = by * np.eye(z[1].shape[-1], dtype=z[1].dtype) / 2
    some_u = linear.some(z[0], z[1], -1)
    some_v = linear.herm(linear.some(z[2], z[1], -2))
    return (
        u @ linear.mul0((uh @ da @ v) * s + t * linear.herm(uh @ da @ v), gap)
        + u @ (half * (uh @ da @ v - linear.herm(uh @ da @ v)))
        + (da @ v - u @ (uh @ da @ v)) * by,
        np.real(np.sum(np.conj(some_u) * (da @ some_v), axis=-2)),
        linear.herm(
            v @ linear.mul0(t * (uh @ da @ v) + linear.herm(uh @ da @ v) * s, gap)
            + (linear.herm(da) @ u - v @ linear.herm(uh @ da @ v)) * by
        ),
    )


@rule(linear.thin, constant_in=("s",))
def thin(z, factor, s, axis, *, dfactor):
    return linear.thin(dfactor, s, axis)


@transpose(linear.thin, argument="factor")
def _(c, factor, s, axis):
    return linear.thin(c, s, axis)


@rule(linear.some, constant_in=("s",))
def some(z, factor, s, axis, *, dfactor):
    return linear.some(dfactor, s, axis)


@transpose(linear.some, argument="factor")
def _(c, factor, s, axis):
    return linear.fit(c, factor)


@rule(linear.reciprocal, infinite="may")
def reciprocal(z, x, *, dx):
    return -(z * z) * dx


@rule(linear.gaps)
def gaps(z, w, *, dw):
    return (z * z) * (linear.stretch(dw[..., :, None], z) - linear.stretch(dw[..., None, :], z))


@rule(linear.vector_gaps)
def vector_gaps(z, w, *, dw):
    return linear.mul0(
        linear.stretch(dw[..., :, None], z) - linear.stretch(dw[..., None, :], z), z * z
    )


@rule(linear.singular_gaps)
def singular_gaps(z, s, *, ds):
    return linear.mul0(
        linear.stretch((s * ds)[..., :, None], z) - linear.stretch((s * ds)[..., None, :], z),
        z * z * 2,
    )
