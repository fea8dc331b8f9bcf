"""Arrays that an iteration binds on some ways, and writes to: new ones, or any of several that are there."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

from ..both_modes import agrees
from ..written import written

X = np.array([0.7, -0.4, 1.2, 0.5])

WAYS = {
    "two": "if {c}:\n    a = {p}\nelif {d}:\n    a = {q}",
    "one": "if {c}:\n    a = {p}",
    "two, nested": "if k < 2:\n    if {c}:\n        a = {p}\n    elif {d}:\n        a = {q}",
    "one after another": "if {c}:\n    a = {p}\nif {d}:\n    a = {q} + a",
    "three": "if {c}:\n    a = {p}\nelif {d}:\n    a = {q}\nelif k == 2:\n    a = a * 2",
}
TESTS = {"counted": ("k == 0", "k == 1"), "by value": ("x[k] > 0.6 or k == 0", "x[k] > 0")}
MADE = {
    "new": ("x * 3", "np.zeros(4)"),
    "copies": ("x.copy()", "np.array(x)"),
    "of another size": ("np.ones(4) * x[0]", "np.outer(x, x)[k]"),
    "of rank 2": ("np.outer(x, x)", "np.ones((4, 1)) * x"),
}
WRITES = {
    "an item": "a[k] = x[k] ** 2",
    "augmented": "a[k] += x[k] ** 2",
    "all": "a *= x[k]",
    "out=": "np.multiply(a, x[k], out=a)",
    "on a way": "if k > 0:\n    a[0] = x[k] ** 2",
    "twice": "a[0] = x[k] ** 2\na[...] = a * x[0]",
}
BEFORE = {"unbound": "", "bound": "a = np.full(4, x[3])\n"}


def program(before: str, ways: str, test: str, made: str, write: str) -> str:
    (c, d), (p, q) = TESTS[test], MADE[made]
    inner = f"{WAYS[ways].format(c=c, d=d, p=p, q=q)}\n{WRITES[write]}\ns = s + np.sum(a)"
    lines = f"s = 0.0\n{BEFORE[before]}for k in range(4):\n    {inner.replace(chr(10), chr(10) + ' ' * 4)}"
    body = f"{lines}\nreturn np.sum(a) * x[1] + s * s"
    return "def f(x):\n    " + body.replace("\n", "\n    ") + "\n"


@pytest.mark.sampled(10)
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("ways", WAYS)
@pytest.mark.parametrize("write", WRITES)
def test_new_arrays(write: str, ways: str, test: str, made: str, before: str) -> None:
    if before == "bound" and made == "of rank 2":
        pytest.skip("of another rank on the other way")
    f = written(program(before, ways, test, made, write))
    agrees(f, X)
    if test == "by value":
        agrees(f, X[::-1] + 0.2)


# -- arrays that are there ---------------------------------------------------------------------------

THERE = {
    "either": ("a = b if {c} else e", True),
    "either, or the loop goes on": (
        "if {c}:\n    a = b\nelif {d}:\n    a = e\nelse:\n    continue",
        True,
    ),
    "either, or it stops": ("if {c}:\n    a = b\nelif {d}:\n    a = e\nelse:\n    break", True),
    "one of three": ("a = b if {c} else e if {d} else g", False),
    "either, or as before": ("if {c}:\n    a = b\nelif {d}:\n    a = e", False),
}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("there", THERE)
def test_arrays_that_are_there(there: str, write: str, test: str, sign: int) -> None:
    """One of two is chosen; of more it is not known which one was written to."""
    (c, d), (text, compiles) = TESTS[test], THERE[there]
    inner = f"{text.format(c=c, d=d)}\n{WRITES[write]}".replace("\n", "\n    ")
    lines = f"b = x * 2\ne = x ** 2\ng = x + 1\nfor k in range(4):\n    {inner}\nreturn np.sum(b) * x[1] + np.sum(e * g)"
    f = written("def f(x):\n    " + lines.replace("\n", "\n    ") + "\n")
    if compiles:
        return agrees(f, sign * X)
    with pytest.raises(MutationError, match="cannot tell whether"):
        rg.grad(f, strict=True)(sign * X)
