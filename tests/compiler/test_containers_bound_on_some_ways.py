"""Containers that several ways of an ``if`` bind, and another one does not: read, written to, held by two names."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation, UnsupportedSyntax

from ..written import written

MAKERS = """
import numpy as np
class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b
def dict_1(x): return {"a": x, "b": 2 * x, "region": 4, "none": None}
def dict_2(x): return {"a": x * x, "b": x, "region": 3, "none": x}
def list_1(x): return [x, 2 * x]
def list_2(x): return [x * x, x]
def longer(x): return [x * x, x, x * 3]
def tuple_1(x): return (x, 2 * x)
def tuple_2(x): return (x * x, x)
def object_1(x): return Point(x, 2 * x)
def object_2(x): return Point(x * x, x)
def nested_1(x): return {"p": {"a": x, "q": [x, 2 * x]}, "r": 1.0}
def nested_2(x): return {"p": {"a": x * x, "q": [x * x, x]}, "r": x}
def array_1(x): return {"a": np.array([x, 2 * x])}
def array_2(x): return {"a": np.array([x * x, x])}
"""
WAYS = {
    "elif": """
def f(x, n):
    if n > 2:
        d = {0}(x)
    elif n > 1:
        d = {1}(x)
    {2}
    return {3}
""",
    "of the derivative": """
def f(x, n):
    if x > 2:
        d = {0}(x)
    elif x > 0.1:
        d = {1}(x)
    {2}
    return {3}
""",
    "one of them raises": """
def f(x, n):
    if n > 2:
        d = {0}(x)
    elif n > 1:
        d = {1}(x)
    elif n > 0:
        raise ValueError
    {2}
    return {3}
""",
    "inside": """
def f(x, n):
    if n > 1:
        if x > 2:
            d = {0}(x)
        elif x > 1:
            d = {1}(x)
    else:
        d = {1}(2 * x)
    {2}
    return {3}
""",
    "in two steps": """
def f(x, n):
    if n > 1:
        if x > 2:
            d = {0}(x)
        elif x > 1:
            d = {1}(x)
        {2}
    else:
        d = {1}(2 * x)
        {2}
    return {3}
""",
    "in a loop": """
def f(x, n):
    total = 0.0
    for k in range(1, 3):
        if n > k:
            d = {0}(x * k)
        elif n > 1 - k:
            d = {1}(x * k)
        {2}
        total = total * x + {3}
    return total
""",
}  # fmt: skip
USES = {
    "dict": ("dict_1", "dict_2", "pass", "d['a'] * d['b'] * d['region']"),
    "a new key": ("dict_1", "dict_2", "d['c'] = x", "d['a'] * d['c']"),
    "another item": ("dict_1", "dict_2", "d['a'] = d['a'] * x", "d['a'] * d['b']"),
    "list": ("list_1", "list_2", "pass", "d[0] * d[1]"),
    "lists of two lengths": ("list_1", "longer", "pass", "d[0] * d[-1]"),
    "append": ("list_1", "list_2", "d.append(d[0] * x)", "sum(d)"),
    "append, two lengths": ("list_1", "longer", "d.append(d[0] * x)", "sum(d)"),
    "tuple": ("tuple_1", "tuple_2", "pass", "d[0] * d[1]"),
    "object": ("object_1", "object_2", "pass", "d.a * d.b"),
    "attribute": ("object_1", "object_2", "d.a *= x", "d.a * d.b"),
    "nested": ("nested_1", "nested_2", "pass", "d['p']['a'] * d['p']['q'][1]"),
    "nested, written": ("nested_1", "nested_2", "d['p']['q'][0] *= x", "d['p']['q'][0]"),
    "array": ("array_1", "array_2", "d['a'][0] *= x", "d['a'].sum()"),
    "two names": ("list_1", "list_2", "e = d; e[0] = x * x", "d[0] * d[1]"),
}  # fmt: skip
POINTS = [(1.3, 2), (2.6, 2), (2.6, 3), (1.3, 1), (0.7, 3), (0.05, 1)]


def same_as_differences(f: Any) -> int:
    """Reverse, forward and second order at every point; how many points the function is defined at."""
    derivative, told = rg.grad(f, strict=True), 0
    second = rg.grad(derivative)
    for x, n in POINTS:
        try:
            slope = (f(x + 1e-5, n) - f(x - 1e-5, n)) / 2e-5
            curve = (f(x + 1e-4, n) - 2 * f(x, n) + f(x - 1e-4, n)) / 1e-8
        except (UnboundLocalError, ValueError) as error:
            with pytest.raises(type(error)):
                derivative(x, n)
            continue
        assert derivative(x, n) == pytest.approx(slope, rel=1e-6)
        assert rg.jvp(lambda x, n=n: f(x, n), (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
        assert second(x, n) == pytest.approx(curve, rel=1e-4, abs=1e-5)
        told += 1
    return told


def cases() -> list[tuple[str, str]]:
    """An array that a loop's branches bind on some ways is not written to yet, in a container or out of one."""
    return [(w, u) for w in WAYS for u in USES if (w, u) != ("in a loop", "array")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("way", "use"), cases())
