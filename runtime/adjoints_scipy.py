"""Adjoints of every operation, one function for each argument. Do not edit: `make rules` writes it.

``c`` is the cotangent of the result ``z`` (a sequence of them, where an operation has several
results); the other parameters are the operation's own.  A function takes what it reads and nothing
else, so its parameters are what must be kept; those in ``SHAPES`` are read for shape and dtype only.
"""

from __future__ import annotations


import numpy as np
import scipy.fft as fft
import scipy.linalg as linalg
import scipy.ndimage as ndimage
import scipy.signal as signal
import scipy.sparse.linalg as sparse_linalg

from retrograd import runtime as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- scipy_fft ------------------------------------------------------------------------


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
    x_bar = rt.fit(
        np.fft.irfft2(
            rt.halved(np.conj(c), lengths_x[-1], turned_x[-1]),
            lengths_x,
            turned_x,
            rt.opposite(rt.opposite(norm)),
        ),
        x,
    )
    return x_bar


def ihfftn_x(c, x, s, axes, norm):
    lengths_x = rt.lengths(x, s, axes)
    turned_x = rt.turned(x, lengths_x, axes)
    x_bar = rt.fit(
        np.fft.irfftn(
            rt.halved(np.conj(c), lengths_x[-1], turned_x[-1]),
            lengths_x,
            turned_x,
            rt.opposite(rt.opposite(norm)),
        ),
        x,
    )
    return x_bar


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


# --- scipy_linalg ---------------------------------------------------------------------


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
    a_bar = rt.triangle_pull(
        rt.matmul_pull_left(
            rt.column(-unbroadcast, b), rt.column(np.conj(z), b), like=triangle_of_a
        ),
        trans,
        lower,
        unit_diagonal,
    )
    return a_bar


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


def det_a(c, a):
    return np.conj(rt.cofactor(a)) * rt.unreduce(c, a, axis=(-2, -1))


def pinv_a(c, z, a):
    herm_z = rt.herm(z)
    z_shape = z.shape
    dtype_z = z.dtype
    product = z @ a
    difference = np.eye(z_shape[-2], dtype=dtype_z) - product
    product_2 = z @ herm_z
    conjugate_z = np.conj(z)
    herm_a = rt.herm(a)
    product_3 = difference @ herm_a
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.matmul_pull_left(c, conjugate_z, like=product_3 @ herm_z),
            np.conj(herm_z),
            like=product_3,
        ),
        np.conj(difference),
        like=herm_a,
    )
    matmul_pull_right_2 = rt.matmul_pull_right(
        rt.matmul_pull_left(
            c,
            np.conj(np.eye(z_shape[-1], dtype=dtype_z) - a @ z),
            like=product_2 @ herm_a,
        ),
        np.conj(product_2),
        like=herm_a,
    )
    return (
        rt.matmul_pull_right(
            rt.matmul_pull_left(-c, conjugate_z, like=product), conjugate_z, like=a
        )
        + rt.herm(matmul_pull_right + matmul_pull_right_2)
    )


def cholesky_a(c, z, a, lower):
    not_lower = not lower
    herm_z = rt.herm(z, not_lower)
    matmul_pull_right = rt.matmul_pull_right(
        rt.herm(c, not_lower),
        np.conj(herm_z),
        like=rt.phi(
            rt.solve_for(
                herm_z, rt.herm(rt.solve_for(herm_z, rt.hermitian(a), herm_z)), herm_z
            )
        ),
    )
    herm = rt.herm(herm_z)
    return rt.hermitian(
        rt.solve_for(
            herm, rt.herm(rt.solve_for(herm, rt.phi(matmul_pull_right), herm_z)), herm_z
        )
    )


def cho_factor_a(c, z, a, lower):
    factor_matrix = rt.factor_matrix(z[0], lower)
    matmul_pull_right = rt.matmul_pull_right(
        rt.herm(c[0], not lower),
        np.conj(factor_matrix),
        like=rt.phi(
            rt.solve_for(
                factor_matrix,
                rt.herm(rt.solve_for(factor_matrix, rt.hermitian(a), factor_matrix)),
                factor_matrix,
            )
        ),
    )
    herm = rt.herm(factor_matrix)
    return rt.hermitian(
        rt.solve_for(
            herm,
            rt.herm(rt.solve_for(herm, rt.phi(matmul_pull_right), factor_matrix)),
            factor_matrix,
        )
    )


def cho_solve_c_and_lower(c, z, c_and_lower, b):
    c_and_lower_part = c_and_lower[1]
    factor_matrix = rt.factor_matrix(c_and_lower[0], c_and_lower_part)
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
        c_and_lower_part,
    )
    return rt.scatter(factor_pull, c_and_lower, 0)


def cho_solve_b(c, z, c_and_lower, b):
    return rt.unbroadcast(rt.unbroadcast(linalg.cho_solve(c_and_lower, c), z), b)


def factor_matrix_x(c, lower):
    return rt.factor_pull(c, lower)


def factor_pull_c(c_bar, lower):
    return rt.factor_matrix(c_bar, lower)


