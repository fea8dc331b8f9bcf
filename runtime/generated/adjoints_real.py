"""Adjoints of calls with real arrays of one type and few options. Do not edit: `make rules` writes it.

They are those of ``adjoints.py`` where all optional parameters but ``OPTIONS`` are left out, and all
arrays and the result are float64, or all float32; what would be the same is not repeated.
"""

from __future__ import annotations


import numpy as np

from ..helpers import linear as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- numpy.cumulative -----------------------------------------------------------------


def cumsum_x(c, x, axis):
    return rt.uncumsum(c, x, axis)


def add_accumulate_x(c, x, axis):
    return rt.uncumsum(c, x, axis)


def nancumsum_x(c, x, axis):
    return np.logical_not(np.isnan(x)) * rt.uncumsum(c, x, axis)


def cumprod_x(c, x, axis):
    rows_x = rt.rows(x, axis)
    product = rt.before(rows_x) * rt.recur_back(rt.rows(c, axis), rows_x)
    return rt.unrows(product, x, axis)


def multiply_accumulate_x(c, x, axis):
    rows_x = rt.rows(x, axis)
    product = rt.before(rows_x) * rt.recur_back(rt.rows(c, axis), rows_x)
    return rt.unrows(product, x, axis)


def nancumprod_x(c, x, axis):
    isnan_x = np.isnan(x)
    rows_axis = rt.rows(np.where(isnan_x, 1.0, x), axis)
    product = rt.before(rows_axis) * rt.recur_back(rt.rows(c, axis), rows_axis)
    return np.logical_not(isnan_x) * rt.unrows(product, x, axis)


def diff_a(c, a, axis):
    return rt.undiff(c, a, 1, axis)


# --- numpy.indexing -------------------------------------------------------------------


def take_a(c, a, indices, axis):
    return rt.untake(c, a, indices, axis=axis)


# --- numpy.linalg.contractions --------------------------------------------------------


def einsum_x0(c, subscripts, x0):
    return rt.einsum_pull(c, subscripts, x0)


def convolve_a(c, a, v):
    return rt.convolve_pull(c, v, like=a)


def convolve_v(c, a, v):
    return rt.convolve_pull(c, a, like=v)


def correlate_a(c, a, v):
    return rt.correlate_pull_left(c, v, a)


def correlate_v(c, a, v):
    return rt.correlate_pull_right(c, a, v)


# --- numpy.linalg.norms ---------------------------------------------------------------


def norm_x(c, z, x, axis, keepdims):
    unreduce_c = rt.unreduce(c, x, axis=axis, keepdims=keepdims)
    return rt.norm_weight(z, x, None, axis, keepdims) * x * unreduce_c


def vector_norm_x(c, z, x, axis, keepdims):
    product = rt.norm_weight(z, x, 2, axis, keepdims, True) * x
    return product * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def matrix_norm_x(c, z, x, keepdims):
    product = rt.norm_weight(z, x, "fro", (-2, -1), keepdims) * x
    return product * rt.unreduce(c, x, axis=(-2, -1), keepdims=keepdims)


def cond_x(c, x):
    product_order = rt.product_order(None)
    inv_x = np.linalg.inv(x)
    norm_x = np.linalg.norm(x, product_order, (-2, -1))
    norm = np.linalg.norm(inv_x, product_order, (-2, -1))
    product = rt.norm_weight(norm_x, x, product_order, (-2, -1)) * x
    product_2 = rt.norm_weight(norm, inv_x, product_order, (-2, -1)) * inv_x
    product_3 = inv_x @ x
    product_4 = product_2 * rt.unreduce(-(norm_x * c), product_3 @ inv_x, axis=(-2, -1))
    matmul_pull_left = rt.matmul_pull_left(product_4, inv_x, like=product_3)
    matmul_pull_right = rt.matmul_pull_right(matmul_pull_left, inv_x, like=x)
    return matmul_pull_right + product * rt.unreduce(norm * c, x, axis=(-2, -1))


# --- numpy.linalg.products ------------------------------------------------------------


def matmul_x1(c, x1, x2):
    return rt.matmul_pull_left(c, x2, like=x1)


def matmul_x2(c, x1, x2):
    return rt.matmul_pull_right(c, x1, like=x2)


def matmul_pull_left_c(c_bar, y):
    return c_bar @ y


def matmul_pull_left_y(c_bar, c, y):
    return rt.matmul_pull_right(c, c_bar, like=y)


def matmul_pull_right_c(c_bar, x):
    return x @ c_bar


