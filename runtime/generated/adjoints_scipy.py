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
    rfft2_c = np.fft.rfft2(c, axes=turned_c, norm=rt.opposite(rt.opposite(norm)))
    return np.conj(rt.fit(rt.doubled(rfft2_c, lengths_c[-1], turned_c[-1]), np.conj(x)))


def hfftn_x(c, x, s, axes, norm):
    lengths_c = rt.lengths(c, s, axes)
    turned_c = rt.turned(c, lengths_c, axes)
    rfftn_c = np.fft.rfftn(c, axes=turned_c, norm=rt.opposite(rt.opposite(norm)))
    return np.conj(rt.fit(rt.doubled(rfftn_c, lengths_c[-1], turned_c[-1]), np.conj(x)))


def ihfft2_x(c, x, s, axes, norm):
    lengths_x = rt.lengths(x, s, axes)
    turned_x = rt.turned(x, lengths_x, axes)
    halved = rt.halved(np.conj(c), lengths_x[-1], turned_x[-1])
    irfft2 = np.fft.irfft2(halved, lengths_x, turned_x, rt.opposite(rt.opposite(norm)))
    return rt.fit(irfft2, x)


def ihfftn_x(c, x, s, axes, norm):
    lengths_x = rt.lengths(x, s, axes)
    turned_x = rt.turned(x, lengths_x, axes)
    halved = rt.halved(np.conj(c), lengths_x[-1], turned_x[-1])
    irfftn = np.fft.irfftn(halved, lengths_x, turned_x, rt.opposite(rt.opposite(norm)))
    return rt.fit(irfftn, x)


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
    turned_c = rt.turned(c, shape, rt.turned(x, shape, axes))
    return rt.fit(np.fft.ifftn(c, axes=turned_c, norm="forward"), x)


def ifftn_x(c, x, shape, axes):
    turned_c = rt.turned(c, shape, rt.turned(x, shape, axes))
    return rt.fit(np.fft.fftn(c, axes=turned_c, norm="forward"), x)


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
    herm = rt.herm(rt.transposed_if(rt.whole(a, assume_a, lower), transposed))
    transposed_if = rt.transposed_if(rt.mirrored(a, assume_a), transposed)
    column_b = rt.column(-rt.solve_for(herm, c, b), b)
    column_b_2 = rt.column(np.conj(z), b)
    matmul_pull_left = rt.matmul_pull_left(column_b, column_b_2, like=transposed_if)
    return rt.mirrored(rt.transposed_if(matmul_pull_left, transposed), assume_a)


def solve_b(c, a, b, lower, assume_a, transposed):
    herm = rt.herm(rt.transposed_if(rt.whole(a, assume_a, lower), transposed))
    return rt.unbroadcast(rt.solve_for(herm, c, b), b)


def whole_a(c, assume_a):
    return rt.mirrored(c, assume_a)


def mirrored_x(c, assume_a):
    return rt.mirrored(c, assume_a)


def transposed_if_x(c, when):
    return rt.transposed_if(c, when)


def solve_triangular_a(c, z, a, b, trans, lower, unit_diagonal):
    triangle_of_a = rt.triangle_of(a, trans, lower, unit_diagonal)
    solve_triangular = linalg.solve_triangular(
        rt.herm(a), c, trans=trans, lower=not lower, unit_diagonal=unit_diagonal
    )
    unbroadcast = rt.unbroadcast(solve_triangular, -rt.apply(triangle_of_a, z, b))
    column_b = rt.column(-unbroadcast, b)
    column_b_2 = rt.column(np.conj(z), b)
    matmul_pull_left = rt.matmul_pull_left(column_b, column_b_2, like=triangle_of_a)
    return rt.triangle_pull(matmul_pull_left, trans, lower, unit_diagonal)


def solve_triangular_b(c, z, a, b, trans, lower, unit_diagonal):
    solve_triangular = linalg.solve_triangular(
        rt.herm(a), c, trans=trans, lower=not lower, unit_diagonal=unit_diagonal
    )
    return rt.unbroadcast(rt.unbroadcast(solve_triangular, z), b)


def triangle_of_x(c, trans, lower, unit_diagonal):
    return rt.triangle_pull(c, trans, lower, unit_diagonal)


def triangle_pull_c(c_bar, trans, lower, unit_diagonal):
    return rt.triangle_of(c_bar, trans, lower, unit_diagonal)


def inv_a(c, z, a):
    conjugate_z = np.conj(z)
    matmul_pull_left = rt.matmul_pull_left(-c, conjugate_z, like=z @ a)
    return rt.matmul_pull_right(matmul_pull_left, conjugate_z, like=a)


def det_a(c, z, a):
    cofactor_a = rt.cofactor(a)
    convert = rt.convert(rt.if_float(c, z), np.sum(cofactor_a * a, axis=(-2, -1)))
    return np.conj(cofactor_a) * rt.unreduce(convert, a, axis=(-2, -1))


def pinv_a(c, z, a, atol, rtol):
    herm_z = rt.herm(z)
    z_shape = z.shape
    dtype_z = z.dtype
    z_a = z @ a
    difference = np.eye(rt.uncut(z_shape[-2], a, None, rtol, atol), dtype=dtype_z) - z_a
    product = z @ herm_z
    conjugate_z = np.conj(z)
    matmul_pull_left = rt.matmul_pull_left(-c, conjugate_z, like=z_a)
    herm_a = rt.herm(a)
    product_2 = difference @ herm_a
    matmul_pull_left_2 = rt.matmul_pull_left(
        rt.matmul_pull_left(c, conjugate_z, like=product_2 @ herm_z),
        np.conj(herm_z),
        like=product_2,
    )
    matmul_pull_right = rt.matmul_pull_right(
        matmul_pull_left_2, np.conj(difference), like=herm_a
    )
    conjugate = np.conj(np.eye(z_shape[-1], dtype=dtype_z) - a @ z)
    matmul_pull_right_2 = rt.matmul_pull_right(
        rt.matmul_pull_left(c, conjugate, like=product @ herm_a),
        np.conj(product),
        like=herm_a,
    )
    herm = rt.herm(matmul_pull_right + matmul_pull_right_2)
    return rt.matmul_pull_right(matmul_pull_left, conjugate_z, like=a) + herm


def cholesky_a(c, z, a, lower):
    not_lower = not lower
    herm_z = rt.herm(z, not_lower)
    herm_c = rt.herm(c, not_lower)
    herm = rt.herm(rt.solve_lower(herm_z, rt.hermitian(a)))
    phi = rt.phi(rt.solve_lower(herm_z, herm))
    phi_2 = rt.phi(rt.matmul_pull_right(herm_c, np.conj(herm_z), like=phi))
    herm_2 = rt.herm(rt.solve_lower(herm_z, phi_2, True))
    return rt.hermitian(rt.solve_lower(herm_z, herm_2, True))


def cho_factor_a(c, z, a, lower):
    c_0 = c[0]
    factor_matrix = rt.factor_matrix(z[0], lower)
    herm = rt.herm(c_0, not lower)
    herm_2 = rt.herm(rt.solve_lower(factor_matrix, rt.hermitian(a)))
    phi = rt.phi(rt.solve_lower(factor_matrix, herm_2))
    phi_2 = rt.phi(rt.matmul_pull_right(herm, np.conj(factor_matrix), like=phi))
    herm_3 = rt.herm(rt.solve_lower(factor_matrix, phi_2, True))
    hermitian = rt.hermitian(rt.solve_lower(factor_matrix, herm_3, True))
    return rt.other_triangle(c_0, lower) + hermitian


def cho_solve_c_and_lower(c, z, c_and_lower, b):
    c_and_lower_1 = c_and_lower[1]
    factor_matrix = rt.factor_matrix(c_and_lower[0], c_and_lower_1)
    herm = rt.herm(factor_matrix)
    product = factor_matrix @ herm
    cho_solve = linalg.cho_solve(c_and_lower, c)
    column_b = rt.column(-rt.unbroadcast(cho_solve, -rt.apply(product, z, b)), b)
    column_b_2 = rt.column(np.conj(z), b)
    matmul_pull_left = rt.matmul_pull_left(column_b, column_b_2, like=product)
    conjugate = np.conj(factor_matrix)
    herm_2 = rt.herm(rt.matmul_pull_right(matmul_pull_left, conjugate, like=herm))
    matmul_pull_left_2 = rt.matmul_pull_left(
        matmul_pull_left, np.conj(herm), like=factor_matrix
    )
    factor_pull = rt.factor_pull(herm_2 + matmul_pull_left_2, c_and_lower_1)
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
    solve_for_a = rt.solve_for(squared_a, rt.squared(permuted_a, 0.0, a), a)
    over = rt.over(solve_for_a, squared_a_2)
    triu = np.triu(over)
    resquared = rt.resquared(c[2], triu @ squared_a_2)
    triu_2 = np.triu(rt.matmul_pull_left(resquared, np.conj(squared_a_2), like=triu))
    tril = np.tril(over, -1)
    resquared_2 = rt.resquared(c[1], squared_a @ tril)
    matmul_pull_right = rt.matmul_pull_right(resquared_2, np.conj(squared_a), like=tril)
    unbroadcast = rt.unbroadcast(np.tril(matmul_pull_right, -1), over)
    over_2 = rt.over(rt.unbroadcast(triu_2, over) + unbroadcast, rt.herm(squared_a_2))
    unsquared = rt.unsquared(rt.solve_for(rt.herm(squared_a), over_2, a), permuted_a)
    return rt.permuted(unsquared, z_0, True)


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
    triu_2 = np.triu(rt.matmul_pull_left(c_0, np.conj(triu), like=np.triu(over)))
    tril = np.tril(over, -1)
    tril_2 = np.tril(rt.matmul_pull_right(c_0, np.conj(total), like=tril), -1)
    total_2 = rt.unbroadcast(triu_2, over) + rt.unbroadcast(tril_2, over)
    solve_for_a = rt.solve_for(rt.herm(total), rt.over(total_2, rt.herm(triu)), a)
    return rt.swapped(solve_for_a, z_1, True)


def swapped_x(c, piv, back):
    return rt.swapped(c, piv, not back)


def lu_solve_lu_and_piv(c, z, lu_and_piv, b, trans):
    lu_and_piv_0 = lu_and_piv[0]
    tril = np.tril(lu_and_piv_0, -1)
    total = tril + np.eye(lu_and_piv_0.shape[-1], dtype=lu_and_piv_0.dtype)
    triu = np.triu(lu_and_piv_0)
    lu_and_piv_1 = lu_and_piv[1]
    lu_turn_trans = rt.lu_turn(rt.swapped(tril @ triu, lu_and_piv_1, True), trans)
    lu_flip_trans = rt.lu_flip(trans, lu_and_piv_0)
    conjugate = np.conj(linalg.lu_solve(lu_and_piv, np.conj(c), trans=lu_flip_trans))
    column_b = rt.column(-rt.unbroadcast(conjugate, -rt.apply(lu_turn_trans, z, b)), b)
    column_b_2 = rt.column(np.conj(z), b)
    matmul_pull_left = rt.matmul_pull_left(column_b, column_b_2, like=lu_turn_trans)
    swapped = rt.swapped(rt.lu_turn(matmul_pull_left, trans), lu_and_piv_1)
    triu_2 = np.triu(rt.matmul_pull_right(swapped, np.conj(total), like=triu))
    unbroadcast = rt.unbroadcast(triu_2, lu_and_piv_0)
    tril_2 = np.tril(rt.matmul_pull_left(swapped, np.conj(triu), like=tril), -1)
    return rt.scatter(unbroadcast + rt.unbroadcast(tril_2, lu_and_piv_0), lu_and_piv, 0)


