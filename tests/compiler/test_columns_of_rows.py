"""The columns of an array or of a list of rows, ``zip(*rows)``, where only the run knows how many rows there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

from ..both_modes import agrees
from ..written import written

P = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5], [2.0, 7.0, 1.5], [0.7, 0.4, 0.5]])
ROWS = {
    "an array": "p",
    "a list of rows": "[row for row in p]",
    "of what was computed": "[row * 2 for row in p]",
    "of lists": "[[r[0], r[1] ** 2, r[2]] for r in p]",
    "of tuples": "[(r[0] * r[1], r[1], r[2]) for r in p]",
    "that was filled": "filled(p)",
    "a transposed array": "(p.T).T",
    "some rows": "[row for row in p if row[0] > 0.6]",
}
USES = {
    "unpacked": "x, y, z = zip(*rows)\n    return sum(x) * sum(y) / sum(z)",
    "ends": "x, y, z = zip(*rows)\n    return (max(x) - min(y)) * len(z) + x[0] ** 2",
    "in a comprehension": "return sum([sum(v) ** 2 for v in zip(*rows)])",
    "in a loop": "total = 0.0\n    for k, column in enumerate(zip(*rows)):\n        total = total + (k + 1) * column[0] * len(column)\n    return total",
    "a list of them": "columns = list(zip(*rows))\n    return columns[0][0] * columns[2][-1] + len(columns)",
    "an array of them": "return (np.array(list(zip(*rows)))[1] ** 2).sum()",
    "joined": "x, y, z = zip(*rows)\n    return sum(x + y) * len(x + z)",
}
TEXT = """
def filled(p):
    made = []
    for r in p:
        made.append([r[0], r[1] * r[2], r[2]])
    return made

def f(p):
    rows = {rows}
    {use}
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("use", USES)
def test_the_columns(rows: str, use: str) -> None:
    f = written(TEXT.format(rows=ROWS[rows], use=USES[use]))
    try:
        rg.grad(f, strict=True)(P)
    except RetrogradError:
        assert use == "joined", "refused"
        pytest.skip("refused")
    for p in (P, P[:1], P[1:3]):
        agrees(f, p.copy())


@pytest.mark.parametrize("use", ["in a comprehension", "in a loop"])
def test_no_rows(use: str) -> None:
    f = written(
        TEXT.format(rows="[r for r in p if r[0] > limit]", use=USES[use]).replace(
            "def f(p)", "def f(p, limit)"
        )
    )
    slope = rg.grad(f, strict=True)
    for limit in (0.0, 9.0, 1.5):
        way = 1e-6 * np.eye(12).reshape(12, 4, 3)
        expected = [(f(P + h, limit) - f(P - h, limit)) / 2e-6 for h in way]
        np.testing.assert_allclose(slope(P, limit).ravel(), expected, rtol=1e-6, atol=1e-8)


def test_rows_of_several_lengths() -> None:
    """As long as the shortest, as Python says."""
    f = written(
        "def f(p, n):\n    rows = [p[: k + n] for k in range(3)]\n    return sum([(k + 1) * sum(v) for k, v in enumerate(zip(*rows))])\n"
    )
    x: Any = np.array([1.0, 2.0, 4.0, 7.0])
    for n in (1, 2, 0):
        expected = [f(x + h, n) - f(x, n) for h in np.eye(4)]
        np.testing.assert_allclose(rg.grad(f, strict=True)(x, n), expected)