def lu_a(c, z, a):
    squared_a = rt.squared(z[1], 1.0, a)
    squared_a_2 = rt.squared(z[2], 1.0, a)
    z_part = z[0]
    permuted_a = rt.permuted(a, z_part)
    over = rt.over(
        rt.solve_for(squared_a, rt.squared(permuted_a, 0.0, a), a), squared_a_2
    )
    triu = np.triu(over)
    tril = np.tril(over, -1)
    total = (
        np.triu(
            rt.matmul_pull_left(
                rt.resquared(c[2], triu @ squared_a_2), np.conj(squared_a_2), like=triu
            )
        )
        + np.tril(
            rt.matmul_pull_right(
                rt.resquared(c[1], squared_a @ tril), np.conj(squared_a), like=tril
            ),
            -1,
        )
    )
    return rt.permuted(
        rt.unsquared(
            rt.solve_for(rt.herm(squared_a), rt.over(total, rt.herm(squared_a_2)), a),
            permuted_a,
        ),
        z_part,
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
    c_part = c[0]
    z_part = z[0]
    total = np.tril(z_part, -1) + np.eye(a.shape[-1], dtype=z_part.dtype)
    triu = np.triu(z_part)
    z_part = z[1]
    over = rt.over(rt.solve_for(total, rt.swapped(a, z_part), a), triu)
    total_2 = (
        np.triu(rt.matmul_pull_left(c_part, np.conj(triu), like=np.triu(over)))
        + np.tril(
            rt.matmul_pull_right(c_part, np.conj(total), like=np.tril(over, -1)), -1
        )
    )
    return rt.swapped(
        rt.solve_for(rt.herm(total), rt.over(total_2, rt.herm(triu)), a), z_part, True
    )


def swapped_x(c, piv, back):
    return rt.swapped(c, piv, not back)


def lu_solve_lu_and_piv(c, z, lu_and_piv, b, trans):
    lu_and_piv_part = lu_and_piv[0]
    tril = np.tril(lu_and_piv_part, -1)
    triu = np.triu(lu_and_piv_part)
    lu_and_piv_part_2 = lu_and_piv[1]
    lu_turn_trans = rt.lu_turn(rt.swapped(tril @ triu, lu_and_piv_part_2, True), trans)
    unbroadcast = rt.unbroadcast(
        np.conj(
            linalg.lu_solve(
                lu_and_piv, np.conj(c), trans=rt.lu_flip(trans, lu_and_piv_part)
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
        lu_and_piv_part_2,
    )
    total = (
        np.triu(
            rt.matmul_pull_right(
                swapped,
                np.conj(
                    tril
                    + np.eye(lu_and_piv_part.shape[-1], dtype=lu_and_piv_part.dtype)
                ),
                like=triu,
            )
        )
        + np.tril(rt.matmul_pull_left(swapped, np.conj(triu), like=tril), -1)
    )
    return rt.scatter(total, lu_and_piv, 0)


def lu_solve_b(c, z, lu_and_piv, b, trans):
    b_bar = rt.unbroadcast(
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
    return b_bar


def lu_turn_x(c, trans):
    return rt.lu_turn(c, trans)


def qr_a(c, z, a, mode):
    c_part = c[0]
    c_part_2 = c[1]
    z_part = z[1]
    economic = rt.economic(z[0], z_part, rt.numpy_mode(mode))
    leading = rt.leading(z_part, z_part)
    herm = rt.herm(economic)
    over = rt.over(rt.leading(a, z_part), leading)
    product = herm @ over
    matmul_pull_left = rt.matmul_pull_left(-c_part_2, np.conj(z_part), like=product)
    conjugate = np.conj(herm)
    matmul_pull_right = rt.matmul_pull_right(
        matmul_pull_left
        + rt.upper_pull(
            rt.matmul_pull_right(
                -c_part, np.conj(economic), like=rt.upper_part(product)
            )
            - matmul_pull_left
        ),
        conjugate,
        like=over,
    )
    return rt.matmul_pull_right(c_part_2, conjugate, like=a) + rt.fit(
        rt.over(c_part + matmul_pull_right, rt.herm(leading)), a
    )


def polar_a(c, z, a, side):
    same = side == "left"
    herm = rt.herm(z[0], same)
    herm_2 = rt.herm(herm)
    z_part = z[1]
    hermitian = rt.hermitian(c[1])
    herm_a = rt.herm(a, same)
    product = herm_2 @ herm_a
    solve_sylvester = linalg.solve_sylvester(z_part, z_part, product)
    herm_3 = rt.herm(c[0], same)
    matmul_pull_left = rt.matmul_pull_left(
        herm_3, np.conj(rt.polar_inverse(z_part, herm)), like=herm_a
    )
    conjugate = np.conj(herm)
    herm = rt.herm(z_part)
    solve_sylvester = linalg.solve_sylvester(
        herm,
        herm,
        rt.matmul_pull_left(-hermitian, np.conj(z_part), like=solve_sylvester)
        + rt.matmul_pull_right(herm_3, conjugate, like=solve_sylvester),
    )
    unbroadcast = rt.unbroadcast(solve_sylvester, product)
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


def lstsq_a(c, z, a, b):
    c_part = c[0]
    z_part = z[0]
    pinv_a = np.linalg.pinv(a)
    herm = rt.herm(pinv_a)
    apply_a = rt.apply(a, z_part, b)
    difference = b - apply_a
    difference_2 = np.eye(pinv_a.shape[-2], dtype=pinv_a.dtype) - pinv_a @ a
    svd_a = np.linalg.svd(a, full_matrices=False)
    herm_2 = rt.herm(svd_a[0])
    herm_3 = rt.herm(svd_a[2])
    product = herm_2 @ a
    herm_a = rt.herm(a)
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.column(c_part, b),
            rt.column(np.conj(rt.apply(herm, z_part, b)), b),
            like=difference_2 @ herm_a,
        ),
        np.conj(difference_2),
        like=herm_a,
    )
    matmul_pull_left = rt.matmul_pull_left(
        rt.column(
            rt.unbroadcast(
                rt.apply(rt.herm(pinv_a @ herm), c_part, b),
                rt.apply(herm_a, difference, b),
            ),
            b,
        ),
        rt.column(np.conj(difference), b),
        like=herm_a,
    )
    total = (
        rt.matmul_pull_right(
            rt.matmul_pull_left(
                rt.undiagonal(c[3], product @ herm_3, 0, -2, -1),
                np.conj(herm_3),
                like=product,
            ),
            np.conj(herm_2),
            like=a,
        )
        + rt.herm(matmul_pull_right + matmul_pull_left)
    )
    total_2 = (
        2
        * difference
        * rt.unreduce(rt.if_there(c[1], np.sum(apply_a, axis=0)), apply_a, axis=0)
        + rt.unbroadcast(rt.apply(herm, c_part, b), -apply_a)
    )
    return total + rt.matmul_pull_left(
        rt.column(-total_2, b), rt.column(np.conj(z_part), b), like=a
    )


def lstsq_b(c, z, a, b):
    b_bar = (
        2
        * (b - rt.apply(a, z[0], b))
        * rt.unreduce(rt.if_there(c[1], np.sum(b, axis=0)), b, axis=0)
        + rt.unbroadcast(rt.apply(rt.herm(np.linalg.pinv(a)), c[0], b), b)
    )
    return b_bar


# --- scipy_matrices -------------------------------------------------------------------


def eigvalsh_a(c, a, b, lower):
    part = linalg.eigh(a, b, lower=lower)[1]
    herm = rt.herm(part)
    hermitian_a = rt.hermitian(a)
    product = herm @ hermitian_a
    a_bar = rt.hermitian(
        rt.matmul_pull_right(
            rt.matmul_pull_left(
                rt.undiagonal(c, product @ part, 0, -2, -1), np.conj(part), like=product
            ),
            np.conj(herm),
            like=hermitian_a,
        )
    )
    return a_bar


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
    z_part = z[1]
    herm = rt.herm(z_part)
    hermitian_a = rt.hermitian(a)
    product = herm @ hermitian_a
    product_2 = product @ z_part
    conjugate = np.conj(z_part)
    matmul_pull_left = rt.matmul_pull_left(
        np.conj(rt.gaps(z[0])) * rt.matmul_pull_right(c[1], conjugate, like=product_2)
        + rt.undiagonal(c[0], product_2, 0, -2, -1),
        conjugate,
        like=product,
    )
    return rt.hermitian(
        rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=hermitian_a)
    )


def eigh_b(c, z, b):
    c_part = c[1]
    z_part = z[0]
    z_part_2 = z[1]
    herm = rt.herm(z_part_2)
    hermitian_b = rt.hermitian(b)
    product = herm @ hermitian_b
    product_2 = product @ z_part_2
    conjugate = np.conj(z_part_2)
    difference = (
        np.conj(np.eye(z_part.shape[-1], dtype=z_part.dtype) / 2)
        * rt.matmul_pull_right(-c_part, conjugate, like=product_2)
        - np.conj(rt.gaps(z_part))
            * rt.matmul_pull_right(c_part, conjugate, like=product_2)
            * np.conj(z_part[..., None, :])
    )
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(
            difference
            + rt.undiagonal(np.real(-(np.conj(z_part) * c[0])), product_2, 0, -2, -1),
            conjugate,
            like=product,
        ),
        np.conj(herm),
        like=hermitian_b,
    )
    return rt.hermitian(matmul_pull_right)


