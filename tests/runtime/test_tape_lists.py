"""Lists in the places of numbers that carry no derivative, on the tape: counts, orders, weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import retrograd as rg
from retrograd.transforms.api import Chain
from retrograd.transforms.specialise.eager_fallback import eager_vjp

X = np.array([0.3, 0.5, 0.9])
CALLS: dict[str, Callable[[Any], Any]] = {
    "counts": lambda x: stats.poisson.logpmf([0, 1, 2], x),
    "counts by name": lambda x: stats.poisson.pmf(k=[0, 1, 2], mu=x),
    "counts of a frozen one": lambda x: stats.poisson(x).pmf(k=[0, 1, 2]),
    "two lists": lambda x: stats.binom.pmf((0, 1, 2), [5, 6, 7], x),
    "orders of Bessel functions": lambda x: special.jv([0, 1, 2], x),
    "orders of polynomials": lambda x: special.eval_legendre([0, 1, 2], x),
    "orders of derivatives": lambda x: special.polygamma([0, 1, 2], x),
    "exponents": lambda x: np.ldexp(x, [1, 2, 3]),
    "several choices in one array": lambda x: np.select(np.outer(x, X) > 0.2, np.outer(x, X), x),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_tape_agrees_with_compiled_text(name: str) -> None:
    f = CALLS[name]
    value, pull = rg.vjp(f, X)
    on_tape, back = eager_vjp(Chain(f), Chain(f).positions((0,))[0], [X])
    np.testing.assert_array_equal(value, f(X))
    np.testing.assert_array_equal(on_tape, f(X))
    slope = (f(X + 1e-6) - f(X - 1e-6)) / 2e-6
    for bar in (pull(np.ones(3)), back(np.ones(3))[0]):
        assert np.sum(bar) == pytest.approx(np.sum(slope), rel=1e-6)
