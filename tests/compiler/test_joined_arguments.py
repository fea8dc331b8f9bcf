"""Lists and tuples of the arguments that Python joins and repeats: no arithmetic of their items."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError
from retrograd.runtime.objects.pytree import flatten, map_leaves
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")
JOINED = [
    "x + y", "y + x", "x + x", "x * 2", "2 * x", "x[:1] + x[1:]", "x[1:] + y", "x + [0.5]", "[0.5] + x", "x * 0",
    "x + y + x", "x * len(y)", "(x + y)[1:]", "x + [v * v for v in y]", "list(x) + list(y)", "x * True", "x * n",
    "[*x, *y]", "x.copy() + y", "x + sorted(y)", "(x * 2)[::-1]", "[y, x][0] + x", "x * int(x[0] + 1.6)",
]  # fmt: skip
USES = ["sum(z)", "np.sum(z)", "sum(v * k for k, v in enumerate(z))", "(z + [1.0])[0] * len(z)"]


def function(joined: str, use: str, kind: str) -> Any:
    if kind == "tuple":
        joined = joined.replace("[0.5]", "(0.5,)").replace("sorted(y)", "tuple(sorted(y))")
        joined = joined.replace("x.copy()", "x").replace("[v * v for v in y]", "tuple(y)")
        use = use.replace("[1.0]", "(1.0,)")
    text = f"def f(x, y, n):\n    z = {joined}\n    return {use} * x[0]\n"
    return written(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("joined", JOINED)
@pytest.mark.parametrize("kind", ["list", "tuple"])
def test_right_or_refused(kind: str, joined: str, use: str) -> None:
    x, y = ([0.7, 1.3], [0.4]) if kind == "list" else ((0.7, 1.3), (0.4,))
    f = function(joined, use, kind)
    try:
        value = f(x, y, 2)
    except TypeError:
        return  # `[*x] + (1.0,)`
    try:
        found, (x_bar, y_bar) = rg.value_and_grad(f, (0, 1))(x, y, 2)
    except InternalError:
        raise
    except rg.RetrogradError:
        return
    assert found == value
    assert type(x_bar) is type(x)
    h = 1e-6
    for k, bar in ((0, x_bar), (1, y_bar)):
        for n, slope in enumerate(flatten(bar)[0]):
            ends = []
            for step in (h, -h):
                given = [x, y]
                moves = iter([step * (m == n) for m in range(len(given[k]))])
                given[k] = map_leaves(lambda v, moves=moves: v + next(moves), given[k])
                ends.append(f(*given, 2))
            assert np.isclose(slope, (ends[0] - ends[1]) / (2 * h), rtol=1e-6, atol=1e-8)


def test_what_is_taken() -> None:
    for joined in JOINED[:11]:
        rg.grad(function(joined, USES[0], "list"))([0.7, 1.3], [0.4], 2)
