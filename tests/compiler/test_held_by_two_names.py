"""Containers that two names hold before a loop, and arguments that are bound anew in it."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

from ..written import written

pytestmark = pytest.mark.usefixtures("unchecked")
HEAD = """
class State:
    def __init__(self, x):
        self.x = x

def halved(s, n):
    for _ in range(n):
        s = {"x": 0.5 * s["x"], "v": s["v"]}
    return s

def of_two(p, q, n):
    for _ in range(n):
        p, q = q, {"x": p["x"] * 2.0, "v": q["v"]}
    return p["x"] * q["x"] ** 2
"""

# One name, or two, from ``x``; the value is that of the last line.
RIGHT = {
    "previous and current": """
        previous = current = [x, x * x]
        for _ in range(n):
            previous, current = current, [current[1] * 2.0, current[0] + previous[1]]
        previous[0] * previous[1] + current[0] ** 2 * current[1]
        """,
    "the best so far": """
        best = state = {"x": x, "cost": x * x}
        for k in range(n):
            state = {"x": 0.5 * state["x"], "cost": state["x"] ** 2 + k}
            if state["cost"] < best["cost"]:
                best = state
        best["x"] ** 3 + state["x"]
        """,
    "both bound anew": """
        p = q = {"x": x}
        for _ in range(n):
            p = {"x": p["x"] * 2.0}
            q = {"x": q["x"] * 3.0}
        p["x"] + q["x"] ** 2
        """,
    "one inside of two others": """
        p, q = {"s": {"x": x}}, None
        q = {"s": p["s"]}
        for _ in range(n):
            p = {"s": {"x": p["s"]["x"] * 2.0}}
            q = {"s": {"x": q["s"]["x"] * 3.0}}
        p["s"]["x"] + q["s"]["x"] ** 2
        """,
    "objects": """
        p = q = State(x)
        for _ in range(n):
            p, q = q, State(p.x * 2.0)
        p.x + q.x ** 2
        """,
    "in branches of a while": """
        p = q = [x, 2.0 * x]
        k = 0
        while k < n:
            if k % 2:
                p = [p[1], p[0] * 2.0]
            else:
                q = [q[0] + 1.0, p[0]]
            k += 1
        p[0] ** 2 * p[1] + q[0] * q[1]
        """,
    "given twice to a function": """
        s = {"x": x, "v": 1.0}
        of_two(s, s, n) + of_two(s, {"x": 2.0, "v": x}, n)
        """,
}
REFUSED = {
    "twice in one list": """
        s = {"x": x}
        both = [s, s]
        for _ in range(n):
            both = [both[1], {"x": both[0]["x"] * 2.0}]
        both[0]["x"] * both[1]["x"]
        """,
    "one of them written to in the loop": """
        p = q = {"x": x}
        for _ in range(n):
            p["x"] = p["x"] * 2.0
            q = {"x": q["x"] * 3.0}
        p["x"] + q["x"] ** 2
        """,
    "one of them written to after the loop": """
        p = q = {"x": x}
        for _ in range(n):
            q = {"x": q["x"] * 3.0}
        q["x"] = q["x"] * 2.0
        p["x"] + q["x"] ** 2
        """,
    "what a function may give back as it was": """
        s = {"x": x, "v": 1.0}
        t = halved(s, n)
        t["x"] = t["x"] * 3.0
        s["x"] + t["x"] ** 2
        """,
}
# The argument ``s`` is bound anew; what is not yet there is made of its numbers.
STATES: dict[str, tuple[Any, str]] = {
    "a tuple": ((0.3, 0.7), "s = (s[0] + 0.1 * s[1], s[1] - 0.1 * np.sin(s[0]))"),
    "a list": ([0.3, 0.7], "s = [0.9 * v for v in s]"),
    "a list that grows": ([0.3, 0.7], "s = s + [s[-1] * 2.0]"),
    "a dict": ({0: 0.3, 1: 0.7}, "s = {k: v * s[0] for k, v in s.items()}"),
    "a dict in a branch": ({0: 0.3, 1: 0.7}, "if s[0] > 0.1: s = {0: s[1], 1: s[0]}"),
    "a dict in an inner loop": (
        {0: 0.3, 1: 0.7},
        "for j in range(2): s = {0: s[1], 1: s[0] * (j + 1.5)}",
    ),
}


def made(before: str, last: str, parameters: str) -> Any:
    body = "\n".join("    " + line for line in [*before.splitlines(), f"return {last}"])
    return written(f"{HEAD}\ndef f({parameters}):\n{body}\n")


def of_x(text: str) -> Any:
    lines = textwrap.dedent(text).strip().splitlines()
    return made("\n".join(lines[:-1]), lines[-1], "x, n")


def is_right(f: Any, x: float, n: int) -> None:
    value, slope = rg.value_and_grad(f)(x, n)
    np.testing.assert_allclose(value, f(x, n), rtol=1e-14)
    known = (f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6
    np.testing.assert_allclose(slope, known, rtol=1e-6)
    np.testing.assert_allclose(rg.jvp(f, (x, n), (1.0, None)), (f(x, n), known), rtol=1e-6)


@pytest.mark.parametrize("name", RIGHT)
def test_names_of_one_container_part_in_a_loop(name: str) -> None:
    for n in (0, 1, 2, 3):
        is_right(of_x(RIGHT[name]), 0.7, n)


@pytest.mark.parametrize("name", REFUSED)
def test_writes_that_the_other_name_would_see_are_refused(name: str) -> None:
    f = of_x(REFUSED[name])
    with pytest.raises(RetrogradError, match="container"):
        rg.grad(f)(0.7, 2)


@pytest.mark.parametrize("name", STATES)
def test_arguments_that_are_bound_anew(name: str) -> None:
    given, step = STATES[name]
    before = f"for k in range(n):\n    {step}"
    f = made(before, "s[0] ** 2 * s[1]", "s, n")
    for n in (0, 1, 3):
        flat = given if isinstance(given, tuple) else type(given)(given)
        value, slopes = rg.value_and_grad(f)(flat, n)
        assert flat == given
        assert value == f(flat, n)
        for k in (0, 1):
            ends = [f(moved(given, k, h), n) for h in (1e-6, -1e-6)]
            np.testing.assert_allclose(slopes[k], (ends[0] - ends[1]) / 2e-6, rtol=1e-6, atol=1e-9)


def moved(given: Any, k: int, h: float) -> Any:
    values = [
        v + h * (i == k) for i, v in enumerate(given.values() if isinstance(given, dict) else given)
    ]
    return dict(zip(given, values, strict=True)) if isinstance(given, dict) else type(given)(values)
