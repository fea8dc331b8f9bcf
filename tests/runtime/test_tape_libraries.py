"""What SciPy makes of a value of the tape: a refusal that says so, not an error of its own; the function's own stays."""

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

pytestmark = pytest.mark.usefixtures("unchecked", "taped")
GRID = (np.arange(2.0), np.arange(2.0))
X = np.array([0.5, 0.7, 0.9, 1.1])

GIVEN: list[Callable[[Any], Any]] = [
    lambda x: so.fsolve(lambda t: t**3 + x[0] * t - x[1], 0.5)[0],
    lambda x: so.brentq(lambda t: t - x[0], 0.0, 1.0),
    lambda x: so.minimize(lambda t: (t - x[0]) ** 2, 0.0).x,
    lambda x: si.quad(lambda t: t * x[0], 0.0, 1.0)[0],
    lambda x: sip.interpn(GRID, np.outer(x[:2], x[:2]), np.array([0.2, 0.7]))[0],
    lambda x: sip.RegularGridInterpolator(GRID, np.outer(x[:2], x[:2]))([0.2, 0.7])[0],
    lambda x: sip.interp1d(np.arange(4.0), x)(1.5),
    lambda x: ssp.csr_matrix((x, ([0, 1, 2, 3], [1, 0, 3, 2]))).sum(),
]


def on_the_tape(give: Callable[[Any], Any]) -> Any:
    @rg.differentiate
    def f(x: Any) -> Any:
        k = len(locals())  # this is not compiled
        return k * give(x)

    return f


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("k", range(len(GIVEN)))
def test_a_library_that_does_not_know_the_tape(k: int) -> None:
    with pytest.raises(rg.errors.RetrogradError) as caught:
        on_the_tape(GIVEN[k]).grad(X)
    assert not isinstance(caught.value, rg.errors.InternalError)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_an_error_of_the_function_stays() -> None:
    def fails(t: Any) -> Any:
        raise KeyError("its own")

    with pytest.raises(KeyError, match="its own"):
        on_the_tape(lambda x: x[0] * so.brentq(fails, 0.0, 1.0)).grad(X)