def matmul_pull_right_x(c_bar, c, x):
    return rt.matmul_pull_left(c, c_bar, like=x)


def dot_a(c, a, b):
    return rt.tensordot_pull_left(c, b, like=a, axes=rt.dot_axes(a, b))


def dot_b(c, a, b):
    return rt.tensordot_pull_right(c, a, like=b, axes=rt.dot_axes(a, b))


def inner_a(c, a, b):
    return rt.tensordot_pull_left(c, b, like=a, axes=rt.inner_axes(a, b))


def inner_b(c, a, b):
    return rt.tensordot_pull_right(c, a, like=b, axes=rt.inner_axes(a, b))


def tensordot_a(c, a, b):
    return rt.tensordot_pull_left(c, b, like=a)


def tensordot_b(c, a, b):
    return rt.tensordot_pull_right(c, a, like=b)


def tensordot_pull_left_c(c_bar, y):
    return np.tensordot(c_bar, y)


def tensordot_pull_left_y(c_bar, c, y):
    return rt.tensordot_pull_right(c, c_bar, like=y)


def tensordot_pull_right_c(c_bar, x):
    return np.tensordot(x, c_bar)


def tensordot_pull_right_x(c_bar, c, x):
    return rt.tensordot_pull_left(c, c_bar, like=x)


def outer_a(c, a, b):
    return rt.reshape_like(c @ np.ravel(b), like=a)


def outer_b(c, a, b):
    return rt.reshape_like(np.ravel(a) @ c, like=b)


def vdot_a(c, a, b):
    return rt.reshape_like(c * np.ravel(b), like=a)


def vecdot_pull_y(c_bar, c, y, axis):
    return rt.vecdot_pull(c, c_bar, y, axis)


def vecdot_x1(c, x1, x2, axis):
    return rt.vecdot_pull(c, x2, x1, axis)


def matvec_x1(c, x1, x2):
    return rt.unbroadcast(c[..., :, None] * x2[..., None, :], x1)


def vecmat_x1(c, x1, x2):
    return rt.unbroadcast(np.matvec(x2, c), x1)


def kron_a(c, a, b):
    return rt.kron_pull_left(c, b, like=a)


def kron_b(c, a, b):
    return rt.kron_pull_right(c, a, like=b)


def kron_pull_left_c(c_bar, y):
    return np.kron(c_bar, y)


def kron_pull_left_y(c_bar, c, y):
    return rt.kron_pull_right(c, c_bar, like=y)


def kron_pull_right_c(c_bar, x):
    return np.kron(x, c_bar)


def kron_pull_right_x(c_bar, c, x):
    return rt.kron_pull_left(c, c_bar, like=x)


def cross_a(c, z, a, b, axis):
    axis_from_end_a = rt.axis_from_end(a, -1, axis)
    axis_from_end_b = rt.axis_from_end(b, -1, axis)
    axis_from_end_z = rt.axis_from_end(z, -1, axis)
    cross_b = rt.cross(b, c, axis_from_end_b, axis_from_end_z, axis_from_end_a)
    return rt.unbroadcast(cross_b, a)


def cross_b(c, z, a, b, axis):
    axis_from_end_a = rt.axis_from_end(a, -1, axis)
    axis_from_end_b = rt.axis_from_end(b, -1, axis)
    axis_from_end_z = rt.axis_from_end(z, -1, axis)
    cross_c = rt.cross(c, a, axis_from_end_z, axis_from_end_a, axis_from_end_b)
    return rt.unbroadcast(cross_c, b)


def linear_cross_a(c, a, b):
    return rt.unbroadcast(rt.cross(b, c), a)


def linear_cross_b(c, a, b):
    return rt.unbroadcast(rt.cross(c, a), b)


def linalg_cross_x1(c, z, x1, x2, axis):
    axis_from_end_x1 = rt.axis_from_end(x1, axis)
    axis_from_end_x2 = rt.axis_from_end(x2, axis)
    axis_from_end_z = rt.axis_from_end(z, axis)
    cross_x2 = rt.cross(x2, c, axis_from_end_x2, axis_from_end_z, axis_from_end_x1)
    return rt.unbroadcast(cross_x2, x1)


def linalg_cross_x2(c, z, x1, x2, axis):
    axis_from_end_x1 = rt.axis_from_end(x1, axis)
    axis_from_end_x2 = rt.axis_from_end(x2, axis)
    axis_from_end_z = rt.axis_from_end(z, axis)
    cross_c = rt.cross(c, x1, axis_from_end_z, axis_from_end_x1, axis_from_end_x2)
    return rt.unbroadcast(cross_c, x2)


