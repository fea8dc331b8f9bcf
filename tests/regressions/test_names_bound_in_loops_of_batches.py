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


def of_a_shared_branch(x: Any, y: Any) -> Any:
    if np.sum(x) > 0.0:
        pass
    else:
        row = y * 2.0
    if y * y > 0.2:
        for row in x:
            if y * row > 0.5:
                return row * y
    return y


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_a_name_that_a_branch_of_all_examples_does_not_bind() -> None:
    x, y = np.array([0.3, 1.2, 0.5]), np.array([0.3, 0.5, 1.0])
    each = rg.grad(of_a_shared_branch, (0, 1))
    slopes = [each(x, v) for v in y]
    batch = rg.vmap(of_a_shared_branch, in_axes=(None, 0))
    np.testing.assert_allclose(batch(x, y), [of_a_shared_branch(x, v) for v in y], rtol=1e-13)
    found = rg.vmap(each, in_axes=(None, 0))(x, y)
    for k in range(2):
        np.testing.assert_allclose(found[k], [s[k] for s in slopes], rtol=1e-13)
    _, pull = rg.vjp(batch, x, y, wrt=(0, 1))
    x_bar, y_bar = pull(np.ones(3))
    np.testing.assert_allclose(x_bar, sum(s[0] for s in slopes), rtol=1e-13)
    np.testing.assert_allclose(y_bar, [s[1] for s in slopes], rtol=1e-13)
