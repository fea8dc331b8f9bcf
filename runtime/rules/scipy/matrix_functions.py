"""Differentials of ``scipy.linalg``: eigenvalues, functions of matrices, matrix equations.

The derivative of a function of matrices is read off the function of ``[[a, da], [0, a]]``, which is a
function of matrices again: so are its own derivatives.
"""

import numpy as np
from scipy import linalg

from ...helpers import linear
from ...helpers.scipy import linalg as rt
from ..better_calls import form
from ..book import rule, transpose
from ..traits import traits

# eigenvalues and singular values


@form(linalg.svd)
def singular_values(asked):
    given = asked.arguments()
    alone = given.get("compute_uv") is False and asked.args
    return (linalg.svdvals, asked.args[:1], {}) if alone else None


@form(linalg.eigh)
def eigenvalues(asked):
    if asked.arguments().get("eigvals_only") is not True:
        return None
    return (
        linalg.eigvalsh,
        asked.args,
        {k: v for k, v in asked.kwargs.items() if k != "eigvals_only"},
    )


@rule(linalg.eigvalsh)
def eigvalsh(z, a, b=None, lower=True, check_finite=True, *, da, db):
    v = linalg.eigh(a, b, lower=lower)[1]
    vh = linear.herm(v)
    return np.real(np.diagonal(vh @ linear.hermitian(da) @ v, 0, -2, -1)) - z * np.real(
        np.diagonal(vh @ linear.hermitian(db) @ v, 0, -2, -1)
    )


@rule(linalg.eigh)
def eigh(z, a, b=None, lower=True, check_finite=True, *, da, db):
    w, v = z
    vh = linear.herm(v)
    half = np.eye(w.shape[-1], dtype=w.dtype) / 2
    return (
        np.real(np.diagonal(vh @ linear.hermitian(da) @ v, 0, -2, -1))
        - w * np.real(np.diagonal(vh @ linear.hermitian(db) @ v, 0, -2, -1)),
        v
        @ linear.mul0(
            vh @ linear.hermitian(da) @ v - (vh @ linear.hermitian(db) @ v) * w[..., None, :],
            linear.vector_gaps(w),
        )
        - v @ (half * (vh @ linear.hermitian(db) @ v)),
    )


@rule(linalg.eigvalsh_tridiagonal)
def eigvalsh_tridiagonal(z, d, e, check_finite=True, *, dd, de):
    v = linalg.eigh_tridiagonal(d, e)[1]
    above, below = v[..., :-1, :], v[..., 1:, :]
    return np.sum(v * v * linear.stretch(dd[..., None], v), axis=-2) + 2 * np.sum(
        above * below * linear.stretch(de[..., None], below), axis=-2
    )


@rule(linalg.eigh_tridiagonal)
def eigh_tridiagonal(z, d, e, check_finite=True, *, dd, de):
    w, v = z
    above, below = v[..., :-1, :], v[..., 1:, :]
    return (
        np.sum(v * v * linear.stretch(dd[..., None], v), axis=-2)
        + 2 * np.sum(above * below * linear.stretch(de[..., None], below), axis=-2),
        v
        @ linear.mul0(
            linear.mT(v) @ (linear.stretch(dd[..., None], v) * v)
            + linear.mT(above) @ (linear.stretch(de[..., None], below) * below)
            + linear.mT(below) @ (linear.stretch(de[..., None], above) * above),
            linear.vector_gaps(w),
        ),
    )


@rule(linalg.svdvals)
def svdvals(z, a, check_finite=True, *, da):
    factors = np.linalg.svd(a, full_matrices=False)
    return np.real(np.diagonal(linear.herm(factors[0]) @ da @ linear.herm(factors[2]), 0, -2, -1))


@rule(linalg.svd)
def svd(z, a, full_matrices=True, check_finite=True, lapack_driver="gesdd", *, da):
    u = linear.thin(z[0], z[1], -1)
    s = z[1][..., None, :]
    vh = linear.thin(z[2], z[1], -2)
    uh = linear.herm(u)
    v = linear.herm(vh)
    t = linear.mT(s)
    gap = linear.singular_gaps(z[1])
    by = linear.reciprocal(s)
    half = by * np.eye(z[1].shape[-1], dtype=z[1].dtype) / 2
    return (
        u @ linear.mul0((uh @ da @ v) * s + t * linear.herm(uh @ da @ v), gap)
        + u @ (half * (uh @ da @ v - linear.herm(uh @ da @ v)))
        + (da @ v - u @ (uh @ da @ v)) * by,
        np.real(np.diagonal(uh @ da @ v, 0, -2, -1)),
        linear.herm(
            v @ linear.mul0(t * (uh @ da @ v) + linear.herm(uh @ da @ v) * s, gap)
            + (linear.herm(da) @ u - v @ linear.herm(uh @ da @ v)) * by
        ),
    )