def test_bound_on_some_ways(way: str, use: str) -> None:
    assert same_as_differences(written(MAKERS + WAYS[way].format(*USES[use]))) >= 3


HELD_TWICE = {
    "by another name, on one side": "q = [x]\n    if x > 2:\n        d = [x]\n        q = d\n    elif x > 1:\n        d = [x * x]",
    "by another name, on both": "if x > 2:\n        d = [x]\n        q = d\n    elif x > 1:\n        d = [x * x]\n        q = d\n    else:\n        q = [x]",
    "by a name that may be bound": "if x > 2:\n        d = [x]\n        q = d\n    elif x > 1:\n        d = [x * x]\n        q = [3 * x]",
    "further inside": "q = [x]\n    if x > 1:\n        if x > 2:\n            d = [x]\n            q = d\n        elif x > 1.5:\n            d = [x * x]\n    else:\n        d = [x]",
    "in a container": "q = [x]\n    if x > 2:\n        d = [x]\n        q = (d, 1.0)[0]\n    elif x > 1:\n        d = [x * x]",
    "from before": "q = [x]\n    if x > 2:\n        d = q\n    elif x > 1:\n        d = [x * x]",
    "of one container": "q = [x]\n    if x > 2:\n        d = q\n    elif x > 1:\n        d = q",
    "of an item": "q = [x]\n    if x > 2:\n        d = [q]\n    elif x > 1:\n        d = [[x * x]]\n    d = d[0]",
}
WRITES = {
    "the one": ("d[0] = x * d[0] * 5", "q[0] * x + d[0]"),
    "the other": ("q[0] = x * q[0] * 5", "d[0] * x + q[0]"),
    "a longer one": ("d.append(x * x)", "sum(q) + d[0]"),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("held", HELD_TWICE)
def test_held_by_two_names(held: str, write: str) -> None:
    """One of two containers that another name holds, too: the right derivative, or a refusal."""
    change, result = WRITES[write]
    text = f"def f(x, n):\n    {HELD_TWICE[held]}\n    {change}\n    return {result}\n"
    with contextlib.suppress(UnsupportedSyntax, UnsupportedOperation):
        same_as_differences(written(text))


@pytest.mark.parametrize("kind", ["[{}, 1.0]", "({}, 1.0)", "{{0: {}}}"])
@pytest.mark.parametrize("change", ["y[0] = x[1] * 7", "y *= x", "y[:2] += x[1:]"])
def test_arrays_written_to_since(kind: str, change: str) -> None:
    """An array in the container shows what is written to it after the branch."""
    one, other = kind.format("y"), kind.format("y[::-1]")
    text = f"def f(x, n):\n    y = x * 1.0\n    if n > 2:\n        d = {one}\n    elif n > 1:\n        d = {other}\n    {change}\n    return (d[0] * x).sum()\n"
    f = written(text)
    x = np.array([0.7, 1.3, 2.1])
    for n in (2, 3):
        expected = [(f(x + 1e-6 * e, n) - f(x - 1e-6 * e, n)) / 2e-6 for e in np.eye(3)]
        try:
            found = rg.grad(f, strict=True)(x, n)
        except rg.RetrogradError:
            continue
        assert found == pytest.approx(np.array(expected), rel=1e-6)
