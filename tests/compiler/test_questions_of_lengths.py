"""What a program asks of a tuple that its length answers (``x.shape == ()``) is known while it is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

POINTS = (1.3, np.array(1.3), np.array([1.3]), np.array([0.3, 1.2, 0.7]))
PROGRAM = """
import numpy as np


def rows(x, shape):
    out = np.zeros(shape)
    out[0], out[1] = x**3, np.sin(x)
    return np.sum(out)


def f(x):
    s = np.shape(x)
    {body}
"""
WITH_EXPRESSIONS = {
    "==": "(2,) if s == () else (2, s[0])",
    "== turned": "(2,) if () == s else (2, s[0])",
    "!=": "(2, *s) if s != () else 2",
    "truth": "(2, s[0]) if s else (2,)",
    "not": "(2,) if not s else (2, s[0])",
    "bool": "(2, s[0]) if bool(s) else (2,)",
    "or": "(2,) + (s or ()) if s else (2,)",
    "and": "(2,) if not s else (2, s[0]) if s and s[0] > 1 else (2, 1)",
    "list": "2 if list(s) == [] else (2, s[0])",
    "another kind": "2 if s == [] else (2, *s)",
    "in": "2 if s in ((), (1, 1)) else (2, s[0])",
    "not in": "(2, s[0]) if s not in [()] else 2",
    "longer": "2 if s == (1, 1) else (2, *s)",
    "part": "2 if s[1:] else (2, *s)",
}
WITH_STATEMENTS = {
    "if": "if s == (): shape = 2\n    else: shape = (2, s[0])\n    return rows(x, shape)",
    "if truth": "if s: shape = (2, s[0])\n    else: shape = 2\n    return rows(x, shape)",
    "name": "scalar = s == ()\n    return rows(x, 2 if scalar else (2, s[0]))",
    "name of not": "scalar = not s\n    return rows(x, 2 if scalar else (2, s[0]))",
    "default": "n = s or (1,)\n    return np.sum(np.ones(n) * x**3) * n[0]",
    "getattr": "s = getattr(x, 'shape', ())\n    return rows(x, 2 if s == () else (2, s[0]))",
    "while": "y = x\n    while np.shape(y) != (): y = np.sum(y * y, axis=0)\n    return y**2",
    "assert": "assert s != (2, 2)\n    return np.sum(x**3)",
}
BODIES = {k: f"return rows(x, {v})" for k, v in WITH_EXPRESSIONS.items()} | WITH_STATEMENTS


def made(tmp_path: Any, body: str) -> Callable[..., Any]:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(body=body))
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["f"]


def slopes(f: Callable[..., Any], x: Any) -> Any:
    """Central differences, an entry of ``x`` at a time."""
    out, kind = np.zeros(np.shape(x)), float if type(x) is float else np.asarray
    for at in np.ndindex(np.shape(x)):
        step = np.zeros(np.shape(x))
        step[at] = 1e-5
        out[at] = (f(kind(x + step)) - f(kind(x - step))) / 2e-5
    return out


@pytest.mark.parametrize("body", BODIES)
def test_one_derivative_serves_numbers_and_arrays(body: str, tmp_path: Any) -> None:
    f = made(tmp_path, BODIES[body])
    gradient = rg.grad(f, strict=True)
    for x in POINTS:
        want, ones = slopes(f, x), np.ones_like(x) if isinstance(x, np.ndarray) else 1.0
        np.testing.assert_allclose(gradient(x), want, rtol=1e-7)
        _, tangent = rg.jvp(f, (x,), (ones,), strict=True)
        np.testing.assert_allclose(tangent, np.sum(want), rtol=1e-7)
    second = slopes(lambda x: np.sum(gradient(x)), x)
    np.testing.assert_allclose(rg.hvp(f, (x,), ones, strict=True), second, rtol=1e-6)


def grows(x: Any, n: int) -> Any:
    parts: Any = ()
    for _ in range(n):
        parts = (x,) if parts == () else (*parts, x * parts[-1])
    return sum(parts)


def takes_away(x: Any, factors: list[float]) -> Any:
    while factors:
        x = x * factors.pop()
    return x


def fills(x: Any, flag: bool) -> Any:
    found: list[Any] = []
    if flag:
        found.append(x**2)
    return x**3 if found == [] else found[0]


def swaps(x: Any, n: int) -> Any:
    a: list[Any] = []
    b = [x]
    for _ in range(n):
        a, b = b, a
        x = x * x if not b else 3 * x
    return x


def looks_up(x: Any, known: dict[str, float]) -> Any:
    return x**2 * known["a"] if known else x**3


@pytest.mark.parametrize(
    ("f", "values"),
    [
        (grows, (1, 2, 3)), (fills, (True, False)), (swaps, (1, 2, 3)),
        (takes_away, ([1.0, 2.0], [3.0], [])), (looks_up, ({"a": 2.0}, {}, {"a": 3.0})),
    ],
)  # fmt: skip
def test_containers_that_change_are_asked_what_they_hold_then(f: Any, values: Any) -> None:
    gradient = rg.grad(f, wrt=0, strict=True)
    for value in values:
        given = lambda value=value: list(value) if isinstance(value, list) else value
        want = slopes(lambda x: f(x, given()), 1.3)  # noqa: B023
        np.testing.assert_allclose(gradient(1.3, given()), want, rtol=1e-7)


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), np.array(1.5), np.array([1.5])])
@pytest.mark.parametrize(
    ("name", "default"), [("shape", ()), ("shape", None), ("ndim", 0), ("size", 1), ("size", 5)]
)
def test_numbers_of_python_and_numpy_have_one_shape(x: Any, name: str, default: Any) -> None:
    def f(x: Any) -> Any:
        return np.sum(x**2) * (3.0 if getattr(x, name, default) == default else 1.0)

    np.testing.assert_allclose(rg.grad(f, strict=True)(x), slopes(f, x), rtol=1e-7)


def compares_items(x: Any) -> Any:
    try:
        return np.sum(x) if (x, 1) == (x * 2,) else np.sum(x**3)
    except ValueError:
        return np.sum(x**2)


def test_items_that_python_compares_first_may_raise() -> None:
    x = np.array([0.3, 1.2])
    np.testing.assert_allclose(rg.grad(compares_items)(x), 2 * x)


def of_one_length(x: Any) -> Any:
    return x[0] ** 2 if x.shape == (1,) else np.sum(x**3)


def test_lengths_of_axes_are_asked_when_it_runs() -> None:
    gradient = rg.grad(of_one_length, strict=True)
    np.testing.assert_allclose(gradient(np.array([0.5])), [1.0])
    np.testing.assert_allclose(gradient(np.array([0.5, 2.0])), [0.75, 12.0])
