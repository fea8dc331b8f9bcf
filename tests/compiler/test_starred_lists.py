"""Starred parts of lists whose length is known when they run, repeated arguments, and where an item stands in a list."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 2.1])
ITEMS = X.tolist()
OF_ARRAYS = (
    ("e = x[1:] * 2.0 if x[0] > 0.5 else np.zeros(3)", "q = np.array([x[0] * x[1], *e])"),
    ("e = x * x", "q = [*e]"),
    ("e = x * x", "q = [*e, *e]"),
    ("e = x * x", "q = [*e, 1.0, *[2.0, x[0]], *x]"),
    ("e = x * x", "q = [*e]; e[0] = x[1] * x[2]; q = q + list(e)"),
    ("e = x * x", "q = [*e]; r = q; r[0] = x[3] * 9"),
    ("e = x * x", "q = [e[0], *e[::-1][1:]]"),
)
OF_LISTS = (
    ("e = [v * v for v in x]", "q = [x[0], *e, x[1]]"),
    ("e = [v * v for v in x]", "q = [x[0], *e]; e[1] = x[0] * 7; q = q + e"),
    ("e = [v * v for v in x]", "q = [x[0], *e]; q[1] = x[0] * 7; q = q + e"),
    ("e = [v * v for v in x]", "q = [*e]; e.append(x[0]); q.append(x[1]); q = q + e"),
    ("e = [v * v for v in x]", "q = [*e, *x[1:3]]; del q[0]"),
    ("e = x", "q = [x[0], *(v * v for v in x)]"),
    ("e = x", "q = [x[0], *map(np.sin, x), 2]"),
    ("e = x", "q = [x[0], *range(len(x))]; q.append(x[1])"),
    ("e = x", "q = [x[0], *zip(x, x)][1:]; q = [a * b for a, b in q]"),
    ("e = [[v * v, v] for v in x]", "q = [[x[0]], *e][2]"),
    ("e = [v for v in x]", "q = [len([*e]) * x[0], *{1: 2}]"),
)
SUM = "t = 0.0\n    for k, v in enumerate(q):\n        t = t + v * (k + 1.5) * v\n    return t * len(q)\n"


@pytest.mark.parametrize(("before", "made"), [*OF_ARRAYS, *OF_LISTS])
def test_a_starred_part(before: str, made: str) -> None:
    f = written(f"def f(x):\n    {before}\n    {made}\n    {SUM}")
    agrees(f, X, second=True)
    if (before, made) in OF_LISTS:
        agrees(f, ITEMS)


PLACES = """x.index(max(x)); x.index(x[2]); x.count(x[1]); x.index(x[1], 1); x.index(x[1], 0, 3); list(x).index(min(x)); tuple(x).index(x[1])
[v * v for v in x].index(x[0] * x[0]); [1, 2, 3].index(2); ['a', 'b'].index('b'); [v for v in x].count(x[3]); names.index('b')
names.index(name); names.count('b'); whole.index(3); whole.index(3, 1); 'b' in names and names.index('b')""".replace(
    "\n", ";"
)


@pytest.mark.parametrize("asked", [p.strip() for p in PLACES.split(";")])
def test_where_an_item_stands(asked: str) -> None:
    f = written(
        f"def f(x, names, name, whole):\n    k = {asked}\n    return x[k] ** 2 * x[0] * (k + 1)\n"
    )
    agrees(f, ITEMS, ["a", "b"], "b", [1, 3])
    if not any(of_list in asked for of_list in ("x.index", "x.count", "tuple(x)")):
        agrees(f, X, ["a", "b"], "b", [1, 3])


def test_an_item_that_is_not_there() -> None:
    tried = (
        "    try:\n        k = {}\n    except ValueError:\n        k = 1\n    return x[k] ** 2\n"
    )
    for asked in ("x.index(9.0)", "[v for v in x].index(9.0)", "x.index(x[2])"):
        agrees(written("def f(x):\n" + tried.format(asked)), ITEMS)
    f = written("def f(x):\n    return x[x.index(9.0)]\n")
    with pytest.raises(ValueError, match=r"9\.0 is not in list"):
        f(ITEMS)
    with pytest.raises(Exception, match=r"9\.0 is not in list"):
        rg.grad(f, strict=True)(ITEMS)


BLOCKS = "from scipy.linalg import block_diag\ndef f(x, n):\n    Q = {}\n    {}\n    return np.sum(D[0] * D[1]) + np.sum(D)\n"


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("given", ["np.outer(x, x)", "[[x[0] * x[1], x[1]], [x[2], x[3]]]"])
@pytest.mark.parametrize(
    "made",
    [
        "D = block_diag(*[Q] * n)",
        "b = [Q] * n; D = block_diag(*b)",
        "D = block_diag(Q, *(n * [Q]))",
    ],
)
def test_repeated_arguments(made: str, given: str, n: int) -> None:
    agrees(written(BLOCKS.format(given, made)), X, n)


def test_repeated_arguments_are_one_object() -> None:
    agrees(
        written(
            BLOCKS.format("np.outer(x, x)", "b = [Q] * n; Q[0, 0] = x[1] * 5; D = block_diag(*b)")
        ),
        X,
        3,
    )
    agrees(
        written(
            "def g(a, b, c):\n    return a * b + c\ndef f(x, n):\n    return g(*[x[0]] * n) * x[1]\n"
        ),
        X,
        3,
    )
    for text in (
        "def f(x, n):\n    Q = [x[0], x[1]]\n    b = [Q] * n\n    Q[0] = x[1] * 5\n    return sum(v[0] * v[1] for v in [*b])\n",
        "def g(*r):\n    r[0][0] = 7.0\n    return sum(v[0] * v[1] for v in r)\ndef f(x, n):\n    Q = [x[0], x[1]]\n    return g(*[Q] * n) + Q[0]\n",
    ):
        with pytest.raises(RetrogradError):
            rg.grad(written(text), strict=True)(X, 3)


def test_indices_of_a_generator() -> None:
    text = """
