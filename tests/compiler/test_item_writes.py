"""Lists written to at places that are computed: in place, in the text, and never seen by another name.

Programs are made of a kind of container, a way to write to it, and a way to read what came of it.  Each is tried in
both modes and twice over, and with cotangents and tangents of the caller's, which are to stay as they are.
"""

from __future__ import annotations

import copy
import itertools
import linecache
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.aliasing.container_origins import Origins
from retrograd.runtime.errors import CompileError
from tests.before_after import lowered

N = 3
KINDS = {  # how it is made, and the place with the number `k`
    "a list": ("[x[0] * (i + 1) + x[1] for i in range(n)]", "c[{k}]"),
    "zeros": ("[0.5] * n", "c[{k}]"),
    "of arrays' items": ("[x[i] for i in range(n)]", "c[{k}]"),
    "a matrix": (
        "[[x[0] * (i + 1) + x[1] * j for j in range(n)] for i in range(n)]",
        "c[{k}][(2 * ({k}) + 1) % n]",
    ),
    "rows of zeros": ("[[0.0] * n for _ in range(n)]", "c[{k}][n - 1 - ({k})]"),
    "a display": (
        "[[x[0], 1.0, x[1]], [x[1] * x[1], x[2], 2.0], [0.5, x[0], 1.0]]",
        "c[{k}][({k} + 1) % n]",
    ),
    "a dict of lists": (
        '{"a": [x[0] * i for i in range(n)], "b": [x[1]] * n}',
        'c["b" if ({k}) % 2 else "a"][{k}]',
    ),
    "lists in lists of lists": (
        "[[[x[0] * i + x[1] * j + h for h in range(2)] for j in range(n)] for i in range(n)]",
        "c[{k}][n - 1 - ({k})][({k}) % 2]",
    ),
    "a tuple of lists": (
        "tuple([x[0] * i + x[1] * j for j in range(n)] for i in range(n))",
        "c[{k}][0]",
    ),
}
WRITES = {
    "over": "for i in range(n):\n    AT(i) = x[0] * i + x[2]",
    "augmented": "for i in range(n):\n    AT(i) *= 1.0 + x[1]",
    "from the one before": "for i in range(1, n):\n    AT(i) = AT(i) * AT(i - 1) + x[2]",
    "all over again": "for t in range(2):\n    for i in range(n):\n        AT(i) = 0.5 * AT((i + 1) % n) * AT(i)",
    "swapped": "for i in range(n - 1):\n    AT(i), AT(i + 1) = AT(i + 1) * x[0], AT(i)",
    "read before": "s = 1.0\nfor i in range(n):\n    old = AT(i)\n    AT(i) = x[1] * old * old\n    s = s * old + AT(i)\nx = x * s",
    "in a branch": "for i in range(n):\n    if AT(i) > 0.6:\n        AT(i) = AT(i) * x[0]\n    else:\n        AT(0) = AT(0) + AT(i) * x[2]",
    "while": "i = 0\nwhile i < n and AT(i) < 50.0:\n    AT(i) = AT(i) * AT(i) + x[0]\n    i = i + 1",
    "by a helper": "for i in range(n):\n    helper(c, i, n, x)",
    "copies kept": "kept = []\nfor i in range(n):\n    kept.append(AT(i))\n    AT(i) = AT(i) * x[0]\nfor old in kept:\n    x = x * old",
    "one place": "AT(0) = x[0] * AT(1)\nAT(1) = AT(0) * AT(0)\nAT(0) = AT(1) + x[1]",
}
READS = {
    "an item": "AT(n - 1) * x[0]",
    "all": "sum([AT(i) * AT(i) for i in range(n)]) + x[1]",
    "twice": "reader(c, n) * reader(c, n) + AT(0)",
    "before and after": "first * AT(0) + AT(n - 1)",
}
REFUSED = ("a display", "while")  # the matrix after the loop may be the one from before it
CASES = list(itertools.product(KINDS, WRITES, READS))
X = np.array([0.7, 1.2, 0.4])


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def placed(text: str, place: str) -> str:
    """``AT(k)`` as the place with that number."""
    while "AT(" in text:
        before, _, rest = text.partition("AT(")
        depth, end = 1, 0
        while depth:
            depth += {"(": 1, ")": -1}.get(rest[end], 0)
            end += 1
        text = before + place.replace("{k}", rest[: end - 1]) + rest[end:]
    return text


def program_of(kind: str, write: str, read: str, returned: bool = False) -> Any:
    made, place = KINDS[kind]
    body = f"c = {made}\nfirst = AT(0)\n{WRITES[write]}\nreturn {READS[read]}"
    if returned:
        body = f"c = {made}\n{WRITES[write]}\nreturn c"
    text = "def helper(c, i, n, x):\n    AT(i) = AT(i) * AT((i + 1) % n) + x[1]\n"
    text += "def reader(c, n):\n    s = 0.0\n    for i in range(n):\n        s = s + AT(i)\n    return s\n"
    text = placed(f"{text}def program(x, n={N}):\n{indented(body)}", place)
    name = f"<{kind}, {write}, {read}, {returned}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def differences(f: Any, x: Any, step: float = 1e-6) -> Any:
    return np.array([(f(x + d) - f(x - d)) / (2 * step) for d in step * np.eye(len(x))])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_it_is_right_in_both_modes_and_twice(case: tuple[str, str, str]) -> None:
    f = program_of(*case)
    gradient = rg.grad(f, strict=True)
    try:
        found = gradient(X)
    except CompileError:
        assert case[0] in ("a tuple of lists", "a dict of lists") or case[:2] == REFUSED
        return
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-5, atol=1e-6)
    v = np.array([0.3, -1.0, 0.5])
    np.testing.assert_allclose(rg.jvp(f, (X,), (v,))[1], found @ v, rtol=1e-9)
    along = differences(lambda x: gradient(x), X) @ v
    np.testing.assert_allclose(rg.hvp(f, (X,), v), along, rtol=1e-4, atol=1e-5)
    twice = rg.grad(lambda x: np.sum(gradient(x) * v))(X)
    np.testing.assert_allclose(twice, along, rtol=1e-4, atol=1e-5)


