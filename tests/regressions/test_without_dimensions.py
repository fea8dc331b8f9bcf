"""Numbers, arrays without dimensions, of size 1 and of no size, given to what reduces and reshapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

import retrograd as rg

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: np.sum(np.sin(np.sum(x, axis=0, keepdims=True))),
    "mean of an axis": lambda x: np.sum(np.mean(x, axis=-1)),
    "mean": lambda x: np.sum(np.mean(x, keepdims=True)),
    "logsumexp": lambda x: np.sum(logsumexp(x, axis=0, keepdims=True)),
    "take": lambda x: np.sum(np.take(x, [0, -1], axis=0) ** 2),
    "take one": lambda x: np.sum(np.take(x, 0) ** 2),
    "repeat": lambda x: np.sum(np.repeat(x, 2, axis=0) ** 2),
    "cumsum": lambda x: np.sum(np.cumsum(x) ** 2),
    "max": lambda x: np.sum(np.max(x, axis=None, initial=-5.0)),
    "norm": lambda x: np.linalg.norm(np.ravel(x)),
    "stack": lambda x: np.sum(np.stack([x, x], axis=-1) ** 2),
    "append": lambda x: np.sum(np.append(x, x) ** 2),
    "at least": lambda x: np.sum(np.atleast_2d(x) ** 2),
    "expand": lambda x: np.sum(np.expand_dims(x, -1) ** 2),
}
ARGUMENTS = {
    "number": 0.7, "no dimensions": np.array(0.7), "one": np.array([0.7]), "nothing": np.zeros(0),
}  # fmt: skip
# The mean of nothing is nan, and its gradient still divides by a size of 0.
CASES = [
    (f, a) for f in FUNCTIONS for a in ARGUMENTS if not (f.startswith("mean") and a == "nothing")
]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_gradient_or_the_error_of_the_function(name: str, kind: str) -> None:
    f, x = FUNCTIONS[name], ARGUMENTS[kind]
    try:
        wanted = f(x)
    except Exception as error:
        with pytest.raises(type(error)):
            rg.value_and_grad(f)(x)
        return
    value, gradient = rg.value_and_grad(f)(x)
    np.testing.assert_array_equal(value, wanted)
    assert np.shape(gradient) == np.shape(x)
    if np.size(x):
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        assert np.sum(gradient) == pytest.approx(slope, rel=1e-6)


def written_behind_an_ellipsis(x, A, s):
    kept = x > -1.03
    mean = np.sum(x * kept) / max(np.sum(kept), 1)
    halves = np.zeros_like(x)
    halves[::2] = x[::2] ** 2
    mask = np.abs(np.vstack((halves, halves)).sum(axis=0)) < 50.0
    m = np.eye(4) * 0.6
    t = np.sin(mean)
    m[..., 1, 2] = 2 * t
    m[..., 2, 1] = t
    return np.sum(np.sin(m)) + np.sum(mask)


def test_an_entry_behind_an_ellipsis_is_a_view() -> None:
    """``m_bar[..., 2, 1]`` is an array of rank 0 that shows ``m_bar``; helpers hand it on, and it is zeroed then."""
    args = np.array([0.197, 0.883, -0.751]), np.eye(3), -0.621
    scope: dict[str, Any] = {}
    exec(rg.differentiate(written_behind_an_ellipsis).source("grad"), scope)
    generic = scope["written_behind_an_ellipsis_grad"](*args)
    np.testing.assert_allclose(generic, rg.grad(written_behind_an_ellipsis)(*args), rtol=1e-12)
