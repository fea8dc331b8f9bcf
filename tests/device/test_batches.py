"""Batches of CuPy's arrays: what a batch gives on the host, without a transfer beside the checks'."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..strict_cupy import no_transfers
from .golden_on_device import down, up

pytestmark = pytest.mark.cupy

RNG = np.random.default_rng(0)
W, X, Y = RNG.normal(size=(3, 2)), RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2))
K = RNG.normal(size=(5, 4, 4))
SPD = K @ np.swapaxes(K, 1, 2) + 4.0 * np.eye(4)


def loss(w, x, y):
    p = np.tanh(x @ w)
    return np.sum((p - y) ** 2)


def fit(params, x):
    return np.sum((params["a"] * x + params["b"]) ** 2)


def chosen(x):
    return np.sum(x) if x[0] > 0.0 else np.prod(x)


def halved(x):
    while x > 0.1:
        x = x / 2.0
    return x * x


def written(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = x[i] ** 2
    out[1:] += x[:2]
    return np.sum(out * x)


def picked(x, k):
    return x[k] * np.sum(x)


def solved(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def marginal(a, b):
    low = np.linalg.cholesky(a)
    z = np.linalg.solve(low, b)
    return 0.5 * z @ z + np.sum(np.log(np.diagonal(low)))


def spectral(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(3.0))


def pieces(x):
    return np.concatenate([np.cumsum(x), np.sort(x), np.where(x > 0.0, x, 0.1 * x)])


PARAMS = {"a": np.arange(5.0), "b": np.arange(5.0) - 1.0}
SCALAR = {
    "loss": (loss, (None, 0, 0), [W, X, Y]),
    "every": (loss, 0, [np.stack([W] * 5), X, Y]),
    "fit": (fit, (0, None), [PARAMS, X[0]]),
    "chosen": (chosen, 0, [X]),
    "halved": (halved, 0, [np.abs(X[:, 0])]),
    "written": (written, 0, [X]),
    "picked": (picked, 0, [X, np.array([0, 2, 1, 1, 0])]),
    "solved": (solved, 0, [SPD, K[:, 0]]),
    "marginal": (marginal, 0, [SPD, K[:, 0]]),
    "spectral": (spectral, 0, [X]),
    "columns": (loss, (None, 1, 0), [W, np.ascontiguousarray(X.T), Y]),
}


def close(cupy: Any, found: Any, wanted: Any) -> None:
    from retrograd.runtime.objects.pytree import leaves

    for one, other in zip(leaves(down(cupy, found)), leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


WORDS = ("vmap", "grad", "value_and_grad", "hessian", "inside")
LEFT_OUT = {  # on the device
    *((word, "halved") for word in ("grad", "value_and_grad", "hessian")),  # counts of a `while`
    ("hessian", "fit"),  # of a container: the host has it on the tape
}


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
@pytest.mark.parametrize(
    ("word", "name"), [(w, n) for w in WORDS for n in SCALAR if (w, n) not in LEFT_OUT]
)
def test_every_derivative_is_the_hosts(word: str, name: str, cupy: Any) -> None:
    f, axes, args = SCALAR[name]
    if word == "inside":
        made = rg.grad(lambda *args: np.sum(rg.vmap(f, axes)(*args)))
    else:
        made = rg.vmap(f if word == "vmap" else getattr(rg, word)(f), axes)
    wanted = made(*args)
    found = made(*up(cupy, args))
    close(cupy, found, wanted)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_arrays_of_a_result(cupy: Any) -> None:
    close(cupy, rg.vmap(pieces)(up(cupy, X)), rg.vmap(pieces)(X))
    close(cupy, rg.vmap(rg.jacobian(pieces))(up(cupy, X)), rg.vmap(rg.jacobian(pieces))(X))


@pytest.mark.parametrize("name", ["loss", "every", "fit", "columns", "spectral", "solved"])
def test_nothing_comes_to_the_host(name: str, cupy: Any) -> None:
    """But for the check of the first result."""
    f, axes, args = SCALAR[name]
    made = rg.vmap(rg.grad(f), axes)
    given = up(cupy, args)
    made(*given)
    with no_transfers():
        made(*given)