ORIGINS = {  # what a function returns, and whether it is made of new lists that are in one place each
    "[[x * i for i in range(n)] for _ in range(n)]": True,
    "[row for _ in range(n)]": False,
    "[[row, row] for _ in range(n)]": False,
    "[[[x * i for i in range(n)], [x]] for _ in range(n)]": True,
    "[[[x * k for k in range(i)], row] for i in range(n)]": False,
    "rows": False,
}


@pytest.mark.parametrize("made", ORIGINS)
def test_what_is_in_two_places_is_not_written_in_place(made: str) -> None:
    source = f"def f(x, n, rows):\n    row = [x * k for k in range(n)]\n    return {made}\n"
    function = lowered(source, "x: float, n: int, rows: [[float, float], [float]]")
    assert Origins(function).are_known(function.body.yields[0]) == ORIGINS[made]


FUNCTIONAL = ("rt.put_at", "rt.replaced", "rt.increased_at", "rt.cleared", "rt.index_add")
IN_PLACE = [
    (kind, write)
    for kind in ("a list", "zeros", "a matrix", "rows of zeros", "a display")
    for write in ("over", "augmented", "all over again", "swapped", "read before", "in a branch")
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", IN_PLACE, ids=", ".join)
def test_the_text_writes_in_place(case: tuple[str, str]) -> None:
    """A write takes the time of what is written, forwards and backwards."""
    f = program_of(*case, "an item")
    for text in (rg.differentiate(f).source("grad", X), rg.differentiate(f).source("jvp", X)):
        assert not [name for name in FUNCTIONAL if name in text]
        body = text.splitlines()
        assert not [line for line in body if "rt.copy" in line and line.startswith(" " * 8)]


RETURNED = [
    (kind, write)
    for kind in KINDS
    for write in ("over", "all over again", "one place")
    if kind != "a dict of lists"  # a dict of run-time keys is no result of `rg.vjp` yet
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", RETURNED, ids=", ".join)
def test_the_callers_cotangents_stay_as_they_are(case: tuple[str, str]) -> None:
    """A pullback may be called again, and with the same cotangent."""
    f = program_of(*case, "an item", returned=True)
    try:
        value, pull = rg.vjp(f, X)
    except CompileError:
        return
    kept = copy.deepcopy(value)
    cotangent = filled(value, itertools.count(1))
    before = copy.deepcopy(cotangent)
    first, second = pull(cotangent), pull(cotangent)
    assert (cotangent, value) == (before, kept)
    np.testing.assert_array_equal(first, second)
    _, dot = rg.jvp(f, (X,), (X,))
    np.testing.assert_allclose(paired(cotangent, dot), np.sum(first * X), rtol=1e-9)


ARGUMENT = """
def program(rows, w):
    c = {copied}
    for t in range(2):
        for i in range(len(c)):
            for j in range(len(c[i])):
                c[i][j] = c[i][j] * w + rows[j][i] * c[j][i]
    return c[0][0] * rows[1][1] + c[1][0]
"""
COPIES = {
    "slices": "[row[:] for row in rows]",
    "lists": "[list(row) for row in rows]",
    "items": "[[v for v in row] for row in rows]",
    "sums": "[[v + 0.0 * w for v in row] for row in rows]",
}


@pytest.mark.parametrize("copied", COPIES)
def test_lists_of_the_caller_stay_as_they_are(copied: str) -> None:
    name = f"<rows of the caller, {copied}>"
    text = ARGUMENT.replace("{copied}", COPIES[copied])
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    f, rows = space["program"], [[0.5, 1.5], [0.7, 0.3]]
    dots = [[1.0, 0.0], [-2.0, 0.5]]
    value, found = rg.value_and_grad(f)(rows, 0.9)
    _, dot = rg.jvp(f, (rows, 0.9), (dots, 0.0))
    assert (rows, dots) == ([[0.5, 1.5], [0.7, 0.3]], [[1.0, 0.0], [-2.0, 0.5]])
    assert value == f(rows, 0.9)
    flat = np.array([found[0], found[1]]).ravel()
    wanted = differences(lambda v: f(v.reshape(2, 2).tolist(), 0.9), np.ravel(rows))
    np.testing.assert_allclose(flat, wanted, rtol=1e-6)
    np.testing.assert_allclose(dot, flat @ np.ravel(dots), rtol=1e-9)
    assert not {id(row) for row in found} & {id(row) for row in rows}


def filled(tree: Any, numbers: Any) -> Any:
    """A container like this one, of other numbers."""
    if isinstance(tree, dict):
        return {key: filled(item, numbers) for key, item in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(filled(item, numbers) for item in tree)
    return 0.5 * next(numbers)


def paired(a: Any, b: Any) -> float:
    """The sum of the products of the numbers of two containers."""
    if isinstance(a, dict):
        return sum(paired(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return sum(map(paired, a, b))
    return float(a * b)
