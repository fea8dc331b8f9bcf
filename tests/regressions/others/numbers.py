"""Powers, empty arrays, numbers with axes, sizes: W12, W13, C4, C12, C17, and what NumPy raises."""

from __future__ import annotations

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


PROGRAMS: list[Program] = [
    case("W13 abs", root_of_the_negative, 1.3),
    case("W13 complex", root_of_complex, 1.3),
    case("W13 imag", imaginary_part, 1.3),
    case("C17", real_part, 1.3),
    case("C12", surface_tension, 300.0, 126.0),
    case("C12 below", surface_tension, 100.0, 126.0),
    case("C4 number", mean_of_a_number, np.array(0.7)),
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
