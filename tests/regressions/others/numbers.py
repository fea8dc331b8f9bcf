"""Powers, empty arrays, numbers with axes, sizes: W12, W13, C4, C12, C17, and what NumPy raises."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import logsumexp

from .judge import Program, case

NONE = np.zeros(0)
GRID = np.zeros((0, 3))


def root_of_the_negative(x):
    return abs((-x) ** 0.5)


def imaginary_part(x):
    return ((-x) ** 1.5).imag


def real_part(x):
    return ((-x) ** 0.5).real + x


def root_of_complex(x):
    return abs((x + 0j) ** 0.5)


def surface_tension(T, Tc):
    tau = 1 - T / Tc if T < Tc else 0.0
    return 2 * Tc + tau**0.35


def root(x):
    return x**0.5


def root_plus(x):
    return 3.0 * x + x**0.5


def mean_square(x):
    return np.mean(x**2)


def variance(x):
    return np.var(x)


def deviation(x):
    return np.std(x)


def median(x):
    return np.median(x)


def average(x):
    return np.average(x)


def nanmean(x):
    return np.nanmean(x)


def total_of_means(x):
    return np.sum(np.mean(x, axis=0)) + 1.0


def total_of_no_means(x):
    return np.sum(np.mean(x, axis=1))


def total_of_variances(x):
    return np.sum(np.var(x, axis=0, ddof=1))


def unbiased(x):
    return np.var(x, ddof=1)


def norm_of_nothing(x):
    return np.linalg.norm(x)


def product(x):
    return np.prod(x)


def cumulative(x):
    return np.sum(np.cumsum(x)) + np.sum(np.cumprod(x)) + np.sum(np.sort(x))


def quantile(x):
    return np.quantile(x, 0.3)


def softmax(x):
    return np.sum(np.exp(x - logsumexp(x)) ** 2) if x.size else np.sum(x)


def mean_of_a_number(x):
    return np.mean(x, axis=-1)


def logsumexp_of_a_number(x):
    return np.sum(logsumexp(x, axis=0, keepdims=True))


def taken(x):
    return np.sum(np.take(x, [0, -1], axis=0))


def full_of_a_square(x):
    return np.sum(np.full(2, x) ** 2)


def chained(x, a):
    return np.sum(np.linalg.multi_dot([a, x * a, a]))


def last_vector(a, z):
    return np.sum(np.linalg.eigh(a)[1][:, -1:] * z)


def complex_root(x):
    return np.float64(3.0) * (x - 2.0) ** 0.3


def inverse(x):
    return x**-1.0


def caught(x):
    try:
        return x**0.5 + 1.0 / x
    finally:
        x = 0.0


def square_root(x):
    return math.sqrt(x)


def power(x):
    return math.pow(x, 0.5) + x


def arc(x):
    return math.asin(x + 1.0)


def cube_root(x):
    return 2.0 * math.cbrt(x)


def of_a_difference(x):
    return 3.0 * x + (2.0 * x) ** 0.5


def of_a_helper(x):
    return root(x) * 2.0


def times_ones(x):
    return x @ np.ones(3)


def plus_ones(x):
    return np.sum(x + np.ones(3))


def plus_list(x):
    return np.sum(np.add(x, [1.0, 2.0, 3.0]))


def part_and_array(w, x):
    return np.sum(x[1:] + w)


def dotted(x):
    return np.dot(x, np.ones(3))


def inner(x):
    return np.inner(x, np.ones(3))


def in_a_loop(w, x):
    s = 0.0
    for _ in range(1):
        s = s + np.sum(w + x)
    return s


def in_a_helper(w, x):
    return plain_sum(w, x) * 2.0


def plain_sum(w, x):
    return np.sum(w + x)


def added_in_a_branch(w, x):
    if x[0] > 0:
        return np.sum(w + x)
    return 2.0 * np.sum(w)


PROGRAMS: list[Program] = [
    case("W13 abs", root_of_the_negative, 1.3),
    case("W13 complex", root_of_complex, 1.3),
    case("W13 imag", imaginary_part, 1.3),
    case("C17", real_part, 1.3),
    case("C12 below", surface_tension, 100.0, 126.0),
    case("C4 logsumexp", logsumexp_of_a_number, 0.7),
    case("C4 take", taken, np.array(0.7)),
    case("full of (1, 1)", full_of_a_square, np.array([[1.5]])),
]

# Functions of nothing: the value is the function's own, the gradient has no entries.
EMPTY = [
    (mean_square, NONE), (variance, NONE), (deviation, NONE), (median, NONE), (nanmean, NONE), (norm_of_nothing, NONE),
    (unbiased, NONE), (product, NONE), (cumulative, NONE), (softmax, NONE),
    (total_of_means, GRID), (total_of_no_means, GRID), (total_of_variances, GRID), (mean_square, GRID),
    (median, GRID), (variance, GRID),
]  # fmt: skip

OF_MATH = {square_root, power, arc}  # whose rules go on with Python's floats
AT_LIMITS = [
    (root, 0.0, np.inf), (root_plus, 0.0, np.inf), (square_root, 0.0, np.inf), (power, 0.0, np.inf),
    (arc, 0.0, np.inf), (cube_root, 0.0, np.inf), (of_a_difference, 0.0, np.inf), (of_a_helper, 0.0, np.inf),
]  # fmt: skip

SIZES = [
    (times_ones, (np.ones(2),)), (plus_ones, (np.ones(2),)), (plus_list, (np.ones(2),)), (dotted, (np.ones(2),)),
    (inner, (np.ones(2),)), (part_and_array, (np.ones(5), np.ones(3))), (in_a_loop, (np.ones(2), np.ones(3))),
    (in_a_helper, (np.ones(2), np.ones(3))), (added_in_a_branch, (np.ones(2), np.ones(3))),
]  # fmt: skip
