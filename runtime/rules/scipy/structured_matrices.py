"""Differentials of ``scipy.linalg``: matrices made of vectors and bands, and systems with them."""

import numpy as np
from scipy import linalg

from ...helpers import linear
from ...helpers.scipy import structured as rt
from ..book import constant, rule, transpose
from ..traits import traits

constant(rt.swap_bands, rt.rows_of_toeplitz, rt.khatri_rao_blocks)


@rule(linalg.block_diag)
def block_diag(z, *arrs, darrs):
    return rt.block_diagonal(darrs)


@rule(rt.block_diagonal)
def block_diagonal(z, blocks, *, dblocks):
    return rt.block_diagonal(dblocks)


@transpose(rt.block_diagonal, argument="blocks")
def _(c, blocks):
    return rt.blocks_of(c, blocks)


@rule(rt.blocks_of, constant_in=("blocks",))
def blocks_of(z, c, blocks, *, dc):
    return rt.blocks_of(dc, blocks)


@transpose(rt.blocks_of, argument="c")
def _(c_bar, c, blocks):
    return rt.block_diagonal(c_bar)


@rule(linalg.toeplitz)
def toeplitz(z, c, r=None, *, dc, dr):
    return rt.structured(dc, linalg.toeplitz, c, r, 0) + rt.structured(dr, linalg.toeplitz, c, r, 1)


@rule(linalg.hankel)
def hankel(z, c, r=None, *, dc, dr):
    return rt.structured(dc, linalg.hankel, c, r, 0) + rt.structured(dr, linalg.hankel, c, r, 1)


@rule(linalg.circulant)
def circulant(z, c, *, dc):
    return rt.structured(dc, linalg.circulant, c, None, 0)


@rule(rt.structured, constant_in=("c", "r"))
def structured(z, x, make, c, r, part, *, dx):
    return rt.structured(dx, make, c, r, part)


@transpose(rt.structured, argument="x")
def _(c_bar, x, make, c, r, part):
    return rt.structured_pull(c_bar, make, c, r, part)


@rule(rt.structured_pull, constant_in=("c", "r"))
def structured_pull(z, c_bar, make, c, r, part, *, dc_bar):
    return rt.structured_pull(dc_bar, make, c, r, part)


@transpose(rt.structured_pull, argument="c_bar")
def _(g, c_bar, make, c, r, part):
    return rt.structured(g, make, c, r, part)


@rule(linalg.companion)
def companion(z, a, *, da):
    first = z[..., 0, :]
    return rt.top_row(-(da[..., 1:] + first * linear.stretch(da[..., :1], first)) / a[..., :1], z)


@rule(rt.top_row)
def top_row(z, x, like, *, dx):
    return rt.top_row(dx, like)


@transpose(rt.top_row, argument="x")
def _(c, x, like):
    return c[..., 0, :]


@rule(linalg.khatri_rao)
def khatri_rao(z, a, b, *, da, db):
    return linalg.khatri_rao(da, b) + linalg.khatri_rao(a, db)


@transpose(linalg.khatri_rao, argument="a")
def _(c, a, b):
    blocks = np.reshape(c, rt.khatri_rao_blocks(a, b))
    return linear.unbroadcast(np.sum(blocks * np.conj(b[..., None, :, :]), axis=-2), a)


@transpose(linalg.khatri_rao, argument="b")
def _(c, a, b):
    blocks = np.reshape(c, rt.khatri_rao_blocks(a, b))
    return linear.unbroadcast(np.sum(blocks * np.conj(a[..., :, None, :]), axis=-3), b)


# Toeplitz and circulant systems


@rule(linalg.matmul_toeplitz, several=("c_or_cr",))
def matmul_toeplitz(z, c_or_cr, x, check_finite=False, workers=None, *, dc_or_cr, dx):
    return linalg.matmul_toeplitz(dc_or_cr, x) + linalg.matmul_toeplitz(c_or_cr, dx)


@transpose(linalg.matmul_toeplitz, argument="c_or_cr")
def _(c, c_or_cr, x, check_finite=False, workers=None):
    return rt.toeplitz_pull(c, x, c_or_cr)


@transpose(linalg.matmul_toeplitz, argument="x")
def _(c, c_or_cr, x, check_finite=False, workers=None):
    return linear.unbroadcast(rt.toeplitz_herm(c_or_cr, c), x)


@rule(rt.toeplitz_herm)
def toeplitz_herm(z, c_or_cr, y, *, dc_or_cr, dy):
    return rt.toeplitz_herm(dc_or_cr, y) + rt.toeplitz_herm(c_or_cr, dy)


