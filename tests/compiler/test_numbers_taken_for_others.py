"""Numbers and None that are unpacked, called or gone over on a way that is not taken: Python raises there alone."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg

from ..written import namespace

PROGRAM = """
import numpy as np

def none(x):
    if x > 100:
        x = 2 * x

def solved(f, x, jac=True):
    if x > 2:
        return jac(x)
    return f(x)

def f(x, flag):
    n = {value}
    y = x * x
    {way}
    return y * x
"""
VALUES = ["None", "1.5", "True", "3", "2j"]
USES = {
    "unpacked": "a, b = n", "with a star": "a, *b = n", "within": "(a, b), c = n, 1.0", "a list": "[a, b] = n",
    "called": "y = n(x)", "called with names": "y = n(x, y=x)", "gone over": "for q in n: y = y * q",
    "comprehension": "y = sum([q * x for q in n])", "zip": "for q, r in zip(n, [x, y]): y = q * r",
    "enumerate": "for k, q in enumerate(n): y = q * x", "spread": "y = max(*n)",
}  # fmt: skip
OF_NONE = {
    "of a helper": "a, b = none(x)",
    "called, of a helper": "y = none(x)(x)",
    "gone over, of a helper": "for q in none(x): y = q",
}
WAYS = {
    "if": "if flag:\n        {0}\n        y = y * 2",
    "else": "if not flag:\n        y = y * x\n    else:\n        {0}",
    "within two": "if x > 0:\n        if flag:\n            {0}",
    "in a loop": "for k in range(3):\n        if flag:\n            {0}\n        y = y + x",
}


def outcome(f: Any, *args: Any) -> Any:
    try:
        return f(*args)
    except TypeError as error:
        return type(error)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("use", [*USES, *OF_NONE])
def test_uses(use: str, way: str) -> None:
    for value in VALUES if use in USES else ["None"]:
        text = PROGRAM.format(value=value, way=WAYS[way].format((USES | OF_NONE)[use]))
        f = namespace(text)["f"]
        derivative = rg.grad(f, strict=True)
        second = rg.grad(derivative, strict=True)
        for x in (0.7, 1.9):
            slope = (f(x + 1e-5, False) - f(x - 1e-5, False)) / 2e-5
            curve = (f(x + 1e-4, False) - 2 * f(x, False) + f(x - 1e-4, False)) / 1e-8
            assert derivative(x, False) == pytest.approx(slope, rel=1e-6)
            assert second(x, False) == pytest.approx(curve, rel=1e-4)
            tangent = rg.jvp(lambda t, f=f: f(t, False), (x,), (1.0,), strict=True)[1]
            assert tangent == pytest.approx(slope, rel=1e-6)
            assert outcome(f, x, True) is outcome(derivative, x, True) is TypeError


def test_a_flag_in_place_of_a_function() -> None:
    """``jac=True`` says that the function gives its Jacobian as well; the solver calls it where it does not."""
    made = namespace(PROGRAM.format(value="0", way="y = solved(lambda t: t * t, x)"))
    derivative = rg.grad(made["f"], strict=True)
    assert derivative(1.5, False) == pytest.approx(3 * 1.5**2)
    with pytest.raises(TypeError, match="'bool' object is not callable"):
        derivative(2.5, False)


@pytest.mark.parametrize("handler", ["except TypeError", "except Exception", "except"])
@pytest.mark.parametrize("use", ["a, b = n", "y = n(x)", "for q in n: y = q"])
def test_in_a_try(use: str, handler: str) -> None:
    """A handler that is made for it gets it, or the whole is refused."""
    way = f"try:\n        {use}\n    {handler}:\n        y = y * x * x"
    f = namespace(PROGRAM.format(value="None", way=way))["f"]
    try:
        found = rg.grad(f, strict=True)(1.5, False)
    except rg.RetrogradError:
        return
    assert found == pytest.approx(5 * 1.5**4)
