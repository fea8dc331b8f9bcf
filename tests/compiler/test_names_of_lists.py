"""A name that a loop binds to another list: of another length, of another name, begun anew, put into a third one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from retrograd.runtime.errors import CompileError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 0.9])
BEFORE = {
    "empty": "cur = []",
    "shorter": "cur = [x[1]]",
    "longer": "cur = [1.0, x[2], x[0]]",
    "the other": "cur = out",
    "not bound": "",
}
BOUND = {
    "the other": "cur = out",
    "a copy": "cur = list(out)",
    "new": "cur = [v]",
    "new, longer": "cur = [v, x[0] * v]",
    "a sum": "cur = out + [v]",
    "by a helper": "cur = given_back(out)",
    "an item": "cur = rows[0]",
    "put away": "cur = [v]\n    rows.append(cur)",
    "put away, and new": "cur = [v * x[1]]\n    rows.append(cur)\n    cur = [v]",
    "in a branch": "if v > 0.8:\n        cur = [v * v]",
    "or put away": "if v > 0.8:\n        cur = [v * v]\n    elif v > 0:\n        cur = out\n        rows.append([v])",
}
BESIDE = {
    "": "",
    "written": "out[0] = v * x[0]",
    "grown": "out.append(v)",
    "bound": "out = [v, v * v]",
    "written by it": "cur[0] = v * x[3]",
    "grown by it": "cur.append(v * 0.5)",
}
CASES = list(itertools.product(BEFORE, BOUND, BESIDE))
REFUSED_BESIDE = ("written", "grown", "written by it", "grown by it")


def program_of(before: str, bound: str, beside: str) -> str:
    lines = ["out, rows = [x[0] * x[1]], [[x[2]]]", BEFORE[before], "for v in x:"]
    lines += [f"    {line}" for line in (BOUND[bound], BESIDE[beside]) if line]
    lines.append("return total([out, cur, *rows])")
    body = "".join(f"    {line}\n" for line in "\n".join(filter(None, lines)).split("\n"))
    return f"""
def given_back(row):
    return row

def total(rows):
    s = 0.0
    for k, row in enumerate(rows):
        for j, v in enumerate(row):
            s = s + v * v * (1.0 + 0.3 * k - 0.2 * j)
    return s

def f(x):
{body}"""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_right_or_refused(case: tuple[str, str, str]) -> None:
    f = written(program_of(*case))
    try:
        f(X.copy())
    except (NameError, IndexError):
        return  # it is not bound, or empty
    try:
        agrees(f, X)
    except CompileError:
        assert case[2] in REFUSED_BESIDE
