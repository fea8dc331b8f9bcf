"""Adjoints of every operation, one function for each argument. Do not edit: `make rules` writes it.

``c`` is the cotangent of the result ``z`` (a sequence of them, where an operation has several
results); the other parameters are the operation's own.  A function takes what it reads and nothing
else, so its parameters are what must be kept; those in ``SHAPES`` are read for shape and dtype only.
"""

from __future__ import annotations

import math

import numpy as np

from ..helpers import linear as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- batches --------------------------------------------------------------------------


def aligned_x(c, x):
    return rt.reshape_like(c, x)


def flat_examples_x(c, x):
    return rt.reshape_like(c, x)


def example_tree(c, tree, i):
    return rt.put_example(c, tree, i)


def put_example_c(c_bar, i):
    return rt.example(c_bar, i)


def of_examples_trees(c, trees):
    return rt.examples_like(c, trees)


def examples_like_c(c_bar):
    return rt.of_examples(c_bar)


def repeated_examples_tree(c):
    return rt.summed_examples(c)


def summed_examples_tree(c, tree):
    return rt.repeated_examples(c, rt.example_count(tree))


def unbroadcast_examples_c(c_bar, c):
    return rt.stretch_examples(c_bar, c)


def stretch_examples_c(c_bar, c):
    return rt.unbroadcast_examples(c_bar, c, True)


def examples_first_tree(c, axes):
    return rt.examples_moved(c, axes)


def examples_moved_tree(c, tree, axes):
    return rt.examples_first(c, axes, rt.example_count(tree))


# --- numpy.arithmetic -----------------------------------------------------------------


def add_x(c, x):
    return rt.unbroadcast(c, x)


def add_y(c, y):
    return rt.unbroadcast(c, y)


def subtract_x(c, x):
    return rt.unbroadcast(c, x)


def subtract_y(c, y):
    return rt.unbroadcast(-c, y)


def multiply_x(c, x, y):
    return rt.unbroadcast(c * np.conj(y), x)


def multiply_y(c, x, y):
    return rt.unbroadcast(np.conj(x) * c, y)


def divide_x(c, x, y):
    return rt.unbroadcast(c / np.conj(y), x)


def divide_y(c, z, y):
    return rt.unbroadcast(-(np.conj(z) * (c / np.conj(y))), y)


def power_x(c, x, y):
    return rt.unbroadcast(np.conj(y * x ** rt.one_less(y, x)) * c, x)


def power_y(c, z, x, y):
    return rt.unbroadcast(rt.times_log(np.conj(z) * c, np.conj(rt.in_kind(x, z))), y)


def float_power_x(c, x, y):
    return rt.unbroadcast(np.conj(y * np.float_power(x, rt.one_less(y, x))) * c, x)


def float_power_y(c, z, x, y):
    return rt.unbroadcast(rt.times_log(np.conj(z) * c, np.conj(rt.in_kind(x, z))), y)


def remainder_x(c, x):
    return rt.unbroadcast(c, x)


def remainder_y(c, x, y):
    return rt.unbroadcast(-(np.conj(x // y) * c), y)


def fmod_x(c, x):
    return rt.unbroadcast(c, x)


def fmod_y(c, x, y):
    return rt.unbroadcast(-(np.conj(np.trunc(x / y)) * c), y)


def divmod_x(c, x):
    return rt.unbroadcast(c[1] + 0.0 * c[0], x)


def divmod_y(c, z, y):
    return rt.unbroadcast(0.0 * c[0] - np.conj(z[0]) * c[1], y)


def negative_x(c):
    return -c


def positive_x(c):
    return c


def absolute_x(c, x):
    return rt.sign(x) * c


def fabs_x(c, x):
    return rt.sign(x) * c


def sign_x(c, z, x):
    product = rt.turn_rate(x) * c
    return product + z * np.real(-(np.conj(z) * product))


def turn_rate_x(c, z, x):
    return rt.sign(x) * np.real(np.conj(-(z * z)) * c)


def copysign_x(c, z, x):
    return rt.unbroadcast(rt.sign(x) * rt.sign(z) * c, x)


def nextafter_x(c, x):
    return rt.unbroadcast(c, x)


def heaviside_h(c, x, h):
    return rt.unbroadcast(np.where(x == 0, c, 0.0), h)


def maximum_x(c, x, y):
    return rt.unbroadcast(rt.if_larger(c, x, y), x)


def maximum_y(c, x, y):
    return rt.unbroadcast(rt.if_larger(c, y, x), y)


def minimum_x(c, x, y):
    return rt.unbroadcast(rt.if_larger(c, y, x), x)


def minimum_y(c, x, y):
    return rt.unbroadcast(rt.if_larger(c, x, y), y)


def fmax_x(c, x, y):
    return rt.unbroadcast(rt.if_number(rt.if_larger(c, x, y), x), x)


def fmax_y(c, x, y):
    return rt.unbroadcast(rt.if_number(rt.if_larger(c, y, x), y), y)


def fmin_x(c, x, y):
    return rt.unbroadcast(rt.if_number(rt.if_larger(c, y, x), x), x)


def fmin_y(c, x, y):
    return rt.unbroadcast(rt.if_number(rt.if_larger(c, x, y), y), y)


def clip_a(c, a, a_min, a_max, min, max):
    return rt.unbroadcast(rt.if_inside(c, a, a_min, a_max, min=min, max=max), a)


def clip_a_min(c, a, a_min, a_max, min, max):
    return rt.unbroadcast(rt.if_below(c, a, a_min, a_max, min=min, max=max), a_min)


def clip_a_max(c, a, a_min, a_max, min, max):
    return rt.unbroadcast(rt.if_above(c, a, a_min, a_max, min=min, max=max), a_max)


def clip_min(c, a, a_min, a_max, min, max):
    return rt.unbroadcast(rt.if_below(c, a, a_min, a_max, min=min, max=max), min)


def clip_max(c, a, a_min, a_max, min, max):
    return rt.unbroadcast(rt.if_above(c, a, a_min, a_max, min=min, max=max), max)


def clip_method_a(c, a, min, max):
    return rt.unbroadcast(rt.if_inside(c, a, min, max), a)


def clip_method_min(c, a, min, max):
    return rt.unbroadcast(rt.if_below(c, a, min, max), min)


def clip_method_max(c, a, min, max):
    return rt.unbroadcast(rt.if_above(c, a, min, max), max)


def where_x(c, condition, x):
    return rt.unbroadcast(np.where(condition, c, 0.0), x)


def where_y(c, condition, y):
    return rt.unbroadcast(np.where(condition, 0.0, c), y)


def select_choicelist(c, condlist, choicelist):
    return rt.unselect(c, condlist, choicelist)


def select_default(c, z, condlist, default):
    unbroadcast = rt.unbroadcast(rt.if_none(c, condlist), rt.full(default, z))
    return rt.unbroadcast(rt.if_float(unbroadcast, z), default)


def ldexp_x(c, x, i):
    return rt.unbroadcast(np.ldexp(c, i), x)


def frexp_x(c, z):
    return 0.0 * c[1] + np.ldexp(c[0], -z[1])


def modf_x(c):
    return c[0] + 0.0 * c[1]


def nan_to_num_x(c, x, copy):
    return rt.unbroadcast(rt.if_finite(c, x, copy=copy), x)


def nan_to_num_nan(c, x, nan):
    return rt.unbroadcast(rt.if_replaced(c, x, math.nan), nan)


def nan_to_num_posinf(c, x, posinf):
    return rt.unbroadcast(rt.if_replaced(c, x, math.inf), posinf)


def nan_to_num_neginf(c, x, neginf):
    return rt.unbroadcast(rt.if_replaced(c, x, -math.inf), neginf)


def real_val(c):
    return c


def imag_val(c, val):
    return rt.times_i(c, val)


def conjugate_x(c):
    return np.conj(c)


def angle_z_(c, z_, deg):
    product = rt.turn_rate(z_) * (180 / math.pi) ** deg * rt.sign(z_)
    times_i_z_ = rt.times_i(np.real(np.real(product) * c), z_)
    return np.real(-(np.imag(product) * c)) + times_i_z_


def real_if_close_a(c, z, a):
    return rt.convert(rt.if_float(c, z), a)


# --- numpy.complex_scalar -------------------------------------------------------------


def exp_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(z) * c, z), x)


def log_x(c, z, x, base):
    return rt.convert(rt.if_float(c / np.conj(x * np.log(base)), z), x)


def log10_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(x * np.log(10)), z), x)


def sqrt_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(2 * z), z), x)


def sin_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(np.cos(x)) * c, z), x)


def cos_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(-np.sin(x)) * c, z), x)


def tan_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(1 + z * z) * c, z), x)


def asin_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(np.cos(z)), z), x)


def acos_x(c, z, x):
    return rt.convert(rt.if_float(-(c / np.conj(np.sin(z))), z), x)


def atan_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(1 + x * x), z), x)


def sinh_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(np.cosh(x)) * c, z), x)


def cosh_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(np.sinh(x)) * c, z), x)


def tanh_x(c, z, x):
    return rt.convert(rt.if_float(np.conj(1 - z * z) * c, z), x)


def asinh_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(np.cosh(z)), z), x)


def acosh_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(np.sinh(z)), z), x)


def atanh_x(c, z, x):
    return rt.convert(rt.if_float(c / np.conj(1 - x * x), z), x)


def rect_r(c, z, r, phi):
    return rt.convert(rt.if_float(np.conj(np.exp(1j * phi)) * c, z), r)


def rect_phi(c, z, phi):
    return rt.convert(rt.if_float(np.conj(1j * z) * c, z), phi)


# --- numpy.containers -----------------------------------------------------------------


def flipped_stack(c):
    return c[::-1]


def fill_like_items(c, items, attributes):
    return rt.picked(c, items, attributes=attributes)


def picked_c(c_bar, c, attributes):
    return rt.fill_like(c, c_bar, attributes=attributes)


def match_c(c_bar, c):
    return rt.unmatch(c_bar, c)


def as_tangent_dot(c, dot):
    return rt.unmatch(c, dot)


def unmatch_c(c_bar, c):
    return rt.match(c_bar, c)


def put_at_items(c, items, path):
    return rt.cleared_at(c, path, items)


def put_at_item(c, path):
    return rt.taken_at(c, path)


def cleared_at_c(c_bar, c, path):
    return rt.cleared_at(c_bar, path, c)


def taken_at_c(c_bar, c, path):
    zeros_like_c = rt.zeros_like(c)
    return rt.put_at(zeros_like_c, path, c_bar)


def increased_at_items(c_bar):
    return c_bar


def increased_at_c(c_bar, path):
    return rt.taken_at(c_bar, path)


def entered_items(c, items, key):
    return rt.like_keys(c, items, key)


def entered_item(c, key):
    return c[key]


def dropped_items(c, items, key):
    return rt.like_keys(c, items, key)


def like_keys_c(c_bar, c, key):
    return rt.like_keys(c_bar, c, key)


def shallow_items(c):
    return rt.shallow(c)


def values_of_items(c, items):
    return rt.with_keys(c, rt.keys_of(items))


def with_keys_items(c):
    return rt.values_of(c)


# --- numpy.creation -------------------------------------------------------------------


def array_object(c, z, object):
    return rt.unpack(rt.if_float(c, z), object)


def asarray_chkfinite_a(c, z, a):
    return rt.unpack(rt.if_float(c, z), a)


def asarray_a(c, z, a):
    return rt.unpack(rt.if_float(c, z), a)


def ascontiguousarray_a(c, z, a):
    return rt.unpack(rt.if_float(c, z), a)


def from_dlpack_x(c):
    return c


def copy_a(c, z, a):
    return rt.unpack(rt.if_float(c, z), a)


def copy_method_a(c):
    return c


def numpy_number_x(c, z, x):
    return rt.unpack(rt.if_float(c, z), x)


def astype_a(c, z, a):
    return rt.convert(rt.if_float(c, z), a)


def astype_function_x(c, z, x):
    return rt.convert(rt.if_float(c, z), x)


def float_x(c, x):
    return rt.put_item(c, x)


def complex_real(c, real):
    return rt.put_item(c, real)


def complex_imag(c, imag):
    return rt.put_item((0.0 - 1j) * c, imag)


def item_a(c, a, index):
    return rt.put_item(c, a, index)


def full_fill_value(c, z, fill_value):
    return rt.unbroadcast(rt.if_float(c, z), fill_value)


def full_like_fill_value(c, z, fill_value):
    return rt.unbroadcast(rt.if_float(c, z), fill_value)


def linspace_start(c, z, start, num, endpoint, axis):
    if_float_z = rt.if_float((1 - rt.steps(num, endpoint, z, axis)) * c, z)
    return rt.unstretch_along(if_float_z, start, axis)


def linspace_stop(c, z, stop, num, endpoint, axis):
    if_float_z = rt.if_float(rt.steps(num, endpoint, z, axis) * c, z)
    return rt.unstretch_along(if_float_z, stop, axis)


def logspace_start(c, z, start, num, endpoint, base, axis):
    product = np.conj(z * math.log(base) * (1 - rt.steps(num, endpoint, z, axis))) * c
    return rt.unstretch_along(rt.if_float(product, z), start, axis)


def logspace_stop(c, z, stop, num, endpoint, base, axis):
    product = np.conj(z * math.log(base) * rt.steps(num, endpoint, z, axis)) * c
    return rt.unstretch_along(rt.if_float(product, z), stop, axis)


def logspace_base(c, z, start, stop, num, endpoint, base, axis):
    linspace_start = np.linspace(start, stop, num, endpoint=endpoint, axis=axis)
    if_float_z = rt.if_float(np.conj(rt.convert(linspace_start, z) * z / base) * c, z)
    return rt.unbroadcast(rt.convert(if_float_z, z), base)


def geomspace_start(c, z, start, num, endpoint, axis):
    if_float_z = rt.if_float(np.conj(z * (1 - rt.steps(num, endpoint, z, axis))) * c, z)
    return rt.unstretch_along(if_float_z, start / start, axis) / np.conj(start)


def geomspace_stop(c, z, stop, num, endpoint, axis):
    if_float_z = rt.if_float(np.conj(z * rt.steps(num, endpoint, z, axis)) * c, z)
    return rt.unstretch_along(if_float_z, stop / stop, axis) / np.conj(stop)


def stretch_along_c(c_bar, c, like, axis):
    return rt.unstretch_along(rt.if_float(c_bar, like), c, axis)


def unstretch_along_c(c_bar, c, axis):
    return rt.stretch_along(c_bar, c, axis)


def kaiser_beta(c, z, M, beta):
    kaiser_arguments = rt.kaiser_arguments(M)
    product = kaiser_arguments * rt.bessel_i(1, beta * kaiser_arguments)
    product_2 = np.conj((product - z * rt.bessel_i(1, beta)) / rt.bessel_i(0, beta)) * c
    return rt.unbroadcast(product_2, beta)


# --- numpy.cumulative -----------------------------------------------------------------


def cumsum_x(c, x, axis, dtype):
    return rt.convert(rt.if_float(rt.uncumsum(c, x, axis), np.empty(0, dtype)), x)


def add_accumulate_x(c, x, axis, dtype):
    return rt.convert(rt.if_float(rt.uncumsum(c, x, axis), np.empty(0, dtype)), x)


def nancumsum_x(c, x, axis, dtype):
    product = np.logical_not(np.isnan(x)) * rt.uncumsum(c, x, axis)
    return rt.convert(rt.if_float(product, np.empty(0, dtype)), x)


def uncumsum_c(c_bar, axis):
    return np.cumsum(c_bar, axis=axis)


def cumprod_x(c, x, axis, dtype):
    rows_x = rt.rows(x, axis)
    recur_back = rt.recur_back(rt.rows(c, axis), np.conj(rows_x))
    unrows_x = rt.unrows(np.conj(rt.before(rows_x)) * recur_back, x, axis)
    return rt.convert(rt.if_float(unrows_x, np.empty(0, dtype)), x)


def multiply_accumulate_x(c, x, axis, dtype):
    rows_x = rt.rows(x, axis)
    recur_back = rt.recur_back(rt.rows(c, axis), np.conj(rows_x))
    unrows_x = rt.unrows(np.conj(rt.before(rows_x)) * recur_back, x, axis)
    return rt.convert(rt.if_float(unrows_x, np.empty(0, dtype)), x)


def nancumprod_x(c, x, axis, dtype):
    isnan_x = np.isnan(x)
    rows_axis = rt.rows(np.where(isnan_x, 1.0, x), axis)
    recur_back = rt.recur_back(rt.rows(c, axis), np.conj(rows_axis))
    unrows_x = rt.unrows(np.conj(rt.before(rows_axis)) * recur_back, x, axis)
    if_float = rt.if_float(np.logical_not(isnan_x) * unrows_x, np.empty(0, dtype))
    return rt.convert(if_float, x)


def recur_c(c_bar, a):
    return rt.recur_back(c_bar, np.conj(a))


def recur_a(c_bar, z, a):
    return rt.recur_back(c_bar, np.conj(a)) * np.conj(rt.delay(z))


def recur_back_c(c_bar, a):
    return rt.recur(c_bar, np.conj(a))


def recur_back_a(c_bar, z, a):
    return rt.delay(rt.recur(c_bar, np.conj(a))) * np.conj(z)


def delay_c(c_bar):
    return rt.advance(c_bar)


def advance_c(c_bar):
    return rt.delay(c_bar)


def diff_a(c, a, n, axis):
    return rt.undiff(c, a, n, axis)


def undiff_c(c_bar, n, axis):
    return np.diff(c_bar, n=n, axis=axis)


def edge_c(c_bar, c):
    return rt.unbroadcast(c_bar, c)


def ediff1d_ary(c, ary):
    return rt.reshape_like(rt.undiff(c, np.ravel(ary)), like=ary)


def others_x(c, x, axis):
    rows_x = rt.rows(x, axis)
    flip = np.flip(rows_x, axis=-1)
    before = rt.before(flip)
    rows_c = rt.rows(c, axis)
    conjugate = np.conj(rt.before(rows_x))
    advance = rt.advance(np.flip(conjugate * rows_c, axis=-1))
    flip_2 = np.flip(np.conj(before) * rt.recur_back(advance, np.conj(flip)), axis=-1)
    advance_2 = rt.advance(rows_c * np.conj(np.flip(before, axis=-1)))
    total = flip_2 + conjugate * rt.recur_back(advance_2, np.conj(rows_x))
    return rt.unrows(total, x, axis)


def before_x(c, z, x):
    return np.conj(z) * rt.recur_back(rt.advance(c), np.conj(x))


# --- numpy.element_positions ----------------------------------------------------------


def resize_a(c, a, new_shape):
    resize_new_shape = np.resize(rt.numbered(a), new_shape)
    reshape_like_c = rt.reshape_like(c, like=np.take(a, resize_new_shape))
    return rt.untake(reshape_like_c, a, resize_new_shape)


def trim_zeros_filt(c, filt, trim, axis):
    return rt.untake(c, filt, rt.kept_places(filt, trim, axis))


def sliding_window_view_x(c, x, window_shape, axis):
    return rt.untake(
        c,
        x,
        np.lib.stride_tricks.sliding_window_view(rt.numbered(x), window_shape, axis),
    )


def as_strided_x(c, x, shape, strides):
    return rt.untake(c, x, rt.strided_places(x, shape, strides))


def sort_complex_a(c, z, a):
    argsort_a = np.argsort(a, axis=-1, kind="stable")
    convert = rt.convert(rt.if_float(c, z), np.take_along_axis(a, argsort_a))
    return rt.scatter_along_axis(convert, a, argsort_a)


def accumulate_array(c, z, array, axis):
    return rt.scatter_along_axis(c, array, rt.running_places(z, array, axis), axis=axis)


def add_reduceat_array(c, array, indices, axis):
    return rt.spread_at(c, array, indices, axis)


def reduceat_c(c_bar, c, indices, axis):
    return rt.spread_at(c_bar, c, indices, axis)


def spread_at_c(c_bar, indices, axis):
    return rt.reduceat(c_bar, indices, axis)


def beside_c(c_bar, c):
    return rt.reshape_like(c_bar, c)


def restored_c(c_bar, c):
    return rt.reshape_like(c_bar, c)


def choose_choices(c, a, choices, mode):
    return rt.unchoose(c, a, choices, mode)


def choose_method_choices(c, a, choices, mode):
    return rt.unchoose(c, a, choices, mode)


def unchoose_c(c_bar, a, mode):
    return np.choose(a, c_bar, mode=mode)


def view_a(c):
    return c


def require_a(c, z, a):
    return rt.unpack(rt.if_float(c, z), a)


def unwrap_p(c):
    return c


def dsplit_ary(c, ary, indices_or_sections):
    return rt.unsplit(c, ary, indices_or_sections, 2)


# --- numpy.elementary -----------------------------------------------------------------


def numpy_elementary_exp_x(c, z):
    return np.conj(z) * c


def exp2_x(c, z):
    return np.conj(z * math.log(2)) * c


def expm1_x(c, z):
    return np.conj(z + 1) * c


def numpy_elementary_log_x(c, x):
    return c / np.conj(x)


def log2_x(c, x):
    return c / np.conj(x * math.log(2))


def numpy_elementary_log10_x(c, x):
    return c / np.conj(x * math.log(10))


def log1p_x(c, x):
    return c / np.conj(1 + x)


def numpy_elementary_sqrt_x(c, z):
    return c / np.conj(2 * z)


def cbrt_x(c, z):
    return c / (3 * z * z)


def square_x(c, x):
    return np.conj(2 * x) * c


def reciprocal_x(c, z):
    return np.conj(-(z * z)) * c


def sigmoid_x(c, z):
    return np.conj(z * (1 - z)) * c


def numpy_elementary_sin_x(c, x):
    return np.conj(np.cos(x)) * c


def numpy_elementary_cos_x(c, x):
    return np.conj(-np.sin(x)) * c


def numpy_elementary_tan_x(c, z):
    return np.conj(1 + z * z) * c


def arcsin_x(c, x):
    return c / np.conj(rt.circle(x))


def arccos_x(c, x):
    return -(c / np.conj(rt.circle(x)))


def arctan_x(c, x):
    return c / np.conj(1 + x * x)


def arctan2_y(c, y, x):
    hypot_x = np.hypot(x, y)
    product = x * rt.divide_or_zero(rt.divide_or_zero(c, hypot_x), hypot_x)
    return rt.unbroadcast(product, y)


def arctan2_x(c, y, x):
    hypot_x = np.hypot(x, y)
    product = y * rt.divide_or_zero(rt.divide_or_zero(c, hypot_x), hypot_x)
    return rt.unbroadcast(-product, x)


