"""Containers of empty containers: what is put into one of them is in the other, however it was reached."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from retrograd.runtime.errors import CompileError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6])
MADE = {
    "list": "[[], []]",
    "tuple": "([], [])",
    "beside a number": "[[], 1.0, []]",
    "made before": "[first, []]",
    "deep": "[[], [[], 2.0]]",
    "dict": '{0: [], 1: []}',
    "one full": "[[], [2.0]]",
}  # fmt: skip
REACHED = {
    "by its place": "c[0].append(AT)",
    "from the end": "c[-len(c)].append(AT)",
    "by a name": "row = c[0]\nrow.append(AT)",
    "unpacked": "row, *rest = c\nrow.append(AT)",
    "gone over": "for row in c[:1]:\n    row.append(AT)",
    "in a copy": "list(c)[0].append(AT)",
    "in a tuple": "tuple(c)[0].append(AT)",
    "backwards": "c[::-1][-1].append(AT)",
    "by a helper": "helper(c[0], AT)",
    "by a helper of all": "helper_of_all(c, AT)",
    "in a sum": "(c + c)[0].append(AT)",
    "of two": "(c[0] if x[0] > 0 else c[1]).append(AT)",
    "next": "next(iter(c)).append(AT)",
    "a new list": "[c[0], 3.0][0].append(AT)",
    "the least": "min(c[0], [1e9]).append(AT)",
    "extended": "c[0].extend([AT, AT * x[0]])",
    "inserted": "c[0].insert(0, AT)",
    "added": "c[0] += [AT]",
}
AROUND = {
    "once": "STATEMENT(x[1] * x[0])",
    "in a loop": "for v in x:\n    STATEMENT(v * x[0])",
    "in a branch": "if x[0] > 0.1:\n    STATEMENT(x[2] * x[1])\nelse:\n    STATEMENT(x[2])",
    "in a while": "k = 0\nwhile k < 3:\n    STATEMENT(x[k] * k)\n    k += 1",
}
REFUSED = ("of two", "the least")  # it is written to one of several lists
OF_DICTS = ("by its place", "by a name", "by a helper", "of two", "a new list", "extended")
CASES = [
    case for case in itertools.product(MADE, REACHED, AROUND)
    if (case[0] != "dict" or case[1] in OF_DICTS) and case[:2] != ("tuple", "added")
]  # fmt: skip


def indented(text: str, by: str) -> str:
    return text.replace("\n", f"\n{by}")


def program_of(made: str, reached: str, around: str) -> str:
    """A function that makes containers, puts numbers into one, and adds up all that is in it."""
    lines = []
    for line in AROUND[around].split("\n"):
        before, mark, rest = line.partition("STATEMENT(")
        at = rest.removesuffix(")")
        filled = indented(REACHED[reached].replace("AT", f"({at})"), before)
        lines.append(before + filled if mark else line)
    body = indented("\n".join(lines), "    ")
    return f"""
def helper(row, v):
    row.append(v)

def helper_of_all(c, v):
    c[0].append(v)

def f(x):
    first = []
    c = {MADE[made]}
    {body}
    total = x[0]
    for k, v in enumerate(c[0]):
        total = total * 0.5 + v * v * (k + 1)
    return total + len(c[0]) * x[1]
"""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_right_or_refused(case: tuple[str, str, str]) -> None:
    f = written(program_of(*case))
    try:
        agrees(f, X)
    except CompileError:
        assert case[1] in REFUSED