def lu_solve_b(c, z, lu_and_piv, b, trans):
    lu_flip_trans = rt.lu_flip(trans, lu_and_piv[0])
    conjugate = np.conj(linalg.lu_solve(lu_and_piv, np.conj(c), trans=lu_flip_trans))
    return rt.unbroadcast(rt.unbroadcast(conjugate, z), b)


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
    matmul_pull_right = rt.matmul_pull_right(c_1, conjugate, like=a)
    upper_part = rt.upper_part(product)
    matmul_pull_right_2 = rt.matmul_pull_right(-c_0, np.conj(economic), like=upper_part)
    total = matmul_pull_left + rt.upper_pull(matmul_pull_right_2 - matmul_pull_left)
    total_2 = c_0 + rt.matmul_pull_right(total, conjugate, like=over)
    return matmul_pull_right + rt.fit(rt.over(total_2, rt.herm(leading)), a)


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
    conjugate = np.conj(rt.polar_inverse(z_1, herm))
    matmul_pull_left = rt.matmul_pull_left(herm_3, conjugate, like=herm_a)
    conjugate_2 = np.conj(herm)
    total = hermitian + rt.matmul_pull_right(
        -matmul_pull_left, conjugate_2, like=product
    )
    total_2 = rt.matmul_pull_left(
        -hermitian, np.conj(z_1), like=solve_sylvester
    ) + rt.matmul_pull_right(herm_3, conjugate_2, like=solve_sylvester)
    herm_4 = rt.herm(z_1)
    solve_sylvester_2 = linalg.solve_sylvester(herm_4, herm_4, total_2)
    unbroadcast = rt.unbroadcast(solve_sylvester_2, product)
    total_3 = total + unbroadcast
    herm_5 = rt.herm(
        rt.matmul_pull_left(-unbroadcast, conjugate_2, like=rt.herm(herm_a))
    )
    total_4 = matmul_pull_left + herm_5
    total_5 = total_4 + rt.matmul_pull_right(total_3, np.conj(herm_2), like=herm_a)
    return rt.herm(total_5, same)


def polar_inverse_p(c, z, p):
    conjugate_z = np.conj(z)
    matmul_pull_left = rt.matmul_pull_left(-c, conjugate_z, like=z @ p)
    return rt.matmul_pull_right(matmul_pull_left, conjugate_z, like=p)


def lstsq_a(c, z, a, b, cond):
    c_0 = c[0]
    z_0 = z[0]
    pinv_a = np.linalg.pinv(a, rt.cutoff(a, cond))
    herm = rt.herm(pinv_a)
    apply_a = rt.apply(a, z_0, b)
    difference = b - apply_a
    eye = np.eye(rt.uncut(pinv_a.shape[-2], a, cond), dtype=pinv_a.dtype)
    difference_2 = eye - pinv_a @ a
    svd_a = np.linalg.svd(a, full_matrices=False)
    herm_2 = rt.herm(svd_a[0])
    herm_3 = rt.herm(svd_a[2])
    product = herm_2 @ a
    undiagonal = rt.undiagonal(c[3], product @ herm_3, 0, -2, -1)
    matmul_pull_left = rt.matmul_pull_left(undiagonal, np.conj(herm_3), like=product)
    matmul_pull_right = rt.matmul_pull_right(matmul_pull_left, np.conj(herm_2), like=a)
    unreduce = rt.unreduce(rt.if_there(c[1], np.sum(apply_a, axis=0)), apply_a, axis=0)
    herm_a = rt.herm(a)
    product_2 = difference_2 @ herm_a
    column_b = rt.column(c_0, b)
    column_b_2 = rt.column(np.conj(rt.apply(herm, z_0, b)), b)
    matmul_pull_right_2 = rt.matmul_pull_right(
        rt.matmul_pull_left(column_b, column_b_2, like=product_2),
        np.conj(difference_2),
        like=herm_a,
    )
    apply_b = rt.apply(rt.herm(pinv_a @ herm), c_0, b)
    column_b_3 = rt.column(rt.unbroadcast(apply_b, rt.apply(herm_a, difference, b)), b)
    column_b_4 = rt.column(np.conj(difference), b)
    total = matmul_pull_right_2 + rt.matmul_pull_left(
        column_b_3, column_b_4, like=herm_a
    )
    unbroadcast = rt.unbroadcast(rt.apply(herm, c_0, b), -apply_a)
    column_b_5 = rt.column(-(2 * difference * unreduce + unbroadcast), b)
    column_b_6 = rt.column(np.conj(z_0), b)
    matmul_pull_left_2 = rt.matmul_pull_left(column_b_5, column_b_6, like=a)
    return matmul_pull_right + rt.herm(total) + matmul_pull_left_2


def lstsq_b(c, z, a, b, cond):
    unreduce_b = rt.unreduce(rt.if_there(c[1], np.sum(b, axis=0)), b, axis=0)
    apply_b = rt.apply(rt.herm(np.linalg.pinv(a, rt.cutoff(a, cond))), c[0], b)
    return 2 * (b - rt.apply(a, z[0], b)) * unreduce_b + rt.unbroadcast(apply_b, b)


# --- scipy.matrix_functions -----------------------------------------------------------


def eigvalsh_a(c, a, b, lower):
    part = linalg.eigh(a, b, lower=lower)[1]
    herm = rt.herm(part)
    hermitian_a = rt.hermitian(a)
    product = herm @ hermitian_a
    undiagonal_c = rt.undiagonal(c, product @ part, 0, -2, -1)
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(undiagonal_c, np.conj(part), like=product),
            np.conj(herm),
            like=hermitian_a,
        )
    )


def eigvalsh_b(c, z, a, b, lower):
    part = linalg.eigh(a, b, lower=lower)[1]
    herm = rt.herm(part)
    hermitian_b = rt.hermitian(b)
    product = herm @ hermitian_b
    undiagonal = rt.undiagonal(np.real(-(np.conj(z) * c)), product @ part, 0, -2, -1)
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(undiagonal, np.conj(part), like=product),
            np.conj(herm),
            like=hermitian_b,
        )
    )


def eigh_a(c, z, a):
    z_1 = z[1]
    herm = rt.herm(z_1)
    hermitian_a = rt.hermitian(a)
    product = herm @ hermitian_a
    product_2 = product @ z_1
    conjugate = np.conj(z_1)
    matmul_pull_right = rt.matmul_pull_right(c[1], conjugate, like=product_2)
    mul0 = rt.mul0(matmul_pull_right, np.conj(rt.vector_gaps(z[0])))
    total = mul0 + rt.undiagonal(c[0], product_2, 0, -2, -1)
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(total, conjugate, like=product),
            np.conj(herm),
            like=hermitian_a,
        )
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
    conjugate_2 = np.conj(np.eye(z_0.shape[-1], dtype=z_0.dtype) / 2)
    product_3 = conjugate_2 * rt.matmul_pull_right(-c_1, conjugate, like=product_2)
    matmul_pull_right = rt.matmul_pull_right(c_1, conjugate, like=product_2)
    mul0 = rt.mul0(matmul_pull_right, np.conj(rt.vector_gaps(z_0)))
    undiagonal = rt.undiagonal(np.real(-(np.conj(z_0) * c[0])), product_2, 0, -2, -1)
    total = product_3 - mul0 * np.conj(z_0[..., None, :]) + undiagonal
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(total, conjugate, like=product),
            np.conj(herm),
            like=hermitian_b,
        )
    )


def eigvalsh_tridiagonal_d(c, d, e):
    part = linalg.eigh_tridiagonal(d, e)[1]
    product = np.conj(part * part) * rt.unreduce(c, part, axis=-2)
    return rt.scatter(rt.unbroadcast(product, d[..., None]), d, (..., None))


def eigvalsh_tridiagonal_e(c, d, e):
    part = linalg.eigh_tridiagonal(d, e)[1]
    part_2 = part[..., 1:, :]
    product = np.conj(part[..., :-1, :] * part_2) * rt.unreduce(2 * c, part_2, axis=-2)
    return rt.scatter(rt.unbroadcast(product, e[..., None]), e, (..., None))


def eigh_tridiagonal_d(c, z, d):
    z_1 = z[1]
    T = rt.mT(z_1)
    conjugate = np.conj(z_1)
    matmul_pull_right = rt.matmul_pull_right(c[1], conjugate, like=T @ z_1)
    mul0 = rt.mul0(matmul_pull_right, np.conj(rt.vector_gaps(z[0])))
    product = rt.matmul_pull_right(mul0, np.conj(T), like=z_1) * conjugate
    total = product + np.conj(z_1 * z_1) * rt.unreduce(c[0], z_1, axis=-2)
    return rt.scatter(rt.unbroadcast(total, d[..., None]), d, (..., None))


def eigh_tridiagonal_e(c, z, e):
    z_1 = z[1]
    part = z_1[..., :-1, :]
    part_2 = z_1[..., 1:, :]
    T = rt.mT(part)
    matmul_pull_right = rt.matmul_pull_right(c[1], np.conj(z_1), like=T @ part_2)
    mul0 = rt.mul0(matmul_pull_right, np.conj(rt.vector_gaps(z[0])))
    matmul_pull_right_2 = rt.matmul_pull_right(mul0, np.conj(rt.mT(part_2)), like=part)
    e_part = e[..., None]
    unbroadcast = rt.unbroadcast(matmul_pull_right_2 * np.conj(part), e_part)
    product = rt.matmul_pull_right(mul0, np.conj(T), like=part_2) * np.conj(part_2)
    total = product + np.conj(part * part_2) * rt.unreduce(2 * c[0], part_2, axis=-2)
    return rt.scatter(unbroadcast + rt.unbroadcast(total, e_part), e, (..., None))


def svdvals_a(c, a):
    svd_a = np.linalg.svd(a, full_matrices=False)
    herm = rt.herm(svd_a[0])
    herm_2 = rt.herm(svd_a[2])
    product = herm @ a
    undiagonal_c = rt.undiagonal(c, product @ herm_2, 0, -2, -1)
    matmul_pull_left = rt.matmul_pull_left(undiagonal_c, np.conj(herm_2), like=product)
    return rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=a)


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
    matmul_pull_right = rt.matmul_pull_right(
        -product, conjugate_2, like=rt.herm(product_3)
    )
    conjugate_3 = np.conj(thin)
    herm_4 = rt.herm(rt.matmul_pull_left(product, conjugate_3, like=rt.herm(a)))
    conjugate_4 = np.conj(rt.singular_gaps(z_1))
    mul0 = rt.mul0(
        rt.matmul_pull_right(herm_3, conjugate_2, like=product_3), conjugate_4
    )
    conjugate_5 = np.conj(part)
    conjugate_6 = np.conj(rt.mT(part))
    total = conjugate_6 * mul0 + rt.undiagonal(c[1], product_3, 0, -2, -1)
    product_4 = c_0 * conjugate
    total_2 = total + rt.matmul_pull_right(-product_4, conjugate_3, like=product_3)
    total_3 = herm_4 + rt.matmul_pull_left(product_4, conjugate_2, like=a)
    matmul_pull_right_2 = rt.matmul_pull_right(c_0, conjugate_3, like=product_3)
    conjugate_7 = np.conj(reciprocal * np.eye(z_1.shape[-1], dtype=z_1.dtype) / 2)
    product_5 = conjugate_7 * matmul_pull_right_2
    mul0_2 = rt.mul0(matmul_pull_right_2, conjugate_4)
    total_4 = matmul_pull_right + mul0 * conjugate_5 - product_5 + conjugate_6 * mul0_2
    total_5 = total_2 + product_5 + rt.herm(total_4) + mul0_2 * conjugate_5
    matmul_pull_left = rt.matmul_pull_left(total_5, conjugate_2, like=product_2)
    return total_3 + rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=a)


