"""Adjoints of every operation, one function for each argument. Do not edit: `make rules` writes it.

``c`` is the cotangent of the result ``z`` (a sequence of them, where an operation has several
results); the other parameters are the operation's own.  A function takes what it reads and nothing
else, so its parameters are what must be kept; those in ``SHAPES`` are read for shape and dtype only.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.fft as fft
import scipy.linalg as linalg
import scipy.ndimage as ndimage
import scipy.signal as signal
import scipy.sparse.linalg as sparse_linalg
import scipy.special as special
import scipy.stats as stats

from retrograd import runtime as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- scipy.fft ------------------------------------------------------------------------


def hfft2_x(c, x, s, axes, norm):
    lengths_c = rt.lengths(c, s, axes)
    turned_c = rt.turned(c, lengths_c, axes)
    return np.conj(
        rt.fit(
            rt.doubled(
                np.fft.rfft2(c, axes=turned_c, norm=rt.opposite(rt.opposite(norm))),
                lengths_c[-1],
                turned_c[-1],
            ),
            np.conj(x),
        )
    )


def hfftn_x(c, x, s, axes, norm):
    lengths_c = rt.lengths(c, s, axes)
    turned_c = rt.turned(c, lengths_c, axes)
    return np.conj(
        rt.fit(
            rt.doubled(
                np.fft.rfftn(c, axes=turned_c, norm=rt.opposite(rt.opposite(norm))),
                lengths_c[-1],
                turned_c[-1],
            ),
            np.conj(x),
        )
    )


def ihfft2_x(c, x, s, axes, norm):
    lengths_x = rt.lengths(x, s, axes)
    turned_x = rt.turned(x, lengths_x, axes)
    return rt.fit(
        np.fft.irfft2(
            rt.halved(np.conj(c), lengths_x[-1], turned_x[-1]),
            lengths_x,
            turned_x,
            rt.opposite(rt.opposite(norm)),
        ),
        x,
    )


def ihfftn_x(c, x, s, axes, norm):
    lengths_x = rt.lengths(x, s, axes)
    turned_x = rt.turned(x, lengths_x, axes)
    return rt.fit(
        np.fft.irfftn(
            rt.halved(np.conj(c), lengths_x[-1], turned_x[-1]),
            lengths_x,
            turned_x,
            rt.opposite(rt.opposite(norm)),
        ),
        x,
    )


def cosine_x(c, x, make, type, n, axis, norm, orth):
    return rt.cosine_pull(c, x, make, type, n, axis, norm, orth)


def cosine_pull_c(c_bar, make, type, n, axis, norm, orth):
    return rt.cosine(c_bar, make, type, n, axis, norm, orth)


def dct_x(c, x, type, n, axis, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.dct, type, n, axis, norm, orthogonalize)


def dctn_x(c, x, type, s, axes, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.dctn, type, s, axes, norm, orthogonalize)


def idct_x(c, x, type, n, axis, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.idct, type, n, axis, norm, orthogonalize)


def idctn_x(c, x, type, s, axes, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.idctn, type, s, axes, norm, orthogonalize)


def dst_x(c, x, type, n, axis, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.dst, type, n, axis, norm, orthogonalize)


def dstn_x(c, x, type, s, axes, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.dstn, type, s, axes, norm, orthogonalize)


def idst_x(c, x, type, n, axis, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.idst, type, n, axis, norm, orthogonalize)


def idstn_x(c, x, type, s, axes, norm, orthogonalize):
    return rt.cosine_pull(c, x, fft.idstn, type, s, axes, norm, orthogonalize)


# --- scipy.fftpack --------------------------------------------------------------------


def fft_x(c, x, axis):
    return rt.fit(np.fft.ifft(c, axis=axis, norm="forward"), x)


def ifft_x(c, x, axis):
    return rt.fit(np.fft.fft(c, axis=axis, norm="forward"), x)


def fft2_x(c, x, shape, axes):
    return rt.fit(np.fft.ifft2(c, axes=rt.turned(c, shape, axes), norm="forward"), x)


def ifft2_x(c, x, shape, axes):
    return rt.fit(np.fft.fft2(c, axes=rt.turned(c, shape, axes), norm="forward"), x)


def fftn_x(c, x, shape, axes):
    return rt.fit(
        np.fft.ifftn(
            c, axes=rt.turned(c, shape, rt.turned(x, shape, axes)), norm="forward"
        ),
        x,
    )


def ifftn_x(c, x, shape, axes):
    return rt.fit(
        np.fft.fftn(
            c, axes=rt.turned(c, shape, rt.turned(x, shape, axes)), norm="forward"
        ),
        x,
    )


def scipy_fftpack_dct_x(c, x, type, n, axis, norm):
    return rt.cosine_pull(c, x, fft.dct, type, n, axis, norm, None)


def scipy_fftpack_idct_x(c, x, type, n, axis, norm):
    return rt.cosine_pull(c, x, fft.idct, type, n, axis, rt.unscaled(norm), None)


def scipy_fftpack_dst_x(c, x, type, n, axis, norm):
    return rt.cosine_pull(c, x, fft.dst, type, n, axis, norm, None)


def scipy_fftpack_idst_x(c, x, type, n, axis, norm):
    return rt.cosine_pull(c, x, fft.idst, type, n, axis, rt.unscaled(norm), None)


# --- scipy.interpolate ----------------------------------------------------------------


def splev_x(c, x, tck, der, ext):
    return np.conj(rt.spline(x, tck, der + 1, ext)) * c


def spline_x(c, x, tck, der, ext):
    return np.conj(rt.spline(x, tck, der + 1, ext)) * c


def splint_a(c, a, tck):
    return -(np.conj(rt.spline(a, tck, 0, 1)) * c)


def splint_b(c, b, tck):
    return np.conj(rt.spline(b, tck, 0, 1)) * c


def surface_x(c, x, y, tck, nx, ny, asked_x, asked_y):
    return np.conj(rt.surface(x, y, tck, nx + 1, ny, asked_x, asked_y)) * c


def surface_y(c, x, y, tck, nx, ny, asked_x, asked_y):
    return np.conj(rt.surface(x, y, tck, nx, ny + 1, asked_x, asked_y)) * c


# --- scipy.linalg ---------------------------------------------------------------------


def solve_a(c, z, a, b, lower, assume_a, transposed):
    column_b = rt.column(
        -rt.solve_for(
            rt.herm(rt.transposed_if(rt.whole(a, assume_a, lower), transposed)), c, b
        ),
        b,
    )
    transposed_if = rt.transposed_if(
        rt.matmul_pull_left(
            column_b,
            rt.column(np.conj(z), b),
            like=rt.transposed_if(rt.mirrored(a, assume_a), transposed),
        ),
        transposed,
    )
    return rt.mirrored(transposed_if, assume_a)


def solve_b(c, a, b, lower, assume_a, transposed):
    return rt.unbroadcast(
        rt.solve_for(
            rt.herm(rt.transposed_if(rt.whole(a, assume_a, lower), transposed)), c, b
        ),
        b,
    )


def whole_a(c, assume_a):
    return rt.mirrored(c, assume_a)


def mirrored_x(c, assume_a):
    return rt.mirrored(c, assume_a)


def transposed_if_x(c, when):
    return rt.transposed_if(c, when)


def solve_triangular_a(c, z, a, b, trans, lower, unit_diagonal):
    triangle_of_a = rt.triangle_of(a, trans, lower, unit_diagonal)
    unbroadcast = rt.unbroadcast(
        linalg.solve_triangular(
            rt.herm(a), c, trans=trans, lower=not lower, unit_diagonal=unit_diagonal
        ),
        -rt.apply(triangle_of_a, z, b),
    )
    return rt.triangle_pull(
        rt.matmul_pull_left(
            rt.column(-unbroadcast, b), rt.column(np.conj(z), b), like=triangle_of_a
        ),
        trans,
        lower,
        unit_diagonal,
    )


def solve_triangular_b(c, z, a, b, trans, lower, unit_diagonal):
    return rt.unbroadcast(
        rt.unbroadcast(
            linalg.solve_triangular(
                rt.herm(a), c, trans=trans, lower=not lower, unit_diagonal=unit_diagonal
            ),
            z,
        ),
        b,
    )


def triangle_of_x(c, trans, lower, unit_diagonal):
    return rt.triangle_pull(c, trans, lower, unit_diagonal)


def triangle_pull_c(c_bar, trans, lower, unit_diagonal):
    return rt.triangle_of(c_bar, trans, lower, unit_diagonal)


def inv_a(c, z, a):
    conjugate_z = np.conj(z)
    return rt.matmul_pull_right(
        rt.matmul_pull_left(-c, conjugate_z, like=z @ a), conjugate_z, like=a
    )


def det_a(c, z, a):
    cofactor_a = rt.cofactor(a)
    return np.conj(cofactor_a) * rt.unreduce(
        rt.convert(rt.if_float(c, z), np.sum(cofactor_a * a, axis=(-2, -1))),
        a,
        axis=(-2, -1),
    )


def pinv_a(c, z, a, atol, rtol):
    herm_z = rt.herm(z)
    z_shape = z.shape
    dtype_z = z.dtype
    z_a = z @ a
    difference = np.eye(rt.uncut(z_shape[-2], a, None, rtol, atol), dtype=dtype_z) - z_a
    product = z @ herm_z
    conjugate_z = np.conj(z)
    herm_a = rt.herm(a)
    product_2 = difference @ herm_a
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.matmul_pull_left(c, conjugate_z, like=product_2 @ herm_z),
            np.conj(herm_z),
            like=product_2,
        ),
        np.conj(difference),
        like=herm_a,
    )
    matmul_pull_right_2 = rt.matmul_pull_right(
        rt.matmul_pull_left(
            c,
            np.conj(np.eye(z_shape[-1], dtype=dtype_z) - a @ z),
            like=product @ herm_a,
        ),
        np.conj(product),
        like=herm_a,
    )
    return rt.matmul_pull_right(
        rt.matmul_pull_left(-c, conjugate_z, like=z_a), conjugate_z, like=a
    ) + rt.herm(matmul_pull_right + matmul_pull_right_2)


def cholesky_a(c, z, a, lower):
    not_lower = not lower
    herm_z = rt.herm(z, not_lower)
    solve_lower = rt.solve_lower(
        herm_z,
        rt.phi(
            rt.matmul_pull_right(
                rt.herm(c, not_lower),
                np.conj(herm_z),
                like=rt.phi(
                    rt.solve_lower(
                        herm_z, rt.herm(rt.solve_lower(herm_z, rt.hermitian(a)))
                    )
                ),
            )
        ),
        True,
    )
    return rt.hermitian(rt.solve_lower(herm_z, rt.herm(solve_lower), True))


def cho_factor_a(c, z, a, lower):
    c_0 = c[0]
    factor_matrix = rt.factor_matrix(z[0], lower)
    matmul_pull_right = rt.matmul_pull_right(
        rt.herm(c_0, not lower),
        np.conj(factor_matrix),
        like=rt.phi(
            rt.solve_lower(
                factor_matrix, rt.herm(rt.solve_lower(factor_matrix, rt.hermitian(a)))
            )
        ),
    )
    return rt.other_triangle(c_0, lower) + rt.hermitian(
        rt.solve_lower(
            factor_matrix,
            rt.herm(rt.solve_lower(factor_matrix, rt.phi(matmul_pull_right), True)),
            True,
        )
    )


def cho_solve_c_and_lower(c, z, c_and_lower, b):
    c_and_lower_1 = c_and_lower[1]
    factor_matrix = rt.factor_matrix(c_and_lower[0], c_and_lower_1)
    herm = rt.herm(factor_matrix)
    product = factor_matrix @ herm
    matmul_pull_left = rt.matmul_pull_left(
        rt.column(
            -rt.unbroadcast(linalg.cho_solve(c_and_lower, c), -rt.apply(product, z, b)),
            b,
        ),
        rt.column(np.conj(z), b),
        like=product,
    )
    factor_pull = rt.factor_pull(
        rt.herm(
            rt.matmul_pull_right(matmul_pull_left, np.conj(factor_matrix), like=herm)
        )
        + rt.matmul_pull_left(matmul_pull_left, np.conj(herm), like=factor_matrix),
        c_and_lower_1,
    )
    return rt.scatter(factor_pull, c_and_lower, 0)


def cho_solve_b(c, z, c_and_lower, b):
    return rt.unbroadcast(rt.unbroadcast(linalg.cho_solve(c_and_lower, c), z), b)


def factor_matrix_x(c, lower):
    return rt.factor_pull(c, lower)


def other_triangle_x(c, lower):
    return rt.other_triangle(c, lower)


def factor_pull_c(c_bar, lower):
    return rt.factor_matrix(c_bar, lower)


def lu_a(c, z, a):
    squared_a = rt.squared(z[1], 1.0, a)
    squared_a_2 = rt.squared(z[2], 1.0, a)
    z_0 = z[0]
    permuted_a = rt.permuted(a, z_0)
    over = rt.over(
        rt.solve_for(squared_a, rt.squared(permuted_a, 0.0, a), a), squared_a_2
    )
    triu = np.triu(over)
    tril = np.tril(over, -1)
    total = rt.unbroadcast(
        np.triu(
            rt.matmul_pull_left(
                rt.resquared(c[2], triu @ squared_a_2), np.conj(squared_a_2), like=triu
            )
        ),
        over,
    ) + rt.unbroadcast(
        np.tril(
            rt.matmul_pull_right(
                rt.resquared(c[1], squared_a @ tril), np.conj(squared_a), like=tril
            ),
            -1,
        ),
        over,
    )
    return rt.permuted(
        rt.unsquared(
            rt.solve_for(rt.herm(squared_a), rt.over(total, rt.herm(squared_a_2)), a),
            permuted_a,
        ),
        z_0,
        True,
    )


def permuted_x(c, p, back):
    return rt.permuted(c, p, not back)


def squared_x(c, x):
    return rt.unsquared(c, x)


def unsquared_c(c_bar, c):
    return rt.resquared(c_bar, c)


def resquared_c(c_bar, c):
    return rt.unsquared(c_bar, c)


def lu_factor_a(c, z, a):
    c_0 = c[0]
    z_0 = z[0]
    total = np.tril(z_0, -1) + np.eye(a.shape[-1], dtype=z_0.dtype)
    triu = np.triu(z_0)
    z_1 = z[1]
    over = rt.over(rt.solve_for(total, rt.swapped(a, z_1), a), triu)
    total_2 = rt.unbroadcast(
        np.triu(rt.matmul_pull_left(c_0, np.conj(triu), like=np.triu(over))), over
    ) + rt.unbroadcast(
        np.tril(rt.matmul_pull_right(c_0, np.conj(total), like=np.tril(over, -1)), -1),
        over,
    )
    return rt.swapped(
        rt.solve_for(rt.herm(total), rt.over(total_2, rt.herm(triu)), a), z_1, True
    )


def swapped_x(c, piv, back):
    return rt.swapped(c, piv, not back)


def lu_solve_lu_and_piv(c, z, lu_and_piv, b, trans):
    lu_and_piv_0 = lu_and_piv[0]
    tril = np.tril(lu_and_piv_0, -1)
    triu = np.triu(lu_and_piv_0)
    lu_and_piv_1 = lu_and_piv[1]
    lu_turn_trans = rt.lu_turn(rt.swapped(tril @ triu, lu_and_piv_1, True), trans)
    unbroadcast = rt.unbroadcast(
        np.conj(
            linalg.lu_solve(
                lu_and_piv, np.conj(c), trans=rt.lu_flip(trans, lu_and_piv_0)
            )
        ),
        -rt.apply(lu_turn_trans, z, b),
    )
    swapped = rt.swapped(
        rt.lu_turn(
            rt.matmul_pull_left(
                rt.column(-unbroadcast, b), rt.column(np.conj(z), b), like=lu_turn_trans
            ),
            trans,
        ),
        lu_and_piv_1,
    )
    total = rt.unbroadcast(
        np.triu(
            rt.matmul_pull_right(
                swapped,
                np.conj(
                    tril + np.eye(lu_and_piv_0.shape[-1], dtype=lu_and_piv_0.dtype)
                ),
                like=triu,
            )
        ),
        lu_and_piv_0,
    ) + rt.unbroadcast(
        np.tril(rt.matmul_pull_left(swapped, np.conj(triu), like=tril), -1),
        lu_and_piv_0,
    )
    return rt.scatter(total, lu_and_piv, 0)


def lu_solve_b(c, z, lu_and_piv, b, trans):
    return rt.unbroadcast(
        rt.unbroadcast(
            np.conj(
                linalg.lu_solve(
                    lu_and_piv, np.conj(c), trans=rt.lu_flip(trans, lu_and_piv[0])
                )
            ),
            z,
        ),
        b,
    )


def lu_turn_x(c, trans):
    return rt.lu_turn(c, trans)


def qr_a(c, z, a, mode):
    c_0 = c[0]
    c_1 = c[1]
    z_1 = z[1]
    economic = rt.economic(z[0], z_1, rt.numpy_mode(mode))
    leading = rt.leading(z_1, z_1)
    herm = rt.herm(economic)
    over = rt.over(rt.leading(a, z_1), leading)
    product = herm @ over
    matmul_pull_left = rt.matmul_pull_left(-c_1, np.conj(z_1), like=product)
    conjugate = np.conj(herm)
    matmul_pull_right = rt.matmul_pull_right(
        matmul_pull_left
        + rt.upper_pull(
            rt.matmul_pull_right(-c_0, np.conj(economic), like=rt.upper_part(product))
            - matmul_pull_left
        ),
        conjugate,
        like=over,
    )
    return rt.matmul_pull_right(c_1, conjugate, like=a) + rt.fit(
        rt.over(c_0 + matmul_pull_right, rt.herm(leading)), a
    )


def polar_a(c, z, a, side):
    same = side == "left"
    herm = rt.herm(z[0], same)
    herm_2 = rt.herm(herm)
    z_1 = z[1]
    hermitian = rt.hermitian(c[1])
    herm_a = rt.herm(a, same)
    product = herm_2 @ herm_a
    solve_sylvester = linalg.solve_sylvester(z_1, z_1, product)
    herm_3 = rt.herm(c[0], same)
    matmul_pull_left = rt.matmul_pull_left(
        herm_3, np.conj(rt.polar_inverse(z_1, herm)), like=herm_a
    )
    conjugate = np.conj(herm)
    herm_4 = rt.herm(z_1)
    solve_sylvester_2 = linalg.solve_sylvester(
        herm_4,
        herm_4,
        rt.matmul_pull_left(-hermitian, np.conj(z_1), like=solve_sylvester)
        + rt.matmul_pull_right(herm_3, conjugate, like=solve_sylvester),
    )
    unbroadcast = rt.unbroadcast(solve_sylvester_2, product)
    matmul_pull_right = rt.matmul_pull_right(
        hermitian
        + rt.matmul_pull_right(-matmul_pull_left, conjugate, like=product)
        + unbroadcast,
        np.conj(herm_2),
        like=herm_a,
    )
    return rt.herm(
        matmul_pull_left
        + rt.herm(rt.matmul_pull_left(-unbroadcast, conjugate, like=rt.herm(herm_a)))
        + matmul_pull_right,
        same,
    )


def polar_inverse_p(c, z, p):
    conjugate_z = np.conj(z)
    return rt.matmul_pull_right(
        rt.matmul_pull_left(-c, conjugate_z, like=z @ p), conjugate_z, like=p
    )


def lstsq_a(c, z, a, b, cond):
    c_0 = c[0]
    z_0 = z[0]
    pinv_a = np.linalg.pinv(a, rt.cutoff(a, cond))
    herm = rt.herm(pinv_a)
    apply_a = rt.apply(a, z_0, b)
    difference = b - apply_a
    difference_2 = (
        np.eye(rt.uncut(pinv_a.shape[-2], a, cond), dtype=pinv_a.dtype) - pinv_a @ a
    )
    svd_a = np.linalg.svd(a, full_matrices=False)
    herm_2 = rt.herm(svd_a[0])
    herm_3 = rt.herm(svd_a[2])
    product = herm_2 @ a
    herm_a = rt.herm(a)
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.column(c_0, b),
            rt.column(np.conj(rt.apply(herm, z_0, b)), b),
            like=difference_2 @ herm_a,
        ),
        np.conj(difference_2),
        like=herm_a,
    )
    matmul_pull_left = rt.matmul_pull_left(
        rt.column(
            rt.unbroadcast(
                rt.apply(rt.herm(pinv_a @ herm), c_0, b),
                rt.apply(herm_a, difference, b),
            ),
            b,
        ),
        rt.column(np.conj(difference), b),
        like=herm_a,
    )
    total = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.undiagonal(c[3], product @ herm_3, 0, -2, -1),
            np.conj(herm_3),
            like=product,
        ),
        np.conj(herm_2),
        like=a,
    ) + rt.herm(matmul_pull_right + matmul_pull_left)
    total_2 = 2 * difference * rt.unreduce(
        rt.if_there(c[1], np.sum(apply_a, axis=0)), apply_a, axis=0
    ) + rt.unbroadcast(rt.apply(herm, c_0, b), -apply_a)
    return total + rt.matmul_pull_left(
        rt.column(-total_2, b), rt.column(np.conj(z_0), b), like=a
    )


def lstsq_b(c, z, a, b, cond):
    return 2 * (b - rt.apply(a, z[0], b)) * rt.unreduce(
        rt.if_there(c[1], np.sum(b, axis=0)), b, axis=0
    ) + rt.unbroadcast(
        rt.apply(rt.herm(np.linalg.pinv(a, rt.cutoff(a, cond))), c[0], b), b
    )


# --- scipy.matrix_functions -----------------------------------------------------------


def eigvalsh_a(c, a, b, lower):
    part = linalg.eigh(a, b, lower=lower)[1]
    herm = rt.herm(part)
    hermitian_a = rt.hermitian(a)
    product = herm @ hermitian_a
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(
                rt.undiagonal(c, product @ part, 0, -2, -1), np.conj(part), like=product
            ),
            np.conj(herm),
            like=hermitian_a,
        )
    )


def eigvalsh_b(c, z, a, b, lower):
    part = linalg.eigh(a, b, lower=lower)[1]
    herm = rt.herm(part)
    hermitian_b = rt.hermitian(b)
    product = herm @ hermitian_b
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.undiagonal(np.real(-(np.conj(z) * c)), product @ part, 0, -2, -1),
            np.conj(part),
            like=product,
        ),
        np.conj(herm),
        like=hermitian_b,
    )
    return rt.hermitian(matmul_pull_right)


def eigh_a(c, z, a):
    z_1 = z[1]
    herm = rt.herm(z_1)
    hermitian_a = rt.hermitian(a)
    product = herm @ hermitian_a
    product_2 = product @ z_1
    conjugate = np.conj(z_1)
    matmul_pull_left = rt.matmul_pull_left(
        rt.mul0(
            rt.matmul_pull_right(c[1], conjugate, like=product_2),
            np.conj(rt.vector_gaps(z[0])),
        )
        + rt.undiagonal(c[0], product_2, 0, -2, -1),
        conjugate,
        like=product,
    )
    return rt.hermitian(
        rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=hermitian_a)
    )


def eigh_b(c, z, b):
    c_1 = c[1]
    z_0 = z[0]
    z_1 = z[1]
    herm = rt.herm(z_1)
    hermitian_b = rt.hermitian(b)
    product = herm @ hermitian_b
    product_2 = product @ z_1
    conjugate = np.conj(z_1)
    difference = np.conj(
        np.eye(z_0.shape[-1], dtype=z_0.dtype) / 2
    ) * rt.matmul_pull_right(-c_1, conjugate, like=product_2) - rt.mul0(
        rt.matmul_pull_right(c_1, conjugate, like=product_2),
        np.conj(rt.vector_gaps(z_0)),
    ) * np.conj(z_0[..., None, :])
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            difference
            + rt.undiagonal(np.real(-(np.conj(z_0) * c[0])), product_2, 0, -2, -1),
            conjugate,
            like=product,
        ),
        np.conj(herm),
        like=hermitian_b,
    )
    return rt.hermitian(matmul_pull_right)


def eigvalsh_tridiagonal_d(c, d, e):
    part = linalg.eigh_tridiagonal(d, e)[1]
    return rt.scatter(
        rt.unbroadcast(
            np.conj(part * part) * rt.unreduce(c, part, axis=-2), d[..., None]
        ),
        d,
        (..., None),
    )


def eigvalsh_tridiagonal_e(c, d, e):
    part = linalg.eigh_tridiagonal(d, e)[1]
    part_2 = part[..., 1:, :]
    return rt.scatter(
        rt.unbroadcast(
            np.conj(part[..., :-1, :] * part_2) * rt.unreduce(2 * c, part_2, axis=-2),
            e[..., None],
        ),
        e,
        (..., None),
    )


def eigh_tridiagonal_d(c, z, d):
    z_1 = z[1]
    T = rt.mT(z_1)
    conjugate = np.conj(z_1)
    matmul_pull_right = rt.matmul_pull_right(
        rt.mul0(
            rt.matmul_pull_right(c[1], conjugate, like=T @ z_1),
            np.conj(rt.vector_gaps(z[0])),
        ),
        np.conj(T),
        like=z_1,
    )
    unbroadcast = rt.unbroadcast(
        matmul_pull_right * conjugate
        + np.conj(z_1 * z_1) * rt.unreduce(c[0], z_1, axis=-2),
        d[..., None],
    )
    return rt.scatter(unbroadcast, d, (..., None))


def eigh_tridiagonal_e(c, z, e):
    z_1 = z[1]
    part = z_1[..., :-1, :]
    part_2 = z_1[..., 1:, :]
    T = rt.mT(part)
    mul0 = rt.mul0(
        rt.matmul_pull_right(c[1], np.conj(z_1), like=T @ part_2),
        np.conj(rt.vector_gaps(z[0])),
    )
    e_part = e[..., None]
    total = rt.matmul_pull_right(mul0, np.conj(T), like=part_2) * np.conj(
        part_2
    ) + np.conj(part * part_2) * rt.unreduce(2 * c[0], part_2, axis=-2)
    total_2 = rt.unbroadcast(
        rt.matmul_pull_right(mul0, np.conj(rt.mT(part_2)), like=part) * np.conj(part),
        e_part,
    ) + rt.unbroadcast(total, e_part)
    return rt.scatter(total_2, e, (..., None))


def svdvals_a(c, a):
    svd_a = np.linalg.svd(a, full_matrices=False)
    herm = rt.herm(svd_a[0])
    herm_2 = rt.herm(svd_a[2])
    product = herm @ a
    return rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.undiagonal(c, product @ herm_2, 0, -2, -1), np.conj(herm_2), like=product
        ),
        np.conj(herm),
        like=a,
    )


def svd_a(c, z, a):
    c_0 = c[0]
    z_1 = z[1]
    thin = rt.thin(z[0], z_1, -1)
    part = z_1[..., None, :]
    herm = rt.herm(thin)
    herm_2 = rt.herm(rt.thin(z[2], z_1, -2))
    reciprocal = rt.reciprocal(part)
    herm_3 = rt.herm(c[2])
    conjugate = np.conj(reciprocal)
    product = herm_3 * conjugate
    product_2 = herm @ a
    product_3 = product_2 @ herm_2
    conjugate_2 = np.conj(herm_2)
    conjugate_3 = np.conj(thin)
    conjugate_4 = np.conj(rt.singular_gaps(z_1))
    mul0 = rt.mul0(
        rt.matmul_pull_right(herm_3, conjugate_2, like=product_3), conjugate_4
    )
    conjugate_5 = np.conj(part)
    conjugate_6 = np.conj(rt.mT(part))
    product_4 = c_0 * conjugate
    total = (
        conjugate_6 * mul0
        + rt.undiagonal(c[1], product_3, 0, -2, -1)
        + rt.matmul_pull_right(-product_4, conjugate_3, like=product_3)
    )
    matmul_pull_right = rt.matmul_pull_right(c_0, conjugate_3, like=product_3)
    product_5 = (
        np.conj(reciprocal * np.eye(z_1.shape[-1], dtype=z_1.dtype) / 2)
        * matmul_pull_right
    )
    mul0_2 = rt.mul0(matmul_pull_right, conjugate_4)
    total_2 = (
        rt.matmul_pull_right(-product, conjugate_2, like=rt.herm(product_3))
        + mul0 * conjugate_5
        - product_5
        + conjugate_6 * mul0_2
    )
    matmul_pull_left = rt.matmul_pull_left(
        total + product_5 + rt.herm(total_2) + mul0_2 * conjugate_5,
        conjugate_2,
        like=product_2,
    )
    return (
        rt.herm(rt.matmul_pull_left(product, conjugate_3, like=rt.herm(a)))
        + rt.matmul_pull_left(product_4, conjugate_2, like=a)
        + rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=a)
    )


def eigvals_a(c, z, a):
    eigenvectors_a = rt.eigenvectors(a, z)
    product = a @ eigenvectors_a
    solve = np.linalg.solve(eigenvectors_a, product)
    return rt.matmul_pull_left(
        rt.unbroadcast(
            rt.solve_for(
                rt.herm(eigenvectors_a),
                rt.undiagonal(
                    rt.unbroadcast(c, np.diagonal(solve, 0, -2, -1)), solve, 0, -2, -1
                ),
                product,
            ),
            product,
        ),
        np.conj(eigenvectors_a),
        like=a,
    )


def eig_a(c, z, a):
    c_1 = c[1]
    z_1 = z[1]
    total = np.sum(np.conj(c_1) * z_1, axis=-2, keepdims=True)
    total_2 = (
        c_1
        - z_1 * np.real(total)
        + rt.untop(rt.times_i(np.imag(total), z_1) / np.conj(rt.top(z_1, z_1)), z_1)
    )
    product = a @ z_1
    solve = np.linalg.solve(z_1, product)
    conjugate = np.conj(z_1)
    total_3 = rt.mul0(
        rt.matmul_pull_right(total_2, conjugate, like=solve),
        np.conj(rt.vector_gaps(rt.of_kind(z[0], z_1))),
    ) + rt.undiagonal(
        rt.unbroadcast(c[0], np.diagonal(solve, 0, -2, -1)), solve, 0, -2, -1
    )
    return rt.matmul_pull_left(
        rt.unbroadcast(rt.solve_for(rt.herm(z_1), total_3, product), product),
        conjugate,
        like=a,
    )


def complexed_x(c, x):
    return rt.unbroadcast(c, x)


def of_kind_x(c, like):
    return rt.of_kind(c, like)


def schur_a(c, z, a):
    schur_form = rt.schur_form(z[0])
    z_1 = z[1]
    herm = rt.herm(z_1)
    product = herm @ a
    product_2 = product @ z_1
    skew = rt.skew(rt.schur_lower(schur_form, product_2))
    unbroadcast = rt.unbroadcast(np.triu(c[0]), product_2)
    conjugate = np.conj(schur_form)
    total = (
        rt.matmul_pull_right(c[1], np.conj(-z_1), like=skew)
        + rt.matmul_pull_right(-unbroadcast, conjugate, like=skew)
        + rt.matmul_pull_left(unbroadcast, conjugate, like=skew)
    )
    return rt.matmul_pull_right(
        rt.matmul_pull_left(
            unbroadcast + rt.schur_lower(schur_form, rt.skew(total), True),
            np.conj(z_1),
            like=product,
        ),
        np.conj(herm),
        like=a,
    )


def schur_lower_t(c, z, t, adjoint):
    schur_lower_t = rt.schur_lower(t, c, not adjoint)
    herm_adjoint = rt.herm(np.triu(t), adjoint)
    conjugate_z = np.conj(z)
    herm_adjoint_2 = rt.herm(
        rt.matmul_pull_right(schur_lower_t, conjugate_z, like=herm_adjoint)
        + rt.matmul_pull_left(-schur_lower_t, conjugate_z, like=herm_adjoint),
        adjoint,
    )
    return rt.unbroadcast(np.triu(herm_adjoint_2), t)


def schur_lower_m(c, t, adjoint):
    return rt.schur_lower(t, c, not adjoint)


def schur_form_t(c):
    return c


def skew_x(c):
    return rt.skew(c)


def expm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.expm, A, rt.herm(c))), A)


def logm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.logm, A, rt.herm(c))), A)


def sqrtm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.sqrtm, A, rt.herm(c))), A)


def sinm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.sinm, A, rt.herm(c))), A)


def cosm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.cosm, A, rt.herm(c))), A)


def tanm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.tanm, A, rt.herm(c))), A)


def sinhm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.sinhm, A, rt.herm(c))), A)


def coshm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.coshm, A, rt.herm(c))), A)


def tanhm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.tanhm, A, rt.herm(c))), A)


def signm_A(c, A):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.signm, A, rt.herm(c))), A)


def fractional_matrix_power_A(c, A, t):
    return rt.unbroadcast(rt.herm(rt.frechet_power(A, rt.herm(c), t)), A)


def fractional_matrix_power_t(c, z, A, t):
    return rt.unbroadcast(np.conj(rt.matrix_log(A) @ z) * c, t)


def matrix_log_a(c, a):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.logm, a, rt.herm(c))), a)


def frechet_a(c, f, a, e):
    zeros_like_e = rt.zeros_like(e)
    zeros_like_c = rt.zeros_like(c)
    return rt.diagonal_blocks(
        rt.unbroadcast(
            rt.herm(
                rt.frechet(f, rt.triangle(a, e), rt.herm(rt.triangle(zeros_like_c, c)))
            ),
            rt.triangle(a, zeros_like_e),
        )
    )


def frechet_e(c, f, a, e):
    return rt.unbroadcast(rt.herm(rt.frechet(f, a, rt.herm(c))), e)


def frechet_power_a(c, a, e, t):
    zeros_like_e = rt.zeros_like(e)
    zeros_like_c = rt.zeros_like(c)
    return rt.diagonal_blocks(
        rt.unbroadcast(
            rt.herm(
                rt.frechet_power(
                    rt.triangle(a, e), rt.herm(rt.triangle(zeros_like_c, c)), t
                )
            ),
            rt.triangle(a, zeros_like_e),
        )
    )


def frechet_power_e(c, a, e, t):
    return rt.unbroadcast(rt.herm(rt.frechet_power(a, rt.herm(c), t)), e)


def frechet_power_t(c, a, e, t):
    triangle_a = rt.triangle(a, e)
    return rt.unbroadcast(
        np.conj(
            rt.corner(
                rt.matrix_log(triangle_a)
                @ linalg.fractional_matrix_power(triangle_a, t)
            )
        )
        * c,
        t,
    )


def triangle_a(c):
    return rt.diagonal_blocks(c)


def triangle_e(c):
    return rt.corner(c)


def corner_x(c):
    zeros_like_c = rt.zeros_like(c)
    return rt.triangle(zeros_like_c, c)


def diagonal_blocks_x(c):
    zeros_like_c = rt.zeros_like(c)
    return rt.triangle(c, zeros_like_c)


def expm_frechet_A(c, A, E):
    c_1 = c[1]
    zeros_like_E = rt.zeros_like(E)
    zeros_like = rt.zeros_like(c_1)
    return rt.diagonal_blocks(
        rt.unbroadcast(
            rt.herm(
                rt.frechet(
                    linalg.expm,
                    rt.triangle(A, E),
                    rt.herm(rt.triangle(zeros_like, c_1)),
                )
            ),
            rt.triangle(A, zeros_like_E),
        )
    ) + rt.unbroadcast(rt.herm(rt.frechet(linalg.expm, A, rt.herm(c[0]))), A)


def expm_frechet_E(c, A, E):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.expm, A, rt.herm(c[1]))), E)


def solve_sylvester_a(c, z, a, b):
    return rt.matmul_pull_left(
        -rt.unbroadcast(linalg.solve_sylvester(rt.herm(a), rt.herm(b), c), -(a @ z)),
        np.conj(z),
        like=a,
    )


def solve_sylvester_b(c, z, a, b):
    return rt.matmul_pull_right(
        -rt.unbroadcast(linalg.solve_sylvester(rt.herm(a), rt.herm(b), c), -(z @ b)),
        np.conj(z),
        like=b,
    )


def solve_sylvester_q(c, a, b, q):
    return rt.unbroadcast(linalg.solve_sylvester(rt.herm(a), rt.herm(b), c), q)


def solve_continuous_lyapunov_a(c, z, a):
    herm_a = rt.herm(a)
    minus = -rt.unbroadcast(linalg.solve_lyapunov(herm_a, c), -(a @ z) - z @ herm_a)
    conjugate_z = np.conj(z)
    return rt.herm(
        rt.matmul_pull_right(minus, conjugate_z, like=herm_a)
    ) + rt.matmul_pull_left(minus, conjugate_z, like=a)


def solve_continuous_lyapunov_q(c, a, q):
    return rt.unbroadcast(linalg.solve_lyapunov(rt.herm(a), c), q)


def solve_discrete_lyapunov_a(c, z, a, method):
    herm_a = rt.herm(a)
    a_z = a @ z
    product = a_z @ herm_a
    unbroadcast = rt.unbroadcast(
        linalg.solve_discrete_lyapunov(herm_a, c, method=method), product + product
    )
    return rt.herm(
        rt.matmul_pull_right(unbroadcast, np.conj(a_z), like=herm_a)
    ) + rt.matmul_pull_left(
        rt.matmul_pull_left(unbroadcast, np.conj(herm_a), like=a_z), np.conj(z), like=a
    )


def solve_discrete_lyapunov_q(c, a, q, method):
    return rt.unbroadcast(
        linalg.solve_discrete_lyapunov(rt.herm(a), c, method=method), q
    )


def solve_continuous_are_a(c, z, a, b, r):
    minus = -rt.unbroadcast(
        linalg.solve_lyapunov(
            rt.herm(rt.herm(a - b @ np.linalg.solve(r, rt.herm(b) @ z))), c
        ),
        rt.hermitian(z @ a),
    )
    return rt.matmul_pull_right(2 * rt.hermitian(minus), np.conj(z), like=a)


def solve_continuous_are_b(c, z, a, b, r):
    solve_r = np.linalg.solve(r, rt.herm(b) @ z)
    product = b @ solve_r
    matmul_pull_right = rt.matmul_pull_right(
        2
        * rt.hermitian(
            -rt.unbroadcast(
                linalg.solve_lyapunov(rt.herm(rt.herm(a - product)), c),
                rt.hermitian(-(z @ product)),
            )
        ),
        np.conj(z),
        like=product,
    )
    return rt.matmul_pull_left(-matmul_pull_right, np.conj(solve_r), like=b)


def solve_continuous_are_q(c, z, a, b, q, r):
    hermitian = rt.hermitian(
        -rt.unbroadcast(
            linalg.solve_lyapunov(
                rt.herm(rt.herm(a - b @ np.linalg.solve(r, rt.herm(b) @ z))), c
            ),
            rt.hermitian(rt.hermitian(q)),
        )
    )
    return rt.hermitian(hermitian)


def solve_continuous_are_r(c, z, a, b, r):
    solve_r = np.linalg.solve(r, rt.herm(b) @ z)
    herm = rt.herm(solve_r)
    hermitian_r = rt.hermitian(r)
    product = herm @ hermitian_r
    matmul_pull_left = rt.matmul_pull_left(
        rt.hermitian(
            -rt.unbroadcast(
                linalg.solve_lyapunov(rt.herm(rt.herm(a - b @ solve_r)), c),
                rt.hermitian(product @ solve_r),
            )
        ),
        np.conj(solve_r),
        like=product,
    )
    return rt.hermitian(
        rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=hermitian_r)
    )


def solve_discrete_are_a(c, z, a, b, r):
    product = rt.herm(b) @ z
    herm = rt.herm(a - b @ np.linalg.solve(r + product @ b, product @ a))
    product_2 = herm @ z
    return rt.matmul_pull_right(
        2
        * rt.hermitian(
            rt.unbroadcast(
                linalg.solve_discrete_lyapunov(rt.herm(herm), c),
                rt.hermitian(product_2 @ a),
            )
        ),
        np.conj(product_2),
        like=a,
    )


def solve_discrete_are_b(c, z, a, b, r):
    product = rt.herm(b) @ z
    solve = np.linalg.solve(r + product @ b, product @ a)
    product_2 = b @ solve
    herm = rt.herm(a - product_2)
    product_3 = herm @ z
    matmul_pull_right = rt.matmul_pull_right(
        2
        * rt.hermitian(
            rt.unbroadcast(
                linalg.solve_discrete_lyapunov(rt.herm(herm), c),
                rt.hermitian(-(product_3 @ product_2)),
            )
        ),
        np.conj(product_3),
        like=product_2,
    )
    return rt.matmul_pull_left(-matmul_pull_right, np.conj(solve), like=b)


def solve_discrete_are_q(c, z, a, b, q, r):
    product = rt.herm(b) @ z
    unbroadcast = rt.unbroadcast(
        linalg.solve_discrete_lyapunov(
            rt.herm(rt.herm(a - b @ np.linalg.solve(r + product @ b, product @ a))), c
        ),
        rt.hermitian(rt.hermitian(q)),
    )
    return rt.hermitian(rt.hermitian(unbroadcast))


def solve_discrete_are_r(c, z, a, b, r):
    product = rt.herm(b) @ z
    solve = np.linalg.solve(r + product @ b, product @ a)
    herm = rt.herm(solve)
    hermitian_r = rt.hermitian(r)
    product_2 = herm @ hermitian_r
    matmul_pull_left = rt.matmul_pull_left(
        rt.hermitian(
            rt.unbroadcast(
                linalg.solve_discrete_lyapunov(rt.herm(rt.herm(a - b @ solve)), c),
                rt.hermitian(product_2 @ solve),
            )
        ),
        np.conj(solve),
        like=product_2,
    )
    return rt.hermitian(
        rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=hermitian_r)
    )


# --- scipy.ndimage --------------------------------------------------------------------


def convolve_input(c, input, weights, mode, origin):
    return rt.window_pull(c, input, weights, None, mode, 0.0, origin, True)


def convolve_weights(c, input, weights, mode, cval, origin):
    return rt.template_pull(c, input, weights, None, mode, cval, origin, True)


def correlate_input(c, input, weights, mode, origin):
    return rt.window_pull(c, input, weights, None, mode, 0.0, origin, False)


def correlate_weights(c, input, weights, mode, cval, origin):
    return rt.template_pull(c, input, weights, None, mode, cval, origin, False)


def convolve1d_input(c, input, weights, axis, mode, origin):
    return rt.window_pull(c, input, weights, axis, mode, 0.0, origin, True)


def convolve1d_weights(c, input, weights, axis, mode, cval, origin):
    return rt.template_pull(c, input, weights, axis, mode, cval, origin, True)


def correlate1d_input(c, input, weights, axis, mode, origin):
    return rt.window_pull(c, input, weights, axis, mode, 0.0, origin, False)


def correlate1d_weights(c, input, weights, axis, mode, cval, origin):
    return rt.template_pull(c, input, weights, axis, mode, cval, origin, False)


def window_x(c, x, weights, axis, mode, origin, turn):
    return rt.window_pull(c, x, weights, axis, mode, 0.0, origin, turn)


def window_weights(c, x, weights, axis, mode, cval, origin, turn):
    return rt.template_pull(c, x, weights, axis, mode, cval, origin, turn)


def template_g(c, g, x, axis, mode, cval, origin, turn):
    return rt.template_pull(c, x, g, axis, mode, cval, origin, turn)


def template_x(c, g, x, axis, mode, origin, turn):
    return rt.window_pull(c, x, g, axis, mode, 0.0, origin, turn)


def window_pull_c(c_bar, c, weights, axis, mode, origin, turn):
    return rt.unbroadcast(rt.window(c_bar, weights, axis, mode, 0.0, origin, turn), c)


def window_pull_weights(c_bar, c, weights, axis, mode, origin, turn):
    return rt.template_pull(c, c_bar, weights, axis, mode, 0.0, origin, turn)


def template_pull_c(c_bar, c, x, axis, mode, cval, origin, turn):
    return rt.unbroadcast(rt.template(c_bar, x, axis, mode, cval, origin, turn), c)


def template_pull_x(c_bar, c, x, axis, mode, origin, turn):
    return rt.window_pull(c, x, c_bar, axis, mode, 0.0, origin, turn)


def gaussian_filter_input(c, input, sigma, order, mode, truncate, radius):
    return rt.axes_pull(
        c, input, ndimage.gaussian_filter, (sigma, order, mode, truncate, radius)
    )


def uniform_filter_input(c, input, size, mode, origin):
    return rt.axes_pull(c, input, ndimage.uniform_filter, (size, mode, origin))


def shift_input(c, input, shift, order, mode, prefilter):
    return rt.axes_pull(c, input, ndimage.shift, (shift, order, mode, prefilter))


def zoom_input(c, input, zoom, order, mode, prefilter, grid_mode):
    return rt.axes_pull(
        c, input, ndimage.zoom, (zoom, order, mode, prefilter, grid_mode)
    )


def image_map_x(c, x, f, params):
    return rt.axes_pull(c, x, f, params)


def axes_pull_c(c_bar, f, params):
    return rt.image_map(c_bar, f, params)


def sum_labels_input(c, input, labels, index):
    return rt.label_pull(c, input, labels, index)


def label_pull_c(c_bar, c, labels, index):
    return rt.unbroadcast(ndimage.sum_labels(c_bar, labels, index), c)


def mean_input(c, input, labels, index):
    return rt.label_pull(
        c / np.conj(rt.label_counts(input, labels, index)), input, labels, index
    )


# --- scipy.signal ---------------------------------------------------------------------


def convolve_in1(c, in1, in2, mode):
    return rt.convolution_pull(c, in2, in1, mode, True)


def convolve_in2(c, in1, in2, mode):
    return rt.convolution_pull(c, in1, in2, mode, False)


def fftconvolve_in1(c, in1, in2, mode):
    return rt.convolution_pull(c, in2, in1, mode, True)


def fftconvolve_in2(c, in1, in2, mode):
    return rt.convolution_pull(c, in1, in2, mode, False)


def oaconvolve_in1(c, in1, in2, mode):
    return rt.convolution_pull(c, in2, in1, mode, True)


def oaconvolve_in2(c, in1, in2, mode):
    return rt.convolution_pull(c, in1, in2, mode, False)


def convolve2d_in1(c, in1, in2, mode, boundary):
    return rt.convolution_pull(c, in2, in1, mode, True, boundary)


def convolve2d_in2(c, in1, in2, mode, boundary):
    return rt.convolution_pull(c, in1, in2, mode, False, boundary)


def correlate_in1(c, in1, in2, mode):
    return rt.convolution_pull(c, np.flip(np.conj(in2)), in1, mode, True)


def correlate_in2(c, in1, in2, mode):
    return np.flip(np.conj(rt.convolution_pull(c, in1, in2, mode, False)))


def correlate2d_in1(c, in1, in2, mode, boundary):
    return rt.convolution_pull(
        c, np.flip(np.conj(in2)), in1, mode, True, boundary, True
    )


def correlate2d_in2(c, in1, in2, mode, boundary):
    return np.flip(
        np.conj(rt.convolution_pull(c, in1, in2, mode, False, boundary, True))
    )


def convolution_pull_c(c_bar, c, y, mode, first, boundary, later):
    return rt.unbroadcast(rt.convolution(c_bar, y, mode, first, boundary, later), c)


def convolution_pull_y(c_bar, c, y, mode, first, boundary, later):
    return rt.convolution_pull(c, c_bar, y, mode, not first, boundary, later)


def convolution_x(c, x, y, mode, first, boundary, later):
    return rt.convolution_pull(c, y, x, mode, first, boundary, later)


def convolution_y(c, x, y, mode, first, boundary, later):
    return rt.convolution_pull(c, x, y, mode, not first, boundary, later)


def lfilter_b(c, b, a, x, axis):
    unit_a = rt.unit(a)
    unbroadcast = rt.unbroadcast(
        np.flip(
            signal.lfilter(np.conj(unit_a), np.conj(a), np.flip(c, axis), axis), axis
        ),
        signal.lfilter(b, unit_a, x, axis),
    )
    return rt.lag_sums(
        unbroadcast, signal.lfilter(rt.unit(unit_a), unit_a, x, axis), b, axis
    )


def lfilter_a(c, z, a, axis):
    unit_a = rt.unit(a)
    unbroadcast = rt.unbroadcast(
        np.flip(
            signal.lfilter(np.conj(unit_a), np.conj(a), np.flip(c, axis), axis), axis
        ),
        -signal.lfilter(a, unit_a, z, axis),
    )
    return rt.lag_sums(
        -unbroadcast, signal.lfilter(rt.unit(unit_a), unit_a, z, axis), a, axis
    )


def lfilter_x(c, b, a, x, axis):
    return rt.unbroadcast(
        np.flip(signal.lfilter(np.conj(b), np.conj(a), np.flip(c, axis), axis), axis), x
    )


def lag_sums_c(c_bar, c, v, axis):
    return rt.unbroadcast(signal.lfilter(c_bar, rt.unit(c_bar), v, axis), c)


def lag_sums_v(c_bar, c, v, axis):
    return rt.unbroadcast(
        np.flip(
            signal.lfilter(np.conj(c_bar), rt.unit(c_bar), np.flip(c, axis), axis), axis
        ),
        v,
    )


def sosfilt_x(c, sos, axis):
    return np.flip(signal.sosfilt(sos, np.flip(c, axis), axis), axis)


def hilbert_x(c, x, axis):
    return rt.fit(np.real(c) - np.imag(signal.hilbert(np.imag(c), axis=axis)), x)


def detrend_data(c, data, axis, type, bp):
    return rt.line_pull(c, data, signal.detrend, axis, (type, bp))


def savgol_filter_x(c, x, window_length, polyorder, deriv, delta, axis, mode):
    return rt.line_pull(
        c, x, signal.savgol_filter, axis, (window_length, polyorder, deriv, delta, mode)
    )


def resample_x(c, x, num, axis, window):
    return rt.line_pull(c, x, signal.resample, axis, (num, window))


def resample_poly_x(c, x, up, down, axis, window, padtype):
    return rt.line_pull(c, x, signal.resample_poly, axis, (up, down, window, padtype))


def decimate_x(c, x, q, n, ftype, axis, zero_phase):
    return rt.line_pull(c, x, signal.decimate, axis, (q, n, ftype, zero_phase))


def filtfilt_x(c, b, a, x, axis, padtype, padlen):
    return rt.line_pull(c, x, signal.filtfilt, axis, (b, a, padtype, padlen))


def sosfiltfilt_x(c, sos, x, axis, padtype, padlen):
    return rt.line_pull(c, x, signal.sosfiltfilt, axis, (sos, padtype, padlen))


def upfirdn_x(c, h, x, up, down, axis):
    return rt.line_pull(c, x, signal.upfirdn, axis, (h, up, down))


def line_x(c, x, f, axis, params):
    return rt.line_pull(c, x, f, axis, params)


def line_pull_c(c_bar, f, axis, params):
    return rt.line(c_bar, f, axis, params)


def stft_x(
    c,
    x,
    fs,
    window,
    nperseg,
    noverlap,
    nfft,
    detrend,
    return_onesided,
    boundary,
    padded,
    scaling,
):
    return rt.line_pull(
        c[2],
        x,
        signal.stft,
        -1,
        (
            fs,
            window,
            nperseg,
            noverlap,
            nfft,
            detrend,
            return_onesided,
            boundary,
            padded,
            scaling,
        ),
    )


def welch_x(
    c, z, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling
):
    spectra_x = rt.spectra(
        x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling
    )
    ratio = (
        np.conj(2 * rt.sides(z[1], nfft, nperseg, return_onesided, x))
        * c[1]
        / rt.count(spectra_x, -1)
    )
    return rt.line_pull(
        spectra_x * rt.unreduce(ratio, spectra_x, axis=-1),
        x,
        signal.welch,
        -1,
        (fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling),
    )


def spectra_x(c, x, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling):
    return rt.line_pull(
        c,
        x,
        signal.welch,
        -1,
        (fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling),
    )


# --- scipy.sparse_linalg --------------------------------------------------------------


def sparse_adjoint_a(c):
    return rt.herm(c)


def times_entries_data(c, data, row, col, x):
    return rt.unbroadcast(
        np.sum(
            np.reshape(
                np.take(c, row, 0) * np.conj(np.take(x, col, 0)), (np.size(row), -1)
            ),
            1,
        ),
        data,
    )


def times_entries_x(c, data, row, col, x):
    return rt.unbroadcast(
        rt.times_entries(np.conj(data), col, row, np.shape(x)[0], c), x
    )


def solve_entries_data(c, z, data, row, col, n):
    unbroadcast = rt.unbroadcast(
        rt.solve_entries(np.conj(data), col, row, n, c),
        -rt.times_entries(data, row, col, n, z),
    )
    return rt.unbroadcast(
        np.sum(
            np.reshape(
                np.take(-unbroadcast, row, 0) * np.conj(np.take(z, col, 0)),
                (np.size(row), -1),
            ),
            1,
        ),
        data,
    )


def solve_entries_b(c, data, row, col, n, b):
    return rt.unbroadcast(rt.solve_entries(np.conj(data), col, row, n, c), b)


def spsolve_b(c, A, b):
    return rt.unbroadcast(sparse_linalg.spsolve(rt.sparse_adjoint(A), c), b)


def expm_multiply_A(c, A, B):
    return rt.unbroadcast(
        rt.herm(
            rt.frechet(
                linalg.expm,
                A,
                rt.herm(
                    rt.matmul_pull_left(
                        c, np.conj(B), like=rt.frechet(linalg.expm, A, A)
                    )
                ),
            )
        ),
        A,
    )


def expm_multiply_B(c, A, B):
    return rt.unbroadcast(sparse_linalg.expm_multiply(rt.sparse_adjoint(A), c), B)


def krylov_solve_a(c, z, f, a, rtol, atol, maxiter):
    return rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter), -(a @ z)
        ),
        np.conj(z),
        like=a,
    )


def krylov_solve_b(c, f, a, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter), b
    )


def cg_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    return rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.cg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_0),
        ),
        np.conj(z_0),
        like=A,
    )


def cg_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.cg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def gmres_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    return rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.gmres, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_0),
        ),
        np.conj(z_0),
        like=A,
    )


def gmres_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.gmres, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def bicgstab_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    return rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.bicgstab, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_0),
        ),
        np.conj(z_0),
        like=A,
    )


def bicgstab_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.bicgstab, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def bicg_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    return rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.bicg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_0),
        ),
        np.conj(z_0),
        like=A,
    )


def bicg_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.bicg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


# --- scipy.special.bessel -------------------------------------------------------------


def j0_x(c, x):
    return np.conj(-special.j1(x)) * c


def j1_x(c, x):
    return np.conj((special.j0(x) - special.jv(2, x)) / 2) * c


def y0_x(c, x):
    return np.conj(-special.y1(x)) * c


def y1_x(c, x):
    return np.conj((special.y0(x) - special.yv(2, x)) / 2) * c


def jv_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.jv(v - 1, x) - special.jv(v + 1, x)) / 2) * c, x
    )


def yv_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.yv(v - 1, x) - special.yv(v + 1, x)) / 2) * c, x
    )


def yn_x(c, n, x):
    trunc_n = np.trunc(n)
    return rt.unbroadcast(
        np.conj((special.yn(trunc_n - 1, x) - special.yn(trunc_n + 1, x)) / 2) * c, x
    )


def jve_x(c, z, v, x):
    total = (
        rt.times_i(np.real(-(np.conj(z * rt.sign(np.imag(x))) * c)), x)
        + np.conj((special.jve(v - 1, x) - special.jve(v + 1, x)) / 2) * c
    )
    return rt.unbroadcast(total, x)


def yve_x(c, z, v, x):
    total = (
        rt.times_i(np.real(-(np.conj(z * rt.sign(np.imag(x))) * c)), x)
        + np.conj((special.yve(v - 1, x) - special.yve(v + 1, x)) / 2) * c
    )
    return rt.unbroadcast(total, x)


def hankel1_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel1(v - 1, x) - special.hankel1(v + 1, x)) / 2) * c, x
    )


def hankel2_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel2(v - 1, x) - special.hankel2(v + 1, x)) / 2) * c, x
    )


def hankel1e_x(c, z, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel1e(v - 1, x) - special.hankel1e(v + 1, x)) / 2 - 1j * z)
        * c,
        x,
    )


def hankel2e_x(c, z, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel2e(v - 1, x) - special.hankel2e(v + 1, x)) / 2 + 1j * z)
        * c,
        x,
    )


def i0_x(c, x):
    return np.conj(special.i1(x)) * c


def i1_x(c, x):
    return np.conj((special.i0(x) + special.iv(2, x)) / 2) * c


def i0e_x(c, z, x):
    return np.conj(special.i1e(x) - rt.sign(x) * z) * c


def i1e_x(c, z, x):
    return np.conj((special.i0e(x) + special.ive(2, x)) / 2 - rt.sign(x) * z) * c


def k0_x(c, x):
    return np.conj(-special.k1(x)) * c


def k1_x(c, x):
    return np.conj(-((special.k0(x) + special.kv(2, x)) / 2)) * c


def k0e_x(c, z, x):
    return np.conj(z - special.k1e(x)) * c


def k1e_x(c, z, x):
    return np.conj(z - (special.k0e(x) + special.kve(2, x)) / 2) * c


def kn_x(c, n, x):
    trunc_n = np.trunc(n)
    return rt.unbroadcast(
        np.conj(-((special.kn(trunc_n - 1, x) + special.kn(trunc_n + 1, x)) / 2)) * c, x
    )


def iv_v(c, v, x):
    return rt.unbroadcast(np.conj(np.exp(x) * rt.ive_partial(1, v, x)) * c, v)


def iv_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.iv(v - 1, x) + special.iv(v + 1, x)) / 2) * c, x
    )


def ive_v(c, v, x):
    return rt.unbroadcast(np.conj(rt.ive_partial(1, v, x)) * c, v)


def ive_x(c, z, v, x):
    total = (
        np.real(-(np.conj(z * rt.sign(np.real(x))) * c))
        + np.conj((special.ive(v - 1, x) + special.ive(v + 1, x)) / 2) * c
    )
    return rt.unbroadcast(total, x)


def kv_v(c, v, x):
    return rt.unbroadcast(np.conj(np.exp(-x) * rt.kve_partial(1, v, x)) * c, v)


def kv_x(c, v, x):
    return rt.unbroadcast(
        np.conj(-((special.kv(v - 1, x) + special.kv(v + 1, x)) / 2)) * c, x
    )


def kve_v(c, v, x):
    return rt.unbroadcast(np.conj(rt.kve_partial(1, v, x)) * c, v)


def kve_x(c, z, v, x):
    return rt.unbroadcast(
        np.conj(z - (special.kve(v - 1, x) + special.kve(v + 1, x)) / 2) * c, x
    )


def ive_partial_v(c, n, v, x):
    return rt.unbroadcast(np.conj(rt.ive_partial(n + 1, v, x)) * c, v)


def ive_partial_x(c, z, n, v, x):
    return rt.unbroadcast(
        np.conj((rt.ive_partial(n, v - 1, x) + rt.ive_partial(n, v + 1, x)) / 2 - z)
        * c,
        x,
    )


def kve_partial_v(c, n, v, x):
    return rt.unbroadcast(np.conj(rt.kve_partial(n + 1, v, x)) * c, v)


def kve_partial_x(c, z, n, v, x):
    return rt.unbroadcast(
        np.conj(z - (rt.kve_partial(n, v - 1, x) + rt.kve_partial(n, v + 1, x)) / 2)
        * c,
        x,
    )


def jvp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.jvp(v, x, n + 1)) * c, x)


def yvp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.yvp(v, x, n + 1)) * c, x)


def ivp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.ivp(v, x, n + 1)) * c, x)


def kvp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.kvp(v, x, n + 1)) * c, x)


def h1vp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.h1vp(v, x, n + 1)) * c, x)


def h2vp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.h2vp(v, x, n + 1)) * c, x)


def spherical_jn_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("jn", 1 + derivative, n, x)) * c, x
    )


def spherical_yn_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("yn", 1 + derivative, n, x)) * c, x
    )


def spherical_in_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("in", 1 + derivative, n, x)) * c, x
    )


def spherical_kn_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("kn", 1 + derivative, n, x)) * c, x
    )


def spherical_partial_x(c, kind, m, n, x):
    return rt.unbroadcast(np.conj(rt.spherical_partial(kind, m + 1, n, x)) * c, x)


def airy_x(c, z, x):
    total = np.conj(x * z[2]) * c[3] + np.conj(z[3]) * c[2] + np.conj(x * z[0]) * c[1]
    return total + np.conj(z[1]) * c[0]


def struve_x(c, v, x):
    total = (
        special.struve(v - 1, x)
        - special.struve(v + 1, x)
        + (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    )
    return rt.unbroadcast(np.conj(total / 2) * c, x)


def modstruve_x(c, v, x):
    total = (
        special.modstruve(v - 1, x)
        + special.modstruve(v + 1, x)
        + (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    )
    return rt.unbroadcast(np.conj(total / 2) * c, x)


def ber_x(c, x):
    return np.conj(special.berp(x)) * c


def bei_x(c, x):
    return np.conj(special.beip(x)) * c


def ker_x(c, x):
    return np.conj(special.kerp(x)) * c


def kei_x(c, x):
    return np.conj(special.keip(x)) * c


def berp_x(c, z, x):
    return np.conj(-(special.bei(x) + z / x)) * c


def beip_x(c, z, x):
    return np.conj(special.ber(x) - z / x) * c


def kerp_x(c, z, x):
    return np.conj(-(special.kei(x) + z / x)) * c


def keip_x(c, z, x):
    return np.conj(special.ker(x) - z / x) * c


def wright_bessel_x(c, a, b, x):
    return rt.unbroadcast(np.conj(special.wright_bessel(a, a + b, x)) * c, x)


# --- scipy.special.cdf ----------------------------------------------------------------


def gammainc_partial_a(c, i, j, a, x):
    return rt.unbroadcast(rt.gammainc_partial(i + 1, j, a, x) * c, a)


def gammainc_partial_x(c, i, j, a, x):
    return rt.unbroadcast(rt.gammainc_partial(i, j + 1, a, x) * c, x)


def betainc_partial_a(c, i, j, k, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(i + 1, j, k, a, b, x) * c, a)


def betainc_partial_b(c, i, j, k, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(i, j + 1, k, a, b, x) * c, b)


def betainc_partial_x(c, i, j, k, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(i, j, k + 1, a, b, x) * c, x)


def stdtr_partial_df(c, i, j, df, t):
    return rt.unbroadcast(rt.stdtr_partial(i + 1, j, df, t) * c, df)


def stdtr_partial_t(c, i, j, df, t):
    return rt.unbroadcast(rt.stdtr_partial(i, j + 1, df, t) * c, t)


def gammainc_a(c, a, x):
    return rt.unbroadcast(rt.gammainc_partial(1, 0, a, x) * c, a)


def gammainc_x(c, a, x):
    return rt.unbroadcast(rt.gammainc_partial(0, 1, a, x) * c, x)


def gammaincc_a(c, a, x):
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, a, x) * c), a)


def gammaincc_x(c, a, x):
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, a, x) * c), x)


def gammaincinv_a(c, z, a):
    return rt.unbroadcast(
        -(rt.gammainc_partial(1, 0, a, z) * (c / rt.gammainc_partial(0, 1, a, z))), a
    )


def gammaincinv_y(c, z, a, y):
    return rt.unbroadcast(c / rt.gammainc_partial(0, 1, a, z), y)


def gammainccinv_a(c, z, a):
    return rt.unbroadcast(
        -(rt.gammainc_partial(1, 0, a, z) * (c / rt.gammainc_partial(0, 1, a, z))), a
    )


def gammainccinv_y(c, z, a, y):
    return rt.unbroadcast(-(c / rt.gammainc_partial(0, 1, a, z)), y)


def betainc_a(c, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(1, 0, 0, a, b, x) * c, a)


def betainc_b(c, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(0, 1, 0, a, b, x) * c, b)


def betainc_x(c, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(0, 0, 1, a, b, x) * c, x)


def betaincc_a(c, a, b, x):
    return rt.unbroadcast(-(rt.betainc_partial(1, 0, 0, a, b, x) * c), a)


def betaincc_b(c, a, b, x):
    return rt.unbroadcast(-(rt.betainc_partial(0, 1, 0, a, b, x) * c), b)


def betaincc_x(c, a, b, x):
    return rt.unbroadcast(-(rt.betainc_partial(0, 0, 1, a, b, x) * c), x)


def betaincinv_a(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(1, 0, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        a,
    )


def betaincinv_b(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 1, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        b,
    )


def betaincinv_y(c, z, a, b, y):
    return rt.unbroadcast(c / rt.betainc_partial(0, 0, 1, a, b, z), y)


def betainccinv_a(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(1, 0, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        a,
    )


def betainccinv_b(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 1, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        b,
    )


def betainccinv_y(c, z, a, b, y):
    return rt.unbroadcast(-(c / rt.betainc_partial(0, 0, 1, a, b, z)), y)


def btdtria_p(c, z, p, b, x):
    return rt.unbroadcast(c / rt.betainc_partial(1, 0, 0, z, b, x), p)


def btdtria_b(c, z, b, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 1, 0, z, b, x)
            * (c / rt.betainc_partial(1, 0, 0, z, b, x))
        ),
        b,
    )


def btdtria_x(c, z, b, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 0, 1, z, b, x)
            * (c / rt.betainc_partial(1, 0, 0, z, b, x))
        ),
        x,
    )


def btdtrib_a(c, z, a, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(1, 0, 0, a, z, x)
            * (c / rt.betainc_partial(0, 1, 0, a, z, x))
        ),
        a,
    )


def btdtrib_p(c, z, a, p, x):
    return rt.unbroadcast(c / rt.betainc_partial(0, 1, 0, a, z, x), p)


def btdtrib_x(c, z, a, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 0, 1, a, z, x)
            * (c / rt.betainc_partial(0, 1, 0, a, z, x))
        ),
        x,
    )


def bdtr_p(c, k, n, p):
    floor_k = np.floor(k)
    return rt.unbroadcast(
        -(rt.betainc_partial(0, 0, 1, floor_k + 1, np.trunc(n) - floor_k, p) * c), p
    )


def bdtrc_p(c, k, n, p):
    floor_k = np.floor(k)
    return rt.unbroadcast(
        rt.betainc_partial(0, 0, 1, floor_k + 1, np.trunc(n) - floor_k, p) * c, p
    )


def bdtri_y(c, z, k, n, y):
    floor_k = np.floor(k)
    return rt.unbroadcast(
        -(c / rt.betainc_partial(0, 0, 1, floor_k + 1, np.trunc(n) - floor_k, z)), y
    )


def nbdtr_p(c, k, n, p):
    return rt.unbroadcast(
        rt.betainc_partial(0, 0, 1, np.trunc(n), np.trunc(k) + 1, p) * c, p
    )


def nbdtrc_p(c, k, n, p):
    return rt.unbroadcast(
        -(rt.betainc_partial(0, 0, 1, np.trunc(n), np.trunc(k) + 1, p) * c), p
    )


def nbdtri_y(c, z, k, n, y):
    return rt.unbroadcast(
        c / rt.betainc_partial(0, 0, 1, np.trunc(n), np.trunc(k) + 1, z), y
    )


def pdtr_m(c, k, m):
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, np.floor(k) + 1, m) * c), m)


def pdtrc_m(c, k, m):
    return rt.unbroadcast(rt.gammainc_partial(0, 1, np.floor(k) + 1, m) * c, m)


def pdtri_y(c, z, k, y):
    return rt.unbroadcast(-(c / rt.gammainc_partial(0, 1, np.trunc(k) + 1, z)), y)


def chdtr_v(c, v, x):
    return rt.unbroadcast(rt.gammainc_partial(1, 0, v / 2, x / 2) / 2 * c, v)


def chdtr_x(c, v, x):
    return rt.unbroadcast(rt.gammainc_partial(0, 1, v / 2, x / 2) / 2 * c, x)


def chdtrc_v(c, v, x):
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, v / 2, x / 2) / 2 * c), v)


def chdtrc_x(c, v, x):
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, v / 2, x / 2) / 2 * c), x)


def chdtri_v(c, z, v):
    ratio = v / 2
    ratio_2 = z / 2
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(1, 0, ratio, ratio_2)
            * (c / rt.gammainc_partial(0, 1, ratio, ratio_2))
        ),
        v,
    )


def chdtri_p(c, z, v, p):
    return rt.unbroadcast(-2 * (c / rt.gammainc_partial(0, 1, v / 2, z / 2)), p)


def chdtriv_p(c, z, p, x):
    return rt.unbroadcast(2 * (c / rt.gammainc_partial(1, 0, z / 2, x / 2)), p)


def chdtriv_x(c, z, x):
    ratio = z / 2
    ratio_2 = x / 2
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(0, 1, ratio, ratio_2)
            * (c / rt.gammainc_partial(1, 0, ratio, ratio_2))
        ),
        x,
    )


def gdtr_a(c, a, b, x):
    return rt.unbroadcast(x * (rt.gammainc_partial(0, 1, b, a * x) * c), a)


def gdtr_b(c, a, b, x):
    return rt.unbroadcast(rt.gammainc_partial(1, 0, b, a * x) * c, b)


def gdtr_x(c, a, b, x):
    return rt.unbroadcast(a * (rt.gammainc_partial(0, 1, b, a * x) * c), x)


def gdtrc_a(c, a, b, x):
    return rt.unbroadcast(-(x * (rt.gammainc_partial(0, 1, b, a * x) * c)), a)


def gdtrc_b(c, a, b, x):
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, b, a * x) * c), b)


def gdtrc_x(c, a, b, x):
    return rt.unbroadcast(-(a * (rt.gammainc_partial(0, 1, b, a * x) * c)), x)


def gdtrix_a(c, z, a):
    return rt.unbroadcast(-(z * (c / a)), a)


def gdtrix_b(c, z, a, b):
    a_z = a * z
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(1, 0, b, a_z)
            * (c / a / rt.gammainc_partial(0, 1, b, a_z))
        ),
        b,
    )


def gdtrix_p(c, z, a, b, p):
    return rt.unbroadcast(c / a / rt.gammainc_partial(0, 1, b, a * z), p)


def gdtria_p(c, z, p, b, x):
    return rt.unbroadcast(c / x / rt.gammainc_partial(0, 1, b, z * x), p)


def gdtria_b(c, z, b, x):
    z_x = z * x
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(1, 0, b, z_x)
            * (c / x / rt.gammainc_partial(0, 1, b, z_x))
        ),
        b,
    )


def gdtria_x(c, z, x):
    return rt.unbroadcast(-(z * (c / x)), x)


def gdtrib_a(c, z, a, x):
    a_x = a * x
    return rt.unbroadcast(
        -(
            x
            * (
                rt.gammainc_partial(0, 1, z, a_x)
                * (c / rt.gammainc_partial(1, 0, z, a_x))
            )
        ),
        a,
    )


def gdtrib_p(c, z, a, p, x):
    return rt.unbroadcast(c / rt.gammainc_partial(1, 0, z, a * x), p)


def gdtrib_x(c, z, a, x):
    a_x = a * x
    return rt.unbroadcast(
        -(
            a
            * (
                rt.gammainc_partial(0, 1, z, a_x)
                * (c / rt.gammainc_partial(1, 0, z, a_x))
            )
        ),
        x,
    )


def fdtr_dfn(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    product = (
        dfd
        * x
        * (rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c)
    )
    return rt.unbroadcast(
        product + rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * c, dfn
    )


def fdtr_dfd(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    difference = rt.betainc_partial(
        0, 1, 0, ratio, ratio_2, ratio_3
    ) / 2 * c - dfn_x * (
        rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c
    )
    return rt.unbroadcast(difference, dfd)


def fdtr_x(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    product = (
        dfd
        * dfn
        * (
            rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, dfn_x / total)
            / (total * total)
            * c
        )
    )
    return rt.unbroadcast(product, x)


def fdtrc_dfn(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    product = (
        dfd
        * x
        * (rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c)
    )
    return rt.unbroadcast(
        -(product + rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * c), dfn
    )


def fdtrc_dfd(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    difference = (
        dfn_x
        * (rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c)
        - rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * c
    )
    return rt.unbroadcast(difference, dfd)


def fdtrc_x(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    product = (
        dfd
        * dfn
        * (
            rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, dfn_x / total)
            / (total * total)
            * c
        )
    )
    return rt.unbroadcast(-product, x)


def fdtri_dfn(c, z, dfn, dfd):
    dfn_z = dfn * z
    total = dfn_z + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_z / total
    ratio_4 = c / (
        rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3)
        * dfn
        * dfd
        / (total * total)
    )
    return rt.unbroadcast(
        -(
            z * c / dfn
            + rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * ratio_4
        ),
        dfn,
    )


def fdtri_dfd(c, z, dfn, dfd):
    dfn_z = dfn * z
    total = dfn_z + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_z / total
    ratio_4 = c / (
        rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3)
        * dfn
        * dfd
        / (total * total)
    )
    return rt.unbroadcast(
        z * c / dfd
        - rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * ratio_4,
        dfd,
    )


def fdtri_p(c, z, dfn, dfd, p):
    dfn_z = dfn * z
    total = dfn_z + dfd
    ratio = (
        rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, dfn_z / total)
        * dfn
        * dfd
        / (total * total)
    )
    return rt.unbroadcast(c / ratio, p)


def stdtr_df(c, df, t):
    return rt.unbroadcast(rt.stdtr_partial(1, 0, df, t) * c, df)


def stdtr_t(c, df, t):
    return rt.unbroadcast(rt.stdtr_partial(0, 1, df, t) * c, t)


def stdtrit_df(c, z, df):
    return rt.unbroadcast(
        -(rt.stdtr_partial(1, 0, df, z) * (c / rt.stdtr_partial(0, 1, df, z))), df
    )


def stdtrit_p(c, z, df, p):
    return rt.unbroadcast(c / rt.stdtr_partial(0, 1, df, z), p)


def stdtridf_p(c, z, p, t):
    return rt.unbroadcast(c / rt.stdtr_partial(1, 0, z, t), p)


def stdtridf_t(c, z, t):
    return rt.unbroadcast(
        -(rt.stdtr_partial(0, 1, z, t) * (c / rt.stdtr_partial(1, 0, z, t))), t
    )


def chndtr_x(c, x, df, nc):
    sqrt = np.sqrt(nc * x)
    product = (
        np.exp(sqrt - (x + nc) / 2)
        / 2
        * (x / nc) ** (df / 4 - 0.5)
        * special.ive(df / 2 - 1, sqrt)
    )
    return rt.unbroadcast(np.conj(product) * c, x)


def chndtr_nc(c, x, df, nc):
    sqrt = np.sqrt(nc * x)
    product = (
        np.exp(sqrt - (x + nc) / 2)
        / 2
        * (x / nc) ** (df / 4)
        * special.ive(df / 2, sqrt)
    )
    return rt.unbroadcast(-(np.conj(product) * c), nc)


# --- scipy.special.elementary ---------------------------------------------------------


def expm1_x(c, z):
    return np.conj(z + 1) * c


def log1p_x(c, x):
    return c / np.conj(1 + x)


def exp2_x(c, z):
    return z * math.log(2) * c


def exp10_x(c, z):
    return z * math.log(10) * c


def cbrt_x(c, z):
    return c / (3 * z * z)


def cosm1_x(c, x):
    return -(np.sin(x) * c)


def powm1_x(c, x, y):
    return rt.unbroadcast(np.conj(y * np.power(x, rt.one_less(y, x))) * c, x)


def powm1_y(c, z, x, y):
    return rt.unbroadcast(rt.times_log((z + 1) * c, x), y)


def sindg_x(c, x):
    return np.conj(math.pi / 180 * special.cosdg(x)) * c


def cosdg_x(c, x):
    return np.conj(-(math.pi / 180 * special.sindg(x))) * c


def tandg_x(c, z):
    return math.pi / 180 * (1 + z * z) * c


def cotdg_x(c, z):
    return -(math.pi / 180 * (1 + z * z) * c)


def exprel_x(c, x):
    return rt.exprel_partial(1, x) * c


def exprel_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.exprel_partial(n + 1, x)) * c, x)


def diric_x(c, x, n):
    return np.conj(rt.diric_partial(1, x, n)) * c


def diric_partial_x(c, m, x, n):
    return rt.unbroadcast(np.conj(rt.diric_partial(m + 1, x, n)) * c, x)


def expit_x(c, z):
    return z * (1 - z) * c


def logit_x(c, x):
    return c / (x * (1 - x))


def log_expit_x(c, x):
    return np.conj(special.expit(-x)) * c


def softplus_x(c, x):
    return np.conj(special.expit(x)) * c


def softmax_x(c, z, x, axis):
    conjugate_z = np.conj(z)
    product = conjugate_z * c
    return product + conjugate_z * rt.unreduce(
        np.sum(-product, axis=axis), x, axis=axis
    )


def log_softmax_x(c, z, x, axis):
    return c + np.conj(np.exp(z)) * rt.unreduce(np.sum(-c, axis=axis), x, axis=axis)


def logsumexp_a(c, z, a, axis, b, keepdims):
    stretch_over_a = rt.stretch_over(a, b)
    exp = np.exp(
        stretch_over_a - rt.unreduce(z, stretch_over_a, axis=axis, keepdims=keepdims)
    )
    return rt.unbroadcast(
        np.conj(rt.one_if_none(b) * exp)
        * rt.unreduce(c, exp, axis=axis, keepdims=keepdims),
        a,
    )


def logsumexp_b(c, z, a, axis, b, keepdims):
    stretch_over_a = rt.stretch_over(a, b)
    exp = np.exp(
        stretch_over_a - rt.unreduce(z, stretch_over_a, axis=axis, keepdims=keepdims)
    )
    return rt.unbroadcast(
        np.conj(exp) * rt.unreduce(c, exp, axis=axis, keepdims=keepdims), b
    )


def xlogy_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(np.where((x == 0) & (y == 0), 1, y))) * c, x)


def xlogy_y(c, x, y):
    return rt.unbroadcast(np.conj(rt.div0(x, y)) * c, y)


def xlog1py_x(c, x, y):
    return rt.unbroadcast(
        np.conj(np.log1p(np.where((x == 0) & (y == -1), 0, y))) * c, x
    )


def xlog1py_y(c, x, y):
    return rt.unbroadcast(np.conj(rt.div0(x, 1 + y)) * c, y)


def entr_x(c, x):
    return np.conj(-(np.log(x) + 1)) * c


def rel_entr_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(x / y) + 1) * c, x)


def rel_entr_y(c, x, y):
    return rt.unbroadcast(-(rt.div0(x, y) * c), y)


def kl_div_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(x / y)) * c, x)


def kl_div_y(c, x, y):
    return rt.unbroadcast((1 - rt.div0(x, y)) * c, y)


def huber_delta(c, delta, r):
    absolute_r = np.abs(r)
    return rt.unbroadcast(
        np.conj(np.where(absolute_r > delta, absolute_r - delta, 0)) * c, delta
    )


def huber_r(c, delta, r):
    return rt.unbroadcast(np.conj(np.clip(r, -delta, delta)) * c, r)


def pseudo_huber_delta(c, z, delta, r):
    return rt.unbroadcast((2 * z - r * (r / np.hypot(1, r / delta))) / delta * c, delta)


def pseudo_huber_r(c, delta, r):
    return rt.unbroadcast(r / np.hypot(1, r / delta) * c, r)


def boxcox_x(c, x, lmbda):
    return rt.unbroadcast(np.conj(x ** (lmbda - 1)) * c, x)


def boxcox_lmbda(c, x, lmbda):
    log_x = np.log(x)
    return rt.unbroadcast(
        np.conj(log_x * log_x * rt.exprel_partial(1, lmbda * log_x)) * c, lmbda
    )


def boxcox1p_x(c, x, lmbda):
    return rt.unbroadcast(np.conj((1 + x) ** (lmbda - 1)) * c, x)


def boxcox1p_lmbda(c, x, lmbda):
    log1p_x = np.log1p(x)
    return rt.unbroadcast(
        np.conj(log1p_x * log1p_x * rt.exprel_partial(1, lmbda * log1p_x)) * c, lmbda
    )


def inv_boxcox_y(c, z, y, lmbda):
    return rt.unbroadcast(np.conj(z ** (1 - lmbda)) * c, y)


def inv_boxcox_lmbda(c, z, lmbda):
    log_z = np.log(z)
    product = np.conj(log_z * log_z * rt.exprel_partial(1, lmbda * log_z)) * (
        np.conj(z ** (1 - lmbda)) * c
    )
    return rt.unbroadcast(-product, lmbda)


def inv_boxcox1p_y(c, z, y, lmbda):
    return rt.unbroadcast(np.conj((1 + z) ** (1 - lmbda)) * c, y)


def inv_boxcox1p_lmbda(c, z, lmbda):
    log1p_z = np.log1p(z)
    product = np.conj(log1p_z * log1p_z * rt.exprel_partial(1, lmbda * log1p_z)) * (
        np.conj((1 + z) ** (1 - lmbda)) * c
    )
    return rt.unbroadcast(-product, lmbda)


def tklmbda_x(c, z, x, lmbda):
    tklmbda_lmbda = special.tklmbda(-x, lmbda)
    and_ = (z > 0) & (tklmbda_lmbda > 0)
    lmbda_minus_1 = lmbda - 1
    where = np.where(
        and_,
        1
        / (
            np.where(and_, z, 0.5) ** lmbda_minus_1
            + np.where(and_, tklmbda_lmbda, 0.5) ** lmbda_minus_1
        ),
        0,
    )
    return rt.unbroadcast(np.conj(where) * c, x)


def tklmbda_lmbda(c, z, x, lmbda):
    tklmbda_lmbda = special.tklmbda(-x, lmbda)
    and_ = (z > 0) & (tklmbda_lmbda > 0)
    where_z = np.where(and_, z, 0.5)
    where = np.where(and_, tklmbda_lmbda, 0.5)
    log = np.log(where_z)
    log_2 = np.log(where)
    difference = log * log * rt.exprel_partial(
        1, lmbda * log
    ) - log_2 * log_2 * rt.exprel_partial(1, lmbda * log_2)
    lmbda_minus_1 = lmbda - 1
    product = np.conj(difference) * (
        np.conj(np.where(and_, 1 / (where_z**lmbda_minus_1 + where**lmbda_minus_1), 0))
        * c
    )
    return rt.unbroadcast(-product, lmbda)


# --- scipy.special.elliptic -----------------------------------------------------------


def ellipk_m(c, m):
    return np.conj(special.elliprd(0, 1, 1 - m) / 6) * c


def ellipkm1_p(c, p):
    return np.conj(-(special.elliprd(0, 1, p) / 6)) * c


def ellipe_m(c, m):
    return np.conj(-(special.elliprd(0, 1 - m, 1) / 6)) * c


def ellipkinc_phi(c, phi, m):
    sin_phi = np.sin(phi)
    return rt.unbroadcast(c / np.conj(np.sqrt(1 - m * sin_phi * sin_phi)), phi)


def ellipkinc_m(c, phi, m):
    return rt.unbroadcast(rt.ellipkinc_moment(1, phi, m) / 2 * c, m)


def ellipeinc_phi(c, phi, m):
    sin_phi = np.sin(phi)
    return rt.unbroadcast(np.conj(np.sqrt(1 - m * sin_phi * sin_phi)) * c, phi)


def ellipeinc_m(c, phi, m):
    return rt.unbroadcast(-(rt.ellipeinc_moment(1, phi, m) / 2 * c), m)


def ellipkinc_moment_phi(c, k, phi, m):
    power = np.sin(phi) ** 2
    difference = 1 - m * power
    return rt.unbroadcast(
        np.conj((power / difference) ** k / np.sqrt(difference)) * c, phi
    )


def ellipkinc_moment_m(c, k, phi, m):
    return rt.unbroadcast(
        np.conj((k + 0.5) * rt.ellipkinc_moment(k + 1, phi, m)) * c, m
    )


def ellipeinc_moment_phi(c, k, phi, m):
    power = np.sin(phi) ** 2
    difference = 1 - m * power
    return rt.unbroadcast(
        np.conj((power / difference) ** k * np.sqrt(difference)) * c, phi
    )


def ellipeinc_moment_m(c, k, phi, m):
    return rt.unbroadcast(
        np.conj((k - 0.5) * rt.ellipeinc_moment(k + 1, phi, m)) * c, m
    )


def ellipj_u(c, z, u, m):
    z_0 = z[0]
    z_1 = z[1]
    z_2 = z[2]
    difference = c[3] - m * z_0 * z_1 * (c[2] / z_2) - z_0 * c[1]
    return rt.unbroadcast(z_2 * (difference + z_1 * c[0]), u)


def ellipj_m(c, z, m):
    z_0 = z[0]
    z_1 = z[1]
    z_2 = z[2]
    ratio = c[2] / z_2
    total = c[3] - m * z_0 * z_1 * ratio - z_0 * c[1] + z_1 * c[0]
    total_2 = z_0 * z_0 / 2 * ratio + z_2 * rt.ellipkinc_moment(1, z[3], m) / 2 * total
    return rt.unbroadcast(-total_2, m)


def agm_a(c, z, a, b):
    product = np.conj(np.abs(a) * special.elliprd(0, b * b, a * a)) * (
        2 / (3 * np.pi) * z * z * c
    )
    return rt.unbroadcast(product, a)


def agm_b(c, z, a, b):
    product = np.conj(np.abs(b) * special.elliprd(0, a * a, b * b)) * (
        2 / (3 * np.pi) * z * z * c
    )
    return rt.unbroadcast(product, b)


def elliprf_x(c, x, y, w):
    return rt.unbroadcast(np.conj(special.elliprd(y, w, x) / -6) * c, x)


def elliprf_y(c, x, y, w):
    return rt.unbroadcast(np.conj(special.elliprd(w, x, y) / -6) * c, y)


def elliprf_w(c, x, y, w):
    return rt.unbroadcast(-(np.conj(special.elliprd(x, y, w) / 6) * c), w)


def elliprc_x(c, x, y):
    return rt.unbroadcast(np.conj(special.elliprd(y, y, x) / -6) * c, x)


def elliprc_y(c, x, y):
    return rt.unbroadcast(-(np.conj(special.elliprd(x, y, y) / 3) * c), y)


def elliprg_x(c, x, y, w):
    return rt.unbroadcast(
        np.conj((3 * special.elliprf(x, y, w) - x * special.elliprd(y, w, x)) / 12) * c,
        x,
    )


def elliprg_y(c, x, y, w):
    return rt.unbroadcast(
        np.conj((3 * special.elliprf(x, y, w) - y * special.elliprd(w, x, y)) / 12) * c,
        y,
    )


def elliprg_w(c, x, y, w):
    return rt.unbroadcast(
        np.conj((3 * special.elliprf(x, y, w) - w * special.elliprd(x, y, w)) / 12) * c,
        w,
    )


def elliprd_x(c, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(1, 0, 0, x, y, w)) * c, x)


def elliprd_y(c, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(0, 1, 0, x, y, w)) * c, y)


def elliprd_w(c, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(0, 0, 1, x, y, w)) * c, w)


def elliprd_partial_x(c, i, j, k, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(i + 1, j, k, x, y, w)) * c, x)


def elliprd_partial_y(c, i, j, k, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(i, j + 1, k, x, y, w)) * c, y)


def elliprd_partial_w(c, i, j, k, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(i, j, k + 1, x, y, w)) * c, w)


def elliprj_x(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(1, 0, 0, 0, x, y, w, p)) * c, x)


def elliprj_y(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(0, 1, 0, 0, x, y, w, p)) * c, y)


def elliprj_w(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(0, 0, 1, 0, x, y, w, p)) * c, w)


def elliprj_p(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(0, 0, 0, 1, x, y, w, p)) * c, p)


def elliprj_partial_x(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i + 1, j, k, m, x, y, w, p)) * c, x
    )


def elliprj_partial_y(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i, j + 1, k, m, x, y, w, p)) * c, y
    )


def elliprj_partial_w(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i, j, k + 1, m, x, y, w, p)) * c, w
    )


def elliprj_partial_p(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i, j, k, m + 1, x, y, w, p)) * c, p
    )


# --- scipy.special.error --------------------------------------------------------------


def erf_x(c, x):
    return np.conj(2 / math.sqrt(math.pi) * np.exp(-(x * x))) * c


def erfc_x(c, x):
    return np.conj(-2 / math.sqrt(math.pi) * np.exp(-(x * x))) * c


def erfi_x(c, x):
    return np.conj(2 / math.sqrt(math.pi) * np.exp(x * x)) * c


def erfcx_x(c, x):
    return np.conj(rt.erfcx_partial(1, x)) * c


def erfcx_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.erfcx_partial(n + 1, x)) * c, x)


def dawsn_x(c, x):
    return np.conj(rt.dawsn_partial(1, x)) * c


def dawsn_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.dawsn_partial(n + 1, x)) * c, x)


def wofz_x(c, x):
    return rt.unbroadcast(np.conj(rt.erfcx_partial(1, x / 1j) / 1j) * c, x)


def erfinv_y(c, z):
    return math.sqrt(math.pi) / 2 * np.exp(z * z) * c


def erfcinv_y(c, z):
    return -(math.sqrt(math.pi) / 2 * np.exp(z * z) * c)


def ndtr_x(c, x):
    return np.conj(math.sqrt(0.5 / math.pi) * np.exp(-0.5 * x * x)) * c


def ndtri_y(c, z):
    return math.sqrt(2 * math.pi) * np.exp(z * z / 2) * c


def log_ndtr_x(c, x):
    return np.conj(math.sqrt(2 / math.pi) / special.erfcx(-(x / math.sqrt(2)))) * c


def ndtri_exp_y(c, z):
    return np.conj(math.sqrt(math.pi / 2) * special.erfcx(-(z / math.sqrt(2)))) * c


def nrdtrimn_p(c, p, std):
    ndtri_p = special.ndtri(p)
    return rt.unbroadcast(
        -(np.conj(std * math.sqrt(2 * math.pi) * np.exp(ndtri_p * ndtri_p / 2)) * c), p
    )


def nrdtrimn_std(c, p, std):
    return rt.unbroadcast(-(np.conj(special.ndtri(p)) * c), std)


def nrdtrimn_x(c, x):
    return rt.unbroadcast(c, x)


def nrdtrisd_mn(c, mn, p):
    return rt.unbroadcast(-(c / np.conj(special.ndtri(p))), mn)


def nrdtrisd_p(c, z, p):
    ndtri_p = special.ndtri(p)
    return rt.unbroadcast(
        -(
            np.conj(z * math.sqrt(2 * math.pi) * np.exp(ndtri_p * ndtri_p / 2))
            * (c / np.conj(ndtri_p))
        ),
        p,
    )


def nrdtrisd_x(c, p, x):
    return rt.unbroadcast(c / np.conj(special.ndtri(p)), x)


def voigt_profile_x(c, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = np.real(rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j) / (
        product * sigma * math.sqrt(2 * math.pi)
    )
    return rt.unbroadcast(ratio * c, x)


def voigt_profile_sigma(c, z, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j
    product_2 = product * sigma * math.sqrt(2 * math.pi)
    ratio_2 = (
        x * (np.real(ratio) / product_2) - gamma * (np.imag(ratio) / product_2)
    ) / sigma
    return rt.unbroadcast(-((ratio_2 + z / sigma) * c), sigma)


def voigt_profile_gamma(c, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = np.imag(rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j) / (
        product * sigma * math.sqrt(2 * math.pi)
    )
    return rt.unbroadcast(-(ratio * c), gamma)


def owens_t_h(c, h, a):
    product = (
        np.conj(
            -(
                np.exp(-(h * h / 2))
                * special.erf(a * h / math.sqrt(2))
                / (2 * math.sqrt(2 * math.pi))
            )
        )
        * c
    )
    return rt.unbroadcast(product, h)


def owens_t_a(c, h, a):
    total = 1 + a * a
    return rt.unbroadcast(np.exp(-(h * h * total / 2)) / (2 * math.pi * total) * c, a)


# --- scipy.special.gamma --------------------------------------------------------------


def gamma_x(c, z, x):
    return np.conj(z * special.psi(x)) * c


def gammaln_x(c, x):
    return np.conj(special.psi(x)) * c


def rgamma_x(c, x):
    return np.conj(rt.rgamma_partial(1, x)) * c


def rgamma_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.rgamma_partial(n + 1, x)) * c, x)


def digamma_x(c, x):
    return np.conj(rt.polygamma(1, x)) * c


def polygamma_x(c, n, x):
    return rt.unbroadcast(np.conj(special.polygamma(n + 1, x)) * c, x)


def multigammaln_a(c, a, d):
    return np.conj(rt.multidigamma(0, a, d)) * c


def multidigamma_a(c, n, a, d):
    return rt.unbroadcast(np.conj(rt.multidigamma(n + 1, a, d)) * c, a)


def beta_a(c, z, a, b):
    return rt.unbroadcast(np.conj(z * (special.psi(a) - special.psi(a + b))) * c, a)


def beta_b(c, z, a, b):
    return rt.unbroadcast(np.conj(z * (special.psi(b) - special.psi(a + b))) * c, b)


def betaln_a(c, a, b):
    return rt.unbroadcast(np.conj(special.psi(a) - special.psi(a + b)) * c, a)


def betaln_b(c, a, b):
    return rt.unbroadcast(np.conj(special.psi(b) - special.psi(a + b)) * c, b)


def poch_a(c, z, a, m):
    return rt.unbroadcast(np.conj(z * (special.psi(a + m) - special.psi(a))) * c, a)


def poch_m(c, z, a, m):
    return rt.unbroadcast(np.conj(z * special.psi(a + m)) * c, m)


def binom_n(c, z, n, k):
    return rt.unbroadcast(
        np.conj(z * (special.psi(n + 1) - special.psi(n - k + 1))) * c, n
    )


def binom_k(c, z, n, k):
    return rt.unbroadcast(
        np.conj(z * (special.psi(n - k + 1) - special.psi(k + 1))) * c, k
    )


def comb_n(c, z, n, k):
    return rt.unbroadcast(
        np.conj(rt.mul0(z, special.psi(n + 1) - special.psi(n - k + 1))) * c, n
    )


def comb_k(c, z, n, k):
    return rt.unbroadcast(
        np.conj(rt.mul0(z, special.psi(n - k + 1) - special.psi(k + 1))) * c, k
    )


def perm_n(c, z, n, k):
    return rt.unbroadcast(
        np.conj(rt.mul0(z, special.psi(n + 1) - special.psi(n - k + 1))) * c, n
    )


def perm_k(c, z, n, k):
    return rt.unbroadcast(np.conj(rt.mul0(z, special.psi(n - k + 1))) * c, k)


def factorial_n(c, z, n):
    return np.conj(rt.mul0(z, special.psi(n + 1))) * c


def zeta_x(c, x, q):
    return rt.unbroadcast(np.conj(rt.zeta_partial(1, x, q)) * c, x)


def zeta_q(c, x, q):
    return rt.unbroadcast(-(np.conj(x * special.zeta(x + 1, q)) * c), q)


def zetac_x(c, x):
    return np.conj(rt.zeta_partial(1, x, None)) * c


def zeta_partial_x(c, n, x, q):
    return rt.unbroadcast(np.conj(rt.zeta_partial(n + 1, x, q)) * c, x)


def zeta_partial_q(c, n, x, q):
    x_plus_1 = x + 1
    product = (
        np.conj(
            x * rt.zeta_partial(n, x_plus_1, q)
            + n * rt.zeta_partial(n - 1, x_plus_1, q)
        )
        * c
    )
    return rt.unbroadcast(-product, q)


# --- scipy.special.integrals ----------------------------------------------------------


def exp1_x(c, x):
    return np.conj(-(np.exp(-x) / x)) * c


def expi_x(c, x):
    return np.conj(np.exp(x) / x) * c


def expn_x(c, n, x):
    return rt.unbroadcast(np.conj(-rt.expn_below(np.trunc(n) - 1, x)) * c, x)


def expn_below_x(c, n, x):
    return rt.unbroadcast(np.conj(-rt.expn_below(n - 1, x)) * c, x)


def sici_x(c, x):
    return np.conj(np.cos(x) / x) * c[1] + np.conj(np.sinc(x / np.pi)) * c[0]


def shichi_x(c, x):
    return (
        np.conj(np.cosh(x) / x) * c[1]
        + np.conj(rt.spherical_partial("in", 0, 0, x)) * c[0]
    )


def fresnel_x(c, x):
    product = np.pi / 2 * x * x
    return np.conj(np.cos(product)) * c[1] + np.conj(np.sin(product)) * c[0]


def spence_x(c, x):
    return np.conj(-rt.log_quotient(0, x)) * c


def log_quotient_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.log_quotient(n + 1, x)) * c, x)


def hyp0f1_x(c, v, x):
    return rt.unbroadcast(np.conj(special.hyp0f1(v + 1, x) / v) * c, x)


def hyp1f1_x(c, a, b, x):
    return rt.unbroadcast(np.conj(a * special.hyp1f1(a + 1, b + 1, x) / b) * c, x)


def hyp2f1_x(c_bar, a, b, c, x):
    return rt.unbroadcast(
        np.conj(a * b * special.hyp2f1(a + 1, b + 1, c + 1, x) / c) * c_bar, x
    )


def hyperu_x(c, a, b, x):
    return rt.unbroadcast(np.conj(-(a * special.hyperu(a + 1, b + 1, x))) * c, x)


def lambertw_x(c, z, x):
    return rt.unbroadcast(np.conj(np.exp(-z) / (1 + z)) * c, x)


def wrightomega_x(c, z):
    return np.conj(z / (1 + z)) * c


# --- scipy.special.polynomials --------------------------------------------------------


def eval_legendre_x(c, n, x):
    return rt.unbroadcast(
        np.conj((n + 1) / 2 * special.eval_jacobi(n - 1, 1, 1, x)) * c, x
    )


def eval_chebyt_x(c, n, x):
    return rt.unbroadcast(np.conj(n * special.eval_chebyu(n - 1, x)) * c, x)


def eval_chebyu_x(c, n, x):
    return rt.unbroadcast(np.conj(2 * special.eval_gegenbauer(n - 1, 2, x)) * c, x)


def eval_chebyc_x(c, n, x):
    return rt.unbroadcast(np.conj(n * special.eval_chebyu(n - 1, x / 2)) * c, x)


def eval_chebys_x(c, n, x):
    return rt.unbroadcast(np.conj(special.eval_gegenbauer(n - 1, 2, x / 2)) * c, x)


def eval_gegenbauer_x(c, n, alpha, x):
    return rt.unbroadcast(
        np.conj(2 * alpha * special.eval_gegenbauer(n - 1, alpha + 1, x)) * c, x
    )


def eval_jacobi_x(c, n, alpha, beta, x):
    product = (
        (n + alpha + beta + 1) / 2 * special.eval_jacobi(n - 1, alpha + 1, beta + 1, x)
    )
    return rt.unbroadcast(np.conj(product) * c, x)


def eval_hermite_x(c, n, x):
    return rt.unbroadcast(
        np.conj(2 * n * special.eval_hermite(np.abs(n - 1), x)) * c, x
    )


def eval_hermitenorm_x(c, n, x):
    return rt.unbroadcast(
        np.conj(n * special.eval_hermitenorm(np.abs(n - 1), x)) * c, x
    )


def eval_laguerre_x(c, n, x):
    return rt.unbroadcast(np.conj(-special.eval_genlaguerre(n - 1, 1, x)) * c, x)


def eval_genlaguerre_x(c, n, alpha, x):
    return rt.unbroadcast(
        np.conj(-special.eval_genlaguerre(n - 1, alpha + 1, x)) * c, x
    )


def eval_sh_legendre_x(c, n, x):
    return rt.unbroadcast(
        np.conj((n + 1) * special.eval_jacobi(n - 1, 1, 1, 2 * x - 1)) * c, x
    )


def eval_sh_chebyt_x(c, n, x):
    return rt.unbroadcast(np.conj(2 * n * special.eval_chebyu(n - 1, 2 * x - 1)) * c, x)


def eval_sh_chebyu_x(c, n, x):
    return rt.unbroadcast(
        np.conj(4 * special.eval_gegenbauer(n - 1, 2, 2 * x - 1)) * c, x
    )


def eval_sh_jacobi_x(c, n, p, q, x):
    return rt.unbroadcast(
        np.conj(n * special.eval_sh_jacobi(n - 1, p + 2, q + 1, x)) * c, x
    )


def lpmv_x(c, z, m, v, x):
    ratio = (v * x * z - (v + m) * special.lpmv(m, v - 1, x)) / ((x - 1) * (x + 1))
    return rt.unbroadcast(np.conj(ratio) * c, x)


def sph_harm_y_theta(c, n, m, theta, phi):
    n_minus_m = n - m
    n_plus_m = n + m
    product = (
        np.sqrt(np.maximum(n_minus_m * (n_plus_m + 1), 0))
        * special.sph_harm_y(n, m + 1, theta, phi)
        * np.exp(-1j * phi)
    )
    product_2 = (
        np.sqrt(np.maximum(n_plus_m * (n_minus_m + 1), 0))
        * special.sph_harm_y(n, m - 1, theta, phi)
        * np.exp(1j * phi)
    )
    return rt.unbroadcast(np.conj((product - product_2) / 2) * c, theta)


def sph_harm_y_phi(c, z, m, phi):
    return rt.unbroadcast(np.conj(1j * m * z) * c, phi)


# --- scipy.stats.descriptive ----------------------------------------------------------


def gmean_a(c, z, a, axis, keepdims):
    return rt.unreduce(
        np.conj(z) * c / rt.count(a, axis), a, axis=axis, keepdims=keepdims
    ) / np.conj(a)


def hmean_a(c, z, a, axis, keepdims):
    return rt.unreduce(
        np.conj(z * z) * c / rt.count(a, axis), a, axis=axis, keepdims=keepdims
    ) / np.conj(a * a)


def pmean_a(c, z, a, p, axis, keepdims):
    unreduce_a = rt.unreduce(
        np.conj(z ** (1 - p)) * c / rt.count(a, axis), a, axis=axis, keepdims=keepdims
    )
    return np.conj(a ** (p - 1)) * unreduce_a


def sem_a(c, z, a, axis, ddof, keepdims):
    count_a = rt.count(a, axis)
    unreduce_a = rt.unreduce(
        rt.divide_or_zero(c, np.conj((count_a - ddof) * z)) / count_a,
        a,
        axis=axis,
        keepdims=keepdims,
    )
    return np.conj(a - np.mean(a, axis=axis, keepdims=True)) * unreduce_a


def variation_a(c, z, a, axis, ddof, keepdims):
    count_a = rt.count(a, axis)
    mean_a = np.mean(a, axis=axis, keepdims=keepdims)
    ratio = (
        rt.divide_or_zero(c, np.conj((count_a - ddof) / count_a * z * mean_a * mean_a))
        / count_a
    )
    return rt.unreduce(
        -(np.conj(z / mean_a) * c / count_a), a, axis=axis, keepdims=keepdims
    ) + np.conj(a - np.mean(a, axis=axis, keepdims=True)) * rt.unreduce(
        ratio, a, axis=axis, keepdims=keepdims
    )


def moment_a(c, a, order, axis, keepdims):
    product = order * (a - np.mean(a, axis=axis, keepdims=True)) ** (order - 1)
    return np.conj(product - np.mean(product, axis=axis, keepdims=True)) * rt.unreduce(
        c / rt.count(a, axis), a, axis=axis, keepdims=keepdims
    )


def skew_a(c, a, axis, bias, keepdims):
    std_a = np.std(a, axis=axis, keepdims=True)
    ratio = (a - np.mean(a, axis=axis, keepdims=True)) / std_a
    count_a = rt.count(a, axis)
    conjugate = np.conj(
        (ratio * ratio - 1 - np.mean(ratio**3, axis=axis, keepdims=True) * ratio)
        / std_a
    )
    return conjugate * rt.unreduce(
        np.conj(3 * rt.skew_factor(count_a, bias)) * c / count_a,
        a,
        axis=axis,
        keepdims=keepdims,
    )


def kurtosis_a(c, a, axis, bias, keepdims):
    std_a = np.std(a, axis=axis, keepdims=True)
    ratio = (a - np.mean(a, axis=axis, keepdims=True)) / std_a
    power = ratio**3
    count_a = rt.count(a, axis)
    ratio_2 = (
        power
        - np.mean(power, axis=axis, keepdims=True)
        - np.mean(ratio**4, axis=axis, keepdims=True) * ratio
    ) / std_a
    return np.conj(ratio_2) * rt.unreduce(
        np.conj(4 * rt.kurtosis_factor(count_a, bias)) * c / count_a,
        a,
        axis=axis,
        keepdims=keepdims,
    )


def zscore_a(c, z, a, axis, ddof):
    count_a = rt.count(a, axis)
    ratio = c / np.conj(np.std(a, axis=axis, ddof=ddof, keepdims=True))
    unbroadcast = rt.unbroadcast(
        -(np.conj(count_a / (count_a - ddof) * z) * ratio),
        np.mean(z * a, axis=axis, keepdims=True),
    )
    return (
        np.conj(z) * rt.unreduce(unbroadcast / count_a, a, axis=axis, keepdims=True)
        + ratio
        + rt.unreduce(
            rt.unbroadcast(-ratio, np.mean(a, axis=axis, keepdims=True)) / count_a,
            a,
            axis=axis,
            keepdims=True,
        )
    )


def zmap_scores(c, scores, compare, axis, ddof):
    return rt.unbroadcast(
        c / np.conj(np.std(compare, axis=axis, ddof=ddof, keepdims=True)), scores
    )


def zmap_compare(c, z, compare, axis, ddof):
    std_compare = np.std(compare, axis=axis, ddof=ddof, keepdims=True)
    count_compare = rt.count(compare, axis)
    ratio = (
        (compare - np.mean(compare, axis=axis, keepdims=True))
        / std_compare
        / std_compare
    )
    product = ratio * compare
    unbroadcast = rt.unbroadcast(
        -(np.conj(count_compare / (count_compare - ddof) * z) * c),
        np.mean(product, axis=axis, keepdims=True),
    )
    ratio_2 = compare / std_compare
    ratio_3 = rt.unreduce(
        rt.unbroadcast(-c, np.mean(ratio_2, axis=axis, keepdims=True))
        / rt.count(ratio_2, axis),
        ratio_2,
        axis=axis,
        keepdims=True,
    ) / np.conj(std_compare)
    total = (
        np.conj(ratio)
        * rt.unreduce(
            unbroadcast / rt.count(product, axis), product, axis=axis, keepdims=True
        )
        + ratio_3
    )
    return rt.unbroadcast(total, compare)


def entropy_pk(c, pk, qk, base, axis, keepdims):
    reference_qk = rt.reference(qk, pk)
    total = np.sum(pk, axis=axis, keepdims=True)
    ratio = pk / total
    ratio_2 = ratio / (reference_qk / np.sum(reference_qk, axis=axis, keepdims=True))
    return np.conj(
        (
            np.log(ratio_2)
            - np.sum(special.xlogy(ratio, ratio_2), axis=axis, keepdims=True)
        )
        / total
    ) * rt.unreduce(
        np.conj(rt.entropy_unit(qk, base)) * c, pk, axis=axis, keepdims=keepdims
    )


def entropy_qk(c, pk, qk, base, axis, keepdims):
    reference_qk = rt.reference(qk, pk)
    total = np.sum(reference_qk, axis=axis, keepdims=True)
    return np.conj(
        (1 - pk / np.sum(pk, axis=axis, keepdims=True) / (reference_qk / total)) / total
    ) * rt.unreduce(
        np.conj(rt.entropy_unit(qk, base)) * c, qk, axis=axis, keepdims=keepdims
    )


def reference_qk(c):
    return c


def pearsonr_x(c, z, x, y):
    z_0 = z[0]
    difference = x - np.mean(x, axis=0, keepdims=True)
    difference_2 = y - np.mean(y, axis=0, keepdims=True)
    sqrt = np.sqrt(np.sum(difference * difference, axis=0, keepdims=True))
    difference_3 = rt.count(x, 0) / 2 - 1
    ratio = (
        difference_2
        / np.sqrt(np.sum(difference_2 * difference_2, axis=0, keepdims=True))
        - z_0 * (difference / sqrt)
    ) / sqrt
    unreduce_x = rt.unreduce(
        np.conj(
            -2
            * rt.sign(z_0)
            * rt.convert(stats.beta.pdf(z_0, difference_3, difference_3, -1, 2), z_0)
        )
        * c[1],
        x,
        axis=0,
    )
    conjugate = np.conj(ratio)
    return conjugate * unreduce_x + conjugate * rt.unreduce(c[0], x, axis=0)


def pearsonr_y(c, z, x, y):
    z_0 = z[0]
    difference = x - np.mean(x, axis=0, keepdims=True)
    difference_2 = y - np.mean(y, axis=0, keepdims=True)
    sqrt = np.sqrt(np.sum(difference_2 * difference_2, axis=0, keepdims=True))
    difference_3 = rt.count(x, 0) / 2 - 1
    ratio = (
        difference / np.sqrt(np.sum(difference * difference, axis=0, keepdims=True))
        - z_0 * (difference_2 / sqrt)
    ) / sqrt
    minus = -(
        np.conj(
            2
            * rt.sign(z_0)
            * rt.convert(stats.beta.pdf(z_0, difference_3, difference_3, -1, 2), z_0)
        )
        * c[1]
    )
    conjugate = np.conj(ratio)
    return conjugate * rt.unreduce(minus, y, axis=0) + conjugate * rt.unreduce(
        c[0], y, axis=0
    )


# --- scipy.stats.multivariate ---------------------------------------------------------


def multivariate_normal_logpdf_x(c, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    minus = -rt.row_scaled(
        c,
        (rt.points(x, dimension_mean) - rt.center(mean, dimension_mean))
        @ np.linalg.inv(rt.covariance(cov, dimension_mean)),
    )
    return rt.reshape_like(minus, x)


def multivariate_normal_logpdf_mean(c, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    center_mean = rt.center(mean, dimension_mean)
    return rt.reshape_like(
        rt.unbroadcast(
            rt.row_scaled(
                c,
                (rt.points(x, dimension_mean) - center_mean)
                @ np.linalg.inv(rt.covariance(cov, dimension_mean)),
            ),
            center_mean,
        ),
        mean,
    )


def multivariate_normal_logpdf_cov(c, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    covariance_cov = rt.covariance(cov, dimension_mean)
    inv = np.linalg.inv(covariance_cov)
    product = (rt.points(x, dimension_mean) - rt.center(mean, dimension_mean)) @ inv
    ratio = c / 2
    return rt.uncovariance(
        np.sum(-ratio) * inv
        + rt.matmul_pull_right(
            rt.row_scaled(ratio, product), np.conj(product), like=covariance_cov
        ),
        cov,
    )


def multivariate_normal_pdf_x(c, z, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    row_scaled = rt.row_scaled(
        np.conj(z) * c,
        (rt.points(x, dimension_mean) - rt.center(mean, dimension_mean))
        @ np.linalg.inv(rt.covariance(cov, dimension_mean)),
    )
    return rt.reshape_like(-row_scaled, x)


def multivariate_normal_pdf_mean(c, z, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    center_mean = rt.center(mean, dimension_mean)
    unbroadcast = rt.unbroadcast(
        rt.row_scaled(
            np.conj(z) * c,
            (rt.points(x, dimension_mean) - center_mean)
            @ np.linalg.inv(rt.covariance(cov, dimension_mean)),
        ),
        center_mean,
    )
    return rt.reshape_like(unbroadcast, mean)


def multivariate_normal_pdf_cov(c, z, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    covariance_cov = rt.covariance(cov, dimension_mean)
    inv = np.linalg.inv(covariance_cov)
    product = (rt.points(x, dimension_mean) - rt.center(mean, dimension_mean)) @ inv
    product_2 = np.conj(z / 2) * c
    return rt.uncovariance(
        np.sum(-product_2) * inv
        + rt.matmul_pull_right(
            rt.row_scaled(product_2, product), np.conj(product), like=covariance_cov
        ),
        cov,
    )


def dirichlet_logpdf_x(c, x, alpha):
    return rt.simplex_pull(
        rt.row_scaled(c, (alpha - 1) / rt.simplex(x, np.size(alpha))), x
    )


def dirichlet_logpdf_alpha(c, x, alpha):
    return rt.unbroadcast(
        rt.row_scaled(
            c,
            np.log(rt.simplex(x, np.size(alpha)))
            + (special.psi(np.sum(alpha)) - special.psi(alpha)),
        ),
        alpha,
    )


def dirichlet_pdf_x(c, z, x, alpha):
    return rt.simplex_pull(
        rt.row_scaled(np.conj(z) * c, (alpha - 1) / rt.simplex(x, np.size(alpha))), x
    )


def dirichlet_pdf_alpha(c, z, x, alpha):
    row_scaled = rt.row_scaled(
        np.conj(z) * c,
        np.log(rt.simplex(x, np.size(alpha)))
        + (special.psi(np.sum(alpha)) - special.psi(alpha)),
    )
    return rt.unbroadcast(row_scaled, alpha)


def kernel_density_points(c, points, dataset, bw_method, weights):
    points_2 = rt.points(dataset.T, 1)
    points_T = points.T
    shape = points_2.shape
    part = shape[1]
    points_3 = rt.points(points_T, part)
    kernel_weights = rt.kernel_weights(weights, shape[0])
    difference = points_2 - np.sum(kernel_weights * points_2, axis=0)
    inv = np.linalg.inv(
        (
            rt.kernel_width(bw_method, kernel_weights, part)
            * kernel_weights
            * difference
        ).T
        @ difference
    )
    difference_2 = points_3[:, None] - points_2
    product = difference_2 @ inv
    part_2 = (
        np.sqrt(np.linalg.det(inv / (2 * np.pi)))
        * np.exp(-(np.sum(product * difference_2, axis=-1) / 2))
        * kernel_weights.T
    )[:, :, None]
    return np.transpose(
        rt.reshape_like(
            rt.einsum_pull(-c, "jd,jid->j", points_3, part_2 * product), points_T
        )
    )


def kernel_density_dataset(c, z, points, dataset, bw_method, weights):
    dataset_T = dataset.T
    points_2 = rt.points(dataset_T, 1)
    shape = points_2.shape
    part = shape[1]
    kernel_weights = rt.kernel_weights(weights, shape[0])
    difference = points_2 - np.sum(kernel_weights * points_2, axis=0)
    product = (
        rt.kernel_width(bw_method, kernel_weights, part) * kernel_weights * difference
    )
    inv = np.linalg.inv(product.T @ difference)
    difference_2 = rt.points(points.T, part)[:, None] - points_2
    product_2 = difference_2 @ inv
    part_2 = (
        np.sqrt(np.linalg.det(inv / (2 * np.pi)))
        * np.exp(-(np.sum(product_2 * difference_2, axis=-1) / 2))
        * kernel_weights.T
    )[:, :, None]
    product_3 = part_2 * product_2
    einsum_pull_c = rt.einsum_pull(
        c,
        "id,jid->j",
        points_2,
        product_3
        + np.einsum(
            "jde,ie->jid",
            np.einsum("jid,jie->jde", product_3, product_2) - z[:, None, None] * inv,
            product,
        ),
    )
    return np.transpose(rt.reshape_like(einsum_pull_c, dataset_T))


# --- scipy.stats.noncentral -----------------------------------------------------------


def mixed_gammainc_a(c, i, j, k, a, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_gammainc(i + 1, j, k, a, x, m)) * c, a)


def mixed_gammainc_x(c, i, j, k, a, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_gammainc(i, j + 1, k, a, x, m)) * c, x)


def mixed_gammainc_m(c, i, j, k, a, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_gammainc(i, j, k + 1, a, x, m)) * c, m)


def mixed_betainc_a(c, i, j, k, n, a, b, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_betainc(i + 1, j, k, n, a, b, x, m)) * c, a)


def mixed_betainc_b(c, i, j, k, n, a, b, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_betainc(i, j + 1, k, n, a, b, x, m)) * c, b)


def mixed_betainc_x(c, i, j, k, n, a, b, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_betainc(i, j, k + 1, n, a, b, x, m)) * c, x)


def mixed_betainc_m(c, i, j, k, n, a, b, x, m):
    return rt.unbroadcast(np.conj(rt.mixed_betainc(i, j, k, n + 1, a, b, x, m)) * c, m)


# --- scipy.stats.real_line ------------------------------------------------------------


def vonmises_tail_u(c, n, u, kappa):
    return rt.unbroadcast(np.conj(rt.vonmises_partial(n, u, kappa)) * c, u)


def vonmises_tail_kappa(c, n, u, kappa):
    return rt.unbroadcast(np.conj(rt.vonmises_tail(n + 1, u, kappa)) * c, kappa)


def vonmises_partial_u(c, z, n, u, kappa):
    product = (
        np.conj(-(np.sin(u) * (kappa * z + n * rt.vonmises_partial(n - 1, u, kappa))))
        * c
    )
    return rt.unbroadcast(product, u)


def vonmises_partial_kappa(c, n, u, kappa):
    return rt.unbroadcast(np.conj(rt.vonmises_partial(n + 1, u, kappa)) * c, kappa)


# --- scipy.structured_matrices --------------------------------------------------------


def block_diagonal_blocks(c, blocks):
    return rt.blocks_of(c, blocks)


def blocks_of_c(c_bar):
    return rt.block_diagonal(c_bar)


def toeplitz_c(c_bar, c, r):
    return rt.structured_pull(c_bar, linalg.toeplitz, c, r, 0)


def toeplitz_r(c_bar, c, r):
    return rt.structured_pull(c_bar, linalg.toeplitz, c, r, 1)


def hankel_c(c_bar, c, r):
    return rt.structured_pull(c_bar, linalg.hankel, c, r, 0)


def hankel_r(c_bar, c, r):
    return rt.structured_pull(c_bar, linalg.hankel, c, r, 1)


def circulant_c(c_bar, c):
    return rt.structured_pull(c_bar, linalg.circulant, c, None, 0)


def structured_x(c_bar, make, c, r, part):
    return rt.structured_pull(c_bar, make, c, r, part)


def structured_pull_c_bar(c_bar, make, c, r, part):
    return rt.structured(c_bar, make, c, r, part)


def companion_a(c, z, a):
    a_part = a[..., :1]
    ratio = c[..., 0, :] / np.conj(a_part)
    return rt.scatter(
        rt.unbroadcast(-(np.conj(z[..., 0, :]) * ratio), a_part), a, np.s_[..., :1]
    ) + rt.scatter(-ratio, a, np.s_[..., 1:])


def top_row_x(c):
    return c[..., 0, :]


def khatri_rao_a(c, a, b):
    return rt.unbroadcast(
        np.sum(
            np.reshape(c, rt.khatri_rao_blocks(a, b)) * np.conj(b[..., None, :, :]),
            axis=-2,
        ),
        a,
    )


def khatri_rao_b(c, a, b):
    return rt.unbroadcast(
        np.sum(
            np.reshape(c, rt.khatri_rao_blocks(a, b)) * np.conj(a[..., :, None, :]),
            axis=-3,
        ),
        b,
    )


def matmul_toeplitz_c_or_cr(c, c_or_cr, x):
    return rt.toeplitz_pull(c, x, c_or_cr)


def matmul_toeplitz_x(c, c_or_cr, x):
    return rt.unbroadcast(rt.toeplitz_herm(c_or_cr, c), x)


def toeplitz_herm_c_or_cr(c, c_or_cr, y):
    return rt.toeplitz_pull(y, c, c_or_cr)


def toeplitz_herm_y(c, c_or_cr, y):
    return rt.unbroadcast(linalg.matmul_toeplitz(c_or_cr, c), y)


def toeplitz_pull_c(c_bar, c, x):
    return rt.unbroadcast(linalg.matmul_toeplitz(c_bar, x), c)


def toeplitz_pull_x(c_bar, c, x):
    return rt.unbroadcast(rt.toeplitz_herm(c_bar, c), x)


def solve_toeplitz_c_or_cr(c, z, c_or_cr):
    rows_of_toeplitz = rt.rows_of_toeplitz(c_or_cr)
    unbroadcast = rt.unbroadcast(
        np.conj(
            np.flip(
                linalg.solve_toeplitz(c_or_cr, np.flip(np.conj(c), rows_of_toeplitz)),
                rows_of_toeplitz,
            )
        ),
        -linalg.matmul_toeplitz(c_or_cr, z),
    )
    return rt.toeplitz_pull(-unbroadcast, z, c_or_cr)


def solve_toeplitz_b(c, c_or_cr, b):
    rows_of_toeplitz = rt.rows_of_toeplitz(c_or_cr)
    return rt.unbroadcast(
        np.conj(
            np.flip(
                linalg.solve_toeplitz(c_or_cr, np.flip(np.conj(c), rows_of_toeplitz)),
                rows_of_toeplitz,
            )
        ),
        b,
    )


def solve_circulant_c(c_bar, z, c, singular):
    return rt.unbroadcast(
        rt.circle_pull(
            -rt.unbroadcast(
                linalg.solve_circulant(
                    rt.reversed_circle(np.conj(c)), c_bar, singular=singular
                ),
                -rt.circulate(c, z),
            ),
            z,
        ),
        c,
    )


def solve_circulant_b(c_bar, c, b, singular):
    return rt.unbroadcast(
        linalg.solve_circulant(
            rt.reversed_circle(np.conj(c)), c_bar, singular=singular
        ),
        b,
    )


def circulate_c(c_bar, c, x):
    return rt.unbroadcast(rt.circle_pull(c_bar, x), c)


def circulate_x(c_bar, c, x):
    return rt.unbroadcast(rt.circulate(rt.reversed_circle(np.conj(c)), c_bar), x)


def circle_pull_c(c_bar, c, x):
    return rt.unbroadcast(rt.circulate(c_bar, x), c)


def circle_pull_x(c_bar, c, x):
    return rt.unbroadcast(rt.circulate(rt.reversed_circle(np.conj(c_bar)), c), x)


def reversed_circle_c(c_bar):
    return rt.reversed_circle(c_bar)


def solve_banded_ab(c, z, l_and_u, ab):
    unbroadcast = rt.unbroadcast(
        linalg.solve_banded(rt.swap_bands(l_and_u), rt.band_herm(l_and_u, ab), c),
        -rt.band_apply(l_and_u, ab, z),
    )
    return rt.band_outer(l_and_u, -unbroadcast, np.conj(z), ab)


def solve_banded_b(c, l_and_u, ab, b):
    return rt.unbroadcast(
        linalg.solve_banded(rt.swap_bands(l_and_u), rt.band_herm(l_and_u, ab), c), b
    )


def band_apply_ab(c, l_and_u, ab, x):
    return rt.band_outer(l_and_u, c, np.conj(x), ab)


def band_apply_x(c, l_and_u, ab, x):
    return rt.unbroadcast(
        rt.band_apply(rt.swap_bands(l_and_u), rt.band_herm(l_and_u, ab), c), x
    )


def band_outer_c(c_bar, l_and_u, c, x):
    return rt.unbroadcast(rt.band_apply(l_and_u, c_bar, np.conj(x)), c)


def band_outer_x(c_bar, l_and_u, c, x):
    return rt.unbroadcast(
        rt.band_apply(
            rt.swap_bands(l_and_u), rt.band_herm(l_and_u, np.conj(c_bar)), np.conj(c)
        ),
        x,
    )


def band_herm_ab(c, l_and_u):
    return rt.band_herm(rt.swap_bands(l_and_u), c)


def solveh_banded_ab(c, z, ab, lower):
    difference = ab.shape[0] - 1
    whole_band_ab = rt.whole_band(ab, lower)
    band_outer = rt.band_outer(
        (difference, difference),
        -rt.unbroadcast(
            linalg.solveh_banded(ab, c, lower=lower),
            -rt.band_apply((difference, difference), whole_band_ab, z),
        ),
        np.conj(z),
        whole_band_ab,
    )
    return rt.half_band(band_outer, lower)


def solveh_banded_b(c, ab, b, lower):
    return rt.unbroadcast(linalg.solveh_banded(ab, c, lower=lower), b)


def whole_band_ab(c, lower):
    return rt.half_band(c, lower)


def half_band_c(c_bar, lower):
    return rt.whole_band(c_bar, lower)


def cholesky_banded_ab(c, z, ab, lower):
    dense_band_z = rt.dense_band(z, lower)
    matmul_pull_right = rt.matmul_pull_right(
        rt.dense_band(c, lower),
        np.conj(dense_band_z),
        like=rt.phi(
            rt.solve_lower(
                dense_band_z,
                rt.herm(
                    rt.solve_lower(
                        dense_band_z, rt.both_halves(rt.dense_band(ab, lower))
                    )
                ),
            )
        ),
    )
    return rt.beyond_band(c, lower) + rt.narrow_band(
        rt.both_halves_pull(
            rt.solve_lower(
                dense_band_z,
                rt.herm(rt.solve_lower(dense_band_z, rt.phi(matmul_pull_right), True)),
                True,
            )
        ),
        ab,
        lower,
    )


def beyond_band_x(c, lower):
    return rt.beyond_band(c, lower)


def both_halves_x(c):
    return rt.both_halves_pull(c)


def both_halves_pull_c(c_bar):
    return rt.both_halves(c_bar)


def dense_band_ab(c, ab, lower):
    return rt.narrow_band(c, ab, lower)


def narrow_band_c(c_bar, lower):
    return rt.dense_band(c_bar, lower)


def cho_solve_banded_cb_and_lower(c, z, cb_and_lower):
    cb_and_lower_0 = cb_and_lower[0]
    cb_and_lower_1 = cb_and_lower[1]
    dense_band = rt.dense_band(cb_and_lower_0, cb_and_lower_1)
    herm = rt.herm(dense_band)
    product = herm @ z
    product_2 = dense_band @ product
    minus = -rt.unbroadcast(
        linalg.cho_solve_banded(cb_and_lower, c), -product_2 - product_2
    )
    total = rt.herm(
        rt.matmul_pull_left(
            rt.matmul_pull_right(minus, np.conj(dense_band), like=product),
            np.conj(z),
            like=herm,
        )
    ) + rt.matmul_pull_left(minus, np.conj(product), like=dense_band)
    return rt.scatter(
        rt.narrow_band(total, cb_and_lower_0, cb_and_lower_1), cb_and_lower, 0
    )


def cho_solve_banded_b(c, cb_and_lower, b):
    return rt.unbroadcast(linalg.cho_solve_banded(cb_and_lower, c), b)


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "scipy.fft.hfft2": {"x": hfft2_x},
    "scipy.fft.hfftn": {"x": hfftn_x},
    "scipy.fft.ihfft2": {"x": ihfft2_x},
    "scipy.fft.ihfftn": {"x": ihfftn_x},
    "scipy.fft.cosine": {"x": cosine_x},
    "scipy.fft.cosine_pull": {"c": cosine_pull_c},
    "scipy.fft.dct": {"x": dct_x},
    "scipy.fft.dctn": {"x": dctn_x},
    "scipy.fft.idct": {"x": idct_x},
    "scipy.fft.idctn": {"x": idctn_x},
    "scipy.fft.dst": {"x": dst_x},
    "scipy.fft.dstn": {"x": dstn_x},
    "scipy.fft.idst": {"x": idst_x},
    "scipy.fft.idstn": {"x": idstn_x},
    "scipy.fftpack.fft": {"x": fft_x},
    "scipy.fftpack.ifft": {"x": ifft_x},
    "scipy.fftpack.fft2": {"x": fft2_x},
    "scipy.fftpack.ifft2": {"x": ifft2_x},
    "scipy.fftpack.fftn": {"x": fftn_x},
    "scipy.fftpack.ifftn": {"x": ifftn_x},
    "scipy.fftpack.dct": {"x": scipy_fftpack_dct_x},
    "scipy.fftpack.idct": {"x": scipy_fftpack_idct_x},
    "scipy.fftpack.dst": {"x": scipy_fftpack_dst_x},
    "scipy.fftpack.idst": {"x": scipy_fftpack_idst_x},
    "scipy.interpolate.splev": {"x": splev_x},
    "scipy.interpolate.spline": {"x": spline_x},
    "scipy.interpolate.splint": {"a": splint_a, "b": splint_b},
    "scipy.interpolate.surface": {"x": surface_x, "y": surface_y},
    "scipy.linalg.solve": {"a": solve_a, "b": solve_b},
    "scipy.linalg.whole": {"a": whole_a},
    "scipy.linalg.mirrored": {"x": mirrored_x},
    "scipy.linalg.transposed_if": {"x": transposed_if_x},
    "scipy.linalg.solve_triangular": {"a": solve_triangular_a, "b": solve_triangular_b},
    "scipy.linalg.triangle_of": {"x": triangle_of_x},
    "scipy.linalg.triangle_pull": {"c": triangle_pull_c},
    "scipy.linalg.inv": {"a": inv_a},
    "scipy.linalg.det": {"a": det_a},
    "scipy.linalg.pinv": {"a": pinv_a},
    "scipy.linalg.cholesky": {"a": cholesky_a},
    "scipy.linalg.cho_factor": {"a": cho_factor_a},
    "scipy.linalg.cho_solve": {"c_and_lower": cho_solve_c_and_lower, "b": cho_solve_b},
    "scipy.linalg.factor_matrix": {"x": factor_matrix_x},
    "scipy.linalg.other_triangle": {"x": other_triangle_x},
    "scipy.linalg.factor_pull": {"c": factor_pull_c},
    "scipy.linalg.lu": {"a": lu_a},
    "scipy.linalg.permuted": {"x": permuted_x},
    "scipy.linalg.squared": {"x": squared_x},
    "scipy.linalg.unsquared": {"c": unsquared_c},
    "scipy.linalg.resquared": {"c": resquared_c},
    "scipy.linalg.lu_factor": {"a": lu_factor_a},
    "scipy.linalg.swapped": {"x": swapped_x},
    "scipy.linalg.lu_solve": {"lu_and_piv": lu_solve_lu_and_piv, "b": lu_solve_b},
    "scipy.linalg.lu_turn": {"x": lu_turn_x},
    "scipy.linalg.qr": {"a": qr_a},
    "scipy.linalg.polar": {"a": polar_a},
    "scipy.linalg.polar_inverse": {"p": polar_inverse_p},
    "scipy.linalg.lstsq": {"a": lstsq_a, "b": lstsq_b},
    "scipy.matrix_functions.eigvalsh": {"a": eigvalsh_a, "b": eigvalsh_b},
    "scipy.matrix_functions.eigh": {"a": eigh_a, "b": eigh_b},
    "scipy.matrix_functions.eigvalsh_tridiagonal": {
        "d": eigvalsh_tridiagonal_d,
        "e": eigvalsh_tridiagonal_e,
    },
    "scipy.matrix_functions.eigh_tridiagonal": {
        "d": eigh_tridiagonal_d,
        "e": eigh_tridiagonal_e,
    },
    "scipy.matrix_functions.svdvals": {"a": svdvals_a},
    "scipy.matrix_functions.svd": {"a": svd_a},
    "scipy.matrix_functions.eigvals": {"a": eigvals_a},
    "scipy.matrix_functions.eig": {"a": eig_a},
    "scipy.matrix_functions.complexed": {"x": complexed_x},
    "scipy.matrix_functions.of_kind": {"x": of_kind_x},
    "scipy.matrix_functions.schur": {"a": schur_a},
    "scipy.matrix_functions.schur_lower": {"t": schur_lower_t, "m": schur_lower_m},
    "scipy.matrix_functions.schur_form": {"t": schur_form_t},
    "scipy.matrix_functions.skew": {"x": skew_x},
    "scipy.matrix_functions.expm": {"A": expm_A},
    "scipy.matrix_functions.logm": {"A": logm_A},
    "scipy.matrix_functions.sqrtm": {"A": sqrtm_A},
    "scipy.matrix_functions.sinm": {"A": sinm_A},
    "scipy.matrix_functions.cosm": {"A": cosm_A},
    "scipy.matrix_functions.tanm": {"A": tanm_A},
    "scipy.matrix_functions.sinhm": {"A": sinhm_A},
    "scipy.matrix_functions.coshm": {"A": coshm_A},
    "scipy.matrix_functions.tanhm": {"A": tanhm_A},
    "scipy.matrix_functions.signm": {"A": signm_A},
    "scipy.matrix_functions.fractional_matrix_power": {
        "A": fractional_matrix_power_A,
        "t": fractional_matrix_power_t,
    },
    "scipy.matrix_functions.matrix_log": {"a": matrix_log_a},
    "scipy.matrix_functions.frechet": {"a": frechet_a, "e": frechet_e},
    "scipy.matrix_functions.frechet_power": {
        "a": frechet_power_a,
        "e": frechet_power_e,
        "t": frechet_power_t,
    },
    "scipy.matrix_functions.triangle": {"a": triangle_a, "e": triangle_e},
    "scipy.matrix_functions.corner": {"x": corner_x},
    "scipy.matrix_functions.diagonal_blocks": {"x": diagonal_blocks_x},
    "scipy.matrix_functions.expm_frechet": {"A": expm_frechet_A, "E": expm_frechet_E},
    "scipy.matrix_functions.solve_sylvester": {
        "a": solve_sylvester_a,
        "b": solve_sylvester_b,
        "q": solve_sylvester_q,
    },
    "scipy.matrix_functions.solve_continuous_lyapunov": {
        "a": solve_continuous_lyapunov_a,
        "q": solve_continuous_lyapunov_q,
    },
    "scipy.matrix_functions.solve_discrete_lyapunov": {
        "a": solve_discrete_lyapunov_a,
        "q": solve_discrete_lyapunov_q,
    },
    "scipy.matrix_functions.solve_continuous_are": {
        "a": solve_continuous_are_a,
        "b": solve_continuous_are_b,
        "q": solve_continuous_are_q,
        "r": solve_continuous_are_r,
    },
    "scipy.matrix_functions.solve_discrete_are": {
        "a": solve_discrete_are_a,
        "b": solve_discrete_are_b,
        "q": solve_discrete_are_q,
        "r": solve_discrete_are_r,
    },
    "scipy.ndimage.convolve": {"input": convolve_input, "weights": convolve_weights},
    "scipy.ndimage.correlate": {"input": correlate_input, "weights": correlate_weights},
    "scipy.ndimage.convolve1d": {
        "input": convolve1d_input,
        "weights": convolve1d_weights,
    },
    "scipy.ndimage.correlate1d": {
        "input": correlate1d_input,
        "weights": correlate1d_weights,
    },
    "scipy.ndimage.window": {"x": window_x, "weights": window_weights},
    "scipy.ndimage.template": {"g": template_g, "x": template_x},
    "scipy.ndimage.window_pull": {"c": window_pull_c, "weights": window_pull_weights},
    "scipy.ndimage.template_pull": {"c": template_pull_c, "x": template_pull_x},
    "scipy.ndimage.gaussian_filter": {"input": gaussian_filter_input},
    "scipy.ndimage.uniform_filter": {"input": uniform_filter_input},
    "scipy.ndimage.shift": {"input": shift_input},
    "scipy.ndimage.zoom": {"input": zoom_input},
    "scipy.ndimage.image_map": {"x": image_map_x},
    "scipy.ndimage.axes_pull": {"c": axes_pull_c},
    "scipy.ndimage.sum_labels": {"input": sum_labels_input},
    "scipy.ndimage.label_pull": {"c": label_pull_c},
    "scipy.ndimage.mean": {"input": mean_input},
    "scipy.signal.convolve": {"in1": convolve_in1, "in2": convolve_in2},
    "scipy.signal.fftconvolve": {"in1": fftconvolve_in1, "in2": fftconvolve_in2},
    "scipy.signal.oaconvolve": {"in1": oaconvolve_in1, "in2": oaconvolve_in2},
    "scipy.signal.convolve2d": {"in1": convolve2d_in1, "in2": convolve2d_in2},
    "scipy.signal.correlate": {"in1": correlate_in1, "in2": correlate_in2},
    "scipy.signal.correlate2d": {"in1": correlate2d_in1, "in2": correlate2d_in2},
    "scipy.signal.convolution_pull": {"c": convolution_pull_c, "y": convolution_pull_y},
    "scipy.signal.convolution": {"x": convolution_x, "y": convolution_y},
    "scipy.signal.lfilter": {"b": lfilter_b, "a": lfilter_a, "x": lfilter_x},
    "scipy.signal.lag_sums": {"c": lag_sums_c, "v": lag_sums_v},
    "scipy.signal.sosfilt": {"x": sosfilt_x},
    "scipy.signal.hilbert": {"x": hilbert_x},
    "scipy.signal.detrend": {"data": detrend_data},
    "scipy.signal.savgol_filter": {"x": savgol_filter_x},
    "scipy.signal.resample": {"x": resample_x},
    "scipy.signal.resample_poly": {"x": resample_poly_x},
    "scipy.signal.decimate": {"x": decimate_x},
    "scipy.signal.filtfilt": {"x": filtfilt_x},
    "scipy.signal.sosfiltfilt": {"x": sosfiltfilt_x},
    "scipy.signal.upfirdn": {"x": upfirdn_x},
    "scipy.signal.line": {"x": line_x},
    "scipy.signal.line_pull": {"c": line_pull_c},
    "scipy.signal.stft": {"x": stft_x},
    "scipy.signal.welch": {"x": welch_x},
    "scipy.signal.spectra": {"x": spectra_x},
    "scipy.sparse_linalg.sparse_adjoint": {"a": sparse_adjoint_a},
    "scipy.sparse_linalg.times_entries": {
        "data": times_entries_data,
        "x": times_entries_x,
    },
    "scipy.sparse_linalg.solve_entries": {
        "data": solve_entries_data,
        "b": solve_entries_b,
    },
    "scipy.sparse_linalg.spsolve": {"b": spsolve_b},
    "scipy.sparse_linalg.expm_multiply": {"A": expm_multiply_A, "B": expm_multiply_B},
    "scipy.sparse_linalg.krylov_solve": {"a": krylov_solve_a, "b": krylov_solve_b},
    "scipy.sparse_linalg.cg": {"A": cg_A, "b": cg_b},
    "scipy.sparse_linalg.gmres": {"A": gmres_A, "b": gmres_b},
    "scipy.sparse_linalg.bicgstab": {"A": bicgstab_A, "b": bicgstab_b},
    "scipy.sparse_linalg.bicg": {"A": bicg_A, "b": bicg_b},
    "scipy.special.bessel.j0": {"x": j0_x},
    "scipy.special.bessel.j1": {"x": j1_x},
    "scipy.special.bessel.y0": {"x": y0_x},
    "scipy.special.bessel.y1": {"x": y1_x},
    "scipy.special.bessel.jv": {"x": jv_x},
    "scipy.special.bessel.yv": {"x": yv_x},
    "scipy.special.bessel.yn": {"x": yn_x},
    "scipy.special.bessel.jve": {"x": jve_x},
    "scipy.special.bessel.yve": {"x": yve_x},
    "scipy.special.bessel.hankel1": {"x": hankel1_x},
    "scipy.special.bessel.hankel2": {"x": hankel2_x},
    "scipy.special.bessel.hankel1e": {"x": hankel1e_x},
    "scipy.special.bessel.hankel2e": {"x": hankel2e_x},
    "scipy.special.bessel.i0": {"x": i0_x},
    "scipy.special.bessel.i1": {"x": i1_x},
    "scipy.special.bessel.i0e": {"x": i0e_x},
    "scipy.special.bessel.i1e": {"x": i1e_x},
    "scipy.special.bessel.k0": {"x": k0_x},
    "scipy.special.bessel.k1": {"x": k1_x},
    "scipy.special.bessel.k0e": {"x": k0e_x},
    "scipy.special.bessel.k1e": {"x": k1e_x},
    "scipy.special.bessel.kn": {"x": kn_x},
    "scipy.special.bessel.iv": {"v": iv_v, "x": iv_x},
    "scipy.special.bessel.ive": {"v": ive_v, "x": ive_x},
    "scipy.special.bessel.kv": {"v": kv_v, "x": kv_x},
    "scipy.special.bessel.kve": {"v": kve_v, "x": kve_x},
    "scipy.special.bessel.ive_partial": {"v": ive_partial_v, "x": ive_partial_x},
    "scipy.special.bessel.kve_partial": {"v": kve_partial_v, "x": kve_partial_x},
    "scipy.special.bessel.jvp": {"x": jvp_x},
    "scipy.special.bessel.yvp": {"x": yvp_x},
    "scipy.special.bessel.ivp": {"x": ivp_x},
    "scipy.special.bessel.kvp": {"x": kvp_x},
    "scipy.special.bessel.h1vp": {"x": h1vp_x},
    "scipy.special.bessel.h2vp": {"x": h2vp_x},
    "scipy.special.bessel.spherical_jn": {"x": spherical_jn_x},
    "scipy.special.bessel.spherical_yn": {"x": spherical_yn_x},
    "scipy.special.bessel.spherical_in": {"x": spherical_in_x},
    "scipy.special.bessel.spherical_kn": {"x": spherical_kn_x},
    "scipy.special.bessel.spherical_partial": {"x": spherical_partial_x},
    "scipy.special.bessel.airy": {"x": airy_x},
    "scipy.special.bessel.struve": {"x": struve_x},
    "scipy.special.bessel.modstruve": {"x": modstruve_x},
    "scipy.special.bessel.ber": {"x": ber_x},
    "scipy.special.bessel.bei": {"x": bei_x},
    "scipy.special.bessel.ker": {"x": ker_x},
    "scipy.special.bessel.kei": {"x": kei_x},
    "scipy.special.bessel.berp": {"x": berp_x},
    "scipy.special.bessel.beip": {"x": beip_x},
    "scipy.special.bessel.kerp": {"x": kerp_x},
    "scipy.special.bessel.keip": {"x": keip_x},
    "scipy.special.bessel.wright_bessel": {"x": wright_bessel_x},
    "scipy.special.cdf.gammainc_partial": {
        "a": gammainc_partial_a,
        "x": gammainc_partial_x,
    },
    "scipy.special.cdf.betainc_partial": {
        "a": betainc_partial_a,
        "b": betainc_partial_b,
        "x": betainc_partial_x,
    },
    "scipy.special.cdf.stdtr_partial": {"df": stdtr_partial_df, "t": stdtr_partial_t},
    "scipy.special.cdf.gammainc": {"a": gammainc_a, "x": gammainc_x},
    "scipy.special.cdf.gammaincc": {"a": gammaincc_a, "x": gammaincc_x},
    "scipy.special.cdf.gammaincinv": {"a": gammaincinv_a, "y": gammaincinv_y},
    "scipy.special.cdf.gammainccinv": {"a": gammainccinv_a, "y": gammainccinv_y},
    "scipy.special.cdf.betainc": {"a": betainc_a, "b": betainc_b, "x": betainc_x},
    "scipy.special.cdf.betaincc": {"a": betaincc_a, "b": betaincc_b, "x": betaincc_x},
    "scipy.special.cdf.betaincinv": {
        "a": betaincinv_a,
        "b": betaincinv_b,
        "y": betaincinv_y,
    },
    "scipy.special.cdf.betainccinv": {
        "a": betainccinv_a,
        "b": betainccinv_b,
        "y": betainccinv_y,
    },
    "scipy.special.cdf.btdtria": {"p": btdtria_p, "b": btdtria_b, "x": btdtria_x},
    "scipy.special.cdf.btdtrib": {"a": btdtrib_a, "p": btdtrib_p, "x": btdtrib_x},
    "scipy.special.cdf.bdtr": {"p": bdtr_p},
    "scipy.special.cdf.bdtrc": {"p": bdtrc_p},
    "scipy.special.cdf.bdtri": {"y": bdtri_y},
    "scipy.special.cdf.nbdtr": {"p": nbdtr_p},
    "scipy.special.cdf.nbdtrc": {"p": nbdtrc_p},
    "scipy.special.cdf.nbdtri": {"y": nbdtri_y},
    "scipy.special.cdf.pdtr": {"m": pdtr_m},
    "scipy.special.cdf.pdtrc": {"m": pdtrc_m},
    "scipy.special.cdf.pdtri": {"y": pdtri_y},
    "scipy.special.cdf.chdtr": {"v": chdtr_v, "x": chdtr_x},
    "scipy.special.cdf.chdtrc": {"v": chdtrc_v, "x": chdtrc_x},
    "scipy.special.cdf.chdtri": {"v": chdtri_v, "p": chdtri_p},
    "scipy.special.cdf.chdtriv": {"p": chdtriv_p, "x": chdtriv_x},
    "scipy.special.cdf.gdtr": {"a": gdtr_a, "b": gdtr_b, "x": gdtr_x},
    "scipy.special.cdf.gdtrc": {"a": gdtrc_a, "b": gdtrc_b, "x": gdtrc_x},
    "scipy.special.cdf.gdtrix": {"a": gdtrix_a, "b": gdtrix_b, "p": gdtrix_p},
    "scipy.special.cdf.gdtria": {"p": gdtria_p, "b": gdtria_b, "x": gdtria_x},
    "scipy.special.cdf.gdtrib": {"a": gdtrib_a, "p": gdtrib_p, "x": gdtrib_x},
    "scipy.special.cdf.fdtr": {"dfn": fdtr_dfn, "dfd": fdtr_dfd, "x": fdtr_x},
    "scipy.special.cdf.fdtrc": {"dfn": fdtrc_dfn, "dfd": fdtrc_dfd, "x": fdtrc_x},
    "scipy.special.cdf.fdtri": {"dfn": fdtri_dfn, "dfd": fdtri_dfd, "p": fdtri_p},
    "scipy.special.cdf.stdtr": {"df": stdtr_df, "t": stdtr_t},
    "scipy.special.cdf.stdtrit": {"df": stdtrit_df, "p": stdtrit_p},
    "scipy.special.cdf.stdtridf": {"p": stdtridf_p, "t": stdtridf_t},
    "scipy.special.cdf.chndtr": {"x": chndtr_x, "nc": chndtr_nc},
    "scipy.special.elementary.expm1": {"x": expm1_x},
    "scipy.special.elementary.log1p": {"x": log1p_x},
    "scipy.special.elementary.exp2": {"x": exp2_x},
    "scipy.special.elementary.exp10": {"x": exp10_x},
    "scipy.special.elementary.cbrt": {"x": cbrt_x},
    "scipy.special.elementary.cosm1": {"x": cosm1_x},
    "scipy.special.elementary.powm1": {"x": powm1_x, "y": powm1_y},
    "scipy.special.elementary.sindg": {"x": sindg_x},
    "scipy.special.elementary.cosdg": {"x": cosdg_x},
    "scipy.special.elementary.tandg": {"x": tandg_x},
    "scipy.special.elementary.cotdg": {"x": cotdg_x},
    "scipy.special.elementary.exprel": {"x": exprel_x},
    "scipy.special.elementary.exprel_partial": {"x": exprel_partial_x},
    "scipy.special.elementary.diric": {"x": diric_x},
    "scipy.special.elementary.diric_partial": {"x": diric_partial_x},
    "scipy.special.elementary.expit": {"x": expit_x},
    "scipy.special.elementary.logit": {"x": logit_x},
    "scipy.special.elementary.log_expit": {"x": log_expit_x},
    "scipy.special.elementary.softplus": {"x": softplus_x},
    "scipy.special.elementary.softmax": {"x": softmax_x},
    "scipy.special.elementary.log_softmax": {"x": log_softmax_x},
    "scipy.special.elementary.logsumexp": {"a": logsumexp_a, "b": logsumexp_b},
    "scipy.special.elementary.xlogy": {"x": xlogy_x, "y": xlogy_y},
    "scipy.special.elementary.xlog1py": {"x": xlog1py_x, "y": xlog1py_y},
    "scipy.special.elementary.entr": {"x": entr_x},
    "scipy.special.elementary.rel_entr": {"x": rel_entr_x, "y": rel_entr_y},
    "scipy.special.elementary.kl_div": {"x": kl_div_x, "y": kl_div_y},
    "scipy.special.elementary.huber": {"delta": huber_delta, "r": huber_r},
    "scipy.special.elementary.pseudo_huber": {
        "delta": pseudo_huber_delta,
        "r": pseudo_huber_r,
    },
    "scipy.special.elementary.boxcox": {"x": boxcox_x, "lmbda": boxcox_lmbda},
    "scipy.special.elementary.boxcox1p": {"x": boxcox1p_x, "lmbda": boxcox1p_lmbda},
    "scipy.special.elementary.inv_boxcox": {
        "y": inv_boxcox_y,
        "lmbda": inv_boxcox_lmbda,
    },
    "scipy.special.elementary.inv_boxcox1p": {
        "y": inv_boxcox1p_y,
        "lmbda": inv_boxcox1p_lmbda,
    },
    "scipy.special.elementary.tklmbda": {"x": tklmbda_x, "lmbda": tklmbda_lmbda},
    "scipy.special.elliptic.ellipk": {"m": ellipk_m},
    "scipy.special.elliptic.ellipkm1": {"p": ellipkm1_p},
    "scipy.special.elliptic.ellipe": {"m": ellipe_m},
    "scipy.special.elliptic.ellipkinc": {"phi": ellipkinc_phi, "m": ellipkinc_m},
    "scipy.special.elliptic.ellipeinc": {"phi": ellipeinc_phi, "m": ellipeinc_m},
    "scipy.special.elliptic.ellipkinc_moment": {
        "phi": ellipkinc_moment_phi,
        "m": ellipkinc_moment_m,
    },
    "scipy.special.elliptic.ellipeinc_moment": {
        "phi": ellipeinc_moment_phi,
        "m": ellipeinc_moment_m,
    },
    "scipy.special.elliptic.ellipj": {"u": ellipj_u, "m": ellipj_m},
    "scipy.special.elliptic.agm": {"a": agm_a, "b": agm_b},
    "scipy.special.elliptic.elliprf": {"x": elliprf_x, "y": elliprf_y, "w": elliprf_w},
    "scipy.special.elliptic.elliprc": {"x": elliprc_x, "y": elliprc_y},
    "scipy.special.elliptic.elliprg": {"x": elliprg_x, "y": elliprg_y, "w": elliprg_w},
    "scipy.special.elliptic.elliprd": {"x": elliprd_x, "y": elliprd_y, "w": elliprd_w},
    "scipy.special.elliptic.elliprd_partial": {
        "x": elliprd_partial_x,
        "y": elliprd_partial_y,
        "w": elliprd_partial_w,
    },
    "scipy.special.elliptic.elliprj": {
        "x": elliprj_x,
        "y": elliprj_y,
        "w": elliprj_w,
        "p": elliprj_p,
    },
    "scipy.special.elliptic.elliprj_partial": {
        "x": elliprj_partial_x,
        "y": elliprj_partial_y,
        "w": elliprj_partial_w,
        "p": elliprj_partial_p,
    },
    "scipy.special.error.erf": {"x": erf_x},
    "scipy.special.error.erfc": {"x": erfc_x},
    "scipy.special.error.erfi": {"x": erfi_x},
    "scipy.special.error.erfcx": {"x": erfcx_x},
    "scipy.special.error.erfcx_partial": {"x": erfcx_partial_x},
    "scipy.special.error.dawsn": {"x": dawsn_x},
    "scipy.special.error.dawsn_partial": {"x": dawsn_partial_x},
    "scipy.special.error.wofz": {"x": wofz_x},
    "scipy.special.error.erfinv": {"y": erfinv_y},
    "scipy.special.error.erfcinv": {"y": erfcinv_y},
    "scipy.special.error.ndtr": {"x": ndtr_x},
    "scipy.special.error.ndtri": {"y": ndtri_y},
    "scipy.special.error.log_ndtr": {"x": log_ndtr_x},
    "scipy.special.error.ndtri_exp": {"y": ndtri_exp_y},
    "scipy.special.error.nrdtrimn": {
        "p": nrdtrimn_p,
        "std": nrdtrimn_std,
        "x": nrdtrimn_x,
    },
    "scipy.special.error.nrdtrisd": {
        "mn": nrdtrisd_mn,
        "p": nrdtrisd_p,
        "x": nrdtrisd_x,
    },
    "scipy.special.error.voigt_profile": {
        "x": voigt_profile_x,
        "sigma": voigt_profile_sigma,
        "gamma": voigt_profile_gamma,
    },
    "scipy.special.error.owens_t": {"h": owens_t_h, "a": owens_t_a},
    "scipy.special.gamma.gamma": {"x": gamma_x},
    "scipy.special.gamma.gammaln": {"x": gammaln_x},
    "scipy.special.gamma.rgamma": {"x": rgamma_x},
    "scipy.special.gamma.rgamma_partial": {"x": rgamma_partial_x},
    "scipy.special.gamma.digamma": {"x": digamma_x},
    "scipy.special.gamma.polygamma": {"x": polygamma_x},
    "scipy.special.gamma.multigammaln": {"a": multigammaln_a},
    "scipy.special.gamma.multidigamma": {"a": multidigamma_a},
    "scipy.special.gamma.beta": {"a": beta_a, "b": beta_b},
    "scipy.special.gamma.betaln": {"a": betaln_a, "b": betaln_b},
    "scipy.special.gamma.poch": {"a": poch_a, "m": poch_m},
    "scipy.special.gamma.binom": {"n": binom_n, "k": binom_k},
    "scipy.special.gamma.comb": {"n": comb_n, "k": comb_k},
    "scipy.special.gamma.perm": {"n": perm_n, "k": perm_k},
    "scipy.special.gamma.factorial": {"n": factorial_n},
    "scipy.special.gamma.zeta": {"x": zeta_x, "q": zeta_q},
    "scipy.special.gamma.zetac": {"x": zetac_x},
    "scipy.special.gamma.zeta_partial": {"x": zeta_partial_x, "q": zeta_partial_q},
    "scipy.special.integrals.exp1": {"x": exp1_x},
    "scipy.special.integrals.expi": {"x": expi_x},
    "scipy.special.integrals.expn": {"x": expn_x},
    "scipy.special.integrals.expn_below": {"x": expn_below_x},
    "scipy.special.integrals.sici": {"x": sici_x},
    "scipy.special.integrals.shichi": {"x": shichi_x},
    "scipy.special.integrals.fresnel": {"x": fresnel_x},
    "scipy.special.integrals.spence": {"x": spence_x},
    "scipy.special.integrals.log_quotient": {"x": log_quotient_x},
    "scipy.special.integrals.hyp0f1": {"x": hyp0f1_x},
    "scipy.special.integrals.hyp1f1": {"x": hyp1f1_x},
    "scipy.special.integrals.hyp2f1": {"x": hyp2f1_x},
    "scipy.special.integrals.hyperu": {"x": hyperu_x},
    "scipy.special.integrals.lambertw": {"x": lambertw_x},
    "scipy.special.integrals.wrightomega": {"x": wrightomega_x},
    "scipy.special.polynomials.eval_legendre": {"x": eval_legendre_x},
    "scipy.special.polynomials.eval_chebyt": {"x": eval_chebyt_x},
    "scipy.special.polynomials.eval_chebyu": {"x": eval_chebyu_x},
    "scipy.special.polynomials.eval_chebyc": {"x": eval_chebyc_x},
    "scipy.special.polynomials.eval_chebys": {"x": eval_chebys_x},
    "scipy.special.polynomials.eval_gegenbauer": {"x": eval_gegenbauer_x},
    "scipy.special.polynomials.eval_jacobi": {"x": eval_jacobi_x},
    "scipy.special.polynomials.eval_hermite": {"x": eval_hermite_x},
    "scipy.special.polynomials.eval_hermitenorm": {"x": eval_hermitenorm_x},
    "scipy.special.polynomials.eval_laguerre": {"x": eval_laguerre_x},
    "scipy.special.polynomials.eval_genlaguerre": {"x": eval_genlaguerre_x},
    "scipy.special.polynomials.eval_sh_legendre": {"x": eval_sh_legendre_x},
    "scipy.special.polynomials.eval_sh_chebyt": {"x": eval_sh_chebyt_x},
    "scipy.special.polynomials.eval_sh_chebyu": {"x": eval_sh_chebyu_x},
    "scipy.special.polynomials.eval_sh_jacobi": {"x": eval_sh_jacobi_x},
    "scipy.special.polynomials.lpmv": {"x": lpmv_x},
    "scipy.special.polynomials.sph_harm_y": {
        "theta": sph_harm_y_theta,
        "phi": sph_harm_y_phi,
    },
    "scipy.stats.descriptive.gmean": {"a": gmean_a},
    "scipy.stats.descriptive.hmean": {"a": hmean_a},
    "scipy.stats.descriptive.pmean": {"a": pmean_a},
    "scipy.stats.descriptive.sem": {"a": sem_a},
    "scipy.stats.descriptive.variation": {"a": variation_a},
    "scipy.stats.descriptive.moment": {"a": moment_a},
    "scipy.stats.descriptive.skew": {"a": skew_a},
    "scipy.stats.descriptive.kurtosis": {"a": kurtosis_a},
    "scipy.stats.descriptive.zscore": {"a": zscore_a},
    "scipy.stats.descriptive.zmap": {"scores": zmap_scores, "compare": zmap_compare},
    "scipy.stats.descriptive.entropy": {"pk": entropy_pk, "qk": entropy_qk},
    "scipy.stats.descriptive.reference": {"qk": reference_qk},
    "scipy.stats.descriptive.pearsonr": {"x": pearsonr_x, "y": pearsonr_y},
    "scipy.stats.multivariate.multivariate_normal_logpdf": {
        "x": multivariate_normal_logpdf_x,
        "mean": multivariate_normal_logpdf_mean,
        "cov": multivariate_normal_logpdf_cov,
    },
    "scipy.stats.multivariate.multivariate_normal_pdf": {
        "x": multivariate_normal_pdf_x,
        "mean": multivariate_normal_pdf_mean,
        "cov": multivariate_normal_pdf_cov,
    },
    "scipy.stats.multivariate.dirichlet_logpdf": {
        "x": dirichlet_logpdf_x,
        "alpha": dirichlet_logpdf_alpha,
    },
    "scipy.stats.multivariate.dirichlet_pdf": {
        "x": dirichlet_pdf_x,
        "alpha": dirichlet_pdf_alpha,
    },
    "scipy.stats.multivariate.kernel_density": {
        "points": kernel_density_points,
        "dataset": kernel_density_dataset,
    },
    "scipy.stats.noncentral.mixed_gammainc": {
        "a": mixed_gammainc_a,
        "x": mixed_gammainc_x,
        "m": mixed_gammainc_m,
    },
    "scipy.stats.noncentral.mixed_betainc": {
        "a": mixed_betainc_a,
        "b": mixed_betainc_b,
        "x": mixed_betainc_x,
        "m": mixed_betainc_m,
    },
    "scipy.stats.real_line.vonmises_tail": {
        "u": vonmises_tail_u,
        "kappa": vonmises_tail_kappa,
    },
    "scipy.stats.real_line.vonmises_partial": {
        "u": vonmises_partial_u,
        "kappa": vonmises_partial_kappa,
    },
    "scipy.structured_matrices.block_diagonal": {"blocks": block_diagonal_blocks},
    "scipy.structured_matrices.blocks_of": {"c": blocks_of_c},
    "scipy.structured_matrices.toeplitz": {"c": toeplitz_c, "r": toeplitz_r},
    "scipy.structured_matrices.hankel": {"c": hankel_c, "r": hankel_r},
    "scipy.structured_matrices.circulant": {"c": circulant_c},
    "scipy.structured_matrices.structured": {"x": structured_x},
    "scipy.structured_matrices.structured_pull": {"c_bar": structured_pull_c_bar},
    "scipy.structured_matrices.companion": {"a": companion_a},
    "scipy.structured_matrices.top_row": {"x": top_row_x},
    "scipy.structured_matrices.khatri_rao": {"a": khatri_rao_a, "b": khatri_rao_b},
    "scipy.structured_matrices.matmul_toeplitz": {
        "c_or_cr": matmul_toeplitz_c_or_cr,
        "x": matmul_toeplitz_x,
    },
    "scipy.structured_matrices.toeplitz_herm": {
        "c_or_cr": toeplitz_herm_c_or_cr,
        "y": toeplitz_herm_y,
    },
    "scipy.structured_matrices.toeplitz_pull": {
        "c": toeplitz_pull_c,
        "x": toeplitz_pull_x,
    },
    "scipy.structured_matrices.solve_toeplitz": {
        "c_or_cr": solve_toeplitz_c_or_cr,
        "b": solve_toeplitz_b,
    },
    "scipy.structured_matrices.solve_circulant": {
        "c": solve_circulant_c,
        "b": solve_circulant_b,
    },
    "scipy.structured_matrices.circulate": {"c": circulate_c, "x": circulate_x},
    "scipy.structured_matrices.circle_pull": {"c": circle_pull_c, "x": circle_pull_x},
    "scipy.structured_matrices.reversed_circle": {"c": reversed_circle_c},
    "scipy.structured_matrices.solve_banded": {
        "ab": solve_banded_ab,
        "b": solve_banded_b,
    },
    "scipy.structured_matrices.band_apply": {"ab": band_apply_ab, "x": band_apply_x},
    "scipy.structured_matrices.band_outer": {"c": band_outer_c, "x": band_outer_x},
    "scipy.structured_matrices.band_herm": {"ab": band_herm_ab},
    "scipy.structured_matrices.solveh_banded": {
        "ab": solveh_banded_ab,
        "b": solveh_banded_b,
    },
    "scipy.structured_matrices.whole_band": {"ab": whole_band_ab},
    "scipy.structured_matrices.half_band": {"c": half_band_c},
    "scipy.structured_matrices.cholesky_banded": {"ab": cholesky_banded_ab},
    "scipy.structured_matrices.beyond_band": {"x": beyond_band_x},
    "scipy.structured_matrices.both_halves": {"x": both_halves_x},
    "scipy.structured_matrices.both_halves_pull": {"c": both_halves_pull_c},
    "scipy.structured_matrices.dense_band": {"ab": dense_band_ab},
    "scipy.structured_matrices.narrow_band": {"c": narrow_band_c},
    "scipy.structured_matrices.cho_solve_banded": {
        "cb_and_lower": cho_solve_banded_cb_and_lower,
        "b": cho_solve_banded_b,
    },
}

SHAPES = {
    "cosine_x": ("x",),
    "dct_x": ("x",),
    "dctn_x": ("x",),
    "idct_x": ("x",),
    "idctn_x": ("x",),
    "dst_x": ("x",),
    "dstn_x": ("x",),
    "idst_x": ("x",),
    "idstn_x": ("x",),
    "fft_x": ("x",),
    "ifft_x": ("x",),
    "fft2_x": ("x",),
    "ifft2_x": ("x",),
    "scipy_fftpack_dct_x": ("x",),
    "scipy_fftpack_idct_x": ("x",),
    "scipy_fftpack_dst_x": ("x",),
    "scipy_fftpack_idst_x": ("x",),
    "solve_a": ("b",),
    "solve_b": ("b",),
    "solve_triangular_a": ("b",),
    "solve_triangular_b": ("z", "b"),
    "det_a": ("z",),
    "cho_solve_c_and_lower": ("b",),
    "cho_solve_b": ("z", "b"),
    "squared_x": ("x",),
    "unsquared_c": ("c",),
    "resquared_c": ("c",),
    "lu_solve_lu_and_piv": ("b",),
    "lu_solve_b": ("z", "b"),
    "complexed_x": ("x",),
    "of_kind_x": ("like",),
    "fractional_matrix_power_t": ("t",),
    "frechet_e": ("e",),
    "frechet_power_e": ("e",),
    "expm_frechet_E": ("E",),
    "solve_sylvester_q": ("q",),
    "solve_continuous_lyapunov_q": ("q",),
    "solve_discrete_lyapunov_q": ("q",),
    "window_pull_c": ("c",),
    "template_pull_c": ("c",),
    "gaussian_filter_input": ("input",),
    "uniform_filter_input": ("input",),
    "shift_input": ("input",),
    "zoom_input": ("input",),
    "image_map_x": ("x",),
    "sum_labels_input": ("input",),
    "label_pull_c": ("c",),
    "convolve_in1": ("in1",),
    "convolve_in2": ("in2",),
    "fftconvolve_in1": ("in1",),
    "fftconvolve_in2": ("in2",),
    "oaconvolve_in1": ("in1",),
    "oaconvolve_in2": ("in2",),
    "convolve2d_in1": ("in1",),
    "convolve2d_in2": ("in2",),
    "correlate_in1": ("in1",),
    "correlate_in2": ("in2",),
    "correlate2d_in1": ("in1",),
    "correlate2d_in2": ("in2",),
    "convolution_pull_c": ("c",),
    "convolution_pull_y": ("y",),
    "convolution_x": ("x",),
    "convolution_y": ("y",),
    "lfilter_x": ("x",),
    "lag_sums_c": ("c",),
    "lag_sums_v": ("v",),
    "hilbert_x": ("x",),
    "detrend_data": ("data",),
    "savgol_filter_x": ("x",),
    "resample_x": ("x",),
    "resample_poly_x": ("x",),
    "decimate_x": ("x",),
    "filtfilt_x": ("x",),
    "sosfiltfilt_x": ("x",),
    "upfirdn_x": ("x",),
    "line_x": ("x",),
    "stft_x": ("x",),
    "spectra_x": ("x",),
    "times_entries_data": ("data",),
    "times_entries_x": ("x",),
    "solve_entries_b": ("b",),
    "spsolve_b": ("b",),
    "expm_multiply_B": ("B",),
    "krylov_solve_b": ("b",),
    "cg_b": ("b",),
    "gmres_b": ("b",),
    "bicgstab_b": ("b",),
    "bicg_b": ("b",),
    "gammaincinv_y": ("y",),
    "gammainccinv_y": ("y",),
    "betaincinv_y": ("y",),
    "betainccinv_y": ("y",),
    "btdtria_p": ("p",),
    "btdtrib_p": ("p",),
    "bdtri_y": ("y",),
    "nbdtri_y": ("y",),
    "pdtri_y": ("y",),
    "chdtri_p": ("p",),
    "chdtriv_p": ("p",),
    "gdtrix_p": ("p",),
    "gdtria_p": ("p",),
    "gdtrib_p": ("p",),
    "fdtri_p": ("p",),
    "stdtrit_p": ("p",),
    "stdtridf_p": ("p",),
    "powm1_y": ("y",),
    "softmax_x": ("x",),
    "log_softmax_x": ("x",),
    "logsumexp_b": ("b",),
    "inv_boxcox_y": ("y",),
    "inv_boxcox1p_y": ("y",),
    "ellipj_u": ("u",),
    "nrdtrimn_std": ("std",),
    "nrdtrimn_x": ("x",),
    "nrdtrisd_mn": ("mn",),
    "nrdtrisd_x": ("x",),
    "lambertw_x": ("x",),
    "sph_harm_y_phi": ("phi",),
    "zmap_scores": ("scores",),
    "matmul_toeplitz_c_or_cr": ("c_or_cr",),
    "matmul_toeplitz_x": ("x",),
    "toeplitz_herm_c_or_cr": ("c_or_cr",),
    "toeplitz_herm_y": ("y",),
    "toeplitz_pull_c": ("c",),
    "toeplitz_pull_x": ("x",),
    "solve_toeplitz_b": ("b",),
    "solve_circulant_b": ("b",),
    "circulate_c": ("c",),
    "circulate_x": ("x",),
    "circle_pull_c": ("c",),
    "circle_pull_x": ("x",),
    "solve_banded_b": ("b",),
    "band_apply_ab": ("ab",),
    "band_apply_x": ("x",),
    "band_outer_c": ("c",),
    "band_outer_x": ("x",),
    "solveh_banded_b": ("b",),
    "dense_band_ab": ("ab",),
    "cho_solve_banded_b": ("b",),
}
