"""Programs about calls and containers: value, gradient, both modes, second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.checks import check_function
from tests.programs import calls, containers
from tests.written import written

PROGRAMS = {**calls.PROGRAMS, **containers.PROGRAMS}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name: str) -> None:
    f: Any = PROGRAMS[name]
    x, h = 0.7, 1e-6
    value, bar = rg.value_and_grad(f)(x)
    assert value == f(x)
    assert bar == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6, abs=1e-7)
    rg.check_grads(f, (x,), order=2)


@pytest.mark.parametrize("asked", ["min(x.shape)", "max(x.T.shape)", "min(np.shape(x)[:1])", "max(x.shape, default=3)",
                                   "max(x.shape, key=lambda n: -n)", "max(*x.shape)", "max(x.shape + (7,))"])  # fmt: skip
def test_the_largest_and_the_smallest_of_a_shape(asked: str) -> None:
    f = written(f"def f(x):\n    n = {asked}\n    return np.sum(x[:, :n] * x[:, :n]) * n\n")
    found = check_function(f, (np.arange(6.0).reshape(2, 3) + 0.5,))
    assert found.verdict == "ok", f"{found.reason}\n{found.detail}"


@pytest.mark.parametrize("given", [[1.0, 4.0, 3.0], (2.0, 1.5), np.array([1.0, 3.0, 2.0])])
@pytest.mark.parametrize(
    "asked", ["max(p)", "min(p)", "max(p) * min(p)", "max(p, key=abs)", "sum(p) - max(p)"]
)
def test_the_largest_and_the_smallest_of_an_argument(asked: str, given: Any) -> None:
    f = written(f"def f(p):\n    return {asked} * p[0]\n")
    value, found = rg.value_and_grad(f, strict=True)(given)
    assert value == f(given)
    assert type(found) is type(given)
    h = 1e-6
    for k in range(len(given)):
        near = [v + h * (j == k) for j, v in enumerate(given)]
        assert np.isclose(found[k], (f(near) - value) / h, atol=1e-4)
