"""`rows[i][j] -= e`, where an item is a number or an array: of lists of lists and the like that the run tells the length of."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

from ..both_modes import agrees, differences
from ..written import written

GIVEN = {
    "numbers": np.array([0.3, 0.5, 0.7]),
    "rows": np.array([[0.3, 0.5, 0.7], [0.2, 0.3, 0.9], [1.0, 1.4, 0.3]]),
    "list of rows": [np.array([0.3, 0.5]), np.array([0.2, 0.9]), np.array([1.0, 1.4])],
}
MADE = {
    "lists": "[[0.0] * n for i in range(n)]",
    "dicts": "[{k: 0.0 for k in range(n)} for i in range(n)]",
    "dict of lists": "{i: [0.0] * n for i in range(n)}",
    "arrays": "[[0.0 * x[0] for j in range(n)] for i in range(n)]",
}
LOOPS = {
    "the diagonal": "for j in range(n):\n    J[j][j] -= x[j]",
    "again": "for i in range(2):\n    for j in range(n):\n        J[j][j] += x[j] * x[i]",
    "a triangle": "for j in range(n):\n    for k in range(j):\n        J[j][k] -= x[j] * x[k]",
    "both": "for j in range(n):\n    for k in range(j):\n        t = x[j] * x[k]\n        J[k][j] -= t\n        J[j][k] -= t",
    "both, again": "for i in range(2):\n    for j in range(n):\n        f = x[j] * x[i]\n        for k in range(j):\n"
    "            t = f * x[k]\n            J[k][j] -= t\n            J[j][k] *= t\n        J[j][j] -= f",
    "on a way": "for j in range(n):\n    if j > 0:\n        J[j][0] += x[j]\n    else:\n        J[0][j] -= x[0] * x[j]\n    J[j][0] *= x[1]",
}  # fmt: skip


def program(made: str, loop: str, read: str = "") -> str:
    body = f"n = len(x)\nJ = {made}\n{loop}\n{read}s = 0.0\nfor i in range(n):\n    for j in range(n):\n        s = s + np.sum(J[i][j] ** 2 * (i + 1) * x[j])"
    return "def f(x):\n    " + body.replace("\n", "\n    ") + "\n    return s\n"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("loop", LOOPS)
def test_items_of_items_are_augmented(loop: str, made: str, given: str) -> None:
    f, x = written(program(MADE[made], LOOPS[loop])), GIVEN[given]
    agrees(f, x, second=given == "numbers" and made == "lists")


# What else shows an item that is augmented, or may.
SHOWN = {
    "a row": "row = J[1]\nfor k in range(n):\n    row[k] += x[k] * x[1]\n    J[1][k] *= 2\n",
    "in two places": "z = x[0] * 1.0\nfor j in range(n):\n    J[j][0] = z\nJ[1][0] += x[1]\n",
    "in one row": "z = x[0] * 1.0\nJ[0][0] = z\nJ[0][1] = z\nJ[0][1] *= x[1]\n",
    "by a name": "z = x[0] * 1.0\nJ[0][0] = z\nJ[0][0] += x[1]\nJ[1][1] = z * x[2]\n",
    "by a name, read before": "J[0][0] = x[0] * 1.0\nz = J[0][0]\nJ[0][0] += x[1]\nJ[1][1] = z * x[2]\n",
    "of the argument": "J[0][0] = x[0]\nJ[0][0] += x[1]\n",
    "another list": "J[0][0] = x[0] * 1.0\nK = [J[0][0], 1.0]\nJ[0][0] += x[1]\nJ[1][1] = K[0] * x[2]\n",
}


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("shown", SHOWN)
def test_what_else_shows_the_item_sees_it_or_it_is_refused(shown: str, given: str) -> None:
    f, x = written(program(MADE["lists"], LOOPS["the diagonal"], SHOWN[shown])), GIVEN[given]
    slopes = differences(f, (x,))
    try:
        gradient = rg.grad(f, strict=True)(x)
    except RetrogradError:
        return
    np.testing.assert_allclose(np.ravel(gradient), slopes, rtol=1e-5, atol=1e-7)
