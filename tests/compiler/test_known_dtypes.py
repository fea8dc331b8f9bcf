"""What follows from the dtype of an argument is known: no helper that asks for it is in the way of its derivative.

A dtype that is known when the function runs only is one of floats, or is refused: whole numbers keep nothing of what
is written into them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.written import written

ndimage = pytest.importorskip("scipy.ndimage")
FLOATS = {"f": np.float32, "d": np.float64}
X = np.array([0.3, 1.7, 1.1])


def by_tuple(t):
    if isinstance(t, tuple):
        return np.result_type(*(by_tuple(d) for d in t))
    return FLOATS.get(np.dtype(t).char, np.float64)


def by_kind(t):
    if t.kind == "c":
        raise ValueError("complex")
    return t if t.kind == "f" else np.dtype(float)


def by_entry(t):
    return FLOATS[t.char]


def promoted(t):
    return np.promote_types(t, np.float32)


def of_several(t):
    return np.result_type(t, np.float32, 1.0)


def by_comparison(t):
    return np.float32 if t == np.float32 else np.float64


def by_class(t):
    return t if np.issubdtype(t, np.floating) else np.float64


def by_choice(t):
    return t if t in (np.float32, np.float64) else np.float64


HELPERS = [by_tuple, by_kind, by_entry, promoted, of_several, by_comparison, by_class, by_choice]
USES = {
    "astype": "np.sum(x.astype(helper(x.dtype), copy=False) ** 2)",
    "asarray": "np.sum(np.asarray(x, dtype=helper(x.dtype)) ** 2)",
    "zeros": "np.sum(written_into(np.zeros(x.shape, dtype=helper(x.dtype)), x))",
    "ufunc": "np.sum(np.exp(x, dtype=helper(x.dtype)))",
    "filter": "np.sum(nd.uniform_filter(x, 3, output=helper(x.dtype)) ** 2)",
    "filter by place": "np.sum(nd.gaussian_filter(x, 1.0, 0, helper(x.dtype)) ** 2)",
    "several": "np.sum(np.deg2rad((x[0], x[1]), dtype=helper(x.dtype)) ** 2)",
}
PROGRAM = """
def written_into(y, x):
    y[:] = x
    return y * y

def f(x):
    return {use}
"""


@pytest.mark.parametrize("helper", HELPERS, ids=lambda h: h.__name__)
@pytest.mark.parametrize("use", USES)
def test_it_is_known(use: str, helper: Callable[..., Any]) -> None:
    f = written(PROGRAM.format(use=USES[use]), helper=helper, nd=ndimage)
    found = rg.grad(f, strict=True)(X)
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    assert found.dtype == X.dtype
    if use in ("astype", "asarray"):
        assert "helper" not in rg.differentiate(f).source("grad", X)


def late(name):
    return {"int": int, "float": float, "single": np.float32}[json.loads(name)]


LATE = {
    "zeros": "y = np.zeros(3, dtype=late(k))\n    y[:] = x\n    return np.sum(y * y)",
    "entry by entry": "y = np.empty(3, late(k))\n    for i in range(3):\n        y[i] = x[i] ** 2\n    return np.sum(y)",
    "like": "y = np.ones_like(x, dtype=late(k))\n    y[1] = x[0]\n    y[2] *= x[1]\n    return np.sum(y)",
    "augmented": "y = np.zeros(3, dtype=late(k))\n    y += x\n    return np.sum(y * y)",
    "filter": "y = np.zeros(3, late(k))\n    nd.uniform_filter(x, 3, output=y)\n    return np.sum(y * y)",
    "astype": "return np.sum(x.astype(late(k)) * x)",
    "asarray": "return np.sum(np.asarray(x, late(k)) * x)",
}


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", ["int", "float", "single"])
@pytest.mark.parametrize("use", LATE)
def test_of_one_known_when_it_runs_it_is_right_or_refused(
    use: str, name: str, unchecked: None
) -> None:
    f = written(f"def f(x, k):\n    {LATE[use]}\n", late=late, nd=ndimage)
    k = json.dumps(name)
    step = 1e-3 if name == "single" else 1e-6
    try:
        expected = [(f(X + h, k) - f(X - h, k)) / (2 * step) for h in step * np.eye(3)]
        found = rg.grad(f)(X, k)
    except (RetrogradError, np.exceptions.DTypePromotionError, TypeError):
        return
    np.testing.assert_allclose(found, expected, rtol=2e-3 if name == "single" else 1e-6)


@pytest.mark.parametrize(
    "call", ["nd.uniform_filter(x, 3, output=made(3))", "nd.uniform_filter(x, 3, made(3))"]
)
def test_what_is_written_into_an_object_nobody_knows_is_right_or_refused(
    call: str, unchecked: None
) -> None:
    f = written(
        f"def f(x):\n    y = made(3)\n    {call.replace('made(3)', 'y')}\n    return np.sum(y)\n",
        made=lambda n: {json.loads("1"): np.zeros(n)}[1], nd=ndimage,
    )  # fmt: skip
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    try:
        found = rg.grad(f)(X)
    except RetrogradError:
        return
    np.testing.assert_allclose(found, expected, rtol=1e-6)