def eigvals_a(c, z, a):
    eigenvectors_a = rt.eigenvectors(a, z)
    product = a @ eigenvectors_a
    solve = np.linalg.solve(eigenvectors_a, product)
    unbroadcast_c = rt.unbroadcast(c, np.diagonal(solve, 0, -2, -1))
    undiagonal = rt.undiagonal(unbroadcast_c, solve, 0, -2, -1)
    solve_for = rt.solve_for(rt.herm(eigenvectors_a), undiagonal, product)
    unbroadcast = rt.unbroadcast(solve_for, product)
    return rt.matmul_pull_left(unbroadcast, np.conj(eigenvectors_a), like=a)


def eig_a(c, z, a):
    c_1 = c[1]
    z_1 = z[1]
    total = np.sum(np.conj(c_1) * z_1, axis=-2, keepdims=True)
    untop = rt.untop(rt.times_i(np.imag(total), z_1) / np.conj(rt.top(z_1, z_1)), z_1)
    total_2 = c_1 - z_1 * np.real(total) + untop
    product = a @ z_1
    solve = np.linalg.solve(z_1, product)
    conjugate = np.conj(z_1)
    matmul_pull_right = rt.matmul_pull_right(total_2, conjugate, like=solve)
    mul0 = rt.mul0(matmul_pull_right, np.conj(rt.vector_gaps(rt.of_kind(z[0], z_1))))
    unbroadcast = rt.unbroadcast(c[0], np.diagonal(solve, 0, -2, -1))
    total_3 = mul0 + rt.undiagonal(unbroadcast, solve, 0, -2, -1)
    solve_for = rt.solve_for(rt.herm(z_1), total_3, product)
    return rt.matmul_pull_left(rt.unbroadcast(solve_for, product), conjugate, like=a)


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
    matmul_pull_right = rt.matmul_pull_right(-unbroadcast, conjugate, like=skew)
    total = rt.matmul_pull_right(c[1], np.conj(-z_1), like=skew) + matmul_pull_right
    skew_2 = rt.skew(total + rt.matmul_pull_left(unbroadcast, conjugate, like=skew))
    total_2 = unbroadcast + rt.schur_lower(schur_form, skew_2, True)
    matmul_pull_left = rt.matmul_pull_left(total_2, np.conj(z_1), like=product)
    return rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=a)


def schur_lower_t(c, z, t, adjoint):
    schur_lower_t = rt.schur_lower(t, c, not adjoint)
    herm_adjoint = rt.herm(np.triu(t), adjoint)
    conjugate_z = np.conj(z)
    total = rt.matmul_pull_right(
        schur_lower_t, conjugate_z, like=herm_adjoint
    ) + rt.matmul_pull_left(-schur_lower_t, conjugate_z, like=herm_adjoint)
    return rt.unbroadcast(np.triu(rt.herm(total, adjoint)), t)


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
    frechet_f = rt.frechet(f, rt.triangle(a, e), rt.herm(rt.triangle(zeros_like_c, c)))
    unbroadcast = rt.unbroadcast(rt.herm(frechet_f), rt.triangle(a, zeros_like_e))
    return rt.diagonal_blocks(unbroadcast)


def frechet_e(c, f, a, e):
    return rt.unbroadcast(rt.herm(rt.frechet(f, a, rt.herm(c))), e)


def frechet_power_a(c, a, e, t):
    zeros_like_e = rt.zeros_like(e)
    zeros_like_c = rt.zeros_like(c)
    herm = rt.herm(rt.triangle(zeros_like_c, c))
    herm_2 = rt.herm(rt.frechet_power(rt.triangle(a, e), herm, t))
    return rt.diagonal_blocks(rt.unbroadcast(herm_2, rt.triangle(a, zeros_like_e)))


def frechet_power_e(c, a, e, t):
    return rt.unbroadcast(rt.herm(rt.frechet_power(a, rt.herm(c), t)), e)


def frechet_power_t(c, a, e, t):
    triangle_a = rt.triangle(a, e)
    product = rt.matrix_log(triangle_a) @ linalg.fractional_matrix_power(triangle_a, t)
    return rt.unbroadcast(np.conj(rt.corner(product)) * c, t)


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
    herm = rt.herm(rt.triangle(zeros_like, c_1))
    herm_2 = rt.herm(rt.frechet(linalg.expm, rt.triangle(A, E), herm))
    unbroadcast = rt.unbroadcast(herm_2, rt.triangle(A, zeros_like_E))
    herm_3 = rt.herm(rt.frechet(linalg.expm, A, rt.herm(c[0])))
    return rt.diagonal_blocks(unbroadcast) + rt.unbroadcast(herm_3, A)


def expm_frechet_E(c, A, E):
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.expm, A, rt.herm(c[1]))), E)


def solve_sylvester_a(c, z, a, b):
    solve_sylvester = linalg.solve_sylvester(rt.herm(a), rt.herm(b), c)
    unbroadcast = rt.unbroadcast(solve_sylvester, -(a @ z))
    return rt.matmul_pull_left(-unbroadcast, np.conj(z), like=a)


def solve_sylvester_b(c, z, a, b):
    solve_sylvester = linalg.solve_sylvester(rt.herm(a), rt.herm(b), c)
    unbroadcast = rt.unbroadcast(solve_sylvester, -(z @ b))
    return rt.matmul_pull_right(-unbroadcast, np.conj(z), like=b)


def solve_sylvester_q(c, a, b, q):
    return rt.unbroadcast(linalg.solve_sylvester(rt.herm(a), rt.herm(b), c), q)


def solve_continuous_lyapunov_a(c, z, a):
    herm_a = rt.herm(a)
    minus = -rt.unbroadcast(linalg.solve_lyapunov(herm_a, c), -(a @ z) - z @ herm_a)
    conjugate_z = np.conj(z)
    herm = rt.herm(rt.matmul_pull_right(minus, conjugate_z, like=herm_a))
    return herm + rt.matmul_pull_left(minus, conjugate_z, like=a)


def solve_continuous_lyapunov_q(c, a, q):
    return rt.unbroadcast(linalg.solve_lyapunov(rt.herm(a), c), q)


def solve_discrete_lyapunov_a(c, z, a, method):
    herm_a = rt.herm(a)
    a_z = a @ z
    product = a_z @ herm_a
    solve_discrete_lyapunov = linalg.solve_discrete_lyapunov(herm_a, c, method=method)
    unbroadcast = rt.unbroadcast(solve_discrete_lyapunov, product + product)
    herm = rt.herm(rt.matmul_pull_right(unbroadcast, np.conj(a_z), like=herm_a))
    matmul_pull_left = rt.matmul_pull_left(unbroadcast, np.conj(herm_a), like=a_z)
    return herm + rt.matmul_pull_left(matmul_pull_left, np.conj(z), like=a)


def solve_discrete_lyapunov_q(c, a, q, method):
    return rt.unbroadcast(
        linalg.solve_discrete_lyapunov(rt.herm(a), c, method=method), q
    )


def solve_continuous_are_a(c, z, a, b, r):
    herm = rt.herm(rt.herm(a - b @ np.linalg.solve(r, rt.herm(b) @ z)))
    unbroadcast = rt.unbroadcast(linalg.solve_lyapunov(herm, c), rt.hermitian(z @ a))
    return rt.matmul_pull_right(2 * rt.hermitian(-unbroadcast), np.conj(z), like=a)


def solve_continuous_are_b(c, z, a, b, r):
    solve_r = np.linalg.solve(r, rt.herm(b) @ z)
    product = b @ solve_r
    hermitian = rt.hermitian(-(z @ product))
    solve_continuous_lyapunov = linalg.solve_lyapunov(rt.herm(rt.herm(a - product)), c)
    product_2 = 2 * rt.hermitian(-rt.unbroadcast(solve_continuous_lyapunov, hermitian))
    matmul_pull_right = rt.matmul_pull_right(product_2, np.conj(z), like=product)
    return rt.matmul_pull_left(-matmul_pull_right, np.conj(solve_r), like=b)


def solve_continuous_are_q(c, z, a, b, q, r):
    hermitian = rt.hermitian(rt.hermitian(q))
    herm = rt.herm(rt.herm(a - b @ np.linalg.solve(r, rt.herm(b) @ z)))
    unbroadcast = rt.unbroadcast(linalg.solve_lyapunov(herm, c), hermitian)
    return rt.hermitian(rt.hermitian(-unbroadcast))


def solve_continuous_are_r(c, z, a, b, r):
    solve_r = np.linalg.solve(r, rt.herm(b) @ z)
    herm = rt.herm(solve_r)
    hermitian_r = rt.hermitian(r)
    product = herm @ hermitian_r
    hermitian = rt.hermitian(product @ solve_r)
    herm_2 = rt.herm(rt.herm(a - b @ solve_r))
    unbroadcast = rt.unbroadcast(linalg.solve_lyapunov(herm_2, c), hermitian)
    hermitian_2 = rt.hermitian(-unbroadcast)
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(hermitian_2, np.conj(solve_r), like=product),
            np.conj(herm),
            like=hermitian_r,
        )
    )


def solve_discrete_are_a(c, z, a, b, r):
    product = rt.herm(b) @ z
    herm = rt.herm(a - b @ np.linalg.solve(r + product @ b, product @ a))
    product_2 = herm @ z
    solve_discrete_lyapunov = linalg.solve_discrete_lyapunov(rt.herm(herm), c)
    unbroadcast = rt.unbroadcast(solve_discrete_lyapunov, rt.hermitian(product_2 @ a))
    return rt.matmul_pull_right(
        2 * rt.hermitian(unbroadcast), np.conj(product_2), like=a
    )


def solve_discrete_are_b(c, z, a, b, r):
    product = rt.herm(b) @ z
    solve = np.linalg.solve(r + product @ b, product @ a)
    product_2 = b @ solve
    herm = rt.herm(a - product_2)
    product_3 = herm @ z
    hermitian = rt.hermitian(-(product_3 @ product_2))
    solve_discrete_lyapunov = linalg.solve_discrete_lyapunov(rt.herm(herm), c)
    product_4 = 2 * rt.hermitian(rt.unbroadcast(solve_discrete_lyapunov, hermitian))
    conjugate = np.conj(product_3)
    matmul_pull_right = rt.matmul_pull_right(product_4, conjugate, like=product_2)
    return rt.matmul_pull_left(-matmul_pull_right, np.conj(solve), like=b)


def solve_discrete_are_q(c, z, a, b, q, r):
    product = rt.herm(b) @ z
    herm = rt.herm(rt.herm(a - b @ np.linalg.solve(r + product @ b, product @ a)))
    solve_discrete_lyapunov = linalg.solve_discrete_lyapunov(herm, c)
    unbroadcast = rt.unbroadcast(solve_discrete_lyapunov, rt.hermitian(rt.hermitian(q)))
    return rt.hermitian(rt.hermitian(unbroadcast))


