"""A ``return`` in a loop: of numbers, arrays and containers of all kinds, bound before the loop or in it, written to or not.

Each program is a way out of loops and what is returned there; it is run for bounds that leave at once, late, and not at all.
"""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np
import pytest

import retrograd as rg

RESULTS = {
    "a number": "x[0] * {a}",
    "an array": "{a} * x",
    "the array that is written to": "y",
    "a view of it": "y[1:]",
    "a copy of it": "y.copy()",
    "the list that grows": "grown",
    "the list that is written to": "items",
    "a part of it": "items[:2]",
    "a list of two": "[x[0], {a} * x[1]]",
    "a list of its length": "[{a} * v for v in grown]",
    "a tuple": "(x[0], {a} * s)",
    "a tuple of containers": "(s, grown, y)",
    "a list of lists": "[[s], [x[1], {a} * s]]",
    "a dict": "table",
    "a dict of its own": "{{'s': {a} * s, 'x': x}}",
    "an object": "Point(s, {a} * x[1])",
    "a row that the loop makes": "row",
    "the argument": "x",
}
START = """
y = 1.0 * x
grown = []
items = [x[0], x[1], 0.0]
table = {'s': x[0], 'x': x}
s = 1.0
row = [1.0, 2.0]
"""
STEP = """
s = s * x[k]
y[k] = s * y[k - 1]
grown.append(s + x[0])
items[k] = items[k - 1] * s
table['s'] = table['s'] * s
row = [s, x[k]]
"""
WAYS = {
    "for": "for k in range(len(x)):\n{step}\n    if x[k] < bound:\n        return {one}\nreturn {two}",
    "before it is written": "for k in range(len(x)):\n    if x[k] < bound:\n        return {one}\n{step}\nreturn {two}",
    "two places": (
        "for k in range(len(x)):\n    if x[k] < bound - 0.1:\n        return {one}\n{step}\n"
        "    if x[k] < bound:\n        return {two}\nreturn {one}"
    ),
    "for, else": "for k in range(len(x)):\n{step}\n    if x[k] < bound:\n        return {one}\nelse:\n    return {two}",
    "while": "k = 0\nwhile True:\n{step}\n    if x[k] < bound:\n        return {one}\n    k += 1\n    if k == len(x):\n        return {two}",
    "a condition": "k = 0\nwhile k < len(x):\n{step}\n    if x[k] < bound:\n        return {one}\n    k += 1\nreturn {two}",
    "a loop in a loop": (
        "for j in range(3):\n    for k in range(j):\n{more}\n        if x[k] < bound:\n            return {one}\n    s = s * x[j]\nreturn {two}"
    ),
    "nothing else is returned": "for k in range(len(x)):\n{step}\n    if x[k] < bound:\n        return {one}\nraise ValueError('none')",
    "written out": "for k in (0, 2, 1):\n{step}\n    if x[k] < bound:\n        return {one}\nreturn {two}",
    "with a break": (
        "for k in range(len(x)):\n{step}\n    if s < 0.05:\n        break\n    if x[k] < bound:\n        return {one}\nreturn {two}"
    ),
    "a handler": (
        "for k in range(len(x)):\n    try:\n        if x[k] < bound:\n            raise ValueError('low')\n"
        "    except ValueError:\n        return {one}\n{step}\nreturn {two}"
    ),
    "a manager": "for k in range(len(x)):\n{step}\n    with np.errstate(all='ignore'):\n        if x[k] < bound:\n            return {one}\nreturn {two}",
}  # fmt: skip
HEAD = """
class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b
def weighted(r):
    if isinstance(r, Point):
        return r.a * r.b
    if isinstance(r, dict):
        return weighted(list(r.values()))
    if isinstance(r, (list, tuple)):
        total = 0.0
        for k, v in enumerate(r):
            total = total + (k + 1) * weighted(v)
        return total
    if isinstance(r, np.ndarray):
        return np.sum(r * r * np.arange(1.0, len(r) + 1))
    return r * r
"""
BOUNDS = (0.95, 0.55, 0.0)
X = np.array([0.9, 0.5, 0.7])
REFUSED = {  # what is returned there is made in a `try`, and may be what is written to later
    ("a handler", "a tuple of containers"), ("a handler", "a view of it"), ("a manager", "a view of it"),
}  # fmt: skip


def indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.strip().splitlines())


def program_of(way: str, result: str) -> Any:
    one, two = (RESULTS[result].format(a=a) for a in (2.0, 5.0))
    step = {"step": indented(STEP, 4), "more": indented(STEP, 8)}
    body = START + WAYS[way].format(one=one, two=two, **step)
    text = f"{HEAD}def found(x, bound):\n{indented(body, 4)}\ndef program(x, bound):\n    return weighted(found(x, bound))\n"
    name = f"<{way}, {result}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np, "__name__": "programs"}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def outcome(call: Any) -> Any:
    """What a call gives, or the class of what it raises."""
    try:
        return call()
    except ValueError:
        return ValueError


def differences(f: Any) -> Any:
    return np.array([(f(X + d) - f(X - d)) / 2e-6 for d in 1e-6 * np.eye(3)])


def held(found: Any, expected: Any) -> None:
    if expected is ValueError:
        assert found is ValueError
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("way", "result"), list(itertools.product(WAYS, RESULTS)))
def test_it_is_compiled_and_right(way: str, result: str) -> None:
    program = program_of(way, result)
    derive = rg.grad(program, strict=True)
    along = rg.jacobian(program, mode="forward", strict=True)
    for bound in BOUNDS:
        expected = outcome(lambda: differences(lambda x: program(x, bound)))  # noqa: B023
        try:
            held(outcome(lambda: derive(X, bound)), expected)  # noqa: B023
        except rg.RetrogradError:
            assert (way, result) in REFUSED
            return
        held(outcome(lambda: along(X, bound)), expected)  # noqa: B023


def test_what_a_try_may_catch_stays_in_it() -> None:
    def program(x):
        for k in range(len(x)):
            try:
                return math_of(x[k])
            except ValueError:
                continue
        return x[0]

    def math_of(v):
        if v > 0.8:
            raise ValueError("large")
        return v * v

    np.testing.assert_allclose(rg.grad(program, strict=True)(X), [0.0, 1.0, 0.0])


def test_a_finally_that_binds_the_name_anew_is_too_late() -> None:
    def program(x):
        for k in range(len(x)):
            y = x[k] * x[k]
            try:
                if k == 1:
                    return y
            finally:
                y = 0.0
        return x[0]

    np.testing.assert_allclose(rg.grad(program, strict=True)(X), [0.0, 1.0, 0.0])


def test_an_exception_is_returned_by_its_handler() -> None:
    def tried(x):
        for k in range(len(x)):
            try:
                if x[k] < 0.6:
                    raise ValueError("small")
            except ValueError as error:
                return error
        return None

    def program(x):
        return x[0] ** 2 if tried(x) is None else x[1] ** 2

    np.testing.assert_allclose(rg.grad(program)(X), [0.0, 1.0, 0.0])


def test_the_text_leaves_the_loop_as_the_function_does() -> None:
    def newton(a):
        x = a
        for k in range(50):
            step = (x * x - a) / (2 * x)
            x = x - step
            if abs(step) < 1e-12:
                return x, k
        raise ValueError("no convergence")

    text = rg.differentiate(strict=True)(lambda a: newton(a)[0]).source("grad", 2.0)
    assert "break" in text
    assert "result_2" not in text
    np.testing.assert_allclose(rg.grad(lambda a: newton(a)[0])(2.0), 0.5 / np.sqrt(2.0))
