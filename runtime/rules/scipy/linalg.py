"""Differentials of ``scipy.linalg``: systems, inverses, determinants, factorisations.

As with NumPy's, a matrix that is taken to be Hermitian gives the Hermitian part of its differential.
"""

import numpy as np
from scipy import linalg

from ...errors import UnsupportedOperation
from ...helpers import linear
from ...helpers.scipy import linalg as rt
from ..better_calls import form
from ..book import constant, rule, transpose
from ..numpy.linalg.norms import norm
from ..traits import traits

constant(
    linalg.hilbert, linalg.invhilbert, linalg.pascal, linalg.invpascal, linalg.hadamard,
    linalg.helmert, rt.lu_flip, rt.numpy_mode,
)  # fmt: skip
rule(linalg.norm)(norm)


# systems


@rule(linalg.solve)
def solve(z, a, b, lower=False, check_finite=True, assume_a=None, transposed=False, *, da, db):
    seen = rt.transposed_if(rt.whole(a, assume_a, lower), transposed)
    return linear.solve_for(
        seen,
        linear.stretch(db, z)
        - linear.apply(rt.transposed_if(rt.mirrored(da, assume_a), transposed), z, b),
        b,
    )


@rule(rt.whole)
def whole(z, a, assume_a, lower, *, da):
    return rt.mirrored(da, assume_a)


@rule(rt.mirrored)
def mirrored(z, x, assume_a, *, dx):
    return rt.mirrored(dx, assume_a)


@transpose(rt.mirrored, argument="x")
def _(c, x, assume_a):
    return rt.mirrored(c, assume_a)


@rule(rt.transposed_if)
def transposed_if(z, x, when, *, dx):
    return rt.transposed_if(dx, when)


@transpose(rt.transposed_if, argument="x")
def _(c, x, when):
    return rt.transposed_if(c, when)


@rule(linalg.solve_triangular)
def solve_triangular(
    z, a, b, trans=0, lower=False, unit_diagonal=False, check_finite=True, *, da, db
):
    return linalg.solve_triangular(
        a,
        linear.stretch(db, z) - linear.apply(rt.triangle_of(da, trans, lower, unit_diagonal), z, b),
        trans=trans,
        lower=lower,
        unit_diagonal=unit_diagonal,
    )


@transpose(linalg.solve_triangular, argument="b")
def _(c, a, b, trans=0, lower=False, unit_diagonal=False, check_finite=True):
    return linear.unbroadcast(
        linalg.solve_triangular(
            linear.herm(a), c, trans=trans, lower=not lower, unit_diagonal=unit_diagonal
        ),
        b,
    )


@rule(rt.triangle_of)
def triangle_of(z, x, trans, lower, unit_diagonal, *, dx):
    return rt.triangle_of(dx, trans, lower, unit_diagonal)


@rule(rt.triangle_pull)
def triangle_pull(z, c, trans, lower, unit_diagonal, *, dc):
    return rt.triangle_pull(dc, trans, lower, unit_diagonal)


@transpose(rt.triangle_of, argument="x")
def _(c, x, trans, lower, unit_diagonal):
    return rt.triangle_pull(c, trans, lower, unit_diagonal)


@transpose(rt.triangle_pull, argument="c")
def _(c_bar, c, trans, lower, unit_diagonal):
    return rt.triangle_of(c_bar, trans, lower, unit_diagonal)


@rule(linalg.inv)
def inv(z, a, check_finite=True, *, da):
    return -(z @ da @ z)


@rule(linalg.det)
def det(z, a, check_finite=True, *, da):
    return linear.convert(np.sum(linear.cofactor(a) * da, axis=(-2, -1)), z)


@rule(linalg.pinv)
def pinv(z, a, atol=None, rtol=None, check_finite=True, *, da):
    zh = linear.herm(z)
    left = np.eye(linear.uncut(z.shape[-2], a, None, rtol, atol), dtype=z.dtype) - z @ a
    right = np.eye(z.shape[-1], dtype=z.dtype) - a @ z
    return z @ zh @ linear.herm(da) @ right + left @ linear.herm(da) @ zh @ z - z @ da @ z


# factorisations, and what is solved with them


@rule(linalg.cholesky)
def cholesky(z, a, lower=False, check_finite=True, *, da):
    low = linear.herm(z, not lower)
    return linear.herm(
        low
        @ linear.phi(
            linear.solve_lower(low, linear.herm(linear.solve_lower(low, linear.hermitian(da))))
        ),
        not lower,
    )


