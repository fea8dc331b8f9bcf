"""Dtypes that the program chooses when it runs, of whole numbers on one way: what is written is kept, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

TEXT = """
import numpy as np
KINDS = {True: int, False: float}
def pick(c):
    if c:
        return np.int64
    return np.float64
def many(kind, n):
    return np.zeros(n, dtype=kind)
class M:
    def __init__(self, c):
        self.kind = int if c else float
def f(x, c):
    %s
    y[0] = x[0]*0.7
    y[1] += x[1]
    return y.sum()*x[2]
"""
CHOSEN = {
    "loop": "d = np.int64\n    for _ in range(0 if c else 2):\n        d = np.float64\n    y = np.zeros(3, dtype=d)",
    "while": "d = float\n    k = 0\n    while c and k < 2:\n        d = int\n        k += 1\n    y = np.zeros(3, d)",
    "dict": "y = np.zeros(3, dtype=KINDS[bool(c)])",
    "call": "y = np.zeros(3, pick(c))",
    "handed": "d = float\n    if c:\n        d = int\n    y = many(d, 3)",
    "ifexp": "y = np.zeros(3, dtype=int if c else float)",
    "attr": "y = np.zeros(3, M(c).kind)",
    "astype": "d = np.float64\n    if c:\n        d = np.int64\n    y = (x*2).astype(d)",
    "tuple": "y = np.zeros(3, (float, int)[int(c)])",
    "str": "y = np.zeros(3, 'i8' if c else 'f8')",
    "dtypeobj": "d = np.dtype(float)\n    if c:\n        d = np.dtype('i4')\n    y = np.zeros(3, d)",
    "nested": "d = float\n    if c:\n        if x[0] > 0:\n            d = int\n    y = np.zeros(3, d)",
    "full": "d = float\n    if c:\n        d = int\n    y = np.full(3, 1, dtype=d)",
    "bool": "d = float\n    if c:\n        d = bool\n    y = np.ones(3, d)",
    "array": "d = float\n    if c:\n        d = int\n    y = np.array([1, 2, 3], d)",
    "like": "q = np.arange(3) if c else x\n    y = np.zeros_like(q)",
    "empty_like": "q = np.arange(3)\n    if not c:\n        q = x\n    y = np.ones_like(q)",
    "var": "q = x\n    for _ in range(2 if c else 0):\n        q = np.arange(3)\n    y = np.zeros(3, q.dtype)",
    "result_type": "v = 1 if c else 0.5\n    y = np.zeros(3, np.result_type(v, 2))",
    "class of": "v = 1 if c else 0.5\n    y = np.zeros(3, type(v))",
    "promote": "d = np.promote_types(int if c else float, int)\n    y = np.zeros(3, d)",
    "complex": "d = complex\n    if c:\n        d = float\n    y = np.zeros(3, d).real + 0.0",
}


@pytest.mark.parametrize("way", CHOSEN)
@pytest.mark.parametrize("first", [False, True])
def test_right_or_refused(way: str, first: bool) -> None:
    f, x = written(TEXT % CHOSEN[way]), np.array([1.3, 0.7, 2.1])
    gradient = rg.grad(f)
    for whole in (first, not first, first):
        try:
            slopes = [(f(x + h, whole) - f(x - h, whole)) / 2e-6 for h in np.eye(3) * 1e-6]
        except TypeError:  # NumPy does not cut off what is no item, but a part
            continue
        try:
            found = gradient(x, whole)
        except rg.RetrogradError:
            assert whole or "bool" in CHOSEN[way]
        else:
            assert found == pytest.approx(np.array(slopes), rel=1e-6, abs=1e-8)