@rule(linalg.eigvals)
def eigvals(z, a, check_finite=True, *, da):
    v = linear.eigenvectors(a, z)
    return rt.complexed(np.diagonal(np.linalg.solve(v, da @ v), 0, -2, -1))


@rule(linalg.eig)
def eig(z, a, check_finite=True, *, da):
    v = z[1]
    w = rt.of_kind(z[0], v)
    return (
        rt.complexed(np.diagonal(np.linalg.solve(v, da @ v), 0, -2, -1)),
        linear.steady(v @ linear.mul0(np.linalg.solve(v, da @ v), linear.vector_gaps(w)), v),
    )


@rule(rt.complexed)
def complexed(z, x, *, dx):
    return rt.complexed(dx)


@transpose(rt.complexed, argument="x")
def _(c, x):
    return linear.unbroadcast(c, x)


@rule(rt.of_kind)
def of_kind(z, x, like, *, dx):
    return rt.of_kind(dx, like)


@transpose(rt.of_kind, argument="x")
def _(c, x, like):
    return rt.of_kind(c, like)


@rule(linalg.schur)
def schur(z, a, output="real", check_finite=True, *, da):
    t, u = rt.schur_form(z[0]), z[1]
    uh = linear.herm(u)
    return (
        np.triu(
            uh @ da @ u
            + rt.skew(rt.schur_lower(t, uh @ da @ u)) @ t
            - t @ rt.skew(rt.schur_lower(t, uh @ da @ u))
        ),
        -u @ rt.skew(rt.schur_lower(t, uh @ da @ u)),
    )


@rule(rt.schur_lower)
def schur_lower(z, t, m, adjoint=False, *, dt, dm):
    return rt.schur_lower(
        t,
        dm - linear.herm(np.triu(dt), adjoint) @ z + z @ linear.herm(np.triu(dt), adjoint),
        adjoint,
    )


@rule(rt.schur_form)
def schur_form(z, t, *, dt):
    return dt


@transpose(rt.schur_lower, argument="m")
def _(c, t, m, adjoint=False):
    return rt.schur_lower(t, c, not adjoint)


@rule(rt.skew)
def skew(z, x, *, dx):
    return rt.skew(dx)


@transpose(rt.skew, argument="x")
def _(c, x):
    return rt.skew(c)


# functions of matrices


@rule(linalg.expm)
def expm(z, A, *, dA):
    return rt.frechet(linalg.expm, A, dA)


@rule(linalg.logm)
def logm(z, A, *, dA):
    return rt.frechet(linalg.logm, A, dA)


@rule(linalg.sqrtm)
def sqrtm(z, A, *, dA):
    return rt.frechet(linalg.sqrtm, A, dA)


@rule(linalg.sinm)
def sinm(z, A, *, dA):
    return rt.frechet(linalg.sinm, A, dA)


@rule(linalg.cosm)
def cosm(z, A, *, dA):
    return rt.frechet(linalg.cosm, A, dA)


@rule(linalg.tanm)
def tanm(z, A, *, dA):
    return rt.frechet(linalg.tanm, A, dA)


@rule(linalg.sinhm)
def sinhm(z, A, *, dA):
    return rt.frechet(linalg.sinhm, A, dA)


@rule(linalg.coshm)
def coshm(z, A, *, dA):
    return rt.frechet(linalg.coshm, A, dA)


@rule(linalg.tanhm)
def tanhm(z, A, *, dA):
    return rt.frechet(linalg.tanhm, A, dA)


@rule(linalg.signm)
def signm(z, A, *, dA):
    return rt.frechet(linalg.signm, A, dA)


@rule(linalg.fractional_matrix_power)
def fractional_matrix_power(z, A, t, *, dA, dt):
    slope = rt.matrix_log(A) @ z
    return rt.frechet_power(A, dA, t) + slope * linear.stretch(dt, z)


@rule(rt.matrix_log)
def matrix_log(z, a, *, da):
    return rt.frechet(linalg.logm, a, da)


@rule(rt.frechet)
def frechet(z, f, a, e, *, da, de):
    return rt.frechet(f, a, de) + rt.corner(
        rt.frechet(f, rt.triangle(a, e), rt.triangle(da, linear.zeros_like(e)))
    )


