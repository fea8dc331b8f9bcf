"""Several arrays from several, some of them whole numbers: `np.broadcast_arrays`, `np.meshgrid`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

N = np.arange(1, 5)
GIVEN = [1.5, np.float64(1.2), np.array([1.5]), np.arange(1.0, 5.0)]
OTHERS = [2, N, np.array([3]), N / 7, True]
TEXTS = {
    "sum": "a, b = {op}(x, n)\n    return np.sum(a * a * b)",
    "one": "a = {op}(x, n)[0]\n    return np.sum(a)",
    "other": "b, a = {op}(n, x)\n    return np.sum(a * (1 + b))",
    "three": "a, b, c = {op}(x, n, 0)\n    return np.sum(a ** 2 * b + c)",
    "loop": "s = 0.0\n    for a in {op}(x, n):\n        s = s + np.sum(a * a)\n    return s",
    "items": "a, b = [np.asarray(v) for v in {op}(x, n)]\n    return np.sum(a ** b)",
    "map": "a, b = map(np.asarray, {op}(x, n))\n    return np.sum(a ** b)",
    "starred": "a, *rest = {op}(x, n, 2.0)\n    return np.sum(a * rest[0] * rest[1])",
    "kept": "p = {op}(x, n)\n    y, z = list(p)\n    return np.sum(y * z * p[0]) * len(p)",
    "written": "a = np.array({op}(x, n)[0])\n    a[...] = a * a\n    return a.sum()",
    "copied": "a = {op}(x, n)[0].copy()\n    a.flat[0] = 3.0\n    return np.sum(a * a)",
}


def changes(f: Any, x: Any, n: Any) -> Any:
    h = 1e-6
    return (f(x + h, n) - f(x - h, n)) / (2 * h)


@pytest.mark.parametrize("op", ["np.broadcast_arrays", "np.meshgrid"])
@pytest.mark.parametrize("name", TEXTS)
def test_the_whole_numbers_get_no_cotangent(op: str, name: str) -> None:
    f = written("def f(x, n):\n    " + TEXTS[name].format(op=op))
    for x, n in itertools.product(GIVEN, OTHERS):
        expected = changes(f, x, n)
        gradient = rg.grad(f, strict=True)(x, n)
        assert np.shape(gradient) == np.shape(x)
        assert np.sum(gradient) == pytest.approx(expected, rel=1e-5)
        along = rg.jvp(f, (x, n), (np.ones_like(x), None), strict=True)[1]
        assert along == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("over", ["p", "tuple(p)", "list(p)"])
@pytest.mark.parametrize("make", ["map(np.sin, {p})", "map(lambda v: v * v, {p})"])
def test_map_is_taken_apart(make: str, over: str) -> None:
    f = written(f"def f(p):\n    a, b = {make.format(p=over)}\n    return a * b")
    for p in ((0.3, 1.2), [0.3, 1.2], np.array([0.3, 1.2]))[: 3 if over == "p" else 2]:
        expected = [(f(q) - f(r)) / 2e-6 for q, r in (([0.3 + 1e-6, 1.2], [0.3 - 1e-6, 1.2]), ([0.3, 1.2 + 1e-6], [0.3, 1.2 - 1e-6]))]  # fmt: skip
        np.testing.assert_allclose(rg.grad(f, strict=True)(p), expected, rtol=1e-6)