# --- numpy.linalg.solve ---------------------------------------------------------------


def inv_a(c, z, a):
    return rt.matmul_pull_right(rt.matmul_pull_left(-c, z, like=z @ a), z, like=a)


def solve_a(c, z, a, b):
    column_b = rt.column(-rt.solve_for(rt.herm(a), c, b), b)
    return rt.matmul_pull_left(column_b, rt.column(z, b), like=a)


def det_a(c, a):
    return rt.cofactor(a) * rt.unreduce(c, a, axis=(-2, -1))


def cholesky_a(c, z, a):
    phi = rt.phi(rt.solve_lower(z, rt.herm(rt.solve_lower(z, rt.hermitian(a)))))
    phi_2 = rt.phi(rt.matmul_pull_right(c, z, like=phi))
    return rt.hermitian(
        rt.solve_lower(z, rt.herm(rt.solve_lower(z, phi_2, True)), True)
    )


def pinv_a(c, z, a):
    herm_z = rt.herm(z)
    dtype_z = z.dtype
    z_a = z @ a
    difference = np.eye(z.shape[-2], dtype=dtype_z) - z_a
    difference_2 = np.eye(z.shape[-1], dtype=dtype_z) - a @ z
    product = z @ herm_z
    matmul_pull_left = rt.matmul_pull_left(-c, z, like=z_a)
    herm_a = rt.herm(a)
    product_2 = difference @ herm_a
    matmul_pull_left_2 = rt.matmul_pull_left(c, difference_2, like=product @ herm_a)
    total = rt.matmul_pull_right(
        rt.matmul_pull_left(
            rt.matmul_pull_left(c, z, like=product_2 @ herm_z), herm_z, like=product_2
        ),
        difference,
        like=herm_a,
    ) + rt.matmul_pull_right(matmul_pull_left_2, product, like=herm_a)
    return rt.matmul_pull_right(matmul_pull_left, z, like=a) + rt.herm(total)


def matrix_power_a(c, a, n):
    powers_a = rt.powers(a, n)
    flip = np.flip(powers_a, 0)
    product = powers_a @ a
    unreduce = rt.unreduce(rt.direction(n) * c, product @ flip, axis=0)
    matmul_pull_left = rt.matmul_pull_left(unreduce, flip, like=product)
    return rt.matmul_pull_right(matmul_pull_left, powers_a, like=a)


# --- numpy.networks.layers ------------------------------------------------------------


def log_sigmoid_x(c, x):
    return rt.sigmoid(-x) * c


def softmax_x(c, z, x, axis):
    return z * (c + rt.unreduce(np.sum(-(z * c), axis=axis), x, axis=axis))


def log_softmax_x(c, z, x, axis):
    return c + np.exp(z) * rt.unreduce(np.sum(-c, axis=axis), x, axis=axis)


def times_transposed_x(c, w):
    return c @ w


def times_transposed_w(c, x, w):
    return rt.matmul_pull_right(x, c, like=w)


def affine_x(c, w):
    return c @ w


def affine_w(c, x, w):
    return rt.matmul_pull_right(x, c, like=w)


# --- numpy.networks.windows -----------------------------------------------------------


def products_with_windows_x(c, x, w, stride, dilation):
    return rt.windows_pull_whole(c, w, x, stride, dilation)


def products_with_windows_w(c, x, w, stride, dilation):
    return rt.windows_pull_weights(c, x, w, stride, dilation)


def windows_pull_whole_c(c_bar, w, stride, dilation):
    return rt.products_with_windows(c_bar, w, stride, dilation)


def windows_pull_whole_w(c_bar, c, w, stride, dilation):
    return rt.windows_pull_weights(c, c_bar, w, stride, dilation)


def windows_pull_weights_c(c_bar, x, stride, dilation):
    return rt.products_with_windows(x, c_bar, stride, dilation)


def windows_pull_weights_x(c_bar, c, x, stride, dilation):
    return rt.windows_pull_whole(c, c_bar, x, stride, dilation)


# --- numpy.reductions -----------------------------------------------------------------


def sum_x(c, x, axis, keepdims):
    return rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def add_reduce_x(c, x, axis, keepdims):
    return rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def mean_x(c, x, axis, keepdims):
    return rt.unreduce(c / rt.count(x, axis), x, axis=axis, keepdims=keepdims)