@transpose(rt.frechet, argument="e")
def _(c, f, a, e):
    return linear.unbroadcast(linear.herm(rt.frechet(f, a, linear.herm(c))), e)


@rule(rt.frechet_power)
def frechet_power(z, a, e, t, *, da, de, dt):
    both = rt.triangle(a, e)
    slope = rt.corner(rt.matrix_log(both) @ linalg.fractional_matrix_power(both, t))
    return (
        rt.frechet_power(a, de, t)
        + rt.corner(rt.frechet_power(both, rt.triangle(da, linear.zeros_like(e)), t))
        + slope * linear.stretch(dt, z)
    )


@transpose(rt.frechet_power, argument="e")
def _(c, a, e, t):
    return linear.unbroadcast(linear.herm(rt.frechet_power(a, linear.herm(c), t)), e)


@rule(rt.triangle)
def triangle(z, a, e, *, da, de):
    return rt.triangle(da, de)


@transpose(rt.triangle, argument="a")
def _(c, a, e):
    return rt.diagonal_blocks(c)


@transpose(rt.triangle, argument="e")
def _(c, a, e):
    return rt.corner(c)


@rule(rt.corner)
def corner(z, x, *, dx):
    return rt.corner(dx)


@transpose(rt.corner, argument="x")
def _(c, x):
    return rt.triangle(linear.zeros_like(c), c)


@rule(rt.diagonal_blocks)
def diagonal_blocks(z, x, *, dx):
    return rt.diagonal_blocks(dx)


@transpose(rt.diagonal_blocks, argument="x")
def _(c, x):
    return rt.triangle(c, linear.zeros_like(c))


@rule(linalg.expm_frechet)
def expm_frechet(z, A, E, method=None, check_finite=True, *, dA, dE):
    return (
        rt.frechet(linalg.expm, A, dA),
        rt.frechet(linalg.expm, A, dE)
        + rt.corner(
            rt.frechet(linalg.expm, rt.triangle(A, E), rt.triangle(dA, linear.zeros_like(E)))
        ),
    )


# matrix equations


@rule(linalg.solve_sylvester)
def solve_sylvester(z, a, b, q, *, da, db, dq):
    return linalg.solve_sylvester(a, b, dq - da @ z - z @ db)


@transpose(linalg.solve_sylvester, argument="q")
def _(c, a, b, q):
    return linear.unbroadcast(linalg.solve_sylvester(linear.herm(a), linear.herm(b), c), q)


@rule(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(z, a, q, *, da, dq):
    return linalg.solve_continuous_lyapunov(a, dq - da @ z - z @ linear.herm(da))


@transpose(linalg.solve_continuous_lyapunov, argument="q")
def _(c, a, q):
    return linear.unbroadcast(linalg.solve_continuous_lyapunov(linear.herm(a), c), q)


@rule(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(z, a, q, method=None, *, da, dq):
    return linalg.solve_discrete_lyapunov(
        a, dq + da @ z @ linear.herm(a) + a @ z @ linear.herm(da), method=method
    )


@transpose(linalg.solve_discrete_lyapunov, argument="q")
def _(c, a, q, method=None):
    return linear.unbroadcast(linalg.solve_discrete_lyapunov(linear.herm(a), c, method=method), q)


@rule(linalg.solve_continuous_are)
def solve_continuous_are(z, a, b, q, r, balanced=True, *, da, db, dq, dr):
    k = np.linalg.solve(r, linear.herm(b) @ z)
    kh = linear.herm(k)
    return linalg.solve_continuous_lyapunov(
        linear.herm(a - b @ k),
        -linear.hermitian(
            2 * (z @ (da - db @ k)) + kh @ linear.hermitian(dr) @ k + linear.hermitian(dq)
        ),
    )


@rule(linalg.solve_discrete_are)
def solve_discrete_are(z, a, b, q, r, balanced=True, *, da, db, dq, dr):
    bh = linear.herm(b)
    k = np.linalg.solve(r + bh @ z @ b, bh @ z @ a)
    kh = linear.herm(k)
    rest = a - b @ k
    return linalg.solve_discrete_lyapunov(
        linear.herm(rest),
        linear.hermitian(
            2 * (linear.herm(rest) @ z @ (da - db @ k))
            + kh @ linear.hermitian(dr) @ k
            + linear.hermitian(dq)
        ),
    )


# -- on a batch -------------------------------------------------------------------------

traits(
    rt.complexed, rt.of_kind, rt.skew, rt.matrix_log, rt.corner, rt.diagonal_blocks, linalg.expm, batch="leading"
)  # fmt: skip
traits(rt.frechet, rt.triangle, batch="leading")
