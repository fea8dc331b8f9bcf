"""Lists of lists that helpers write to at places that are computed: elimination, decompositions, tables.

Each program makes a matrix, may hold its rows in other ways, lets a helper write to it, and reads it in some way: it is
right, or refused.
"""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import CompileError

HELPERS = {
    "scaled": "for i in range(len(A)):\n    for j in range(len(A)):\n        A[i][j] = A[i][j] * 2.0",
    "in place": "for i in range(len(A)):\n    for j in range(len(A[i])):\n        A[i][j] *= 1.5",
    "eliminated": (
        "for j in range(len(A)):\n    for i in range(j + 1, len(A)):\n        f = A[i][j] / A[j][j]\n"
        "        for k in range(j, len(A)):\n            A[i][k] -= f * A[j][k]"
    ),
    "swapped": "for k in range(len(A)):\n    t = A[1][k]\n    A[1][k] = A[0][k] * A[1][k]\n    A[0][k] = t",
    "rows are put elsewhere": "for i in range(len(A) - 1):\n    A[i], A[i + 1] = A[i + 1], A[i]",
    "new rows": "for i in range(len(A)):\n    A[i] = [2.0 * A[i][0], A[i][1] * A[i][1]]",
    "by the row": "for row in A:\n    for j in range(len(row)):\n        row[j] = row[j] * 3.0",
    "a helper of it": "for i in range(len(A)):\n    inner(A, i)",
    "only read": "s = 0.0\nfor i in range(len(A)):\n    s = s + A[i][i]\nreturn s",
}
INNER = "def inner(A, i):\n    for j in range(len(A)):\n        A[i][j] = A[i][j] * A[0][0]\n"
MADE = {
    "a display": "A = [[p[0], p[1]], [p[2], p[3]]]",
    "floats": "A = [[float(p[0]), 2.0], [float(p[2]), float(p[3]) * 3.0]]",
    "comprehensions": "A = [[p[2 * i + j] * p[0] for j in range(2)] for i in range(2)]",
    "rows with names": "r, q = [p[0], p[1]], [p[2], p[3]]\nA = [r, q]",
    "a list of arrays": "A = p.reshape(2, 2).tolist()",
}
HELD = {
    "by nobody": "",
    "a row": "row = A[0]",
    "a row in another list": "B = [A[1], [1.0, p[1]]]",
    "twice": "A[1] = A[0]",
    "a copy": "B = [list(one) for one in A]",
}
READ = {
    "A[0][0] * A[1][1] + A[0][1]": (
        "by nobody",
        "a row",
        "a row in another list",
        "twice",
        "a copy",
    ),
    "row[0] * row[1] + A[1][1]": ("a row",),
    "B[0][0] * B[0][1] + A[1][0]": ("a row in another list", "a copy"),
    "r[0] * q[1] + A[0][1]": ("by nobody", "a row"),
}
CASES = [
    (helper, made, held, read)
    for helper, made, held, read in itertools.product(HELPERS, MADE, HELD, READ)
    if held in READ[read] and (made == "rows with names" or not read.startswith("r["))
]


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def program_of(helper: str, made: str, held: str, read: str) -> Any:
    text = f"{INNER}def change(A):\n{indented(HELPERS[helper])}"
    text += f"def program(p):\n{indented(MADE[made])}{indented(HELD[held])}    change(A)\n    return {read}\n"
    name = f"<{helper}, {made}, {held}, {read}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def differences(f: Any, p: Any) -> Any:
    e = 1e-6 * np.eye(len(p))
    return np.array([(f(p + d) - f(p - d)) / 2e-6 for d in e])


P = np.array([2.0, 1.3, 0.5, 3.0])
ALONE = [
    (helper, made, held, read)
    for helper, made, held, read in CASES
    if held in ("by nobody", "a copy") and not read.startswith("r[")
]  # nobody else has the rows: none of them is refused


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_it_is_right_or_refused(case: tuple[str, str, str, str]) -> None:
    program = program_of(*case)
    try:
        found = rg.grad(program, strict=True)(P)
    except CompileError:
        if case in ALONE:
            raise
        return
    np.testing.assert_allclose(found, differences(program, P), rtol=1e-5, atol=1e-6)
    _, forwards = rg.jvp(program, (P,), (np.ones(4),))
    np.testing.assert_allclose(forwards, np.sum(found), rtol=1e-9)
