"""What one side of a branch alone reads has its adjoint there: a slope that is infinite is not asked for elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.control_flow.branch_sides import read_by_one_side
from retrograd.compiler.ir.operations import Apply, Block, Const, If, Value

from ..both_modes import agrees
from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
X = np.array([0.0, 2.0])

WILD = {
    "a quotient": "z = x / x[0]",
    "a logarithm": "z = np.log(x)",
    "a root": "z = np.sqrt(x)",
    "a root, named on the way": "y = np.sqrt(x)\n    w = 3 * y\n    z = w + y",
    "a power": "z = x**0.5",
    "a norm": "z = np.linalg.norm(x[:1]) * x",
    "a helper": "z = wild(x)",
    "a loop": "z = x\n    for k in range(2):\n        z = z + np.sqrt(x)",
    "a loop of numbers": "z = 0.0\n    for v in x:\n        z += v**0.5",
    "a branch": "z = np.sqrt(x) if s < 9 else np.log(x)",
    "a write": "z = np.zeros(2)\n    z[:] = np.sqrt(x)",
    "a tuple": "pair = np.sqrt(x), np.log(x)\n    z = pair[0] + pair[1]",
}  # fmt: skip

READ = {
    "else": "return np.sum(x * x) if s > 0 else np.sum(z)",
    "then": "return np.sum(z) if s < 0 else np.sum(x * x)",
    "statement": "y = np.sum(x * x)\n    if s < 0:\n        y = y + np.sum(z)\n    return y",
    "both sides": "if s < 0:\n        y = np.sum(z)\n    else:\n        y = np.sum(x * x)\n    return y",
    "early return": "if s > 0:\n        return np.sum(x * x)\n    return np.sum(z)",
    "elif": "if s == 2:\n        y = x\n    elif s < 0:\n        y = z\n    else:\n        y = x * x\n    return np.sum(y)",
    "nested": "y = x * x\n    if s != 2:\n        if s < 0:\n            y = z\n    return np.sum(y)",
    "read twice there": "y = x * x\n    if s < 0:\n        y = z + 2 * np.sum(z)\n    return np.sum(y)",
    "in a loop there": "y = x * x\n    if s < 0:\n        for k in range(2):\n            y = y + z\n    return np.sum(y)",
    "its shape is read": "n = len(np.shape(z))\n    y = x * x\n    if s < 0:\n        y = y + n * z\n    return np.sum(y)",
    "match": "match s:\n        case 1.0:\n            return np.sum(x * x)\n        case _:\n            return np.sum(z)",
}  # fmt: skip


def program(wild: str, read: str) -> str:
    helper = "def wild(x):\n    return np.sqrt(x) + np.log(x)\n\n"
    return f"{helper}def f(x, s):\n    {WILD[wild]}\n    {READ[read]}\n"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("wild", WILD)
def test_an_infinite_slope_that_is_not_asked_for(wild: str, read: str) -> None:
    f = written(program(wild, read))
    np.testing.assert_allclose(rg.grad(f)(X, 1.0), 2 * X)
    np.testing.assert_allclose(rg.hessian(f)(X, 1.0), 2 * np.eye(2))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("wild", WILD)
def test_where_it_is_asked_for(wild: str, read: str) -> None:
    f = written(program(wild, read))
    agrees(f, np.array([0.5, 2.0]), -1.0)


@pytest.mark.parametrize("wild", WILD)
def test_an_iteration_that_does_not_ask(wild: str) -> None:
    body = WILD[wild].replace("\n", "\n    ")
    f = written(
        "def wild(x):\n    return np.sqrt(x) + np.log(x)\n\n"
        f"def f(x, s):\n    total = 0.0\n    for i in range(3):\n        {body}\n        if s < i - 5:\n"
        "            continue\n        if s > 0:\n            total = total + np.sum(x * x)\n"
        "        else:\n            total = total + np.sum(z)\n    return total\n"
    )
    np.testing.assert_allclose(rg.grad(f)(X, 1.0), 6 * X)
    agrees(f, np.array([0.5, 2.0]), -1.0)


def op(name: str, *args: Value) -> Apply:
    return Apply([Value(name)], None, np.exp, args)


def test_who_reads_what() -> None:
    x = Value("x")
    a, shared = op("a", x), op("shared", x)
    b = op("b", a.result)
    inner = If([Value("r")], None, Value("c"), Block([], [], [b.result]), Block([], [], [x]))
    outer = If(
        [Value("y")],
        None,
        Value("c"),
        Block([], [], [inner.results[0]]),
        Block([], [], [shared.result]),
    )
    last = op("last", outer.results[0], shared.result)
    block = Block([x], [a, shared, b, inner, outer, last], [last.result, Const(1)])
    assert read_by_one_side(block) == {inner: (outer, 0), b: (inner, 0), a: (inner, 0)}
    assert read_by_one_side(block, joins=lambda op, side: op is not b) == {inner: (outer, 0)}
    assert shared not in read_by_one_side(block, counts=lambda v: v is not b.result)
