"""Searches that begin at whole numbers: what they find are floats, and have derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.ir.types import Array
from retrograd.compiler.user_rules import implicit_lowering, scipy_calls
from retrograd.runtime.errors import GradientMismatch
from tests.both_modes import differences
from tests.written import written

TEXT = """
from scipy import integrate, optimize


def bowl(c, x):
    return (c[0] - x[0]) ** 2 + (c[0] - 1) ** 2 * x[1]


def cubic(c, x):
    return c**3 + c * x[0] - x[1]


def pair(c, x):
    return np.array([c[0] ** 3 + c[0] * x[0] - x[1], c[1] - c[0] * x[1]])


START = np.array([1, 1])


def f(x):
    n = len(x) - 1
    return CALL
"""
STARTS = {
    "list": "[1, 1]",
    "tuple": "(1, 1)",
    "array": "np.array([1, 1])",
    "ones": "np.ones(2, int)",
    "module": "START",
    "computed": "[n, n]",
    "float": "[1.0, 1.0]",
}
VECTORS = {
    "fsolve": "optimize.fsolve(pair, START, args=(x,))[1]",
    "root": "optimize.root(pair, START, args=(x,)).x[1]",
    "least_squares": "optimize.least_squares(pair, START, args=(x,), xtol=1e-15, ftol=1e-15, gtol=1e-15).x[1]",
    "leastsq": "optimize.leastsq(pair, START, args=(x,))[0][1]",
    "newton": "optimize.newton(cubic, START, args=(x,))[0]",
    "odeint": "integrate.odeint(lambda y, t: -x * y, START, [0, 1])[-1].sum()",
    "solve_ivp": "integrate.solve_ivp(lambda t, y: -x * y, [0, 1], START, rtol=1e-9, atol=1e-11).y[:, -1].sum()",
    "curve_fit": "optimize.curve_fit(lambda t, a, b: a * np.exp(-b * t), np.arange(4.0), 2 * x[0] * np.exp(-x[1] * np.arange(4.0)), p0=START)[0] @ x",
}
NUMBERS = {
    "newton": "optimize.newton(cubic, 1, args=(x,))",
    "newton from a computed one": "optimize.newton(cubic, n, args=(x,))",
    "brentq": "optimize.brentq(cubic, 0, 2, args=(x,))",
    "root_scalar": "optimize.root_scalar(cubic, args=(x,), bracket=[0, 2]).root",
    "secant": "optimize.root_scalar(cubic, args=(x,), x0=1, x1=2, method='secant').root",
    "fixed_point": "optimize.fixed_point(lambda c: np.cos(c * x[0]) * x[1] * 0.5, 1)",
    "quad": "integrate.quad(lambda t: np.exp(-x[0] * t) * x[1], 0, 1)[0]",
}
MINIMA = {
    "minimize": "optimize.minimize(bowl, [1], args=(x,), tol=1e-12).x[0]",
    "minimize from a number": "optimize.minimize(bowl, 1, args=(x,), tol=1e-12).x[0]",
    "minimize from an array": "optimize.minimize(bowl, np.ones(1, int), args=(x,), tol=1e-12).x[0]",
    "Nelder-Mead": "optimize.minimize(bowl, [1], args=(x,), method='Nelder-Mead', options={'xatol': 1e-9, 'fatol': 1e-14}).x[0]",
    "fmin": "optimize.fmin(bowl, [1], args=(x,), disp=False, xtol=1e-9, ftol=1e-14)[0]",
    "fmin_bfgs": "optimize.fmin_bfgs(bowl, [1], args=(x,), disp=False, gtol=1e-9)[0]",
    "minimize_scalar": "optimize.minimize_scalar(lambda c: bowl([c], x), bracket=(0, 2)).x",
}
X = np.array([0.7, 1.4])


def check(call: str, room: float) -> None:
    f = written(TEXT.replace("CALL", call))
    gradient = rg.grad(f, strict=True)(X)
    np.testing.assert_allclose(gradient, differences(f, (X,)), rtol=room, atol=room)
    way = np.array([0.3, -1.1])
    np.testing.assert_allclose(rg.jvp(f, (X,), (way,), strict=True)[1], gradient @ way, rtol=1e-6)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("solver", VECTORS)
def test_vectors(solver: str, start: str) -> None:
    check(VECTORS[solver].replace("START", STARTS[start]), 1e-5)


@pytest.mark.parametrize("solver", NUMBERS)
def test_numbers(solver: str) -> None:
    check(NUMBERS[solver], 1e-5)


@pytest.mark.parametrize("solver", MINIMA)
def test_minima(solver: str) -> None:
    check(
        MINIMA[solver], 1e-2
    )  # where a minimum is, nobody finds out to more than half of the digits


@pytest.mark.parametrize("solver", ["fsolve", "root"])
def test_checked_at_birth(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A derivative through an equation is held against differences, with room for the tolerance."""

    def whole(z: Any) -> list[Any]:
        return [Array("int64", (2,), "i")]

    for module in (implicit_lowering, scipy_calls):
        monkeypatch.setattr(module, "solution_kinds", whole)
    call = VECTORS[solver].replace("START", "[1, 1]").replace("(x,)", "(1.0 * x,)")
    with pytest.raises(GradientMismatch):
        check(call, 1e-5)  # a text that no other test has compiled
