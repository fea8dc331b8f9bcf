"""SciPy's distributions where random samples do not go: beyond the support, far out, at its ends, frozen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.tape.calls import taped

stats = pytest.importorskip("scipy.stats")
OUTSIDE: list[tuple[Any, tuple[float, ...], tuple[float, ...]]] = [
    (stats.expon, (), (-0.3,)),
    (stats.halfnorm, (), (-0.3,)),
    (stats.rayleigh, (), (-0.3,)),
    (stats.lognorm, (0.8,), (-0.3,)),
    (stats.weibull_min, (1.6,), (-0.3,)),
    (stats.weibull_max, (1.6,), (0.3,)),
    (stats.pareto, (2.2,), (0.4, -0.5)),
    (stats.gamma, (2.3,), (-0.3,)),
    (stats.chi2, (2.7,), (-0.3,)),
    (stats.invgamma, (2.3,), (-0.3,)),
    (stats.invgauss, (0.9,), (-0.3,)),
    (stats.f, (3.3, 5.1), (-0.3,)),
    (stats.chi, (2.6,), (-0.3,)),
    (stats.nakagami, (1.4,), (-0.3,)),
    (stats.burr12, (1.6, 2.1), (-0.3,)),
    (stats.rice, (0.8,), (-0.3,)),
    (stats.ncx2, (2.7, 1.9), (-0.3,)),
    (stats.uniform, (), (-0.3, 1.4)),
    (stats.beta, (1.8, 2.6), (-0.3, 1.4)),
    (stats.powerlaw, (1.7,), (-0.3, 1.4)),
    (stats.loguniform, (0.4, 3.0), (0.2, 3.5)),
    (stats.triang, (0.4,), (-0.3, 1.4)),
    (stats.truncnorm, (-1.1, 1.4), (-1.7, 2.2)),
]
METHODS = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")


def slopes(method: Any, x: float, shapes: tuple[float, ...]) -> list[float]:
    """The derivatives by value, shapes, loc and scale, in reverse mode; forward mode agrees."""
    f = {
        0: lambda x, loc, scale: method(x, loc, scale),
        1: lambda x, a, loc, scale: method(x, a, loc, scale),
        2: lambda x, a, b, loc, scale: method(x, a, b, loc, scale),
    }[len(shapes)]
    args = (x, *shapes, 0.0, 1.0)
    names = f.__code__.co_varnames[: len(args)]
    found = [float(bar) for bar in rg.grad(f, wrt=names)(*args)]
    for k, bar in enumerate(found):
        dots = [float(i == k) for i in range(len(args))]
        assert np.isclose(rg.jvp(f, args, dots)[1], bar, rtol=1e-12, equal_nan=True)
    return found


@pytest.mark.parametrize(
    ("family", "shapes", "xs"), OUTSIDE, ids=[family.name for family, *_ in OUTSIDE]
)
def test_outside_of_the_support(family: Any, shapes: tuple[float, ...], xs: Any) -> None:
    for x in xs:
        for method in METHODS:
            assert not np.any(slopes(getattr(family, method), x, shapes)), method


@pytest.mark.parametrize(
    ("method", "x", "expected"),
    [
        (stats.expon.logpdf, 0.0, -1.0),
        (stats.halfnorm.pdf, 0.0, 0.0),
        (stats.uniform.logpdf, 1.0, 0.0),
        (stats.laplace.logpdf, 0.0, 0.0),
    ],
)
def test_ends_of_the_support(method: Any, x: float, expected: float) -> None:
    """The slope from within."""
    assert rg.grad(lambda x: method(x))(x) == expected


@pytest.mark.parametrize(("shape", "expected"), [(1.0, -1.0), (3.0, 0.0)])
def test_gamma_at_0(shape: float, expected: float) -> None:
    """An exponential distribution has a slope there; a density that is 0 has the logarithm -inf."""
    assert rg.grad(lambda x, a: stats.gamma.logpdf(x, a))(0.0, shape) == expected


def test_far_tails() -> None:
    """Where density and tail underflow, their quotient does not: Mills' ratio of the normal tail."""

    def down(x):
        return stats.norm.logcdf(x)

    def up(x):
        return stats.norm.logsf(x)

    x = 60.0
    ratio = x + 1 / x - 2 / x**3 + 10 / x**5
    assert np.isclose(rg.grad(up)(x), -ratio, rtol=1e-9)
    assert np.isclose(rg.grad(down)(-x), ratio, rtol=1e-9)
    assert np.isclose(rg.grad(rg.grad(up))(x), -(1 - 1 / x**2 + 6 / x**4), rtol=1e-6)


