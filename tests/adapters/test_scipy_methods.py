"""What the table of methods says, measured: SciPy takes it without a word, and warns or fails of anything more."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import integrate, optimize

from retrograd.adapters.scipy.methods import INITIAL_VALUES, MINIMIZE, ROOT, asked

X0 = np.array([0.9, 0.9])
DERIVATIVES: dict[str, Any] = {
    "jac": optimize.rosen_der, "hess": optimize.rosen_hess, "hessp": optimize.rosen_hess_prod,
}  # fmt: skip


def test_every_method_is_in_the_tables() -> None:
    from scipy.optimize._minimize import MINIMIZE_METHODS
    from scipy.optimize._root import ROOT_METHODS

    assert set(MINIMIZE) >= set(MINIMIZE_METHODS)  # an older SciPy has fewer
    assert set(ROOT) == set(ROOT_METHODS)
    assert {name.lower() for name in integrate._ivp.ivp.METHODS} == set(INITIAL_VALUES)


def takes(method: str, name: str) -> bool:
    """True if SciPy says nothing against a derivative: it is given what is needed beside it."""
    given = {"jac": optimize.rosen_der} if name != "jac" else {}
    given[name] = DERIVATIVES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            optimize.minimize(optimize.rosen, X0, method=method, **given)
        except RuntimeWarning as said:
            return "does not use" not in str(said)
        except ValueError as said:  # a matrix is wanted, and products are no matrix
            return name == "jac" and "required" in str(said)
    return True


@pytest.mark.parametrize("name", ["jac", "hess", "hessp"])
@pytest.mark.parametrize("method", MINIMIZE)
def test_minimize(method: str, name: str) -> None:
    assert takes(method, name) == (name in MINIMIZE[method])


@pytest.mark.parametrize("method", ROOT)
def test_root(method: str) -> None:
    calls = []

    def jac(x: Any) -> Any:
        calls.append(x)
        return np.array([[2 * x[0], 0.0], [1.0, 1.0]])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        optimize.root(
            lambda x: np.array([x[0] ** 2 - 1, x[0] + x[1]]), [2.0, 1.0], method=method, jac=jac
        )
    assert bool(calls) == ("jac" in ROOT[method])


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_initial_values(method: str) -> None:
    calls = []

    def jac(t: float, y: Any) -> Any:
        calls.append(y)
        return np.array([[-1000.0]])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        integrate.solve_ivp(lambda t, y: -1000.0 * y, (0.0, 0.5), [1.0], method, jac=jac)
    assert bool(calls) == ("jac" in INITIAL_VALUES[method.lower()])


def test_a_method_of_ones_own_is_given_everything() -> None:
    assert asked(MINIMIZE, lambda fun, x0, **options: None, "bfgs") == {"jac", "hess", "hessp"}
