"""A name that holds something of another kind before a loop, and is bound in it before it is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 2.1])
BEFORE = {
    "list": "[x[0]]",
    "array": "x * 1.0",
    "tuple": "(x[0], 2.0)",
    "dict": "{'a': x[0]}",
    "text": "'abc'",
    "number": "x[0]",
}
BODIES = (
    "k = x[i] * 2; t = t + k",
    "k = [x[i], 2.0]; t = t + k[0] * k[1]",
    "k = x[i] * 2;     for j in range(2):;         t = t + k * j",
    "if x[i] > 0:;         k = [x[i], x[0]];         t = t + k[0] * k[1]",
    "y = x[i]; k = {'b': y * y}; t = t + k['b']",
)
READ_LATER = (
    "k = x[i] * 2; t = t + k",
    "k = [x[i], 2.0, x[0]]; t = t + k[0]",
    "t = t + len(k); k = [x[i]] * (i + 2)",
)


def function(before: str, body: str, after: str) -> Any:
    lines = (
        body.replace(";     ", "\n        ")
        .replace("; ", "\n        ")
        .replace(":;", ":\n    ")
        .replace("\n        \n", "\n")
    )
    return written(
        f"def f(x):\n    k = {before}\n    t = 0.0\n    for i in range(len(x)):\n        {lines}\n    return {after}\n"
    )


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("before", BEFORE)
def test_bound_before_it_is_read(before: str, body: str) -> None:
    agrees(function(BEFORE[before], body, "t * x[1]"), X)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("body", READ_LATER)
@pytest.mark.parametrize("before", BEFORE)
def test_read_behind_the_loop_it_is_right_or_refused(before: str, body: str) -> None:
    for after in ("t * k", "t * k[0]", "t * len(k)"):
        f = function(BEFORE[before], body, after)
        try:
            f(X)
        except (TypeError, IndexError, KeyError):
            continue
        try:
            rg.grad(f, strict=True)(X)
        except RetrogradError:
            continue
        if isinstance(f(X), float):
            agrees(f, X)


def test_the_list_that_had_the_name_keeps_its_items() -> None:
    agrees(
        written(
            "def f(x):\n    k = [0.0] * len(x)\n    y = k\n    for i in range(len(x)):\n        k[i] = x[i] * x[i]\n    t = 0.0\n"
            "    for i in range(len(x)):\n        k = x[i] * 2\n        y[i] = y[i] * k\n        t = t + k * y[i]\n    return t * y[-1]\n"
        ),
        X,
        second=True,
    )