def hypot_x(c, z, x):
    return rt.unbroadcast(x * rt.divide_or_zero(c, z), x)


def hypot_y(c, z, y):
    return rt.unbroadcast(y * rt.divide_or_zero(c, z), y)


def numpy_elementary_sinh_x(c, x):
    return np.conj(np.cosh(x)) * c


def numpy_elementary_cosh_x(c, x):
    return np.conj(np.sinh(x)) * c


def numpy_elementary_tanh_x(c, z):
    return np.conj(1 - z * z) * c


def arcsinh_x(c, x):
    return c / np.conj(rt.hyperbola(x))


def arccosh_x(c, x):
    return c / np.conj(rt.hyperbola_above(x))


def arctanh_x(c, x):
    return c / np.conj((1 - x) * (1 + x))


def sinc_x(c, x):
    return np.conj(rt.sinc_derivative(1, x)) * c


def i0_x(c, x):
    return np.conj(rt.bessel_i(1, x)) * c


def radians_x(c):
    return math.pi / 180 * c


def degrees_x(c):
    return 180 / math.pi * c


def logaddexp_x(c, x, y):
    return rt.unbroadcast(rt.share(x, y) * c, x)


def logaddexp_y(c, x, y):
    return rt.unbroadcast(rt.share(y, x) * c, y)


def logaddexp2_x(c, x, y):
    log = math.log(2)
    return rt.unbroadcast(rt.share(x * log, y * log) * c, x)


def logaddexp2_y(c, x, y):
    log = math.log(2)
    return rt.unbroadcast(rt.share(y * log, x * log) * c, y)


# --- numpy.exact_zero -----------------------------------------------------------------


def mul0_g(c, g, p):
    return rt.unbroadcast(rt.mul0(c, np.conj(p)), g)


def mul0_p(c, g, p):
    return rt.unbroadcast(rt.mul0(np.conj(g), c), p)


def div0_c(c_bar, c, y):
    return rt.unbroadcast(rt.div0(c_bar, np.conj(y)), c)


def div0_y(c_bar, z, y):
    return rt.unbroadcast(rt.mul0(np.conj(z), -rt.div0(c_bar, np.conj(y))), y)


def reached_x(c_bar, of, c, letters):
    return rt.reached(c_bar, of, c, letters)


def on_support_c(c_bar, c, log_density):
    return rt.unbroadcast(rt.on_support(c_bar, log_density), c)


def hazard_log_density(c, z, log_density):
    return rt.unbroadcast(np.conj(z) * c, log_density)


def hazard_log_tail(c, z, log_tail):
    return rt.unbroadcast(-(np.conj(z) * c), log_tail)


# --- numpy.fft ------------------------------------------------------------------------


def fft_a(c, a, axis, norm):
    return rt.fit(np.fft.ifft(c, axis=axis, norm=rt.opposite(norm)), a)


def ifft_a(c, a, axis, norm):
    return rt.fit(np.fft.fft(c, axis=axis, norm=rt.opposite(norm)), a)


def rfft_a(c, a, n, axis, norm):
    length_a = rt.length(a, n, axis)
    halved_c = rt.halved(c, length_a, axis)
    irfft = np.fft.irfft(halved_c, length_a, axis=axis, norm=rt.opposite(norm))
    return rt.fit(irfft, a)


def irfft_a(c, a, axis, norm):
    rfft_c = np.fft.rfft(c, axis=axis, norm=rt.opposite(norm))
    return rt.fit(rt.doubled(rfft_c, rt.length(c, None, axis), axis), a)


def hfft_a(c, a, axis, norm):
    ihfft_c = np.fft.ihfft(c, axis=axis, norm=rt.opposite(norm))
    return rt.fit(rt.doubled(ihfft_c, rt.length(c, None, axis), axis), a)


def ihfft_a(c, a, n, axis, norm):
    length_a = rt.length(a, n, axis)
    halved_c = rt.halved(c, length_a, axis)
    return rt.fit(np.fft.hfft(halved_c, length_a, axis=axis, norm=rt.opposite(norm)), a)


def fft2_a(c, a, s, axes, norm):
    ifft2_c = np.fft.ifft2(c, axes=rt.turned(c, s, axes), norm=rt.opposite(norm))
    return rt.fit(ifft2_c, a)


def ifft2_a(c, a, s, axes, norm):
    return rt.fit(np.fft.fft2(c, axes=rt.turned(c, s, axes), norm=rt.opposite(norm)), a)


def fftn_a(c, a, s, axes, norm):
    ifftn_c = np.fft.ifftn(c, axes=rt.turned(c, s, axes), norm=rt.opposite(norm))
    return rt.fit(ifftn_c, a)


def ifftn_a(c, a, s, axes, norm):
    return rt.fit(np.fft.fftn(c, axes=rt.turned(c, s, axes), norm=rt.opposite(norm)), a)


def rfft2_a(c, a, s, axes, norm):
    lengths_a = rt.lengths(a, s, axes)
    turned_a = rt.turned(a, lengths_a, axes)
    halved_c = rt.halved(c, lengths_a[-1], turned_a[-1])
    return rt.fit(np.fft.irfft2(halved_c, lengths_a, turned_a, rt.opposite(norm)), a)


def rfftn_a(c, a, s, axes, norm):
    lengths_a = rt.lengths(a, s, axes)
    turned_a = rt.turned(a, lengths_a, axes)
    halved_c = rt.halved(c, lengths_a[-1], turned_a[-1])
    return rt.fit(np.fft.irfftn(halved_c, lengths_a, turned_a, rt.opposite(norm)), a)


def irfft2_a(c, a, s, axes, norm):
    lengths_c = rt.lengths(c, s, axes)
    turned_c = rt.turned(c, lengths_c, axes)
    rfft2_c = np.fft.rfft2(c, axes=turned_c, norm=rt.opposite(norm))
    return rt.fit(rt.doubled(rfft2_c, lengths_c[-1], turned_c[-1]), a)


def irfftn_a(c, a, s, axes, norm):
    lengths_c = rt.lengths(c, s, axes)
    turned_c = rt.turned(c, lengths_c, axes)
    rfftn_c = np.fft.rfftn(c, axes=turned_c, norm=rt.opposite(norm))
    return rt.fit(rt.doubled(rfftn_c, lengths_c[-1], turned_c[-1]), a)


def fftshift_x(c, axes):
    return np.fft.ifftshift(c, axes)


def ifftshift_x(c, axes):
    return np.fft.fftshift(c, axes)


def fftfreq_d(c, z, d):
    return rt.unbroadcast(np.conj(-(z / d)) * c, d)


def rfftfreq_d(c, z, d):
    return rt.unbroadcast(np.conj(-(z / d)) * c, d)


def fit_c(c_bar, c):
    return rt.fit(c_bar, c)


def doubled_c(c_bar, n, axis):
    return rt.doubled(c_bar, n, axis)


def halved_c(c_bar, n, axis):
    return rt.halved(c_bar, n, axis)


# --- numpy.functional_writes ----------------------------------------------------------


def last_written_x(c, x, index):
    return rt.scatter_last(c, x, index)


def scatter_last_c(c_bar, index):
    return rt.last_written(c_bar, index)


# --- numpy.grids ----------------------------------------------------------------------


def row_items(c, items):
    return rt.unrow(c, items)


def columns_items(c, items):
    return rt.uncolumns(c, items)


def unrow_c(c_bar):
    return rt.row(c_bar)


def uncolumns_c(c_bar):
    return rt.columns(c_bar)


def block_arrays(c, arrays):
    return rt.blocks_like(c, arrays)


def block_of_items(c, items):
    return rt.blocks_like(c, items)


def blocks_like_c(c_bar):
    return rt.block_of(c_bar)


def reshape_each_cs(c, cs):
    return rt.reshape_each(c, cs)


def stretch_each_cs(c, cs):
    return rt.unstretch_each(c, cs)


def unstretch_each_cs(c, cs):
    return rt.stretch_each(c, cs)


def meshgrid_items(c, items, indexing):
    return rt.unmeshgrid(c, items, indexing)


def unmeshgrid_cs(c, cs, indexing):
    return rt.stretch_each(np.meshgrid(*c, indexing=indexing, sparse=True), cs)


# --- numpy.helpers --------------------------------------------------------------------


def unbroadcast_c(c_bar, c):
    return rt.convert(rt.stretch(c_bar, c), c)


def stretch_c(c_bar, c):
    return rt.unbroadcast(c_bar, c)


def add_a(c):
    return c


def add_b(c):
    return c


def contiguous_x(c):
    return c


def copy_x(c):
    return c


def divide_or_zero_c(c_bar, c, y):
    return rt.unbroadcast(rt.divide_or_zero(c_bar, np.conj(y)), c)


def divide_or_zero_y(c_bar, z, y):
    return rt.unbroadcast(-(np.conj(z) * rt.divide_or_zero(c_bar, np.conj(y))), y)


def times_log_c(c_bar, c, x):
    return rt.unbroadcast(rt.times_log(c_bar, np.conj(x)), c)


def times_log_x(c_bar, c, x):
    return rt.unbroadcast(np.conj(c) * rt.divide_or_zero(c_bar, np.conj(x)), x)


def in_kind_x(c, x):
    return rt.unbroadcast(c, x)


def one_less_y(c, y):
    return rt.unbroadcast(c, y)


def share_x(c, z, x, y):
    return rt.unbroadcast(np.conj(z * rt.share(y, x)) * c, x)


def share_y(c, z, x, y):
    return rt.unbroadcast(-(np.conj(z * rt.share(y, x)) * c), y)


def if_larger_c(c_bar, c, x, y):
    return rt.unbroadcast(rt.if_larger(c_bar, x, y), c)


def if_inside_c(c_bar, c, x, low, high, min, max):
    return rt.unbroadcast(rt.if_inside(c_bar, x, low, high, min=min, max=max), c)


def if_below_c(c_bar, c, x, low, high, min, max):
    return rt.unbroadcast(rt.if_below(c_bar, x, low, high, min=min, max=max), c)


def if_above_c(c_bar, c, x, low, high, min, max):
    return rt.unbroadcast(rt.if_above(c_bar, x, low, high, min=min, max=max), c)


def if_finite_c(c_bar, c, x, copy):
    return rt.unbroadcast(rt.if_finite(c_bar, x, copy=copy), c)


def if_replaced_c(c_bar, c, x, what):
    return rt.unbroadcast(rt.if_replaced(c_bar, x, what), c)


def if_number_c(c_bar, c, x):
    return rt.unbroadcast(rt.if_number(c_bar, x), c)


def times_i_c(c_bar):
    return np.imag(c_bar)


def pick_cs(c, xs, extreme):
    return rt.unpick(c, xs, extreme)


def unpick_c(c_bar, xs, extreme):
    return rt.pick(c_bar, xs, extreme)


def unselect_c(c_bar, c, condlist):
    return rt.unbroadcast(np.select(condlist, c_bar), c)


def if_none_c(c_bar, c, condlist):
    return rt.unbroadcast(rt.if_none(c_bar, condlist), c)


def if_float_c(c_bar, like):
    return rt.if_float(c_bar, like)


def convert_c(c_bar, c, like):
    return rt.convert(rt.if_float(c_bar, like), c)


def pack_c(c_bar, c, like):
    return rt.unpack(rt.if_float(c_bar, like), c)


def unpack_c(c_bar, c):
    return rt.pack(c_bar, c)


def full_c(c_bar, c, like):
    return rt.unbroadcast(rt.if_float(c_bar, like), c)


def item_c(c_bar, c, index):
    return rt.put_item(c_bar, c, index)


def put_item_c(c_bar, index):
    return rt.item(c_bar, index)


def progression_cs(c, cs, like):
    return rt.unprogression(rt.if_float(c, like), cs)


def unprogression_c(c_bar, c):
    return rt.progression(c_bar, c)


def polygamma_x(c, n, x):
    return np.conj(rt.polygamma(n + 1, x)) * c


def bessel_i_x(c, n, x):
    return np.conj((rt.bessel_i(n - 1, x) + rt.bessel_i(n + 1, x)) / 2) * c


def sinc_derivative_x(c, n, x):
    return np.conj(rt.sinc_derivative(n + 1, x)) * c


def circle_x(c, z, x):
    return np.conj(-(x / z)) * c


def hyperbola_x(c, z, x):
    return np.conj(x / z) * c


def hyperbola_above_x(c, z, x):
    return np.conj(x / z) * c


# --- numpy.indexing -------------------------------------------------------------------


def getitem_x(c, x, index):
    return rt.scatter(c, x, index)


def scatter_c(c_bar, index):
    return c_bar[index]


def index_add_buf(c_bar):
    return c_bar


def index_add_c(c_bar, index):
    return c_bar[index]


def take_a(c, a, indices, axis, mode):
    return rt.untake(c, a, indices, axis=axis, mode=mode)


def untake_c(c_bar, indices, axis, mode):
    return np.take(c_bar, indices, axis=axis, mode=mode)


def take_along_axis_arr(c, arr, indices, axis):
    return rt.scatter_along_axis(c, arr, indices, axis=axis)


def scatter_along_axis_c(c_bar, indices, axis):
    return np.take_along_axis(c_bar, indices, axis=axis)


def compress_a(c, condition, a, axis):
    return rt.uncompress(c, a, condition, axis)


def compress_method_a(c, a, condition, axis):
    return rt.uncompress(c, a, condition, axis)


def extract_arr(c, condition, arr):
    return rt.uncompress(c, arr, np.ravel(condition))


def uncompress_c(c_bar, condition, axis):
    return np.compress(condition, c_bar, axis=axis)


# --- numpy.joining --------------------------------------------------------------------


def concatenate_arrays(c, arrays, axis):
    return rt.split_like(c, like=arrays, axis=axis)


def stack_arrays(c, arrays, axis):
    return rt.unstack_like(c, like=arrays, axis=axis)


def vstack_tup(c, tup):
    return rt.vsplit_like(c, like=tup)


def hstack_tup(c, tup):
    return rt.hsplit_like(c, like=tup)


def dstack_tup(c, tup):
    return rt.dsplit_like(c, like=tup)


def column_stack_tup(c, tup):
    return rt.columns_like(c, like=tup)


def split_like_c(c_bar, axis):
    return np.concatenate(c_bar, axis=axis)


def unstack_like_c(c_bar, axis):
    return np.stack(c_bar, axis=axis)


def vsplit_like_c(c_bar):
    return np.vstack(c_bar)


def hsplit_like_c(c_bar):
    return np.hstack(c_bar)


def dsplit_like_c(c_bar):
    return np.dstack(c_bar)


def columns_like_c(c_bar):
    return np.column_stack(c_bar)


def split_ary(c, ary, indices_or_sections, axis):
    return rt.unsplit(c, ary, indices_or_sections, axis)


def hsplit_ary(c, ary, indices_or_sections):
    return rt.unsplit(c, ary, indices_or_sections, rt.column_axis(ary))


def vsplit_ary(c, ary, indices_or_sections):
    return rt.unsplit(c, ary, indices_or_sections)


def unsplit_c(c_bar, indices_or_sections, axis):
    return np.array_split(c_bar, indices_or_sections, axis=axis)


def append_arr(c, arr, axis):
    return rt.extract(c, arr, axis)


def append_values(c, values, axis):
    return rt.extract(c, values, axis, True)


def embed_x(c, x, axis, last):
    return rt.extract(c, x, axis, last)


def extract_c(c_bar, c, axis, last):
    return rt.embed(c_bar, c, axis, last)


def delete_arr(c, arr, obj, axis):
    return rt.delete_pull(c, arr, obj, axis)


def delete_pull_c(c_bar, obj, axis):
    return np.delete(c_bar, obj, axis=axis)


def insert_arr(c, arr, obj, values, axis):
    return rt.insert_array_pull(c, arr, obj, values, axis)


def insert_values(c, arr, obj, values, axis):
    return rt.insert_values_pull(c, values, arr, obj, axis)


def insert_array_x(c, x, obj, like, axis):
    return rt.insert_array_pull(c, x, obj, like, axis)


def insert_values_values(c, values, like, obj, axis):
    return rt.insert_values_pull(c, values, like, obj, axis)


def insert_array_pull_c(c_bar, obj, values, axis):
    return rt.insert_array(c_bar, obj, values, axis)


def insert_values_pull_c(c_bar, arr, obj, axis):
    return rt.insert_values(c_bar, arr, obj, axis)


def unstack_x(c, axis):
    return np.stack(c, axis=axis)


# --- numpy.linalg.contractions --------------------------------------------------------


def einsum_x0(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, subscripts, x0, x1, x2, x3, x4, x5)


def einsum_x1(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 1), x1, x0, x2, x3, x4, x5)


def einsum_x2(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 2), x2, x0, x1, x3, x4, x5)


def einsum_x3(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 3), x3, x0, x1, x2, x4, x5)


def einsum_x4(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 4), x4, x0, x1, x2, x3, x5)


def einsum_x5(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 5), x5, x0, x1, x2, x3, x4)


def linear_einsum_x0(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, subscripts, x0, x1, x2, x3, x4, x5)


def linear_einsum_x1(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 1), x1, x0, x2, x3, x4, x5)


def linear_einsum_x2(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 2), x2, x0, x1, x3, x4, x5)


def linear_einsum_x3(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 3), x3, x0, x1, x2, x4, x5)


def linear_einsum_x4(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 4), x4, x0, x1, x2, x3, x5)


def linear_einsum_x5(c, subscripts, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 5), x5, x0, x1, x2, x3, x4)


def multi_dot_x0(c, x0, x1, x2, x3, x4, x5):
    return rt.einsum_pull(c, rt.chain(x0, x1, x2, x3, x4, x5), x0, x1, x2, x3, x4, x5)


def multi_dot_x1(c, x0, x1, x2, x3, x4, x5):
    einsum_front = rt.einsum_front(rt.chain(x0, x1, x2, x3, x4, x5), 1)
    return rt.einsum_pull(c, einsum_front, x1, x0, x2, x3, x4, x5)


def multi_dot_x2(c, x0, x1, x2, x3, x4, x5):
    einsum_front = rt.einsum_front(rt.chain(x0, x1, x2, x3, x4, x5), 2)
    return rt.einsum_pull(c, einsum_front, x2, x0, x1, x3, x4, x5)


def multi_dot_x3(c, x0, x1, x2, x3, x4, x5):
    einsum_front = rt.einsum_front(rt.chain(x0, x1, x2, x3, x4, x5), 3)
    return rt.einsum_pull(c, einsum_front, x3, x0, x1, x2, x4, x5)


def multi_dot_x4(c, x0, x1, x2, x3, x4, x5):
    einsum_front = rt.einsum_front(rt.chain(x0, x1, x2, x3, x4, x5), 4)
    return rt.einsum_pull(c, einsum_front, x4, x0, x1, x2, x3, x5)


def multi_dot_x5(c, x0, x1, x2, x3, x4, x5):
    einsum_front = rt.einsum_front(rt.chain(x0, x1, x2, x3, x4, x5), 5)
    return rt.einsum_pull(c, einsum_front, x5, x0, x1, x2, x3, x4)


def einsum_view_x(c, x, subscripts):
    return rt.einsum_pull(c, subscripts, x)


def einsum_pull_c(c_bar, subscripts, y0, y1, y2, y3, y4):
    return rt.einsum(subscripts, c_bar, y0, y1, y2, y3, y4)


def einsum_pull_y0(c_bar, c, subscripts, y0, y1, y2, y3, y4):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 1), y0, c_bar, y1, y2, y3, y4)


def einsum_pull_y1(c_bar, c, subscripts, y0, y1, y2, y3, y4):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 2), y1, c_bar, y0, y2, y3, y4)


def einsum_pull_y2(c_bar, c, subscripts, y0, y1, y2, y3, y4):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 3), y2, c_bar, y0, y1, y3, y4)


def einsum_pull_y3(c_bar, c, subscripts, y0, y1, y2, y3, y4):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 4), y3, c_bar, y0, y1, y2, y4)


def einsum_pull_y4(c_bar, c, subscripts, y0, y1, y2, y3, y4):
    return rt.einsum_pull(c, rt.einsum_front(subscripts, 5), y4, c_bar, y0, y1, y2, y3)


def convolve_a(c, a, v, mode):
    return rt.convolve_pull(c, np.conj(v), like=a, mode=mode)


def convolve_v(c, a, v, mode):
    return rt.convolve_pull(c, np.conj(a), like=v, mode=mode)


def convolve_pull_c(c_bar, y, mode):
    return np.convolve(c_bar, np.conj(y), mode)


def convolve_pull_y(c_bar, c, y, mode):
    return rt.convolve_pull(np.conj(c), c_bar, y, mode)


def correlate_a(c, a, v, mode):
    return rt.correlate_pull_left(c, v, a, mode)


def correlate_v(c, a, v, mode):
    return rt.correlate_pull_right(c, a, v, mode)


def correlate_pull_left_c(c_bar, v, mode):
    return np.correlate(c_bar, v, mode)


def correlate_pull_left_v(c_bar, c, v, mode):
    return rt.correlate_pull_right(c, c_bar, v, mode)


def correlate_pull_right_c(c_bar, a, mode):
    return np.correlate(a, c_bar, mode)


def correlate_pull_right_a(c_bar, c, a, mode):
    return rt.correlate_pull_left(c, c_bar, a, mode)


# --- numpy.linalg.eigen ---------------------------------------------------------------


def eigvalsh_a(c, a, UPLO):
    part = np.linalg.eigh(a, UPLO)[1]
    hermitian_a = rt.hermitian(a)
    product = part * rt.unreduce(c, hermitian_a @ part, axis=-2)
    return rt.hermitian(rt.matmul_pull_left(product, np.conj(part), like=hermitian_a))


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


def eigvals_a(c, z, a):
    eigenvectors_a = rt.eigenvectors(a, z)
    conjugate = np.conj(rt.mT(np.linalg.inv(eigenvectors_a)))
    product = conjugate * rt.unreduce(c, a @ eigenvectors_a, axis=-2)
    return rt.matmul_pull_left(product, np.conj(eigenvectors_a), like=a)


def eig_a(c, z, a):
    c_1 = c[1]
    z_1 = z[1]
    inv = np.linalg.inv(z_1)
    total = np.sum(np.conj(c_1) * z_1, axis=-2, keepdims=True)
    untop = rt.untop(rt.times_i(np.imag(total), z_1) / np.conj(rt.top(z_1, z_1)), z_1)
    total_2 = c_1 - z_1 * np.real(total) + untop
    product = a @ z_1
    conjugate = np.conj(z_1)
    matmul_pull_right = rt.matmul_pull_right(total_2, conjugate, like=inv @ product)
    mul0 = rt.mul0(matmul_pull_right, np.conj(rt.vector_gaps(z[0])))
    product_2 = np.conj(rt.mT(inv)) * rt.unreduce(c[0], product, axis=-2)
    total_3 = rt.matmul_pull_right(mul0, np.conj(inv), like=product) + product_2
    return rt.matmul_pull_left(total_3, conjugate, like=a)