def eigvalsh_tridiagonal_d(c, d, e):
    part = linalg.eigh_tridiagonal(d, e)[1]
    return rt.matmul_pull_right(c, np.conj((part * part).T), like=d)


def eigvalsh_tridiagonal_e(c, d, e):
    part = linalg.eigh_tridiagonal(d, e)[1]
    return rt.matmul_pull_right(c, np.conj(2 * (part[:-1] * part[1:]).T), like=e)


def eigh_tridiagonal_d(c, z, d):
    z_part = z[1]
    T = z_part.T
    diag_d = np.diag(d)
    product = T @ diag_d
    conjugate = np.conj(z_part)
    matmul_pull_left = rt.matmul_pull_left(
        np.conj(rt.gaps(z[0]))
        * rt.matmul_pull_right(c[1], conjugate, like=product @ z_part),
        conjugate,
        like=product,
    )
    d_bar = (
        rt.undiag(rt.matmul_pull_right(matmul_pull_left, np.conj(T), like=diag_d), d)
        + rt.matmul_pull_right(c[0], np.conj((z_part * z_part).T), like=d)
    )
    return d_bar


def eigh_tridiagonal_e(c, z, e):
    z_part = z[1]
    T = z_part.T
    diag_e = np.diag(e, 1)
    product = T @ diag_e
    conjugate = np.conj(z_part)
    matmul_pull_left = rt.matmul_pull_left(
        np.conj(rt.gaps(z[0]))
        * rt.matmul_pull_right(c[1], conjugate, like=product @ z_part),
        conjugate,
        like=product,
    )
    matmul_pull_right = rt.matmul_pull_right(matmul_pull_left, np.conj(T), like=diag_e)
    e_bar = (
        rt.undiag(matmul_pull_right, e, -1)
        + rt.undiag(matmul_pull_right, e, 1)
        + rt.matmul_pull_right(c[0], np.conj(2 * (z_part[:-1] * z_part[1:]).T), like=e)
    )
    return e_bar


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
    c_part = c[0]
    z_part = z[1]
    thin = rt.thin(z[0], z_part, -1)
    part = z_part[..., None, :]
    herm = rt.herm(thin)
    herm_2 = rt.herm(rt.thin(z[2], z_part, -2))
    reciprocal = rt.reciprocal(part)
    herm_3 = rt.herm(c[2])
    conjugate = np.conj(reciprocal)
    product = herm_3 * conjugate
    product_2 = herm @ a
    product_3 = product_2 @ herm_2
    conjugate_2 = np.conj(herm_2)
    conjugate_3 = np.conj(thin)
    conjugate_4 = np.conj(rt.singular_gaps(z_part))
    product_4 = conjugate_4 * rt.matmul_pull_right(herm_3, conjugate_2, like=product_3)
    conjugate_5 = np.conj(part)
    conjugate_6 = np.conj(rt.mT(part))
    product_5 = c_part * conjugate
    total = (
        conjugate_6 * product_4
        + rt.undiagonal(c[1], product_3, 0, -2, -1)
        + rt.matmul_pull_right(-product_5, conjugate_3, like=product_3)
    )
    matmul_pull_right = rt.matmul_pull_right(c_part, conjugate_3, like=product_3)
    product_6 = (
        np.conj(reciprocal * np.eye(z_part.shape[-1], dtype=z_part.dtype) / 2)
        * matmul_pull_right
    )
    product_7 = conjugate_4 * matmul_pull_right
    total_2 = (
        rt.matmul_pull_right(-product, conjugate_2, like=rt.herm(product_3))
        + product_4 * conjugate_5
        - product_6
        + conjugate_6 * product_7
    )
    matmul_pull_left = rt.matmul_pull_left(
        total + product_6 + rt.herm(total_2) + product_7 * conjugate_5,
        conjugate_2,
        like=product_2,
    )
    a_bar = (
        rt.herm(rt.matmul_pull_left(product, conjugate_3, like=rt.herm(a)))
        + rt.matmul_pull_left(product_5, conjugate_2, like=a)
        + rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=a)
    )
    return a_bar