def solve_discrete_are_r(c, z, a, b, r):
    product = rt.herm(b) @ z
    solve = np.linalg.solve(r + product @ b, product @ a)
    herm = rt.herm(solve)
    hermitian_r = rt.hermitian(r)
    product_2 = herm @ hermitian_r
    hermitian = rt.hermitian(product_2 @ solve)
    herm_2 = rt.herm(rt.herm(a - b @ solve))
    unbroadcast = rt.unbroadcast(linalg.solve_discrete_lyapunov(herm_2, c), hermitian)
    hermitian_2 = rt.hermitian(unbroadcast)
    return rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(hermitian_2, np.conj(solve), like=product_2),
            np.conj(herm),
            like=hermitian_r,
        )
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
    ratio = c / np.conj(rt.label_counts(input, labels, index))
    return rt.label_pull(ratio, input, labels, index)


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
    flip = np.flip(np.conj(in2))
    return rt.convolution_pull(c, flip, in1, mode, True, boundary, True)


def correlate2d_in2(c, in1, in2, mode, boundary):
    conjugate = np.conj(rt.convolution_pull(c, in1, in2, mode, False, boundary, True))
    return np.flip(conjugate)


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
    lfilter_b = signal.lfilter(b, unit_a, x, axis)
    lfilter_axis = signal.lfilter(np.conj(unit_a), np.conj(a), np.flip(c, axis), axis)
    unbroadcast = rt.unbroadcast(np.flip(lfilter_axis, axis), lfilter_b)
    lfilter_x = signal.lfilter(rt.unit(unit_a), unit_a, x, axis)
    return rt.lag_sums(unbroadcast, lfilter_x, b, axis)


def lfilter_a(c, z, a, axis):
    unit_a = rt.unit(a)
    lfilter_a = signal.lfilter(a, unit_a, z, axis)
    lfilter_axis = signal.lfilter(np.conj(unit_a), np.conj(a), np.flip(c, axis), axis)
    unbroadcast = rt.unbroadcast(np.flip(lfilter_axis, axis), -lfilter_a)
    lfilter_z = signal.lfilter(rt.unit(unit_a), unit_a, z, axis)
    return rt.lag_sums(-unbroadcast, lfilter_z, a, axis)


def lfilter_x(c, b, a, x, axis):
    lfilter_axis = signal.lfilter(np.conj(b), np.conj(a), np.flip(c, axis), axis)
    return rt.unbroadcast(np.flip(lfilter_axis, axis), x)


def lag_sums_c(c_bar, c, v, axis):
    return rt.unbroadcast(signal.lfilter(c_bar, rt.unit(c_bar), v, axis), c)


def lag_sums_v(c_bar, c, v, axis):
    v_bar_part = signal.lfilter(np.conj(c_bar), rt.unit(c_bar), np.flip(c, axis), axis)
    return rt.unbroadcast(np.flip(v_bar_part, axis), v)


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
    product = np.conj(2 * rt.sides(z[1], nfft, nperseg, return_onesided, x)) * c[1]
    unreduce = rt.unreduce(product / rt.count(spectra_x, -1), spectra_x, axis=-1)
    return rt.line_pull(
        spectra_x * unreduce,
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
    product = np.take(c, row, 0) * np.conj(np.take(x, col, 0))
    return rt.unbroadcast(np.sum(np.reshape(product, (np.size(row), -1)), 1), data)


def times_entries_x(c, data, row, col, x):
    times_entries = rt.times_entries(np.conj(data), col, row, np.shape(x)[0], c)
    return rt.unbroadcast(times_entries, x)


def solve_entries_data(c, z, data, row, col, n):
    solve_entries = rt.solve_entries(np.conj(data), col, row, n, c)
    unbroadcast = rt.unbroadcast(solve_entries, -rt.times_entries(data, row, col, n, z))
    product = np.take(-unbroadcast, row, 0) * np.conj(np.take(z, col, 0))
    return rt.unbroadcast(np.sum(np.reshape(product, (np.size(row), -1)), 1), data)


def solve_entries_b(c, data, row, col, n, b):
    return rt.unbroadcast(rt.solve_entries(np.conj(data), col, row, n, c), b)


def spsolve_b(c, A, b):
    return rt.unbroadcast(sparse_linalg.spsolve(rt.sparse_adjoint(A), c), b)


def expm_multiply_A(c, A, B):
    frechet_A = rt.frechet(linalg.expm, A, A)
    herm = rt.herm(rt.matmul_pull_left(c, np.conj(B), like=frechet_A))
    return rt.unbroadcast(rt.herm(rt.frechet(linalg.expm, A, herm)), A)


def expm_multiply_B(c, A, B):
    return rt.unbroadcast(sparse_linalg.expm_multiply(rt.sparse_adjoint(A), c), B)


def krylov_solve_a(c, z, f, a, rtol, atol, maxiter):
    krylov_solve_f = rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter)
    unbroadcast = rt.unbroadcast(krylov_solve_f, -(a @ z))
    return rt.matmul_pull_left(-unbroadcast, np.conj(z), like=a)


def krylov_solve_b(c, f, a, b, rtol, atol, maxiter):
    krylov_solve_f = rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter)
    return rt.unbroadcast(krylov_solve_f, b)


def cg_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    krylov_solve = rt.krylov_solve(
        sparse_linalg.cg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
    )
    unbroadcast = rt.unbroadcast(krylov_solve, -(A @ z_0))
    return rt.matmul_pull_left(-unbroadcast, np.conj(z_0), like=A)


def cg_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.cg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def gmres_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    krylov_solve = rt.krylov_solve(
        sparse_linalg.gmres, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
    )
    unbroadcast = rt.unbroadcast(krylov_solve, -(A @ z_0))
    return rt.matmul_pull_left(-unbroadcast, np.conj(z_0), like=A)


def gmres_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.gmres, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def bicgstab_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    krylov_solve = rt.krylov_solve(
        sparse_linalg.bicgstab, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
    )
    unbroadcast = rt.unbroadcast(krylov_solve, -(A @ z_0))
    return rt.matmul_pull_left(-unbroadcast, np.conj(z_0), like=A)