def eigenvectors_a(c, z, a):
    a_z = a @ z
    solve_z = np.linalg.solve(z, a_z)
    total = np.sum(np.conj(c) * z, axis=-2, keepdims=True)
    untop_z = rt.untop(rt.times_i(np.imag(total), z) / np.conj(rt.top(z, z)), z)
    total_2 = c - z * np.real(total) + untop_z
    conjugate_z = np.conj(z)
    conjugate = np.conj(rt.vector_gaps(np.diagonal(solve_z, 0, -2, -1)))
    mul0 = rt.mul0(rt.matmul_pull_right(total_2, conjugate_z, like=solve_z), conjugate)
    unbroadcast = rt.unbroadcast(rt.solve_for(rt.herm(z), mul0, a_z), a_z)
    return rt.matmul_pull_left(unbroadcast, conjugate_z, like=a)


def steady_e(c, v):
    total = np.sum(np.conj(c) * v, axis=-2, keepdims=True)
    untop_v = rt.untop(rt.times_i(np.imag(total), v) / np.conj(rt.top(v, v)), v)
    return c - v * np.real(total) + untop_v


def steady_v(c, e, v):
    top_v = rt.top(v, v)
    ratio = rt.top(e, v) / top_v
    conjugate_v = np.conj(v)
    total = np.sum(np.real(conjugate_v * e), axis=-2, keepdims=True)
    ratio_2 = ratio / top_v
    product = conjugate_v * c
    imag = np.imag(rt.unbroadcast(product, rt.times_i(np.imag(ratio_2 * top_v), v)))
    untop_v = rt.untop(np.conj(ratio_2) * rt.times_i(imag, top_v), v)
    total_2 = np.sum(np.real(np.conj(e) * v), axis=-2, keepdims=True)
    unbroadcast = rt.unbroadcast(-product, total_2)
    total_3 = untop_v + e * rt.unreduce(unbroadcast, v, axis=-2, keepdims=True)
    return total_3 - np.conj(total + rt.times_i(np.imag(ratio), v)) * c


def top_x(c, v):
    return rt.untop(c, v)


def untop_c(c_bar, v):
    return rt.top(c_bar, v)


def svdvals_x(c, x):
    svd_x = np.linalg.svd(x, full_matrices=False)
    herm = rt.herm(svd_x[2])
    product = svd_x[0] * rt.unreduce(c, x @ herm, axis=-2)
    return rt.matmul_pull_left(product, np.conj(herm), like=x)


def svd_a(c, z, a):
    c_0 = c[0]
    z_0 = z[0]
    z_1 = z[1]
    thin = rt.thin(z_0, z_1, -1)
    part = z_1[..., None, :]
    z_2 = z[2]
    herm = rt.herm(thin)
    herm_2 = rt.herm(rt.thin(z_2, z_1, -2))
    reciprocal = rt.reciprocal(part)
    herm_3 = rt.herm(rt.some(z_2, z_1, -2))
    herm_4 = rt.herm(c[2])
    conjugate = np.conj(reciprocal)
    product = herm_4 * conjugate
    product_2 = herm @ a
    product_3 = product_2 @ herm_2
    conjugate_2 = np.conj(herm_2)
    matmul_pull_right = rt.matmul_pull_right(
        -product, conjugate_2, like=rt.herm(product_3)
    )
    conjugate_3 = np.conj(thin)
    herm_5 = rt.herm(rt.matmul_pull_left(product, conjugate_3, like=rt.herm(a)))
    conjugate_4 = np.conj(rt.singular_gaps(z_1))
    mul0 = rt.mul0(
        rt.matmul_pull_right(herm_4, conjugate_2, like=product_3), conjugate_4
    )
    conjugate_5 = np.conj(part)
    conjugate_6 = np.conj(rt.mT(part))
    product_4 = rt.some(z_0, z_1, -1) * rt.unreduce(c[1], a @ herm_3, axis=-2)
    total = herm_5 + rt.matmul_pull_left(product_4, np.conj(herm_3), like=a)
    product_5 = c_0 * conjugate
    matmul_pull_right_2 = rt.matmul_pull_right(-product_5, conjugate_3, like=product_3)
    total_2 = total + rt.matmul_pull_left(product_5, conjugate_2, like=a)
    matmul_pull_right_3 = rt.matmul_pull_right(c_0, conjugate_3, like=product_3)
    conjugate_7 = np.conj(reciprocal * np.eye(z_1.shape[-1], dtype=z_1.dtype) / 2)
    product_6 = conjugate_7 * matmul_pull_right_3
    mul0_2 = rt.mul0(matmul_pull_right_3, conjugate_4)
    total_3 = matmul_pull_right + mul0 * conjugate_5 - product_6 + conjugate_6 * mul0_2
    total_4 = conjugate_6 * mul0 + matmul_pull_right_2 + product_6 + rt.herm(total_3)
    total_5 = total_4 + mul0_2 * conjugate_5
    matmul_pull_left = rt.matmul_pull_left(total_5, conjugate_2, like=product_2)
    return total_2 + rt.matmul_pull_right(matmul_pull_left, np.conj(herm), like=a)


def thin_factor(c, s, axis):
    return rt.thin(c, s, axis)


def some_factor(c, factor):
    return rt.fit(c, factor)


def numpy_linalg_eigen_reciprocal_x(c, z):
    return np.conj(-(z * z)) * c


def gaps_w(c, z, w):
    product = np.conj(z * z) * c
    unbroadcast = rt.unbroadcast(-product, w[..., None, :])
    scatter_w = rt.scatter(unbroadcast, w, np.s_[..., None, :])
    unbroadcast_2 = rt.unbroadcast(product, w[..., :, None])
    return scatter_w + rt.scatter(unbroadcast_2, w, np.s_[..., :, None])


def vector_gaps_w(c, z, w):
    mul0_c = rt.mul0(c, np.conj(z * z))
    unbroadcast = rt.unbroadcast(-mul0_c, w[..., None, :])
    scatter_w = rt.scatter(unbroadcast, w, np.s_[..., None, :])
    unbroadcast_2 = rt.unbroadcast(mul0_c, w[..., :, None])
    return scatter_w + rt.scatter(unbroadcast_2, w, np.s_[..., :, None])


def singular_gaps_s(c, z, s):
    mul0_c = rt.mul0(c, np.conj(z * z * 2))
    s_s = s * s
    unbroadcast = rt.unbroadcast(-mul0_c, s_s[..., None, :])
    scatter_s = rt.scatter(unbroadcast, s, np.s_[..., None, :])
    unbroadcast_2 = rt.unbroadcast(mul0_c, s_s[..., :, None])
    return np.conj(s) * (scatter_s + rt.scatter(unbroadcast_2, s, np.s_[..., :, None]))


# --- numpy.linalg.least_squares -------------------------------------------------------


def lstsq_a(c, z, a, b, rcond):
    c_0 = c[0]
    z_0 = z[0]
    pinv_a = np.linalg.pinv(a, rt.cutoff(a, rcond))
    herm = rt.herm(pinv_a)
    product = a @ z_0
    difference = b - product
    product_2 = rt.uncut(1, a, rcond) * (herm @ z_0)
    svd_a = np.linalg.svd(a, full_matrices=False)
    herm_2 = rt.herm(svd_a[2])
    product_3 = svd_a[0] * rt.unreduce(c[3], a @ herm_2, axis=-2)
    total = rt.matmul_pull_left(product_3, np.conj(herm_2), like=a) + 0.0 * c[2]
    unreduce = rt.unreduce(rt.if_there(c[1], np.sum(product, axis=0)), product, axis=0)
    herm_a = rt.herm(a)
    product_4 = herm_a @ product_2
    conjugate = np.conj(pinv_a)
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_right(-c_0, conjugate, like=a @ product_4),
        np.conj(a),
        like=product_4,
    )
    total_2 = matmul_pull_right + c_0
    matmul_pull_left = rt.matmul_pull_left(total_2, np.conj(product_2), like=herm_a)
    product_5 = herm_a @ difference
    matmul_pull_right_2 = rt.matmul_pull_right(
        rt.matmul_pull_right(c_0, conjugate, like=herm @ product_5),
        np.conj(herm),
        like=product_5,
    )
    matmul_pull_left_2 = rt.matmul_pull_left(
        matmul_pull_right_2, np.conj(difference), like=herm_a
    )
    total_3 = total + rt.herm(matmul_pull_left + matmul_pull_left_2)
    matmul_pull_right_3 = rt.matmul_pull_right(c_0, conjugate, like=product)
    total_4 = 2 * difference * unreduce + matmul_pull_right_3
    return total_3 + rt.matmul_pull_left(-total_4, np.conj(z_0), like=a)


def lstsq_b(c, z, a, b, rcond):
    unreduce_b = rt.unreduce(rt.if_there(c[1], np.sum(b, axis=0)), b, axis=0)
    conjugate = np.conj(np.linalg.pinv(a, rt.cutoff(a, rcond)))
    matmul_pull_right = rt.matmul_pull_right(c[0], conjugate, like=b)
    return 2 * (b - a @ z[0]) * unreduce_b + matmul_pull_right


def if_there_c(c_bar, c):
    return rt.if_there(c_bar, c)


def polyfit_x(c, z, x, y, deg, rcond, w):
    falling_deg = rt.falling(deg, x)
    part = np.asarray(x)[:, None]
    rows_times_w = rt.rows_times(part**falling_deg, w)
    sqrt = np.sqrt(np.sum(rows_times_w * rows_times_w, axis=0))
    ratio = rows_times_w / sqrt
    rows_times_w_2 = rt.rows_times(falling_deg * part ** rt.one_lower(falling_deg), w)
    product = rt.uncut(1, ratio, rcond) * rows_times_w_2
    ratio_2 = np.linalg.pinv(ratio, rt.cutoff(rows_times_w, rcond)) / sqrt[:, None]
    herm = rt.herm(ratio_2)
    difference = rt.rows_times(y, w) - rows_times_w @ z
    herm_2 = rt.herm(product)
    product_2 = herm_2 @ difference
    conjugate = np.conj(ratio_2)
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_right(c, conjugate, like=herm @ product_2),
        np.conj(herm),
        like=product_2,
    )
    conjugate_2 = np.conj(difference)
    herm_3 = rt.herm(rt.matmul_pull_left(matmul_pull_right, conjugate_2, like=herm_2))
    matmul_pull_right_2 = rt.matmul_pull_right(-c, conjugate, like=product @ z)
    total = herm_3 + rt.matmul_pull_left(matmul_pull_right_2, np.conj(z), like=product)
    convert_x = rt.convert(x, z)
    unbroadcast = rt.unbroadcast(np.conj(product) * total, convert_x[:, None])
    if_float_z = rt.if_float(rt.scatter(unbroadcast, convert_x, np.s_[:, None]), z)
    return rt.convert(if_float_z, x)


def polyfit_y(c, z, x, y, deg, rcond, w):
    rows_times_w = rt.rows_times(np.asarray(x)[:, None] ** rt.falling(deg, x), w)
    sqrt = np.sqrt(np.sum(rows_times_w * rows_times_w, axis=0))
    pinv = np.linalg.pinv(rows_times_w / sqrt, rt.cutoff(rows_times_w, rcond))
    rows_times_w_2 = rt.rows_times(rt.convert(y, z), w)
    conjugate = np.conj(pinv / sqrt[:, None])
    matmul_pull_right = rt.matmul_pull_right(c, conjugate, like=rows_times_w_2)
    return rt.convert(rt.if_float(rt.rows_times(matmul_pull_right, w), z), y)


def rows_times_x(c, w):
    return rt.rows_times(c, w)


def tensorinv_a(c, z, a, ind):
    conjugate_z = np.conj(z)
    return rt.tensordot_pull_right(
        rt.tensordot_pull_left(
            -c, conjugate_z, like=np.tensordot(z, a, ind), axes=a.ndim - ind
        ),
        conjugate_z,
        like=a,
        axes=ind,
    )


def tensorsolve_a(c, z, a, axes):
    two_sides_a = rt.two_sides(a, axes)
    ndim_z = z.ndim
    transpose_a = np.transpose(a, two_sides_a)
    two_sides_a_2 = rt.two_sides(a, axes, np.tensordot(transpose_a, z, ndim_z).ndim)
    tensordot_pull_left = rt.tensordot_pull_left(
        -np.linalg.tensorsolve(np.conj(np.transpose(a, two_sides_a_2)), c),
        np.conj(z),
        like=transpose_a,
        axes=ndim_z,
    )
    inverse_axes = rt.inverse_axes(two_sides_a, np.ndim(tensordot_pull_left))
    return np.transpose(tensordot_pull_left, inverse_axes)


def tensorsolve_b(c, a, b, axes):
    conjugate = np.conj(np.transpose(a, rt.two_sides(a, axes, b.ndim)))
    return np.linalg.tensorsolve(conjugate, c)


# --- numpy.linalg.norms ---------------------------------------------------------------


def norm_x(c, z, x, ord, axis, keepdims):
    unreduce_c = rt.unreduce(c, x, axis=axis, keepdims=keepdims)
    return rt.norm_weight(z, x, ord, axis, keepdims) * x * unreduce_c


def vector_norm_x(c, z, x, axis, keepdims, ord):
    product = rt.norm_weight(z, x, ord, axis, keepdims, True) * x
    return product * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def matrix_norm_x(c, z, x, keepdims, ord):
    unreduce_c = rt.unreduce(c, x, axis=(-2, -1), keepdims=keepdims)
    return rt.norm_weight(z, x, ord, (-2, -1), keepdims) * x * unreduce_c


def norm_weight_length(c, z, length, x, ord, axis, keepdims, vector):
    product = np.conj((rt.norm_power(x, ord, axis, vector) - 1) * z) * c
    total = np.sum(-product, axis=axis, keepdims=keepdims)
    return rt.divide_or_zero(total, np.conj(length))


def norm_weight_x(c, z, x, ord, axis, vector):
    product = np.conj((rt.norm_power(x, ord, axis, vector) - 2) * z) * c
    return x * rt.divide_or_zero(product, np.real(np.conj(x) * x))


def cond_x(c, x, p):
    product_order_p = rt.product_order(p)
    inv_x = np.linalg.inv(x)
    norm_x = np.linalg.norm(x, product_order_p, (-2, -1))
    norm = np.linalg.norm(inv_x, product_order_p, (-2, -1))
    product = rt.norm_weight(norm_x, x, product_order_p, (-2, -1)) * x
    product_2 = rt.norm_weight(norm, inv_x, product_order_p, (-2, -1)) * inv_x
    product_3 = inv_x @ x
    unreduce = rt.unreduce(-(np.conj(norm_x) * c), product_3 @ inv_x, axis=(-2, -1))
    product_4 = product_2 * unreduce
    conjugate = np.conj(inv_x)
    matmul_pull_left = rt.matmul_pull_left(product_4, conjugate, like=product_3)
    product_5 = product * rt.unreduce(np.conj(norm) * c, x, axis=(-2, -1))
    return rt.matmul_pull_right(matmul_pull_left, conjugate, like=x) + product_5


def spectral_norm_x(c, x, ord, axis, keepdims):
    unreduce_c = rt.unreduce(c, x, axis=axis, keepdims=keepdims)
    return rt.spectral_slope(x, ord, axis) * unreduce_c


def spectral_slope_x(c, x, ord, axis):
    matrices_x = rt.matrices(x, axis)
    svd = np.linalg.svd(matrices_x, full_matrices=False)
    part = svd[0]
    part_2 = svd[1]
    part_3 = svd[2]
    herm = rt.herm(part)
    herm_2 = rt.herm(part_3)
    order_share_ord = rt.order_share(part_2, ord)
    part_4 = order_share_ord[..., None, :]
    part_5 = order_share_ord[..., :, None]
    ratio = (part_4 - part_5) * rt.gaps(part_2) / 2
    reciprocal = rt.reciprocal(part_2[..., None, :] + part_2[..., :, None])
    product = (part_4 + part_5) / 2 * reciprocal
    part_6 = (order_share_ord * rt.reciprocal(part_2))[..., None, :]
    matrices_c = rt.matrices(c, axis)
    product_2 = herm @ matrices_x
    conjugate = np.conj(part * part_6)
    matmul_pull_right = rt.matmul_pull_right(matrices_c, conjugate, like=product_2)
    product_3 = product_2 @ herm_2
    conjugate_2 = np.conj(part_3)
    product_4 = matrices_x @ herm_2
    product_5 = rt.matmul_pull_left(matrices_c, conjugate_2, like=product_4) * part_6
    conjugate_3 = np.conj(part)
    total = rt.matmul_pull_left(
        -matmul_pull_right, conjugate_2, like=product_3
    ) + rt.matmul_pull_right(-product_5, conjugate_3, like=product_3)
    conjugate_4 = np.conj(herm_2)
    matmul_pull_left = rt.matmul_pull_left(product_5, conjugate_4, like=matrices_x)
    herm_3 = rt.herm(product_3)
    matmul_pull_right_2 = rt.matmul_pull_right(
        rt.matmul_pull_left(matrices_c, conjugate_2, like=part @ herm_3),
        conjugate_3,
        like=herm_3,
    )
    total_2 = total + rt.herm(np.conj(ratio - product) * matmul_pull_right_2)
    matmul_pull_right_3 = rt.matmul_pull_right(
        rt.matmul_pull_left(matrices_c, conjugate_2, like=part @ product_3),
        conjugate_3,
        like=product_3,
    )
    total_3 = total_2 + np.conj(ratio + product) * matmul_pull_right_3
    matmul_pull_left_2 = rt.matmul_pull_left(total_3, conjugate_4, like=product_2)
    total_4 = matmul_pull_right + matmul_pull_left_2
    matmul_pull_right_4 = rt.matmul_pull_right(total_4, np.conj(herm), like=matrices_x)
    return rt.unmatrices(matmul_pull_left + matmul_pull_right_4, axis)


def spectral_cond_x(c, z, x, p):
    svd_x = np.linalg.svd(x, full_matrices=False)
    herm = rt.herm(svd_x[2])
    part = svd_x[1]
    product = x @ herm
    unreduce = rt.unreduce(np.conj(z) * c, np.sum(product, axis=-2), axis=-1)
    real = np.real(rt.cond_share(part, p) / part * unreduce)
    product_2 = svd_x[0] * rt.unreduce(real, product, axis=-2)
    return rt.matmul_pull_left(product_2, np.conj(herm), like=x)


def matrices_x(c, axis):
    return rt.unmatrices(c, axis)


def unmatrices_x(c, axis):
    return rt.matrices(c, axis)


# --- numpy.linalg.products ------------------------------------------------------------


def matmul_x1(c, x1, x2):
    return rt.matmul_pull_left(c, np.conj(x2), like=x1)


def matmul_x2(c, x1, x2):
    return rt.matmul_pull_right(c, np.conj(x1), like=x2)


def matmul_pull_left_c(c_bar, y):
    return c_bar @ np.conj(y)


def matmul_pull_left_y(c_bar, c, y):
    return rt.matmul_pull_right(np.conj(c), c_bar, like=y)


def matmul_pull_right_c(c_bar, x):
    return np.conj(x) @ c_bar


def matmul_pull_right_x(c_bar, c, x):
    return rt.matmul_pull_left(np.conj(c), c_bar, like=x)


def dot_a(c, a, b):
    return rt.tensordot_pull_left(c, np.conj(b), like=a, axes=rt.dot_axes(a, b))


def dot_b(c, a, b):
    return rt.tensordot_pull_right(c, np.conj(a), like=b, axes=rt.dot_axes(a, b))


def inner_a(c, a, b):
    return rt.tensordot_pull_left(c, np.conj(b), like=a, axes=rt.inner_axes(a, b))


def inner_b(c, a, b):
    return rt.tensordot_pull_right(c, np.conj(a), like=b, axes=rt.inner_axes(a, b))


def tensordot_a(c, a, b, axes):
    return rt.tensordot_pull_left(c, np.conj(b), like=a, axes=axes)


def tensordot_b(c, a, b, axes):
    return rt.tensordot_pull_right(c, np.conj(a), like=b, axes=axes)


def tensordot_pull_left_c(c_bar, y, axes):
    return np.tensordot(c_bar, np.conj(y), axes)


def tensordot_pull_left_y(c_bar, c, y, axes):
    return rt.tensordot_pull_right(np.conj(c), c_bar, like=y, axes=axes)


def tensordot_pull_right_c(c_bar, x, axes):
    return np.tensordot(np.conj(x), c_bar, axes)


def tensordot_pull_right_x(c_bar, c, x, axes):
    return rt.tensordot_pull_left(np.conj(c), c_bar, like=x, axes=axes)


def outer_a(c, a, b):
    return rt.reshape_like(c @ np.conj(np.ravel(b)), like=a)


def outer_b(c, a, b):
    return rt.reshape_like(np.conj(np.ravel(a)) @ c, like=b)


def vdot_a(c, a, b):
    return rt.reshape_like(np.conj(c) * np.ravel(b), like=a)


def vdot_b(c, a, b):
    return rt.reshape_like(c * np.ravel(a), like=b)


def vecdot_pull_c(c_bar, y, axis):
    return np.vecdot(y, c_bar, axis=axis)


def vecdot_pull_y(c_bar, c, y, axis):
    return rt.vecdot_pull(np.conj(c), c_bar, y, axis)


def vecdot_x1(c, x1, x2, axis):
    return rt.vecdot_pull(np.conj(c), x2, x1, axis)


def vecdot_x2(c, x1, x2, axis):
    return rt.vecdot_pull(c, x1, x2, axis)


def matvec_x1(c, x1, x2):
    return rt.unbroadcast(c[..., :, None] * np.conj(x2)[..., None, :], x1)


def matvec_x2(c, x1, x2):
    return rt.unbroadcast(np.matvec(rt.herm(x1), c), x2)


def vecmat_x1(c, x1, x2):
    return rt.unbroadcast(np.matvec(x2, np.conj(c)), x1)


def vecmat_x2(c, x1, x2):
    return rt.unbroadcast(x1[..., :, None] * c[..., None, :], x2)


def kron_a(c, a, b):
    return rt.kron_pull_left(c, np.conj(b), like=a)


def kron_b(c, a, b):
    return rt.kron_pull_right(c, np.conj(a), like=b)


def kron_pull_left_c(c_bar, y):
    return np.kron(c_bar, np.conj(y))