def eigvals_a(c, z, a):
    eigenvectors_a = rt.eigenvectors(a, z)
    product = a @ eigenvectors_a
    solve = np.linalg.solve(eigenvectors_a, product)
    a_bar = rt.matmul_pull_left(
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
    return a_bar


def eig_a(c, z, a):
    c_part = c[1]
    z_part = z[1]
    total = np.sum(np.conj(c_part) * z_part, axis=-2, keepdims=True)
    total = (
        c_part
        - z_part * np.real(total)
        + rt.untop(
            rt.times_i(np.imag(total), z_part) / np.conj(rt.top(z_part, z_part)), z_part
        )
    )
    product = a @ z_part
    solve = np.linalg.solve(z_part, product)
    conjugate = np.conj(z_part)
    total = (
        np.conj(rt.gaps(rt.of_kind(z[0], z_part)))
        * rt.matmul_pull_right(total, conjugate, like=solve)
        + rt.undiagonal(
            rt.unbroadcast(c[0], np.diagonal(solve, 0, -2, -1)), solve, 0, -2, -1
        )
    )
    return rt.matmul_pull_left(
        rt.unbroadcast(rt.solve_for(rt.herm(z_part), total, product), product),
        conjugate,
        like=a,
    )


def complexed_x(c, x):
    return rt.unbroadcast(c, x)


def of_kind_x(c, like):
    return rt.of_kind(c, like)


def schur_a(c, z, a):
    schur_form = rt.schur_form(z[0])
    z_part = z[1]
    herm = rt.herm(z_part)
    product = herm @ a
    skew = rt.skew(rt.schur_lower(schur_form, product @ z_part))
    triu = np.triu(c[0])
    conjugate = np.conj(schur_form)
    total = (
        rt.matmul_pull_right(c[1], np.conj(-z_part), like=skew)
        + rt.matmul_pull_right(-triu, conjugate, like=skew)
        + rt.matmul_pull_left(triu, conjugate, like=skew)
    )
    a_bar = rt.matmul_pull_right(
        rt.matmul_pull_left(
            triu + rt.schur_lower(schur_form, rt.skew(total), True),
            np.conj(z_part),
            like=product,
        ),
        np.conj(herm),
        like=a,
    )
    return a_bar


def schur_lower_t(c, z, t, adjoint):
    schur_lower_t = rt.schur_lower(t, c, not adjoint)
    herm_adjoint = rt.herm(np.triu(t), adjoint)
    conjugate_z = np.conj(z)
    herm_adjoint = rt.herm(
        rt.matmul_pull_right(schur_lower_t, conjugate_z, like=herm_adjoint)
        + rt.matmul_pull_left(-schur_lower_t, conjugate_z, like=herm_adjoint),
        adjoint,
    )
    return np.triu(herm_adjoint)


def schur_lower_m(c, t, adjoint):
    return rt.schur_lower(t, c, not adjoint)


def schur_form_t(c):
    return c


def skew_x(c):
    return rt.skew(c)


def expm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.expm, rt.herm(A), c), A)


def logm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.logm, rt.herm(A), c), A)


def sqrtm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.sqrtm, rt.herm(A), c), A)


def sinm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.sinm, rt.herm(A), c), A)


def cosm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.cosm, rt.herm(A), c), A)


def tanm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.tanm, rt.herm(A), c), A)


def sinhm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.sinhm, rt.herm(A), c), A)


def coshm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.coshm, rt.herm(A), c), A)


def tanhm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.tanhm, rt.herm(A), c), A)


def signm_A(c, A):
    return rt.unbroadcast(rt.frechet(linalg.signm, rt.herm(A), c), A)


def fractional_matrix_power_A(c, A, t):
    return rt.unbroadcast(rt.frechet_power(rt.herm(A), c, t), A)


def fractional_matrix_power_t(c, z, A, t):
    return rt.unbroadcast(np.conj(rt.matrix_log(A) @ z) * c, t)


def matrix_log_a(c, a):
    return rt.unbroadcast(rt.frechet(linalg.logm, rt.herm(a), c), a)


def frechet_a(c, f, a, e):
    zeros_like_e = rt.zeros_like(e)
    zeros_like_c = rt.zeros_like(c)
    return rt.diagonal_blocks(
        rt.unbroadcast(
            rt.frechet(f, rt.herm(rt.triangle(a, e)), rt.triangle(zeros_like_c, c)),
            rt.triangle(a, zeros_like_e),
        )
    )


def frechet_e(c, f, a, e):
    return rt.unbroadcast(rt.frechet(f, rt.herm(a), c), e)


def frechet_power_a(c, a, e, t):
    zeros_like_e = rt.zeros_like(e)
    zeros_like_c = rt.zeros_like(c)
    return rt.diagonal_blocks(
        rt.unbroadcast(
            rt.frechet_power(
                rt.herm(rt.triangle(a, e)), rt.triangle(zeros_like_c, c), t
            ),
            rt.triangle(a, zeros_like_e),
        )
    )


