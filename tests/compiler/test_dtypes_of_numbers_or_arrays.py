"""A number of Python's on one way, an array on another: the dtype that NumPy gives both is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import written

EARLY = """
def inner(x, n):
    if np.all(x == 0):
        return {number}
    return {array}
def f(x, n):
    y = {made}
    z = {used}
    return (y * z).sum() + (x * x).sum()
"""
NUMBERS = ["np.nan", "0.5", "float('inf')", "2.0 if n > 3 else 1.5"]
ARRAYS = ["x * x", "x[:2] * n", "np.outer(x, x)", "np.cumsum(x)", "x.sum() * x"]
MADE = ["np.tile(inner(x, n), (2, 1))", "np.asarray(inner(x, n))", "np.atleast_1d(inner(x, n))", "np.exp(inner(x, n))",
        "np.multiply(inner(x, n), 2)", "np.array(inner(x, n)) * 0.5", "np.ravel(inner(x, n))", "np.array([1.0, inner(x, n).sum()])"]  # fmt: skip
USED = ["np.ones(1, dtype=y.dtype)", "np.finfo(y.dtype).eps + 1.0", "(2.0 if y.dtype in [np.float64, np.float32] else 3.0)",
        "(2.0 if np.issubdtype(y.dtype, np.floating) else 3.0)", "np.full(1, 2.0, dtype=np.result_type(y.dtype, np.float32))"]  # fmt: skip


def agrees(f: Any, x: Any, n: int) -> None:
    steps = 1e-6 * np.eye(x.size)
    expected = np.array([(f(x + e, n) - f(x - e, n)) / 2e-6 for e in steps])
    assert rg.grad(f, strict=True)(x, n) == pytest.approx(expected, rel=1e-6)
    tangent = rg.jvp(lambda x: f(x, n), (x,), (np.ones_like(x),))[1]
    assert tangent == pytest.approx(expected.sum(), rel=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("made", MADE)
def test_dtype(made: str, used: str) -> None:
    k = MADE.index(made) + USED.index(used)  # every number and every array with some of them
    for number, array in zip(NUMBERS, (ARRAYS * 2)[k % 5 :], strict=False):
        agrees(
            written(EARLY.format(number=number, array=array, made=made, used=used)),
            np.array([0.3, 1.2, 0.7]),
            2,
        )


@pytest.mark.parametrize("number", ["0.5", "1", "True"])
@pytest.mark.parametrize(
    "array", ["x.astype(np.float32)", "x * np.float32(2)", "np.arange(3)", "x * 1j", "x > 0.5", "x"]
)
@pytest.mark.parametrize("zero", [False, True])
def test_of_two_dtypes(zero: bool, array: str, number: str) -> None:
    """Where the two differ, it is asked when it runs."""
    text = f"""
def inner(x, k):
    if k > 2:
        return {number}
    return {array}
def f(x, k):
    y = np.asarray(inner(x, k))
    scale = {{"f": 2.0, "i": 3.0, "b": 5.0, "c": 7.0}}[y.dtype.kind] * y.dtype.itemsize
    return (x * x * scale).sum()
"""
    f, x = written(text), np.array([0.3, 1.2, 0.7])
    try:
        derivative = rg.grad(f, strict=True)
        for k in (1, 3) if zero else (3, 1):
            scale = f(np.array([1.0, 0.0, 0.0]), k)
            assert derivative(x, k) == pytest.approx(2 * x * scale)
    except rg.RetrogradError:
        return


@pytest.mark.parametrize(
    "other", ["np.float32(2.0)", "np.ones(3, np.float32)", "np.arange(3)", "2", "1j"]
)
def test_promoted(other: str) -> None:
    """A number is weak where dtypes are promoted, and an array is not."""
    text = f"def inner(x, n):\n    if n > 2:\n        return 0.5\n    return x\ndef f(x, n):\n    y = inner(x, n) * {other}\n    scale = 1.0 + np.asarray(y).dtype.itemsize\n    return (x * scale).sum()\n"
    f = written(text)
    try:
        derivative = rg.grad(f, strict=True)
        for n in (1, 3):
            assert derivative(np.ones(3), n) == pytest.approx(
                f(np.array([1.0, 0.0, 0.0]), n) * np.ones(3)
            )
    except rg.RetrogradError:
        return
