"""The tape with arrays on the device: what cannot be compiled has its gradient there, and writes are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import TapeError, TapeWarning
from retrograd.runtime.tape.calls import pushed, taped

from ..strict_cupy import no_transfers

pytestmark = pytest.mark.cupy


def by_name(x: Any, w: Any) -> Any:
    h = np.tanh(x @ w)
    parts = {k: np.sum(h[:, k] ** 2) * (k + 1) for k in range(3)}
    return sum(parts.values()) / 2 + np.mean(np.exp(-x))


class Model:
    def __init__(self, x: Any) -> None:
        self.features = [np.sin(x) * 2, np.cumsum(x)]


def through_an_object(x: Any) -> Any:
    model = Model(x)
    return np.sum(model.features[0] * model.features[1])


def chosen(x: Any) -> Any:
    return np.sum(np.where(x > 0, x**2, np.sin(x))) + np.max(x) + x.mean() + np.linalg.norm(x)


def shaped(x: Any) -> Any:
    y = np.concatenate([x.reshape(2, -1), np.stack([x[:2], x[2:]])], axis=1)
    return np.sum(y.T @ y) + np.prod(x) + np.sum(np.sort(x) * np.flip(x))


FUNCTIONS = [by_name, through_an_object, chosen, shaped]


def arguments(function: Any) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    if function is by_name:
        return [rng.standard_normal((4, 5)), rng.standard_normal((5, 3))]
    return [rng.standard_normal(4)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_pulled_back(cupy: Any, function: Any) -> None:
    args = arguments(function)
    value, pull = taped(function, *args)
    given = [cupy.asarray(a) for a in args]
    one = cupy.ones(())
    with no_transfers():
        made, back = taped(function, *given)
        found = back(one)
    np.testing.assert_allclose(made.get(), value)
    for own, wanted in zip(found, pull(1.0), strict=True):
        np.testing.assert_allclose(own.get(), wanted)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_pushed_forward(cupy: Any, function: Any) -> None:
    args = arguments(function)
    dots = tuple(np.cos(a) for a in args)
    _, dot = pushed(function, dots, *args)
    given = [cupy.asarray(a) for a in args]
    ways = tuple(cupy.asarray(d) for d in dots)
    with no_transfers():
        _, found = pushed(function, ways, *given)
    np.testing.assert_allclose(found.get(), dot)


def test_constants_are_kept_as_they_were(cupy: Any) -> None:
    a = cupy.asarray([2.0, 3.0])

    def f(x: Any) -> Any:
        y = x * a
        a[0] = 100.0
        return np.sum(y)

    _, pull = taped(f, cupy.ones(2))
    assert pull(cupy.ones(())).get().tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    "write",
    [
        lambda y: y.__setitem__(0, y[1]), lambda y: y.__iadd__(1.0), lambda y: np.add.at(y, 0, 1.0),
        lambda y: np.copyto(y, 1.0),
    ],
)  # fmt: skip
def test_writes_are_refused(cupy: Any, write: Any) -> None:
    def f(x: Any) -> Any:
        y = x * 2
        write(y)
        return np.sum(y * y)

    with pytest.raises(TapeError, match="on the device is not recorded on the tape"):
        taped(f, cupy.ones(3))


def test_a_fallback_of_the_compiler(cupy: Any, taped: Any) -> None:
    def f(x: Any) -> Any:
        table: dict[str, Any] = {}
        exec("y = x * x", {"x": x}, table)
        return np.sum(table["y"])

    x = cupy.asarray([1.0, 2.0])
    with pytest.warns(TapeWarning):
        g = rg.grad(f)(x)
    assert isinstance(g, cupy.ndarray) and g.get().tolist() == [2.0, 4.0]
