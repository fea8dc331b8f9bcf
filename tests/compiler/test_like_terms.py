"""Like terms of a derivative are one term, and names of the program stay with its values."""

from __future__ import annotations

import random
import re
import types
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

X = np.array([0.7, -1.3, 2.1])


def body(text: str, *args: Any) -> str:
    made = rg.differentiate(function(text, "x", "y")).source("grad", *args)
    return made[made.index("def ") :]


def function(text: str, *names: str) -> Any:
    return written(f"import numpy as np\ndef f({', '.join(names)}):\n    return {text}\n", "f")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x * x", "2 * x"), ("x * x * x", "3 * (x * x)"), ("x * x * x * x", "4 * (x * x * x)"),
        ("x * x * y + y * x * x", "4 * (y * x)"), ("x ** 2 * x", "3 * x ** 2"),
        ("x * x / y + 3 * x * x / y", "8 * x / y"),
    ],
)  # fmt: skip
def test_terms_of_numbers(text: str, expected: str) -> None:
    assert expected.replace(" ** ", "**") in body(text, 2.0, 3.0).replace(".0", "")


def monomial(r: random.Random) -> str:
    factors = [r.choice(["x", "y", "x", "x ** 2", "np.sin(y)"]) for _ in range(r.randint(1, 4))]
    over = f" / {r.choice(['y', '(1.0 + y ** 2)'])}" if r.random() < 0.3 else ""
    return f"{r.choice([1, 2, -3, 0.5, 0, -1])} * {' * '.join(factors)}{over}"


@pytest.mark.parametrize("seed", range(25))
def test_random_sums(seed: int) -> None:
    r = random.Random(seed)
    text = " + ".join(monomial(r) for _ in range(r.randint(1, 4)))
    f = function(f"np.sum({text})", "x", "y")
    y, h = np.array([1.1, 0.4, -0.8]), 1e-30j
    slope = np.array([f(X + h * e, y).imag / 1e-30 for e in np.eye(3)])
    np.testing.assert_allclose(rg.grad(f)(X, y), slope, rtol=1e-11)
    assert np.allclose(rg.grad(f)(X[0], y[0]), f(X[0] + h, y[0]).imag / 1e-30, rtol=1e-11)
    np.testing.assert_allclose(
        rg.jvp(f, (X, y), (np.ones(3), 0 * y))[1], slope.sum(), rtol=1e-10, atol=1e-12
    )


CHAINS = ["y = y * x", "y = y + 0 * x", "y = y + 2 * x", "y = 3.0 * y", "y = y - 0.0 * y * x", "y = x * y * 2.0"]  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_chains_of_products(seed: int) -> None:
    r = random.Random(seed)
    steps = "".join(f"    {r.choice(CHAINS)}\n" for _ in range(r.randint(3, 8)))
    f = written(f"def f(x):\n    y = x\n{steps}    return y * 2\n")
    slope = f(1.1 + 1e-30j).imag / 1e-30
    assert rg.grad(f)(1.1) == pytest.approx(slope, rel=1e-12)
    assert rg.jvp(f, (1.1,), (1.0,))[1] == pytest.approx(slope, rel=1e-12)
    above, below = f(1.1 + 1e-6 + 1e-30j).imag, f(1.1 - 1e-6 + 1e-30j).imag
    assert rg.hessian(f)(1.1) == pytest.approx((above - below) / 2e-36, rel=1e-7, abs=1e-9)


def test_infinite_terms_do_not_cancel() -> None:
    f = function("x * x * y - x * x * y", "x", "y")
    assert np.isnan(rg.grad(f)(np.inf, 2.0))


def test_values_of_the_program_are_not_called_adjoints() -> None:
    f = function("max(y, x) * x ** 2 * np.exp(x)", "x", "y")
    forward = rg.differentiate(f).source("grad", 2.0, 3.0).split("# backward")[0]
    assert not re.search(r"_bar = ", forward)
    assert isinstance(f, types.FunctionType)
