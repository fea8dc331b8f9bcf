"""Derivatives that are called in a function which is differentiated: compiled, right to the second order, by themselves."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.transforms.api import source
from tests.programs.inner_derivatives import PROGRAMS, net
from tests.written import namespace, written

X = np.array([0.3, -0.7, 1.1])
STEP = 1e-6
each = pytest.mark.parametrize("f", PROGRAMS.values(), ids=list(PROGRAMS))


def difference(f: Any, along: Any) -> Any:
    return (np.asarray(f(X + STEP * along)) - np.asarray(f(X - STEP * along))) / (2 * STEP)


@pytest.mark.sampled(4)
@each
def test_derivatives_of_both_modes_and_orders(f: Any) -> None:
    slopes = [difference(f, d) for d in np.eye(3)]
    np.testing.assert_allclose(rg.grad(f)(X), slopes, rtol=1e-6, atol=1e-6)
    along = np.array([0.5, -1.0, 0.7])
    np.testing.assert_allclose(rg.jvp(f, (X,), (along,))[1], slopes @ along, rtol=1e-6, atol=1e-6)
    curved = difference(rg.grad(f), along)
    np.testing.assert_allclose(rg.hvp(f, (X,), along), curved, rtol=1e-5, atol=1e-5)


def test_a_whole_jacobian_is_differentiated() -> None:
    def f(x: Any, k: float = 2.0) -> Any:
        return np.sin(k * x) * x[0]

    third = rg.jacobian(rg.jacobian(f))(X)
    slopes = difference(rg.jacobian(f), np.eye(3)[1])
    np.testing.assert_allclose(third[:, :, 1], slopes, rtol=1e-6, atol=1e-8)
    slope = rg.grad(lambda x: np.sum(rg.hessian(lambda y: np.sum(f(y)))(x) ** 2))(X)
    again = rg.vjp(rg.jacobian(f), X)[1](np.ones((3, 3)))[0]
    assert slope.shape == again.shape == (3,)
    np.testing.assert_allclose(again, np.sum(third, axis=(0, 1)), rtol=1e-12)


@each
def test_the_text_stands_alone(f: Any) -> None:
    text = source(f, sig="x: f8[n]")
    scope: dict[str, Any] = {"net_w": net.w}  # an array of the module
    exec(compile(text, "<text>", "exec"), scope)
    code = re.sub(r"#.*", "", text)  # comments quote the program
    assert "rg." not in code and "tape at run time" not in text
    np.testing.assert_allclose(scope[f"{f.__name__}_grad"](X), rg.grad(f)(X), rtol=1e-12)


TEXT = """
def inner(q):
    return np.sum(q ** 3) * SCALE

SCALE = 1.0
force = rg.grad(inner)

def f(x):
    return np.sum(force(x)) + np.sum(rg.grad(inner)(x))
"""


@pytest.mark.parametrize("transform", [rg.grad, lambda f: rg.differentiate(f).grad])
def test_a_changed_inner_function_is_seen(transform: Any) -> None:
    scope = namespace(TEXT, rg=rg)
    slope = transform(scope["f"])
    np.testing.assert_allclose(slope(X), 12 * X)
    scope["SCALE"] = 2.0
    np.testing.assert_allclose(slope(X), 24 * X)
    scope["inner"].__code__ = written(
        "def inner(q):\n    return np.sum(q ** 2) * SCALE\n", "inner"
    ).__code__
    np.testing.assert_allclose(slope(X), [8.0] * 3)
    scope["force"] = rg.grad(written("def other(q):\n    return np.sum(q ** 4)\n", "other"))
    np.testing.assert_allclose(slope(X), 12 * X**2 + 4.0)


REFUSED = {
    "calls its own derivative": "def f(x):\n    return x if x < 0.5 else rg.grad(f)(x / 2) * x\n",
    "has no gradient": "def f(x):\n    return x * rg.grad(lambda n: n * x)(2)\n",
    "no argument": "def f(x):\n    return x * rg.grad(lambda t: t * x, 'y')(x)\n",
    "must return a scalar": "def f(x):\n    return np.sum(rg.grad(lambda t: np.array([t, x]))(x))\n",
    "writes to an array": "def f(x):\n    y = np.ones(2) * x\n    def g(t):\n        y[0] = t\n        return t * t\n"
    "    return rg.grad(g)(x) + y[0]\n",
    "sparse": "def f(x):\n    return np.sum(rg.jacobian(lambda t: t * x, sparse=True)(x))\n",
    "containers": "def f(x):\n    return np.sum(rg.jacobian(lambda t: (t * x, t))(x))\n",
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_is_refused(why: str) -> None:
    with pytest.raises(RetrogradError, match=why):
        rg.grad(written(REFUSED[why], rg=rg))(1.5)


@pytest.mark.parametrize("backend", ["c", "numba"])
def test_kernels_take_them(backend: str) -> None:
    f = PROGRAMS["leapfrog"]
    np.testing.assert_allclose(rg.grad(f, backend=backend)(X), rg.grad(f)(X), rtol=1e-12)