def kron_pull_left_y(c_bar, c, y):
    return rt.kron_pull_right(np.conj(c), c_bar, like=y)


def kron_pull_right_c(c_bar, x):
    return np.kron(np.conj(x), c_bar)


def kron_pull_right_x(c_bar, c, x):
    return rt.kron_pull_left(np.conj(c), c_bar, like=x)


def cross_a(c, z, a, b, axisa, axisb, axisc, axis):
    axis_from_end_a = rt.axis_from_end(a, axisa, axis)
    axis_from_end_b = rt.axis_from_end(b, axisb, axis)
    axis_from_end_z = rt.axis_from_end(z, axisc, axis)
    cross_c = rt.cross(np.conj(b), c, axis_from_end_b, axis_from_end_z, axis_from_end_a)
    return rt.unbroadcast(cross_c, a)


def cross_b(c, z, a, b, axisa, axisb, axisc, axis):
    axis_from_end_a = rt.axis_from_end(a, axisa, axis)
    axis_from_end_b = rt.axis_from_end(b, axisb, axis)
    axis_from_end_z = rt.axis_from_end(z, axisc, axis)
    cross_c = rt.cross(c, np.conj(a), axis_from_end_z, axis_from_end_a, axis_from_end_b)
    return rt.unbroadcast(cross_c, b)


def linear_cross_a(c, a, b, axisa, axisb, axisc):
    return rt.unbroadcast(rt.cross(np.conj(b), c, axisb, axisc, axisa), a)


def linear_cross_b(c, a, b, axisa, axisb, axisc):
    return rt.unbroadcast(rt.cross(c, np.conj(a), axisc, axisa, axisb), b)


def linalg_cross_x1(c, z, x1, x2, axis):
    return rt.unbroadcast(
        rt.cross(
            np.conj(x2),
            c,
            rt.axis_from_end(x2, axis),
            rt.axis_from_end(z, axis),
            rt.axis_from_end(x1, axis),
        ),
        x1,
    )


def linalg_cross_x2(c, z, x1, x2, axis):
    return rt.unbroadcast(
        rt.cross(
            c,
            np.conj(x1),
            rt.axis_from_end(z, axis),
            rt.axis_from_end(x1, axis),
            rt.axis_from_end(x2, axis),
        ),
        x2,
    )


# --- numpy.linalg.solve ---------------------------------------------------------------


def inv_a(c, z, a):
    conjugate_z = np.conj(z)
    matmul_pull_left = rt.matmul_pull_left(-c, conjugate_z, like=z @ a)
    return rt.matmul_pull_right(matmul_pull_left, conjugate_z, like=a)


def solve_a(c, z, a, b):
    column_b = rt.column(-rt.solve_for(rt.herm(a), c, b), b)
    return rt.matmul_pull_left(column_b, rt.column(np.conj(z), b), like=a)


def solve_b(c, a, b):
    return rt.unbroadcast(rt.solve_for(rt.herm(a), c, b), b)


def solve_for_a(c, z, a, like):
    column_like = rt.column(-rt.solve_for(rt.herm(a), c, like), like)
    return rt.matmul_pull_left(column_like, rt.column(np.conj(z), like), like=a)


def solve_for_b(c, a, like):
    return rt.solve_for(rt.herm(a), c, like)


def apply_a(c, a, x, like):
    return rt.matmul_pull_left(rt.column(c, like), rt.column(np.conj(x), like), like=a)


def apply_x(c, a, x, like):
    return rt.unbroadcast(rt.apply(rt.herm(a), c, like), x)


def column_x(c, like):
    return rt.uncolumn(c, like)


def uncolumn_x(c, like):
    return rt.column(c, like)


def det_a(c, a):
    return np.conj(rt.cofactor(a)) * rt.unreduce(c, a, axis=(-2, -1))


def cofactor_a(c, a):
    return rt.cofactor_push(c, np.conj(a))


def cofactor_push_e(c, a):
    return rt.cofactor_push(c, np.conj(a))


def cofactor_push_a(c, z, e, a):
    T = rt.mT(np.linalg.inv(a))
    part = np.linalg.det(a)[..., None, None]
    product = T @ rt.mT(e) @ T
    product_2 = np.conj(part) * c
    a_T = rt.mT(a)
    conjugate = np.conj(T)
    matmul_pull_left = rt.matmul_pull_left(product_2, conjugate, like=product @ a_T)
    conjugate_2 = np.conj(product)
    matmul_pull_right = rt.matmul_pull_right(matmul_pull_left, conjugate_2, like=a_T)
    product_3 = T @ a_T
    matmul_pull_left_2 = rt.matmul_pull_left(product_2, conjugate_2, like=product_3)
    product_4 = np.conj(part * np.sum(T * e, axis=(-2, -1))[..., None, None]) * c
    matmul_pull_left_3 = rt.matmul_pull_left(-product_4, conjugate, like=product_3)
    total = matmul_pull_left_2 + matmul_pull_left_3
    T_2 = rt.mT(matmul_pull_right + rt.matmul_pull_right(total, conjugate, like=a_T))
    total_2 = np.sum(-(product_2 * conjugate), axis=(-2, -1))
    total_3 = T_2 + conjugate_2 * rt.unreduce(total_2, a, axis=(-2, -1))
    unreduce_a = rt.unreduce(np.sum(c * np.conj(z), axis=(-2, -1)), a, axis=(-2, -1))
    return total_3 + conjugate * unreduce_a


def slogdet_a(c, z, a):
    unreduce_a = rt.unreduce(c[1] + rt.turn_pull(c[0], z[0]), a, axis=(-2, -1))
    return np.conj(rt.mT(np.linalg.inv(a))) * unreduce_a


def turn_t(c, phase):
    return rt.turn_pull(c, phase)


def turn_phase(c, t):
    return -rt.turn(t, c)


def turn_pull_c(c_bar, phase):
    return rt.turn(c_bar, phase)


def turn_pull_phase(c_bar, c):
    return -rt.turn(c_bar, c)


def herm_x(c, when):
    return rt.herm(c, when)


def hermitian_x(c, when):
    return rt.hermitian(c, when)


def phi_x(c):
    return rt.phi(c)


def upper_part_x(c):
    return rt.upper_pull(c)


def upper_pull_c(c_bar):
    return rt.upper_part(c_bar)


def cholesky_a(c, z, a, upper):
    herm_z = rt.herm(z, upper)
    herm_c = rt.herm(c, upper)
    herm = rt.herm(rt.solve_lower(herm_z, rt.hermitian(a)))
    phi = rt.phi(rt.solve_lower(herm_z, herm))
    phi_2 = rt.phi(rt.matmul_pull_right(herm_c, np.conj(herm_z), like=phi))
    herm_2 = rt.herm(rt.solve_lower(herm_z, phi_2, True))
    return rt.hermitian(rt.solve_lower(herm_z, herm_2, True))


def qr_a(c, z, a, mode):
    c_0 = c[0]
    c_1 = c[1]
    z_1 = z[1]
    economic_mode = rt.economic(z[0], z_1, mode)
    leading = rt.leading(z_1, z_1)
    herm = rt.herm(economic_mode)
    over = rt.over(rt.leading(a, z_1), leading)
    product = herm @ over
    matmul_pull_left = rt.matmul_pull_left(-c_1, np.conj(z_1), like=product)
    conjugate = np.conj(herm)
    matmul_pull_right = rt.matmul_pull_right(c_1, conjugate, like=a)
    upper_part = rt.upper_part(product)
    conjugate_2 = np.conj(economic_mode)
    matmul_pull_right_2 = rt.matmul_pull_right(-c_0, conjugate_2, like=upper_part)
    total = matmul_pull_left + rt.upper_pull(matmul_pull_right_2 - matmul_pull_left)
    total_2 = c_0 + rt.matmul_pull_right(total, conjugate, like=over)
    return matmul_pull_right + rt.fit(rt.over(total_2, rt.herm(leading)), a)


def qr_r_a(c, z, a):
    leading_z = rt.leading(z, z)
    herm = rt.herm(np.linalg.qr(a)[0])
    over = rt.over(rt.leading(a, z), leading_z)
    matmul_pull_left = rt.matmul_pull_left(-c, np.conj(z), like=herm @ over)
    total = matmul_pull_left + rt.upper_pull(-matmul_pull_left)
    conjugate = np.conj(herm)
    matmul_pull_right = rt.matmul_pull_right(total, conjugate, like=over)
    fit_a = rt.fit(rt.over(matmul_pull_right, rt.herm(leading_z)), a)
    return fit_a + rt.matmul_pull_right(c, conjugate, like=a)


def economic_q(c, r, mode):
    return rt.economic(c, r, mode)


def leading_x(c, x):
    return rt.fit(c, x)


def solve_lower_low(c, z, low, adjoint):
    solve_lower_low = rt.solve_lower(low, c, not adjoint)
    herm_low = rt.herm(low, adjoint)
    matmul_pull_left = rt.matmul_pull_left(-solve_lower_low, np.conj(z), like=herm_low)
    return rt.herm(matmul_pull_left, adjoint)


def solve_lower_b(c, low, adjoint):
    return rt.solve_lower(low, c, not adjoint)


def over_x(c, r):
    return rt.over(c, rt.herm(r))


def over_r(c, z, r):
    return rt.matmul_pull_right(rt.over(-c, rt.herm(r)), np.conj(z), like=r)


def pinv_a(c, z, a, rcond, hermitian, rtol):
    herm_z = rt.herm(z)
    z_shape = z.shape
    dtype_z = z.dtype
    difference = np.eye(rt.uncut(z_shape[-2], a, rcond, rtol), dtype=dtype_z) - z @ a
    product = z @ herm_z
    hermitian_a = rt.hermitian(a, hermitian)
    conjugate_z = np.conj(z)
    matmul_pull_right = rt.matmul_pull_right(
        rt.matmul_pull_left(-c, conjugate_z, like=z @ hermitian_a),
        conjugate_z,
        like=hermitian_a,
    )
    herm = rt.herm(hermitian_a)
    product_2 = difference @ herm
    matmul_pull_left = rt.matmul_pull_left(
        rt.matmul_pull_left(c, conjugate_z, like=product_2 @ herm_z),
        np.conj(herm_z),
        like=product_2,
    )
    conjugate = np.conj(difference)
    matmul_pull_right_2 = rt.matmul_pull_right(matmul_pull_left, conjugate, like=herm)
    conjugate_2 = np.conj(np.eye(z_shape[-1], dtype=dtype_z) - a @ z)
    matmul_pull_right_3 = rt.matmul_pull_right(
        rt.matmul_pull_left(c, conjugate_2, like=product @ herm),
        np.conj(product),
        like=herm,
    )
    total = matmul_pull_right + rt.herm(matmul_pull_right_2 + matmul_pull_right_3)
    return rt.hermitian(total, hermitian)


def matrix_power_a(c, a, n):
    powers_a = rt.powers(a, n)
    flip = np.flip(powers_a, 0)
    product = powers_a @ a
    unreduce = rt.unreduce(np.conj(rt.direction(n)) * c, product @ flip, axis=0)
    matmul_pull_left = rt.matmul_pull_left(unreduce, np.conj(flip), like=product)
    return rt.matmul_pull_right(matmul_pull_left, np.conj(powers_a), like=a)


def powers_a(c, z, a, n):
    flip = np.flip(np.conj(rt.direction(n)) * c, 0)
    flip_2 = np.flip(rt.matrix_convolve(flip, rt.herm(z), rt.lag(n)), 0)
    return rt.matmul_pull_right(flip_2, np.conj(z), like=a)


def matrix_convolve_x(c, y, lag):
    return np.flip(rt.matrix_convolve(np.flip(c, 0), rt.herm(y), lag), 0)


def matrix_convolve_y(c, x, lag):
    return np.flip(rt.matrix_convolve(rt.herm(x), np.flip(c, 0), lag), 0)


# --- numpy.lists ----------------------------------------------------------------------


def appended_items(c):
    return c[:-1]


def appended_item(c):
    return c[-1]


def joined_first(c, first):
    return c[: rt.count_of(first)]


def joined_second(c, first):
    zeros_like_first = rt.zeros_like(first)
    return c[rt.count_of(zeros_like_first) :]


def repeated_list_items(c, items):
    return rt.folded(c, items)


def folded_c(c_bar, c, items):
    return c_bar * rt.times_of(c, items)


def spliced_items(c, items, index, new):
    zeros_like_new = rt.zeros_like(new)
    return rt.unspliced(c, index, items, zeros_like_new)


def spliced_new(c, items, index, new):
    zeros_like_items = rt.zeros_like(items)
    return rt.spliced_in(c, index, zeros_like_items, new)


def unspliced_c(c_bar, index, new):
    zeros_like_new = rt.zeros_like(new)
    return rt.spliced(c_bar, index, zeros_like_new)


def spliced_in_c(c_bar, index, items):
    zeros_like_items = rt.zeros_like(items)
    return rt.spliced(zeros_like_items, index, c_bar)


def plain_x(c):
    return c


def snapshot_x(c):
    return c


def gone_over_x(c, x):
    return rt.regathered(c, x)


def regathered_items(c):
    return rt.gone_over(c)


def replaced_items(c, items, index):
    return rt.cleared(c, index, items)


def replaced_item(c, index):
    return c[index]


def cleared_c(c_bar, c, index):
    return rt.cleared(c_bar, index, c)


def inserted_items(c, items, index):
    return rt.removed(c, rt.place_of(items, index))


def inserted_item(c, items, index):
    zeros_like_items = rt.zeros_like(items)
    return c[rt.place_of(zeros_like_items, index)]


def removed_items(c, items, index):
    return rt.put_back(c, items, index)


def put_back_c(c_bar, index):
    return rt.removed(c_bar, index)


def norm_of_xs(c, z, xs):
    return rt.tensordot_pull_right(
        rt.divide_or_zero(c, np.conj(z)), np.conj(xs), like=xs, axes=rt.dot_axes(xs, xs)
    )


def listed_x(c):
    return np.array(c)


def frozen_items(c):
    return rt.thawed(c)


def thawed_items(c):
    return c


def tolist_x(c):
    return np.array(c)


# --- numpy.networks.layers ------------------------------------------------------------


def relu_x(c, z):
    return rt.if_positive(c, z)


def if_positive_c(c_bar, x):
    return rt.if_positive(c_bar, x)


def log_sigmoid_x(c, x):
    return np.conj(rt.sigmoid(-x)) * c


def softmax_x(c, z, x, axis):
    conjugate_z = np.conj(z)
    product = conjugate_z * c
    product_2 = conjugate_z * rt.unreduce(np.sum(-product, axis=axis), x, axis=axis)
    return product + product_2


def log_softmax_x(c, z, x, axis):
    return c + np.conj(np.exp(z)) * rt.unreduce(np.sum(-c, axis=axis), x, axis=axis)


def times_transposed_x(c, w):
    return c @ np.conj(w)


def times_transposed_w(c, x, w):
    return rt.matmul_pull_right(np.conj(x), c, like=w)


def affine_x(c, w):
    return c @ np.conj(w)


def affine_w(c, x, w):
    return rt.matmul_pull_right(np.conj(x), c, like=w)


def affine_b(c, b):
    return rt.unbroadcast(c, b)


# --- numpy.networks.windows -----------------------------------------------------------


def products_with_windows_x(c, x, w, stride, dilation):
    return rt.windows_pull_whole(c, np.conj(w), x, stride, dilation)


def products_with_windows_w(c, x, w, stride, dilation):
    return rt.windows_pull_weights(c, np.conj(x), w, stride, dilation)


def windows_pull_whole_c(c_bar, w, stride, dilation):
    return rt.products_with_windows(c_bar, np.conj(w), stride, dilation)


def windows_pull_whole_w(c_bar, c, w, stride, dilation):
    return rt.windows_pull_weights(np.conj(c), c_bar, w, stride, dilation)


def windows_pull_weights_c(c_bar, x, stride, dilation):
    return rt.products_with_windows(np.conj(x), c_bar, stride, dilation)


def windows_pull_weights_x(c_bar, c, x, stride, dilation):
    return rt.windows_pull_whole(np.conj(c), c_bar, x, stride, dilation)


# --- numpy.polynomials ----------------------------------------------------------------


def vander_x(c, x, N, increasing):
    exponents_x = rt.exponents(x, N, increasing)
    product = exponents_x * np.expand_dims(x, -1) ** np.maximum(exponents_x - 1, 0)
    return rt.sum_along(np.conj(product) * c, x)


def polyval_p(c, p, x):
    asarray_p = np.asarray(p)
    vander = np.vander(np.ravel(x), rt.degrees(asarray_p, 0))
    return rt.unpack(
        rt.matmul_pull_right(
            rt.reshape_like(c, like=vander @ asarray_p), np.conj(vander), like=asarray_p
        ),
        p,
    )


def polyval_x(c, z, p, x):
    asarray_p = np.asarray(p)
    polyval_x = np.polyval(asarray_p[:-1] * rt.derivative_factors(asarray_p), x)
    return np.conj(polyval_x) * rt.convert(rt.if_float(c, z), polyval_x * x)


def polynomial_value_x(c_bar, z, x, c):
    flip = np.flip(np.asarray(c))
    polyval_x = np.polyval(flip[:-1] * rt.derivative_factors(flip), x)
    return np.conj(polyval_x) * rt.convert(rt.if_float(c_bar, z), polyval_x * x)


def polynomial_value_c(c_bar, x, c):
    asarray_c = np.asarray(c)
    vander = np.vander(np.ravel(x), rt.degrees(np.flip(asarray_c), 0), True)
    c_bar_part = rt.reshape_like(c_bar, like=vander @ asarray_c)
    c_bar_part_2 = rt.matmul_pull_right(c_bar_part, np.conj(vander), like=asarray_c)
    return rt.unpack(c_bar_part_2, c)


def polyder_p(c, p, m):
    product = c * np.conj(rt.derivative_factors(p, m))
    scatter = rt.scatter(product, np.asarray(p), slice(None, rt.degrees(p, m)))
    return rt.unpack(scatter, p)


def polyint_p(c, p, m):
    product = rt.pad_pull(c, np.asarray(p), (0, m)) * np.conj(rt.integral_factors(p, m))
    return rt.unpack(product, p)


def polyadd_a1(c, z, a1):
    asarray_a1 = np.asarray(a1)
    pad_pull_c = rt.pad_pull(c, np.atleast_1d(asarray_a1), (z.size - np.size(a1), 0))
    return rt.unpack(rt.reshape_like(pad_pull_c, like=asarray_a1), a1)


def polyadd_a2(c, z, a2):
    asarray_a2 = np.asarray(a2)
    pad_pull_c = rt.pad_pull(c, np.atleast_1d(asarray_a2), (z.size - np.size(a2), 0))
    return rt.unpack(rt.reshape_like(pad_pull_c, like=asarray_a2), a2)


def polysub_a1(c, z, a1):
    asarray_a1 = np.asarray(a1)
    pad_pull_c = rt.pad_pull(c, np.atleast_1d(asarray_a1), (z.size - np.size(a1), 0))
    return rt.unpack(rt.reshape_like(pad_pull_c, like=asarray_a1), a1)


def polysub_a2(c, z, a2):
    asarray_a2 = np.asarray(a2)
    pad_pull = rt.pad_pull(-c, np.atleast_1d(asarray_a2), (z.size - np.size(a2), 0))
    return rt.unpack(rt.reshape_like(pad_pull, like=asarray_a2), a2)


def polymul_a1(c, z, a1, a2):
    atleast_1d = np.atleast_1d(np.asarray(a2))
    asarray_a1 = np.asarray(a1)
    atleast_1d_2 = np.atleast_1d(asarray_a1)
    convolve = np.convolve(atleast_1d_2, atleast_1d)
    scatter_c = rt.scatter(c, convolve, slice(-z.size, None))
    convolve_pull = rt.convolve_pull(scatter_c, np.conj(atleast_1d), like=atleast_1d_2)
    return rt.unpack(rt.reshape_like(convolve_pull, like=asarray_a1), a1)


def polymul_a2(c, z, a1, a2):
    atleast_1d = np.atleast_1d(np.asarray(a1))
    asarray_a2 = np.asarray(a2)
    atleast_1d_2 = np.atleast_1d(asarray_a2)
    convolve = np.convolve(atleast_1d, atleast_1d_2)
    scatter_c = rt.scatter(c, convolve, slice(-z.size, None))
    convolve_pull = rt.convolve_pull(scatter_c, np.conj(atleast_1d), like=atleast_1d_2)
    return rt.unpack(rt.reshape_like(convolve_pull, like=asarray_a2), a2)


def polydiv_u(c, z, u, v):
    z_0 = z[0]
    z_1 = z[1]
    atleast_1d = np.atleast_1d(np.asarray(v))
    take = np.take(np.append(atleast_1d, 0.0), rt.band_places(z_0, atleast_1d, u))
    size = z_0.size
    minus = -z_1.size
    asarray_u = np.asarray(u)
    convert = rt.convert(rt.if_float(c[1], z_1), asarray_u[minus:])
    scatter = rt.scatter(convert, asarray_u, slice(minus, None))
    part = asarray_u[:size]
    solve = np.linalg.solve(take, part)
    convolve_pull = rt.convolve_pull(-scatter, np.conj(atleast_1d), like=solve)
    total = convolve_pull + rt.convert(rt.if_float(c[0], z_0), solve)
    unbroadcast = rt.unbroadcast(rt.solve_for(rt.herm(take), total, part), part)
    return rt.unpack(scatter + rt.scatter(unbroadcast, asarray_u, slice(None, size)), u)


def polydiv_v(c, z, u, v):
    z_0 = z[0]
    z_1 = z[1]
    asarray_v = np.asarray(v)
    atleast_1d = np.atleast_1d(asarray_v)
    take = np.take(np.append(atleast_1d, 0.0), rt.band_places(z_0, atleast_1d, u))
    size = z_0.size
    minus = -z_1.size
    convolve = np.convolve(z_0, atleast_1d)
    minus_2 = -convolve
    part = minus_2[:size]
    solve = np.linalg.solve(take, part)
    part_2 = (minus_2 - np.convolve(solve, atleast_1d))[minus:]
    convert = rt.convert(rt.if_float(c[1], z_1), part_2)
    scatter = rt.scatter(convert, convolve, slice(minus, None))
    solve_2 = np.linalg.solve(take, convolve[:size])
    convolve_pull = rt.convolve_pull(-scatter, np.conj(atleast_1d), like=solve_2)
    total = convolve_pull + rt.convert(rt.if_float(c[0], z_0), solve)
    unbroadcast = rt.unbroadcast(rt.solve_for(rt.herm(take), total, part), part)
    total_2 = scatter + rt.scatter(unbroadcast, convolve, slice(None, size))
    convolve_pull_2 = rt.convolve_pull(-total_2, np.conj(z_0), like=atleast_1d)
    return rt.unpack(rt.reshape_like(convolve_pull_2, like=asarray_v), v)


