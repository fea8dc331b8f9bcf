"""Linear algebra: solve, inv, det, Cholesky, QR, pinv, powers.

Cholesky takes the Hermitian part of its argument's differential, as torch does.
"""

import numpy as np

from ....helpers import linear
from ...book import constant, rule, traits, transpose

constant(
    np.linalg.matrix_rank,
    linear.direction,
    linear.dot_axes,
    linear.inner_axes,
    linear.lag,
)


@rule(np.linalg.inv, memory="new", infinite="may")
def inv(z, a, *, da):
    return -(z @ da @ z)


@rule(np.linalg.solve, memory="new", infinite="may", fills="all")
def solve(z, a, b, *, da, db):
    return linear.solve_for(a, linear.stretch(db, z) - linear.apply(da, z, b), b)


@rule(linear.solve_for)
def solve_for(z, a, b, like, *, da, db):
    return linear.solve_for(a, db - linear.apply(da, z, like), like)


@transpose(np.linalg.solve, argument="b")
def _(c, a, b):
    return linear.unbroadcast(linear.solve_for(linear.herm(a), c, b), b)


@transpose(linear.solve_for, argument="b")
def _(c, a, b, like):
    return linear.solve_for(linear.herm(a), c, like)


@rule(linear.apply)
def apply(z, a, x, like, *, da, dx):
    return linear.apply(da, x, like) + linear.apply(a, dx, like)


@transpose(linear.apply, argument="a")
def _(c, a, x, like):
    return linear.matmul_pull_left(linear.column(c, like), linear.column(np.conj(x), like), like=a)


@transpose(linear.apply, argument="x")
def _(c, a, x, like):
    return linear.unbroadcast(linear.apply(linear.herm(a), c, like), x)


@rule(linear.column)
def column(z, x, like, *, dx):
    return linear.column(dx, like)


@rule(linear.uncolumn)
def uncolumn(z, x, like, *, dx):
    return linear.uncolumn(dx, like)


@transpose(linear.column, argument="x")
def _(c, x, like):
    return linear.uncolumn(c, like)


@transpose(linear.uncolumn, argument="x")
def _(c, x, like):
    return linear.column(c, like)


# determinants


@rule(np.linalg.det, memory="new")
def det(z, a, *, da):
    return np.sum(linear.cofactor(a) * da, axis=(-2, -1))


@rule(linear.cofactor)
def cofactor(z, a, *, da):
    return linear.cofactor_push(da, a)


@rule(linear.cofactor_push)
def cofactor_push(z, e, a, *, de, da):
    x = linear.mT(np.linalg.inv(a))
    y = linear.mT(e)
    d = np.linalg.det(a)[..., None, None]
    t = np.sum(x * e, axis=(-2, -1))[..., None, None]
    xyx = x @ y @ x
    return (
        linear.cofactor_push(de, a)
        + linear.unreduce(np.sum(x * da, axis=(-2, -1)), a, axis=(-2, -1)) * z
        - d * (linear.unreduce(np.sum(xyx * da, axis=(-2, -1)), a, axis=(-2, -1)) * x)
        - d * t * (x @ linear.mT(da) @ x)
        + d * (x @ linear.mT(da) @ xyx)
        + d * (xyx @ linear.mT(da) @ x)
    )


@transpose(linear.cofactor_push, argument="e")
def _(c, e, a):
    return linear.cofactor_push(c, np.conj(a))


@rule(np.linalg.slogdet, memory="new")
def slogdet(z, a, *, da):
    x = linear.mT(np.linalg.inv(a))
    return linear.turn(np.sum(x * da, axis=(-2, -1)), z[0]), np.real(np.sum(x * da, axis=(-2, -1)))


@rule(linear.turn)
def turn(z, t, phase, *, dt, dphase):
    return linear.turn(dt, phase) + linear.turn(t, dphase)


@rule(linear.turn_pull)
def turn_pull(z, c, phase, *, dc, dphase):
    return linear.turn_pull(dc, phase) + linear.turn_pull(c, dphase)


@transpose(linear.turn, argument="t")
def _(c, t, phase):
    return linear.turn_pull(c, phase)


@transpose(linear.turn, argument="phase")
def _(c, t, phase):
    return -linear.turn(t, c)


@transpose(linear.turn_pull, argument="c")
def _(c_bar, c, phase):
    return linear.turn(c_bar, phase)


@transpose(linear.turn_pull, argument="phase")
def _(c_bar, c, phase):
    return -linear.turn(c_bar, c)


# triangles


@rule(linear.herm)
def herm(z, x, when=True, *, dx):
    return linear.herm(dx, when)


@transpose(linear.herm, argument="x")
def _(c, x, when=True):
    return linear.herm(c, when)


@rule(linear.hermitian, memory="either", new_if="alone")
def hermitian(z, x, when=True, *, dx):
    return linear.hermitian(dx, when)


