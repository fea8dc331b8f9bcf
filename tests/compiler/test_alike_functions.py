"""Functions that differ in the module's lists and arrays alone are one, which takes these as arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

HEAD = """
import math
import numpy as np

LOW, HIGH, EVEN = [0.5, 2.0, 1.5], [0.25, 3.0, -0.7], [2, 4, 6]
SHORT = (0.3, 0.6)
ROWS = {"a": 0.3, "b": 1.2}
LINES = {"a": 0.9, "b": -0.4}
W, V = np.array([[0.3, -0.2], [0.5, 0.8]]), np.array([[1.1, 0.4], [-0.6, 0.2]])
FIRST, SECOND = np.array([1, 0]), np.array([0, 1])


def height(x, c):
    s = x * c[0]
    return s * s + c[1] * math.sin(s)


def both(x, c, d):
    return height(x, c) + height(x * x, d)


def polynomial(x, c):
    total = 0.0
    for a in c:
        total = total * x + a
    return total


def of_row(x, row):
    y = math.exp(row["a"] * x)
    return y * y + row["b"]


def layer(v, w):
    u = np.tanh(w @ v)
    return u * u + v


def chosen(v, at):
    u = v[at]
    return np.sum(u * np.array([1.0, 2.0]))


def branches(x, c):
    if x > c[1]:
        y = x * c[0]
        return y * y
    return math.cos(x * c[2])


def itself(x, c, n):
    return c[0] if n == 0 else x * itself(x, c, n - 1) + c[1]
"""
NUMBER, VECTOR = 0.8, np.array([0.3, -0.7])
PROGRAMS = {  # the body of f(x), and how many functions the text of its gradient has
    "height(x, LOW) * height(x, HIGH)": 3,
    "height(x, LOW) * height(x, LOW)": 3,
    "height(x, LOW) * height(x, HIGH) * height(x + 1.0, LOW)": 3,
    "height(x, LOW) * height(x, EVEN)": 5,  # whole numbers and floats
    "both(x, LOW, HIGH) * both(x, HIGH, LOW)": 5,
    "both(x, LOW, HIGH) * both(x, LOW, LOW)": 5,
    "both(x, LOW, HIGH) * height(x, HIGH)": 5,
    "polynomial(x, LOW) * polynomial(x, HIGH)": 3,
    "polynomial(x, LOW) * polynomial(x, SHORT)": 5,  # of another length
    "of_row(x, ROWS) * of_row(x, LINES)": 3,
    "branches(x, LOW) * branches(x, HIGH)": 3,
    "itself(x, LOW, 2) * itself(x, HIGH, 2)": None,
    "np.sum(layer(x, W) * layer(x, V))": 3,
    "chosen(x, FIRST) * chosen(x, SECOND)": None,
    "sum(height(x, c) for c in (LOW, HIGH, EVEN))": None,
}


def made(body: str) -> Any:
    return written(f"{HEAD}\n\ndef f(x):\n    return {body}\n")


def start(body: str) -> Any:
    return VECTOR if "layer" in body or "chosen" in body else NUMBER


@pytest.mark.parametrize("body", PROGRAMS)
def test_derivatives(body: str) -> None:
    f, x = made(body), start(body)
    direction = np.ones_like(x) if np.ndim(x) else 1.0
    eps = 1e-6
    slope = (f(x + eps * direction) - f(x - eps * direction)) / (2 * eps)
    gradient = rg.grad(f, strict=True)
    assert np.sum(gradient(x)) == pytest.approx(slope, rel=1e-7)
    _, tangent = rg.jvp(rg.differentiate(strict=True)(f), (x,), (direction,))
    assert tangent == pytest.approx(slope, rel=1e-7)
    curve = (np.sum(gradient(x + eps * direction)) - np.sum(gradient(x - eps * direction))) / (
        2 * eps
    )
    assert np.sum(rg.hvp(f, (x,), direction)) == pytest.approx(curve, rel=1e-5)


@pytest.mark.parametrize("body", [b for b, n in PROGRAMS.items() if n is not None])
def test_texts(body: str) -> None:
    text = rg.differentiate(made(body)).source("grad", start(body))
    assert text.count("\ndef ") == PROGRAMS[body], text


def test_a_list_that_is_changed_between_two_calls() -> None:
    f = made("height(x, LOW) * height(x, HIGH)")
    gradient = rg.grad(f, strict=True)
    before = gradient(NUMBER)
    f.__globals__["HIGH"][0] = 0.6
    eps = 1e-6
    slope = (f(NUMBER + eps) - f(NUMBER - eps)) / (2 * eps)
    assert gradient(NUMBER) == pytest.approx(slope, rel=1e-7) != pytest.approx(before)


def test_the_names_are_those_of_the_parameters() -> None:
    text = rg.differentiate(made("both(x, LOW, HIGH) * both(x, HIGH, LOW)")).source("grad", NUMBER)
    assert "def height_fwd(x, c):" in text
    assert "def both_fwd(x, c, d):" in text
    assert "both_fwd(x, LOW, HIGH)" in text


def test_a_function_with_a_derivative_of_its_own_is_left_alone() -> None:
    text = f"""{HEAD}
import retrograd as rg


@rg.custom_gradient
def steep(x, c):
    return c[0] * x * x


@steep.vjp
def steep_vjp(y_bar, y, x, c):
    return 100.0 * y_bar * c[0], None


def f(x):
    return steep(x, LOW) + steep(x, HIGH)
"""
    assert rg.grad(written(text))(NUMBER) == pytest.approx(75.0)
