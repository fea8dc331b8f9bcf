"""Loops that go through memory in blocks: results of every size, below, at and above a block."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.passes.loops import cache_tiling

pytestmark = [
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"),
]
SIZES = (5, 9, 4, 14, 2)


def of_differences(a, b):
    return np.sum((a + np.diff(b)) ** 2)


def of_sums(a, b):
    return np.sum((a + np.diff(np.cumsum(b))) ** 2)


def of_squares(a, b):
    return np.sum((a + np.diff(b * b)) ** 3)


def of_slices(a, b):
    c = np.cumsum(b)
    return np.sum((a + c[1:] - c[:-1]) ** 3)


def beside_a_sort(a, b):
    c = np.cumsum(b)
    return np.sum(np.sort(b)) + np.sum(np.diff(c) ** 2) * np.sum(a)


def beside_a_transform(a, b):
    s = np.abs(np.fft.fft(a)) ** 2
    return np.sum(np.diff(np.cumsum(b)) ** 2 * s)


def of_a_recurrence(a, b):
    y = b * 1.0
    for k in range(1, len(b)):
        y[k] = 0.5 * y[k - 1] + b[k]
    return np.sum((a - np.diff(y)) ** 2)


def smoothed(a, b):
    c = (b[1:] + b[:-1]) / 2
    d = c * a
    return np.sum((d[1:] - d[:-1]) ** 2) + np.sum(d)


PROGRAMS = [
    of_differences, of_sums, of_squares, of_slices, beside_a_sort, beside_a_transform, of_a_recurrence, smoothed,
]  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize("derive", [rg.grad, rg.value_and_grad])
@pytest.mark.parametrize("first", [0, 3])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_kernel_gives_what_its_text_gives(
    program: Any, first: int, derive: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel made for one size takes all others."""
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setattr(cache_tiling, "BLOCK", 4)
    compiled, text = derive(program, (0, 1), backend="c"), derive(program, (0, 1))
    rng = np.random.default_rng(first)
    for n in (*SIZES[first:], *SIZES[:first]):
        a, b = rng.normal(size=n - 1), rng.normal(size=n)
        found, wanted = leaves(compiled(a, b)), leaves(text(a, b))
        assert list(map(np.shape, found)) == list(map(np.shape, wanted))
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-10)


def leaves(tree: Any) -> list[Any]:
    return [x for t in tree for x in leaves(t)] if isinstance(tree, tuple) else [tree]
