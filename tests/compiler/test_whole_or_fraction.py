"""Numbers that are whole on one way and fractions on another: the array that NumPy makes of them cuts off, or does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError
from tests.written import written

ARRAYS = {  # made of `v`, which is 2 or 0.5, and whether they are of whole numbers if it is 2
    "np.asarray([v, 3])": True,
    "np.array([v, v])": True,
    "np.array(v).reshape(1)": True,
    "np.full(3, v)": True,
    "np.array([v * 2, -v])": True,
    "np.array((v, 1))": True,
    "np.stack([v, v])": True,
    "np.array([[v, 1], [2, v]])": True,
    "np.array([v, 1.0])": False,
    "np.array([v, v], dtype=float)": False,
    "np.array([v / 2, v])": False,
    "np.array([np.sqrt(v), 2])": False,
    "np.full(3, v, dtype=float)": False,
    "np.ones(3) * v": False,
    "np.array([float(v), 1])": False,
    "np.zeros(2) + v": False,
}
NUMBERS = {  # what binds `v`, of a flag
    "an expression": "v = 2 if whole else 0.5",
    "a branch": "v = 0.5\n    if whole:\n        v = 2",
    "a loop": "v = 2\n    for _ in range(0 if whole else 1):\n        v = v * 0.25",
    "a call": "v = chosen(whole)",
}
TEXT = """
import numpy as np


def chosen(whole):
    return 2 if whole else 0.5


def f(x, whole):
    {number}
    a = {array}
    a[(0,) * a.ndim] = x * 0.7
    return np.sum(a) * x
"""


def made(number: str, array: str) -> Any:
    return written(TEXT.format(number=NUMBERS[number], array=array))


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("first", [False, True])
def test_right_or_refused(number: str, array: str, first: bool) -> None:
    """Whichever kind the first call has."""
    f = made(number, array)
    gradient = rg.grad(f)
    for whole in (first, not first):
        slope = (f(1.7 + 1e-6, whole) - f(1.7 - 1e-6, whole)) / 2e-6
        try:
            found = gradient(1.7, whole)
        except rg.RetrogradError:
            assert whole and ARRAYS[array]
        else:
            assert found == pytest.approx(slope, rel=1e-6)
            assert not (whole and ARRAYS[array])


def test_what_is_refused_says_so() -> None:
    gradient = rg.grad(made("an expression", "np.full(3, v)"))
    assert gradient(1.7, False) == pytest.approx(2 * 0.7 * 1.7 + 1.0)
    with pytest.raises(MutationError, match="an array of int64 is written to"):
        gradient(1.7, True)


def test_many_writes() -> None:
    """Each array is asked for once."""
    lines = "\n".join(f"    a[{k % 3}] = a[{(k + 1) % 3}] * x + 0.1" for k in range(400))
    f = written(f"def f(x):\n    a = np.array([x, 1.0, 2.0])\n{lines}\n    return a.sum() * 1e-3\n")
    x = 0.5
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    assert rg.grad(f, strict=True)(x) == pytest.approx(slope, rel=1e-5)
    assert np.isfinite(slope)
