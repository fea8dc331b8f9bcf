"""Functions that write to the unknowns a solver of SciPy gives them: ``p[p < 0] = 0``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import retrograd as rg
from retrograd.compiler.user_rules.written_unknowns import GIVES_A_COPY, GOES_ON
from retrograd.runtime.errors import ConvergenceError, MutationError, UnsupportedOperation

from ..written import written

A = np.array([0.05, 0.6])
START = np.array([0.3, 0.4])
METHODS = ["BFGS", "L-BFGS-B", "Nelder-Mead", "Powell", "CG", "SLSQP", "TNC"]


def zero(p: Any) -> Any:
    return np.tanh(p - A)


def least(p: Any) -> Any:
    return np.sum((p - A) ** 4 + (p - A) ** 2)


def slope(p: Any) -> Any:
    return 4 * (p - A) ** 3 + 2 * (p - A)


def decay(y: Any) -> Any:
    return -(y**2)


SOLVERS: dict[str, list[Any]] = {
    "fsolve": [lambda w: optimize.fsolve(w(zero), START)],
    "root": [lambda w, m=m: optimize.root(w(zero), START, method=m).x for m in ("hybr", "lm", "krylov", "df-sane")],
    "newton": [lambda w: optimize.newton(w(zero), START)],
    "fixed_point": [lambda w: optimize.fixed_point(w(lambda p: np.cos(p - A)), START)],
    "leastsq": [lambda w: optimize.leastsq(w(zero), START)[0]],
    "least_squares": [lambda w, m=m: optimize.least_squares(w(zero), START, method=m).x for m in ("trf", "lm", "dogbox")],
    "minimize": [lambda w, m=m: optimize.minimize(w(least), START, method=m).x for m in METHODS],
    "fmin": [lambda w: optimize.fmin(w(least), START, disp=0)],
    "fmin_powell": [lambda w: optimize.fmin_powell(w(least), START, disp=0)],
    "fmin_cg": [lambda w: optimize.fmin_cg(w(least), START, disp=0)],
    "fmin_bfgs": [lambda w: optimize.fmin_bfgs(w(least), START, disp=0)],
    "fmin_ncg": [lambda w: optimize.fmin_ncg(w(least), START, slope, disp=0)],
    "fmin_l_bfgs_b": [lambda w: optimize.fmin_l_bfgs_b(w(least), START, approx_grad=True)[0]],
    "odeint": [lambda w: integrate.odeint(lambda y, t: w(decay)(y), START, [0.0, 1.0])[-1]],
    "solve_ivp": [lambda w: integrate.solve_ivp(lambda t, y: w(decay)(y), (0, 2), START).y[:, -1]],
}  # fmt: skip


def spoiling(f: Any) -> Any:
    """The function that leaves something else in its argument than it was given."""

    def spoiled(p: Any) -> Any:
        y = np.array(f(p))
        p *= 1.01
        return y

    return spoiled


@pytest.mark.parametrize("name", sorted(GIVES_A_COPY | GOES_ON))
def test_what_solvers_do(name: str) -> None:
    """Measured: whether the result is another where the function writes to its argument."""
    for solve in SOLVERS[name]:
        right = solve(lambda f: f)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = solve(spoiling)
        except RuntimeError:
            found = None
        assert (name in GIVES_A_COPY) is (found is not None and np.array_equal(found, right))


# Each of them writes to its unknowns; nothing is changed near the solutions.
WRITES = {
    "a mask": "p[p < 1e-3] = 1e-3",
    "an item": "p[1] = max(p[1], 1e-3)",
    "a branch": "if p[0] < 1e-3:\n            p[0] = 1e-3",
    "another name": "q = p\n        q[q < 1e-3] = 1e-3",
    "as an array": "q = np.asarray(p)\n        q[q < 1e-3] = 1e-3",
    "two views": "q, r = p[:1], p[1:]\n        q[q < 1e-3] = 1e-3",
    "out": "np.maximum(p, 1e-3, out=p)",
    "copyto": "np.copyto(p, np.maximum(p, 1e-3))",
    "in place": "p *= 1.0",
}
CALLS = {
    "fsolve": ("p ** 2 - a * np.array([1.0, 2.0])", "fsolve(f, [1.0, 1.0])"),
    "root": ("p ** 2 - a * np.array([1.0, 2.0])", "root(f, [1.0, 1.0]).x"),
    "newton": ("p ** 2 - a * np.array([1.0, 2.0])", "newton(f, np.array([1.0, 1.0]))"),
    "leastsq": ("np.append(p * p - a, p[0] - p[1])", "leastsq(f, [1.0, 1.0])[0]"),
    "least_squares": ("np.append(p * p - a, p[0] - p[1])", "least_squares(f, [1.0, 1.0], xtol=1e-14, gtol=1e-14).x"),
    "minimize": ("np.sum((p - a) ** 2) + np.sum(p ** 4)", "minimize(f, [1.0, 1.0], tol=1e-12).x"),
    "fmin_bfgs": ("np.sum((p - a) ** 2) + np.sum(p ** 4)", "fmin_bfgs(f, [1.0, 1.0], gtol=1e-9, disp=False)"),
    "odeint": ("-a * p ** 2", "odeint(f, [1.0, 0.5], [0.0, 1.0], rtol=1e-11, atol=1e-11)"),
    "solve_ivp": ("-a * p ** 2", "solve_ivp(f, (0.0, 1.0), [1.0, 0.5], rtol=1e-11, atol=1e-11).y[:, -1]"),
}  # fmt: skip
MORE = {"odeint": "p, t", "solve_ivp": "t, p"}


def made(name: str, write: str) -> Any:
    result, call = CALLS[name]
    return written(
        f"from scipy.optimize import *\nfrom scipy.integrate import *\ndef g(a):\n    def f({MORE.get(name, 'p')}):\n"
        f"        {write}\n        return {result}\n    return np.sum({call} ** 2)\n", "g",
    )  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("name", CALLS)
def test_derivatives(name: str, write: str) -> None:
    if name == "newton" and write == "in place":  # of one number, it writes to nothing
        pytest.skip()
    g, plain = made(name, WRITES[write]), made(name, "pass")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for a in (1.3, 0.7):
            right = rg.grad(plain, strict=True)(a)
            assert rg.grad(g, strict=True)(a) == pytest.approx(right, rel=1e-6)
            assert rg.jvp(g, (a,), (1.0,))[1] == pytest.approx(right, rel=1e-6)
    a, h = 1.3, 1e-4
    ends = [rg.grad(g, strict=True)(a + h), rg.grad(g, strict=True)(a - h)]
    if name not in ("fmin_bfgs", "minimize", "least_squares", "leastsq"):
        assert rg.hvp(g, (a,), 1.0) == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-4)


@pytest.mark.parametrize("name", sorted(GOES_ON & CALLS.keys()))
def test_what_changes_the_search_is_refused(name: str) -> None:
    """Where the solver goes on from what was written, nothing is returned."""
    g = made(name, "p[...] = p * 1.01")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((UnsupportedOperation, ConvergenceError)):
            rg.grad(g, strict=True)(1.3)


@pytest.mark.parametrize("name", ["minimize", "least_squares"])
def test_what_gets_a_copy_may_write_anything(name: str) -> None:
    g, plain = made(name, "p *= 2.0"), made(name, "p = p * 2.0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rg.grad(g, strict=True)(1.3) == pytest.approx(
            rg.grad(plain, strict=True)(1.3), rel=1e-6
        )


METHOD = """
from scipy.integrate import odeint
class Model:
    def __init__(self, k): self.k = k
    def rhs(self, y, t):
        y[y < 0] = 0.0
        return -self.k * y
    def run(self): return odeint(self.rhs, [1.0, 2.0], [0.0, 1.0])[-1].sum()
def g(a): return Model(a).run()
"""
NUMBER = """
from scipy.optimize import newton
def g(a):
    def f(x):
        x += 1.0
        return x * x - a
    return newton(f, 0.5)
"""
OTHERS = """
from scipy.optimize import fsolve
def g(a):
    b = np.array([a, a])
    def f(p{more}):
        {name}[0] = 1.0
        return p - b
    return np.sum(fsolve(f, [1.0, 1.0]{given}))
"""


def test_methods_and_numbers() -> None:
    for text, right in ((METHOD, -3 * np.exp(-1.3)), (NUMBER, 0.5 / np.sqrt(1.3))):
        assert rg.grad(written(text, "g"), strict=True)(1.3) == pytest.approx(right, rel=1e-6)


@pytest.mark.parametrize(("name", "more", "given"), [("b", "", ""), ("q", ", q", ", args=(b,)")])
def test_other_arrays_are_refused(name: str, more: str, given: str) -> None:
    text = OTHERS.replace("{name}", name).replace("{more}", more).replace("{given}", given)
    with pytest.raises(MutationError, match="handed on writes"):
        rg.grad(written(text, "g"), strict=True)(1.3)