def bicgstab_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.bicgstab, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def bicg_A(c, z, A, rtol, atol, maxiter):
    z_0 = z[0]
    krylov_solve = rt.krylov_solve(
        sparse_linalg.bicg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
    )
    unbroadcast = rt.unbroadcast(krylov_solve, -(A @ z_0))
    return rt.matmul_pull_left(-unbroadcast, np.conj(z_0), like=A)


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
    product = np.conj((special.jv(v - 1, x) - special.jv(v + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def yv_x(c, v, x):
    product = np.conj((special.yv(v - 1, x) - special.yv(v + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def yn_x(c, n, x):
    trunc_n = np.trunc(n)
    product = np.conj((special.yn(trunc_n - 1, x) - special.yn(trunc_n + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def jve_x(c, z, v, x):
    product = np.conj((special.jve(v - 1, x) - special.jve(v + 1, x)) / 2) * c
    total = rt.times_i(np.real(-(np.conj(z * rt.sign(np.imag(x))) * c)), x) + product
    return rt.unbroadcast(total, x)


def yve_x(c, z, v, x):
    product = np.conj((special.yve(v - 1, x) - special.yve(v + 1, x)) / 2) * c
    total = rt.times_i(np.real(-(np.conj(z * rt.sign(np.imag(x))) * c)), x) + product
    return rt.unbroadcast(total, x)


def hankel1_x(c, v, x):
    product = np.conj((special.hankel1(v - 1, x) - special.hankel1(v + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def hankel2_x(c, v, x):
    product = np.conj((special.hankel2(v - 1, x) - special.hankel2(v + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def hankel1e_x(c, z, v, x):
    difference = (special.hankel1e(v - 1, x) - special.hankel1e(v + 1, x)) / 2 - 1j * z
    return rt.unbroadcast(np.conj(difference) * c, x)


def hankel2e_x(c, z, v, x):
    total = (special.hankel2e(v - 1, x) - special.hankel2e(v + 1, x)) / 2 + 1j * z
    return rt.unbroadcast(np.conj(total) * c, x)


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
    ratio = (special.kn(trunc_n - 1, x) + special.kn(trunc_n + 1, x)) / 2
    return rt.unbroadcast(np.conj(-ratio) * c, x)


def iv_v(c, v, x):
    return rt.unbroadcast(np.conj(np.exp(x) * rt.ive_partial(1, v, x)) * c, v)


def iv_x(c, v, x):
    product = np.conj((special.iv(v - 1, x) + special.iv(v + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def ive_v(c, v, x):
    return rt.unbroadcast(np.conj(rt.ive_partial(1, v, x)) * c, v)


def ive_x(c, z, v, x):
    product = np.conj((special.ive(v - 1, x) + special.ive(v + 1, x)) / 2) * c
    return rt.unbroadcast(np.real(-(np.conj(z * rt.sign(np.real(x))) * c)) + product, x)


def kv_v(c, v, x):
    return rt.unbroadcast(np.conj(np.exp(-x) * rt.kve_partial(1, v, x)) * c, v)


def kv_x(c, v, x):
    product = np.conj(-((special.kv(v - 1, x) + special.kv(v + 1, x)) / 2)) * c
    return rt.unbroadcast(product, x)


def kve_v(c, v, x):
    return rt.unbroadcast(np.conj(rt.kve_partial(1, v, x)) * c, v)


def kve_x(c, z, v, x):
    product = np.conj(z - (special.kve(v - 1, x) + special.kve(v + 1, x)) / 2) * c
    return rt.unbroadcast(product, x)


def ive_partial_v(c, n, v, x):
    return rt.unbroadcast(np.conj(rt.ive_partial(n + 1, v, x)) * c, v)


def ive_partial_x(c, z, n, v, x):
    difference = (rt.ive_partial(n, v - 1, x) + rt.ive_partial(n, v + 1, x)) / 2 - z
    return rt.unbroadcast(np.conj(difference) * c, x)


def kve_partial_v(c, n, v, x):
    return rt.unbroadcast(np.conj(rt.kve_partial(n + 1, v, x)) * c, v)


def kve_partial_x(c, z, n, v, x):
    difference = z - (rt.kve_partial(n, v - 1, x) + rt.kve_partial(n, v + 1, x)) / 2
    return rt.unbroadcast(np.conj(difference) * c, x)


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
    product = np.conj(rt.spherical_partial("jn", 1 + derivative, n, x)) * c
    return rt.unbroadcast(product, x)


def spherical_yn_x(c, n, x, derivative):
    product = np.conj(rt.spherical_partial("yn", 1 + derivative, n, x)) * c
    return rt.unbroadcast(product, x)


def spherical_in_x(c, n, x, derivative):
    product = np.conj(rt.spherical_partial("in", 1 + derivative, n, x)) * c
    return rt.unbroadcast(product, x)


def spherical_kn_x(c, n, x, derivative):
    product = np.conj(rt.spherical_partial("kn", 1 + derivative, n, x)) * c
    return rt.unbroadcast(product, x)


def spherical_partial_x(c, kind, m, n, x):
    return rt.unbroadcast(np.conj(rt.spherical_partial(kind, m + 1, n, x)) * c, x)


def airy_x(c, z, x):
    total = np.conj(x * z[2]) * c[3] + np.conj(z[3]) * c[2] + np.conj(x * z[0]) * c[1]
    return total + np.conj(z[1]) * c[0]


def struve_x(c, v, x):
    ratio = (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    ratio_2 = (special.struve(v - 1, x) - special.struve(v + 1, x) + ratio) / 2
    return rt.unbroadcast(np.conj(ratio_2) * c, x)


def modstruve_x(c, v, x):
    total = special.modstruve(v - 1, x) + special.modstruve(v + 1, x)
    ratio = (total + (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))) / 2
    return rt.unbroadcast(np.conj(ratio) * c, x)


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
    minus = -(rt.gammainc_partial(1, 0, a, z) * (c / rt.gammainc_partial(0, 1, a, z)))
    return rt.unbroadcast(minus, a)


def gammaincinv_y(c, z, a, y):
    return rt.unbroadcast(c / rt.gammainc_partial(0, 1, a, z), y)


def gammainccinv_a(c, z, a):
    minus = -(rt.gammainc_partial(1, 0, a, z) * (c / rt.gammainc_partial(0, 1, a, z)))
    return rt.unbroadcast(minus, a)


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
    ratio = c / rt.betainc_partial(0, 0, 1, a, b, z)
    return rt.unbroadcast(-(rt.betainc_partial(1, 0, 0, a, b, z) * ratio), a)


def betaincinv_b(c, z, a, b):
    ratio = c / rt.betainc_partial(0, 0, 1, a, b, z)
    return rt.unbroadcast(-(rt.betainc_partial(0, 1, 0, a, b, z) * ratio), b)


def betaincinv_y(c, z, a, b, y):
    return rt.unbroadcast(c / rt.betainc_partial(0, 0, 1, a, b, z), y)


def betainccinv_a(c, z, a, b):
    ratio = c / rt.betainc_partial(0, 0, 1, a, b, z)
    return rt.unbroadcast(-(rt.betainc_partial(1, 0, 0, a, b, z) * ratio), a)


def betainccinv_b(c, z, a, b):
    ratio = c / rt.betainc_partial(0, 0, 1, a, b, z)
    return rt.unbroadcast(-(rt.betainc_partial(0, 1, 0, a, b, z) * ratio), b)


def betainccinv_y(c, z, a, b, y):
    return rt.unbroadcast(-(c / rt.betainc_partial(0, 0, 1, a, b, z)), y)


def btdtria_p(c, z, p, b, x):
    return rt.unbroadcast(c / rt.betainc_partial(1, 0, 0, z, b, x), p)


def btdtria_b(c, z, b, x):
    ratio = c / rt.betainc_partial(1, 0, 0, z, b, x)
    return rt.unbroadcast(-(rt.betainc_partial(0, 1, 0, z, b, x) * ratio), b)


def btdtria_x(c, z, b, x):
    ratio = c / rt.betainc_partial(1, 0, 0, z, b, x)
    return rt.unbroadcast(-(rt.betainc_partial(0, 0, 1, z, b, x) * ratio), x)


def btdtrib_a(c, z, a, x):
    ratio = c / rt.betainc_partial(0, 1, 0, a, z, x)
    return rt.unbroadcast(-(rt.betainc_partial(1, 0, 0, a, z, x) * ratio), a)


def btdtrib_p(c, z, a, p, x):
    return rt.unbroadcast(c / rt.betainc_partial(0, 1, 0, a, z, x), p)


def btdtrib_x(c, z, a, x):
    ratio = c / rt.betainc_partial(0, 1, 0, a, z, x)
    return rt.unbroadcast(-(rt.betainc_partial(0, 0, 1, a, z, x) * ratio), x)


def bdtr_p(c, k, n, p):
    floor_k = np.floor(k)
    minus = -(rt.betainc_partial(0, 0, 1, floor_k + 1, np.trunc(n) - floor_k, p) * c)
    return rt.unbroadcast(minus, p)


def bdtrc_p(c, k, n, p):
    floor_k = np.floor(k)
    product = rt.betainc_partial(0, 0, 1, floor_k + 1, np.trunc(n) - floor_k, p) * c
    return rt.unbroadcast(product, p)


def bdtri_y(c, z, k, n, y):
    floor_k = np.floor(k)
    minus = -(c / rt.betainc_partial(0, 0, 1, floor_k + 1, np.trunc(n) - floor_k, z))
    return rt.unbroadcast(minus, y)


def nbdtr_p(c, k, n, p):
    product = rt.betainc_partial(0, 0, 1, np.trunc(n), np.trunc(k) + 1, p) * c
    return rt.unbroadcast(product, p)


def nbdtrc_p(c, k, n, p):
    product = rt.betainc_partial(0, 0, 1, np.trunc(n), np.trunc(k) + 1, p) * c
    return rt.unbroadcast(-product, p)


def nbdtri_y(c, z, k, n, y):
    ratio = c / rt.betainc_partial(0, 0, 1, np.trunc(n), np.trunc(k) + 1, z)
    return rt.unbroadcast(ratio, y)


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
    ratio_3 = c / rt.gammainc_partial(0, 1, ratio, ratio_2)
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, ratio, ratio_2) * ratio_3), v)


def chdtri_p(c, z, v, p):
    return rt.unbroadcast(-2 * (c / rt.gammainc_partial(0, 1, v / 2, z / 2)), p)


def chdtriv_p(c, z, p, x):
    return rt.unbroadcast(2 * (c / rt.gammainc_partial(1, 0, z / 2, x / 2)), p)


def chdtriv_x(c, z, x):
    ratio = z / 2
    ratio_2 = x / 2
    ratio_3 = c / rt.gammainc_partial(1, 0, ratio, ratio_2)
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, ratio, ratio_2) * ratio_3), x)


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
    ratio = c / a / rt.gammainc_partial(0, 1, b, a_z)
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, b, a_z) * ratio), b)


def gdtrix_p(c, z, a, b, p):
    return rt.unbroadcast(c / a / rt.gammainc_partial(0, 1, b, a * z), p)


def gdtria_p(c, z, p, b, x):
    return rt.unbroadcast(c / x / rt.gammainc_partial(0, 1, b, z * x), p)


def gdtria_b(c, z, b, x):
    z_x = z * x
    ratio = c / x / rt.gammainc_partial(0, 1, b, z_x)
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, b, z_x) * ratio), b)


def gdtria_x(c, z, x):
    return rt.unbroadcast(-(z * (c / x)), x)


def gdtrib_a(c, z, a, x):
    a_x = a * x
    ratio = c / rt.gammainc_partial(1, 0, z, a_x)
    return rt.unbroadcast(-(x * (rt.gammainc_partial(0, 1, z, a_x) * ratio)), a)


def gdtrib_p(c, z, a, p, x):
    return rt.unbroadcast(c / rt.gammainc_partial(1, 0, z, a * x), p)


def gdtrib_x(c, z, a, x):
    a_x = a * x
    ratio = c / rt.gammainc_partial(1, 0, z, a_x)
    return rt.unbroadcast(-(a * (rt.gammainc_partial(0, 1, z, a_x) * ratio)), x)


def fdtr_dfn(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    product = rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c
    product_2 = rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * c
    return rt.unbroadcast(dfd * x * product + product_2, dfn)


def fdtr_dfd(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    product = rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c
    product_2 = rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * c
    return rt.unbroadcast(product_2 - dfn_x * product, dfd)


def fdtr_x(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    betainc_partial = rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, dfn_x / total)
    return rt.unbroadcast(dfd * dfn * (betainc_partial / (total * total) * c), x)


def fdtrc_dfn(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    product = rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c
    product_2 = rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * c
    return rt.unbroadcast(-(dfd * x * product + product_2), dfn)


def fdtrc_dfd(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_x / total
    product = rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c
    product_2 = rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * c
    return rt.unbroadcast(dfn_x * product - product_2, dfd)


def fdtrc_x(c, dfn, dfd, x):
    dfn_x = dfn * x
    total = dfn_x + dfd
    betainc_partial = rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, dfn_x / total)
    return rt.unbroadcast(-(dfd * dfn * (betainc_partial / (total * total) * c)), x)


def fdtri_dfn(c, z, dfn, dfd):
    dfn_z = dfn * z
    total = dfn_z + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_z / total
    ratio_4 = rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2
    product = rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) * dfn * dfd
    total_2 = z * c / dfn + ratio_4 * (c / (product / (total * total)))
    return rt.unbroadcast(-total_2, dfn)


def fdtri_dfd(c, z, dfn, dfd):
    dfn_z = dfn * z
    total = dfn_z + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = dfn_z / total
    ratio_4 = rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2
    product = rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) * dfn * dfd
    return rt.unbroadcast(
        z * c / dfd - ratio_4 * (c / (product / (total * total))), dfd
    )


def fdtri_p(c, z, dfn, dfd, p):
    dfn_z = dfn * z
    total = dfn_z + dfd
    product = rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, dfn_z / total) * dfn * dfd
    return rt.unbroadcast(c / (product / (total * total)), p)


def stdtr_df(c, df, t):
    return rt.unbroadcast(rt.stdtr_partial(1, 0, df, t) * c, df)


def stdtr_t(c, df, t):
    return rt.unbroadcast(rt.stdtr_partial(0, 1, df, t) * c, t)


def stdtrit_df(c, z, df):
    product = rt.stdtr_partial(1, 0, df, z) * (c / rt.stdtr_partial(0, 1, df, z))
    return rt.unbroadcast(-product, df)


def stdtrit_p(c, z, df, p):
    return rt.unbroadcast(c / rt.stdtr_partial(0, 1, df, z), p)


def stdtridf_p(c, z, p, t):
    return rt.unbroadcast(c / rt.stdtr_partial(1, 0, z, t), p)


def stdtridf_t(c, z, t):
    product = rt.stdtr_partial(0, 1, z, t) * (c / rt.stdtr_partial(1, 0, z, t))
    return rt.unbroadcast(-product, t)


def chndtr_x(c, x, df, nc):
    sqrt = np.sqrt(nc * x)
    product = np.exp(sqrt - (x + nc) / 2) / 2 * (x / nc) ** (df / 4 - 0.5)
    return rt.unbroadcast(np.conj(product * special.ive(df / 2 - 1, sqrt)) * c, x)


def chndtr_nc(c, x, df, nc):
    sqrt = np.sqrt(nc * x)
    product = np.exp(sqrt - (x + nc) / 2) / 2 * (x / nc) ** (df / 4)
    return rt.unbroadcast(-(np.conj(product * special.ive(df / 2, sqrt)) * c), nc)


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
    product_2 = conjugate_z * rt.unreduce(np.sum(-product, axis=axis), x, axis=axis)
    return product + product_2


def log_softmax_x(c, z, x, axis):
    return c + np.conj(np.exp(z)) * rt.unreduce(np.sum(-c, axis=axis), x, axis=axis)


def logsumexp_a(c, z, a, axis, b, keepdims):
    stretch_over_a = rt.stretch_over(a, b)
    unreduce_z = rt.unreduce(z, stretch_over_a, axis=axis, keepdims=keepdims)
    exp = np.exp(stretch_over_a - unreduce_z)
    unreduce_c = rt.unreduce(c, exp, axis=axis, keepdims=keepdims)
    return rt.unbroadcast(np.conj(rt.one_if_none(b) * exp) * unreduce_c, a)


def logsumexp_b(c, z, a, axis, b, keepdims):
    stretch_over_a = rt.stretch_over(a, b)
    unreduce_z = rt.unreduce(z, stretch_over_a, axis=axis, keepdims=keepdims)
    exp = np.exp(stretch_over_a - unreduce_z)
    product = np.conj(exp) * rt.unreduce(c, exp, axis=axis, keepdims=keepdims)
    return rt.unbroadcast(product, b)


def xlogy_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(np.where((x == 0) & (y == 0), 1, y))) * c, x)


def xlogy_y(c, x, y):
    return rt.unbroadcast(np.conj(rt.div0(x, y)) * c, y)


def xlog1py_x(c, x, y):
    product = np.conj(np.log1p(np.where((x == 0) & (y == -1), 0, y))) * c
    return rt.unbroadcast(product, x)


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
    product = np.conj(np.where(absolute_r > delta, absolute_r - delta, 0)) * c
    return rt.unbroadcast(product, delta)


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
    product = np.conj(log_x * log_x * rt.exprel_partial(1, lmbda * log_x)) * c
    return rt.unbroadcast(product, lmbda)


def boxcox1p_x(c, x, lmbda):
    return rt.unbroadcast(np.conj((1 + x) ** (lmbda - 1)) * c, x)


def boxcox1p_lmbda(c, x, lmbda):
    log1p_x = np.log1p(x)
    product = np.conj(log1p_x * log1p_x * rt.exprel_partial(1, lmbda * log1p_x)) * c
    return rt.unbroadcast(product, lmbda)


def inv_boxcox_y(c, z, y, lmbda):
    return rt.unbroadcast(np.conj(z ** (1 - lmbda)) * c, y)


def inv_boxcox_lmbda(c, z, lmbda):
    log_z = np.log(z)
    conjugate = np.conj(log_z * log_z * rt.exprel_partial(1, lmbda * log_z))
    return rt.unbroadcast(-(conjugate * (np.conj(z ** (1 - lmbda)) * c)), lmbda)


def inv_boxcox1p_y(c, z, y, lmbda):
    return rt.unbroadcast(np.conj((1 + z) ** (1 - lmbda)) * c, y)


def inv_boxcox1p_lmbda(c, z, lmbda):
    log1p_z = np.log1p(z)
    conjugate = np.conj(log1p_z * log1p_z * rt.exprel_partial(1, lmbda * log1p_z))
    return rt.unbroadcast(-(conjugate * (np.conj((1 + z) ** (1 - lmbda)) * c)), lmbda)


def tklmbda_x(c, z, x, lmbda):
    tklmbda_lmbda = special.tklmbda(-x, lmbda)
    and_ = (z > 0) & (tklmbda_lmbda > 0)
    lmbda_minus_1 = lmbda - 1
    power = np.where(and_, tklmbda_lmbda, 0.5) ** lmbda_minus_1
    where = np.where(and_, 1 / (np.where(and_, z, 0.5) ** lmbda_minus_1 + power), 0)
    return rt.unbroadcast(np.conj(where) * c, x)


def tklmbda_lmbda(c, z, x, lmbda):
    tklmbda_lmbda = special.tklmbda(-x, lmbda)
    and_ = (z > 0) & (tklmbda_lmbda > 0)
    where_z = np.where(and_, z, 0.5)
    where = np.where(and_, tklmbda_lmbda, 0.5)
    log = np.log(where_z)
    log_2 = np.log(where)
    product = log * log * rt.exprel_partial(1, lmbda * log)
    lmbda_minus_1 = lmbda - 1
    where_2 = np.where(and_, 1 / (where_z**lmbda_minus_1 + where**lmbda_minus_1), 0)
    conjugate = np.conj(product - log_2 * log_2 * rt.exprel_partial(1, lmbda * log_2))
    return rt.unbroadcast(-(conjugate * (np.conj(where_2) * c)), lmbda)


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
    product = np.conj((power / difference) ** k / np.sqrt(difference)) * c
    return rt.unbroadcast(product, phi)


def ellipkinc_moment_m(c, k, phi, m):
    product = np.conj((k + 0.5) * rt.ellipkinc_moment(k + 1, phi, m)) * c
    return rt.unbroadcast(product, m)


def ellipeinc_moment_phi(c, k, phi, m):
    power = np.sin(phi) ** 2
    difference = 1 - m * power
    product = np.conj((power / difference) ** k * np.sqrt(difference)) * c
    return rt.unbroadcast(product, phi)


def ellipeinc_moment_m(c, k, phi, m):
    product = np.conj((k - 0.5) * rt.ellipeinc_moment(k + 1, phi, m)) * c
    return rt.unbroadcast(product, m)


def ellipj_u(c, z, u, m):
    z_0 = z[0]
    z_1 = z[1]
    z_2 = z[2]
    product = z_2 * (c[3] - m * z_0 * z_1 * (c[2] / z_2) - z_0 * c[1] + z_1 * c[0])
    return rt.unbroadcast(product, u)


def ellipj_m(c, z, m):
    z_0 = z[0]
    z_1 = z[1]
    z_2 = z[2]
    ratio = c[2] / z_2
    total = c[3] - m * z_0 * z_1 * ratio - z_0 * c[1] + z_1 * c[0]
    total_2 = z_0 * z_0 / 2 * ratio + z_2 * rt.ellipkinc_moment(1, z[3], m) / 2 * total
    return rt.unbroadcast(-total_2, m)


def agm_a(c, z, a, b):
    conjugate = np.conj(np.abs(a) * special.elliprd(0, b * b, a * a))
    return rt.unbroadcast(conjugate * (2 / (3 * np.pi) * z * z * c), a)


def agm_b(c, z, a, b):
    conjugate = np.conj(np.abs(b) * special.elliprd(0, a * a, b * b))
    return rt.unbroadcast(conjugate * (2 / (3 * np.pi) * z * z * c), b)


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
    ratio = (3 * special.elliprf(x, y, w) - x * special.elliprd(y, w, x)) / 12
    return rt.unbroadcast(np.conj(ratio) * c, x)


def elliprg_y(c, x, y, w):
    ratio = (3 * special.elliprf(x, y, w) - y * special.elliprd(w, x, y)) / 12
    return rt.unbroadcast(np.conj(ratio) * c, y)


def elliprg_w(c, x, y, w):
    ratio = (3 * special.elliprf(x, y, w) - w * special.elliprd(x, y, w)) / 12
    return rt.unbroadcast(np.conj(ratio) * c, w)


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
    product = np.conj(rt.elliprj_partial(i + 1, j, k, m, x, y, w, p)) * c
    return rt.unbroadcast(product, x)


def elliprj_partial_y(c, i, j, k, m, x, y, w, p):
    product = np.conj(rt.elliprj_partial(i, j + 1, k, m, x, y, w, p)) * c
    return rt.unbroadcast(product, y)


def elliprj_partial_w(c, i, j, k, m, x, y, w, p):
    product = np.conj(rt.elliprj_partial(i, j, k + 1, m, x, y, w, p)) * c
    return rt.unbroadcast(product, w)


def elliprj_partial_p(c, i, j, k, m, x, y, w, p):
    product = np.conj(rt.elliprj_partial(i, j, k, m + 1, x, y, w, p)) * c
    return rt.unbroadcast(product, p)


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
    product = np.conj(std * math.sqrt(2 * math.pi) * np.exp(ndtri_p * ndtri_p / 2)) * c
    return rt.unbroadcast(-product, p)


def nrdtrimn_std(c, p, std):
    return rt.unbroadcast(-(np.conj(special.ndtri(p)) * c), std)


def nrdtrimn_x(c, x):
    return rt.unbroadcast(c, x)


def nrdtrisd_mn(c, mn, p):
    return rt.unbroadcast(-(c / np.conj(special.ndtri(p))), mn)


def nrdtrisd_p(c, z, p):
    ndtri_p = special.ndtri(p)
    conjugate = np.conj(z * math.sqrt(2 * math.pi) * np.exp(ndtri_p * ndtri_p / 2))
    return rt.unbroadcast(-(conjugate * (c / np.conj(ndtri_p))), p)


def nrdtrisd_x(c, p, x):
    return rt.unbroadcast(c / np.conj(special.ndtri(p)), x)


def voigt_profile_x(c, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    real = np.real(rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j)
    return rt.unbroadcast(real / (product * sigma * math.sqrt(2 * math.pi)) * c, x)


def voigt_profile_sigma(c, z, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j
    product_2 = product * sigma * math.sqrt(2 * math.pi)
    difference = x * (np.real(ratio) / product_2) - gamma * (np.imag(ratio) / product_2)
    return rt.unbroadcast(-((difference / sigma + z / sigma) * c), sigma)


def voigt_profile_gamma(c, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    imag = np.imag(rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j)
    product_2 = imag / (product * sigma * math.sqrt(2 * math.pi)) * c
    return rt.unbroadcast(-product_2, gamma)


def owens_t_h(c, h, a):
    product = np.exp(-(h * h / 2)) * special.erf(a * h / math.sqrt(2))
    return rt.unbroadcast(np.conj(-(product / (2 * math.sqrt(2 * math.pi)))) * c, h)


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
    product = np.conj(z * (special.psi(n + 1) - special.psi(n - k + 1))) * c
    return rt.unbroadcast(product, n)


def binom_k(c, z, n, k):
    product = np.conj(z * (special.psi(n - k + 1) - special.psi(k + 1))) * c
    return rt.unbroadcast(product, k)


def comb_n(c, z, n, k):
    product = np.conj(rt.mul0(z, special.psi(n + 1) - special.psi(n - k + 1))) * c
    return rt.unbroadcast(product, n)


def comb_k(c, z, n, k):
    product = np.conj(rt.mul0(z, special.psi(n - k + 1) - special.psi(k + 1))) * c
    return rt.unbroadcast(product, k)


def perm_n(c, z, n, k):
    product = np.conj(rt.mul0(z, special.psi(n + 1) - special.psi(n - k + 1))) * c
    return rt.unbroadcast(product, n)


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
    product = n * rt.zeta_partial(n - 1, x_plus_1, q)
    product_2 = np.conj(x * rt.zeta_partial(n, x_plus_1, q) + product) * c
    return rt.unbroadcast(-product_2, q)


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
    product = np.conj(rt.spherical_partial("in", 0, 0, x)) * c[0]
    return np.conj(np.cosh(x) / x) * c[1] + product


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
    x_bar_part = np.conj(a * b * special.hyp2f1(a + 1, b + 1, c + 1, x) / c) * c_bar
    return rt.unbroadcast(x_bar_part, x)


def hyperu_x(c, a, b, x):
    return rt.unbroadcast(np.conj(-(a * special.hyperu(a + 1, b + 1, x))) * c, x)


def lambertw_x(c, z, x):
    return rt.unbroadcast(np.conj(np.exp(-z) / (1 + z)) * c, x)


def wrightomega_x(c, z):
    return np.conj(z / (1 + z)) * c


# --- scipy.special.polynomials --------------------------------------------------------


def eval_legendre_x(c, n, x):
    product = np.conj((n + 1) / 2 * special.eval_jacobi(n - 1, 1, 1, x)) * c
    return rt.unbroadcast(product, x)


def eval_chebyt_x(c, n, x):
    return rt.unbroadcast(np.conj(n * special.eval_chebyu(n - 1, x)) * c, x)


def eval_chebyu_x(c, n, x):
    return rt.unbroadcast(np.conj(2 * special.eval_gegenbauer(n - 1, 2, x)) * c, x)


def eval_chebyc_x(c, n, x):
    return rt.unbroadcast(np.conj(n * special.eval_chebyu(n - 1, x / 2)) * c, x)


def eval_chebys_x(c, n, x):
    return rt.unbroadcast(np.conj(special.eval_gegenbauer(n - 1, 2, x / 2)) * c, x)


def eval_gegenbauer_x(c, n, alpha, x):
    product = np.conj(2 * alpha * special.eval_gegenbauer(n - 1, alpha + 1, x)) * c
    return rt.unbroadcast(product, x)


def eval_jacobi_x(c, n, alpha, beta, x):
    eval_jacobi_x = special.eval_jacobi(n - 1, alpha + 1, beta + 1, x)
    return rt.unbroadcast(np.conj((n + alpha + beta + 1) / 2 * eval_jacobi_x) * c, x)


def eval_hermite_x(c, n, x):
    product = np.conj(2 * n * special.eval_hermite(np.abs(n - 1), x)) * c
    return rt.unbroadcast(product, x)


def eval_hermitenorm_x(c, n, x):
    product = np.conj(n * special.eval_hermitenorm(np.abs(n - 1), x)) * c
    return rt.unbroadcast(product, x)


def eval_laguerre_x(c, n, x):
    return rt.unbroadcast(np.conj(-special.eval_genlaguerre(n - 1, 1, x)) * c, x)


def eval_genlaguerre_x(c, n, alpha, x):
    product = np.conj(-special.eval_genlaguerre(n - 1, alpha + 1, x)) * c
    return rt.unbroadcast(product, x)


def eval_sh_legendre_x(c, n, x):
    product = np.conj((n + 1) * special.eval_jacobi(n - 1, 1, 1, 2 * x - 1)) * c
    return rt.unbroadcast(product, x)


def eval_sh_chebyt_x(c, n, x):
    return rt.unbroadcast(np.conj(2 * n * special.eval_chebyu(n - 1, 2 * x - 1)) * c, x)


def eval_sh_chebyu_x(c, n, x):
    product = np.conj(4 * special.eval_gegenbauer(n - 1, 2, 2 * x - 1)) * c
    return rt.unbroadcast(product, x)


def eval_sh_jacobi_x(c, n, p, q, x):
    product = np.conj(n * special.eval_sh_jacobi(n - 1, p + 2, q + 1, x)) * c
    return rt.unbroadcast(product, x)


def lpmv_x(c, z, m, v, x):
    ratio = (v * x * z - (v + m) * special.lpmv(m, v - 1, x)) / ((x - 1) * (x + 1))
    return rt.unbroadcast(np.conj(ratio) * c, x)


def sph_harm_y_theta(c, n, m, theta, phi):
    n_minus_m = n - m
    n_plus_m = n + m
    sqrt = np.sqrt(np.maximum(n_minus_m * (n_plus_m + 1), 0))
    product = sqrt * special.sph_harm_y(n, m + 1, theta, phi) * np.exp(-1j * phi)
    sqrt_2 = np.sqrt(np.maximum(n_plus_m * (n_minus_m + 1), 0))
    product_2 = sqrt_2 * special.sph_harm_y(n, m - 1, theta, phi) * np.exp(1j * phi)
    return rt.unbroadcast(np.conj((product - product_2) / 2) * c, theta)


def sph_harm_y_phi(c, z, m, phi):
    return rt.unbroadcast(np.conj(1j * m * z) * c, phi)


# --- scipy.stats.descriptive ----------------------------------------------------------


def gmean_a(c, z, a, axis, keepdims):
    ratio = np.conj(z) * c / rt.count(a, axis)
    return rt.unreduce(ratio, a, axis=axis, keepdims=keepdims) / np.conj(a)


def hmean_a(c, z, a, axis, keepdims):
    ratio = np.conj(z * z) * c / rt.count(a, axis)
    return rt.unreduce(ratio, a, axis=axis, keepdims=keepdims) / np.conj(a * a)


def pmean_a(c, z, a, p, axis, keepdims):
    ratio = np.conj(z ** (1 - p)) * c / rt.count(a, axis)
    return np.conj(a ** (p - 1)) * rt.unreduce(ratio, a, axis=axis, keepdims=keepdims)


def sem_a(c, z, a, axis, ddof, keepdims):
    count_a = rt.count(a, axis)
    ratio = rt.divide_or_zero(c, np.conj((count_a - ddof) * z)) / count_a
    unreduce_a = rt.unreduce(ratio, a, axis=axis, keepdims=keepdims)
    return np.conj(a - np.mean(a, axis=axis, keepdims=True)) * unreduce_a


def variation_a(c, z, a, axis, ddof, keepdims):
    count_a = rt.count(a, axis)
    mean_a = np.mean(a, axis=axis, keepdims=keepdims)
    ratio = np.conj(z / mean_a) * c / count_a
    conjugate = np.conj((count_a - ddof) / count_a * z * mean_a * mean_a)
    ratio_2 = rt.divide_or_zero(c, conjugate) / count_a
    unreduce_a = rt.unreduce(ratio_2, a, axis=axis, keepdims=keepdims)
    product = np.conj(a - np.mean(a, axis=axis, keepdims=True)) * unreduce_a
    return rt.unreduce(-ratio, a, axis=axis, keepdims=keepdims) + product


def moment_a(c, a, order, axis, keepdims):
    product = order * (a - np.mean(a, axis=axis, keepdims=True)) ** (order - 1)
    unreduce_a = rt.unreduce(c / rt.count(a, axis), a, axis=axis, keepdims=keepdims)
    return np.conj(product - np.mean(product, axis=axis, keepdims=True)) * unreduce_a


def skew_a(c, a, axis, bias, keepdims):
    std_a = np.std(a, axis=axis, keepdims=True)
    ratio = (a - np.mean(a, axis=axis, keepdims=True)) / std_a
    difference = ratio * ratio - 1 - np.mean(ratio**3, axis=axis, keepdims=True) * ratio
    count_a = rt.count(a, axis)
    ratio_2 = np.conj(3 * rt.skew_factor(count_a, bias)) * c / count_a
    unreduce_a = rt.unreduce(ratio_2, a, axis=axis, keepdims=keepdims)
    return np.conj(difference / std_a) * unreduce_a


def kurtosis_a(c, a, axis, bias, keepdims):
    std_a = np.std(a, axis=axis, keepdims=True)
    ratio = (a - np.mean(a, axis=axis, keepdims=True)) / std_a
    power = ratio**3
    count_a = rt.count(a, axis)
    product = np.mean(ratio**4, axis=axis, keepdims=True) * ratio
    ratio_2 = (power - np.mean(power, axis=axis, keepdims=True) - product) / std_a
    ratio_3 = np.conj(4 * rt.kurtosis_factor(count_a, bias)) * c / count_a
    return np.conj(ratio_2) * rt.unreduce(ratio_3, a, axis=axis, keepdims=keepdims)


def zscore_a(c, z, a, axis, ddof):
    count_a = rt.count(a, axis)
    ratio = c / np.conj(np.std(a, axis=axis, ddof=ddof, keepdims=True))
    product = np.conj(count_a / (count_a - ddof) * z) * ratio
    unbroadcast = rt.unbroadcast(-product, np.mean(z * a, axis=axis, keepdims=True))
    unreduce_a = rt.unreduce(unbroadcast / count_a, a, axis=axis, keepdims=True)
    ratio_2 = rt.unbroadcast(-ratio, np.mean(a, axis=axis, keepdims=True)) / count_a
    unreduce_a_2 = rt.unreduce(ratio_2, a, axis=axis, keepdims=True)
    return np.conj(z) * unreduce_a + ratio + unreduce_a_2


def zmap_scores(c, scores, compare, axis, ddof):
    ratio = c / np.conj(np.std(compare, axis=axis, ddof=ddof, keepdims=True))
    return rt.unbroadcast(ratio, scores)


def zmap_compare(c, z, compare, axis, ddof):
    std_compare = np.std(compare, axis=axis, ddof=ddof, keepdims=True)
    ratio = (compare - np.mean(compare, axis=axis, keepdims=True)) / std_compare
    count_compare = rt.count(compare, axis)
    ratio_2 = ratio / std_compare
    product = np.conj(count_compare / (count_compare - ddof) * z) * c
    product_2 = ratio_2 * compare
    unbroadcast = rt.unbroadcast(-product, np.mean(product_2, axis=axis, keepdims=True))
    ratio_3 = unbroadcast / rt.count(product_2, axis)
    product_3 = np.conj(ratio_2) * rt.unreduce(
        ratio_3, product_2, axis=axis, keepdims=True
    )
    ratio_4 = compare / std_compare
    unbroadcast_2 = rt.unbroadcast(-c, np.mean(ratio_4, axis=axis, keepdims=True))
    ratio_5 = unbroadcast_2 / rt.count(ratio_4, axis)
    unreduce = rt.unreduce(ratio_5, ratio_4, axis=axis, keepdims=True)
    return rt.unbroadcast(product_3 + unreduce / np.conj(std_compare), compare)


def entropy_pk(c, pk, qk, base, axis, keepdims):
    reference_qk = rt.reference(qk, pk)
    total = np.sum(pk, axis=axis, keepdims=True)
    ratio = pk / total
    ratio_2 = ratio / (reference_qk / np.sum(reference_qk, axis=axis, keepdims=True))
    total_2 = np.sum(special.xlogy(ratio, ratio_2), axis=axis, keepdims=True)
    product = np.conj(rt.entropy_unit(qk, base)) * c
    unreduce_pk = rt.unreduce(product, pk, axis=axis, keepdims=keepdims)
    return np.conj((np.log(ratio_2) - total_2) / total) * unreduce_pk


def entropy_qk(c, pk, qk, base, axis, keepdims):
    reference_qk = rt.reference(qk, pk)
    total = np.sum(reference_qk, axis=axis, keepdims=True)
    difference = 1 - pk / np.sum(pk, axis=axis, keepdims=True) / (reference_qk / total)
    product = np.conj(rt.entropy_unit(qk, base)) * c
    unreduce_qk = rt.unreduce(product, qk, axis=axis, keepdims=keepdims)
    return np.conj(difference / total) * unreduce_qk


def reference_qk(c):
    return c


def pearsonr_x(c, z, x, y):
    z_0 = z[0]
    difference = x - np.mean(x, axis=0, keepdims=True)
    difference_2 = y - np.mean(y, axis=0, keepdims=True)
    sqrt = np.sqrt(np.sum(difference * difference, axis=0, keepdims=True))
    sqrt_2 = np.sqrt(np.sum(difference_2 * difference_2, axis=0, keepdims=True))
    difference_3 = rt.count(x, 0) / 2 - 1
    convert = rt.convert(stats.beta.pdf(z_0, difference_3, difference_3, -1, 2), z_0)
    unreduce_x = rt.unreduce(np.conj(-2 * rt.sign(z_0) * convert) * c[1], x, axis=0)
    conjugate = np.conj((difference_2 / sqrt_2 - z_0 * (difference / sqrt)) / sqrt)
    return conjugate * unreduce_x + conjugate * rt.unreduce(c[0], x, axis=0)


def pearsonr_y(c, z, x, y):
    z_0 = z[0]
    difference = x - np.mean(x, axis=0, keepdims=True)
    difference_2 = y - np.mean(y, axis=0, keepdims=True)
    sqrt = np.sqrt(np.sum(difference_2 * difference_2, axis=0, keepdims=True))
    ratio = difference / np.sqrt(np.sum(difference * difference, axis=0, keepdims=True))
    difference_3 = rt.count(x, 0) / 2 - 1
    convert = rt.convert(stats.beta.pdf(z_0, difference_3, difference_3, -1, 2), z_0)
    unreduce_y = rt.unreduce(-(np.conj(2 * rt.sign(z_0) * convert) * c[1]), y, axis=0)
    conjugate = np.conj((ratio - z_0 * (difference_2 / sqrt)) / sqrt)
    return conjugate * unreduce_y + conjugate * rt.unreduce(c[0], y, axis=0)


# --- scipy.stats.multivariate ---------------------------------------------------------


def multivariate_normal_logpdf_x(c, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    difference = rt.points(x, dimension_mean) - rt.center(mean, dimension_mean)
    product = difference @ np.linalg.inv(rt.covariance(cov, dimension_mean))
    return rt.reshape_like(-rt.row_scaled(c, product), x)


def multivariate_normal_logpdf_mean(c, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    inv = np.linalg.inv(rt.covariance(cov, dimension_mean))
    center_mean = rt.center(mean, dimension_mean)
    row_scaled_c = rt.row_scaled(c, (rt.points(x, dimension_mean) - center_mean) @ inv)
    return rt.reshape_like(rt.unbroadcast(row_scaled_c, center_mean), mean)


def multivariate_normal_logpdf_cov(c, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    covariance_cov = rt.covariance(cov, dimension_mean)
    inv = np.linalg.inv(covariance_cov)
    product = (rt.points(x, dimension_mean) - rt.center(mean, dimension_mean)) @ inv
    ratio = c / 2
    row_scaled = rt.row_scaled(ratio, product)
    conjugate = np.conj(product)
    matmul_pull_right = rt.matmul_pull_right(row_scaled, conjugate, like=covariance_cov)
    return rt.uncovariance(np.sum(-ratio) * inv + matmul_pull_right, cov)


def multivariate_normal_pdf_x(c, z, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    difference = rt.points(x, dimension_mean) - rt.center(mean, dimension_mean)
    product = difference @ np.linalg.inv(rt.covariance(cov, dimension_mean))
    return rt.reshape_like(-rt.row_scaled(np.conj(z) * c, product), x)


def multivariate_normal_pdf_mean(c, z, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    inv = np.linalg.inv(rt.covariance(cov, dimension_mean))
    center_mean = rt.center(mean, dimension_mean)
    product = (rt.points(x, dimension_mean) - center_mean) @ inv
    unbroadcast = rt.unbroadcast(rt.row_scaled(np.conj(z) * c, product), center_mean)
    return rt.reshape_like(unbroadcast, mean)


def multivariate_normal_pdf_cov(c, z, x, mean, cov, allow_singular):
    dimension_mean = rt.dimension(mean, cov, allow_singular)
    covariance_cov = rt.covariance(cov, dimension_mean)
    inv = np.linalg.inv(covariance_cov)
    product = (rt.points(x, dimension_mean) - rt.center(mean, dimension_mean)) @ inv
    product_2 = np.conj(z / 2) * c
    row_scaled = rt.row_scaled(product_2, product)
    conjugate = np.conj(product)
    matmul_pull_right = rt.matmul_pull_right(row_scaled, conjugate, like=covariance_cov)
    return rt.uncovariance(np.sum(-product_2) * inv + matmul_pull_right, cov)


def dirichlet_logpdf_x(c, x, alpha):
    row_scaled_c = rt.row_scaled(c, (alpha - 1) / rt.simplex(x, np.size(alpha)))
    return rt.simplex_pull(row_scaled_c, x)


def dirichlet_logpdf_alpha(c, x, alpha):
    difference = special.psi(np.sum(alpha)) - special.psi(alpha)
    row_scaled_c = rt.row_scaled(c, np.log(rt.simplex(x, np.size(alpha))) + difference)
    return rt.unbroadcast(row_scaled_c, alpha)


def dirichlet_pdf_x(c, z, x, alpha):
    ratio = (alpha - 1) / rt.simplex(x, np.size(alpha))
    return rt.simplex_pull(rt.row_scaled(np.conj(z) * c, ratio), x)


def dirichlet_pdf_alpha(c, z, x, alpha):
    difference = special.psi(np.sum(alpha)) - special.psi(alpha)
    total = np.log(rt.simplex(x, np.size(alpha))) + difference
    return rt.unbroadcast(rt.row_scaled(np.conj(z) * c, total), alpha)


def kernel_density_points(c, points, dataset, bw_method, weights):
    points_2 = rt.points(dataset.T, 1)
    points_T = points.T
    shape = points_2.shape
    part = shape[1]
    points_3 = rt.points(points_T, part)
    kernel_weights = rt.kernel_weights(weights, shape[0])
    difference = points_2 - np.sum(kernel_weights * points_2, axis=0)
    product = rt.kernel_width(bw_method, kernel_weights, part) * kernel_weights
    inv = np.linalg.inv((product * difference).T @ difference)
    difference_2 = points_3[:, None] - points_2
    product_2 = difference_2 @ inv
    exp = np.exp(-(np.sum(product_2 * difference_2, axis=-1) / 2))
    product_3 = np.sqrt(np.linalg.det(inv / (2 * np.pi))) * exp * kernel_weights.T
    product_4 = product_3[:, :, None] * product_2
    einsum_pull = rt.einsum_pull(-c, "jd,jid->j", points_3, product_4)
    return np.transpose(rt.reshape_like(einsum_pull, points_T))


def kernel_density_dataset(c, z, points, dataset, bw_method, weights):
    dataset_T = dataset.T
    points_2 = rt.points(dataset_T, 1)
    shape = points_2.shape
    part = shape[1]
    kernel_weights = rt.kernel_weights(weights, shape[0])
    difference = points_2 - np.sum(kernel_weights * points_2, axis=0)
    product = rt.kernel_width(bw_method, kernel_weights, part) * kernel_weights
    product_2 = product * difference
    inv = np.linalg.inv(product_2.T @ difference)
    difference_2 = rt.points(points.T, part)[:, None] - points_2
    product_3 = difference_2 @ inv
    exp = np.exp(-(np.sum(product_3 * difference_2, axis=-1) / 2))
    product_4 = np.sqrt(np.linalg.det(inv / (2 * np.pi))) * exp * kernel_weights.T
    product_5 = product_4[:, :, None] * product_3
    einsum = np.einsum("jid,jie->jde", product_5, product_3)
    einsum_2 = np.einsum("jde,ie->jid", einsum - z[:, None, None] * inv, product_2)
    einsum_pull_c = rt.einsum_pull(c, "id,jid->j", points_2, product_5 + einsum_2)
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
    product = np.sin(u) * (kappa * z + n * rt.vonmises_partial(n - 1, u, kappa))
    return rt.unbroadcast(np.conj(-product) * c, u)


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
    unbroadcast = rt.unbroadcast(-(np.conj(z[..., 0, :]) * ratio), a_part)
    scatter_a = rt.scatter(unbroadcast, a, np.s_[..., :1])
    return scatter_a + rt.scatter(-ratio, a, np.s_[..., 1:])


def top_row_x(c):
    return c[..., 0, :]


def khatri_rao_a(c, a, b):
    product = np.reshape(c, rt.khatri_rao_blocks(a, b)) * np.conj(b[..., None, :, :])
    return rt.unbroadcast(np.sum(product, axis=-2), a)


def khatri_rao_b(c, a, b):
    product = np.reshape(c, rt.khatri_rao_blocks(a, b)) * np.conj(a[..., :, None, :])
    return rt.unbroadcast(np.sum(product, axis=-3), b)


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
    flip = np.flip(np.conj(c), rows_of_toeplitz)
    conjugate = np.conj(np.flip(linalg.solve_toeplitz(c_or_cr, flip), rows_of_toeplitz))
    unbroadcast = rt.unbroadcast(conjugate, -linalg.matmul_toeplitz(c_or_cr, z))
    return rt.toeplitz_pull(-unbroadcast, z, c_or_cr)


def solve_toeplitz_b(c, c_or_cr, b):
    rows_of_toeplitz = rt.rows_of_toeplitz(c_or_cr)
    flip = np.flip(np.conj(c), rows_of_toeplitz)
    conjugate = np.conj(np.flip(linalg.solve_toeplitz(c_or_cr, flip), rows_of_toeplitz))
    return rt.unbroadcast(conjugate, b)


def solve_circulant_c(c_bar, z, c, singular):
    reversed_circle = rt.reversed_circle(np.conj(c))
    c_bar_part = linalg.solve_circulant(reversed_circle, c_bar, singular=singular)
    c_bar_part_2 = rt.circle_pull(-rt.unbroadcast(c_bar_part, -rt.circulate(c, z)), z)
    return rt.unbroadcast(c_bar_part_2, c)


def solve_circulant_b(c_bar, c, b, singular):
    reversed_circle = rt.reversed_circle(np.conj(c))
    b_bar_part = linalg.solve_circulant(reversed_circle, c_bar, singular=singular)
    return rt.unbroadcast(b_bar_part, b)


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
    band_herm = rt.band_herm(l_and_u, ab)
    solve_banded_c = linalg.solve_banded(rt.swap_bands(l_and_u), band_herm, c)
    unbroadcast = rt.unbroadcast(solve_banded_c, -rt.band_apply(l_and_u, ab, z))
    return rt.band_outer(l_and_u, -unbroadcast, np.conj(z), ab)


def solve_banded_b(c, l_and_u, ab, b):
    band_herm = rt.band_herm(l_and_u, ab)
    return rt.unbroadcast(linalg.solve_banded(rt.swap_bands(l_and_u), band_herm, c), b)


def band_apply_ab(c, l_and_u, ab, x):
    return rt.band_outer(l_and_u, c, np.conj(x), ab)


def band_apply_x(c, l_and_u, ab, x):
    band_apply_c = rt.band_apply(rt.swap_bands(l_and_u), rt.band_herm(l_and_u, ab), c)
    return rt.unbroadcast(band_apply_c, x)


def band_outer_c(c_bar, l_and_u, c, x):
    return rt.unbroadcast(rt.band_apply(l_and_u, c_bar, np.conj(x)), c)


def band_outer_x(c_bar, l_and_u, c, x):
    x_bar_part = rt.band_herm(l_and_u, np.conj(c_bar))
    x_bar_part_2 = rt.band_apply(rt.swap_bands(l_and_u), x_bar_part, np.conj(c))
    return rt.unbroadcast(x_bar_part_2, x)


def band_herm_ab(c, l_and_u):
    return rt.band_herm(rt.swap_bands(l_and_u), c)


def solveh_banded_ab(c, z, ab, lower):
    difference = ab.shape[0] - 1
    whole_band_ab = rt.whole_band(ab, lower)
    band_apply_z = rt.band_apply((difference, difference), whole_band_ab, z)
    solveh_banded_ab = linalg.solveh_banded(ab, c, lower=lower)
    return rt.half_band(
        rt.band_outer(
            (difference, difference),
            -rt.unbroadcast(solveh_banded_ab, -band_apply_z),
            np.conj(z),
            whole_band_ab,
        ),
        lower,
    )


def solveh_banded_b(c, ab, b, lower):
    return rt.unbroadcast(linalg.solveh_banded(ab, c, lower=lower), b)


def whole_band_ab(c, lower):
    return rt.half_band(c, lower)


def half_band_c(c_bar, lower):
    return rt.whole_band(c_bar, lower)


def cholesky_banded_ab(c, z, ab, lower):
    dense_band_z = rt.dense_band(z, lower)
    dense_band_c = rt.dense_band(c, lower)
    solve_lower = rt.solve_lower(dense_band_z, rt.both_halves(rt.dense_band(ab, lower)))
    phi = rt.phi(rt.solve_lower(dense_band_z, rt.herm(solve_lower)))
    conjugate = np.conj(dense_band_z)
    phi_2 = rt.phi(rt.matmul_pull_right(dense_band_c, conjugate, like=phi))
    herm = rt.herm(rt.solve_lower(dense_band_z, phi_2, True))
    both_halves_pull = rt.both_halves_pull(rt.solve_lower(dense_band_z, herm, True))
    return rt.beyond_band(c, lower) + rt.narrow_band(both_halves_pull, ab, lower)


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
    cho_solve_banded = linalg.cho_solve_banded(cb_and_lower, c)
    minus = -rt.unbroadcast(cho_solve_banded, -product_2 - product_2)
    matmul_pull_right = rt.matmul_pull_right(minus, np.conj(dense_band), like=product)
    herm_2 = rt.herm(rt.matmul_pull_left(matmul_pull_right, np.conj(z), like=herm))
    total = herm_2 + rt.matmul_pull_left(minus, np.conj(product), like=dense_band)
    narrow_band = rt.narrow_band(total, cb_and_lower_0, cb_and_lower_1)
    return rt.scatter(narrow_band, cb_and_lower, 0)


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
