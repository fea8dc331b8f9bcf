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


@pytest.mark.parametrize(
    ("fn", "args"), [(read_in_the_loop, (0.5,)), (read_after_the_loop, (0.5, 0))]
)
def test_refused(fn: Callable[..., float], args: tuple[float, ...]) -> None:
    with pytest.raises(UnsupportedSyntax) as caught:
        rg.value_and_grad(fn)(*args)
    assert caught.value.reason == "`size` may be unbound here"


def test_written_before_it_is_read() -> None:
    value, slope = rg.value_and_grad(written_first)(0.5)
    assert (value, slope) == (0.5 * 1 * 2 * 3, 6.0)
