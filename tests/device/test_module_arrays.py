"""Arrays of the device that a program reads from its module, a closure, or an object there."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.cupy
X = np.linspace(0.1, 1.0, 4)

W: Any = None  # weights
PLACES: Any = None
MASK: Any = None
TREE: Any = None  # a dict and an object with the weights in it
MODEL: Any = None


def product(x):
    return np.sum(W * x)


def dot(x):
    return np.dot(W, x) + W.dot(x) + W @ x


def written(x):
    y = x.copy()
    y[1:] = W[1:] * x[:-1]
    return np.sum(y)


def attributes(x):
    return np.sum(W.T * x) * W.shape[0] * W.ndim + len(W)


def goes_over(x):
    total = 0.0
    for w in W:
        total = total + w * x[0]
    return total


def counted(x):
    return sum(w * x[k] for k, w in enumerate(W))


def places(x):
    return np.sum(x[PLACES] ** 2)


def chosen(x):
    return np.sum(np.where(MASK, x, 0.0) ** 2) + np.sum(x[MASK])


def of_tree(x):
    return np.sum(TREE["w"] * x) + np.sum(MODEL.w * x**2)


def interpolated(x):
    return np.sum(np.interp(x, W, W**2))


def item(x):
    return W[2] * np.sum(x**3)


def asked(x):
    return np.sum(x) if W[0] > 0 else np.sum(x**2)


def in_a_closure() -> Any:
    v = W

    def f(x):
        return np.sum(np.tanh(v * x))

    return f


PROGRAMS = (
    product, dot, written, attributes, goes_over, counted, places, chosen, of_tree, interpolated, item, asked, in_a_closure,
)  # fmt: skip


def at(f: Any, library: Any) -> Any:
    """The gradient where all arrays are one library's."""
    global W, PLACES, MASK, TREE, MODEL
    W = library.asarray(np.linspace(0.5, 2.0, 4))
    PLACES = library.asarray(np.array([0, 2, 2]))
    MASK = library.asarray(np.array([True, False, True, True]))
    TREE, MODEL = {"w": W}, types.SimpleNamespace(w=W)
    f = rg.differentiate(f() if f is in_a_closure else f, check="always")
    return rg.grad(f)(library.asarray(X))


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_program_reads_them(cupy: Any, f: Any) -> None:
    np.testing.assert_allclose(at(f, cupy).get(), at(f, np), 1e-12)