def roots_p(c, z, p):
    asarray_p = np.asarray(p)
    vander_z = np.vander(z, asarray_p.size)
    convert_z = rt.convert(asarray_p, z)
    convert = rt.convert(rt.if_float(-c, z), vander_z @ convert_z)
    ratio = convert / np.conj(np.polyval(np.polyder(asarray_p), z))
    matmul_pull_right = rt.matmul_pull_right(ratio, np.conj(vander_z), like=convert_z)
    return rt.unpack(rt.convert(rt.if_float(matmul_pull_right, z), asarray_p), p)


# --- numpy.python_math ----------------------------------------------------------------


def numpy_python_math_exp_x(c, z):
    return z * c


def numpy_python_math_exp2_x(c, z):
    return z * math.log(2) * c


def numpy_python_math_expm1_x(c, z):
    return (z + 1) * c


def numpy_python_math_log_x(c, x, base):
    return c / math.log(base) / x


def log_base(c, z, base):
    return -(z * (c / math.log(base) / base))


def numpy_python_math_log2_x(c, x):
    return c / (x * math.log(2))


def numpy_python_math_log10_x(c, x):
    return c / (x * math.log(10))


def numpy_python_math_log1p_x(c, x):
    return c / (1 + x)


def numpy_python_math_sqrt_x(c, z):
    return c / (2 * z)


def numpy_python_math_cbrt_x(c, z):
    return c / (3 * z * z)


def pow_x(c, x, y):
    return y * math.pow(x, rt.one_less(y, x)) * c


def pow_y(c, z, x):
    return rt.times_log(z * c, x)


def numpy_python_math_sin_x(c, x):
    return math.cos(x) * c


def numpy_python_math_cos_x(c, x):
    return -(math.sin(x) * c)


def numpy_python_math_tan_x(c, z):
    return (1 + z * z) * c


def numpy_python_math_asin_x(c, x):
    return c / math.sqrt((1 - x) * (1 + x))


def numpy_python_math_acos_x(c, x):
    return -(c / math.sqrt((1 - x) * (1 + x)))


def numpy_python_math_atan_x(c, x):
    return c / (1 + x * x)


def atan2_y(c, y, x):
    hypot_x = math.hypot(x, y)
    return x * rt.divide_or_zero(rt.divide_or_zero(c, hypot_x), hypot_x)


def atan2_x(c, y, x):
    hypot_x = math.hypot(x, y)
    return -(y * rt.divide_or_zero(rt.divide_or_zero(c, hypot_x), hypot_x))


def numpy_python_math_hypot_x(c, z, x):
    return x * rt.divide_or_zero(c, z)


def numpy_python_math_hypot_y(c, z, y):
    return y * rt.divide_or_zero(c, z)


def numpy_python_math_sinh_x(c, x):
    return math.cosh(x) * c


def numpy_python_math_cosh_x(c, x):
    return math.sinh(x) * c


def numpy_python_math_tanh_x(c, z):
    return (1 - z * z) * c


def numpy_python_math_asinh_x(c, x):
    return c / math.sqrt(1 + x * x)


def numpy_python_math_acosh_x(c, x):
    return c / math.sqrt((x - 1) * (x + 1))


def numpy_python_math_atanh_x(c, x):
    return c / ((1 - x) * (1 + x))


def numpy_python_math_fabs_x(c, x):
    return rt.sign(x) * c


def numpy_python_math_copysign_x(c, x, y):
    return rt.sign(x) * math.copysign(1.0, y) * c


def numpy_python_math_fmod_x(c):
    return c