@transpose(rt.toeplitz_herm, argument="c_or_cr")
def _(c, c_or_cr, y):
    return rt.toeplitz_pull(y, c, c_or_cr)


@transpose(rt.toeplitz_herm, argument="y")
def _(c, c_or_cr, y):
    return linear.unbroadcast(linalg.matmul_toeplitz(c_or_cr, c), y)


@rule(rt.toeplitz_pull)
def toeplitz_pull(z, c, x, like, *, dc, dx):
    return linear.add(rt.toeplitz_pull(dc, x, like), rt.toeplitz_pull(c, dx, like))


@transpose(rt.toeplitz_pull, argument="c")
def _(c_bar, c, x, like):
    return linear.unbroadcast(linalg.matmul_toeplitz(c_bar, x), c)


@transpose(rt.toeplitz_pull, argument="x")
def _(c_bar, c, x, like):
    return linear.unbroadcast(rt.toeplitz_herm(c_bar, c), x)


@rule(linalg.solve_toeplitz, several=("c_or_cr",))
def solve_toeplitz(z, c_or_cr, b, check_finite=True, *, dc_or_cr, db):
    return linalg.solve_toeplitz(c_or_cr, db - linalg.matmul_toeplitz(dc_or_cr, z))


@transpose(linalg.solve_toeplitz, argument="b")
def _(c, c_or_cr, b, check_finite=True):
    rows = rt.rows_of_toeplitz(c_or_cr)
    return linear.unbroadcast(
        np.conj(np.flip(linalg.solve_toeplitz(c_or_cr, np.flip(np.conj(c), rows)), rows)), b
    )


@rule(linalg.solve_circulant)
def solve_circulant(z, c, b, singular="raise", *, dc, db):
    return linalg.solve_circulant(c, db - rt.circulate(dc, z), singular=singular)


@transpose(linalg.solve_circulant, argument="b")
def _(c_bar, c, b, singular="raise"):
    adjoint = rt.reversed_circle(np.conj(c))
    return linear.unbroadcast(linalg.solve_circulant(adjoint, c_bar, singular=singular), b)


@rule(rt.circulate)
def circulate(z, c, x, *, dc, dx):
    return rt.circulate(dc, x) + rt.circulate(c, dx)


@transpose(rt.circulate, argument="c")
def _(c_bar, c, x):
    return linear.unbroadcast(rt.circle_pull(c_bar, x), c)


@transpose(rt.circulate, argument="x")
def _(c_bar, c, x):
    return linear.unbroadcast(rt.circulate(rt.reversed_circle(np.conj(c)), c_bar), x)


@rule(rt.circle_pull)
def circle_pull(z, c, x, *, dc, dx):
    return rt.circle_pull(dc, x) + rt.circle_pull(c, dx)


@transpose(rt.circle_pull, argument="c")
def _(c_bar, c, x):
    return linear.unbroadcast(rt.circulate(c_bar, x), c)


@transpose(rt.circle_pull, argument="x")
def _(c_bar, c, x):
    return linear.unbroadcast(rt.circulate(rt.reversed_circle(np.conj(c_bar)), c), x)


@rule(rt.reversed_circle)
def reversed_circle(z, c, *, dc):
    return rt.reversed_circle(dc)


@transpose(rt.reversed_circle, argument="c")
def _(c_bar, c):
    return rt.reversed_circle(c_bar)


# band matrices


@rule(linalg.solve_banded)
def solve_banded(z, l_and_u, ab, b, check_finite=True, *, dab, db):
    return linalg.solve_banded(l_and_u, ab, db - rt.band_apply(l_and_u, dab, z))


@transpose(linalg.solve_banded, argument="b")
def _(c, l_and_u, ab, b, check_finite=True):
    return linear.unbroadcast(
        linalg.solve_banded(rt.swap_bands(l_and_u), rt.band_herm(l_and_u, ab), c), b
    )


@rule(rt.band_apply)
def band_apply(z, l_and_u, ab, x, *, dab, dx):
    return rt.band_apply(l_and_u, dab, x) + rt.band_apply(l_and_u, ab, dx)


@transpose(rt.band_apply, argument="ab")
def _(c, l_and_u, ab, x):
    return rt.band_outer(l_and_u, c, np.conj(x), ab)


@transpose(rt.band_apply, argument="x")
def _(c, l_and_u, ab, x):
    return linear.unbroadcast(
        rt.band_apply(rt.swap_bands(l_and_u), rt.band_herm(l_and_u, ab), c), x
    )


@rule(rt.band_outer)
def band_outer(z, l_and_u, c, x, like, *, dc, dx):
    return rt.band_outer(l_and_u, dc, x, like) + rt.band_outer(l_and_u, c, dx, like)


