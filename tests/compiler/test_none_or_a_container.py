"""Names that hold None or a container: set in branches and loops, given by helpers, asked for in all the ways Python has.

Each program is a kind of container and a way in which a name comes to hold it; the points take all of the branches.
"""

from __future__ import annotations

import contextlib
import linecache
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.control_flow.one_sided.perhaps_none import FAIL_OF_NONE

HEAD = """
import collections
class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b
Pair = collections.namedtuple("Pair", "a b")
"""
CONTENTS = {  # what is held, of a number `v` and the argument; what it is used for
    "a tuple": ("(v, 2.0)", "held[0] * held[1]"),
    "a tuple and an index": ("(v, 1)", "held[0] * x[held[1]]"),
    "arrays": ("(v * x, x[1:])", "np.sum(held[0] ** 2) + held[1][0]"),
    "a list": ("[v, v * x[1]]", "held[0] * held[1]"),
    "a list that grows": ("[v * u for u in x if u > 0.15]", "sum(u * u for u in held)"),
    "a list of lists": ("[[v], [x[1], v * v]]", "held[0][0] * held[1][1]"),
    "a dict": ("{'v': v, 'x': x}", "held['v'] * np.sum(held['x'])"),
    "an object": ("Point(v, x[2])", "held.a * held.b"),
    "a named tuple": ("Pair(v, v * x[0])", "held.a * held.b"),
    "a text beside it": ("(v, 'name', [v])", "held[0] * held[2][0] * len(held[1])"),
}
WAYS = {
    "a branch": "held = None\nif x[0] > 0.5:\n    v = x[0] * x[1]\n    held = {made}",
    "both sides": "v = x[0] * x[1]\nif x[0] > 0.5:\n    held = {made}\nelse:\n    held = None",
    "an expression": "v = x[0] * x[1]\nheld = {made} if x[0] > 0.5 else None",
    "the best so far": (
        "held = None\nleast = 9.0\nfor k in range(len(x)):\n    v = x[k] * x[k - 1]\n"
        "    if v > 0.1 and (held is None or v < least):\n        held, least = {made}, v"
    ),
    "the one before": (
        "held = None\nextra = 0.0\nfor k in range(len(x)):\n    if held is not None:\n        extra = extra + {used}\n"
        "    v = x[k]\n    held = {made} if x[k] > 0.3 else None"
    ),
    "found": "held = None\nfor k in range(len(x)):\n    if x[k] > 0.5:\n        v = x[k] * 3.0\n        held = {made}\n        break",
    "lost again": "v = x[1]\nheld = {made}\nfor k in range(len(x)):\n    if x[k] > 0.8:\n        held = None",
    "a loop in a loop": (
        "held = None\nfor j in range(2):\n    for k in range(j + 1):\n        if x[k] > 0.5:\n            v = x[k] * (j + 2.0)\n"
        "            held = {made}"
    ),
    "a helper that searches": (
        "def find(x):\n    for k in range(len(x)):\n        if x[k] > 0.5:\n            v = x[k] * x[2]\n            return {made}\n"
        "    return None\nheld = find(x)"
    ),
    "a helper that gives up": (
        "def find(x):\n    if x[0] < 0.5:\n        return None\n    v = x[0] * x[2]\n    return {made}\nheld = find(x)"
    ),
    "a helper without an end": "def find(x):\n    if x[0] > 0.5:\n        v = x[0]\n        return {made}\nheld = find(x)",
    "an argument": (
        "def kept(held, x):\n    if held is None:\n        v = 7.0 * x[2]\n        return {made}\n    return held\n"
        "first = None\nif x[0] > 0.5:\n    v = x[1]\n    first = {made}\nheld = kept(first, x)"
    ),
    "a part of a tuple": (
        "v = x[0] * x[1]\npair = ({made}, 1.0) if x[0] > 0.5 else (None, 2.0)\nheld, extra = pair"
    ),
    "a handler": (
        "def checked(u):\n    if u < 0.5:\n        raise ValueError('small')\n    return u\n"
        "try:\n    v = checked(x[0])\n    held = {made}\nexcept ValueError:\n    held = None"
    ),
}  # fmt: skip
QUESTIONS = {
    "is": "if held is None:\n    return x[0] + extra\nreturn {used} + extra",
    "is not": "if held is not None:\n    return {used} + extra\nreturn x[0] + extra",
    "not": "if not held:\n    return x[0] + extra\nreturn {used} + extra",
    "an expression": "return (x[0] if held is None else {used}) + extra",
    "`and`": "if held is not None and {used} > -100.0:\n    return {used} + extra\nreturn x[0] + extra",
    "later": "missing = held is None\nreturn x[0] + extra if missing else {used} + extra",
    "a class": "if isinstance(held, type(None)):\n    return x[0] + extra\nreturn {used} + extra",
    "a pattern": "match held:\n    case None:\n        return x[0] + extra\n    case _:\n        return {used} + extra",
    "or another": "v = 5.0\nheld = held or {made}\nreturn {used} + extra",
}
CASES = [  # each question is asked of each content, and after each way
    (content, way, question)
    for i, content in enumerate(CONTENTS)
    for j, way in enumerate(WAYS)
    for k, question in enumerate(QUESTIONS)
    if (i + j - k) % 4 == 0
]
REFUSED = (
    "a handler",
    "or another",
)  # of some contents: what a `try` may not have bound, where it is asked late
POINTS = [(0.9, 0.35, 0.6), (0.4, 0.6, 0.7), (0.2, 0.1, 0.05)]


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def program_of(content: str, way: str, question: str) -> Any:
    made, used = CONTENTS[content]
    body = f"extra = 0.0\n{WAYS[way]}\n{QUESTIONS[question]}".replace("{made}", made).replace(
        "{used}", used
    )
    text = f"{HEAD}def program(x):\n{indented(body)}\n"
    name = f"<{content}, {way}, {question}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np, "__name__": "programs"}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def differences(f: Any, x: Any) -> Any:
    return np.array([(f(x + d) - f(x - d)) / 2e-6 for d in 1e-6 * np.eye(len(x))])