def average_a(c, a, axis, keepdims):
    align_a = rt.align(None, a, axis)
    ratio = c / np.sum(align_a, axis=axis, keepdims=keepdims)
    return align_a * rt.unreduce(ratio, a, axis=axis, keepdims=keepdims)


def var_x(c, x, axis, ddof, keepdims):
    product = 2 / rt.count(x, axis, ddof) * c
    unreduce_x = rt.unreduce(product, x, axis=axis, keepdims=keepdims)
    return (x - np.mean(x, axis=axis, keepdims=True)) * unreduce_x


def std_x(c, z, x, axis, ddof, keepdims):
    divide_or_zero_z = rt.divide_or_zero(c / rt.count(x, axis, ddof), z)
    unreduce_x = rt.unreduce(divide_or_zero_z, x, axis=axis, keepdims=keepdims)
    return (x - np.mean(x, axis=axis, keepdims=True)) * unreduce_x


def extreme_x(c, z, x, axis, keepdims):
    share_ties_z = rt.share_ties(z, x, axis=axis, keepdims=keepdims)
    return share_ties_z * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def extreme_reduce_x(c, z, x, axis, keepdims):
    share_ties_z = rt.share_ties(z, x, axis=axis, keepdims=keepdims)
    return share_ties_z * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def logaddexp_reduce_x(c, z, x, axis, keepdims):
    exp = np.exp(x - rt.unreduce(z, x, axis=axis, keepdims=keepdims))
    return exp * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def nansum_x(c, x, axis, keepdims):
    return np.logical_not(np.isnan(x)) * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def nanmean_x(c, x, axis, keepdims):
    ratio = c / rt.nancount(x, axis=axis, keepdims=keepdims)
    unreduce_x = rt.unreduce(ratio, x, axis=axis, keepdims=keepdims)
    return np.logical_not(np.isnan(x)) * unreduce_x


def nanvar_x(c, x, axis, ddof, keepdims):
    difference = x - np.nanmean(x, axis=axis, keepdims=True)
    where = np.where(np.logical_not(np.isnan(x)), difference, 0.0)
    product = 2 / rt.nancount(x, axis, keepdims, ddof) * c
    return where * rt.unreduce(product, x, axis=axis, keepdims=keepdims)


def nanstd_x(c, z, x, axis, ddof, keepdims):
    difference = x - np.nanmean(x, axis=axis, keepdims=True)
    divide_or_zero_z = rt.divide_or_zero(c / rt.nancount(x, axis, keepdims, ddof), z)
    unreduce_x = rt.unreduce(divide_or_zero_z, x, axis=axis, keepdims=keepdims)
    return np.where(np.logical_not(np.isnan(x)), difference, 0.0) * unreduce_x


def nanprod_x(c, x, axis, keepdims):
    logical_not = np.logical_not(np.isnan(x))
    product = rt.others(np.where(logical_not, x, 1.0), axis) * logical_not
    return product * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def prod_x(c, x, axis, keepdims):
    return rt.others(x, axis) * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def multiply_reduce_x(c, x, axis, keepdims):
    return rt.others(x, axis) * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


# --- numpy.shaping --------------------------------------------------------------------


def reshape_a(c, a):
    return rt.reshape_like(c, like=a)


def ravel_a(c, a):
    return rt.reshape_like(c, like=a)


def flatten_a(c, a):
    return rt.reshape_like(c, like=a)


def transpose_axes_a(c):
    return np.transpose(c, rt.inverse_axes(None, np.ndim(c)))


def rollaxis_a(c, axis):
    return np.transpose(c, rt.inverse_roll(axis, 0, np.ndim(c)))


def pad_array(c, array, pad_width):
    return rt.pad_pull(c, array, pad_width)


def rot90_m(c):
    return np.rot90(c, -1, (0, 1))


def diag_v(c, v):
    return rt.undiag(c, v)


def diagflat_v(c, v):
    return rt.reshape_like(np.diagonal(c), like=v)


def diagonal_a(c, a):
    return rt.undiagonal(c, a)


def trace_a(c, a):
    return rt.untrace(c, a)


def tril_m(c, m):
    return rt.unbroadcast(np.tril(c), m)


def triu_m(c, m):
    return rt.unbroadcast(np.triu(c), m)


def linalg_diagonal_x(c, x):
    return rt.undiagonal(c, x, 0, -2, -1)


