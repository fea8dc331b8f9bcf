"""Searches, fits and solvers of SciPy's with the derivatives they ask for."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import integrate, optimize, sparse

import retrograd as rg
from retrograd.adapters.remembered import PATIENCE, Remembered
from retrograd.adapters.scipy.methods import MINIMIZE, ROOT
from retrograd.adapters.scipy.parameters import parameters_of
from retrograd.runtime.errors import SignatureMismatch

T = np.linspace(0.0, 3.0, 12)
Y = 2.5 * np.exp(-0.8 * T) + 0.3 + 0.01 * np.cos(7 * T)


@dataclass
class Decay:
    a: float
    rate: float
    floor: Any


def rosenbrock(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def cost(p: Any, t: Any, y: Any) -> Any:
    return np.sum((p["w"][0] * np.exp(-p["w"][1] * t) + p["b"] - y) ** 2)


def residuals(p: Any, t: Any, y: Any) -> Any:
    return p["w"][0] * np.exp(-p["w"][1] * t) + p["b"] - y


def of_decay(p: Any, t: Any, y: Any) -> Any:
    return p.a * np.exp(-p.rate * t) + p.floor[0] - y


# -- parameters --------------------------------------------------------------------------

STRUCTURES = [
    np.arange(3.0), np.arange(6.0).reshape(2, 3), [1, 2, 3], (1.0, 2), 4, 2.5, {"w": np.ones((2, 2)), "b": 0.5},
    [np.ones(2), {"k": np.ones(1)}], {"w": np.ones(2), "n": 3, "name": "x"}, Decay(1.0, 2.0, np.ones(2)),
]  # fmt: skip


@pytest.mark.parametrize("x0", STRUCTURES, ids=str)
def test_there_and_back(x0: Any) -> None:
    parameters = parameters_of(x0)
    assert parameters.flat.dtype == np.float64
    x = np.arange(parameters.size) + 0.5
    np.testing.assert_array_equal(parameters.flattened(parameters.tree(x)), x)


@pytest.mark.parametrize("x0", [{"n": 1, "name": "x"}, {"z": np.ones(2, complex)}], ids=str)
def test_what_no_solver_can_change(x0: Any) -> None:
    with pytest.raises(SignatureMismatch):
        parameters_of(x0)


@pytest.mark.parametrize(
    ("x0", "given", "wanted"),
    [
        ({"w": np.ones(2), "b": 0.5}, {"b": (0, None)}, [(-np.inf, np.inf)] * 2 + [(0, np.inf)]),
        ({"w": np.ones(2), "b": 0.5}, {"w": (np.array([0, 1]), 5)}, [(0, 5), (1, 5), (-np.inf, np.inf)]),
        ([np.ones(1), {"k": np.ones(2)}], [None, {"k": (0, 1)}], [(-np.inf, np.inf), (0, 1), (0, 1)]),
        ({"l": [np.ones(1), np.ones(1)]}, {"l": (0, 1)}, [(0, 1), (0, 1)]),
        (np.ones((2, 1)), (0, 1), [(0, 1), (0, 1)]),
        (2.0, (0, None), [(0, np.inf)]),
    ],
)  # fmt: skip
def test_bounds_in_the_structure(x0: Any, given: Any, wanted: Any) -> None:
    assert parameters_of(x0).bounds(given) == wanted


@pytest.mark.parametrize(
    "given", [{"c": (0, 1)}, {"w": {"q": (0, 1)}}, {"b": {"x": (0, 1)}}], ids=str
)
def test_bounds_of_what_is_no_parameter(given: Any) -> None:
    with pytest.raises(SignatureMismatch, match="names no parameter"):
        parameters_of({"w": {"k": np.ones(2)}, "b": 0.5}).bounds(given)


def test_bounds_that_are_none() -> None:
    with pytest.raises(SignatureMismatch, match="a pair"):
        parameters_of({"b": 0.5}).bounds({"b": 3.0})
    assert parameters_of(np.ones(2)).bounds([(0, 1), (0, 1)]) == [(0, 1), (0, 1)]


# -- one evaluation ----------------------------------------------------------------------


class Counted:
    def __init__(self) -> None:
        self.calls: list[str] = []
        self.scale = 1.0

    def noted(self, name: str, value: Any) -> Any:
        self.calls.append(name)
        return value

    def remembered(self) -> Remembered:
        return Remembered(
            lambda x: self.noted("value", self.scale * x @ x),
            lambda x: self.noted("both", (self.scale * x @ x, 2 * self.scale * x)),
            lambda x: self.noted("gradient", 2 * self.scale * x),
        )


def test_a_gradient_is_handed_out_once() -> None:
    counted = Counted()
    one, x = counted.remembered(), np.ones(2)
    one.value(x), one.gradient(x)
    assert counted.calls == ["both"]
    counted.scale = 3.0  # data of the user's have changed, and the place has not
    np.testing.assert_array_equal(one.gradient(x), [6.0, 6.0])
    one.value(x)
    x[0] = 5.0  # solvers write to their vectors
    np.testing.assert_array_equal(one.gradient(x), [30.0, 6.0])


def test_values_alone_where_no_gradient_is_asked_for() -> None:
    counted = Counted()
    one = counted.remembered()
    for k in range(PATIENCE + 3):
        one.value(np.full(2, float(k)))
    assert counted.calls == ["both"] * (PATIENCE + 1) + ["value"] * 2
    one.gradient(np.ones(2)), one.value(np.zeros(2))
    assert counted.calls[-2:] == ["gradient", "both"]


def test_as_many_evaluations_as_a_search_by_hand() -> None:
    problem = rg.scipy.problem(rosenbrock, np.zeros(4))
    runs: list[str] = []
    made = problem.of(problem.x0)
    both, alone = problem.remembered.both, problem.remembered.only_gradient  # type: ignore[union-attr]
    problem.remembered.both = lambda x: (runs.append("both"), both(x))[1]  # type: ignore[union-attr]
    problem.remembered.only_gradient = lambda x: (runs.append("alone"), alone(x))[1]  # type: ignore[union-attr]
    found = optimize.minimize(problem.fun, problem.x0, jac=problem.jac, method="L-BFGS-B")
    assert made is problem.derivatives
    assert runs == ["both"] * found.nfev


# -- searches ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", [None, *MINIMIZE])
def test_every_method_of_minimize(method: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("error", optimize.OptimizeWarning)
        found = rg.scipy.minimize(rosenbrock, [0.9, 0.75], method=method)
    slow = method in ("nelder-mead", "powell", "cobyla", "cobyqa")
    np.testing.assert_allclose(
        found.x, 1.0, atol=0.3 if method == "cobyla" else 1e-2 if slow else 1e-3
    )


def test_derivatives_are_those_of_the_structure() -> None:
    problem = rg.scipy.problem(cost, {"w": np.array([1.0, 1.0]), "b": 0.0}, args=(T, Y))
    x = np.array([1.3, 0.7, 0.2])

    def flat(x: Any) -> Any:
        return cost({"w": x[:2], "b": x[2]}, T, Y)

    np.testing.assert_allclose(problem.jac(x), rg.grad(flat)(x))
    np.testing.assert_allclose(problem.hess(x), rg.hessian(flat)(x))
    v = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(problem.hessp(x, v), rg.hessian(flat)(x) @ v)
    value, gradient = problem.value_and_grad(x)
    assert value == cost({"w": x[:2], "b": x[2]}, T, Y)
    np.testing.assert_array_equal(gradient, problem.jac(x))


def test_parameters_come_back_in_their_structure() -> None:
    found = rg.scipy.minimize(
        cost, {"w": np.array([1.0, 1.0]), "b": 0.0}, args=(T, Y), method="trust-exact"
    )
    np.testing.assert_allclose(found.params["w"], [2.5, 0.8], atol=0.02)
    assert found.params["b"] == found.x[2]
    bounded = rg.scipy.minimize(
        cost, {"w": np.array([1.0, 1.0]), "b": 0.5}, args=(T, Y), bounds={"b": (0.4, None)}
    )
    assert bounded.params["b"] == pytest.approx(0.4)


@pytest.mark.parametrize("method", ["slsqp", "trust-constr", "cobyla"])
def test_constraints(method: str) -> None:
    def norm(p: Any) -> Any:
        return np.sum(p["x"] ** 2)

    def away(p: Any) -> Any:
        return np.sum((p["x"] - np.array([3.0, 4.0])) ** 2)

    with warnings.catch_warnings():
        warnings.simplefilter("error", optimize.OptimizeWarning)
        found = rg.scipy.minimize(
            away, {"x": np.array([0.5, 0.5])}, method=method, constraints=rg.scipy.constraint(norm, ub=1.0),
            tol=1e-8,
        )  # fmt: skip
    np.testing.assert_allclose(found.params["x"], [0.6, 0.8], atol=1e-3)


def test_a_constraint_is_one_of_scipys() -> None:
    def both(x: Any) -> Any:
        return [x[0] * x[1], x[0] ** 2 + np.sin(x[1])]

    made = rg.scipy.constraint(both, [0, 0], 1)
    assert isinstance(made, optimize.NonlinearConstraint)
    x, v = np.array([0.5, 2.0]), np.array([2.0, 3.0])
    np.testing.assert_allclose(made.fun(x), [1.0, 0.25 + np.sin(2.0)])
    np.testing.assert_allclose(made.jac(x), [[2.0, 0.5], [1.0, np.cos(2.0)]])
    np.testing.assert_allclose(made.hess(x, v), [[6.0, 2.0], [2.0, -3.0 * np.sin(2.0)]])


def test_least_squares() -> None:
    start = {"w": np.array([1.0, 1.0]), "b": 0.0}
    found = rg.scipy.least_squares(residuals, start, args=(T, Y))
    np.testing.assert_allclose(found.params["w"], [2.5, 0.8], atol=0.02)
    exact = rg.scipy.problem(residuals, start, args=(T, Y)).jacobian(found.x)
    np.testing.assert_allclose(found.jac, exact)
    bounded = rg.scipy.least_squares(
        residuals, {"w": np.array([1.0, 1.0]), "b": 0.5}, {"b": (0.4, 1.0)}, args=(T, Y)
    )
    assert bounded.params["b"] == pytest.approx(0.4, abs=1e-6)
    classed = rg.scipy.least_squares(of_decay, Decay(1.0, 1.0, np.zeros(1)), args=(T, Y))
    assert isinstance(classed.params, Decay)
    np.testing.assert_allclose(classed.x, found.x, atol=1e-6)


# Where SciPy's own guess at a step leads away.
MIXING: dict[str, Any] = {
    "linearmixing": {"options": {"jac_options": {"alpha": -0.5}}},
    "excitingmixing": {"options": {"jac_options": {"alpha": -0.5, "alphamax": -0.5}}},
}  # fmt: skip


@pytest.mark.parametrize("method", ROOT)
def test_every_method_of_root(method: str) -> None:
    def system(x: Any) -> Any:
        return np.array([x[0] + 0.2 * np.cos(x[1]) - 1.0, x[1] + 0.2 * np.sin(x[0])])

    found = rg.scipy.root(system, [0.8, -0.1], method=method, **MIXING.get(method, {}))
    np.testing.assert_allclose(system(found.params), 0.0, atol=1e-4)


def chain(x: Any) -> Any:
    return x[1:] ** 3 - np.sin(x[:-1])


def long_chain(x: Any) -> Any:
    return np.sum(chain(x) ** 2)


def test_sparse_where_it_is_found() -> None:
    x = np.linspace(0.1, 1.0, 150)
    problem = rg.scipy.problem(chain, x)
    found = problem.jacobian(x)
    assert sparse.issparse(found) and found.nnz == 2 * 149
    np.testing.assert_allclose(found.toarray(), rg.jacobian(chain)(x))
    assert isinstance(rg.scipy.problem(chain, x, sparse=False).jacobian(x), np.ndarray)
    assert isinstance(rg.scipy.problem(chain, x[:9]).jacobian(x[:9]), np.ndarray)
    assert sparse.issparse(rg.scipy.problem(chain, x[:9], sparse=True).jacobian(x[:9]))
    hessian = rg.scipy.problem(long_chain, x).hess(x)
    assert sparse.issparse(hessian)
    np.testing.assert_allclose(hessian.toarray(), rg.hessian(long_chain)(x), atol=1e-12)

    def dense(x: Any) -> Any:
        return np.cumsum(x) ** 2

    assert isinstance(rg.scipy.problem(dense, x).jacobian(x), np.ndarray)
    halves = {"a": x[:75], "b": x[75:]}

    def of_halves(p: Any) -> Any:
        return p["a"] ** 2 * p["b"]

    both = rg.scipy.problem(of_halves, halves).jacobian(x)
    assert sparse.issparse(both) and both.shape == (75, 150)
    solved = rg.scipy.least_squares(chain, x)
    assert solved.cost < 1e-10


# -- fits and initial values -------------------------------------------------------------


def decay(t: Any, a: Any, rate: Any, floor: Any) -> Any:
    return a * np.exp(-rate * t) + floor


@pytest.mark.parametrize("options", [{}, {"sigma": np.full(12, 0.1)}, {"bounds": (0, 5)}], ids=str)
def test_curve_fit(options: Any) -> None:
    found, covariance = rg.scipy.curve_fit(decay, T, Y, (1.0, 1.0, 0.0), **options)
    wanted, about = optimize.curve_fit(decay, T, Y, (1.0, 1.0, 0.0), **options)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    np.testing.assert_allclose(covariance, about, rtol=1e-3)
    parts = rg.jacobian(decay, (1, 2, 3))(T, *map(float, found))
    jac = np.stack(parts, axis=-1)
    if not options:
        exact = np.linalg.inv(jac.T @ jac) * np.sum((decay(T, *found) - Y) ** 2) / (12 - 3)
        np.testing.assert_allclose(covariance, exact, rtol=1e-5)


def test_curve_fit_of_a_parameter_that_is_added() -> None:
    def line(t: Any, a: Any, b: Any) -> Any:
        return a * t + b

    found, _ = rg.scipy.curve_fit(line, T, 2.0 * T + 1.0)
    np.testing.assert_allclose(found, [2.0, 1.0])


def oscillator(t: Any, y: Any, mu: Any) -> Any:
    return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA", "RK45", integrate.Radau])
def test_initial_values(method: Any) -> None:
    options = {"rtol": 1e-8, "atol": 1e-8}
    found = rg.scipy.solve_ivp(oscillator, (0, 2), [2.0, 0.0], method, args=(5.0,), **options)
    wanted = integrate.solve_ivp(oscillator, (0, 2), [2.0, 0.0], "DOP853", args=(5.0,), **options)
    np.testing.assert_allclose(found.y[:, -1], wanted.y[:, -1], rtol=1e-5)


def test_a_stiff_problem_of_many() -> None:
    def diffusion(t: Any, y: Any) -> Any:
        flux = np.diff(y) * 1e4
        return np.concatenate([flux[:1], np.diff(flux), -flux[-1:]]) - y**3

    y0 = np.linspace(0.0, 1.0, 120)
    found = rg.scipy.solve_ivp(diffusion, (0.0, 0.1), y0, "BDF")
    wanted = integrate.solve_ivp(diffusion, (0.0, 0.1), y0, "BDF")
    np.testing.assert_allclose(found.y[:, -1], wanted.y[:, -1], rtol=1e-2)


def test_a_problem_without_a_start() -> None:
    problem = rg.scipy.problem(rosenbrock)
    np.testing.assert_allclose(problem.jac(np.zeros(3)), [-2.0, -2.0, 0.0])
    with pytest.raises(TypeError, match="x0"):
        rg.scipy.problem(rosenbrock).minimize()


def test_what_is_given_by_hand_is_taken() -> None:
    calls = []

    def slope(t: Any, a: Any) -> Any:
        calls.append(a)
        return t[:, None]

    rg.scipy.curve_fit(lambda t, a: a * t, T, 2.0 * T, jac=slope)
    assert calls
    wave = rg.scipy.solve_ivp(lambda t, y: 1j * y, (0, 1), np.array([1 + 0j]), "RK45", rtol=1e-8)
    np.testing.assert_allclose(wave.y[0, -1], np.exp(1j), rtol=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="Unknown solver"):
            rg.scipy.minimize(rosenbrock, np.zeros(2), method="foo")


def test_a_function_that_writes_into_its_parameters() -> None:
    def doubled(x: Any) -> Any:
        x *= 2.0
        return x - np.array([1.0, 4.0])

    np.testing.assert_allclose(
        rg.scipy.least_squares(doubled, np.zeros(2)).x, [0.5, 2.0], atol=1e-6
    )
    problem = rg.scipy.problem(lambda x: np.sum(doubled(x) ** 2), np.zeros(2))
    x = np.array([3.0, 1.0])
    problem.hessp(x, np.ones(2)), problem.hess(x), problem.fun(x), problem.jac(x)
    assert x.tolist() == [3.0, 1.0]