def frechet_power_e(c, a, e, t):
    return rt.unbroadcast(rt.frechet_power(rt.herm(a), c, t), e)


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
    c_part = c[1]
    zeros_like_E = rt.zeros_like(E)
    zeros_like = rt.zeros_like(c_part)
    A_bar = (
        rt.diagonal_blocks(
            rt.unbroadcast(
                rt.frechet(
                    linalg.expm,
                    rt.herm(rt.triangle(A, E)),
                    rt.triangle(zeros_like, c_part),
                ),
                rt.triangle(A, zeros_like_E),
            )
        )
        + rt.unbroadcast(rt.frechet(linalg.expm, rt.herm(A), c[0]), A)
    )
    return A_bar


def expm_frechet_E(c, A, E):
    return rt.unbroadcast(rt.frechet(linalg.expm, rt.herm(A), c[1]), E)


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
    return (
        rt.herm(rt.matmul_pull_right(minus, conjugate_z, like=herm_a))
        + rt.matmul_pull_left(minus, conjugate_z, like=a)
    )


def solve_continuous_lyapunov_q(c, a, q):
    return rt.unbroadcast(linalg.solve_lyapunov(rt.herm(a), c), q)


def solve_discrete_lyapunov_a(c, z, a, method):
    herm_a = rt.herm(a)
    product = a @ z
    product_2 = product @ herm_a
    unbroadcast = rt.unbroadcast(
        linalg.solve_discrete_lyapunov(herm_a, c, method=method), product_2 + product_2
    )
    a_bar = (
        rt.herm(rt.matmul_pull_right(unbroadcast, np.conj(product), like=herm_a))
        + rt.matmul_pull_left(
            rt.matmul_pull_left(unbroadcast, np.conj(herm_a), like=product),
            np.conj(z),
            like=a,
        )
    )
    return a_bar


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
    product = herm @ z
    return rt.matmul_pull_right(
        2
        * rt.hermitian(
            rt.unbroadcast(
                linalg.solve_discrete_lyapunov(rt.herm(herm), c),
                rt.hermitian(product @ a),
            )
        ),
        np.conj(product),
        like=a,
    )


def solve_discrete_are_b(c, z, a, b, r):
    product = rt.herm(b) @ z
    solve = np.linalg.solve(r + product @ b, product @ a)
    product = b @ solve
    herm = rt.herm(a - product)
    product_2 = herm @ z
    matmul_pull_right = rt.matmul_pull_right(
        2
        * rt.hermitian(
            rt.unbroadcast(
                linalg.solve_discrete_lyapunov(rt.herm(herm), c),
                rt.hermitian(-(product_2 @ product)),
            )
        ),
        np.conj(product_2),
        like=product,
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
    product = herm @ hermitian_r
    matmul_pull_left = rt.matmul_pull_left(
        rt.hermitian(
            rt.unbroadcast(
                linalg.solve_discrete_lyapunov(rt.herm(rt.herm(a - b @ solve)), c),
                rt.hermitian(product @ solve),
            )
        ),
        np.conj(solve),
        like=product,
    )
    return rt.hermitian(
        rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=hermitian_r)
    )


# --- scipy_ndimage --------------------------------------------------------------------


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
    input_bar = rt.label_pull(
        c / np.conj(rt.label_counts(input, labels, index)), input, labels, index
    )
    return input_bar


# --- scipy_signal ---------------------------------------------------------------------


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
    x_bar = rt.line_pull(
        c, x, signal.savgol_filter, axis, (window_length, polyorder, deriv, delta, mode)
    )
    return x_bar


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
    x_bar = rt.line_pull(
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
    return x_bar


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
    x_bar = rt.line_pull(
        spectra_x * rt.unreduce(ratio, spectra_x, axis=-1),
        x,
        signal.welch,
        -1,
        (fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling),
    )
    return x_bar


def spectra_x(c, x, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling):
    x_bar = rt.line_pull(
        c,
        x,
        signal.welch,
        -1,
        (fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling),
    )
    return x_bar


# --- scipy_sparse_linalg --------------------------------------------------------------


def sparse_adjoint_a(c):
    return rt.herm(c)


def spsolve_b(c, A, b):
    return rt.unbroadcast(sparse_linalg.spsolve(rt.sparse_adjoint(A), c), b)


def expm_multiply_A(c, A, B):
    return rt.unbroadcast(
        rt.frechet(
            linalg.expm,
            rt.herm(A),
            rt.matmul_pull_left(c, np.conj(B), like=rt.frechet(linalg.expm, A, A)),
        ),
        A,
    )


def expm_multiply_B(c, A, B):
    return rt.unbroadcast(sparse_linalg.expm_multiply(rt.sparse_adjoint(A), c), B)


def krylov_solve_a(c, z, f, a, rtol, atol, maxiter):
    a_bar = rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter), -(a @ z)
        ),
        np.conj(z),
        like=a,
    )
    return a_bar


def krylov_solve_b(c, f, a, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(f, rt.sparse_adjoint(a), c, rtol, atol, maxiter), b
    )


def cg_A(c, z, A, rtol, atol, maxiter):
    z_part = z[0]
    A_bar = rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.cg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_part),
        ),
        np.conj(z_part),
        like=A,
    )
    return A_bar


def cg_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.cg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def gmres_A(c, z, A, rtol, atol, maxiter):
    z_part = z[0]
    A_bar = rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.gmres, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_part),
        ),
        np.conj(z_part),
        like=A,
    )
    return A_bar


def gmres_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.gmres, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def bicgstab_A(c, z, A, rtol, atol, maxiter):
    z_part = z[0]
    A_bar = rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.bicgstab, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_part),
        ),
        np.conj(z_part),
        like=A,
    )
    return A_bar


def bicgstab_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.bicgstab, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


def bicg_A(c, z, A, rtol, atol, maxiter):
    z_part = z[0]
    A_bar = rt.matmul_pull_left(
        -rt.unbroadcast(
            rt.krylov_solve(
                sparse_linalg.bicg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
            ),
            -(A @ z_part),
        ),
        np.conj(z_part),
        like=A,
    )
    return A_bar


