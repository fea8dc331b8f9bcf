"""Calls of functions that always raise: nothing is asked of what stands behind them, and the other side goes on alone.

Each program is a place for the call and a function that is called there; at some points it raises what Python raises.
"""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np
import pytest

import retrograd as rg

CALLEES = {
    "of the module": "def fail(u):\n    raise ValueError('no')\n",
    "with a branch": (
        "def fail(u):\n    if np.sum(u) > 0:\n        raise ValueError('above')\n"
        "    raise ValueError(f'{u} below')\n"
    ),
    "by way of another": "def first(u):\n    raise ValueError('no')\ndef fail(u):\n    return first(2 * u)\n",
    "by an attribute": "def fail(u):\n    k = (1.0 * u).index(2.0)\n    return k * u\n",
    "here": "",
}
HERE = "    def fail(u):\n        raise ValueError('no')\n"
PLACES = {
    "return": "if x[0] > 0:\n    return np.sum(x * x)\nreturn fail(x)",
    "a container is returned": (
        "def pair():\n    if x[0] > 0:\n        return x[0] * x[1], x[2]\n    return fail(x)\n"
        "a, b = pair()\nreturn a * b * b"
    ),
    "taken apart": "if x[0] > 0:\n    a, b = x[0], x[1]\nelse:\n    a, b = fail(x)\nreturn a * a * b",
    "one name of two": "if x[0] > 0:\n    a = x[0]\nelse:\n    b = fail(x)\nreturn a * a * x[1]",
    "an attribute of it": "if x[0] > 0:\n    a = x[0]\nelse:\n    a = fail(x).none[2]\nreturn a * a * x[1]",
    "an expression": "a = x[1] if x[0] > 0 else fail(x)\nreturn a * a * x[2]",
    "an expression, the other side": "a = fail(x)[1] if x[0] < 0 else x[1] * x[2]\nreturn a * a",
    "both sides of one": "a = x[1]\nif x[0] < 0:\n    a = fail(x) if x[1] > 0 else fail(2 * x)\nreturn a * a * x[2]",
    "a sum": "a = x[1] + (x[2] * x[0] if x[0] > 0 else fail(x))\nreturn a * a",
    "`and`": "ok = x[0] > 0 or fail(x)\nreturn x[0] * x[1] * (3.0 if ok else 1.0)",
    "a nested branch": (
        "if x[1] > 0:\n    a = x[1] if x[0] > 0 else fail(x)\n    y = a * 3.0\nelse:\n    y = x[0]\nreturn y * y"
    ),
    "a loop": (
        "s = 0.0\nfor k in range(3):\n    if x[k] < -0.5:\n        fail(x).bar\n"
        "    s = s + x[k] ** 2 if x[k] > -0.5 else fail(x)\nreturn s"
    ),
    "a comprehension": "a = [v * v if v > -0.5 else fail(x) for v in x]\nreturn a[0] * a[1] + sum(a)",
    "after a write": "y = x * 1.0\nif x[0] < 0:\n    y[1] = 5.0\n    fail(y)\ny[0] = y[1] * y[2]\nreturn np.sum(y * y)",
    "a try": (
        "try:\n    y = x[0] * 2.0\n    y = y * (fail(x) if x[1] < 0 else 3.0)\n"
        "except (ValueError, AttributeError):\n    y = x[2] * 5.0\nreturn y * y"
    ),
    "a try, for sure": (
        "y = x[1]\nif x[0] < 0:\n    try:\n        y = fail(x)\n"
        "    except (ValueError, AttributeError):\n        y = x[2] * 5.0\nreturn y * y"
    ),
    "a default": "def inner(a, b=None):\n    b = fail(a) if b is None else b\n    return a * b\nreturn inner(x[0], x[1]) * x[0]",
}  # fmt: skip
POINTS = [(1.0, 2.0, 4.0), (-1.0, 2.0, 4.0), (1.0, -2.0, 4.0), (-1.0, -2.0, 0.3)]
CASES = list(itertools.product(CALLEES, PLACES))


def program_of(callee: str, place: str) -> Any:
    body = "".join(f"    {line}\n" for line in PLACES[place].splitlines())
    text = f"{CALLEES[callee]}def program(x):\n{HERE if callee == 'here' else ''}{body}"
    name = f"<{callee}, {place}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def outcome(call: Any) -> Any:
    """What a call gives, or the class of what it raises."""
    try:
        return call()
    except Exception as error:
        return type(error)


def differences(f: Any, x: Any) -> Any:
    e = 1e-6 * np.eye(3)
    return np.array([(f(x + d) - f(x - d)) / 2e-6 for d in e])


def held(program: Any, found: Any, x: Any) -> None:
    expected = outcome(lambda: differences(program, x))
    if isinstance(expected, type):
        assert found is expected
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("callee", "place"), CASES)
def test_it_is_compiled_and_the_other_way_is_right(callee: str, place: str) -> None:
    program = program_of(callee, place)
    derive = rg.grad(program, strict=True)
    for point in POINTS:
        x = np.array(point)
        held(program, outcome(lambda: derive(x)), x)  # noqa: B023


@pytest.mark.parametrize("place", PLACES)
def test_forwards(place: str) -> None:
    program = program_of("of the module", place)
    jacobian = rg.jacobian(program, mode="forward", strict=True)
    for point in POINTS:
        x = np.array(point)
        held(program, outcome(lambda: jacobian(x)), x)  # noqa: B023


def test_a_function_that_always_raises_has_no_derivative() -> None:
    def always(x):
        raise ValueError("no")

    with pytest.raises(rg.RetrogradError, match="always raises"):
        rg.grad(always)(1.0)
