"""A list that is put into another one on one side of a branch, or on both, or begun anew, and written to afterwards."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from retrograd.runtime.errors import CompileError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 0.9])
SIDES = {
    "nothing": "pass",
    "written": "cur.append(v)",
    "anew": "cur = [v]",
    "put": "out.append(cur)",
    "put elsewhere": "other.append(cur)",
    "put, and anew": "out.append(cur)\ncur = []",
    "put elsewhere, and anew": "other.append(cur)\ncur = [v * v]",
    "put by a helper": "put(other, cur)",
    "put by a helper, and anew": "put(out, cur)\ncur = [v]",
    "put in a branch": "if v > 1:\n    out.append(cur)\n    cur = []",
    "named": "kept = cur\ncur = [v]",
}
AFTER = {
    "written": "cur.append(v * 0.5)",
    "put": "out.append(cur)",
    "nothing": "pass",
    "the last one": "if out:\n    out[-1].append(v)",
}
AROUND = {"once": "v = x[1]", "in a loop": "for v in x:", "first in a loop": "for v in x:"}
CASES = list(itertools.product(SIDES, SIDES, AFTER, AROUND))


def tabbed(text: str, depth: int) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in text.splitlines())


HEAD = """
def put(rows, row):
    rows.append(row)

def total(rows):
    s = 0.0
    for k, row in enumerate(rows):
        for j, v in enumerate(row):
            s = s + v * v * (1.0 + 0.3 * k - 0.2 * j)
    return s

def f(x):
    out, other, cur = [], [], [x[0]]
    kept = cur
"""


def program_of(then: str, orelse: str, after: str, around: str) -> str:
    """What is written ``after`` the branch stands before it where that comes first in the loop."""
    depth = 1 if around == "once" else 2
    branch = tabbed("if v > 0.8:", depth) + tabbed(SIDES[then], depth + 1)
    branch += tabbed("else:", depth) + tabbed(SIDES[orelse], depth + 1)
    write = tabbed(AFTER[after], depth)
    body = write + branch if around == "first in a loop" else branch + write
    end = "    return total(out) + total(other) * 0.7 + total([cur, kept])\n"
    return f"{HEAD}{tabbed(AROUND[around], 1)}{body}{end}"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_right_or_refused(case: tuple[str, str, str, str]) -> None:
    try:
        agrees(written(program_of(*case)), X)
    except CompileError:
        assert {"written", "the last one"} & {*case} or "put" in " ".join(case[:3])