@transpose(linear.hermitian, argument="x")
def _(c, x, when=True):
    return linear.hermitian(c, when)


@rule(linear.phi, memory="new")
def phi(z, x, *, dx):
    return linear.phi(dx)


@transpose(linear.phi, argument="x")
def _(c, x):
    return linear.phi(c)


@rule(linear.upper_part)
def upper_part(z, x, *, dx):
    return linear.upper_part(dx)


@rule(linear.upper_pull)
def upper_pull(z, c, *, dc):
    return linear.upper_pull(dc)


@transpose(linear.upper_part, argument="x")
def _(c, x):
    return linear.upper_pull(c)


@transpose(linear.upper_pull, argument="c")
def _(c_bar, c):
    return linear.upper_part(c_bar)


@rule(np.linalg.cholesky, memory="new")
def cholesky(z, a, upper=False, *, da):
    low = linear.herm(z, upper)
    return linear.herm(
        low
        @ linear.phi(
            linear.solve_lower(low, linear.herm(linear.solve_lower(low, linear.hermitian(da))))
        ),
        upper,
    )


@rule(np.linalg.qr, memory="new")
def qr(z, a, mode="reduced", *, da):
    q = linear.economic(z[0], z[1], mode)
    r = z[1]
    first = linear.leading(r, r)
    qh = linear.herm(q)
    return (
        linear.over(linear.leading(da, r), first)
        - q @ linear.upper_part(qh @ linear.over(linear.leading(da, r), first)),
        qh @ da
        - (
            qh @ linear.over(linear.leading(da, r), first)
            - linear.upper_part(qh @ linear.over(linear.leading(da, r), first))
        )
        @ r,
    )


@rule(linear.qr_r, called="np.linalg.qr")
def qr_r(z, a, mode, *, da):
    first = linear.leading(z, z)
    qh = linear.herm(np.linalg.qr(a)[0])
    return (
        qh @ da
        - (
            qh @ linear.over(linear.leading(da, z), first)
            - linear.upper_part(qh @ linear.over(linear.leading(da, z), first))
        )
        @ z
    )


@rule(linear.economic, constant_in=("r",))
def economic(z, q, r, mode="reduced", *, dq):
    return linear.economic(dq, r, mode)


@transpose(linear.economic, argument="q")
def _(c, q, r, mode="reduced"):
    return linear.economic(c, r, mode)


@rule(linear.leading)
def leading(z, x, like, *, dx):
    return linear.leading(dx, like)


@transpose(linear.leading, argument="x")
def _(c, x, like):
    return linear.fit(c, x)


@rule(linear.solve_lower, memory="new")
def solve_lower(z, low, b, adjoint=False, *, dlow, db):
    return linear.solve_lower(low, db - linear.herm(dlow, adjoint) @ z, adjoint)


@transpose(linear.solve_lower, argument="b")
def _(c, low, b, adjoint=False):
    return linear.solve_lower(low, c, not adjoint)


@rule(linear.over)
def over(z, x, r, *, dx, dr):
    return linear.over(dx, r) - linear.over(z @ dr, r)


@transpose(linear.over, argument="x")
def _(c, x, r):
    return linear.over(c, linear.herm(r))


# pinv, at constant rank


@rule(np.linalg.pinv, memory="new")
def pinv(z, a, rcond=None, hermitian=False, rtol=None, *, da):
    zh = linear.herm(z)
    left = np.eye(linear.uncut(z.shape[-2], a, rcond, rtol), dtype=z.dtype) - z @ a
    right = np.eye(z.shape[-1], dtype=z.dtype) - a @ z
    return (
        z @ zh @ linear.herm(linear.hermitian(da, hermitian)) @ right
        + left @ linear.herm(linear.hermitian(da, hermitian)) @ zh @ z
        - z @ linear.hermitian(da, hermitian) @ z
    )


# powers


@rule(np.linalg.matrix_power)
def matrix_power(z, a, n, *, da):
    p = linear.powers(a, n)
    return linear.direction(n) * np.sum(p @ da @ np.flip(p, 0), axis=0)


@rule(linear.powers)
def powers(z, a, n, *, da):
    return linear.direction(n) * linear.matrix_convolve(z @ da, z, linear.lag(n))


@rule(linear.matrix_convolve)
def matrix_convolve(z, x, y, lag, *, dx, dy):
    return linear.matrix_convolve(dx, y, lag) + linear.matrix_convolve(x, dy, lag)


@transpose(linear.matrix_convolve, argument="x")
def _(c, x, y, lag):
    return np.flip(linear.matrix_convolve(np.flip(c, 0), linear.herm(y), lag), 0)


@transpose(linear.matrix_convolve, argument="y")
def _(c, x, y, lag):
    return np.flip(linear.matrix_convolve(linear.herm(x), np.flip(c, 0), lag), 0)


traits(linear.dot_axes, linear.inner_axes, reads="structure")