def bicg_b(c, A, b, rtol, atol, maxiter):
    return rt.unbroadcast(
        rt.krylov_solve(
            sparse_linalg.bicg, rt.sparse_adjoint(A), c[0], rtol, atol, maxiter
        ),
        b,
    )


# --- scipy_special --------------------------------------------------------------------


def expit_x(c, z):
    return z * (1 - z) * c


# --- scipy_structured -----------------------------------------------------------------


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
    return (
        rt.scatter(
            rt.unbroadcast(-(np.conj(z[..., 0, :]) * ratio), a_part), a, np.s_[..., :1]
        )
        + rt.scatter(-ratio, a, np.s_[..., 1:])
    )


def top_row_x(c):
    return c[..., 0, :]


def khatri_rao_a(c, a, b):
    a_shape = a.shape
    return rt.unbroadcast(
        np.sum(
            np.reshape(c, (a_shape[0], b.shape[0], a_shape[1])) * np.conj(b), axis=1
        ),
        a,
    )


def khatri_rao_b(c, a, b):
    a_shape = a.shape
    return rt.unbroadcast(
        np.sum(
            np.reshape(c, (a_shape[0], b.shape[0], a_shape[1]))
            * np.conj(a[:, None, :]),
            axis=0,
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
    c_or_cr_bar = rt.toeplitz_pull(
        -rt.unbroadcast(
            np.conj(np.flip(linalg.solve_toeplitz(c_or_cr, np.flip(np.conj(c), 0)), 0)),
            -linalg.matmul_toeplitz(c_or_cr, z),
        ),
        z,
        c_or_cr,
    )
    return c_or_cr_bar


def solve_toeplitz_b(c, c_or_cr, b):
    return rt.unbroadcast(
        np.conj(np.flip(linalg.solve_toeplitz(c_or_cr, np.flip(np.conj(c), 0)), 0)), b
    )


def solve_circulant_c(c_bar, z, c, singular):
    c_bar = rt.unbroadcast(
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
    return c_bar


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
            rt.solve_for(
                dense_band_z,
                rt.herm(
                    rt.solve_for(
                        dense_band_z,
                        rt.both_halves(rt.dense_band(ab, lower)),
                        dense_band_z,
                    )
                ),
                dense_band_z,
            )
        ),
    )
    herm = rt.herm(dense_band_z)
    narrow_band_ab = rt.narrow_band(
        rt.both_halves_pull(
            rt.solve_for(
                herm,
                rt.herm(rt.solve_for(herm, rt.phi(matmul_pull_right), dense_band_z)),
                dense_band_z,
            )
        ),
        ab,
        lower,
    )
    return rt.beyond_band(c, lower) + narrow_band_ab


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
    cb_and_lower_part = cb_and_lower[0]
    cb_and_lower_part_2 = cb_and_lower[1]
    dense_band = rt.dense_band(cb_and_lower_part, cb_and_lower_part_2)
    herm = rt.herm(dense_band)
    product = herm @ z
    product_2 = dense_band @ product
    minus = -rt.unbroadcast(
        linalg.cho_solve_banded(cb_and_lower, c), -product_2 - product_2
    )
    total = (
        rt.herm(
            rt.matmul_pull_left(
                rt.matmul_pull_right(minus, np.conj(dense_band), like=product),
                np.conj(z),
                like=herm,
            )
        )
        + rt.matmul_pull_left(minus, np.conj(product), like=dense_band)
    )
    return rt.scatter(
        rt.narrow_band(total, cb_and_lower_part, cb_and_lower_part_2), cb_and_lower, 0
    )


def cho_solve_banded_b(c, cb_and_lower, b):
    return rt.unbroadcast(linalg.cho_solve_banded(cb_and_lower, c), b)


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "scipy_fft.hfft2": {"x": hfft2_x},
    "scipy_fft.hfftn": {"x": hfftn_x},
    "scipy_fft.ihfft2": {"x": ihfft2_x},
    "scipy_fft.ihfftn": {"x": ihfftn_x},
    "scipy_fft.cosine": {"x": cosine_x},
    "scipy_fft.cosine_pull": {"c": cosine_pull_c},
    "scipy_fft.dct": {"x": dct_x},
    "scipy_fft.dctn": {"x": dctn_x},
    "scipy_fft.idct": {"x": idct_x},
    "scipy_fft.idctn": {"x": idctn_x},
    "scipy_fft.dst": {"x": dst_x},
    "scipy_fft.dstn": {"x": dstn_x},
    "scipy_fft.idst": {"x": idst_x},
    "scipy_fft.idstn": {"x": idstn_x},
    "scipy_linalg.solve": {"a": solve_a, "b": solve_b},
    "scipy_linalg.whole": {"a": whole_a},
    "scipy_linalg.mirrored": {"x": mirrored_x},
    "scipy_linalg.transposed_if": {"x": transposed_if_x},
    "scipy_linalg.solve_triangular": {"a": solve_triangular_a, "b": solve_triangular_b},
    "scipy_linalg.triangle_of": {"x": triangle_of_x},
    "scipy_linalg.triangle_pull": {"c": triangle_pull_c},
    "scipy_linalg.inv": {"a": inv_a},
    "scipy_linalg.det": {"a": det_a},
    "scipy_linalg.pinv": {"a": pinv_a},
    "scipy_linalg.cholesky": {"a": cholesky_a},
    "scipy_linalg.cho_factor": {"a": cho_factor_a},
    "scipy_linalg.cho_solve": {"c_and_lower": cho_solve_c_and_lower, "b": cho_solve_b},
    "scipy_linalg.factor_matrix": {"x": factor_matrix_x},
    "scipy_linalg.factor_pull": {"c": factor_pull_c},
    "scipy_linalg.lu": {"a": lu_a},
    "scipy_linalg.permuted": {"x": permuted_x},
    "scipy_linalg.squared": {"x": squared_x},
    "scipy_linalg.unsquared": {"c": unsquared_c},
    "scipy_linalg.resquared": {"c": resquared_c},
    "scipy_linalg.lu_factor": {"a": lu_factor_a},
    "scipy_linalg.swapped": {"x": swapped_x},
    "scipy_linalg.lu_solve": {"lu_and_piv": lu_solve_lu_and_piv, "b": lu_solve_b},
    "scipy_linalg.lu_turn": {"x": lu_turn_x},
    "scipy_linalg.qr": {"a": qr_a},
    "scipy_linalg.polar": {"a": polar_a},
    "scipy_linalg.polar_inverse": {"p": polar_inverse_p},
    "scipy_linalg.lstsq": {"a": lstsq_a, "b": lstsq_b},
    "scipy_matrices.eigvalsh": {"a": eigvalsh_a, "b": eigvalsh_b},
    "scipy_matrices.eigh": {"a": eigh_a, "b": eigh_b},
    "scipy_matrices.eigvalsh_tridiagonal": {
        "d": eigvalsh_tridiagonal_d,
        "e": eigvalsh_tridiagonal_e,
    },
    "scipy_matrices.eigh_tridiagonal": {
        "d": eigh_tridiagonal_d,
        "e": eigh_tridiagonal_e,
    },
    "scipy_matrices.svdvals": {"a": svdvals_a},
    "scipy_matrices.svd": {"a": svd_a},
    "scipy_matrices.eigvals": {"a": eigvals_a},
    "scipy_matrices.eig": {"a": eig_a},
    "scipy_matrices.complexed": {"x": complexed_x},
    "scipy_matrices.of_kind": {"x": of_kind_x},
    "scipy_matrices.schur": {"a": schur_a},
    "scipy_matrices.schur_lower": {"t": schur_lower_t, "m": schur_lower_m},
    "scipy_matrices.schur_form": {"t": schur_form_t},
    "scipy_matrices.skew": {"x": skew_x},
    "scipy_matrices.expm": {"A": expm_A},
    "scipy_matrices.logm": {"A": logm_A},
    "scipy_matrices.sqrtm": {"A": sqrtm_A},
    "scipy_matrices.sinm": {"A": sinm_A},
    "scipy_matrices.cosm": {"A": cosm_A},
    "scipy_matrices.tanm": {"A": tanm_A},
    "scipy_matrices.sinhm": {"A": sinhm_A},
    "scipy_matrices.coshm": {"A": coshm_A},
    "scipy_matrices.tanhm": {"A": tanhm_A},
    "scipy_matrices.signm": {"A": signm_A},
    "scipy_matrices.fractional_matrix_power": {
        "A": fractional_matrix_power_A,
        "t": fractional_matrix_power_t,
    },
    "scipy_matrices.matrix_log": {"a": matrix_log_a},
    "scipy_matrices.frechet": {"a": frechet_a, "e": frechet_e},
    "scipy_matrices.frechet_power": {
        "a": frechet_power_a,
        "e": frechet_power_e,
        "t": frechet_power_t,
    },
    "scipy_matrices.triangle": {"a": triangle_a, "e": triangle_e},
    "scipy_matrices.corner": {"x": corner_x},
    "scipy_matrices.diagonal_blocks": {"x": diagonal_blocks_x},
    "scipy_matrices.expm_frechet": {"A": expm_frechet_A, "E": expm_frechet_E},
    "scipy_matrices.solve_sylvester": {
        "a": solve_sylvester_a,
        "b": solve_sylvester_b,
        "q": solve_sylvester_q,
    },
    "scipy_matrices.solve_continuous_lyapunov": {
        "a": solve_continuous_lyapunov_a,
        "q": solve_continuous_lyapunov_q,
    },
    "scipy_matrices.solve_discrete_lyapunov": {
        "a": solve_discrete_lyapunov_a,
        "q": solve_discrete_lyapunov_q,
    },
    "scipy_matrices.solve_continuous_are": {
        "a": solve_continuous_are_a,
        "b": solve_continuous_are_b,
        "q": solve_continuous_are_q,
        "r": solve_continuous_are_r,
    },
    "scipy_matrices.solve_discrete_are": {
        "a": solve_discrete_are_a,
        "b": solve_discrete_are_b,
        "q": solve_discrete_are_q,
        "r": solve_discrete_are_r,
    },
    "scipy_ndimage.convolve": {"input": convolve_input, "weights": convolve_weights},
    "scipy_ndimage.correlate": {"input": correlate_input, "weights": correlate_weights},
    "scipy_ndimage.convolve1d": {
        "input": convolve1d_input,
        "weights": convolve1d_weights,
    },
    "scipy_ndimage.correlate1d": {
        "input": correlate1d_input,
        "weights": correlate1d_weights,
    },
    "scipy_ndimage.window": {"x": window_x, "weights": window_weights},
    "scipy_ndimage.template": {"g": template_g, "x": template_x},
    "scipy_ndimage.window_pull": {"c": window_pull_c, "weights": window_pull_weights},
    "scipy_ndimage.template_pull": {"c": template_pull_c, "x": template_pull_x},
    "scipy_ndimage.gaussian_filter": {"input": gaussian_filter_input},
    "scipy_ndimage.uniform_filter": {"input": uniform_filter_input},
    "scipy_ndimage.shift": {"input": shift_input},
    "scipy_ndimage.zoom": {"input": zoom_input},
    "scipy_ndimage.image_map": {"x": image_map_x},
    "scipy_ndimage.axes_pull": {"c": axes_pull_c},
    "scipy_ndimage.sum_labels": {"input": sum_labels_input},
    "scipy_ndimage.label_pull": {"c": label_pull_c},
    "scipy_ndimage.mean": {"input": mean_input},
    "scipy_signal.convolve": {"in1": convolve_in1, "in2": convolve_in2},
    "scipy_signal.fftconvolve": {"in1": fftconvolve_in1, "in2": fftconvolve_in2},
    "scipy_signal.oaconvolve": {"in1": oaconvolve_in1, "in2": oaconvolve_in2},
    "scipy_signal.convolve2d": {"in1": convolve2d_in1, "in2": convolve2d_in2},
    "scipy_signal.correlate": {"in1": correlate_in1, "in2": correlate_in2},
    "scipy_signal.correlate2d": {"in1": correlate2d_in1, "in2": correlate2d_in2},
    "scipy_signal.convolution_pull": {"c": convolution_pull_c, "y": convolution_pull_y},
    "scipy_signal.convolution": {"x": convolution_x, "y": convolution_y},
    "scipy_signal.lfilter": {"b": lfilter_b, "a": lfilter_a, "x": lfilter_x},
    "scipy_signal.lag_sums": {"c": lag_sums_c, "v": lag_sums_v},
    "scipy_signal.sosfilt": {"x": sosfilt_x},
    "scipy_signal.hilbert": {"x": hilbert_x},
    "scipy_signal.detrend": {"data": detrend_data},
    "scipy_signal.savgol_filter": {"x": savgol_filter_x},
    "scipy_signal.resample": {"x": resample_x},
    "scipy_signal.resample_poly": {"x": resample_poly_x},
    "scipy_signal.decimate": {"x": decimate_x},
    "scipy_signal.filtfilt": {"x": filtfilt_x},
    "scipy_signal.sosfiltfilt": {"x": sosfiltfilt_x},
    "scipy_signal.upfirdn": {"x": upfirdn_x},
    "scipy_signal.line": {"x": line_x},
    "scipy_signal.line_pull": {"c": line_pull_c},
    "scipy_signal.stft": {"x": stft_x},
    "scipy_signal.welch": {"x": welch_x},
    "scipy_signal.spectra": {"x": spectra_x},
    "scipy_sparse_linalg.sparse_adjoint": {"a": sparse_adjoint_a},
    "scipy_sparse_linalg.spsolve": {"b": spsolve_b},
    "scipy_sparse_linalg.expm_multiply": {"A": expm_multiply_A, "B": expm_multiply_B},
    "scipy_sparse_linalg.krylov_solve": {"a": krylov_solve_a, "b": krylov_solve_b},
    "scipy_sparse_linalg.cg": {"A": cg_A, "b": cg_b},
    "scipy_sparse_linalg.gmres": {"A": gmres_A, "b": gmres_b},
    "scipy_sparse_linalg.bicgstab": {"A": bicgstab_A, "b": bicgstab_b},
    "scipy_sparse_linalg.bicg": {"A": bicg_A, "b": bicg_b},
    "scipy_special.expit": {"x": expit_x},
    "scipy_structured.block_diagonal": {"blocks": block_diagonal_blocks},
    "scipy_structured.blocks_of": {"c": blocks_of_c},
    "scipy_structured.toeplitz": {"c": toeplitz_c, "r": toeplitz_r},
    "scipy_structured.hankel": {"c": hankel_c, "r": hankel_r},
    "scipy_structured.circulant": {"c": circulant_c},
    "scipy_structured.structured": {"x": structured_x},
    "scipy_structured.structured_pull": {"c_bar": structured_pull_c_bar},
    "scipy_structured.companion": {"a": companion_a},
    "scipy_structured.top_row": {"x": top_row_x},
    "scipy_structured.khatri_rao": {"a": khatri_rao_a, "b": khatri_rao_b},
    "scipy_structured.matmul_toeplitz": {
        "c_or_cr": matmul_toeplitz_c_or_cr,
        "x": matmul_toeplitz_x,
    },
    "scipy_structured.toeplitz_herm": {
        "c_or_cr": toeplitz_herm_c_or_cr,
        "y": toeplitz_herm_y,
    },
    "scipy_structured.toeplitz_pull": {"c": toeplitz_pull_c, "x": toeplitz_pull_x},
    "scipy_structured.solve_toeplitz": {
        "c_or_cr": solve_toeplitz_c_or_cr,
        "b": solve_toeplitz_b,
    },
    "scipy_structured.solve_circulant": {
        "c": solve_circulant_c,
        "b": solve_circulant_b,
    },
    "scipy_structured.circulate": {"c": circulate_c, "x": circulate_x},
    "scipy_structured.circle_pull": {"c": circle_pull_c, "x": circle_pull_x},
    "scipy_structured.reversed_circle": {"c": reversed_circle_c},
    "scipy_structured.solve_banded": {"ab": solve_banded_ab, "b": solve_banded_b},
    "scipy_structured.band_apply": {"ab": band_apply_ab, "x": band_apply_x},
    "scipy_structured.band_outer": {"c": band_outer_c, "x": band_outer_x},
    "scipy_structured.band_herm": {"ab": band_herm_ab},
    "scipy_structured.solveh_banded": {"ab": solveh_banded_ab, "b": solveh_banded_b},
    "scipy_structured.whole_band": {"ab": whole_band_ab},
    "scipy_structured.half_band": {"c": half_band_c},
    "scipy_structured.cholesky_banded": {"ab": cholesky_banded_ab},
    "scipy_structured.beyond_band": {"x": beyond_band_x},
    "scipy_structured.both_halves": {"x": both_halves_x},
    "scipy_structured.both_halves_pull": {"c": both_halves_pull_c},
    "scipy_structured.dense_band": {"ab": dense_band_ab},
    "scipy_structured.narrow_band": {"c": narrow_band_c},
    "scipy_structured.cho_solve_banded": {
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
    "solve_a": ("b",),
    "solve_b": ("b",),
    "solve_triangular_a": ("b",),
    "solve_triangular_b": ("z", "b"),
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
    "spsolve_b": ("b",),
    "expm_multiply_B": ("B",),
    "krylov_solve_b": ("b",),
    "cg_b": ("b",),
    "gmres_b": ("b",),
    "bicgstab_b": ("b",),
    "bicg_b": ("b",),
    "khatri_rao_a": ("a",),
    "khatri_rao_b": ("b",),
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
