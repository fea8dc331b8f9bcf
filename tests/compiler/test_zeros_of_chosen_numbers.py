"""``sqrt(max(r, 0))`` where ``r`` is below 0: what was not chosen has the slope 0, however steep the root is."""

from __future__ import annotations

import functools
import itertools
import linecache
import math
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([1.3, 0.7, 2.1])
CHOSEN = {  # at X, `x[0] - 5` is not chosen
    "max": "max({r}, 0.0)",
    "max, the other way round": "max(0, {r})",
    "max of a list": "max([{r}, 0.0])",
    "max of many": "max(0.0, *[v - 5 for v in x])",
    "max of a made list": "max([0.0] + [v - 5 for v in x])",
    "max by key": "max(0.0, {r}, key=lambda v: v)",
    "max of pairs": "max([(0.0, 1), ({r}, 2)])[0]",
    "min": "abs(min(-({r}), 0.0))",
    "both": "min(max({r}, 0.0), 1.0)",
    "sorted": "sorted([0.0, {r}])[1]",
    "np.maximum": "np.maximum({r}, 0.0)",
    "np.fmax": "np.fmax({r}, 0)",
    "np.clip": "np.clip({r}, 0, None)",
    "np.where": "np.where({r} > 0, {r}, 0.0)[()]",
    "np.select": "np.select([{r} > 0], [{r}], 0.0)[()]",
    "np.heaviside": "np.heaviside({r}, 0) * x[0]",
    "np.interp": "np.interp(x[0], [2.0, 3.0], [0.0, 1.0])",
    "if": "({r} if {r} > 0 else 0.0)",
    "and": "(({r} > 0) and {r})",
    "a mask": "({r} > 0) * ({r})",
    "a helper": "above({r})",
}
STEEP = {
    "math.sqrt": "math.sqrt({c})",
    "np.sqrt": "np.sqrt({c})",
    "a power": "({c}) ** 0.5",
    "a power of x": "({c}) ** x[1]",
    "math.pow": "math.pow({c}, 0.3)",
    "np.cbrt": "np.cbrt({c})",
    "arccos": "np.arccos(1.0 - {c})",
    "math.acos": "math.acos(1.0 - {c})",
}


def above(v):
    return max(v, 0.0)


@functools.cache
def program_of(expression: str) -> Any:
    text = f"def program(x):\n    return {expression} * x[2] + x[1] ** 2\n"
    linecache.cache[expression] = (len(text), None, text.splitlines(keepends=True), expression)
    space: dict[str, Any] = {"math": math, "np": np, "above": above}
    exec(compile(text, expression, "exec"), space)
    return space["program"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("chosen", "steep"),
    [*itertools.product(CHOSEN, STEEP)],
    ids=lambda name: name,
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_it_is_exact(chosen: str, steep: str, unchecked: None) -> None:
    program = program_of(STEEP[steep].format(c=CHOSEN[chosen].format(r="x[0] - 5")))
    e, v = 1e-6 * np.eye(3), np.array([0.3, -1.1, 0.7])
    expected = np.array([(program(X + d) - program(X - d)) / 2e-6 for d in e])
    np.testing.assert_allclose(rg.grad(program, strict=True)(X), expected, atol=1e-8)
    np.testing.assert_allclose(rg.jvp(program, (X,), (v,))[1], expected @ v, atol=1e-8)
    np.testing.assert_allclose(rg.hvp(program, (X,), v), [0.0, 2.0 * v[1], 0.0], atol=1e-8)
