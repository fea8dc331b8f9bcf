"""Operations of PyTensor's made of functions of arrays."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytensor = pytest.importorskip("pytensor")
pt = pytest.importorskip("pytensor.tensor")

from pytensor.gradient import hessian, verify_grad  # noqa: E402
from pytensor.graph.replace import vectorize_graph  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)
DATA = RNG.normal(size=3)


def likelihood(theta: Any, data: Any) -> Any:
    return -0.5 * np.sum((data - np.sin(theta)) ** 2)


def product(a: Any, b: Any) -> Any:
    return np.tanh(a @ b)


def two(a: Any, n: Any) -> Any:
    return a * n, np.sum(a**2)


def test_value_and_gradient_are_found_together() -> None:
    theta = pt.dvector()
    y = rg.pytensor.op(likelihood)(theta, DATA)
    both = pytensor.function([theta], [y, pt.grad(y, theta)])
    x = RNG.normal(size=3)
    value, slope = both(x)
    np.testing.assert_allclose(value, likelihood(x, DATA))
    np.testing.assert_allclose(slope, rg.grad(likelihood)(x, DATA))
    np.testing.assert_allclose(hessian(y, theta).eval({theta: x}), rg.hessian(likelihood)(x, DATA))


def test_gradients_of_arrays() -> None:
    verify_grad(rg.pytensor.op(product, 1), [RNG.normal(size=(3, 3)), RNG.normal(size=3)], rng=RNG)
    a, b = pt.dmatrix(), pt.dvector()
    z = pt.sum(rg.pytensor.op(product, 1)(a, b) ** 2)
    second = pt.grad(pt.sum(pt.grad(z, b) ** 2), a)
    x, y = RNG.normal(size=(3, 3)), RNG.normal(size=3)

    def squares(a: Any, b: Any) -> Any:
        return np.sum(product(a, b) ** 2)

    def of_slopes(a: Any, b: Any) -> Any:
        return np.sum(rg.grad(squares, 1)(a, b) ** 2)

    np.testing.assert_allclose(second.eval({a: x, b: y}), rg.grad(of_slopes)(x, y))


def test_several_results() -> None:
    a = pt.dvector()
    scaled, squares = rg.pytensor.op(two, (1, 0))(a, 3)
    x = RNG.normal(size=3)
    np.testing.assert_allclose(pt.grad(squares**2, a).eval({a: x}), 4 * x * np.sum(x**2))
    np.testing.assert_allclose(
        pt.grad(pt.sum(scaled) * squares, a).eval({a: x}), 3 * np.sum(x**2) + 6 * np.sum(x) * x
    )


def test_many_at_once() -> None:
    theta, rows = pt.dvector(), pt.dmatrix()
    y = rg.pytensor.op(likelihood)(theta, DATA)
    x = RNG.normal(size=(4, 3))
    for graph, f in ((y, likelihood), (pt.grad(y, theta), rg.grad(likelihood))):
        found = vectorize_graph(graph, {theta: rows}).eval({rows: x})
        np.testing.assert_allclose(found, [f(row, DATA) for row in x])


def test_equal_operations_are_merged_and_travel() -> None:
    theta = pt.dvector()
    assert rg.pytensor.op(likelihood) == rg.pytensor.op(likelihood)
    y = rg.pytensor.op(likelihood)(theta, DATA)
    z = pickle.loads(pickle.dumps((theta, pt.grad(y, theta))))
    np.testing.assert_allclose(z[1].eval({z[0]: np.ones(3)}), rg.grad(likelihood)(np.ones(3), DATA))


def test_whole_numbers_have_no_gradient() -> None:
    a, n = pt.dvector(), pt.lscalar()
    scaled, _ = rg.pytensor.op(two, (1, 0))(a, n)
    with pytest.raises(Exception, match=r"(?i)disconnected|gradient"):
        pt.grad(pt.sum(scaled), n)


def test_inputs_are_not_written_to() -> None:
    def writes(x: Any) -> Any:
        x[0] = 5.0
        return np.sum(x)

    a = pt.dvector()
    with pytest.raises(ValueError, match="read-only"):
        rg.pytensor.op(writes)(a).eval({a: np.ones(2)})