@rule(linalg.cho_factor)
def cho_factor(z, a, lower=False, check_finite=True, *, da):
    low = rt.factor_matrix(z[0], lower)
    return (
        linear.herm(
            low
            @ linear.phi(
                linear.solve_lower(low, linear.herm(linear.solve_lower(low, linear.hermitian(da))))
            ),
            not lower,
        )
        + rt.other_triangle(da, lower),
        0.0,
    )


@rule(linalg.cho_solve, several=("c_and_lower",))
def cho_solve(z, c_and_lower, b, check_finite=True, *, dc_and_lower, db):
    low = rt.factor_matrix(c_and_lower[0], c_and_lower[1])
    return linalg.cho_solve(
        c_and_lower,
        linear.stretch(db, z)
        - linear.apply(
            rt.factor_matrix(dc_and_lower[0], c_and_lower[1]) @ linear.herm(low)
            + low @ linear.herm(rt.factor_matrix(dc_and_lower[0], c_and_lower[1])),
            z,
            b,
        ),
    )


@transpose(linalg.cho_solve, argument="b")
def _(c, c_and_lower, b, check_finite=True):
    return linear.unbroadcast(linalg.cho_solve(c_and_lower, c), b)


@rule(rt.factor_matrix, constant_in=("lower",))
def factor_matrix(z, x, lower, *, dx):
    return rt.factor_matrix(dx, lower)


@rule(rt.other_triangle, constant_in=("lower",))
def other_triangle(z, x, lower, *, dx):
    return rt.other_triangle(dx, lower)


@transpose(rt.other_triangle, argument="x")
def _(c, x, lower):
    return rt.other_triangle(c, lower)


@rule(rt.factor_pull, constant_in=("lower",))
def factor_pull(z, c, lower, *, dc):
    return rt.factor_pull(dc, lower)


@transpose(rt.factor_matrix, argument="x")
def _(c, x, lower):
    return rt.factor_pull(c, lower)


@transpose(rt.factor_pull, argument="c")
def _(c_bar, c, lower):
    return rt.factor_matrix(c_bar, lower)


@rule(linalg.lu)
def lu(z, a, check_finite=True, p_indices=False, *, da):
    low, up = rt.squared(z[1], 1.0, a), rt.squared(z[2], 1.0, a)
    return (
        linear.zeros_like(z[0]),
        rt.unsquared(
            low
            @ np.tril(
                linear.over(
                    linear.solve_for(low, rt.squared(rt.permuted(da, z[0]), 0.0, a), a), up
                ),
                -1,
            ),
            z[1],
        ),
        rt.unsquared(
            np.triu(
                linear.over(linear.solve_for(low, rt.squared(rt.permuted(da, z[0]), 0.0, a), a), up)
            )
            @ up,
            z[2],
        ),
    )


@rule(rt.permuted, constant_in=("p",))
def permuted(z, x, p, back=False, *, dx):
    return rt.permuted(dx, p, back)


@transpose(rt.permuted, argument="x")
def _(c, x, p, back=False):
    return rt.permuted(c, p, not back)


@rule(rt.squared)
def squared(z, x, fill, like, *, dx):
    return rt.squared(dx, 0.0, like)


@transpose(rt.squared, argument="x")
def _(c, x, fill, like):
    return rt.unsquared(c, x)


@rule(rt.unsquared)
def unsquared(z, c, like, *, dc):
    return rt.unsquared(dc, like)


@transpose(rt.unsquared, argument="c")
def _(c_bar, c, like):
    return rt.resquared(c_bar, c)


@rule(rt.resquared)
def resquared(z, c, like, *, dc):
    return rt.resquared(dc, like)


@transpose(rt.resquared, argument="c")
def _(c_bar, c, like):
    return rt.unsquared(c_bar, c)


@rule(linalg.lu_factor)
def lu_factor(z, a, check_finite=True, *, da):
    low = np.tril(z[0], -1) + np.eye(a.shape[-1], dtype=z[0].dtype)
    up = np.triu(z[0])
    return (
        low @ np.tril(linear.over(linear.solve_for(low, rt.swapped(da, z[1]), a), up), -1)
        + np.triu(linear.over(linear.solve_for(low, rt.swapped(da, z[1]), a), up)) @ up,
        0.0,
    )


@rule(rt.swapped, constant_in=("piv",))
def swapped(z, x, piv, back=False, *, dx):
    return rt.swapped(dx, piv, back)


