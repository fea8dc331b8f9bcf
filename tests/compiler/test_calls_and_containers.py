"""Programs about calls and containers: value, gradient, both modes, second order."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg
from tests.programs import calls, containers

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
