"""A name that one branch binds is not carried into a loop as if no branch had bound it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax


def read_in_the_loop(x: float) -> float:
    if x > 0:
        size = x
    for _ in range(3):
        size = size * 2.0
    return size


def read_after_the_loop(x: float, n: int) -> float:
    if x > 0:
        size = x
    for k in range(n):
        size = k * x
    return size


def written_first(x: float) -> float:
    if x > 0:
        size = x
    for k in range(3):
        size = k * x
        x = x + size
    return x


def read_in_another_iteration(x: float) -> float:
    if x > 1:
        size = x
    for k in range(3):
        if k == 1:
            size = k * x
        if k > 1:
            x = x + size
    return x


def bound_by_one_or_the_other(x: float) -> float:
    if x > 1:
        size = x
    if x <= 1:
        for k in range(3):
            size = k * x**2
    return size * x


@pytest.mark.parametrize(
    ("fn", "args"),
    [
        (read_in_the_loop, (0.5,)),
        (read_after_the_loop, (0.5, 0)),
        (read_in_another_iteration, (0.5,)),
    ],
)
def test_refused(fn: Callable[..., float], args: tuple[float, ...]) -> None:
    with pytest.raises(UnsupportedSyntax) as caught:
        rg.value_and_grad(fn)(*args)
    assert caught.value.reason == "`size` may be unbound here"


def test_written_before_it_is_read() -> None:
    value, slope = rg.value_and_grad(written_first)(0.5)
    assert (value, slope) == (0.5 * 1 * 2 * 3, 6.0)


def test_a_loop_that_runs_binds_it() -> None:
    """Where it had not been bound before, this raised `UnboundLocalError`."""
    for x, slope in ((0.5, 6 * 0.5**2), (2.0, 4.0)):
        assert rg.grad(bound_by_one_or_the_other, strict=True)(x) == pytest.approx(slope)
