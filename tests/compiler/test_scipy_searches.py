"""Roots and minima of one unknown or few, as SciPy is asked for them: its options, what it tells, its own value."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import retrograd as rg

from ..written import written

so = pytest.importorskip("scipy.optimize")
pytestmark = [pytest.mark.filterwarnings("ignore")]

BRACKETED = ("brentq", "brenth", "ridder", "bisect", "toms748")
TEXT = """
import bisect
import numpy as np
import scipy.optimize as so

def cube(y, c):
    return y**3 - c

def slope(y, c):
    return 3 * y**2

def bend(y, c):
    return 6 * y

def both(y, c):
    return y**3 - c, 3 * y**2

def bowl(y, c):
    return (y - c) ** 2 + 0.5 * y**4

def bowls(y, c):
    return (y[0] - c) ** 2 + (y[1] * c - 1) ** 2

def rise(y, c):
    return np.array([2 * (y[0] - c), 2 * c * (y[1] * c - 1)])

def f(s):
    {}
"""
ROOTS = {  # all of them the cube root of `s`, times a whole number that SciPy tells
    **{f"{name} that says how": f"x, r = so.{name}(cube, 0.0, 2.0, (s,), full_output=True, disp=False)\n    return x * r.iterations + r.root" for name in BRACKETED},
    **{f"{name} with tolerances": f"return so.{name}(lambda y: y**3 - s, a=0, b=2 + s, xtol=1e-3, rtol=1e-9, maxiter=25, disp=False)" for name in BRACKETED},
    **{f"root_scalar by {name}": f"r = so.root_scalar(cube, (s,), '{name}', bracket=(0, 2), xtol=1e-4)\n    return r.root * r.iterations * r.converged" for name in BRACKETED},
    "toms748 with k": "return so.toms748(cube, 0.0, 2.0, (s,), k=2)",
    "newton": "return so.newton(cube, 1.0, args=(s,), tol=1e-3)",
    "newton with a slope": "return so.newton(cube, 1.0, slope, (s,), 1e-3)",
    "newton with a slope around it": "return so.newton(lambda y: y**3 - s, 1.0, lambda y: 3 * y * y + 0 * s, tol=1e-3)",
    "newton with two slopes": "x, r = so.newton(cube, 1.0, slope, (s,), fprime2=bend, full_output=True, disp=False, tol=1e-2)\n    return r.root * r.function_calls",
    "newton with another point": "return so.newton(cube, 1.0, args=(s,), x1=1.3, tol=1e-3)",
    "newton with a point that is computed": "return so.newton(cube, 1.0, args=(s,), x1=1.3 * s, tol=1e-12)",
    "newton of arrays": "return np.sum(so.newton(cube, np.ones(3), args=(s * np.arange(1.0, 4.0),)))",
    "newton of arrays that says how": "x, done, flat = so.newton(cube, np.ones(3), slope, (s * np.arange(1.0, 4.0),), full_output=True)\n    return x @ (done * 2 + flat)",
    "root_scalar from a point": "return so.root_scalar(cube, (s,), x0=1.0, rtol=1e-3).root",
    "root_scalar by secants": "return so.root_scalar(cube, (s,), 'secant', x0=1.0, x1=1.2, xtol=1e-3).root",
    "root_scalar with a slope": "return so.root_scalar(cube, (s,), x0=1.0, fprime=slope, xtol=1e-3).root",
    "root_scalar with its own slope": "return so.root_scalar(both, (s,), x0=1.0, fprime=True, xtol=1e-3).root",
    "root_scalar with slopes": "r = so.root_scalar(cube, (s,), 'halley', x0=1.0, fprime=slope, fprime2=bend, xtol=1e-2)\n    return r.root * r.iterations",
    "fsolve with a slope": "return so.fsolve(lambda y: [y[0] ** 3 - s, y[1] - y[0]], [1.0, 1.0], fprime=lambda y: [[3 * y[0] ** 2, 0], [-1, 1]], xtol=1e-3)[0]",
    "fsolve with columns": "return so.fsolve(lambda y, c: [y[0] ** 3 - c, y[1] - y[0]], [1.0, 1.0], (s,), lambda y, c: np.array([[3 * y[0] ** 2, -1], [0, 1]]), col_deriv=True, xtol=1e-3)[0]",
    "root with a slope": "return so.root(cube, 1.0, (s,), jac=slope, tol=1e-3).x[0]",
    "root with its own slope": "r = so.root(both, [1.0], (s,), jac=True, tol=1e-3)\n    return r.x[0] + np.sum(r.fun) * 0",
    "root_scalar with a dict": "return so.root_scalar(cube, (s,), bracket=(0, 2), options={'maxiter': 70}).root",
}  # fmt: skip
MINIMA = {  # all of them where `bowl` or `bowls` has its minimum
    "fmin": "return so.fmin(bowls, np.ones(2), (s,), 1e-8, 1e-12, disp=False)[0]",
    "fmin that says how": "return so.fmin(bowls, np.ones(2), (s,), 1e-8, 1e-12, disp=False, full_output=True)[1] + s",
    "fmin_powell": "return so.fmin_powell(lambda y: bowls(y, s), [1.0, 1.0], xtol=1e-9, ftol=1e-12, disp=0)[0]",
    "fmin_cg": "return so.fmin_cg(bowls, np.ones(2), args=(s,), disp=False)[0]",
    "fmin_cg with a gradient": "return so.fmin_cg(bowls, np.ones(2), rise, (s,), disp=False)[0]",
    "fmin_bfgs": "x, least, *_ = so.fmin_bfgs(bowls, np.ones(2), rise, (s,), disp=False, full_output=True)\n    return x[0] + least",
    "fminbound": "return so.fminbound(bowl, 0, 2, (s,), xtol=1e-9)",
    "fminbound that says how": "return so.fminbound(bowl, 0.0, 2.0, (s,), full_output=True)[0]",
    "minimize with its own slope": "return so.minimize(lambda y, c: (bowls(y, c), rise(y, c)), np.ones(2), (s,), jac=True).x[0]",
    "brent": "return so.brent(bowl, (s,), brack=(0, 2), tol=1e-9)",
    "golden": "return so.golden(lambda y: bowl(y, s), tol=1e-9, full_output=True)[0]",
    "minimize_scalar with a dict": "return so.minimize_scalar(bowl, bounds=(0, 2), args=(s,), method='bounded', options={'xatol': 1e-3}).x",
}  # fmt: skip
ALONE = {  # nothing that is differentiated goes into the search, whatever it searches
    "a kink": "n = 3\n    return s * np.round(so.fmin(lambda y: np.abs((y**2 - y) / 2 - n), np.sqrt(n), disp=False)).item()",
    "a kink by Powell's method": "return s * so.fmin_powell(lambda y: np.abs(y[0] - 3.0), np.ones(1), disp=False)[0]",
    "bounds": "return s * so.minimize(lambda y: np.abs(y[0] - 3.0), [0.5], method='Nelder-Mead', bounds=[(0, 2)]).x[0]",
    "chances": "return s * so.differential_evolution(lambda y: np.abs(y[0] - 3.0), [(0, 5)], seed=1).x[0]",
    "what a whole number says": "n = np.ndim(s) + 3\n    def kink(y):\n        return np.abs(y[0] - n)\n    return s * so.minimize(kink, [0.5], method='COBYLA').x[0]",
    "residuals": "x, _ = so.leastsq(lambda y: y - 3.0, 1.0)\n    return s * x[0]",
    "residuals, and how it went": "x, went = so.leastsq(lambda y: y - 3.0, 1.0)\n    return s * x[0] * went",
    "a kink by Newton's method": "return s * so.fmin_ncg(lambda y: np.sum(np.abs(y - 3.0)), [2.5], np.sign, disp=0)[0]",
    "a kink in bounds": "return s * so.fmin_l_bfgs_b(lambda y: np.abs(y[0] - 3.0), [0.5], approx_grad=True, bounds=[(0, 2)])[0][0]",
    "a kink between ends that are computed": "n = np.ndim(s) + 5.0\n    return s * so.fminbound(lambda y: np.abs(y - 3.0), 0, n)",
    "a key": "return s * bisect.bisect_left([1.0, 4.0, 9.0], 2.5, key=lambda v: v**0.5)",
    "counts": "return s * so.root_scalar(lambda y: y**3 - 2.0, bracket=(0, 2), method='ridder').iterations",
}


def differentiated(body: str) -> tuple[Any, float, float, float]:
    """The function, its value, and its derivative in both modes."""
    f = written(TEXT.format(body))
    value, bar = rg.value_and_grad(f, strict=True)(0.7)
    return f, value, bar, rg.jvp(f, (0.7,), (1.0,))[1]


@pytest.mark.parametrize("name", ROOTS)
def test_roots(name: str) -> None:
    f, value, bar, dot = differentiated(ROOTS[name])
    assert value == f(0.7)
    exact = value / (3 * 0.7)  # of the cube root of `s`, whatever it is multiplied with
    assert (bar, dot) == pytest.approx((exact, exact), rel=5e-3)


@pytest.mark.parametrize("name", MINIMA)
def test_minima(name: str) -> None:
    f, value, bar, dot = differentiated(MINIMA[name])
    assert value == pytest.approx(f(0.7), rel=1e-12)
    exact = 1.0 if "bowls" in MINIMA[name] else 1 / (1 + 3 * value**2)
    assert (bar, dot) == pytest.approx((exact, exact), rel=1e-3)


@pytest.mark.parametrize("name", ALONE)
def test_a_search_that_carries_no_derivative(name: str) -> None:
    f, value, bar, dot = differentiated(ALONE[name])
    assert value == f(0.7)
    assert (bar, dot) == pytest.approx((value / 0.7, value / 0.7), rel=1e-14)


ACTIVE = {
    "a free variable": "return so.differential_evolution(lambda y: np.abs(y[0] - s), [(0, 5)], seed=1).x[0]",
    "a free variable of a function that it calls": "g = lambda y: (y[0] - s) ** 2\n    return so.fmin_slsqp(lambda y: g(y), [1.0], disp=0)[0]",
    "an array": "a = np.ones(2) * s\n    return so.fmin_slsqp(lambda y: (y[0] - a[1]) ** 2, [0.5], disp=0)[0]",
    "an item": "d = {'k': [s]}\n    return so.fmin_slsqp(lambda y: (y[0] - d['k'][0]) ** 2, [0.5], disp=0)[0]",
    "a default": "return so.fmin_slsqp(lambda y, c=s: (y[0] - c) ** 2, [1.0], disp=0)[0]",
    "an argument": "return so.fmin_slsqp(lambda y, c: (y[0] - c) ** 2, [1.0], args=(s,), disp=0)[0]",
    "an end": "return so.minimize(lambda y: (y[0] - 3) ** 2, [0.5], bounds=[(0, s)]).x[0]",
}


@pytest.mark.parametrize("name", ACTIVE)
def test_a_search_that_something_differentiated_goes_into_is_refused(name: str) -> None:
    with pytest.raises(rg.RetrogradError) as refused:
        rg.grad(written(TEXT.format(ACTIVE[name])), strict=True)(0.7)
    assert "use its items" not in str(refused.value)  # a function has none


def test_the_slope_is_asked_and_differentiated_twice() -> None:
    f = written(TEXT.format(ROOTS["newton with a slope around it"].replace("1e-3", "1e-12")))
    assert rg.grad(rg.grad(f))(0.7) == pytest.approx(-2 / 9 * 0.7 ** (-5 / 3))
    g = written(TEXT.format(MINIMA["fminbound"]))
    assert rg.grad(rg.grad(g))(0.7) == pytest.approx(
        (rg.grad(g)(0.701) - rg.grad(g)(0.699)) / 0.002, rel=1e-4
    )


def test_what_is_no_solution_has_no_derivative() -> None:
    """SciPy is told to raise nothing, and gives the last point."""
    for name in ("bisect", "brentq"):
        f = written(TEXT.format(f"return so.{name}(cube, 0, 2, (s,), maxiter=2, disp=False)"))
        with pytest.raises(rg.errors.ConvergenceError, match="did not converge"):
            rg.grad(f)(0.7)
    f = written(TEXT.format("return so.fminbound(bowl, 2, 3, (s,))"))
    with pytest.raises(rg.errors.ConvergenceError, match="the gradient is"):
        rg.grad(f)(0.7)
    f = written(TEXT.format("return so.fmin(lambda y: np.abs(y[0] - s), 1.0, disp=False)[0]"))
    with pytest.raises(rg.errors.ConvergenceError, match="the gradient is"):
        rg.grad(f)(0.7)


def test_what_scipy_raises_is_raised() -> None:
    caught = "try:\n        return so.bisect(cube, 1, 2, (s,), full_output=True)[1].root\n    except ValueError:\n        return s * 5"
    assert rg.grad(written(TEXT.format(caught)))(0.7) == 5.0
    f = written(TEXT.format("return so.brentq(cube, 0, 2, (s,), maxiter=2)"))
    with pytest.raises(RuntimeError, match="Failed to converge"):
        rg.grad(f)(0.7)


def test_every_option_is_taken_or_refused() -> None:
    """One that is neither would change the value, and nobody would see it."""
    given = {
        "newton": "cube, 1.0, args=(s,)", "root_scalar": "cube, (s,), bracket=(0, 2)", "fmin": "bowls, np.ones(2), args=(s,)",
        "fmin_powell": "bowls, np.ones(2), args=(s,)", "fmin_bfgs": "bowls, np.ones(2), args=(s,)",
        "fmin_cg": "bowls, np.ones(2), args=(s,)", "fminbound": "bowl, 0, 2, args=(s,)", "brent": "bowl, args=(s,)",
        "golden": "bowl, args=(s,)", "fmin_ncg": "bowls, np.ones(2), rise, args=(s,)",
        "fmin_l_bfgs_b": "bowls, np.ones(2), rise, args=(s,)", "leastsq": "rise, np.ones(2), args=(s,)",
        "minimize": "bowls, np.ones(2), args=(s,)",
    }  # fmt: skip
    given |= dict.fromkeys(BRACKETED, "cube, 0, 2, args=(s,)")
    taken = {
        "xtol", "rtol", "tol", "ftol", "gtol", "norm", "maxiter", "maxfun", "full_output", "disp", "args", "fprime",
        "fprime2", "k", "x1", "x0", "method", "bracket", "brack", "options", "avextol", "xrtol", "pgtol", "factr", "maxls",
        "m", "c1", "c2", "epsilon", "iprint", "epsfcn", "factor", "fhess", "fhess_p", "Dfun", "maxfev",
        "jac", "hess", "hessp",
    }  # fmt: skip
    for name, args in given.items():
        left = [p for p in inspect.signature(getattr(so, name)).parameters if p not in taken]
        for option in left[left.index("x2") + 1 if "x2" in left else 1 :]:
            if option in ("x0", "b"):
                continue
            f = written(TEXT.format(f"return np.sum(so.{name}({args}, {option}=1.25))"))
            with pytest.raises(rg.RetrogradError, match=option):
                rg.grad(f, strict=True)(0.7)
