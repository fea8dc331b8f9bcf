"""Factors that are whole numbers on one way: what arrives through them is a fraction, and its array holds one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

FACTORS = {  # of a flag: whole if it holds
    "a number": "1 if whole else 0.5",
    "a number or a scalar": "2 if whole else x.sum()",
    "a scalar or a number": "x.sum() if not whole else 1",
    "negative": "-(1 if whole else 0.5)",
    "computed": "(1 if whole else 0.5) * 3 - 1",
    "a square": "(3 if whole else 0.5) ** 2",
    "the greater": "max(1, 3 if whole else 1.5)",
    "the greater of two kinds": "max(2, 2.5 - whole)",
    "of a tuple": "(0.5, 2)[whole]",
    "of a list": "[0.5, 2][int(whole)]",
    "of the module": "STEPS[int(whole)]",
    "of a dict": "{'step': 2}.get('step' if whole else 'none', 0.5)",
    "of a helper": "chosen(whole)",
    "of a loop": "counted(x, 0 if whole else 2)",
    "a sum": "sum([0.5, 0.25][:0 if whole else 2], 1)",
    "a product": "np.prod([2, 1 if whole else 0.5])",
    "an attribute": "Step(whole).size",
    "a default": "by_default() if whole else by_default(0.5)",
    "or": "(whole and 2) or 0.5",
    "a scalar of NumPy": "np.int64(2) if whole else np.float64(0.5)",
    "an array": "np.ones(3, int) if whole else x * 0.5",
    "an array of what is given": "np.array([1, 2, 1 if whole else 0.5])",
    "filled": "np.full(3, 1 if whole else 0.5)",
    "counted": "np.arange(1, 4) if whole else np.arange(1.0, 4.0)",
    "of a dtype": "np.ones(3, dtype=int if whole else float)",
    "chosen": "np.array([1, 2, 3]) * (1 if whole else 0.5)",
    "a number or an array": "2 if whole else x * 0.5",
    "a mask": "(x > 0.1) if whole else x",
    "a count": "len(x) if whole else x.mean()",
    "where": "np.where(x > 0, 1, 2) if whole else np.where(x > 0, 1.0, 0.5)",
}
USES = {
    "a sum": "np.sum(a * k)",
    "a factor": "np.sum(np.sum(a) * k)",
    "a difference": "np.sum(a) - np.sum(k * a) * 2",
    "a product": "np.sum(k @ a if np.ndim(k) else a * k)",
    "parts": "np.sum(a[1:] * (k[1:] if np.ndim(k) else k)) + np.sum(a)",
    "a matrix": "np.sum(np.outer(a, a) * k)",
}
TEXT = """
import numpy as np
STEPS = [0.5, 2]


class Step:
    size = 0.5

    def __init__(self, whole):
        if whole:
            self.size = 2


def chosen(whole):
    if whole:
        return 1
    return 0.5


def by_default(k=2):
    return k


def counted(x, n):
    total = 1
    for i in range(n):
        total = total + x[i]
    return total


def f(x, whole):
    a = x * 1.5
    k = {factor}
    a[0] *= x[1]
    a[1] = a[1] + x[2] * 0.3
    return {use}
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("use", USES)
def test_derivative(factor: str, use: str) -> None:
    """Reverse, forward and second order, whichever comes first."""
    f = written(TEXT.format(factor=FACTORS[factor], use=USES[use]))
    gradient, d = rg.grad(f, strict=True), rg.differentiate(f, wrt="x")
    x, v = np.array([0.7, -0.4, 1.1]), np.array([0.3, 1.0, -0.6])
    for whole in (False, True):
        slopes = slopes_of(lambda z, w=whole: f(z, w), x)
        found = gradient(x, whole)
        assert found.dtype == np.float64
        assert found == pytest.approx(slopes, rel=1e-6, abs=1e-8)
        assert d.jvp((x, whole), (v, None))[1] == pytest.approx(slopes @ v, rel=1e-6)
        up, down = (gradient(x + t * 1e-5 * v, whole) for t in (1, -1))
        assert d.hvp((x, whole), v) == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-6)


def slopes_of(f: Any, x: Any) -> Any:
    steps = np.eye(x.size) * 1e-6
    return np.array([(f(x + h) - f(x - h)) / 2e-6 for h in steps])


UNKNOWN = {
    "a factor of a sum": "np.sum(a) * k",
    "chosen": "np.sum(a) * (k if x[0] > 0 else 0.5)",
    "chosen, beside an array": "np.sum(a * (k if x[0] > 0 else x))",
    "of each": "np.sum(a * k)",
    "of a part": "np.sum(a[1:]) * k + a[0]",
    "along an axis": "np.sum(np.sum(a.reshape(1, 3), axis=0) * k)",
}


@pytest.mark.parametrize("use", UNKNOWN)
@pytest.mark.parametrize(
    "k", [2, True, np.int64(3), np.bool_(True), np.array(2), 1.5, np.float32(0.5)], ids=repr
)
def test_of_any_type(use: str, k: Any) -> None:
    """The text for arguments of any type, in which nothing is known of what is whole."""
    f = written(
        f"def f(x, k):\n    a = x * 1.5\n    a[0] *= x[1]\n    a[1] += 0.3 * x[2]\n    return {UNKNOWN[use]}\n"
    )
    scope: dict[str, Any] = {}
    exec(rg.differentiate(f, wrt="x").source("grad"), scope)
    x = np.array([0.7, -0.4, 1.1])
    assert scope["f_grad"](x, k) == pytest.approx(
        slopes_of(lambda z: f(z, k), x), rel=1e-6, abs=1e-8
    )


@pytest.mark.parametrize(
    "bar", [1, True, np.int64(2), np.array([1, 0, 2]), np.array([True, False, True]), [1, 2, 3]]
)
def test_cotangents_of_whole_numbers(bar: Any) -> None:
    """What the caller pulls back may be whole: ``pull(1)``."""
    f = written(
        "def f(x):\n    a = x * 1.5\n    a[0] *= x[1]\n    a[1] += x[2] * a[0]\n    return a if True else 0\n"
    )
    x = np.array([0.7, -0.4, 1.1])
    _, pull = rg.vjp(f, x)
    jacobian = rg.jacobian(f)(x)
    try:
        (found,) = pull(bar) if isinstance(pull(bar), tuple) else (pull(bar),)
    except rg.RetrogradError:
        return  # of another shape than the result
    assert found == pytest.approx(np.broadcast_to(np.asarray(bar, float), 3) @ jacobian)