def linalg_trace_x(c, x):
    return rt.untrace(c, x, 0, -2, -1)


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "numpy.cumulative.cumsum": {"x": cumsum_x},
    "numpy.cumulative.add_accumulate": {"x": add_accumulate_x},
    "numpy.cumulative.nancumsum": {"x": nancumsum_x},
    "numpy.cumulative.cumprod": {"x": cumprod_x},
    "numpy.cumulative.multiply_accumulate": {"x": multiply_accumulate_x},
    "numpy.cumulative.nancumprod": {"x": nancumprod_x},
    "numpy.cumulative.diff": {"a": diff_a},
    "numpy.indexing.take": {"a": take_a},
    "numpy.linalg.contractions.einsum": {"x0": einsum_x0},
    "numpy.linalg.contractions.convolve": {"a": convolve_a, "v": convolve_v},
    "numpy.linalg.contractions.correlate": {"a": correlate_a, "v": correlate_v},
    "numpy.linalg.norms.norm": {"x": norm_x},
    "numpy.linalg.norms.vector_norm": {"x": vector_norm_x},
    "numpy.linalg.norms.matrix_norm": {"x": matrix_norm_x},
    "numpy.linalg.norms.cond": {"x": cond_x},
    "numpy.linalg.products.matmul": {"x1": matmul_x1, "x2": matmul_x2},
    "numpy.linalg.products.matmul_pull_left": {
        "c": matmul_pull_left_c,
        "y": matmul_pull_left_y,
    },
    "numpy.linalg.products.matmul_pull_right": {
        "c": matmul_pull_right_c,
        "x": matmul_pull_right_x,
    },
    "numpy.linalg.products.dot": {"a": dot_a, "b": dot_b},
    "numpy.linalg.products.inner": {"a": inner_a, "b": inner_b},
    "numpy.linalg.products.tensordot": {"a": tensordot_a, "b": tensordot_b},
    "numpy.linalg.products.tensordot_pull_left": {
        "c": tensordot_pull_left_c,
        "y": tensordot_pull_left_y,
    },
    "numpy.linalg.products.tensordot_pull_right": {
        "c": tensordot_pull_right_c,
        "x": tensordot_pull_right_x,
    },
    "numpy.linalg.products.outer": {"a": outer_a, "b": outer_b},
    "numpy.linalg.products.vdot": {"a": vdot_a},
    "numpy.linalg.products.vecdot_pull": {"y": vecdot_pull_y},
    "numpy.linalg.products.vecdot": {"x1": vecdot_x1},
    "numpy.linalg.products.matvec": {"x1": matvec_x1},
    "numpy.linalg.products.vecmat": {"x1": vecmat_x1},
    "numpy.linalg.products.kron": {"a": kron_a, "b": kron_b},
    "numpy.linalg.products.kron_pull_left": {
        "c": kron_pull_left_c,
        "y": kron_pull_left_y,
    },
    "numpy.linalg.products.kron_pull_right": {
        "c": kron_pull_right_c,
        "x": kron_pull_right_x,
    },
    "numpy.linalg.products.cross": {"a": cross_a, "b": cross_b},
    "numpy.linalg.products.linear_cross": {"a": linear_cross_a, "b": linear_cross_b},
    "numpy.linalg.products.linalg_cross": {
        "x1": linalg_cross_x1,
        "x2": linalg_cross_x2,
    },
    "numpy.linalg.solve.inv": {"a": inv_a},
    "numpy.linalg.solve.solve": {"a": solve_a},
    "numpy.linalg.solve.det": {"a": det_a},
    "numpy.linalg.solve.cholesky": {"a": cholesky_a},
    "numpy.linalg.solve.pinv": {"a": pinv_a},
    "numpy.linalg.solve.matrix_power": {"a": matrix_power_a},
    "numpy.networks.layers.log_sigmoid": {"x": log_sigmoid_x},
    "numpy.networks.layers.softmax": {"x": softmax_x},
    "numpy.networks.layers.log_softmax": {"x": log_softmax_x},
    "numpy.networks.layers.times_transposed": {
        "x": times_transposed_x,
        "w": times_transposed_w,
    },
    "numpy.networks.layers.affine": {"x": affine_x, "w": affine_w},
    "numpy.networks.windows.products_with_windows": {
        "x": products_with_windows_x,
        "w": products_with_windows_w,
    },
    "numpy.networks.windows.windows_pull_whole": {
        "c": windows_pull_whole_c,
        "w": windows_pull_whole_w,
    },
    "numpy.networks.windows.windows_pull_weights": {
        "c": windows_pull_weights_c,
        "x": windows_pull_weights_x,
    },
    "numpy.reductions.sum": {"x": sum_x},
    "numpy.reductions.add_reduce": {"x": add_reduce_x},
    "numpy.reductions.mean": {"x": mean_x},
    "numpy.reductions.average": {"a": average_a},
    "numpy.reductions.var": {"x": var_x},
    "numpy.reductions.std": {"x": std_x},
    "numpy.reductions.extreme": {"x": extreme_x},
    "numpy.reductions.extreme_reduce": {"x": extreme_reduce_x},
    "numpy.reductions.logaddexp_reduce": {"x": logaddexp_reduce_x},
    "numpy.reductions.nansum": {"x": nansum_x},
    "numpy.reductions.nanmean": {"x": nanmean_x},
    "numpy.reductions.nanvar": {"x": nanvar_x},
    "numpy.reductions.nanstd": {"x": nanstd_x},
    "numpy.reductions.nanprod": {"x": nanprod_x},
    "numpy.reductions.prod": {"x": prod_x},
    "numpy.reductions.multiply_reduce": {"x": multiply_reduce_x},
    "numpy.shaping.reshape": {"a": reshape_a},
    "numpy.shaping.ravel": {"a": ravel_a},
    "numpy.shaping.flatten": {"a": flatten_a},
    "numpy.shaping.transpose_axes": {"a": transpose_axes_a},
    "numpy.shaping.rollaxis": {"a": rollaxis_a},
    "numpy.shaping.pad": {"array": pad_array},
    "numpy.shaping.rot90": {"m": rot90_m},
    "numpy.shaping.diag": {"v": diag_v},
    "numpy.shaping.diagflat": {"v": diagflat_v},
    "numpy.shaping.diagonal": {"a": diagonal_a},
    "numpy.shaping.trace": {"a": trace_a},
    "numpy.shaping.tril": {"m": tril_m},
    "numpy.shaping.triu": {"m": triu_m},
    "numpy.shaping.linalg_diagonal": {"x": linalg_diagonal_x},
    "numpy.shaping.linalg_trace": {"x": linalg_trace_x},
}

