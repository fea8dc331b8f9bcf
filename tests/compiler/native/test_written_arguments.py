"""Kernels that write to their arguments: what they give, and what they leave in them."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError
from tests.fuzz.in_place import in_place_program
from tests.fuzz.native import compared, same

from ...written import written

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
RNG = np.random.default_rng(22)
PROGRAMS = {
    "stencil": """
def f(a, m):
    for _ in range(4):
        a[1:-1] = 0.3 * (a[:-2] + a[1:-1] + a[2:])
    return np.sum(a * a) + np.sum(m)
""",
    "sweep": """
def f(a, m):
    for j in range(1, len(a)):
        m[j, 1:] += 0.2 * m[j - 1, 1:]
        a[j] = 0.4 * a[j - 1] + m[j, j]
    return np.sum(a) + np.sum(m * m)
""",
    "triangular": """
def f(a, m):
    for j in range(len(a)):
        for l in range(j):
            m[j, l] -= 0.1 * np.dot(m[j, :l], m[l, :l])
        a[j] = a[j] - 0.1 * m[j, :j] @ a[:j]
    return np.sum(a * a) + np.sum(m)
""",
    "rows": """
def f(a, m):
    for k in range(len(a) - 1):
        p = k + int(np.argmax(np.abs(m[k:, k])))
        if p != k:
            m[[k, p]] = m[[p, k]]
            a[k], a[p] = a[p], a[k]
        m[k + 1:, k + 1:] -= 0.1 * np.outer(m[k + 1:, k], m[k, k + 1:])
    return np.sum(m * m) + np.sum(a)
""",
    "masks": """
def f(a, m):
    c = a > 0.2
    a[c] = 0.5 * a[c] * m[0][c]
    m[m < 0.0] *= 0.3
    a[a > 1.0] = 1.0
    return np.sum(a * a) + np.sum(m)
""",
    "until": """
def f(a, m):
    gap = 1.0
    while gap > 1e-3:
        old = a.copy()
        a[:] = 0.3 * a + 0.1 * (m @ a) / len(a)
        gap = np.max(np.abs(a - old))
    return np.sum(a * a) + np.sum(m)
""",
    "the first array again": """
def f(a, m):
    for _ in range(3):
        old, a = a, a.copy()
        old[1:] = 0.5 * old[1:] + 0.2 * np.sin(a[:-1])
        a = old
    return np.sum(a * a) + np.sum(m)
""",
    "in a function of its own": """
def step(x, y):
    x[1:] = 0.5 * x[1:] + 0.1 * y[1:]

def f(a, m):
    for k in range(3):
        step(a, m[k])
    return np.sum(a * a) + np.sum(m)
""",
    "into": """
def f(a, m):
    np.subtract(a, m[0], out=a)
    np.minimum(m, np.add.outer(a, m[1]), out=m)
    return np.sum(a * a) + np.sum(m * m)
""",
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


def made(text: str) -> tuple[Any, Any]:
    """The text and the kernels of the gradient of a program."""
    f = written(text)
    return rg.value_and_grad(f, (0, 1)), rg.value_and_grad(f, (0, 1), backend="c")


def arguments(n: int) -> tuple[Any, Any]:
    return RNG.normal(size=n), RNG.normal(size=(n, n))


@pytest.mark.parametrize("name", PROGRAMS)
def test_arguments_are_left_as_the_text_leaves_them(name: str) -> None:
    plain, kernel = made(PROGRAMS[name])
    for args in (arguments(6), arguments(6), arguments(40)):
        mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
        assert same(kernel(*mine), plain(*theirs), 1e-9)
        assert same(mine, theirs, 1e-9)
    native = kernel.__native__
    assert not native.notes and not native.family.taken[None]


def test_arrays_in_another_order_are_written_to_where_they_are() -> None:
    plain, kernel = made(PROGRAMS["sweep"])
    a, m = arguments(6)
    kernel(a.copy(), m.copy())
    for x, y in ((a, m.T), (a, m)):
        mine, theirs = copied(x, y), copied(x, y)
        assert same(kernel(*mine), plain(*theirs), 1e-9)
        assert same(mine, theirs, 1e-9)


def copied(x: Any, y: Any) -> tuple[Any, Any]:
    """The same in the same order and steps."""
    whole = np.zeros((len(x), 2))
    whole[:, 0] = x
    return whole[:, 0], y.copy("K")


def test_what_shares_memory_or_is_read_only_is_refused_as_by_the_text() -> None:
    _, kernel = made(PROGRAMS["stencil"])
    a, m = arguments(6)
    kernel(a.copy(), m.copy())
    before = m.copy()
    with pytest.raises(MutationError):
        kernel(m[0], m)
    assert np.array_equal(m, before)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        kernel(a, m)


def test_a_kernel_that_is_left_late_has_written_nothing() -> None:
    text = """
def f(a, m):
    for j in range(len(a)):
        a[j] = 2.0 * a[j] + m[int(a[j]), 0]
    return np.sum(a) + np.sum(m)
"""
    plain, kernel = made(text)
    a, m = np.full(40, 1.0), np.ones((40, 40))
    kernel(a.copy(), m.copy())
    a[-1] = 40.0
    mine, theirs = a.copy(), a.copy()
    for gradient, given in ((plain, theirs), (kernel, mine)):
        with pytest.raises(IndexError):
            gradient(given, m)
    assert same(mine, theirs, 0.0)


def test_what_is_written_has_the_size_of_its_place() -> None:
    text = """
def f(a, m):
    z = m[:, 0].copy()
    z[:] = a
    return np.sum(z * z) + np.sum(m)
"""
    _, kernel = made(text)
    kernel(RNG.normal(size=50), RNG.normal(size=(50, 50)))
    with pytest.raises(ValueError, match="broadcast"):
        kernel(RNG.normal(size=45), RNG.normal(size=(50, 50)))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(40))
def test_random_programs_that_write_to_their_arguments(seed: int) -> None:
    outcome = compared(in_place_program(seed))
    assert outcome.verdict != "failed", (outcome.reason, outcome.detail)
