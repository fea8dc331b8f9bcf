"""Choices between elements of short rows: each under its own condition, whatever the C compiler makes of it."""

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.filterwarnings("error")


def ratio(x, a):
    return np.sum(np.where(a > 0.5, x / (1.0 + a), 0.0) ** 2)


def either(x, a):
    return np.sum(np.where(a < 0.3, a * x, x * x))


def both(x, a):
    return np.sum(np.where((a > 0.2) & (x > 0.0), a * x, 0.0))


def clipped(x, a):
    return np.sum(np.maximum(x, 0.0) / np.sqrt(a + np.maximum(a - x, 0.0)))


def spread(x, a):
    return np.sum(x * np.std(a, axis=0)) + np.sum(np.std(x, axis=0) / (1 + a[0]))


@pytest.mark.parametrize("loss", [ratio, either, both, clipped, spread])
@pytest.mark.parametrize("width", [2, 3, 5, 6])
def test_rows_of_a_few_columns(loss, width):
    rng = np.random.default_rng(0)
    text = rg.value_and_grad(loss, wrt=(0, 1))
    kernel = rg.value_and_grad(loss, wrt=(0, 1), backend="c")
    for rows in (9, 16, 33):
        x, a = rng.normal(size=(rows, width)), rng.uniform(size=(rows, width))
        x[rng.uniform(size=x.shape) < 0.3] = 0.0
        a[:, rng.integers(width)] = 0.25
        want = text(x, a)
        for _ in range(2):
            got = kernel(x, a)
            np.testing.assert_allclose(got[0], want[0], rtol=1e-12)
            for one, other in zip(got[1], want[1], strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
