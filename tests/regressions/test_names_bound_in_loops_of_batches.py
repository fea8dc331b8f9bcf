"""A name that a loop binds first, read afterwards where examples run one after the other: its derivative asks for a shape of None."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.random.default_rng(0).normal(size=(3, 2))


def of_a_list(chosen: Any) -> Any:
    for i in reversed(range(1, 4)):  # noqa: B007
        size = np.array(np.ones(4) + np.mean(chosen[1]))
        y = np.sqrt(1.0 + np.hstack((chosen[0], np.full((1,), size.mean()))) ** 2).copy()
    c = y[-1::-2]
    c[1] = c[i % 2]
    return np.mean(y)


def written(x: Any) -> Any:
    for i in range(len(x)):  # noqa: B007
        y = np.cos(np.hstack((x, np.full((1,), 0.7))))
    c = y[::-2]
    c[1] = c[i % 2]
    return np.mean(y)


def chosen_from(x: Any) -> Any:
    for _ in range(3):
        y = np.cos(np.hstack((x, np.full((1,), 0.7))))
    if y[0] > 0.5:
        y[1] = y[0] * y[2]
    out = []
    for v in y:
        if v > 0.5:
            out.append(v * v)
    return sum(out)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
@pytest.mark.parametrize(("fn", "given"), [(of_a_list, [X, 2 * X]), (written, X), (chosen_from, X)])
def test_gradients_of_each(fn: Any, given: Any) -> None:
    found = rg.vmap(rg.grad(fn))(given)
    for k in range(3):
        one = [x[k] for x in given] if isinstance(given, list) else given[k]
        wanted = rg.grad(fn)(one)
        each = [x[k] for x in found] if isinstance(given, list) else found[k]
        np.testing.assert_allclose(np.stack([each]), np.stack([wanted]), rtol=1e-12)