SHAPES = {
    "cumsum_x": ("x",),
    "add_accumulate_x": ("x",),
    "diff_a": ("a",),
    "take_a": ("a",),
    "einsum_x0": ("x0",),
    "convolve_a": ("a",),
    "convolve_v": ("v",),
    "correlate_a": ("a",),
    "correlate_v": ("v",),
    "matmul_x1": ("x1",),
    "matmul_x2": ("x2",),
    "matmul_pull_left_y": ("y",),
    "matmul_pull_right_x": ("x",),
    "dot_a": ("a",),
    "dot_b": ("b",),
    "inner_a": ("a",),
    "inner_b": ("b",),
    "tensordot_a": ("a",),
    "tensordot_b": ("b",),
    "tensordot_pull_left_y": ("y",),
    "tensordot_pull_right_x": ("x",),
    "outer_a": ("a",),
    "outer_b": ("b",),
    "vdot_a": ("a",),
    "vecdot_pull_y": ("y",),
    "vecdot_x1": ("x1",),
    "matvec_x1": ("x1",),
    "vecmat_x1": ("x1",),
    "kron_a": ("a",),
    "kron_b": ("b",),
    "kron_pull_left_y": ("y",),
    "kron_pull_right_x": ("x",),
    "cross_a": ("z", "a"),
    "cross_b": ("z", "b"),
    "linear_cross_a": ("a",),
    "linear_cross_b": ("b",),
    "linalg_cross_x1": ("z", "x1"),
    "linalg_cross_x2": ("z", "x2"),
    "solve_a": ("b",),
    "softmax_x": ("x",),
    "log_softmax_x": ("x",),
    "times_transposed_w": ("w",),
    "affine_w": ("w",),
    "products_with_windows_x": ("x",),
    "products_with_windows_w": ("w",),
    "windows_pull_whole_w": ("w",),
    "windows_pull_weights_x": ("x",),
    "sum_x": ("x",),
    "add_reduce_x": ("x",),
    "mean_x": ("x",),
    "average_a": ("a",),
    "reshape_a": ("a",),
    "ravel_a": ("a",),
    "flatten_a": ("a",),
    "pad_array": ("array",),
    "diag_v": ("v",),
    "diagflat_v": ("v",),
    "diagonal_a": ("a",),
    "trace_a": ("a",),
    "tril_m": ("m",),
    "triu_m": ("m",),
    "linalg_diagonal_x": ("x",),
    "linalg_trace_x": ("x",),
}
OPTIONS = ('axis', 'keepdims', 'ddof')