@pytest.mark.parametrize(
    ("method", "x", "shape"),
    [
        (stats.gamma.logsf, 90.0, 2.3),
        (stats.gamma.logcdf, 1e-8, 2.3),
        (stats.chi2.logsf, 150.0, 3.5),
        (stats.t.logsf, 2000.0, 4.5),
        (stats.t.logcdf, -2000.0, 4.5),
        (stats.weibull_min.logsf, 40.0, 2.5),
        (stats.invgamma.logcdf, 0.01, 2.3),
        (stats.lognorm.logsf, 1e6, 0.9),
        (stats.pareto.logsf, 1e9, 2.2),
        (stats.gennorm.logcdf, -15.0, 1.3),
    ],
    ids=lambda v: v.__self__.name + "." + v.__name__ if callable(v) else "",
)
def test_shapes_in_far_tails(method: Any, x: float, shape: float) -> None:
    h = 1e-5 * shape
    slope = (method(x, shape + h) - method(x, shape - h)) / (2 * h)
    assert np.isclose(rg.grad(lambda x, a: method(x, a), wrt="a")(x, shape), slope, rtol=1e-6)


def test_f_near_its_upper_end() -> None:
    """Where ``1 - w`` of the incomplete beta function has lost its digits."""
    x, h = 1e12, 1e-5
    slope = (stats.f.logsf(x, 3.0 + h, 5.0) - stats.f.logsf(x, 3.0 - h, 5.0)) / (2 * h)
    assert np.isclose(rg.grad(lambda n: stats.f.logsf(1e12, n, 5.0))(3.0), slope, rtol=1e-5)


def test_nan_stays_nan() -> None:
    """A negative scale, a negative shape: no density, and no slope that looks like one."""
    assert np.isnan(rg.grad(lambda x, s: stats.expon.logpdf(x, scale=s))(1.0, -1.0))
    assert np.isnan(rg.grad(lambda x, a: stats.gamma.logpdf(x, a))(1.0, -1.0))


def test_infinite_degrees_of_freedom() -> None:
    """Student's t is the normal distribution then."""
    assert rg.grad(lambda x: stats.t.logpdf(x, np.inf))(0.3) == -0.3


def test_lists_and_whole_numbers() -> None:
    """SciPy makes arrays of its arguments."""
    data = np.array([1.0, 2.0])
    assert rg.grad(lambda m: np.sum(stats.norm.logpdf([1, 2], m)))(0.3) == np.sum(data - 0.3)
    assert rg.grad(lambda m: stats.norm.logpdf([m, 2.0], 0.0)[0])(0.3) == -0.3
    assert rg.grad(lambda m: stats.gmean([m, 4.0]))(1.0) == 1.0
    assert np.isclose(rg.grad(lambda m: np.sum(stats.poisson.logpmf([1, 2], m)))(1.5), 0.0)


def test_results_may_be_written_to() -> None:
    """They are new memory, whatever the arguments."""

    def f(x):
        y = stats.norm.logpdf(x)
        y *= 2.0
        return np.sum(y)

    np.testing.assert_array_equal(rg.grad(f)(np.array([0.5, 1.0])), [-1.0, -2.0])


# -- counts ---------------------------------------------------------------------------------


def test_ends_of_discrete_parameters() -> None:
    """A certain event: the mass has a slope there."""
    assert rg.grad(lambda p: stats.bernoulli.pmf(1.0, p))(0.0) == 1.0
    assert rg.grad(lambda p: stats.bernoulli.pmf(0.0, p))(1.0) == -1.0
    assert rg.grad(lambda m: stats.poisson.pmf(1.0, m))(0.0) == 1.0
    assert rg.grad(lambda m: stats.poisson.logpmf(0.0, m))(0.0) == -1.0
    assert rg.grad(lambda p: stats.binom.pmf(1.0, 4, p))(0.0) == 4.0
    assert rg.grad(lambda p: stats.binom.logpmf(4.0, 4, p))(1.0) == 4.0


@pytest.mark.parametrize("k", [-1.0, 0.5, 9.0])
def test_impossible_counts(k: float) -> None:
    def total(k, p):
        return stats.binom.pmf(k, 5, p) + stats.binom.logpmf(k, 5, p)

    assert rg.grad(total, wrt="p")(k, 0.3) == 0.0


def test_counts_have_no_derivative() -> None:
    with pytest.raises(UnsupportedOperation, match="no derivative with respect to `k`"):
        rg.grad(lambda k: stats.poisson.logpmf(k, 2.0))(1.0)
    with pytest.raises(UnsupportedOperation, match="no derivative with respect to `loc`"):
        rg.grad(lambda m: stats.poisson.logpmf(3.0, 2.0, m))(1.0)
    with pytest.raises(UnsupportedOperation, match="no derivative with respect to `n`"):
        rg.grad(lambda n: stats.binom.logpmf(3.0, n, 0.3))(5.0)