def f(x, y):
    arrays = [np.asarray(v) for v in (x, y)]
    shape = (len(v) for v in arrays)
    ix = np.indices(shape)
    ix = ix.reshape(len(arrays), -1).T
    out = np.empty_like(ix, dtype=np.result_type(*arrays))
    for n, _ in enumerate(arrays):
        out[:, n] = arrays[n][ix[:, n]]
    return np.sum(out[:, 0] * out[:, 1] ** 2)
"""
    agrees(written(text), X, np.array([3.0, 4.0, 5.0]))


ARRAYS = [np.array([0.4, 1.2]), np.array([2.0, -0.5])]
GIVEN_TO_CALLS = (
    "2, np.result_type(*[v * 2 for v in xs])", "2, np.result_type(*[v.dtype for v in xs])", "2, np.result_type(np.int8, *[v for v in xs])", "2, np.result_type(*[v for v in xs], np.float32)",
    "2, np.result_type(*[v if v[0] > 0 else v[0] for v in xs])", "2, np.common_type(*[v * 2 for v in xs])", "np.broadcast_shapes(*[v.shape for v in xs])", "np.broadcast_shapes((2, 1), *[v.shape for v in xs], (1, 2))",
    "math.gcd(*[len(v) for v in xs], 4)", "max(*[len(v) for v in xs])", "min(5, *[len(v) for v in xs], 7)",
)  # fmt: skip


@pytest.mark.parametrize("made", GIVEN_TO_CALLS)
def test_a_call_with_a_list_of_unknown_length(made: str) -> None:
    """What takes any number of arguments and gives no derivative is called as it is written."""
    f = written(
        f"import math\ndef f(xs):\n    y = np.zeros({made})\n    for v in xs:\n        y = y + v * v\n    return np.sum(y * y)\n"
    )
    agrees(f, ARRAYS)
    agrees(f, [*ARRAYS, ARRAYS[0] + 1.0])


def test_the_largest_of_a_starred_list() -> None:
    agrees(written("def f(x):\n    return max(*x) * min(x[1], *x, x[0]) + max(x[0], *[v * v for v in x])\n"), X)  # fmt: skip


@pytest.mark.parametrize("call", ["np.meshgrid(*{})[0]", "np.outer(*{})"])
def test_calls_that_stay_refused(call: str) -> None:
    """How many arguments they get says which derivative they have."""
    f = written(f"def f(xs):\n    return np.sum({call.format('[v * 2 for v in xs]')})\n")
    with pytest.raises(RetrogradError, match="unknown length"):
        rg.grad(f, strict=True)(ARRAYS)
