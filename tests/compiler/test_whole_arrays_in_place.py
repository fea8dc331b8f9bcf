"""``x += v``, ``x -= v``, ``x[:] = v``: the adjoint of what stood there, and what may be subtracted by adding."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.api import source

from ..written import namespace

STATEMENTS = {
    "added": "x += y",
    "subtracted": "x -= y * x",
    "itself": "x += x",
    "turned": "x -= x[::-1]",
    "a row": "x += y[0]",
    "a number": "x -= y[0, 0]",
    "its mean": "x -= np.mean(x, axis=0)",
    "times": "x *= y",
    "divided": "x /= 2.0 + y * y",
    "everything": "x[:] = x * y",
    "every row and column": "x[:, :] = y @ x",
    "an ellipsis": "x[...] = np.sin(x)",
    "a constant": "x[:] = 2.0",
    "a part after all": "x[:] = x * y\n    x[1] = x[0] * y[1]",
    "all after a part": "x[1] = x[0] * y[1]\n    x[:] = x * y\n    x += x[0]",
    "a view": "v = x[1:]\n    v += y[1:]\n    v *= x[0]",
    "in a loop": "for k in range(2):\n        x += y * x\n        x[:] = x[::-1] * y\n        x -= 1",
    "on one side": "if x[0, 0] > 0:\n        x[:] = x * y\n    else:\n        x += y",
    "rows": "for row in x:\n        row -= row[0] * y[0]",
}
PLACES = {
    "the argument": "def f(x, y):\n    {0}\n    return np.sum(x * x * w) + np.sum(x)\n",
    "an array made here": "def f(x, y):\n    x = x * y\n    z = x\n    {0}\n    return np.sum(z * x * w)\n",
    "in a helper": "def g(x, y):\n    {0}\n\ndef f(x, y):\n    g(x, y)\n    return np.sum(x * x * w)\n",
    "a part, in a helper": "def g(x, y):\n    {0}\n\ndef f(x, y):\n    z = np.concatenate([x, x * y])\n"
    "    g(z[1:3], y)\n    g(z[2:4], y)\n    return np.sum(z * z) + np.sum(z[1:3] * w)\n",
}
CASES = list(itertools.product(STATEMENTS, PLACES))
WEIGHTS = np.array([[0.3, -1.1], [0.7, 0.2]])
X, Y = np.array([[0.4, 0.9], [-0.6, 1.2]]), np.array([[0.8, -0.3], [0.5, 1.1]])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("statement", "place"), CASES)
def test_the_adjoint_of_what_stood_there(statement: str, place: str, unchecked: None) -> None:
    f = namespace(PLACES[place].format(STATEMENTS[statement]), w=WEIGHTS)["f"]
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=(2, 2, 2))

    def along(t: float) -> Any:
        return X + t * u, Y + t * v

    value, gradients = rg.value_and_grad(f, wrt=(0, 1))(*along(0.0))
    assert value == pytest.approx(f(*along(0.0)), rel=1e-14)
    h = 1e-6
    slope = (f(*along(h)) - f(*along(-h))) / (2 * h)
    assert np.sum(gradients[0] * u) + np.sum(gradients[1] * v) == pytest.approx(slope, rel=1e-7)
    assert rg.jvp(f, along(0.0), (u, v))[1] == pytest.approx(slope, rel=1e-7)
    ahead, behind = (rg.grad(f, wrt=(0, 1))(*along(t)) for t in (h, -h))
    for a, b, found in zip(ahead, behind, rg.hvp(f, along(0.0), (u, v), wrt=(0, 1)), strict=True):
        np.testing.assert_allclose(found, (a - b) / (2 * h), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("statement", ["x += y * y", "x -= y", "x[:] = x * y", "x *= y"])
def test_nothing_is_set_to_zero_and_added_to(statement: str) -> None:
    f = namespace(PLACES["in a helper"].format(statement), w=WEIGHTS)["f"]
    text = source(f, "grad", (0, 1), sig="x: f8[n, m], y: f8[n, m]")
    assert "= 0.0" not in text.partition("g_rev")[2].partition("def f")[0]


SUBTRACTED = {
    "x[1:] -= u[1:]": "a slice",
    "x[1] -= u[1]": "an element",
    "x -= u": "all of it",
    "y = x * 2\n    y[1:] -= u[1:]\n    y -= u\n    x += y": "of an array made here",
}  # fmt: skip
DTYPES = ("uint8", "uint64", "int8", "int64", "bool", "float32", "float64")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("statement", SUBTRACTED, ids=list(SUBTRACTED.values()))
def test_what_has_no_negative_is_subtracted(statement: str, dtype: str, unchecked: None) -> None:
    """An unsigned number's is a large one, the least of a kind its own, and booleans have none."""
    f = namespace(f"def f(x, u):\n    {statement}\n    return np.sum(x * x)\n")["f"]
    u = np.array([1, 0, -128 if dtype == "int8" else 3]).astype(dtype)
    x = np.array([0.5, -1.0, 2.0])
    value, gradient = rg.value_and_grad(f)(x.copy(), u)
    assert value == f(x.copy(), u)
    after = x.copy()
    f(after, u)
    scale = 6.0 if statement.startswith("y") else 2.0
    np.testing.assert_allclose(gradient, scale * after, rtol=1e-6)