# -- several dimensions ----------------------------------------------------------------------


def test_dirichlet_on_the_simplex() -> None:
    x, alpha = np.array([0.2, 0.45, 0.35]), np.array([1.4, 2.3, 0.9])
    bars = rg.grad(lambda x, a: stats.dirichlet.logpdf(x, a), wrt=("x", "a"))(x, alpha)
    np.testing.assert_allclose(bars[0], (alpha - 1) / x, rtol=1e-14)
    for k in range(3):
        h = 1e-6 * np.eye(3)[k]
        slope = (stats.dirichlet.logpdf(x, alpha + h) - stats.dirichlet.logpdf(x, alpha - h)) / 2e-6
        assert np.isclose(bars[1][k], slope, rtol=1e-7)


def test_normal_refuses_what_it_does_not_treat() -> None:
    weights = np.ones(3)
    with pytest.raises(UnsupportedOperation, match="weights"):
        rg.grad(lambda x: stats.gmean(x, weights=weights))(np.ones(3))
    with pytest.raises(UnsupportedOperation, match="nan_policy"):
        rg.grad(lambda x: stats.skew(x, nan_policy="omit"))(np.ones(3))


# -- frozen distributions ---------------------------------------------------------------------

X = np.array([0.3, -1.2, 2.0])
FIXED = stats.norm(np.array([0.1, 0.2, 0.3]), scale=1.7)


def plain(x, m, s):
    return np.sum(stats.norm.logpdf(x, m, s) + stats.norm.cdf(x, m, s))


def frozen(x, m, s):
    d = stats.norm(m, scale=s)
    return np.sum(d.logpdf(x) + d.cdf(x))


def chosen(x, m, s):
    d = stats.norm(m, s) if s > 0 else stats.norm(-m, -s)
    return total(d, x)


def total(d, x):
    return np.sum(d.logpdf(x) + d.cdf(x))


@pytest.mark.parametrize("f", [frozen, chosen])
def test_frozen(f: Any) -> None:
    wrt = ("x", "m", "s")
    for a, b in zip(rg.grad(f, wrt)(X, 0.2, 1.3), rg.grad(plain, wrt)(X, 0.2, 1.3), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)


def test_frozen_outside() -> None:
    def f(x):
        return np.sum(FIXED.logpdf(x)) + np.sum(FIXED.mean())

    expected = -(X - np.array([0.1, 0.2, 0.3])) / 1.7**2
    np.testing.assert_allclose(rg.grad(f)(X), expected, rtol=1e-14)


def test_frozen_in_several_dimensions() -> None:
    def f(x, m, s):
        return stats.multivariate_normal(m, s * np.eye(3)).logpdf(x)

    bars = rg.grad(f, wrt=("x", "s"))(X, np.zeros(3), 2.0)
    np.testing.assert_allclose(bars[0], -X / 2, rtol=1e-14)
    assert np.isclose(bars[1], (X @ X / 2 - 3) / 4, rtol=1e-14)


def test_frozen_without_a_rule() -> None:
    with pytest.raises(UnsupportedOperation, match="`.rvs` of a frozen distribution has no rule"):
        rg.grad(lambda m: stats.norm(m, 1.0).rvs())(0.3)


def test_the_values_are_scipys() -> None:
    """Not only close: the function that is differentiated is SciPy's."""
    assert rg.value_and_grad(frozen, wrt="m")(X, 0.2, 1.3)[0] == plain(X, 0.2, 1.3)


# -- on the tape ------------------------------------------------------------------------------


def both(x, s):
    direct = np.sum(stats.norm.logpdf(x, 0.3, scale=s) + stats.gamma.cdf(x, s))
    return direct + np.sum(stats.norm(s).logsf(x))


def in_rows(x, s):
    r = stats.pearsonr(x * x, np.array([1.0, 0.5, 3.0]))
    return stats.multivariate_normal(np.zeros(3), s * np.eye(3)).logpdf(x) + r[0]


@pytest.mark.parametrize("f", [both, in_rows])
def test_taped(f: Any) -> None:
    """The tape transposes the composed differentials by itself."""
    x = np.array([0.3, 0.2, 0.7])
    value, pull = taped(f, x, 1.3, wrt=(0, 1))
    assert np.isclose(value, f(x, 1.3))
    for a, b in zip(pull(1.0), rg.grad(f, wrt=("x", "s"))(x, 1.3), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
