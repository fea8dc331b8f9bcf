"""Programs with containers in containers that were wrong once; the random ones stand in `test_lists_and_exits.py`."""

from __future__ import annotations

import pytest

from .run import judged

HEAD = "import numpy as np\n\nARGS = (np.array([0.8, -0.6, 1.3]),)\nWRT = (0,)\n\n"
WRONG_ONCE = {
    "a row that a loop puts into a table": """
def main(x):
    c = {"u": [x[0], x[1]], "v": [0.3, 2 * x[0]]}
    p = [c["v"], [0.6, x[0]]]
    for k in range(2):
        for _ in range(2):
            c["u"] = c["v"]
        p[k][1] = 0.5 * x[1]
    return c["u"][1]
""",
    "a row that a helper puts in twice": """
class Box:
    def __init__(self, rows):
        self.rows = rows

def change(a):
    for k in range(2):
        pass
    a.rows[k] = [x_ for x_ in a.rows[k]]
    a.rows[k] = a.rows[0]

def main(x):
    c = Box([[x[1], x[0]], [x[2], 0.2]])
    change(c)
    p = c.rows[1]
    p[1] = 0.7 * x[2]
    return c.rows[0][1] * x[0]
""",
    "one row twice, and a helper of a helper": """
def inner(a, i):
    for j in range(len(a)):
        a[i][j] = a[i][j] * a[0][0]

def change(a):
    for i in range(len(a)):
        inner(a, i)

def main(x):
    a = [[x[0], x[1]], [x[2], 0.5]]
    a[1] = a[0]
    change(a)
    return a[0][0] * a[1][1] + a[0][1]
""",
}


@pytest.mark.parametrize("name", WRONG_ONCE)
def test_what_was_wrong_is_right_or_refused(name: str) -> None:
    outcome = judged(HEAD + WRONG_ONCE[name])
    assert outcome.verdict in ("ok", "refused"), f"{outcome.reason}\n{outcome.detail}"
