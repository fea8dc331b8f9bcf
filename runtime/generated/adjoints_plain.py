"""Adjoints of elementwise operations of real arrays of one shape. Do not edit: `make rules` writes it.

They are those of ``adjoints.py`` without the conjugates and sums that such arguments do not need.
"""

from __future__ import annotations

import math

import numpy as np

from ..helpers import linear as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- numpy.arithmetic -----------------------------------------------------------------


def add_x(c):
    return c


def add_y(c):
    return c


def subtract_x(c):
    return c


def subtract_y(c):
    return -c


def multiply_x(c, y):
    return c * y


def multiply_y(c, x):
    return x * c


def divide_x(c, y):
    return c / y


def divide_y(c, z, y):
    return -(z * (c / y))


def power_x(c, x, y):
    return y * x ** rt.one_less(y, x) * c


def power_y(c, z, x):
    return rt.times_log(z * c, x)


def float_power_x(c, x, y):
    return y * np.float_power(x, rt.one_less(y, x)) * c


def float_power_y(c, z, x):
    return rt.times_log(z * c, x)


def remainder_x(c):
    return c


def remainder_y(c, x, y):
    return -(x // y * c)


def fmod_x(c):
    return c


def fmod_y(c, x, y):
    return -(np.trunc(x / y) * c)


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
    return product - z * (z * product)


def copysign_x(c, z, x):
    return rt.sign(x) * rt.sign(z) * c


def nextafter_x(c):
    return c


def heaviside_h(c, x):
    return np.where(x == 0, c, 0.0)


def maximum_x(c, x, y):
    return rt.if_larger(c, x, y)


def maximum_y(c, x, y):
    return rt.if_larger(c, y, x)


def minimum_x(c, x, y):
    return rt.if_larger(c, y, x)


def minimum_y(c, x, y):
    return rt.if_larger(c, x, y)


def fmax_x(c, x, y):
    return rt.if_number(rt.if_larger(c, x, y), x)


def fmax_y(c, x, y):
    return rt.if_number(rt.if_larger(c, y, x), y)


def fmin_x(c, x, y):
    return rt.if_number(rt.if_larger(c, y, x), x)


def fmin_y(c, x, y):
    return rt.if_number(rt.if_larger(c, x, y), y)


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
    return rt.if_inside(c, a, min, max)


def clip_method_min(c, a, min, max):
    return rt.if_below(c, a, min, max)


def clip_method_max(c, a, min, max):
    return rt.if_above(c, a, min, max)


def where_x(c, condition):
    return np.where(condition, c, 0.0)


def where_y(c, condition):
    return np.where(condition, 0.0, c)


def ldexp_x(c, i):
    return np.ldexp(c, i)


def nan_to_num_x(c, x, copy):
    return rt.if_finite(c, x, copy=copy)


def nan_to_num_nan(c, x):
    return rt.if_replaced(c, x, math.nan)


def nan_to_num_posinf(c, x):
    return rt.if_replaced(c, x, math.inf)


def nan_to_num_neginf(c, x):
    return rt.if_replaced(c, x, -math.inf)


def conjugate_x(c):
    return c


# --- numpy.elementary -----------------------------------------------------------------


def exp_x(c, z):
    return z * c


def exp2_x(c, z):
    return z * math.log(2) * c


def expm1_x(c, z):
    return (z + 1) * c


def log_x(c, x):
    return c / x


def log2_x(c, x):
    return c / (x * math.log(2))


def log10_x(c, x):
    return c / (x * math.log(10))


def log1p_x(c, x):
    return c / (1 + x)


def sqrt_x(c, z):
    return c / (2 * z)


def cbrt_x(c, z):
    return c / (3 * z * z)


def square_x(c, x):
    return 2 * x * c


def reciprocal_x(c, z):
    return -(z * z * c)


def sin_x(c, x):
    return np.cos(x) * c


def cos_x(c, x):
    return -(np.sin(x) * c)


def tan_x(c, z):
    return (1 + z * z) * c


def arcsin_x(c, x):
    return c / np.sqrt((1 - x) * (1 + x))


def arccos_x(c, x):
    return -(c / np.sqrt((1 - x) * (1 + x)))


def arctan_x(c, x):
    return c / (1 + x * x)


def arctan2_y(c, y, x):
    hypot_x = np.hypot(x, y)
    return x * rt.divide_or_zero(rt.divide_or_zero(c, hypot_x), hypot_x)


def arctan2_x(c, y, x):
    hypot_x = np.hypot(x, y)
    return -(y * rt.divide_or_zero(rt.divide_or_zero(c, hypot_x), hypot_x))


def hypot_x(c, z, x):
    return x * rt.divide_or_zero(c, z)


def hypot_y(c, z, y):
    return y * rt.divide_or_zero(c, z)


def sinh_x(c, x):
    return np.cosh(x) * c


def cosh_x(c, x):
    return np.sinh(x) * c


def tanh_x(c, z):
    return (1 - z * z) * c


def arcsinh_x(c, x):
    return c / np.sqrt(1 + x * x)


def arccosh_x(c, x):
    return c / (np.sqrt(x - 1) * np.sqrt(x + 1))


def arctanh_x(c, x):
    return c / ((1 - x) * (1 + x))


def radians_x(c):
    return math.pi / 180 * c


def degrees_x(c):
    return 180 / math.pi * c


def logaddexp_x(c, x, y):
    return rt.share(x, y) * c


def logaddexp_y(c, x, y):
    return rt.share(y, x) * c


def logaddexp2_x(c, x, y):
    log = math.log(2)
    return rt.share(x * log, y * log) * c


def logaddexp2_y(c, x, y):
    log = math.log(2)
    return rt.share(y * log, x * log) * c


# --- numpy.exact_zero -----------------------------------------------------------------


def mul0_g(c, p):
    return rt.mul0(c, p)


def mul0_p(c, g):
    return rt.mul0(g, c)


def div0_c(c_bar, y):
    return rt.div0(c_bar, y)


def div0_y(c_bar, z, y):
    return rt.mul0(z, -rt.div0(c_bar, y))


def on_support_c(c_bar, log_density):
    return rt.on_support(c_bar, log_density)


def hazard_log_density(c, z):
    return z * c


def hazard_log_tail(c, z):
    return -(z * c)


# --- numpy.helpers --------------------------------------------------------------------


def divide_or_zero_c(c_bar, y):
    return rt.divide_or_zero(c_bar, y)


def divide_or_zero_y(c_bar, z, y):
    return -(z * rt.divide_or_zero(c_bar, y))


def times_log_c(c_bar, x):
    return rt.times_log(c_bar, x)


def times_log_x(c_bar, c, x):
    return c * rt.divide_or_zero(c_bar, x)


def one_less_y(c):
    return c


def share_x(c, z, x, y):
    return z * rt.share(y, x) * c


def share_y(c, z, x, y):
    return -(z * rt.share(y, x) * c)


def if_larger_c(c_bar, x, y):
    return rt.if_larger(c_bar, x, y)


def if_inside_c(c_bar, c, x, low, high, min, max):
    return rt.unbroadcast(rt.if_inside(c_bar, x, low, high, min=min, max=max), c)


def if_below_c(c_bar, c, x, low, high, min, max):
    return rt.unbroadcast(rt.if_below(c_bar, x, low, high, min=min, max=max), c)


def if_above_c(c_bar, c, x, low, high, min, max):
    return rt.unbroadcast(rt.if_above(c_bar, x, low, high, min=min, max=max), c)


def if_finite_c(c_bar, x, copy):
    return rt.if_finite(c_bar, x, copy=copy)


def if_replaced_c(c_bar, x, what):
    return rt.if_replaced(c_bar, x, what)


def if_number_c(c_bar, x):
    return rt.if_number(c_bar, x)


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "numpy.arithmetic.add": {"x": add_x, "y": add_y},
    "numpy.arithmetic.subtract": {"x": subtract_x, "y": subtract_y},
    "numpy.arithmetic.multiply": {"x": multiply_x, "y": multiply_y},
    "numpy.arithmetic.divide": {"x": divide_x, "y": divide_y},
    "numpy.arithmetic.power": {"x": power_x, "y": power_y},
    "numpy.arithmetic.float_power": {"x": float_power_x, "y": float_power_y},
    "numpy.arithmetic.remainder": {"x": remainder_x, "y": remainder_y},
    "numpy.arithmetic.fmod": {"x": fmod_x, "y": fmod_y},
    "numpy.arithmetic.negative": {"x": negative_x},
    "numpy.arithmetic.positive": {"x": positive_x},
    "numpy.arithmetic.absolute": {"x": absolute_x},
    "numpy.arithmetic.fabs": {"x": fabs_x},
    "numpy.arithmetic.sign": {"x": sign_x},
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
    "numpy.arithmetic.ldexp": {"x": ldexp_x},
    "numpy.arithmetic.nan_to_num": {
        "x": nan_to_num_x,
        "nan": nan_to_num_nan,
        "posinf": nan_to_num_posinf,
        "neginf": nan_to_num_neginf,
    },
    "numpy.arithmetic.conjugate": {"x": conjugate_x},
    "numpy.elementary.exp": {"x": exp_x},
    "numpy.elementary.exp2": {"x": exp2_x},
    "numpy.elementary.expm1": {"x": expm1_x},
    "numpy.elementary.log": {"x": log_x},
    "numpy.elementary.log2": {"x": log2_x},
    "numpy.elementary.log10": {"x": log10_x},
    "numpy.elementary.log1p": {"x": log1p_x},
    "numpy.elementary.sqrt": {"x": sqrt_x},
    "numpy.elementary.cbrt": {"x": cbrt_x},
    "numpy.elementary.square": {"x": square_x},
    "numpy.elementary.reciprocal": {"x": reciprocal_x},
    "numpy.elementary.sin": {"x": sin_x},
    "numpy.elementary.cos": {"x": cos_x},
    "numpy.elementary.tan": {"x": tan_x},
    "numpy.elementary.arcsin": {"x": arcsin_x},
    "numpy.elementary.arccos": {"x": arccos_x},
    "numpy.elementary.arctan": {"x": arctan_x},
    "numpy.elementary.arctan2": {"y": arctan2_y, "x": arctan2_x},
    "numpy.elementary.hypot": {"x": hypot_x, "y": hypot_y},
    "numpy.elementary.sinh": {"x": sinh_x},
    "numpy.elementary.cosh": {"x": cosh_x},
    "numpy.elementary.tanh": {"x": tanh_x},
    "numpy.elementary.arcsinh": {"x": arcsinh_x},
    "numpy.elementary.arccosh": {"x": arccosh_x},
    "numpy.elementary.arctanh": {"x": arctanh_x},
    "numpy.elementary.radians": {"x": radians_x},
    "numpy.elementary.degrees": {"x": degrees_x},
    "numpy.elementary.logaddexp": {"x": logaddexp_x, "y": logaddexp_y},
    "numpy.elementary.logaddexp2": {"x": logaddexp2_x, "y": logaddexp2_y},
    "numpy.exact_zero.mul0": {"g": mul0_g, "p": mul0_p},
    "numpy.exact_zero.div0": {"c": div0_c, "y": div0_y},
    "numpy.exact_zero.on_support": {"c": on_support_c},
    "numpy.exact_zero.hazard": {
        "log_density": hazard_log_density,
        "log_tail": hazard_log_tail,
    },
    "numpy.helpers.divide_or_zero": {"c": divide_or_zero_c, "y": divide_or_zero_y},
    "numpy.helpers.times_log": {"c": times_log_c, "x": times_log_x},
    "numpy.helpers.one_less": {"y": one_less_y},
    "numpy.helpers.share": {"x": share_x, "y": share_y},
    "numpy.helpers.if_larger": {"c": if_larger_c},
    "numpy.helpers.if_inside": {"c": if_inside_c},
    "numpy.helpers.if_below": {"c": if_below_c},
    "numpy.helpers.if_above": {"c": if_above_c},
    "numpy.helpers.if_finite": {"c": if_finite_c},
    "numpy.helpers.if_replaced": {"c": if_replaced_c},
    "numpy.helpers.if_number": {"c": if_number_c},
}

SHAPES = {
}
