"""What SciPy makes of a value of the tape: by the same programs and equations as compiled, or a refusal that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytest.importorskip("scipy")

import scipy.integrate as si
import scipy.interpolate as sip
import scipy.optimize as so
import scipy.sparse as ssp
from scipy.sparse.linalg import spsolve
from scipy.spatial.transform import Rotation

pytestmark = pytest.mark.usefixtures("unchecked", "taped")
GRID = (np.arange(2.0), np.arange(2.0))
X = np.array([0.5, 0.7, 0.9, 1.1])
K = 2  # how many names `f` below has

A = ssp.csr_matrix(np.diag([1.0, 2.0, 3.0, 4.0]) + np.eye(4, k=1))
TABLE = sip.CubicSpline(np.arange(4.0), np.array([1.0, 4.0, 2.0, 3.0]))
TURN = Rotation.from_euler("z", 0.3)
DATA = np.array([1.0, 0.6, 0.5, 0.2])
CLOSE = {"rtol": 1e-10, "atol": 1e-11}
TIGHT = {"xtol": 1e-14, "ftol": 1e-14, "gtol": 1e-14}


def decay(t: Any, y: Any, a: Any, b: Any) -> Any:
    return [-a * y[0], a * y[0] - b * y[1]]


def fitted(t: Any, a: Any, b: Any) -> Any:
    return a * np.exp(-b * t)


KNOWN: dict[str, Callable[[Any], Any]] = {
    "fsolve": lambda x: so.fsolve(lambda t: t**3 + x[0] * t - x[1], 0.5)[0],
    "fsolve, two": lambda x: np.sum(so.fsolve(lambda v: v**3 - x[:2] + 0.1 * v[::-1], np.ones(2)) ** 2),
    "root": lambda x: np.sum(so.root(lambda v: v**3 - x[:2], np.ones(2)).x),
    "brentq": lambda x: so.brentq(lambda t: t**3 - x[0], 0.0, 5.0) * x[1],
    "brentq, args": lambda x: so.brentq(lambda t, a: t**3 - a, 0.0, 5.0, args=(x[0],)),
    "brentq, full": lambda x: so.brentq(lambda t: t**3 - x[0], 0.0, 5.0, full_output=True)[0],
    "root_scalar": lambda x: so.root_scalar(lambda t: t**3 - x[0], bracket=(0, 5)).root,
    "newton": lambda x: so.newton(lambda t: t**3 - x[0], 1.0),
    "newton of arrays": lambda x: np.sum(so.newton(lambda t: t**3 - x, np.ones(4))),
    "fixed_point": lambda x: so.fixed_point(lambda t: np.cos(t * x[0]), 0.5),
    "minimize": lambda x: np.sum(so.minimize(lambda t: np.sum((t - x) ** 2 + t**4), np.ones(4), tol=1e-10).x),
    "minimize_scalar": lambda x: so.minimize_scalar(lambda t: (t - x[0]) ** 2 + x[1] * t**2).fun,
    "fmin_bfgs": lambda x: so.fmin_bfgs(lambda t: np.sum((t - x) ** 2), np.ones(4), disp=False)[0] ** 2,
    "least_squares": lambda x: np.sum(so.least_squares(lambda p: p**2 + p - x, np.ones(4), **TIGHT).x),
    "curve_fit": lambda x: np.sum(so.curve_fit(fitted, np.arange(4.0), DATA * x[0], (1.0, 0.5))[0]),
    "quad": lambda x: si.quad(lambda t: np.exp(-t * x[0]), 0.0, x[1])[0],
    "quad, args": lambda x: si.quad(lambda t, a: np.exp(-t * a), 0.0, 1.0, args=(x[0],))[0],
    "quad, infinite": lambda x: si.quad(lambda t: np.exp(-t * t * x[0]), -np.inf, np.inf)[0],
    "quad_vec": lambda x: np.sum(si.quad_vec(lambda t: np.exp(-t * x), 0.0, 1.0)[0]),
    "solve_ivp": lambda x: si.solve_ivp(decay, (0, 1), x[2:], args=(x[0], x[1]), **CLOSE).y[1, -1],
    "solve_ivp, times": lambda x: np.sum(si.solve_ivp(decay, (0, 1), x[2:], t_eval=[0.3, 1.0], args=(x[0], x[1]), **CLOSE).y),
    "odeint": lambda x: np.sum(si.odeint(decay, x[2:], [0.0, 0.5, 1.0], (x[0], x[1]), tfirst=True, **CLOSE)),
    "RegularGridInterpolator": lambda x: sip.RegularGridInterpolator(GRID, np.outer(x[:2], x[:2]))([0.2, 0.7])[0],
    "interp1d": lambda x: sip.interp1d(np.arange(4.0), x)(1.5),
    "CubicSpline": lambda x: np.sum(sip.CubicSpline(np.arange(4.0), x)(np.array([0.3, 1.2])) ** 2),
    "a spline of the module": lambda x: np.sum(TABLE(x) ** 2) + TABLE.derivative()(x[0]) + TABLE.integrate(0, x[1]),
    "a sparse matrix": lambda x: np.sum((A @ x) ** 2) + np.sum(A.T @ x) + A.dot(x)[0] + np.sum((x @ A) ** 2) + np.sum((A * x) ** 2),
    "entries of a sparse matrix": lambda x: ssp.csr_matrix((x, ([0, 1, 2, 3], [1, 0, 3, 2]))).sum(),
    "a sparse matrix of entries": lambda x: np.sum((ssp.diags([x, x[:-1]], [0, 1]) @ x) ** 2),
    "spsolve": lambda x: np.sum(spsolve(ssp.diags([x + 4, x[:-1]], [0, 1]).tocsc(), x) ** 2),
    "rotations": lambda x: np.sum((TURN * Rotation.from_rotvec(x[:3])).apply(x[1:])[:2]) + TURN.apply(x[:3])[0],
    "piecewise": lambda x: np.sum(np.piecewise(x, [x < 0.8, x >= 0.8], [lambda v: v**2, np.sin])),
    "lists": lambda x: np.sum([x[0], x[1] ** 2]) + np.mean(np.square([x[2], x[3]])) + np.linalg.norm([x[0], x[1]]),
}  # fmt: skip


def on_the_tape(give: Callable[[Any], Any]) -> Any:
    @rg.differentiate
    def f(x: Any) -> Any:
        k = len(locals())  # this is not compiled
        return k * give(x)

    return f


def differences(f: Callable[..., Any], h: float) -> Any:
    return np.array([(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(4)])


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", KNOWN)
def test_what_libraries_compute(name: str) -> None:
    f, wanted = on_the_tape(KNOWN[name]), differences(KNOWN[name], 1e-4)
    np.testing.assert_allclose(f.grad(X), wanted * K, rtol=2e-4, atol=2e-5)
    slope = rg.jvp(f, (X,), (np.ones(4),))[1]
    np.testing.assert_allclose(slope, np.sum(f.grad(X)), rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", ["brentq", "fsolve, two", "minimize", "quad", "CubicSpline", "spsolve"])  # fmt: skip
def test_second_derivatives(name: str) -> None:
    f = on_the_tape(KNOWN[name])
    curved = (f.grad(X + 1e-5) - f.grad(X - 1e-5)) / 2e-5
    np.testing.assert_allclose(rg.hessian(f)(X).sum(1), curved, rtol=1e-4, atol=1e-4)


GIVEN: list[Callable[[Any], Any]] = [
    lambda x: sip.interpn(GRID, np.outer(x[:2], x[:2]), np.array([0.2, 0.7]))[0],
    lambda x: sip.PchipInterpolator(np.arange(4.0), x)(1.5),
    lambda x: si.solve_ivp(decay, (0, 1), x[2:], args=(x[0], x[1]), method="BDF").y[1, -1],
    lambda x: si.quad(lambda t: t * x[0], 0.0, 1.0, weight="cos", wvar=1.0)[0],
    lambda x: so.minimize(lambda t: (t[0] - x[0]) ** 2, [0.0], bounds=[(0.0, 0.1)]).x[0],
]


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("k", range(len(GIVEN)))
def test_what_is_not_known_is_refused(k: int) -> None:
    with pytest.raises(rg.errors.RetrogradError) as caught:
        on_the_tape(GIVEN[k]).grad(X)
    assert not isinstance(caught.value, rg.errors.InternalError)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_an_error_of_the_function_stays() -> None:
    def fails(t: Any) -> Any:
        raise KeyError("its own")

    with pytest.raises(KeyError, match="its own"):
        on_the_tape(lambda x: x[0] * so.brentq(fails, 0.0, 1.0)).grad(X)