@transpose(rt.band_outer, argument="c")
def _(c_bar, l_and_u, c, x, like):
    return linear.unbroadcast(rt.band_apply(l_and_u, c_bar, np.conj(x)), c)


@transpose(rt.band_outer, argument="x")
def _(c_bar, l_and_u, c, x, like):
    back = rt.band_herm(l_and_u, np.conj(c_bar))
    return linear.unbroadcast(rt.band_apply(rt.swap_bands(l_and_u), back, np.conj(c)), x)


@rule(rt.band_herm)
def band_herm(z, l_and_u, ab, *, dab):
    return rt.band_herm(l_and_u, dab)


@transpose(rt.band_herm, argument="ab")
def _(c, l_and_u, ab):
    return rt.band_herm(rt.swap_bands(l_and_u), c)


@rule(linalg.solveh_banded)
def solveh_banded(z, ab, b, lower=False, check_finite=True, *, dab, db):
    bands = (ab.shape[0] - 1, ab.shape[0] - 1)
    return linalg.solveh_banded(
        ab, db - rt.band_apply(bands, rt.whole_band(dab, lower), z), lower=lower
    )


@transpose(linalg.solveh_banded, argument="b")
def _(c, ab, b, lower=False, check_finite=True):
    return linear.unbroadcast(linalg.solveh_banded(ab, c, lower=lower), b)


@rule(rt.whole_band)
def whole_band(z, ab, lower, *, dab):
    return rt.whole_band(dab, lower)


@transpose(rt.whole_band, argument="ab")
def _(c, ab, lower):
    return rt.half_band(c, lower)


@rule(rt.half_band)
def half_band(z, c, lower, *, dc):
    return rt.half_band(dc, lower)


@transpose(rt.half_band, argument="c")
def _(c_bar, c, lower):
    return rt.whole_band(c_bar, lower)


@rule(linalg.cholesky_banded)
def cholesky_banded(z, ab, lower=False, check_finite=True, *, dab):
    low = rt.dense_band(z, lower)
    return rt.narrow_band(
        low
        @ linear.phi(
            linear.solve_lower(
                low,
                linear.herm(linear.solve_lower(low, rt.both_halves(rt.dense_band(dab, lower)))),
            )
        ),
        z,
        lower,
    ) + rt.beyond_band(dab, lower)


@rule(rt.beyond_band)
def beyond_band(z, x, lower, *, dx):
    return rt.beyond_band(dx, lower)


@transpose(rt.beyond_band, argument="x")
def _(c, x, lower):
    return rt.beyond_band(c, lower)


@rule(rt.both_halves)
def both_halves(z, x, *, dx):
    return rt.both_halves(dx)


@transpose(rt.both_halves, argument="x")
def _(c, x):
    return rt.both_halves_pull(c)


@rule(rt.both_halves_pull)
def both_halves_pull(z, c, *, dc):
    return rt.both_halves_pull(dc)


@transpose(rt.both_halves_pull, argument="c")
def _(c_bar, c):
    return rt.both_halves(c_bar)


@rule(rt.dense_band, constant_in=("lower",))
def dense_band(z, ab, lower, *, dab):
    return rt.dense_band(dab, lower)


@transpose(rt.dense_band, argument="ab")
def _(c, ab, lower):
    return rt.narrow_band(c, ab, lower)


@rule(rt.narrow_band, constant_in=("lower",))
def narrow_band(z, c, like, lower, *, dc):
    return rt.narrow_band(dc, like, lower)


@transpose(rt.narrow_band, argument="c")
def _(c_bar, c, like, lower):
    return rt.dense_band(c_bar, lower)


@rule(linalg.cho_solve_banded, several=("cb_and_lower",))
def cho_solve_banded(z, cb_and_lower, b, check_finite=True, *, dcb_and_lower, db):
    low = rt.dense_band(cb_and_lower[0], cb_and_lower[1])
    return linalg.cho_solve_banded(
        cb_and_lower,
        db
        - rt.dense_band(dcb_and_lower[0], cb_and_lower[1]) @ (linear.herm(low) @ z)
        - low @ (linear.herm(rt.dense_band(dcb_and_lower[0], cb_and_lower[1])) @ z),
    )


@transpose(linalg.cho_solve_banded, argument="b")
def _(c, cb_and_lower, b, check_finite=True):
    return linear.unbroadcast(linalg.cho_solve_banded(cb_and_lower, c), b)


# -- on a batch -------------------------------------------------------------------------

traits(rt.top_row, batch="wide")