def held_at(program: Any, derive: Any, along: Any) -> None:
    for point in POINTS:
        x = np.array(point)
        expected = differences(program, x)
        np.testing.assert_allclose(derive(x), expected, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(along(x), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("content", "way", "question"), CASES)
def test_it_is_compiled_and_right(content: str, way: str, question: str) -> None:
    program = program_of(content, way, question)
    derive = rg.grad(program, strict=True)
    if (way, question) == REFUSED:
        with contextlib.suppress(rg.RetrogradError):
            derive(np.array(POINTS[0]))
            held_at(program, derive, rg.jacobian(program, mode="forward", strict=True))
        return
    held_at(program, derive, rg.jacobian(program, mode="forward", strict=True))


@pytest.mark.parametrize("way", WAYS)
def test_second_order(way: str) -> None:
    program = program_of("a list", way, "is")
    derive = rg.grad(program, strict=True)
    for point in POINTS:
        x, along = np.array(point), np.array([0.3, -0.2, 0.5])
        expected = (derive(x + 1e-6 * along) - derive(x - 1e-6 * along)) / 2e-6
        np.testing.assert_allclose(rg.hvp(program, (x,), along), expected, rtol=1e-5, atol=1e-7)


def test_what_is_none_is_used_as_in_python() -> None:
    def program(x):
        held = None
        if x[0] > 0.5:
            held = (x[0], x[1])
        return held[0] * held[1]

    np.testing.assert_allclose(rg.grad(program)(np.array([0.9, 0.5])), [0.5, 0.9])
    with pytest.raises(TypeError):
        program(np.array([0.1, 0.5]))
    with pytest.raises(TypeError):
        rg.grad(program)(np.array([0.1, 0.5]))


def test_it_is_not_given_to_the_caller() -> None:
    def program(x):
        return (x, 2 * x) if x > 0.5 else None

    with pytest.raises(rg.RetrogradError, match="different types"):
        rg.vjp(program, 0.7, strict=True)


@pytest.mark.parametrize("first", [0.9, 0.2])
def test_patterns(first: float) -> None:
    def found(x):
        return (x[0], x[1]) if x[0] > 0.5 else None

    def program(x):
        held = found(x)
        match held:
            case (a, b):
                y = a * b
            case _:
                y = 7.0 * x[1]
        match held:
            case None | 3:
                y = y * x[0]
            case pair:
                y = y + pair[0]
        return y

    x = np.array([first, 0.3])
    np.testing.assert_allclose(rg.grad(program, strict=True)(x), differences(program, x), rtol=1e-6)


@pytest.mark.parametrize("fn", FAIL_OF_NONE)
def test_what_is_said_to_fail_of_none_does(fn: Any) -> None:
    with pytest.raises(TypeError):
        fn(None)
