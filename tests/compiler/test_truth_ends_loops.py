"""Loops that end by the truth of a number, which the iteration uses as a number, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")
LOOPS = {"while": "while True:\n        k += 1", "for": "for k in range(4):"}
LASTS = {  # a number that is true in the second iteration, and not before
    "float": "t = 0.5 * (k > 1)",
    "product": "t = a * (k > 1)",
    "int": "t = 3 * (k // 2)",
    "entry": "t = x[min(k, 2) - 1]",
    "half": "t = max(0.0, a * (k - 1.5))",
    "remainder": "t = k // 2 % 5 * 2.5",
    "NumPy's": "t = np.maximum(0.0, a * (k - 1.5))",
}
ENDS = {
    "break": "s = s + np.exp(-a * t) * k\n        if t:\n            break",
    "break before": "if t:\n            break\n        s = s + np.exp(-a * t) * k",
    "and": "s = s + a * t\n        if t and s > -100.0:\n            break",
    "not": "s = s + a * t\n        if not t:\n            continue\n        s = s * a\n        break",
    "return": "s = s + np.sin(a * t)\n        if t:\n            return s * t",
    "flag": "done = t\n        s = s + a * t\n        if done:\n            break",
}


def function(loop: str, last: str, end: str) -> Any:
    text = (
        f"def f(a, x):\n    s = a\n    k = 0\n    {LOOPS[loop]}\n"
        f"        {LASTS[last]}\n        {ENDS[end]}\n    return s * a\n"
    )
    return written(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("last", LASTS)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_number_is_no_flag(loop: str, last: str, end: str) -> None:
    f, a, x, h = function(loop, last, end), 0.7, np.array([0.0, 0.4, 0.9]), 1e-6
    gradient = rg.grad(f, (0, 1))(a, x)
    np.testing.assert_allclose(gradient[0], (f(a + h, x) - f(a - h, x)) / (2 * h), rtol=1e-7)
    if last == "entry":
        wanted = [(f(a, x + e) - f(a, x - e)) / (2 * h) for e in h * np.eye(3)[1:]]
        np.testing.assert_allclose(gradient[1][1:], wanted, rtol=1e-7)
