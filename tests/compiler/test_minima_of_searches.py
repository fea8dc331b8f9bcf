"""SciPy's searches for a minimum, the older ones too: what a solution's derivative is, wherever the search stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

so = pytest.importorskip("scipy.optimize")
START = np.array([1.0])
WIDE = np.array([(-3.0, 3.0)])


def on_a_line(a: Any) -> Callable[[Any], Any]:
    return lambda p: (p - a) ** 2 + np.cos(p)


def summed(a: Any) -> Callable[[Any], Any]:
    return lambda p: ((p - a) ** 2).sum() + np.cos(p).sum()


def sloping(a: Any) -> Callable[[Any], Any]:
    return lambda p: 2 * (p - a) - np.sin(p)


# Each gives where (p - a)**2 + cos(p) is least, as precisely as it cares to.
SEARCHES: dict[str, Callable[[Any], Any]] = {
    "fminbound": lambda a: so.fminbound(on_a_line(a), -3, 3),
    "fminbound, moving ends": lambda a: so.fminbound(on_a_line(a), -a - 3, 3, full_output=True)[0],
    "brent": lambda a: so.brent(on_a_line(a), brack=(-3, 3)),
    "brent of arguments": lambda a: so.brent(lambda p, b: (p - b) ** 2 + np.cos(p), (a,)),
    "golden": lambda a: so.golden(on_a_line(a)),
    "golden, all": lambda a: so.golden(on_a_line(a), full_output=True)[0],
    "minimize_scalar": lambda a: so.minimize_scalar(on_a_line(a), method="golden").x,
    "fmin": lambda a: so.fmin(summed(a), START, disp=False)[0],
    "fmin of a number": lambda a: so.fmin(on_a_line(a), 1.0, xtol=1e-6, disp=0)[0],
    "fmin_powell": lambda a: so.fmin_powell(summed(a), START, disp=False)[0],
    "fmin_cg": lambda a: so.fmin_cg(summed(a), START, disp=False)[0],
    "fmin_cg, slopes": lambda a: so.fmin_cg(summed(a), START, sloping(a), disp=False)[0],
    "fmin_bfgs": lambda a: so.fmin_bfgs(summed(a), START, gtol=1e-4, disp=False)[0],
    "fmin_ncg": lambda a: so.fmin_ncg(summed(a), START, sloping(a), disp=False)[0],
    "fmin_l_bfgs_b": lambda a: so.fmin_l_bfgs_b(
        summed(a), START, approx_grad=True, bounds=[(-3, 3)]
    )[0][0],
    "leastsq": lambda a: so.leastsq(sloping(a), START)[0][0],
    "minimize of a number": lambda a: so.minimize(on_a_line(a), 1.0).x[0],
    "minimize in bounds": lambda a: so.minimize(on_a_line(a), 1.0, bounds=[(-3, None)]).x[0],
    "minimize_scalar, moving ends": lambda a: so.minimize_scalar(
        on_a_line(a), bounds=(-a - 3, a + 3), method="bounded"
    ).x,
    "fmin_l_bfgs_b, its own slopes": lambda a: so.fmin_l_bfgs_b(
        lambda p: (summed(a)(p), sloping(a)(p)), START
    )[0][0],
    "minimize in an array of bounds": lambda a: so.minimize(summed(a), START, bounds=WIDE).x[0],
    "minimize by slopes": lambda a: so.minimize(summed(a), [1.0], jac=sloping(a)).x[0],
}  # fmt: skip


@pytest.mark.parametrize("name", SEARCHES)
def test_the_derivative_is_that_of_the_equation(name: str) -> None:
    """To all digits also where the search stopped early: 2 (p - a) = sin(p) moves p by 2 / (2 - cos p)."""
    f = SEARCHES[name]
    p = float(f(0.3))
    exact = so.brentq(sloping(0.3), -3, 3, xtol=1e-15)
    slope = rg.grad(f, strict=True)(0.3)
    np.testing.assert_allclose(slope, 2 / (2 - np.cos(exact)), rtol=1e-10)
    first = rg.jvp(f, (0.3,), (1.0,))[1]
    np.testing.assert_allclose(first, slope, rtol=1e-10)
    second = -2 * np.sin(exact) / (2 - np.cos(exact)) ** 2 * slope
    np.testing.assert_allclose(rg.hvp(f, (0.3,), 1.0), second, rtol=1e-8)
    if "minimize" not in name:  # whose search is given exact slopes
        assert float(rg.value_and_grad(f)(0.3)[0]) == p


def test_values_at_a_minimum() -> None:
    def f(a: Any) -> Any:
        x, least, *_ = so.fmin(on_a_line(a), 1.0, full_output=True, disp=False)
        return least + 0 * x[0]

    p = SEARCHES["fmin"](0.3)
    np.testing.assert_allclose(rg.grad(f)(0.3), -2 * (p - 0.3), rtol=1e-3)


@pytest.mark.filterwarnings("ignore:Number of calls")
@pytest.mark.parametrize(
    "search",
    [
        lambda a: so.fminbound(on_a_line(a), 1.0, 3.0),
        lambda a: so.fmin_bfgs(summed(a), START, maxiter=1, disp=False)[0],
        lambda a: so.golden(on_a_line(a), full_output=True)[2],
        lambda a: so.fmin_slsqp(summed(a), START, disp=0)[0],
        lambda a: so.fmin_bfgs(
            lambda p: ((p - 3) ** 2 + np.cosh(p)).sum(), a * START, maxiter=1, disp=False
        )[0],
        lambda a: so.minimize(lambda p: (p - a) ** 2, 1.0, bounds=[(0.5, 2)]).x[0],
        lambda a: so.minimize(lambda p: (p - a) ** 2, 1.0, bounds=[(0.3, 2)]).x[0],
        lambda a: so.minimize(lambda p: (p - a) ** 2, 1.0, bounds=[(0.300001, None)]).x[0],
        lambda a: so.fmin_l_bfgs_b(summed(0.0), START, approx_grad=True, bounds=[(a, 3)])[0][0],
        lambda a: so.fmin_l_bfgs_b(lambda p: abs(p[0] - a), START, approx_grad=True)[0][0],
        lambda a: so.leastsq(lambda p: (p - a) * p**2 + 1, START, maxfev=2)[0][0],
    ],
)
def test_elsewhere_than_at_a_minimum(search: Callable[[Any], Any]) -> None:
    with pytest.raises(rg.RetrogradError):
        rg.grad(search)(0.3)


def curve(t: Any) -> Any:
    return np.array([1000 / t, 3 - 5e5 / t**2])


def nearest(xy: Any) -> Any:
    """The place on a curve, roughly: by values alone, and in units of thousands."""
    t = so.minimize(lambda t: np.linalg.norm(curve(t[0]) - xy), [6500.0], method="Nelder-Mead")
    return t.x[0]


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6, 1e-8])
def test_a_minimum_near_a_kink(gap: float) -> None:
    """The nearer the curve is, the further the slopes where the search stopped are from those at the minimum."""
    xy = curve(6000.0) + gap

    def slope(t: Any) -> Any:
        return (curve(t) - xy) @ np.array([-1000 / t**2, 1e6 / t**3])

    t = so.brentq(slope, 5000, 7000, xtol=1e-11)
    along, bend = np.array([-1000 / t**2, 1e6 / t**3]), np.array([2000 / t**3, -3e6 / t**4])
    exact = along / (along @ along + (curve(t) - xy) @ bend)
    np.testing.assert_allclose(rg.grad(nearest)(xy), exact, rtol=1e-3 if gap < 1e-7 else 1e-5)


def test_a_minimum_at_a_kink_is_none() -> None:
    with pytest.raises(rg.RetrogradError, match="a kink"):
        rg.grad(nearest)(curve(6000.0))