@transpose(rt.swapped, argument="x")
def _(c, x, piv, back=False):
    return rt.swapped(c, piv, not back)


@rule(linalg.lu_solve, several=("lu_and_piv",))
def lu_solve(z, lu_and_piv, b, trans=0, check_finite=True, *, dlu_and_piv, db):
    lu = lu_and_piv[0]
    low = np.tril(lu, -1) + np.eye(lu.shape[-1], dtype=lu.dtype)
    return linalg.lu_solve(
        lu_and_piv,
        linear.stretch(db, z)
        - linear.apply(
            rt.lu_turn(
                rt.swapped(
                    np.tril(dlu_and_piv[0], -1) @ np.triu(lu) + low @ np.triu(dlu_and_piv[0]),
                    lu_and_piv[1],
                    True,
                ),
                trans,
            ),
            z,
            b,
        ),
        trans=trans,
    )


@transpose(linalg.lu_solve, argument="b")
def _(c, lu_and_piv, b, trans=0, check_finite=True):
    back = rt.lu_flip(trans, lu_and_piv[0])
    return linear.unbroadcast(np.conj(linalg.lu_solve(lu_and_piv, np.conj(c), trans=back)), b)


@rule(rt.lu_turn)
def lu_turn(z, x, trans, *, dx):
    return rt.lu_turn(dx, trans)


@transpose(rt.lu_turn, argument="x")
def _(c, x, trans):
    return rt.lu_turn(c, trans)


@form(linalg.qr)
def factors(asked):
    mode = asked.arguments().get("mode")
    if mode in ("r", "raw"):
        raise UnsupportedOperation(
            f"scipy.linalg.qr: mode={mode!r} has no rule", fix='take np.linalg.qr(a, mode="r")'
        )


@rule(linalg.qr)
def qr(z, a, mode="full", check_finite=True, *, da):
    q = linear.economic(z[0], z[1], rt.numpy_mode(mode))
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


@rule(linalg.polar)
def polar(z, a, side="right", *, da):
    left = side == "left"
    u = linear.herm(z[0], left)
    uh = linear.herm(u)
    p = z[1]
    inverse = rt.polar_inverse(p, u)
    return (
        linear.herm(
            u
            @ linalg.solve_sylvester(
                p,
                p,
                uh @ linear.herm(da, left) - linear.herm(linear.herm(da, left)) @ u,
            )
            + (linear.herm(da, left) - u @ (uh @ linear.herm(da, left))) @ inverse,
            left,
        ),
        linear.hermitian(
            uh @ linear.herm(da, left)
            - linalg.solve_sylvester(
                p,
                p,
                uh @ linear.herm(da, left) - linear.herm(linear.herm(da, left)) @ u,
            )
            @ p
        ),
    )


@rule(rt.polar_inverse, constant_in=("u",))
def polar_inverse(z, p, u, *, dp):
    return -(z @ dp @ z)


@rule(linalg.lstsq)
def lstsq(z, a, b, cond=None, check_finite=True, lapack_driver=None, *, da, db):
    x = z[0]
    p = np.linalg.pinv(a, linear.cutoff(a, cond))
    ph = linear.herm(p)
    rest = b - linear.apply(a, x, b)
    away = np.eye(linear.uncut(p.shape[-2], a, cond), dtype=p.dtype) - p @ a
    factors = np.linalg.svd(a, full_matrices=False)
    return (
        linear.apply(p, db - linear.apply(da, x, b), b)
        + linear.apply(p @ ph, linear.apply(linear.herm(da), rest, b), b)
        + linear.apply(away @ linear.herm(da), linear.apply(ph, x, b), b),
        linear.if_there(
            np.sum(np.real(np.conj(2 * rest) * (db - linear.apply(da, x, b))), axis=0), z[1]
        ),
        0.0,
        np.real(np.diagonal(linear.herm(factors[0]) @ da @ linear.herm(factors[2]), 0, -2, -1)),
    )


# -- on a batch -------------------------------------------------------------------------

traits(
    rt.whole, rt.mirrored, rt.transposed_if, rt.triangle_of, rt.triangle_pull, rt.factor_matrix, rt.other_triangle,
    rt.factor_pull, rt.permuted, rt.squared, rt.unsquared, rt.resquared, rt.swapped, rt.lu_turn, rt.polar_inverse,
    batch="leading",
)  # fmt: skip

from . import matrix_functions, structured_matrices  # noqa: E402, F401
