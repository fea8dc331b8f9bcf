"""Arguments that are numbers of Python's or NumPy's, or arrays of rank 0, and ``x += e``: arrays alone are changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def scaled(x: Any) -> Any:
    x *= 3.0
    return x * x


def two_names(x: Any) -> Any:
    y = x
    y += 2.0
    return y * x


def in_degrees(x: Any) -> Any:
    given = x
    x *= np.pi / 2
    return np.sin(x) * given


def twice(x: Any) -> Any:
    x += x * x
    x -= 1.0
    return x**2


def in_a_loop(x: Any) -> Any:
    for _ in range(3):
        x *= 2.0
    return x**2


def until(x: Any) -> Any:
    given = x
    while x > 1.0:
        x -= 1.0
    return np.sin(x) * given


def on_one_side(x: Any) -> Any:
    given = x
    if x > 1.0:
        x /= 4.0
    return x**3 * given


def times(v: Any, k: float) -> Any:
    v *= k
    return v


def by_a_helper(x: Any) -> Any:
    return times(x, 2.0) * x


def in_a_tuple(x: Any) -> Any:
    parts = (x, x * x)
    x += 1.0
    return parts[0] * parts[1] + x


def of_its_own(x: Any) -> Any:
    y = x**2
    z = y
    z += x
    return y * z


FUNCTIONS = [
    scaled, two_names, in_degrees, twice, in_a_loop, until, on_one_side, by_a_helper, in_a_tuple,
    of_its_own,
]  # fmt: skip
CLASSES: dict[str, Callable[[Any], Any]] = {"float": float, "scalar": np.float64, "array": np.array}
ORDERS = [("float", "scalar", "array"), ("array", "scalar", "float"), ("scalar", "array", "scalar")]


def slope(f: Callable[..., Any], kind: Callable[[Any], Any], x: float) -> float:
    return float(f(kind(x + 1e-5)) - f(kind(x - 1e-5))) / 2e-5


@pytest.fixture(autouse=True)
def fresh(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order[0])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_each_class_is_served_in_any_order(f: Any, order: tuple[str, ...]) -> None:
    gradient = rg.grad(f, strict=True)
    for name in order:
        kind = CLASSES[name]
        for x in (1.3, 0.6):
            given, left, one = kind(x), kind(x), kind(1.0)
            f(left)
            np.testing.assert_allclose(gradient(given), slope(f, kind, x), rtol=1e-7)
            assert given == left  # an array is changed, as by the function
            value, tangent = rg.jvp(f, (given := kind(x),), (one,), strict=True)
            np.testing.assert_allclose(value, f(kind(x)))
            np.testing.assert_allclose(tangent, slope(f, kind, x), rtol=1e-7)
            assert given == left


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Any, name: str) -> None:
    kind, gradient = CLASSES[name], rg.grad(f, strict=True)
    want = slope(gradient, kind, 1.3)
    got = rg.hvp(f, (kind(1.3),), kind(1.0), strict=True)
    np.testing.assert_allclose(got, want, rtol=1e-6)


def with_a_flag(x: Any, t: Any, inside: bool = True) -> Any:
    if inside:
        t *= 2.0
    return x * t


def test_arguments_beside_flags() -> None:
    gradient = rg.grad(with_a_flag, wrt=(0, 1), strict=True)
    for inside in (True, False):
        for kind in CLASSES.values():
            t = kind(3.0)
            want = (6.0, 4.0) if inside else (3.0, 2.0)
            np.testing.assert_allclose(gradient(kind(2.0), t, inside), want)
            assert t == (6.0 if inside and isinstance(t, np.ndarray) else 3.0)


def of_lists(p: Any) -> Any:
    y = p[0]
    y += p[1]
    return y * p[0]


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("container", [list, tuple])
def test_items_of_containers(container: Any, name: str) -> None:
    kind, values = CLASSES[name], (2.0, 3.0)
    p, left = (container(map(kind, values)) for _ in range(2))
    f = of_lists
    f(left)
    got = rg.grad(f, strict=True)(p)
    assert p == left
    for k in (0, 1):
        moved = [[kind(v + h * (j == k)) for j, v in enumerate(values)] for h in (1e-5, -1e-5)]
        np.testing.assert_allclose(got[k], (f(moved[0]) - f(moved[1])) / 2e-5, rtol=1e-7)
