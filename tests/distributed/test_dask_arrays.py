"""Dask arrays in a gradient: by blocks where the program is a sum or a mean over rows; which programs are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.sparsity.row_sums import NotOverRows, over_rows
from retrograd.transforms.specialise.compile import lowered
from retrograd.transforms.transformed_function import chain_of, unwrap

rng = np.random.default_rng(3)
X, Y = rng.normal(size=(60, 3)), rng.normal(size=60)
P = {"w": rng.normal(size=3), "v": rng.normal(size=(3, 3)), "b": 0.5}
SHARED = rng.normal(size=60)


def squares(p: Any, x: Any, y: Any) -> Any:
    return np.sum((np.tanh(x @ p["w"] + p["b"]) - y) ** 2)


def mean(p: Any, x: Any, y: Any) -> Any:
    return np.mean((x @ p["w"] - y) ** 2) + 0.1 * np.sum(p["w"] ** 2)


def by_length(p: Any, x: Any, y: Any) -> Any:
    r = x @ p["w"] - y
    return r @ r / len(x)


def by_shape(p: Any, x: Any, y: Any) -> Any:
    n = x.shape[0]
    return 0.5 / n * np.sum(np.log1p(np.exp(-y * (x @ p["w"]))))


def by_size(p: Any, x: Any, y: Any) -> Any:
    return ((x @ p["w"] - y) ** 2).sum() / y.size


def layers(p: Any, x: Any, y: Any) -> Any:
    h = x
    for k in range(3):
        h = np.tanh(h @ p["v"] + k)
    return np.sum((h.sum(axis=1) - y) ** 2)


def softmax(p: Any, x: Any, y: Any) -> Any:
    z = x @ p["v"]
    z = z - np.max(z, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[:, 0] + 0.0 * y)


def columns(p: Any, x: Any, y: Any) -> Any:
    return np.sum(np.where(x[:, 0] > 0, x[:, 1] * p["w"][0], y * p["b"]))


def turned(p: Any, x: Any, y: Any) -> Any:
    return np.sum(p["w"] @ x.T * y)


def moments(p: Any, x: Any, y: Any) -> Any:
    return p["w"] @ (x.T @ y)


def helped(p: Any, x: Any, y: Any) -> Any:
    return squares(p, x, y) - 2.0 * moments(p, x, y)


def scaled_back(p: Any, x: Any, y: Any) -> Any:
    return np.mean(x @ p["w"] * y) * len(y)


def extra_axis(p: Any, x: Any, y: Any) -> Any:
    return np.mean((x * p["w"] - y[:, None]) ** 2)


def unpacked(p: Any, x: Any, y: Any) -> Any:
    n, d = x.shape
    return np.sum(x @ p["w"] * y) / n + 0.1 * d


def a_column_each(p: Any, x: Any, y: Any) -> Any:
    h = y
    for k in range(3):
        h = h + x[:, k] * p["w"][k]
    return np.sum(h**2)


SUMS = (squares, layers, columns, turned, moments, helped, scaled_back, a_column_each)
MEANS = (mean, by_length, by_shape, by_size, softmax, extra_axis, unpacked)


def regularised(p: Any, x: Any, y: Any) -> Any:
    return np.sum((x @ p["w"] - y) ** 2) + np.sum(p["w"] ** 2)


def centred(p: Any, x: Any, y: Any) -> Any:
    return np.sum((x - x.mean(0)) @ p["w"] * y)


def root(p: Any, x: Any, y: Any) -> Any:
    return np.sqrt(np.sum((x @ p["w"] - y) ** 2))


def norm(p: Any, x: Any, y: Any) -> Any:
    return np.linalg.norm(x @ p["w"] - y)


def largest(p: Any, x: Any, y: Any) -> Any:
    return np.max(x @ p["w"] - y)


def some_rows(p: Any, x: Any, y: Any) -> Any:
    return np.sum((x @ p["w"] - y)[:10])


def differences(p: Any, x: Any, y: Any) -> Any:
    return np.sum(np.diff(x @ p["w"]) * 1.0) + 0.0 * np.sum(y)


def by_position(p: Any, x: Any, y: Any) -> Any:
    return np.sum(SHARED * (x @ p["w"] - y))


def pairs(p: Any, x: Any, y: Any) -> Any:
    return np.sum(np.exp(-((y[:, None] - y) ** 2)) * p["b"])


def cumulated(p: Any, x: Any, y: Any) -> Any:
    return np.sum(np.cumsum(x @ p["w"]) * y)


def decided(p: Any, x: Any, y: Any) -> Any:
    r = x @ p["w"] - y
    return np.sum(r) if np.sum(r) > 0 else -np.sum(r)


def a_loop(p: Any, x: Any, y: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        total = total + (x[k] @ p["w"] - y[k]) ** 2
    return total


def squared_sum(p: Any, x: Any, y: Any) -> Any:
    return np.sum(x @ p["w"]) * np.sum(y)


def gram(p: Any, x: Any, y: Any) -> Any:
    return np.sum((x @ x.T) @ y * p["b"])


def variance(p: Any, x: Any, y: Any) -> Any:
    return np.var(x @ p["w"] - y)


def shared_mean(p: Any, x: Any, y: Any) -> Any:
    return np.nanmean(x @ p["w"] - y)


def norm_of_order(p: Any, x: Any, y: Any) -> Any:
    return np.sum(np.linalg.norm(x * p["b"], 1) * y)


LIST = [float(k) for k in range(60)]


def by_a_list(p: Any, x: Any, y: Any) -> Any:
    return np.sum(y * np.array(LIST)) * p["b"]


def last_of_shape(p: Any, x: Any, y: Any) -> Any:
    return np.sum(x @ p["w"]) * x.shape[-2]


def builtin(p: Any, x: Any, y: Any) -> Any:
    return np.sum(sum(x.T) * y * p["b"] + max(y))


def itself(p: Any, x: Any, y: Any) -> Any:
    return itself(p, 0.5 * x, y) if p["b"] > 1.0 else np.sum(x @ p["w"]) + np.sum(y)


def deep(p: Any, x: Any, y: Any) -> Any:
    total = p["b"]
    for k in range(2):
        for j in range(2):
            if k == j:
                total = total * np.mean(y)
    return total


def drawn(p: Any, x: Any, y: Any) -> Any:
    return np.sum(y) * p["b"] * np.random.normal()


REFUSED = (norm_of_order, by_a_list, last_of_shape, builtin, itself, deep, drawn,
    regularised, centred, root, norm, largest, some_rows, differences, by_position, pairs, cumulated,
    decided, a_loop, squared_sum, gram, variance, shared_mean,
)  # fmt: skip


def found(f: Callable[..., Any]) -> str:
    chain = chain_of(f)
    types = chain.types([P, X, Y])
    return over_rows(lowered(chain.fn, chain.own(types), (), unwrap, False)[0], [1, 2])


@pytest.mark.parametrize("f", [*SUMS, *MEANS], ids=lambda f: f.__name__)
def test_what_is_found_is_so(f: Callable[..., Any]) -> None:
    """The value of all rows is that of blocks, put together as the analysis says."""
    kind = found(f)
    assert kind == ("sum" if f in SUMS else "mean")
    bounds = [(0, 7), (7, 30), (30, 60)]
    values = np.array([f(P, X[i:j], Y[i:j]) for i, j in bounds])
    rows = np.array([j - i for i, j in bounds]) / 60
    whole = values.sum() if kind == "sum" else values @ rows
    np.testing.assert_allclose(whole, f(P, X, Y), rtol=1e-12)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_is_no_sum_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises((NotOverRows, rg.errors.CompileError)):
        found(f)


# -- with dask --------------------------------------------------------------------------------------


@pytest.fixture
def arrays() -> Any:
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    return da.from_array(X, chunks=(17, 2)), da.from_array(Y, chunks=20)


@pytest.mark.parametrize("f", [squares, mean, softmax], ids=lambda f: f.__name__)
def test_gradients_by_blocks(f: Callable[..., Any], arrays: Any) -> None:
    for transform in (rg.grad, rg.value_and_grad):
        ours, wanted = transform(f)(P, *arrays), transform(f)(P, X, Y)
        ours, wanted = (ours, wanted) if transform is rg.grad else (ours[1], wanted[1])
        for name in P:
            np.testing.assert_allclose(ours[name], wanted[name], rtol=1e-10, atol=1e-12)


def test_blocks_whose_rows_are_not_known(arrays: Any) -> None:
    x, y = arrays[0].rechunk((20, 3)), arrays[1]
    known = y > -10
    slope = rg.grad(squares)(P, x[known], y[known])
    np.testing.assert_allclose(slope["w"], rg.grad(squares)(P, X, Y)["w"], rtol=1e-10)


@pytest.mark.parametrize(
    "call",
    [
        lambda x, y: rg.grad(centred)(P, x, y),
        lambda x, y: rg.grad(regularised)(P, x, y),
        lambda x, y: rg.grad(squares, wrt="x")(P, x, y),
        lambda x, y: rg.grad(rg.grad(lambda b, y: np.sum(b * y)))(1.0, y),
        lambda x, y: rg.jacobian(lambda b, y: b * y)(1.0, y),
        lambda x, y: rg.vjp(squares, P, x, y),
        lambda x, y: rg.jvp(squares, (P, x, y), (P, None, None)),
        lambda x, y: rg.hvp(squares, (P, x, y), P),
        lambda x, y: rg.grad(lambda d: np.sum(d["x"] ** 2))({"x": x}),
    ],
)
def test_what_does_not_go_says_what_does(call: Callable[..., Any], arrays: Any) -> None:
    with pytest.raises(rg.errors.SignatureMismatch, match=r"dask array.*rg\.distributed"):
        call(*arrays)
