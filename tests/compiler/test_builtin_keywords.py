"""Keyword arguments of Python's own functions: each changes the derivative as it changes the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

AT, STEP = 1.3, 1e-6

PROGRAMS: dict[str, Callable[[float], Any]] = {
    "sum": lambda x: sum([x, x * x], start=x),
    "sum of arrays": lambda x: sum([np.ones(2) * x, np.ones(2) * x * x], start=np.ones(2) * x)[0],
    "sum of an array": lambda x: sum(np.ones(3) * x, start=1.0) * x,
    "max by key": lambda x: max([x, 2 * x], key=lambda v: -v),
    "max of nothing": lambda x: max([], default=x),
    "max of an array": lambda x: max(np.ones(3) * x, default=0.0),
    "max of some": lambda x: max((x * k for k in range(3)), default=x),
    "min by key": lambda x: min(x, 2 * x, key=lambda v: -v),
    "enumerate": lambda x: sum(k * v for k, v in enumerate([x, x * x], start=3)),
    "enumerate by name": lambda x: sum(k * v for k, v in enumerate(iterable=[x, x * x], start=3)),
    "sorted backwards": lambda x: sorted([3 * x, 2 * x, x], reverse=True)[0] * x,
    "sorted by key": lambda x: sorted([3 * x, 2 * x, x], key=lambda v: -v)[2] * x,
    "dict": lambda x: dict(a=x, b=2 * x)["b"] * x,
    "round": lambda x: round(x * 2.123, ndigits=1) * x,
    "pow": lambda x: pow(base=x, exp=3),
    "int": lambda x: int("11", base=2) * x,
    "complex": lambda x: complex(real=x, imag=2 * x).imag,
    "zip": lambda x: sum(v * w for v, w in zip([x, 2 * x], [x], strict=False)),
    "strict zip": lambda x: sum(
        v * w for v, w in zip(np.arange(3) * x, np.ones(3) * x, strict=True)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_right(name: str) -> None:
    f = PROGRAMS[name]
    slope = (f(AT + STEP) - f(AT - STEP)) / (2 * STEP)
    assert rg.grad(f)(AT) == pytest.approx(slope, rel=1e-6)


def pairs(a: Any, b: Any) -> Any:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if x < 0:
            continue
        total = total + x * y
    return total


def counted(a: Any, b: Any) -> Any:
    return sum([k * x * y for k, (x, y) in enumerate(zip(a, b, strict=True))])


def left(a: Any, b: Any) -> Any:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if x > 5:
            break
        total = total + x * y
    return total


@pytest.mark.parametrize("f", [pairs, counted])
@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_strict_zip(f: Any, kind: Any) -> None:
    """It raises as Python does, in texts for any lengths too."""
    gradient = rg.grad(f)
    assert [*gradient(kind([1.0, 2.0]), kind([3.0, 4.0]))] == [
        *((3.0, 4.0) if f is pairs else (0.0, 4.0))
    ]
    with pytest.raises(ValueError, match=r"zip\(\)"):
        gradient(kind([1.0, 2.0]), kind([3.0, 4.0, 5.0]))


def test_strict_zip_that_is_left_early() -> None:
    """It would raise only where it ends."""
    with pytest.raises(RetrogradError, match="left before its end"):
        rg.grad(left)(np.ones(2), np.ones(3))