def numpy_python_math_fmod_y(c, z, x, y):
    return -(np.conj(((x - z) / y + 0.5) // 1) * c)


def numpy_python_math_remainder_x(c):
    return c


def numpy_python_math_remainder_y(c, z, x, y):
    return -(np.conj(((x - z) / y + 0.5) // 1) * c)


def numpy_python_math_ldexp_x(c, i):
    return math.ldexp(c, i)


def numpy_python_math_frexp_x(c, z):
    return 0.0 * c[1] + math.ldexp(c[0], -z[1])


def numpy_python_math_modf_x(c):
    return c[0] + 0.0 * c[1]


def numpy_python_math_radians_x(c):
    return math.pi / 180 * c


def numpy_python_math_degrees_x(c):
    return 180 / math.pi * c


def erf_x(c, x):
    return 2 / math.sqrt(math.pi) * math.exp(-(x * x)) * c


def erfc_x(c, x):
    return -2 / math.sqrt(math.pi) * math.exp(-(x * x)) * c


def gamma_x(c, z, x):
    return z * rt.polygamma(0, x) * c


def lgamma_x(c, x):
    return rt.polygamma(0, x) * c


def prod_iterable(c, iterable, start):
    array_iterable = np.array(iterable)
    stretch = rt.stretch(rt.put_item(start * c, np.sum(array_iterable)), array_iterable)
    return rt.unpack(rt.others(array_iterable) * stretch, iterable)


def prod_start(c, iterable, start):
    return rt.put_item(rt.item(np.prod(np.array(iterable))) * c, start)


def dist_p(c, z, p, q):
    array_p = np.array(p)
    divide_or_zero_z = rt.divide_or_zero(rt.put_item(c, np.sum(array_p)), z)
    product = (array_p - np.array(q)) * rt.unreduce(divide_or_zero_z, array_p)
    return rt.unpack(product, p)


def dist_q(c, z, p, q):
    array_q = np.array(q)
    divide_or_zero_z = rt.divide_or_zero(rt.put_item(c, np.sum(array_q)), z)
    product = (np.array(p) - array_q) * rt.unreduce(divide_or_zero_z, array_q)
    return rt.unpack(-product, q)


# --- numpy.reductions -----------------------------------------------------------------


def sum_x(c, x, axis, keepdims, dtype, where):
    where_where = np.where(where, rt.unreduce(c, x, axis=axis, keepdims=keepdims), 0.0)
    return rt.convert(rt.if_float(where_where, np.empty(0, dtype)), x)


def sum_initial(c, initial):
    return rt.unbroadcast(c, initial)


def add_reduce_x(c, x, axis, keepdims, dtype, where):
    where_where = np.where(where, rt.unreduce(c, x, axis=axis, keepdims=keepdims), 0.0)
    return rt.convert(rt.if_float(where_where, np.empty(0, dtype)), x)


def add_reduce_initial(c, initial):
    return rt.unbroadcast(c, initial)


def to_type_c(c_bar, c, dtype):
    return rt.convert(rt.if_float(c_bar, np.empty(0, dtype)), c)


def unreduce_c(c_bar, axis, keepdims):
    return np.sum(c_bar, axis=axis, keepdims=keepdims)


def mean_x(c, x, axis, keepdims, dtype, where):
    ratio = c / np.conj(rt.chosen_part(x, where, axis, keepdims)) / rt.count(x, axis)
    unreduce_x = rt.unreduce(ratio, x, axis=axis, keepdims=keepdims)
    if_float = rt.if_float(np.where(where, unreduce_x, 0.0), np.empty(0, dtype))
    return rt.convert(if_float, x)


def average_a(c, a, axis, weights, keepdims):
    align_weights = rt.align(weights, a, axis)
    ratio = c / np.conj(np.sum(align_weights, axis=axis, keepdims=keepdims))
    return np.conj(align_weights) * rt.unreduce(ratio, a, axis=axis, keepdims=keepdims)


def average_weights(c, z, a, axis, weights, keepdims):
    align_weights = rt.align(weights, a, axis)
    ratio = c / np.conj(np.sum(align_weights, axis=axis, keepdims=keepdims))
    unreduce = rt.unreduce(ratio, align_weights, axis=axis, keepdims=keepdims)
    product = np.conj(a - rt.unreduce(z, a, axis=axis, keepdims=keepdims)) * unreduce
    return rt.unalign(product, weights, axis)


def align_c(c_bar, c, axis):
    return rt.unalign(c_bar, c, axis)


def unalign_c(c_bar, c, axis):
    return rt.align(c_bar, c, axis)


def builtin_sum_xs(c, xs):
    return rt.spread(c, xs)


def builtin_sum_start(c, start):
    return rt.unbroadcast(c, start)


def fsum_xs(c, xs):
    return rt.spread(c, xs)


def total_c(c_bar, c):
    return rt.spread(c_bar, c)


def total_start(c_bar, start):
    return rt.unbroadcast(c_bar, start)


def spread_c(c_bar, c):
    return np.broadcast_to(rt.total(c_bar), np.shape(c))


def var_x(c, x, axis, ddof, keepdims, correction, dtype, where):
    difference = x - np.mean(x, axis=axis, keepdims=True, where=where)
    product = 2 / rt.count(x, axis, ddof + correction, where, keepdims) * c
    unreduce_x = rt.unreduce(product, x, axis=axis, keepdims=keepdims)
    product_2 = np.where(where, difference, 0.0) * unreduce_x
    return rt.convert(rt.if_float(product_2, np.empty(0, dtype)), x)


def std_x(c, z, x, axis, ddof, keepdims, correction, dtype, where):
    difference = x - np.mean(x, axis=axis, keepdims=True, where=where)
    ratio = c / rt.count(x, axis, ddof + correction, where, keepdims)
    divide_or_zero = rt.divide_or_zero(ratio, np.conj(z))
    unreduce_x = rt.unreduce(divide_or_zero, x, axis=axis, keepdims=keepdims)
    product = np.where(where, difference, 0.0) * unreduce_x
    return rt.convert(rt.if_float(product, np.empty(0, dtype)), x)


def extreme_x(c, z, x, axis, keepdims, initial, where):
    return rt.share_ties(
        z, x, axis=axis, keepdims=keepdims, initial=initial, where=where
    ) * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def extreme_initial(c, z, x, axis, keepdims, initial, where):
    share_start_z = rt.share_start(
        z, x, axis=axis, keepdims=keepdims, initial=initial, where=where
    )
    return rt.unbroadcast(np.conj(share_start_z) * c, initial)


def extreme_reduce_x(c, z, x, axis, keepdims, initial, where):
    return rt.share_ties(
        z, x, axis=axis, keepdims=keepdims, initial=initial, where=where
    ) * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def extreme_reduce_initial(c, z, x, axis, keepdims, initial, where):
    share_start_z = rt.share_start(
        z, x, axis=axis, keepdims=keepdims, initial=initial, where=where
    )
    return rt.unbroadcast(np.conj(share_start_z) * c, initial)


def ptp_x(c, x, axis, keepdims):
    peak = np.max(x, axis=axis, keepdims=True)
    share_ties_x = rt.share_ties(peak, x, axis=axis, keepdims=True)
    low = np.min(x, axis=axis, keepdims=True)
    difference = share_ties_x - rt.share_ties(low, x, axis=axis, keepdims=True)
    return difference * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def logaddexp_reduce_x(c, z, x, axis, keepdims):
    conjugate = np.conj(np.exp(x - rt.unreduce(z, x, axis=axis, keepdims=keepdims)))
    return conjugate * rt.unreduce(c, x, axis=axis, keepdims=keepdims)


def nansum_x(c, x, axis, keepdims, dtype, where):
    conjugate = np.conj(np.logical_and(where, np.logical_not(np.isnan(x))))
    product = conjugate * rt.unreduce(c, x, axis=axis, keepdims=keepdims)
    return rt.convert(rt.if_float(product, np.empty(0, dtype)), x)


def nansum_initial(c, initial):
    return rt.unbroadcast(c, initial)


def nanmean_x(c, x, axis, keepdims, dtype, where):
    ratio = c / rt.nancount(x, axis=axis, keepdims=keepdims, where=where)
    conjugate = np.conj(np.logical_and(where, np.logical_not(np.isnan(x))))
    product = conjugate * rt.unreduce(ratio, x, axis=axis, keepdims=keepdims)
    return rt.convert(rt.if_float(product, np.empty(0, dtype)), x)


def nanvar_x(c, x, axis, ddof, keepdims, correction, dtype, where):
    logical_and = np.logical_and(where, np.logical_not(np.isnan(x)))
    difference = x - np.nanmean(x, axis=axis, keepdims=True, where=where)
    product = 2 / rt.nancount(x, axis, keepdims, ddof + correction, where) * c
    unreduce_x = rt.unreduce(product, x, axis=axis, keepdims=keepdims)
    product_2 = np.where(logical_and, difference, 0.0) * unreduce_x
    return rt.convert(rt.if_float(product_2, np.empty(0, dtype)), x)


def nanstd_x(c, z, x, axis, ddof, keepdims, correction, dtype, where):
    logical_and = np.logical_and(where, np.logical_not(np.isnan(x)))
    difference = x - np.nanmean(x, axis=axis, keepdims=True, where=where)
    ratio = c / rt.nancount(x, axis, keepdims, ddof + correction, where)
    divide_or_zero = rt.divide_or_zero(ratio, np.conj(z))
    unreduce_x = rt.unreduce(divide_or_zero, x, axis=axis, keepdims=keepdims)
    product = np.where(logical_and, difference, 0.0) * unreduce_x
    return rt.convert(rt.if_float(product, np.empty(0, dtype)), x)


def nanprod_x(c, x, axis, keepdims, dtype, initial, where):
    logical_and = np.logical_and(where, np.logical_not(np.isnan(x)))
    unreduce_x = rt.unreduce(np.conj(initial) * c, x, axis=axis, keepdims=keepdims)
    conjugate = np.conj(rt.others(np.where(logical_and, x, 1.0), axis) * logical_and)
    return rt.convert(rt.if_float(conjugate * unreduce_x, np.empty(0, dtype)), x)


def nanprod_initial(c, x, axis, keepdims, initial, where):
    where_x = np.where(np.logical_and(where, np.logical_not(np.isnan(x))), x, 1.0)
    product = np.conj(np.prod(where_x, axis=axis, keepdims=keepdims)) * c
    return rt.unbroadcast(product, initial)


def prod_x(c, x, axis, keepdims, dtype, initial, where):
    unreduce_x = rt.unreduce(np.conj(initial) * c, x, axis=axis, keepdims=keepdims)
    product = np.conj(rt.others(np.where(where, x, 1.0), axis)) * unreduce_x
    return rt.convert(rt.if_float(np.where(where, product, 0.0), np.empty(0, dtype)), x)


def prod_initial(c, x, axis, keepdims, initial, where):
    conjugate = np.conj(np.prod(np.where(where, x, 1.0), axis=axis, keepdims=keepdims))
    return rt.unbroadcast(conjugate * c, initial)


def multiply_reduce_x(c, x, axis, keepdims, dtype, initial, where):
    unreduce_x = rt.unreduce(np.conj(initial) * c, x, axis=axis, keepdims=keepdims)
    product = np.conj(rt.others(np.where(where, x, 1.0), axis)) * unreduce_x
    return rt.convert(rt.if_float(np.where(where, product, 0.0), np.empty(0, dtype)), x)


def multiply_reduce_initial(c, x, axis, keepdims, initial, where):
    conjugate = np.conj(np.prod(np.where(where, x, 1.0), axis=axis, keepdims=keepdims))
    return rt.unbroadcast(conjugate * c, initial)


def rows_c(c_bar, c, axis):
    return rt.unrows(c_bar, c, axis)


def unrows_c(c_bar, axis):
    return rt.rows(c_bar, axis)


def stretch_over_x(c, x):
    return rt.unbroadcast(c, x)


def one_if_none_b(c):
    return c


# --- numpy.shaping --------------------------------------------------------------------


def reshape_a(c, a, order):
    return rt.reshape_like(c, like=a, order=rt.plain_order(order))


def reshape_method_x(c, x):
    return rt.reshape_like(c, like=x)


def ravel_a(c, a, order):
    return rt.reshape_like(c, like=a, order=rt.plain_order(order))


def flatten_a(c, a, order):
    return rt.reshape_like(c, like=a, order=rt.plain_order(order))


def squeeze_a(c, a):
    return rt.reshape_like(c, like=a)


def expand_dims_a(c, a):
    return rt.reshape_like(c, like=a)


def atleast_1d_x(c, x):
    return rt.reshape_like(c, like=x)


def atleast_2d_x(c, x):
    return rt.reshape_like(c, like=x)


def atleast_3d_x(c, x):
    return rt.reshape_like(c, like=x)


def reshape_like_c(c_bar, c, order):
    return rt.reshape_like(c_bar, like=c, order=order)


def transpose_axes_a(c, axes):
    return np.transpose(c, rt.inverse_axes(axes, np.ndim(c)))


def transpose_method_a(c, axes):
    return np.transpose(c, rt.inverse_axes(rt.one_tuple((axes,)), np.ndim(c)))


def T_a(c):
    return np.transpose(c)


def mT_x(c):
    return rt.mT(c)


def swapaxes_a(c, axis1, axis2):
    return np.swapaxes(c, axis1, axis2)


def moveaxis_a(c, source, destination):
    return np.moveaxis(c, destination, source)


def rollaxis_a(c, axis, start):
    return np.transpose(c, rt.inverse_roll(axis, start, np.ndim(c)))


def broadcast_to_array(c, array):
    return rt.unbroadcast(c, array)


def tile_A(c, A, reps):
    return rt.tile_pull(c, like=A, reps=reps)


def repeat_a(c, a, repeats, axis):
    return rt.repeat_pull(c, like=a, repeats=repeats, axis=axis)


def tile_pull_c(c_bar, reps):
    return np.tile(c_bar, reps)


def repeat_pull_c(c_bar, repeats, axis):
    return np.repeat(c_bar, repeats, axis=axis)


def pad_array(c, array, pad_width, mode):
    return rt.pad_pull(c, array, pad_width, mode)


def pad_constant_values(c, array, pad_width, constant_values):
    return rt.unmargins(c, constant_values, array, pad_width)


def margins_c(c_bar, c, like, pad_width):
    return rt.unmargins(c_bar, c, like, pad_width)


def unmargins_c(c_bar, array, pad_width):
    return rt.margins(c_bar, array, pad_width)


def linear_pad_x(c, x, pad_width, mode):
    return rt.pad_pull(c, x, pad_width, mode)


def pad_pull_c(c_bar, pad_width, mode):
    return rt.pad(c_bar, pad_width, mode)


def flip_m(c, axis):
    return np.flip(c, axis=axis)


def fliplr_m(c):
    return np.fliplr(c)


def flipud_m(c):
    return np.flipud(c)


def roll_a(c, shift, axis):
    return np.roll(c, np.negative(shift), axis=axis)


def rot90_m(c, k, axes):
    return np.rot90(c, -k, axes)


def diag_v(c, v, k):
    return rt.undiag(c, v, k)


def diagflat_v(c, v, k):
    return rt.reshape_like(np.diagonal(c, k), like=v)


def diagonal_a(c, a, offset, axis1, axis2):
    return rt.undiagonal(c, a, offset, axis1, axis2)


def trace_a(c, a, offset, axis1, axis2):
    return rt.untrace(c, a, offset, axis1, axis2)


def tril_m(c, m, k):
    return rt.unbroadcast(np.tril(c, k), m)


def triu_m(c, m, k):
    return rt.unbroadcast(np.triu(c, k), m)


def undiag_c(c_bar, k):
    return np.diag(c_bar, k)


def undiagonal_c(c_bar, offset, axis1, axis2):
    return np.diagonal(c_bar, offset, axis1, axis2)


def untrace_c(c_bar, offset, axis1, axis2):
    return np.trace(c_bar, offset, axis1, axis2)


def linalg_diagonal_x(c, x, offset):
    return rt.undiagonal(c, x, offset, -2, -1)


def linalg_trace_x(c, x, offset):
    return rt.untrace(c, x, offset, -2, -1)


def linalg_matrix_transpose_x(c):
    return rt.mT(c)


# --- numpy.statistics.covariance ------------------------------------------------------


def cov_m(c, m, rowvar, bias, ddof, fweights, aweights):
    as_rows_m = rt.as_rows(m, rowvar)
    product = as_rows_m @ rt.observation_shares(as_rows_m, fweights, aweights)
    product_2 = rt.observation_weights(as_rows_m, bias, ddof, fweights, aweights) * (
        as_rows_m - np.expand_dims(product, 1)
    )
    conjugate = np.conj(product_2)
    T = as_rows_m.T
    reshape_like_c = rt.reshape_like(c, like=product_2 @ T)
    conjugate_2 = np.conj(conjugate.T)
    matmul_pull_left = rt.matmul_pull_left(reshape_like_c, conjugate_2, like=as_rows_m)
    transpose = np.transpose(rt.matmul_pull_right(reshape_like_c, conjugate, like=T))
    return rt.from_rows(matmul_pull_left + np.conj(transpose), m, rowvar)


def corrcoef_x(c, x, rowvar):
    as_rows_x = rt.as_rows(x, rowvar)
    difference = as_rows_x - np.mean(as_rows_x, axis=1, keepdims=True)
    total = np.sum(np.real(np.conj(difference) * difference), axis=1, keepdims=True)
    sqrt = np.sqrt(total)
    ratio = difference / sqrt
    conjugate = np.conj(ratio)
    T = as_rows_x.T
    reshape_like_c = rt.reshape_like(c, like=ratio @ T)
    minus = -(np.conj(ratio @ conjugate.T) * reshape_like_c)
    total_2 = np.sum(np.real(conjugate * (as_rows_x / sqrt)), axis=1, keepdims=True)
    transpose = np.transpose(rt.unbroadcast(minus, total_2.T))
    unbroadcast = rt.unbroadcast(minus, total_2)
    product = ratio * rt.unreduce(unbroadcast, as_rows_x, axis=1, keepdims=True)
    total_3 = ratio * rt.unreduce(transpose, as_rows_x, axis=1, keepdims=True) + product
    conjugate_2 = np.conj(conjugate.T)
    total_4 = total_3 + rt.matmul_pull_left(reshape_like_c, conjugate_2, like=as_rows_x)
    transpose_2 = np.transpose(rt.matmul_pull_right(reshape_like_c, conjugate, like=T))
    return rt.from_rows((total_4 + np.conj(transpose_2)) / np.conj(sqrt), x, rowvar)


def as_rows_c(c_bar, c, rowvar):
    return rt.from_rows(c_bar, c, rowvar)


def from_rows_c(c_bar, like, rowvar):
    return rt.as_rows(rt.reshape_like(c_bar, like), rowvar)


# --- numpy.statistics.curves ----------------------------------------------------------


def trapezoid_y(c, y, x, dx, axis):
    return rt.untrapezoid(c, y, x, dx, axis)


def trapezoid_at_y(c, y, at, step, axis):
    return rt.untrapezoid(c, y, at, step, axis)


def trapezoid_at_at(c, y, at, axis):
    return rt.untrapezoid_at(c, at, y, axis)


def trapezoid_at_step(c, y, step, axis):
    return rt.unbroadcast(c * np.conj(np.trapezoid(y, axis=axis)), step)


def untrapezoid_c(c_bar, at, step, axis):
    return np.trapezoid(c_bar, x=at, dx=step, axis=axis)


def untrapezoid_at(c_bar, c, at, axis):
    return rt.untrapezoid_at(c, at, c_bar, axis)


def untrapezoid_step(c_bar, c, step, axis):
    return rt.unbroadcast(np.conj(c) * np.trapezoid(c_bar, axis=axis), step)


def untrapezoid_at_c(c_bar, y, axis):
    return np.trapezoid(y, x=c_bar, axis=axis)


def untrapezoid_at_y(c_bar, c, y, axis):
    return rt.untrapezoid(c, y, c_bar, axis=axis)


def slope_f(c, f, step, axis, edge_order):
    return rt.unslope(c, f, step, axis, edge_order)


def slope_step(c, z, step):
    return rt.unbroadcast(-(np.conj(z / step) * c), step)


def unslope_c(c_bar, step, axis, edge_order):
    return np.gradient(c_bar, step, axis=axis, edge_order=edge_order)


def unslope_step(c_bar, z, step):
    return rt.unbroadcast(-(np.conj(z / step) * c_bar), step)


def slope_at_f(c, z, f, at, axis, edge_order):
    stencil_at = rt.stencil(at, edge_order)
    part = stencil_at[0]
    part_2 = stencil_at[1]
    part_3 = stencil_at[2]
    along_axis_at = rt.along_axis(at, z, axis)
    along_axis_z = rt.along_axis(np.take(at, part), z, axis)
    along_axis_z_2 = rt.along_axis(np.take(at, part_2), z, axis)
    along_axis_z_3 = rt.along_axis(np.take(at, part_3), z, axis)
    along_axis_z_4 = rt.along_axis(stencil_at[3], z, axis)
    ratio = along_axis_z_4 / (along_axis_z_3 - along_axis_z + 1.0 - along_axis_z_4)
    product = ratio * (along_axis_at - along_axis_z + along_axis_at - along_axis_z_2)
    product_2 = np.conj(product / (along_axis_z_3 - along_axis_z_2)) * c
    product_3 = np.conj((1.0 - product) / (along_axis_z_2 - along_axis_z)) * c
    untake_f = rt.untake(-product_3, f, part, axis=axis)
    total = rt.untake(product_2, f, part_3, axis=axis) + untake_f
    return total + rt.untake(product_3 - product_2, f, part_2, axis=axis)


def slope_at_at(c, z, f, at, axis, edge_order):
    stencil_at = rt.stencil(at, edge_order)
    part = stencil_at[0]
    part_2 = stencil_at[1]
    part_3 = stencil_at[2]
    along_axis_at = rt.along_axis(at, z, axis)
    along_axis_z = rt.along_axis(np.take(at, part), z, axis)
    take_at = np.take(at, part_2)
    along_axis_z_2 = rt.along_axis(take_at, z, axis)
    take_at_2 = np.take(at, part_3)
    along_axis_z_3 = rt.along_axis(take_at_2, z, axis)
    take_f = np.take(f, part_2, axis=axis)
    along_axis_z_4 = rt.along_axis(stencil_at[3], z, axis)
    ratio = along_axis_z_4 / (along_axis_z_3 - along_axis_z + 1.0 - along_axis_z_4)
    difference = along_axis_z_2 - along_axis_z
    ratio_2 = (take_f - np.take(f, part, axis=axis)) / difference
    difference_2 = along_axis_z_3 - along_axis_z_2
    ratio_3 = (np.take(f, part_3, axis=axis) - take_f) / difference_2
    product = ratio * (ratio_3 - ratio_2)
    product_2 = ratio * (along_axis_at - along_axis_z + along_axis_at - along_axis_z_2)
    sum_along_at = rt.sum_along(np.conj(product) * c, at, axis)
    sum_along_axis = rt.sum_along(-(np.conj(product_2 * product) * c), take_at_2, axis)
    product_3 = np.conj(ratio_3) * (np.conj(product_2 / difference_2) * c)
    sum_along_axis_2 = rt.sum_along(-product_3, take_at_2, axis)
    total = 2 * sum_along_at + rt.untake(sum_along_axis + sum_along_axis_2, at, part_3)
    product_4 = np.conj(ratio_2) * (np.conj((1.0 - product_2) / difference) * c)
    sum_along_axis_3 = rt.sum_along(-product_4, take_at, axis)
    difference_3 = sum_along_axis_3 - (sum_along_at + sum_along_axis_2)
    untake_at = rt.untake(-(sum_along_at + sum_along_axis + sum_along_axis_3), at, part)
    return total + untake_at + rt.untake(difference_3, at, part_2)


def along_axis_x(c, x, axis):
    return rt.sum_along(c, x, axis)


def sum_along_c(c_bar, c, axis):
    return rt.along_axis(c_bar, c, axis)


def interp_x(c, x, xp, fp):
    interp_places_x = rt.interp_places(x, xp)
    total = interp_places_x + 1
    difference = np.take(xp, total) - np.take(xp, interp_places_x)
    difference_2 = np.take(fp, total) - np.take(fp, interp_places_x)
    return np.conj(rt.interp_inside(x, xp) * difference_2 / difference) * c


def interp_xp(c, x, xp, fp):
    interp_places_x = rt.interp_places(x, xp)
    take_xp = np.take(xp, interp_places_x)
    total = interp_places_x + 1
    difference = np.take(xp, total) - take_xp
    clip = np.clip((x - take_xp) / difference, 0.0, 1.0)
    difference_2 = np.take(fp, total) - np.take(fp, interp_places_x)
    product = np.conj(rt.interp_inside(x, xp) * difference_2 / difference) * c
    untake_xp = rt.untake(-(np.conj(1.0 - clip) * product), xp, interp_places_x)
    return rt.untake(-(np.conj(clip) * product), xp, total) + untake_xp


def interp_fp(c, x, xp, fp, left, right):
    interp_places_x = rt.interp_places(x, xp)
    take_xp = np.take(xp, interp_places_x)
    total = interp_places_x + 1
    clip = np.clip((x - take_xp) / (np.take(xp, total) - take_xp), 0.0, 1.0)
    interp_uses_x = rt.interp_uses(x, xp, left, right)
    untake_fp = rt.untake(np.conj(interp_uses_x * clip) * c, fp, total)
    product = np.conj(interp_uses_x * (1.0 - clip)) * c
    return untake_fp + rt.untake(product, fp, interp_places_x)


def interp_left(c, x, xp, left):
    return rt.unbroadcast(np.conj(np.less(x, xp[0])) * c, left)


def interp_right(c, x, xp, right):
    return rt.unbroadcast(np.conj(np.greater(x, xp[-1])) * c, right)


def bincount_weights(c, x, weights):
    return rt.convert(np.take(c, x), weights)


def histogram_weights(c, z, a, weights):
    return rt.nothing(c[1], weights) + rt.unbinned(c[0], weights, (a,), (z[1],))


def histogram2d_weights(c, z, x, y, weights):
    total = rt.nothing(c[2], weights) + rt.nothing(c[1], weights)
    return total + rt.unbinned(c[0], weights, (x, y), (z[1], z[2]))


def binned_weights(c, weights, sample, edges):
    return rt.unbinned(c, weights, sample, edges)


def unbinned_c(c_bar, sample, edges):
    return rt.binned(c_bar, sample, edges)


def nothing_c(c_bar, c):
    return rt.nothing(c_bar, c)


# --- numpy.statistics.quantiles -------------------------------------------------------


def median_x(c, z, x, axis):
    quantile_points = rt.quantile_points(z, x, 0.5, axis)
    part = quantile_points[0]
    total = quantile_points[2] + 0.5 * quantile_points[3]
    reshape_like_c = rt.reshape_like(c, like=np.take(x, part))
    untake_x = rt.untake(np.conj(total) * reshape_like_c, x, quantile_points[1])
    return untake_x + rt.untake(np.conj(1.0 - total) * reshape_like_c, x, part)


def nanmedian_x(c, z, x, axis):
    quantile_points = rt.quantile_points(z, x, 0.5, axis, "linear", True)
    part = quantile_points[0]
    total = quantile_points[2] + 0.5 * quantile_points[3]
    reshape_like_c = rt.reshape_like(c, like=np.take(x, part))
    untake_x = rt.untake(np.conj(total) * reshape_like_c, x, quantile_points[1])
    return untake_x + rt.untake(np.conj(1.0 - total) * reshape_like_c, x, part)


def quantile_x(c, z, x, q, axis, method):
    quantile_points = rt.quantile_points(z, x, q, axis, method)
    part = quantile_points[0]
    part_2 = quantile_points[3]
    total = quantile_points[2] + part_2 * rt.along_first(q, part_2)
    reshape_like_c = rt.reshape_like(c, like=np.take(x, part))
    untake_x = rt.untake(np.conj(total) * reshape_like_c, x, quantile_points[1])
    return untake_x + rt.untake(np.conj(1.0 - total) * reshape_like_c, x, part)


def quantile_q(c, z, x, q, axis, method):
    quantile_points = rt.quantile_points(z, x, q, axis, method)
    part = quantile_points[3]
    total = quantile_points[2] + part * rt.along_first(q, part)
    product = part * (np.take(x, quantile_points[1]) - np.take(x, quantile_points[0]))
    product_2 = np.conj(product) * rt.reshape_like(c, like=rt.along_first(q, total))
    return rt.trailing_sum(product_2, q)


def nanquantile_x(c, z, x, q, axis, method):
    quantile_points = rt.quantile_points(z, x, q, axis, method, True)
    part = quantile_points[0]
    part_2 = quantile_points[3]
    total = quantile_points[2] + part_2 * rt.along_first(q, part_2)
    reshape_like_c = rt.reshape_like(c, like=np.take(x, part))
    untake_x = rt.untake(np.conj(total) * reshape_like_c, x, quantile_points[1])
    return untake_x + rt.untake(np.conj(1.0 - total) * reshape_like_c, x, part)


def nanquantile_q(c, z, x, q, axis, method):
    quantile_points = rt.quantile_points(z, x, q, axis, method, True)
    part = quantile_points[3]
    total = quantile_points[2] + part * rt.along_first(q, part)
    product = part * (np.take(x, quantile_points[1]) - np.take(x, quantile_points[0]))
    product_2 = np.conj(product) * rt.reshape_like(c, like=rt.along_first(q, total))
    return rt.trailing_sum(product_2, q)


def percentile_x(c, z, x, q, axis, method):
    ratio = np.divide(q, 100)
    quantile_points = rt.quantile_points(z, x, ratio, axis, method)
    part = quantile_points[0]
    part_2 = quantile_points[3]
    total = quantile_points[2] + part_2 * rt.along_first(ratio, part_2)
    reshape_like_c = rt.reshape_like(c, like=np.take(x, part))
    untake_x = rt.untake(np.conj(total) * reshape_like_c, x, quantile_points[1])
    return untake_x + rt.untake(np.conj(1.0 - total) * reshape_like_c, x, part)


def percentile_q(c, z, x, q, axis, method):
    ratio = np.divide(q, 100)
    quantile_points = rt.quantile_points(z, x, ratio, axis, method)
    part = quantile_points[3]
    total = quantile_points[2] + part * rt.along_first(ratio, part)
    product = part * (np.take(x, quantile_points[1]) - np.take(x, quantile_points[0]))
    ratio_2 = rt.reshape_like(c, like=rt.along_first(q, total)) / 100
    return rt.trailing_sum(np.conj(product) * ratio_2, q)


def nanpercentile_x(c, z, x, q, axis, method):
    ratio = np.divide(q, 100)
    quantile_points = rt.quantile_points(z, x, ratio, axis, method, True)
    part = quantile_points[0]
    part_2 = quantile_points[3]
    total = quantile_points[2] + part_2 * rt.along_first(ratio, part_2)
    reshape_like_c = rt.reshape_like(c, like=np.take(x, part))
    untake_x = rt.untake(np.conj(total) * reshape_like_c, x, quantile_points[1])
    return untake_x + rt.untake(np.conj(1.0 - total) * reshape_like_c, x, part)


def nanpercentile_q(c, z, x, q, axis, method):
    ratio = np.divide(q, 100)
    quantile_points = rt.quantile_points(z, x, ratio, axis, method, True)
    part = quantile_points[3]
    total = quantile_points[2] + part * rt.along_first(ratio, part)
    product = part * (np.take(x, quantile_points[1]) - np.take(x, quantile_points[0]))
    ratio_2 = rt.reshape_like(c, like=rt.along_first(q, total)) / 100
    return rt.trailing_sum(np.conj(product) * ratio_2, q)


def along_first_c(c_bar, c):
    return rt.trailing_sum(c_bar, c)


def trailing_sum_c(c_bar, c):
    return rt.along_first(c_bar, c)


# --- numpy.statistics.row_statistics --------------------------------------------------


def points_x(c, x):
    return rt.reshape_like(c, x)


def center_mean(c, mean):
    return rt.reshape_like(c, mean)


def covariance_cov(c, cov):
    return rt.uncovariance(c, cov)


def uncovariance_c(c_bar, c):
    return rt.covariance(c_bar, rt.dimension(None, c))


def row_products_a(c, b):
    return rt.row_scaled(c, b)


def row_products_b(c, a):
    return rt.row_scaled(c, a)


def row_scaled_c(c_bar, b):
    return rt.row_products(c_bar, b)


def row_scaled_b(c_bar, c):
    return rt.row_scaled(c, c_bar)


def row_traces_s(c, p):
    return np.sum(c) * p


def row_traces_p(c, s):
    return np.sum(c) * s


def simplex_x(c, x):
    return rt.simplex_pull(c, x)


def simplex_change_x(c, x):
    return rt.simplex_pull(c, x)


def simplex_pull_c(c_bar, c):
    return rt.simplex_change(c_bar, c.shape[-1])


# --- numpy.statistics.sorting ---------------------------------------------------------


def sort_x(c, x, axis):
    argsort_x = np.argsort(x, axis=axis, kind="stable")
    return rt.scatter_along_axis(c, x, argsort_x, axis=axis)


def partition_x(c, z, x, axis):
    return rt.scatter_along_axis(c, x, rt.matching(z, x, axis), axis=axis)


def unique_ar(c, ar):
    return rt.untake(c, ar, rt.first_places(ar))


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "batches.aligned": {"x": aligned_x},
    "batches.flat_examples": {"x": flat_examples_x},
    "batches.example": {"tree": example_tree},
    "batches.put_example": {"c": put_example_c},
    "batches.of_examples": {"trees": of_examples_trees},
    "batches.examples_like": {"c": examples_like_c},
    "batches.repeated_examples": {"tree": repeated_examples_tree},
    "batches.summed_examples": {"tree": summed_examples_tree},
    "batches.unbroadcast_examples": {"c": unbroadcast_examples_c},
    "batches.stretch_examples": {"c": stretch_examples_c},
    "batches.examples_first": {"tree": examples_first_tree},
    "batches.examples_moved": {"tree": examples_moved_tree},
    "numpy.arithmetic.add": {"x": add_x, "y": add_y},
    "numpy.arithmetic.subtract": {"x": subtract_x, "y": subtract_y},
    "numpy.arithmetic.multiply": {"x": multiply_x, "y": multiply_y},
    "numpy.arithmetic.divide": {"x": divide_x, "y": divide_y},
    "numpy.arithmetic.power": {"x": power_x, "y": power_y},
    "numpy.arithmetic.float_power": {"x": float_power_x, "y": float_power_y},
    "numpy.arithmetic.remainder": {"x": remainder_x, "y": remainder_y},
    "numpy.arithmetic.fmod": {"x": fmod_x, "y": fmod_y},
    "numpy.arithmetic.divmod": {"x": divmod_x, "y": divmod_y},
    "numpy.arithmetic.negative": {"x": negative_x},
    "numpy.arithmetic.positive": {"x": positive_x},
    "numpy.arithmetic.absolute": {"x": absolute_x},
    "numpy.arithmetic.fabs": {"x": fabs_x},
    "numpy.arithmetic.sign": {"x": sign_x},
    "numpy.arithmetic.turn_rate": {"x": turn_rate_x},
    "numpy.arithmetic.copysign": {"x": copysign_x},
    "numpy.arithmetic.nextafter": {"x": nextafter_x},
    "numpy.arithmetic.heaviside": {"h": heaviside_h},
    "numpy.arithmetic.maximum": {"x": maximum_x, "y": maximum_y},
    "numpy.arithmetic.minimum": {"x": minimum_x, "y": minimum_y},
    "numpy.arithmetic.fmax": {"x": fmax_x, "y": fmax_y},
    "numpy.arithmetic.fmin": {"x": fmin_x, "y": fmin_y},
    "numpy.arithmetic.clip": {
        "a": clip_a,
        "a_min": clip_a_min,
        "a_max": clip_a_max,
        "min": clip_min,
        "max": clip_max,
    },
    "numpy.arithmetic.clip_method": {
        "a": clip_method_a,
        "min": clip_method_min,
        "max": clip_method_max,
    },
    "numpy.arithmetic.where": {"x": where_x, "y": where_y},
    "numpy.arithmetic.select": {
        "choicelist": select_choicelist,
        "default": select_default,
    },
    "numpy.arithmetic.ldexp": {"x": ldexp_x},
    "numpy.arithmetic.frexp": {"x": frexp_x},
    "numpy.arithmetic.modf": {"x": modf_x},
    "numpy.arithmetic.nan_to_num": {
        "x": nan_to_num_x,
        "nan": nan_to_num_nan,
        "posinf": nan_to_num_posinf,
        "neginf": nan_to_num_neginf,
    },
    "numpy.arithmetic.real": {"val": real_val},
    "numpy.arithmetic.imag": {"val": imag_val},
    "numpy.arithmetic.conjugate": {"x": conjugate_x},
    "numpy.arithmetic.angle": {"z_": angle_z_},
    "numpy.arithmetic.real_if_close": {"a": real_if_close_a},
    "numpy.complex_scalar.exp": {"x": exp_x},
    "numpy.complex_scalar.log": {"x": log_x},
    "numpy.complex_scalar.log10": {"x": log10_x},
    "numpy.complex_scalar.sqrt": {"x": sqrt_x},
    "numpy.complex_scalar.sin": {"x": sin_x},
    "numpy.complex_scalar.cos": {"x": cos_x},
    "numpy.complex_scalar.tan": {"x": tan_x},
    "numpy.complex_scalar.asin": {"x": asin_x},
    "numpy.complex_scalar.acos": {"x": acos_x},
    "numpy.complex_scalar.atan": {"x": atan_x},
    "numpy.complex_scalar.sinh": {"x": sinh_x},
    "numpy.complex_scalar.cosh": {"x": cosh_x},
    "numpy.complex_scalar.tanh": {"x": tanh_x},
    "numpy.complex_scalar.asinh": {"x": asinh_x},
    "numpy.complex_scalar.acosh": {"x": acosh_x},
    "numpy.complex_scalar.atanh": {"x": atanh_x},
    "numpy.complex_scalar.rect": {"r": rect_r, "phi": rect_phi},
    "numpy.containers.flipped": {"stack": flipped_stack},
    "numpy.containers.fill_like": {"items": fill_like_items},
    "numpy.containers.picked": {"c": picked_c},
    "numpy.containers.match": {"c": match_c},
    "numpy.containers.as_tangent": {"dot": as_tangent_dot},
    "numpy.containers.unmatch": {"c": unmatch_c},
    "numpy.containers.put_at": {"items": put_at_items, "item": put_at_item},
    "numpy.containers.cleared_at": {"c": cleared_at_c},
    "numpy.containers.taken_at": {"c": taken_at_c},
    "numpy.containers.increased_at": {"items": increased_at_items, "c": increased_at_c},
    "numpy.containers.entered": {"items": entered_items, "item": entered_item},
    "numpy.containers.dropped": {"items": dropped_items},
    "numpy.containers.like_keys": {"c": like_keys_c},
    "numpy.containers.shallow": {"items": shallow_items},
    "numpy.containers.values_of": {"items": values_of_items},
    "numpy.containers.with_keys": {"items": with_keys_items},
    "numpy.creation.array": {"object": array_object},
    "numpy.creation.asarray_chkfinite": {"a": asarray_chkfinite_a},
    "numpy.creation.asarray": {"a": asarray_a},
    "numpy.creation.ascontiguousarray": {"a": ascontiguousarray_a},
    "numpy.creation.from_dlpack": {"x": from_dlpack_x},
    "numpy.creation.copy": {"a": copy_a},
    "numpy.creation.copy_method": {"a": copy_method_a},
    "numpy.creation.numpy_number": {"x": numpy_number_x},
    "numpy.creation.astype": {"a": astype_a},
    "numpy.creation.astype_function": {"x": astype_function_x},
    "numpy.creation.float": {"x": float_x},
    "numpy.creation.complex": {"real": complex_real, "imag": complex_imag},
    "numpy.creation.item": {"a": item_a},
    "numpy.creation.full": {"fill_value": full_fill_value},
    "numpy.creation.full_like": {"fill_value": full_like_fill_value},
    "numpy.creation.linspace": {"start": linspace_start, "stop": linspace_stop},
    "numpy.creation.logspace": {
        "start": logspace_start,
        "stop": logspace_stop,
        "base": logspace_base,
    },
    "numpy.creation.geomspace": {"start": geomspace_start, "stop": geomspace_stop},
    "numpy.creation.stretch_along": {"c": stretch_along_c},
    "numpy.creation.unstretch_along": {"c": unstretch_along_c},
    "numpy.creation.kaiser": {"beta": kaiser_beta},
    "numpy.cumulative.cumsum": {"x": cumsum_x},
    "numpy.cumulative.add_accumulate": {"x": add_accumulate_x},
    "numpy.cumulative.nancumsum": {"x": nancumsum_x},
    "numpy.cumulative.uncumsum": {"c": uncumsum_c},
    "numpy.cumulative.cumprod": {"x": cumprod_x},
    "numpy.cumulative.multiply_accumulate": {"x": multiply_accumulate_x},
    "numpy.cumulative.nancumprod": {"x": nancumprod_x},
    "numpy.cumulative.recur": {"c": recur_c, "a": recur_a},
    "numpy.cumulative.recur_back": {"c": recur_back_c, "a": recur_back_a},
    "numpy.cumulative.delay": {"c": delay_c},
    "numpy.cumulative.advance": {"c": advance_c},
    "numpy.cumulative.diff": {"a": diff_a},
    "numpy.cumulative.undiff": {"c": undiff_c},
    "numpy.cumulative.edge": {"c": edge_c},
    "numpy.cumulative.ediff1d": {"ary": ediff1d_ary},
    "numpy.cumulative.others": {"x": others_x},
    "numpy.cumulative.before": {"x": before_x},
    "numpy.element_positions.resize": {"a": resize_a},
    "numpy.element_positions.trim_zeros": {"filt": trim_zeros_filt},
    "numpy.element_positions.sliding_window_view": {"x": sliding_window_view_x},
    "numpy.element_positions.as_strided": {"x": as_strided_x},
    "numpy.element_positions.sort_complex": {"a": sort_complex_a},
    "numpy.element_positions.accumulate": {"array": accumulate_array},
    "numpy.element_positions.add_reduceat": {"array": add_reduceat_array},
    "numpy.element_positions.reduceat": {"c": reduceat_c},
    "numpy.element_positions.spread_at": {"c": spread_at_c},
    "numpy.element_positions.beside": {"c": beside_c},
    "numpy.element_positions.restored": {"c": restored_c},
    "numpy.element_positions.choose": {"choices": choose_choices},
    "numpy.element_positions.choose_method": {"choices": choose_method_choices},
    "numpy.element_positions.unchoose": {"c": unchoose_c},
    "numpy.element_positions.view": {"a": view_a},
    "numpy.element_positions.require": {"a": require_a},
    "numpy.element_positions.unwrap": {"p": unwrap_p},
    "numpy.element_positions.dsplit": {"ary": dsplit_ary},
    "numpy.elementary.exp": {"x": numpy_elementary_exp_x},
    "numpy.elementary.exp2": {"x": exp2_x},
    "numpy.elementary.expm1": {"x": expm1_x},
    "numpy.elementary.log": {"x": numpy_elementary_log_x},
    "numpy.elementary.log2": {"x": log2_x},
    "numpy.elementary.log10": {"x": numpy_elementary_log10_x},
    "numpy.elementary.log1p": {"x": log1p_x},
    "numpy.elementary.sqrt": {"x": numpy_elementary_sqrt_x},
    "numpy.elementary.cbrt": {"x": cbrt_x},
    "numpy.elementary.square": {"x": square_x},
    "numpy.elementary.reciprocal": {"x": reciprocal_x},
    "numpy.elementary.sigmoid": {"x": sigmoid_x},
    "numpy.elementary.sin": {"x": numpy_elementary_sin_x},
    "numpy.elementary.cos": {"x": numpy_elementary_cos_x},
    "numpy.elementary.tan": {"x": numpy_elementary_tan_x},
    "numpy.elementary.arcsin": {"x": arcsin_x},
    "numpy.elementary.arccos": {"x": arccos_x},
    "numpy.elementary.arctan": {"x": arctan_x},
    "numpy.elementary.arctan2": {"y": arctan2_y, "x": arctan2_x},
    "numpy.elementary.hypot": {"x": hypot_x, "y": hypot_y},
    "numpy.elementary.sinh": {"x": numpy_elementary_sinh_x},
    "numpy.elementary.cosh": {"x": numpy_elementary_cosh_x},
    "numpy.elementary.tanh": {"x": numpy_elementary_tanh_x},
    "numpy.elementary.arcsinh": {"x": arcsinh_x},
    "numpy.elementary.arccosh": {"x": arccosh_x},
    "numpy.elementary.arctanh": {"x": arctanh_x},
    "numpy.elementary.sinc": {"x": sinc_x},
    "numpy.elementary.i0": {"x": i0_x},
    "numpy.elementary.radians": {"x": radians_x},
    "numpy.elementary.degrees": {"x": degrees_x},
    "numpy.elementary.logaddexp": {"x": logaddexp_x, "y": logaddexp_y},
    "numpy.elementary.logaddexp2": {"x": logaddexp2_x, "y": logaddexp2_y},
    "numpy.exact_zero.mul0": {"g": mul0_g, "p": mul0_p},
    "numpy.exact_zero.div0": {"c": div0_c, "y": div0_y},
    "numpy.exact_zero.reached": {"x": reached_x},
    "numpy.exact_zero.on_support": {"c": on_support_c},
    "numpy.exact_zero.hazard": {
        "log_density": hazard_log_density,
        "log_tail": hazard_log_tail,
    },
    "numpy.fft.fft": {"a": fft_a},
    "numpy.fft.ifft": {"a": ifft_a},
    "numpy.fft.rfft": {"a": rfft_a},
    "numpy.fft.irfft": {"a": irfft_a},
    "numpy.fft.hfft": {"a": hfft_a},
    "numpy.fft.ihfft": {"a": ihfft_a},
    "numpy.fft.fft2": {"a": fft2_a},
    "numpy.fft.ifft2": {"a": ifft2_a},
    "numpy.fft.fftn": {"a": fftn_a},
    "numpy.fft.ifftn": {"a": ifftn_a},
    "numpy.fft.rfft2": {"a": rfft2_a},
    "numpy.fft.rfftn": {"a": rfftn_a},
    "numpy.fft.irfft2": {"a": irfft2_a},
    "numpy.fft.irfftn": {"a": irfftn_a},
    "numpy.fft.fftshift": {"x": fftshift_x},
    "numpy.fft.ifftshift": {"x": ifftshift_x},
    "numpy.fft.fftfreq": {"d": fftfreq_d},
    "numpy.fft.rfftfreq": {"d": rfftfreq_d},
    "numpy.fft.fit": {"c": fit_c},
    "numpy.fft.doubled": {"c": doubled_c},
    "numpy.fft.halved": {"c": halved_c},
    "numpy.functional_writes.last_written": {"x": last_written_x},
    "numpy.functional_writes.scatter_last": {"c": scatter_last_c},
    "numpy.grids.row": {"items": row_items},
    "numpy.grids.columns": {"items": columns_items},
    "numpy.grids.unrow": {"c": unrow_c},
    "numpy.grids.uncolumns": {"c": uncolumns_c},
    "numpy.grids.block": {"arrays": block_arrays},
    "numpy.grids.block_of": {"items": block_of_items},
    "numpy.grids.blocks_like": {"c": blocks_like_c},
    "numpy.grids.reshape_each": {"cs": reshape_each_cs},
    "numpy.grids.stretch_each": {"cs": stretch_each_cs},
    "numpy.grids.unstretch_each": {"cs": unstretch_each_cs},
    "numpy.grids.meshgrid": {"items": meshgrid_items},
    "numpy.grids.unmeshgrid": {"cs": unmeshgrid_cs},
    "numpy.helpers.unbroadcast": {"c": unbroadcast_c},
    "numpy.helpers.stretch": {"c": stretch_c},
    "numpy.helpers.add": {"a": add_a, "b": add_b},
    "numpy.helpers.contiguous": {"x": contiguous_x},
    "numpy.helpers.copy": {"x": copy_x},
    "numpy.helpers.divide_or_zero": {"c": divide_or_zero_c, "y": divide_or_zero_y},
    "numpy.helpers.times_log": {"c": times_log_c, "x": times_log_x},
    "numpy.helpers.in_kind": {"x": in_kind_x},
    "numpy.helpers.one_less": {"y": one_less_y},
    "numpy.helpers.share": {"x": share_x, "y": share_y},
    "numpy.helpers.if_larger": {"c": if_larger_c},
    "numpy.helpers.if_inside": {"c": if_inside_c},
    "numpy.helpers.if_below": {"c": if_below_c},
    "numpy.helpers.if_above": {"c": if_above_c},
    "numpy.helpers.if_finite": {"c": if_finite_c},
    "numpy.helpers.if_replaced": {"c": if_replaced_c},
    "numpy.helpers.if_number": {"c": if_number_c},
    "numpy.helpers.times_i": {"c": times_i_c},
    "numpy.helpers.pick": {"cs": pick_cs},
    "numpy.helpers.unpick": {"c": unpick_c},
    "numpy.helpers.unselect": {"c": unselect_c},
    "numpy.helpers.if_none": {"c": if_none_c},
    "numpy.helpers.if_float": {"c": if_float_c},
    "numpy.helpers.convert": {"c": convert_c},
    "numpy.helpers.pack": {"c": pack_c},
    "numpy.helpers.unpack": {"c": unpack_c},
    "numpy.helpers.full": {"c": full_c},
    "numpy.helpers.item": {"c": item_c},
    "numpy.helpers.put_item": {"c": put_item_c},
    "numpy.helpers.progression": {"cs": progression_cs},
    "numpy.helpers.unprogression": {"c": unprogression_c},
    "numpy.helpers.polygamma": {"x": polygamma_x},
    "numpy.helpers.bessel_i": {"x": bessel_i_x},
    "numpy.helpers.sinc_derivative": {"x": sinc_derivative_x},
    "numpy.helpers.circle": {"x": circle_x},
    "numpy.helpers.hyperbola": {"x": hyperbola_x},
    "numpy.helpers.hyperbola_above": {"x": hyperbola_above_x},
    "numpy.indexing.getitem": {"x": getitem_x},
    "numpy.indexing.scatter": {"c": scatter_c},
    "numpy.indexing.index_add": {"buf": index_add_buf, "c": index_add_c},
    "numpy.indexing.take": {"a": take_a},
    "numpy.indexing.untake": {"c": untake_c},
    "numpy.indexing.take_along_axis": {"arr": take_along_axis_arr},
    "numpy.indexing.scatter_along_axis": {"c": scatter_along_axis_c},
    "numpy.indexing.compress": {"a": compress_a},
    "numpy.indexing.compress_method": {"a": compress_method_a},
    "numpy.indexing.extract": {"arr": extract_arr},
    "numpy.indexing.uncompress": {"c": uncompress_c},
    "numpy.joining.concatenate": {"arrays": concatenate_arrays},
    "numpy.joining.stack": {"arrays": stack_arrays},
    "numpy.joining.vstack": {"tup": vstack_tup},
    "numpy.joining.hstack": {"tup": hstack_tup},
    "numpy.joining.dstack": {"tup": dstack_tup},
    "numpy.joining.column_stack": {"tup": column_stack_tup},
    "numpy.joining.split_like": {"c": split_like_c},
    "numpy.joining.unstack_like": {"c": unstack_like_c},
    "numpy.joining.vsplit_like": {"c": vsplit_like_c},
    "numpy.joining.hsplit_like": {"c": hsplit_like_c},
    "numpy.joining.dsplit_like": {"c": dsplit_like_c},
    "numpy.joining.columns_like": {"c": columns_like_c},
    "numpy.joining.split": {"ary": split_ary},
    "numpy.joining.hsplit": {"ary": hsplit_ary},
    "numpy.joining.vsplit": {"ary": vsplit_ary},
    "numpy.joining.unsplit": {"c": unsplit_c},
    "numpy.joining.append": {"arr": append_arr, "values": append_values},
    "numpy.joining.embed": {"x": embed_x},
    "numpy.joining.extract": {"c": extract_c},
    "numpy.joining.delete": {"arr": delete_arr},
    "numpy.joining.delete_pull": {"c": delete_pull_c},
    "numpy.joining.insert": {"arr": insert_arr, "values": insert_values},
    "numpy.joining.insert_array": {"x": insert_array_x},
    "numpy.joining.insert_values": {"values": insert_values_values},
    "numpy.joining.insert_array_pull": {"c": insert_array_pull_c},
    "numpy.joining.insert_values_pull": {"c": insert_values_pull_c},
    "numpy.joining.unstack": {"x": unstack_x},
    "numpy.linalg.contractions.einsum": {
        "x0": einsum_x0,
        "x1": einsum_x1,
        "x2": einsum_x2,
        "x3": einsum_x3,
        "x4": einsum_x4,
        "x5": einsum_x5,
    },
    "numpy.linalg.contractions.linear_einsum": {
        "x0": linear_einsum_x0,
        "x1": linear_einsum_x1,
        "x2": linear_einsum_x2,
        "x3": linear_einsum_x3,
        "x4": linear_einsum_x4,
        "x5": linear_einsum_x5,
    },
    "numpy.linalg.contractions.multi_dot": {
        "x0": multi_dot_x0,
        "x1": multi_dot_x1,
        "x2": multi_dot_x2,
        "x3": multi_dot_x3,
        "x4": multi_dot_x4,
        "x5": multi_dot_x5,
    },
    "numpy.linalg.contractions.einsum_view": {"x": einsum_view_x},
    "numpy.linalg.contractions.einsum_pull": {
        "c": einsum_pull_c,
        "y0": einsum_pull_y0,
        "y1": einsum_pull_y1,
        "y2": einsum_pull_y2,
        "y3": einsum_pull_y3,
        "y4": einsum_pull_y4,
    },
    "numpy.linalg.contractions.convolve": {"a": convolve_a, "v": convolve_v},
    "numpy.linalg.contractions.convolve_pull": {
        "c": convolve_pull_c,
        "y": convolve_pull_y,
    },
    "numpy.linalg.contractions.correlate": {"a": correlate_a, "v": correlate_v},
    "numpy.linalg.contractions.correlate_pull_left": {
        "c": correlate_pull_left_c,
        "v": correlate_pull_left_v,
    },
    "numpy.linalg.contractions.correlate_pull_right": {
        "c": correlate_pull_right_c,
        "a": correlate_pull_right_a,
    },
    "numpy.linalg.eigen.eigvalsh": {"a": eigvalsh_a},
    "numpy.linalg.eigen.eigh": {"a": eigh_a},
    "numpy.linalg.eigen.eigvals": {"a": eigvals_a},
    "numpy.linalg.eigen.eig": {"a": eig_a},
    "numpy.linalg.eigen.eigenvectors": {"a": eigenvectors_a},
    "numpy.linalg.eigen.steady": {"e": steady_e, "v": steady_v},
    "numpy.linalg.eigen.top": {"x": top_x},
    "numpy.linalg.eigen.untop": {"c": untop_c},
    "numpy.linalg.eigen.svdvals": {"x": svdvals_x},
    "numpy.linalg.eigen.svd": {"a": svd_a},
    "numpy.linalg.eigen.thin": {"factor": thin_factor},
    "numpy.linalg.eigen.some": {"factor": some_factor},
    "numpy.linalg.eigen.reciprocal": {"x": numpy_linalg_eigen_reciprocal_x},
    "numpy.linalg.eigen.gaps": {"w": gaps_w},
    "numpy.linalg.eigen.vector_gaps": {"w": vector_gaps_w},
    "numpy.linalg.eigen.singular_gaps": {"s": singular_gaps_s},
    "numpy.linalg.least_squares.lstsq": {"a": lstsq_a, "b": lstsq_b},
    "numpy.linalg.least_squares.if_there": {"c": if_there_c},
    "numpy.linalg.least_squares.polyfit": {"x": polyfit_x, "y": polyfit_y},
    "numpy.linalg.least_squares.rows_times": {"x": rows_times_x},
    "numpy.linalg.least_squares.tensorinv": {"a": tensorinv_a},
    "numpy.linalg.least_squares.tensorsolve": {"a": tensorsolve_a, "b": tensorsolve_b},
    "numpy.linalg.norms.norm": {"x": norm_x},
    "numpy.linalg.norms.vector_norm": {"x": vector_norm_x},
    "numpy.linalg.norms.matrix_norm": {"x": matrix_norm_x},
    "numpy.linalg.norms.norm_weight": {
        "length": norm_weight_length,
        "x": norm_weight_x,
    },
    "numpy.linalg.norms.cond": {"x": cond_x},
    "numpy.linalg.norms.spectral_norm": {"x": spectral_norm_x},
    "numpy.linalg.norms.spectral_slope": {"x": spectral_slope_x},
    "numpy.linalg.norms.spectral_cond": {"x": spectral_cond_x},
    "numpy.linalg.norms.matrices": {"x": matrices_x},
    "numpy.linalg.norms.unmatrices": {"x": unmatrices_x},
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
    "numpy.linalg.products.vdot": {"a": vdot_a, "b": vdot_b},
    "numpy.linalg.products.vecdot_pull": {"c": vecdot_pull_c, "y": vecdot_pull_y},
    "numpy.linalg.products.vecdot": {"x1": vecdot_x1, "x2": vecdot_x2},
    "numpy.linalg.products.matvec": {"x1": matvec_x1, "x2": matvec_x2},
    "numpy.linalg.products.vecmat": {"x1": vecmat_x1, "x2": vecmat_x2},
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
    "numpy.linalg.solve.solve": {"a": solve_a, "b": solve_b},
    "numpy.linalg.solve.solve_for": {"a": solve_for_a, "b": solve_for_b},
    "numpy.linalg.solve.apply": {"a": apply_a, "x": apply_x},
    "numpy.linalg.solve.column": {"x": column_x},
    "numpy.linalg.solve.uncolumn": {"x": uncolumn_x},
    "numpy.linalg.solve.det": {"a": det_a},
    "numpy.linalg.solve.cofactor": {"a": cofactor_a},
    "numpy.linalg.solve.cofactor_push": {"e": cofactor_push_e, "a": cofactor_push_a},
    "numpy.linalg.solve.slogdet": {"a": slogdet_a},
    "numpy.linalg.solve.turn": {"t": turn_t, "phase": turn_phase},
    "numpy.linalg.solve.turn_pull": {"c": turn_pull_c, "phase": turn_pull_phase},
    "numpy.linalg.solve.herm": {"x": herm_x},
    "numpy.linalg.solve.hermitian": {"x": hermitian_x},
    "numpy.linalg.solve.phi": {"x": phi_x},
    "numpy.linalg.solve.upper_part": {"x": upper_part_x},
    "numpy.linalg.solve.upper_pull": {"c": upper_pull_c},
    "numpy.linalg.solve.cholesky": {"a": cholesky_a},
    "numpy.linalg.solve.qr": {"a": qr_a},
    "numpy.linalg.solve.qr_r": {"a": qr_r_a},
    "numpy.linalg.solve.economic": {"q": economic_q},
    "numpy.linalg.solve.leading": {"x": leading_x},
    "numpy.linalg.solve.solve_lower": {"low": solve_lower_low, "b": solve_lower_b},
    "numpy.linalg.solve.over": {"x": over_x, "r": over_r},
    "numpy.linalg.solve.pinv": {"a": pinv_a},
    "numpy.linalg.solve.matrix_power": {"a": matrix_power_a},
    "numpy.linalg.solve.powers": {"a": powers_a},
    "numpy.linalg.solve.matrix_convolve": {
        "x": matrix_convolve_x,
        "y": matrix_convolve_y,
    },
    "numpy.lists.appended": {"items": appended_items, "item": appended_item},
    "numpy.lists.joined": {"first": joined_first, "second": joined_second},
    "numpy.lists.repeated_list": {"items": repeated_list_items},
    "numpy.lists.folded": {"c": folded_c},
    "numpy.lists.spliced": {"items": spliced_items, "new": spliced_new},
    "numpy.lists.unspliced": {"c": unspliced_c},
    "numpy.lists.spliced_in": {"c": spliced_in_c},
    "numpy.lists.plain": {"x": plain_x},
    "numpy.lists.snapshot": {"x": snapshot_x},
    "numpy.lists.gone_over": {"x": gone_over_x},
    "numpy.lists.regathered": {"items": regathered_items},
    "numpy.lists.replaced": {"items": replaced_items, "item": replaced_item},
    "numpy.lists.cleared": {"c": cleared_c},
    "numpy.lists.inserted": {"items": inserted_items, "item": inserted_item},
    "numpy.lists.removed": {"items": removed_items},
    "numpy.lists.put_back": {"c": put_back_c},
    "numpy.lists.norm_of": {"xs": norm_of_xs},
    "numpy.lists.listed": {"x": listed_x},
    "numpy.lists.frozen": {"items": frozen_items},
    "numpy.lists.thawed": {"items": thawed_items},
    "numpy.lists.tolist": {"x": tolist_x},
    "numpy.networks.layers.relu": {"x": relu_x},
    "numpy.networks.layers.if_positive": {"c": if_positive_c},
    "numpy.networks.layers.log_sigmoid": {"x": log_sigmoid_x},
    "numpy.networks.layers.softmax": {"x": softmax_x},
    "numpy.networks.layers.log_softmax": {"x": log_softmax_x},
    "numpy.networks.layers.times_transposed": {
        "x": times_transposed_x,
        "w": times_transposed_w,
    },
    "numpy.networks.layers.affine": {"x": affine_x, "w": affine_w, "b": affine_b},
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
    "numpy.polynomials.vander": {"x": vander_x},
    "numpy.polynomials.polyval": {"p": polyval_p, "x": polyval_x},
    "numpy.polynomials.polynomial_value": {
        "x": polynomial_value_x,
        "c": polynomial_value_c,
    },
    "numpy.polynomials.polyder": {"p": polyder_p},
    "numpy.polynomials.polyint": {"p": polyint_p},
    "numpy.polynomials.polyadd": {"a1": polyadd_a1, "a2": polyadd_a2},
    "numpy.polynomials.polysub": {"a1": polysub_a1, "a2": polysub_a2},
    "numpy.polynomials.polymul": {"a1": polymul_a1, "a2": polymul_a2},
    "numpy.polynomials.polydiv": {"u": polydiv_u, "v": polydiv_v},
    "numpy.polynomials.roots": {"p": roots_p},
    "numpy.python_math.exp": {"x": numpy_python_math_exp_x},
    "numpy.python_math.exp2": {"x": numpy_python_math_exp2_x},
    "numpy.python_math.expm1": {"x": numpy_python_math_expm1_x},
    "numpy.python_math.log": {"x": numpy_python_math_log_x, "base": log_base},
    "numpy.python_math.log2": {"x": numpy_python_math_log2_x},
    "numpy.python_math.log10": {"x": numpy_python_math_log10_x},
    "numpy.python_math.log1p": {"x": numpy_python_math_log1p_x},
    "numpy.python_math.sqrt": {"x": numpy_python_math_sqrt_x},
    "numpy.python_math.cbrt": {"x": numpy_python_math_cbrt_x},
    "numpy.python_math.pow": {"x": pow_x, "y": pow_y},
    "numpy.python_math.sin": {"x": numpy_python_math_sin_x},
    "numpy.python_math.cos": {"x": numpy_python_math_cos_x},
    "numpy.python_math.tan": {"x": numpy_python_math_tan_x},
    "numpy.python_math.asin": {"x": numpy_python_math_asin_x},
    "numpy.python_math.acos": {"x": numpy_python_math_acos_x},
    "numpy.python_math.atan": {"x": numpy_python_math_atan_x},
    "numpy.python_math.atan2": {"y": atan2_y, "x": atan2_x},
    "numpy.python_math.hypot": {
        "x": numpy_python_math_hypot_x,
        "y": numpy_python_math_hypot_y,
    },
    "numpy.python_math.sinh": {"x": numpy_python_math_sinh_x},
    "numpy.python_math.cosh": {"x": numpy_python_math_cosh_x},
    "numpy.python_math.tanh": {"x": numpy_python_math_tanh_x},
    "numpy.python_math.asinh": {"x": numpy_python_math_asinh_x},
    "numpy.python_math.acosh": {"x": numpy_python_math_acosh_x},
    "numpy.python_math.atanh": {"x": numpy_python_math_atanh_x},
    "numpy.python_math.fabs": {"x": numpy_python_math_fabs_x},
    "numpy.python_math.copysign": {"x": numpy_python_math_copysign_x},
    "numpy.python_math.fmod": {
        "x": numpy_python_math_fmod_x,
        "y": numpy_python_math_fmod_y,
    },
    "numpy.python_math.remainder": {
        "x": numpy_python_math_remainder_x,
        "y": numpy_python_math_remainder_y,
    },
    "numpy.python_math.ldexp": {"x": numpy_python_math_ldexp_x},
    "numpy.python_math.frexp": {"x": numpy_python_math_frexp_x},
    "numpy.python_math.modf": {"x": numpy_python_math_modf_x},
    "numpy.python_math.radians": {"x": numpy_python_math_radians_x},
    "numpy.python_math.degrees": {"x": numpy_python_math_degrees_x},
    "numpy.python_math.erf": {"x": erf_x},
    "numpy.python_math.erfc": {"x": erfc_x},
    "numpy.python_math.gamma": {"x": gamma_x},
    "numpy.python_math.lgamma": {"x": lgamma_x},
    "numpy.python_math.prod": {"iterable": prod_iterable, "start": prod_start},
    "numpy.python_math.dist": {"p": dist_p, "q": dist_q},
    "numpy.reductions.sum": {"x": sum_x, "initial": sum_initial},
    "numpy.reductions.add_reduce": {"x": add_reduce_x, "initial": add_reduce_initial},
    "numpy.reductions.to_type": {"c": to_type_c},
    "numpy.reductions.unreduce": {"c": unreduce_c},
    "numpy.reductions.mean": {"x": mean_x},
    "numpy.reductions.average": {"a": average_a, "weights": average_weights},
    "numpy.reductions.align": {"c": align_c},
    "numpy.reductions.unalign": {"c": unalign_c},
    "numpy.reductions.builtin_sum": {"xs": builtin_sum_xs, "start": builtin_sum_start},
    "numpy.reductions.fsum": {"xs": fsum_xs},
    "numpy.reductions.total": {"c": total_c, "start": total_start},
    "numpy.reductions.spread": {"c": spread_c},
    "numpy.reductions.var": {"x": var_x},
    "numpy.reductions.std": {"x": std_x},
    "numpy.reductions.extreme": {"x": extreme_x, "initial": extreme_initial},
    "numpy.reductions.extreme_reduce": {
        "x": extreme_reduce_x,
        "initial": extreme_reduce_initial,
    },
    "numpy.reductions.ptp": {"x": ptp_x},
    "numpy.reductions.logaddexp_reduce": {"x": logaddexp_reduce_x},
    "numpy.reductions.nansum": {"x": nansum_x, "initial": nansum_initial},
    "numpy.reductions.nanmean": {"x": nanmean_x},
    "numpy.reductions.nanvar": {"x": nanvar_x},
    "numpy.reductions.nanstd": {"x": nanstd_x},
    "numpy.reductions.nanprod": {"x": nanprod_x, "initial": nanprod_initial},
    "numpy.reductions.prod": {"x": prod_x, "initial": prod_initial},
    "numpy.reductions.multiply_reduce": {
        "x": multiply_reduce_x,
        "initial": multiply_reduce_initial,
    },
    "numpy.reductions.rows": {"c": rows_c},
    "numpy.reductions.unrows": {"c": unrows_c},
    "numpy.reductions.stretch_over": {"x": stretch_over_x},
    "numpy.reductions.one_if_none": {"b": one_if_none_b},
    "numpy.shaping.reshape": {"a": reshape_a},
    "numpy.shaping.reshape_method": {"x": reshape_method_x},
    "numpy.shaping.ravel": {"a": ravel_a},
    "numpy.shaping.flatten": {"a": flatten_a},
    "numpy.shaping.squeeze": {"a": squeeze_a},
    "numpy.shaping.expand_dims": {"a": expand_dims_a},
    "numpy.shaping.atleast_1d": {"x": atleast_1d_x},
    "numpy.shaping.atleast_2d": {"x": atleast_2d_x},
    "numpy.shaping.atleast_3d": {"x": atleast_3d_x},
    "numpy.shaping.reshape_like": {"c": reshape_like_c},
    "numpy.shaping.transpose_axes": {"a": transpose_axes_a},
    "numpy.shaping.transpose_method": {"a": transpose_method_a},
    "numpy.shaping.T": {"a": T_a},
    "numpy.shaping.mT": {"x": mT_x},
    "numpy.shaping.swapaxes": {"a": swapaxes_a},
    "numpy.shaping.moveaxis": {"a": moveaxis_a},
    "numpy.shaping.rollaxis": {"a": rollaxis_a},
    "numpy.shaping.broadcast_to": {"array": broadcast_to_array},
    "numpy.shaping.tile": {"A": tile_A},
    "numpy.shaping.repeat": {"a": repeat_a},
    "numpy.shaping.tile_pull": {"c": tile_pull_c},
    "numpy.shaping.repeat_pull": {"c": repeat_pull_c},
    "numpy.shaping.pad": {"array": pad_array, "constant_values": pad_constant_values},
    "numpy.shaping.margins": {"c": margins_c},
    "numpy.shaping.unmargins": {"c": unmargins_c},
    "numpy.shaping.linear_pad": {"x": linear_pad_x},
    "numpy.shaping.pad_pull": {"c": pad_pull_c},
    "numpy.shaping.flip": {"m": flip_m},
    "numpy.shaping.fliplr": {"m": fliplr_m},
    "numpy.shaping.flipud": {"m": flipud_m},
    "numpy.shaping.roll": {"a": roll_a},
    "numpy.shaping.rot90": {"m": rot90_m},
    "numpy.shaping.diag": {"v": diag_v},
    "numpy.shaping.diagflat": {"v": diagflat_v},
    "numpy.shaping.diagonal": {"a": diagonal_a},
    "numpy.shaping.trace": {"a": trace_a},
    "numpy.shaping.tril": {"m": tril_m},
    "numpy.shaping.triu": {"m": triu_m},
    "numpy.shaping.undiag": {"c": undiag_c},
    "numpy.shaping.undiagonal": {"c": undiagonal_c},
    "numpy.shaping.untrace": {"c": untrace_c},
    "numpy.shaping.linalg_diagonal": {"x": linalg_diagonal_x},
    "numpy.shaping.linalg_trace": {"x": linalg_trace_x},
    "numpy.shaping.linalg_matrix_transpose": {"x": linalg_matrix_transpose_x},
    "numpy.statistics.covariance.cov": {"m": cov_m},
    "numpy.statistics.covariance.corrcoef": {"x": corrcoef_x},
    "numpy.statistics.covariance.as_rows": {"c": as_rows_c},
    "numpy.statistics.covariance.from_rows": {"c": from_rows_c},
    "numpy.statistics.curves.trapezoid": {"y": trapezoid_y},
    "numpy.statistics.curves.trapezoid_at": {
        "y": trapezoid_at_y,
        "at": trapezoid_at_at,
        "step": trapezoid_at_step,
    },
    "numpy.statistics.curves.untrapezoid": {
        "c": untrapezoid_c,
        "at": untrapezoid_at,
        "step": untrapezoid_step,
    },
    "numpy.statistics.curves.untrapezoid_at": {
        "c": untrapezoid_at_c,
        "y": untrapezoid_at_y,
    },
    "numpy.statistics.curves.slope": {"f": slope_f, "step": slope_step},
    "numpy.statistics.curves.unslope": {"c": unslope_c, "step": unslope_step},
    "numpy.statistics.curves.slope_at": {"f": slope_at_f, "at": slope_at_at},
    "numpy.statistics.curves.along_axis": {"x": along_axis_x},
    "numpy.statistics.curves.sum_along": {"c": sum_along_c},
    "numpy.statistics.curves.interp": {
        "x": interp_x,
        "xp": interp_xp,
        "fp": interp_fp,
        "left": interp_left,
        "right": interp_right,
    },
    "numpy.statistics.curves.bincount": {"weights": bincount_weights},
    "numpy.statistics.curves.histogram": {"weights": histogram_weights},
    "numpy.statistics.curves.histogram2d": {"weights": histogram2d_weights},
    "numpy.statistics.curves.binned": {"weights": binned_weights},
    "numpy.statistics.curves.unbinned": {"c": unbinned_c},
    "numpy.statistics.curves.nothing": {"c": nothing_c},
    "numpy.statistics.quantiles.median": {"x": median_x},
    "numpy.statistics.quantiles.nanmedian": {"x": nanmedian_x},
    "numpy.statistics.quantiles.quantile": {"x": quantile_x, "q": quantile_q},
    "numpy.statistics.quantiles.nanquantile": {"x": nanquantile_x, "q": nanquantile_q},
    "numpy.statistics.quantiles.percentile": {"x": percentile_x, "q": percentile_q},
    "numpy.statistics.quantiles.nanpercentile": {
        "x": nanpercentile_x,
        "q": nanpercentile_q,
    },
    "numpy.statistics.quantiles.along_first": {"c": along_first_c},
    "numpy.statistics.quantiles.trailing_sum": {"c": trailing_sum_c},
    "numpy.statistics.row_statistics.points": {"x": points_x},
    "numpy.statistics.row_statistics.center": {"mean": center_mean},
    "numpy.statistics.row_statistics.covariance": {"cov": covariance_cov},
    "numpy.statistics.row_statistics.uncovariance": {"c": uncovariance_c},
    "numpy.statistics.row_statistics.row_products": {
        "a": row_products_a,
        "b": row_products_b,
    },
    "numpy.statistics.row_statistics.row_scaled": {
        "c": row_scaled_c,
        "b": row_scaled_b,
    },
    "numpy.statistics.row_statistics.row_traces": {
        "s": row_traces_s,
        "p": row_traces_p,
    },
    "numpy.statistics.row_statistics.simplex": {"x": simplex_x},
    "numpy.statistics.row_statistics.simplex_change": {"x": simplex_change_x},
    "numpy.statistics.row_statistics.simplex_pull": {"c": simplex_pull_c},
    "numpy.statistics.sorting.sort": {"x": sort_x},
    "numpy.statistics.sorting.partition": {"x": partition_x},
    "numpy.statistics.sorting.unique": {"ar": unique_ar},
}

SHAPES = {
    "aligned_x": ("x",),
    "flat_examples_x": ("x",),
    "example_tree": ("tree",),
    "of_examples_trees": ("trees",),
    "unbroadcast_examples_c": ("c",),
    "stretch_examples_c": ("c",),
    "add_x": ("x",),
    "add_y": ("y",),
    "subtract_x": ("x",),
    "subtract_y": ("y",),
    "multiply_x": ("x",),
    "multiply_y": ("y",),
    "divide_x": ("x",),
    "power_y": ("y",),
    "float_power_y": ("y",),
    "remainder_x": ("x",),
    "fmod_x": ("x",),
    "divmod_x": ("x",),
    "divmod_y": ("y",),
    "nextafter_x": ("x",),
    "heaviside_h": ("h",),
    "where_x": ("x",),
    "where_y": ("y",),
    "select_choicelist": ("choicelist",),
    "select_default": ("z",),
    "ldexp_x": ("x",),
    "nan_to_num_nan": ("nan",),
    "nan_to_num_posinf": ("posinf",),
    "nan_to_num_neginf": ("neginf",),
    "imag_val": ("val",),
    "real_if_close_a": ("z", "a"),
    "exp_x": ("x",),
    "log_x": ("z",),
    "log10_x": ("z",),
    "sqrt_x": ("x",),
    "sin_x": ("z",),
    "cos_x": ("z",),
    "tan_x": ("x",),
    "asin_x": ("x",),
    "acos_x": ("x",),
    "atan_x": ("z",),
    "sinh_x": ("z",),
    "cosh_x": ("z",),
    "tanh_x": ("x",),
    "asinh_x": ("x",),
    "acosh_x": ("x",),
    "atanh_x": ("z",),
    "rect_r": ("z", "r"),
    "rect_phi": ("phi",),
    "picked_c": ("c",),
    "match_c": ("c",),
    "as_tangent_dot": ("dot",),
    "unmatch_c": ("c",),
    "put_at_items": ("items",),
    "cleared_at_c": ("c",),
    "entered_items": ("items",),
    "dropped_items": ("items",),
    "like_keys_c": ("c",),
    "array_object": ("z", "object"),
    "asarray_chkfinite_a": ("z", "a"),
    "asarray_a": ("z", "a"),
    "ascontiguousarray_a": ("z", "a"),
    "copy_a": ("z", "a"),
    "numpy_number_x": ("z", "x"),
    "astype_a": ("z", "a"),
    "astype_function_x": ("z", "x"),
    "float_x": ("x",),
    "complex_real": ("real",),
    "complex_imag": ("imag",),
    "item_a": ("a",),
    "full_fill_value": ("z", "fill_value"),
    "full_like_fill_value": ("z", "fill_value"),
    "linspace_start": ("start",),
    "linspace_stop": ("stop",),
    "logspace_start": ("start",),
    "logspace_stop": ("stop",),
    "stretch_along_c": ("c", "like"),
    "unstretch_along_c": ("c",),
    "cumsum_x": ("x",),
    "add_accumulate_x": ("x",),
    "diff_a": ("a",),
    "edge_c": ("c",),
    "sort_complex_a": ("z",),
    "add_reduceat_array": ("array",),
    "reduceat_c": ("c",),
    "beside_c": ("c",),
    "restored_c": ("c",),
    "choose_choices": ("choices",),
    "choose_method_choices": ("choices",),
    "require_a": ("z", "a"),
    "dsplit_ary": ("ary",),
    "mul0_g": ("g",),
    "mul0_p": ("p",),
    "div0_c": ("c",),
    "on_support_c": ("c",),
    "hazard_log_density": ("log_density",),
    "hazard_log_tail": ("log_tail",),
    "fft_a": ("a",),
    "ifft_a": ("a",),
    "rfft_a": ("a",),
    "irfft_a": ("a",),
    "hfft_a": ("a",),
    "ihfft_a": ("a",),
    "fft2_a": ("a",),
    "ifft2_a": ("a",),
    "fftn_a": ("a",),
    "ifftn_a": ("a",),
    "irfft2_a": ("a",),
    "irfftn_a": ("a",),
    "fit_c": ("c",),
    "last_written_x": ("x",),
    "row_items": ("items",),
    "columns_items": ("items",),
    "block_arrays": ("arrays",),
    "block_of_items": ("items",),
    "reshape_each_cs": ("cs",),
    "stretch_each_cs": ("cs",),
    "unstretch_each_cs": ("cs",),
    "meshgrid_items": ("items",),
    "unmeshgrid_cs": ("cs",),
    "unbroadcast_c": ("c",),
    "stretch_c": ("c",),
    "divide_or_zero_c": ("c",),
    "times_log_c": ("c",),
    "in_kind_x": ("x",),
    "one_less_y": ("y",),
    "if_larger_c": ("c",),
    "if_inside_c": ("c",),
    "if_below_c": ("c",),
    "if_above_c": ("c",),
    "if_finite_c": ("c",),
    "if_replaced_c": ("c",),
    "if_number_c": ("c",),
    "unselect_c": ("c",),
    "if_none_c": ("c",),
    "if_float_c": ("like",),
    "convert_c": ("c", "like"),
    "pack_c": ("c", "like"),
    "unpack_c": ("c",),
    "full_c": ("c", "like"),
    "item_c": ("c",),
    "progression_cs": ("cs", "like"),
    "unprogression_c": ("c",),
    "getitem_x": ("x",),
    "take_a": ("a",),
    "take_along_axis_arr": ("arr",),
    "compress_a": ("a",),
    "compress_method_a": ("a",),
    "extract_arr": ("arr",),
    "concatenate_arrays": ("arrays",),
    "stack_arrays": ("arrays",),
    "vstack_tup": ("tup",),
    "hstack_tup": ("tup",),
    "dstack_tup": ("tup",),
    "column_stack_tup": ("tup",),
    "split_ary": ("ary",),
    "vsplit_ary": ("ary",),
    "append_arr": ("arr",),
    "append_values": ("values",),
    "embed_x": ("x",),
    "extract_c": ("c",),
    "delete_arr": ("arr",),
    "insert_arr": ("arr",),
    "insert_values": ("values",),
    "insert_array_x": ("x",),
    "insert_values_values": ("values",),
    "insert_array_pull_c": ("values",),
    "insert_values_pull_c": ("arr",),
    "einsum_x0": ("x0",),
    "einsum_x1": ("x1",),
    "einsum_x2": ("x2",),
    "einsum_x3": ("x3",),
    "einsum_x4": ("x4",),
    "einsum_x5": ("x5",),
    "linear_einsum_x0": ("x0",),
    "linear_einsum_x1": ("x1",),
    "linear_einsum_x2": ("x2",),
    "linear_einsum_x3": ("x3",),
    "linear_einsum_x4": ("x4",),
    "linear_einsum_x5": ("x5",),
    "einsum_view_x": ("x",),
    "einsum_pull_y0": ("y0",),
    "einsum_pull_y1": ("y1",),
    "einsum_pull_y2": ("y2",),
    "einsum_pull_y3": ("y3",),
    "einsum_pull_y4": ("y4",),
    "convolve_a": ("a",),
    "convolve_v": ("v",),
    "convolve_pull_y": ("y",),
    "correlate_a": ("a",),
    "correlate_v": ("v",),
    "correlate_pull_left_v": ("v",),
    "correlate_pull_right_a": ("a",),
    "some_factor": ("factor",),
    "if_there_c": ("c",),
    "polyfit_y": ("z",),
    "tensorsolve_b": ("b",),
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
    "vdot_b": ("b",),
    "vecdot_pull_y": ("y",),
    "vecdot_x1": ("x1",),
    "vecdot_x2": ("x2",),
    "matvec_x1": ("x1",),
    "matvec_x2": ("x2",),
    "vecmat_x1": ("x1",),
    "vecmat_x2": ("x2",),
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
    "solve_b": ("b",),
    "solve_for_a": ("like",),
    "solve_for_b": ("like",),
    "apply_a": ("a", "like"),
    "apply_x": ("x", "like"),
    "column_x": ("like",),
    "uncolumn_x": ("like",),
    "leading_x": ("x",),
    "powers_a": ("a",),
    "gone_over_x": ("x",),
    "replaced_items": ("items",),
    "cleared_c": ("c",),
    "removed_items": ("items",),
    "softmax_x": ("x",),
    "log_softmax_x": ("x",),
    "times_transposed_w": ("w",),
    "affine_w": ("w",),
    "affine_b": ("b",),
    "products_with_windows_x": ("x",),
    "products_with_windows_w": ("w",),
    "windows_pull_whole_w": ("w",),
    "windows_pull_weights_x": ("x",),
    "polyval_x": ("z",),
    "polynomial_value_x": ("z",),
    "polyadd_a1": ("z",),
    "polyadd_a2": ("z",),
    "polysub_a1": ("z",),
    "polysub_a2": ("z",),
    "polymul_a1": ("z",),
    "polymul_a2": ("z",),
    "prod_start": ("start",),
    "sum_x": ("x",),
    "sum_initial": ("initial",),
    "add_reduce_x": ("x",),
    "add_reduce_initial": ("initial",),
    "to_type_c": ("c",),
    "mean_x": ("x",),
    "average_a": ("a",),
    "align_c": ("c",),
    "unalign_c": ("c",),
    "builtin_sum_xs": ("xs",),
    "builtin_sum_start": ("start",),
    "fsum_xs": ("xs",),
    "total_c": ("c",),
    "total_start": ("start",),
    "spread_c": ("c",),
    "nansum_initial": ("initial",),
    "nanprod_initial": ("initial",),
    "prod_initial": ("initial",),
    "multiply_reduce_initial": ("initial",),
    "rows_c": ("c",),
    "stretch_over_x": ("x",),
    "reshape_a": ("a",),
    "reshape_method_x": ("x",),
    "ravel_a": ("a",),
    "flatten_a": ("a",),
    "squeeze_a": ("a",),
    "expand_dims_a": ("a",),
    "atleast_1d_x": ("x",),
    "atleast_2d_x": ("x",),
    "atleast_3d_x": ("x",),
    "reshape_like_c": ("c",),
    "broadcast_to_array": ("array",),
    "tile_A": ("A",),
    "repeat_a": ("a",),
    "pad_array": ("array",),
    "pad_constant_values": ("constant_values",),
    "margins_c": ("c",),
    "unmargins_c": ("array",),
    "linear_pad_x": ("x",),
    "diag_v": ("v",),
    "diagflat_v": ("v",),
    "diagonal_a": ("a",),
    "trace_a": ("a",),
    "tril_m": ("m",),
    "triu_m": ("m",),
    "linalg_diagonal_x": ("x",),
    "linalg_trace_x": ("x",),
    "as_rows_c": ("c",),
    "from_rows_c": ("like",),
    "trapezoid_y": ("y",),
    "trapezoid_at_y": ("y",),
    "trapezoid_at_at": ("at",),
    "trapezoid_at_step": ("step",),
    "untrapezoid_at": ("at",),
    "untrapezoid_step": ("step",),
    "untrapezoid_at_y": ("y",),
    "slope_f": ("f",),
    "slope_at_f": ("z", "f"),
    "slope_at_at": ("z",),
    "along_axis_x": ("x",),
    "sum_along_c": ("c",),
    "interp_fp": ("fp",),
    "interp_left": ("left",),
    "interp_right": ("right",),
    "bincount_weights": ("weights",),
    "histogram_weights": ("weights",),
    "histogram2d_weights": ("weights",),
    "binned_weights": ("weights",),
    "nothing_c": ("c",),
    "along_first_c": ("c",),
    "trailing_sum_c": ("c",),
    "points_x": ("x",),
    "center_mean": ("mean",),
    "covariance_cov": ("cov",),
    "simplex_x": ("x",),
    "simplex_change_x": ("x",),
    "simplex_pull_c": ("c",),
}
