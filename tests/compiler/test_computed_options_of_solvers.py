"""Options of solvers that are computed: the solution does not depend on a tolerance, and the call gets it."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg

from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]

CALLS = {
    "newton": "so.newton(lambda x: cube(x, a, b), a, tol=TOL)",
    "newton with args": "so.newton(cube, a, args=(a, b), tol=TOL, maxiter=60)",
    "options in a dict": "so.newton(cube, a, args=(a, b), **({'maxiter': 50} | {'tol': TOL}))",
    "options of a helper": "so.newton(cube, a, args=(a, b), **options(TOL))",
    "options of the module": "so.newton(cube, a, args=(a, b), **DEFAULTS)",
    "brentq": "so.brentq(lambda x: cube(x, a, b), 0, 10, xtol=TOL, rtol=TOL * 1e-3)",
    "bisect": "so.bisect(lambda x: cube(x, a, b), 0, 10, xtol=TOL)",
    "root_scalar": "so.root_scalar(lambda x: cube(x, a, b), bracket=(0, 10), xtol=TOL).root",
    "fsolve": "so.fsolve(lambda x: cube(x, a, b), np.array([1.0]), xtol=TOL)[0]",
    "fixed_point": "so.fixed_point(lambda x: np.cos(x * a * 0.1), b, xtol=TOL)",
    "minimize": "so.minimize(lambda x: (x[0] - a * b) ** 2, np.array([1.0]), tol=TOL).x[0]",
    "minimize_scalar": "so.minimize_scalar(lambda x: (x - a * b) ** 2, tol=TOL).x",
    "quad": "si.quad(lambda x: cube(x, a, b), 0, 1, epsabs=TOL)[0]",
    "solve_ivp": "si.solve_ivp(lambda t, y: -a * y * b, (0, 1), [1.0], rtol=TOL, atol=TOL * 0.1).y[0, -1]",
    "odeint": "si.odeint(lambda y, t: -a * y * b, 1.0, np.array([0.0, 1.0]), rtol=TOL)[-1, 0]",
    "rg.root": "rg.root(lambda x: cube(x, a, b), 1.5, tol=TOL)",
    "rg.fixed_point": "rg.fixed_point(lambda x: np.cos(x * a * 0.1), b, tol=TOL)",
    "rg.argmin": "rg.argmin(lambda x: (x - a * b) ** 2, 1.0, tol=TOL)",
}  # fmt: skip
TOLERANCES = {
    "an argument": "tol",
    "computed": "tol * (1 + 0 * b)",
    "of what is differentiated": "1e-10 * a",
}
MODULE = """
DEFAULTS = {"tol": 1e-10, "maxiter": 50}

def cube(x, a, b):
    return x**3 - a * b

def options(tol):
    return {**DEFAULTS, "tol": tol}
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("tolerance", TOLERANCES)
@pytest.mark.parametrize("call", CALLS)
def test_tolerances(call: str, tolerance: str) -> None:
    optimize, integrate = (pytest.importorskip(f"scipy.{p}") for p in ("optimize", "integrate"))
    body = CALLS[call].replace("TOL", TOLERANCES[tolerance])
    f = written(
        f"{MODULE}\ndef f(a, b, tol):\n    return {body}\n", so=optimize, si=integrate, rg=rg
    )
    given, h = (2.0, 3.0, 1e-10), 1e-4
    slopes = [
        (f(2.0 + h * (k == 0), 3.0 + h * (k == 1), 1e-10) - f(2.0 - h * (k == 0), 3.0 - h * (k == 1), 1e-10)) / (2 * h)
        for k in range(2)
    ]  # fmt: skip
    found = rg.grad(f, (0, 1, 2), strict=True)(*given)
    np.testing.assert_allclose(found[:2], slopes, rtol=1e-3, atol=1e-5)
    assert found[2] == 0
    tangent = rg.jvp(f, given, (1.0, 2.0, 3.0), strict=True)[1]
    np.testing.assert_allclose(tangent, slopes[0] + 2 * slopes[1], rtol=1e-3, atol=1e-5)
