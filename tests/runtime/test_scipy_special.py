"""The helpers for ``scipy.special`` against identities that hold exactly, far into the tails; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

special = pytest.importorskip("scipy.special")

from retrograd.runtime.errors import UnsupportedOperation  # noqa: E402
from retrograd.runtime.helpers.scipy.bessel import ive_partial, kve_partial  # noqa: E402
from retrograd.runtime.helpers.scipy.cdf import (  # noqa: E402
    betainc_partial,
    gammainc_partial,
    stdtr_partial,
)
from retrograd.runtime.helpers.scipy.elliptic import (  # noqa: E402
    ellipkinc_moment,
    elliprd_partial,
    elliprj_partial,
)
from retrograd.runtime.helpers.scipy.noncentral import mixed_betainc, mixed_gammainc  # noqa: E402
from retrograd.runtime.helpers.scipy.special import (  # noqa: E402
    dawsn_partial,
    erfcx_partial,
    exprel_partial,
    log_quotient,
    rgamma_partial,
    zeta_partial,
)

X = np.array([1e-12, 1e-5, 0.01, 0.3, 0.999, 1.0, 1.7, 5.0, 20.0, 90.0, 400.0])
A = np.array([1e-3, 0.05, 0.5, 1.0, 2.5, 11.0, 80.0, 1000.0])[:, None]
U = np.array(
    [2.0**-30, 2.0**-13, 1 / 64, 0.25, 0.5, 0.75, 0.984375, 1 - 2.0**-17]
)  # 1 - U is exact


def close(found: Any, wanted: Any, rtol: float = 1e-12, atol: float = 0.0) -> None:
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=atol)


# -- the incomplete gamma function ----------------------------------------------------------


def test_gamma_at_shape_one() -> None:
    """There the derivative has a formula, which has digits where its terms do not cancel."""
    terms = np.exp(-X) * np.log(X), special.exp1(X), np.euler_gamma * np.exp(-X)
    found = gammainc_partial(1, 0, 1.0, X)
    close(found[3:], -sum(terms)[3:], 1e-12)
    close(found[:3], (X * (np.log(X) - 1 + np.euler_gamma))[:3], 1e-2)


def test_gamma_far_out() -> None:
    """Above, ``Q(1, x)`` changes as ``exp(-x) (log x + gamma + 1/x - 1/x**2 + ...)``."""
    x = np.array([80.0, 200.0, 600.0])
    series = sum((-1) ** k * float(special.factorial(k)) / x ** (k + 1) for k in range(12))
    close(
        gammainc_partial(1, 0, 1.0, x), -np.exp(-x) * (np.log(x) + np.euler_gamma + series), 1e-12
    )


def test_gamma_recurrence() -> None:
    """``P(a, x) - P(a + 1, x)`` is ``x`` times the density of ``a`` over ``a``: so are all derivatives by ``a``."""
    for n in (1, 2):
        terms = [
            gammainc_partial(n, 0, A, X),
            gammainc_partial(n, 0, A + 1, X),
            gammainc_partial(n, 1, A + 1, X),
        ]
        size = sum(map(np.abs, terms))
        assert np.all(np.abs(terms[0] - terms[1] - terms[2]) <= 1e-12 * size * (1 + A**n) + 1e-300)


# -- the incomplete beta function -----------------------------------------------------------


def test_beta_with_a_shape_of_one() -> None:
    close(betainc_partial(1, 0, 0, A, 1.0, U), U**A * np.log(U))
    close(betainc_partial(2, 0, 0, A, 1.0, U), U**A * np.log(U) ** 2, 1e-8)
    close(betainc_partial(0, 1, 0, 1.0, A, U), -np.exp(A * np.log1p(-U)) * np.log1p(-U))


def test_beta_is_symmetric() -> None:
    y = 1 - U
    for b in (0.3, 4.0, 200.0):
        left, right = betainc_partial(1, 0, 0, A, b, U), betainc_partial(0, 1, 0, b, A, y)
        close(left, -right, 1e-11, 1e-300)


# -- Student's t ----------------------------------------------------------------------------


def test_student_is_almost_normal() -> None:
    """For many degrees of freedom: ``Phi(t) - phi(t) (t**3 + t) / (4 df) + ...``."""
    t, df = np.array([-3.0, -0.5, 1e-4, 1.0, 2.5]), 1e5
    slope = np.exp(-t * t / 2) / np.sqrt(2 * np.pi) * (t**3 + t) / (4 * df * df)
    close(stdtr_partial(1, 0, df, t), slope, 1e-3)


def test_student_is_a_beta() -> None:
    t, df = np.array([0.2, 1.0, 4.0, 30.0]), np.array([0.4, 1.0, 3.0, 40.0])[:, None]
    y = df / (df + t * t)
    by_shape = betainc_partial(1, 0, 0, df / 2, 0.5, y) / 2
    by_point = betainc_partial(0, 0, 1, df / 2, 0.5, y) * t * t / (df + t * t) ** 2
    close(stdtr_partial(1, 0, df, t), -(by_shape + by_point) / 2, 1e-10)


# -- Bessel functions by their order --------------------------------------------------------


def test_order_of_one_half() -> None:
    x = np.array([1e-6, 0.1, 1.0, 7.0, 60.0])
    close(kve_partial(1, 0.5, x), np.sqrt(np.pi / (2 * x)) * np.exp(2 * x) * special.exp1(2 * x))
    wanted = (special.exp1(2 * x) + np.exp(-2 * x) * special.expi(2 * x)) / -np.sqrt(2 * np.pi * x)
    close(ive_partial(1, 0.5, x), wanted, 1e-10)


def test_order_is_even_or_not() -> None:
    v, x = np.array([0.0, 0.7, 3.0, 40.0])[:, None], np.array([0.01, 1.0, 30.0])
    close(kve_partial(1, -v, x), -kve_partial(1, v, x))
    close(kve_partial(2, -v, x), kve_partial(2, v, x))
    close(kve_partial(0, v, x), special.kve(v, x), 1e-11)
    close(ive_partial(0, v, x), special.ive(v, x), 1e-11)


def test_large_arguments_and_orders() -> None:
    v, x = np.array([0.3, 5.0, -12.5, 90.0])[:, None], np.array([39.0, 50.0, 700.0, 1e5])
    close(ive_partial(0, v, x), special.ive(v, x), 1e-11)
    step = 1e-5 * (1 + np.abs(v))
    slope = (special.ive(v + step, x) - special.ive(v - step, x)) / (2 * step)
    close(ive_partial(1, v, x), slope, 1e-5)
    assert ive_partial(1, 50.0, 1e-300) == 0.0


# -- noncentral distributions ---------------------------------------------------------------


@pytest.mark.parametrize("shape", [0.3, 4.0, 200.0])
@pytest.mark.parametrize("mean", [0.5, 30.0, 4000.0])
def test_noncentral_values(shape: float, mean: float) -> None:
    x = (shape + mean) * np.array([0.4, 0.9, 1.0, 1.2, 2.0])
    known = special.chndtr(2 * x, 2 * shape, 2 * mean)
    seen = known > 1e-20
    assert seen.any()
    close(mixed_gammainc(0, 0, 0, shape, x, mean)[seen], known[seen], 1e-9)
    y, other = np.array([0.2, 0.5, 0.9, 0.99]), 3.0
    known = special.ncfdtr(2 * shape, 2 * other, 2 * mean, y * other / (shape * (1 - y)))
    seen = (known > 1e-12) & np.isfinite(known)
    close(mixed_betainc(0, 0, 0, 0, shape, other, y, mean)[seen], known[seen], 1e-8)


# -- elliptic integrals ---------------------------------------------------------------------


def test_complete_elliptic_integrals() -> None:
    m = np.array([-50.0, -0.3, 1e-3, 0.4, 0.95])
    wanted = (special.ellipe(m) - (1 - m) * special.ellipk(m)) / (m * (1 - m))
    close(ellipkinc_moment(1, np.pi / 2, m), wanted, 1e-10)


def test_carlson_integrals_are_homogeneous() -> None:
    x, y, z = np.array([1e-4, 0.3, 2.0]), np.array([1.0, 1e3, 2.0]), np.array([5.0, 0.2, 2.0])
    slopes = [elliprd_partial(*np.eye(3, dtype=int)[k], x, y, z) for k in range(3)]
    close(x * slopes[0] + y * slopes[1] + z * slopes[2], -1.5 * special.elliprd(x, y, z))
    p = np.array([0.7, 3.0, 2.0])
    found = [elliprj_partial(*np.eye(4, dtype=int)[k], x, y, z, p) for k in range(4)]
    parts = sum(a * slope for a, slope in zip((x, y, z, p), found, strict=True))
    close(parts, -1.5 * special.elliprj(x, y, z, p))


# -- others ---------------------------------------------------------------------------------


def test_zeta() -> None:
    close(zeta_partial(1, 2.0), -0.9375482543158437538)
    close(zeta_partial(1, 0.0), -np.log(2 * np.pi) / 2)
    close(zeta_partial(1, -2.0), -special.zeta(3.0) / (4 * np.pi**2))
    close(zeta_partial(1, 0.0, 0.3), special.gammaln(0.3) - np.log(2 * np.pi) / 2)


def test_equations() -> None:
    """What the functions solve, at points on both sides of where their method changes."""
    x = np.array([-2.0, 0.5, 7.9, 8.1, 9.3, 25.0])
    for n in (1, 2):
        f = [erfcx_partial(n + k, x) for k in (-1, 0, 1)]
        close(f[2] - 2 * x * f[1], 2 * n * f[0], 1e-6)
        g = [dawsn_partial(n + k, x) for k in (-1, 0, 1)]
        close(g[2] + 2 * x * g[1], -2 * n * g[0], 1e-6)
    u = np.array([-40.0, -29.0, -1.0, 1e-9, 3.0, 30.0, 33.0])
    close(u * exprel_partial(2, u) + 2 * exprel_partial(1, u), np.exp(u), 1e-12, 1e-15)
    v = np.array([0.1, 0.69, 0.71, 1.0, 1.29, 1.31, 9.0])
    close((v - 1) * log_quotient(1, v) + log_quotient(0, v), 1 / v, 1e-13)
    w = np.array([-3.5, -1.0, 0.0, 0.4, 0.6, 3.0])
    close(
        rgamma_partial(1, w + 1) * w + rgamma_partial(0, w + 1), rgamma_partial(1, w), 1e-12, 1e-14
    )


# -- what is refused ------------------------------------------------------------------------


def order_of_j(v: float) -> Any:
    return special.jv(v, 2.0)


def parameter_of_kummer(a: float) -> Any:
    return special.hyp1f1(a, 2.0, 0.3)


def sign_too(x: Any) -> Any:
    return special.logsumexp(x, return_sign=True)[0]


def unruled(x: float) -> Any:
    return special.kolmogorov(x)


@pytest.mark.parametrize(
    ("function", "at", "message"),
    [
        (order_of_j, 0.5, "no derivative with respect to `v`"),
        (parameter_of_kummer, 0.5, "no derivative with respect to `a`"),
        (sign_too, np.ones(3), "return_sign"),
        (unruled, 0.5, "kolmogorov"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_refused(function: Any, at: Any, message: str) -> None:
    with pytest.raises(rg.RetrogradError, match=message):
        rg.grad(function)(at)


def test_order_with_a_complex_argument() -> None:
    with pytest.raises(UnsupportedOperation, match="for real arguments"):
        kve_partial(1, 0.5, 1j)
