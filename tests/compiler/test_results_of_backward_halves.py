"""What the backward half of a call gives is handed out as it is, if it is new memory, and copied if it may not be."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import leaves
from retrograd.transforms.api import source

from ..written import namespace

PROGRAMS = {
    "a product": "def h(x, y):\n    return np.sum(x * y)\n\ndef f(x, y):\n    return h(x, y)\n",
    "a factor that turns out to be 1": "def h(x, y, s):\n    return s * (x @ y), 2.0 / s\n\n"
    "def f(x, y):\n    a, b = h(x, y, 1.0)\n    return a * b / 2.0\n",
    "summed in a loop": "def h(x, y):\n    s = 0.0\n    for k in range(1):\n        s += x @ y\n    return s\n\n"
    "def f(x, y):\n    return 1.0 * h(x, y)\n",
    "the last of a loop": "def h(x, y):\n    for k in range(2):\n        x = x * 1.0 + y\n    return x @ W\n\n"
    "def f(x, y):\n    return h(x, y)\n",
    "an argument written over": "def h(x, y):\n    x[:] = y\n\ndef f(x, y):\n    h(x, y)\n    return np.sum(x * W)\n",
    "an argument added to": "def h(x, y):\n    x += y\n\ndef f(x, y):\n    h(x, y)\n    return np.sum(x * W)\n",
    "two that are one": "def h(x, y):\n    z = x + y\n    return z @ W\n\ndef f(x, y):\n    return h(x, y)\n",
    "a part": "def h(x, y):\n    z = x[1:]\n    z *= y[1:]\n    return z @ W[1:]\n\ndef f(x, y):\n    return h(x, y)\n",
    "recursion": "def h(x, y, n):\n    return h(x * 1.0, y, n - 1) if n else x @ y\n\ndef f(x, y):\n    return h(x, y, 3)\n",
    "containers": "def h(p):\n    return p['x'] @ p['y']\n\ndef f(x, y):\n    return h({'x': x, 'y': y})\n",
    "a rule of one's own": "@rg.custom_gradient\ndef h(x, y):\n    return x @ y\n\n@h.vjp\ndef h_vjp(c, z, x, y):\n"
    "    return c * y, y * 1.0\n\ndef f(x, y):\n    return h(x, y)\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nobody_elses_memory_is_handed_out(name: str, unchecked: None) -> None:
    weights = np.array([1.5, -2.0, 3.0])
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    f = namespace(PROGRAMS[name], W=weights, rg=rg)["f"]
    cotangent = np.array(1.0)
    results = [
        rg.grad(f, wrt=(0, 1))(x, y),
        rg.value_and_grad(f, wrt=(0, 1))(x, y)[1],
        rg.vjp(f, x, y, wrt=(0, 1))[1](cotangent),
    ]
    theirs = [x, y, weights, cotangent]
    for pair in results:
        for a, b in itertools.combinations([*leaves(pair), *theirs], 2):
            assert not np.shares_memory(a, b)
        assert all(g.flags.writeable for g in pair)


def test_a_cotangent_is_left_alone() -> None:
    """Its memory is the caller's, though the backward half may write to it."""
    f = namespace("def h(x, y):\n    x[:] = y * x\n\ndef f(x, y):\n    h(x, y)\n    return x\n")[
        "f"
    ]
    bar = np.array([1.0, 1.0])
    _, pullback = rg.vjp(f, np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    first, second = pullback(bar), pullback(bar)
    assert np.all(bar == 1.0)
    np.testing.assert_array_equal(first, [[3.0, 4.0], [1.0, 2.0]])
    np.testing.assert_array_equal(second, first)
    assert not any(np.shares_memory(g, bar) for g in (*first, *second))


def test_new_memory_is_not_copied() -> None:
    text = "def h(x, A):\n    x += A @ x\n\ndef f(x, A):\n    h(x, A)\n    return np.sum(x * x)\n"
    made: Any = source(namespace(text)["f"], "grad", (0, 1), sig="x: f8[n], A: f8[n, n]")
    assert "rt.copy" not in made
    assert "x_bar, A_bar = h_rev(h_saved, x_bar)\n    return x_bar, A_bar" in made
