"""Dtypes that the program chooses when it runs: `dtype = np.float32 if single else np.float64`, `DTYPES[key]`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax

from ..both_modes import agrees
from ..written import written

X = np.array([0.7, -0.4, 1.2, 0.5])

CHOICES = {
    "an expression": "d = np.float64 if x[0] > 0 else np.longdouble",
    "a branch": "if x[0] > 0:\n        d = np.float64\n    else:\n        d = float",
    "a table": "d = {'d': np.float64, 'g': np.longdouble}['d' if x[0] > 0 else 'g']",
    "a table of the module": "d = TABLE['d' if x[0] > 0 else 'z']",
    "a tuple": "d = (np.float64, float)[int(x[0] > 0)]",
    "Python's": "d = float if x[0] > 0 else complex",
}
USES = {
    "ones": "return np.sum(np.ones(4, dtype=d) * x**2).real",
    "asarray": "return np.sum(np.asarray(x, dtype=d) ** 2).real",
    "array": "return np.prod(np.array([x[0], x[1] ** 2], d)).real",
    "astype": "return np.sum(x.astype(d) ** 3).real",
    "written to": "y = np.zeros(4, dtype=d)\n    y[1:] = x[1:] ** 2\n    y *= x\n    return np.sum(y).real",
    "called, too": "return np.sum(np.asfortranarray(x, dtype=d) * d(2)).real",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("choice", CHOICES)
def test_one_of_several_dtypes(choice: str, use: str, sign: int) -> None:
    if (choice, use) == ("a branch", "called, too"):
        pytest.skip("a function that a branch has bound is not called")
    text = f"def f(x):\n    {CHOICES[choice]}\n    {USES[use]}\n"
    agrees(written(text, TABLE={"d": np.float64, "z": np.complex128}), sign * X)


def test_one_of_whole_numbers_is_refused() -> None:
    def f(x: Any) -> Any:
        y = np.zeros(4, dtype=np.float64 if x[0] > 0 else np.int64)
        y[1:] = x[1:] ** 2
        return np.sum(y)

    with pytest.raises(UnsupportedSyntax, match="cannot be used as a value here"):
        rg.grad(f, strict=True)(X)


@pytest.mark.parametrize("options", ["", ", device='cpu'", ", copy=True"])
@pytest.mark.parametrize("given", ["x", "x[::2]", "np.sin(x).reshape(2, 2).T"])
def test_from_dlpack(given: str, options: str) -> None:
    text = f"def f(x):\n    y = np.from_dlpack({given}{options})\n    return np.sum(y**2) * y.shape[0]\n"
    agrees(written(text), X, second=True)


def test_from_dlpack_shows_its_argument() -> None:
    def f(x: Any) -> Any:
        y = np.sin(x)
        v = np.from_dlpack(y)
        v[0] = 2.0
        return np.sum(y * v)

    with pytest.raises(rg.RetrogradError, match="share memory"):
        rg.grad(f, strict=True)(X)
