"""A name that one branch binds is not carried into a loop as if no branch had bound it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import retrograd as rg


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


def used_by_two_loops(x: float, n: int) -> float:
    if x > 1:
        for k in range(n):
            if k * x > 3:
                break
    for k in range(1, n):
        if k * x > 2:
            break
    return k * x**2


def returned_from_the_second(x: float, n: int) -> float:
    if x > 1:
        for y in [x] * n:
            if y > 3:
                return y
    for y in [x**2] * n:
        if x > 0.3:
            return y * 2.0
    return x


def while_it_is_unbound(x: float, n: int) -> float:
    if n > 2:
        size = x
    while n > 0:
        n -= 1
        if n == 1:
            size = x**2
    return size * x


def in_a_loop_of_a_loop(x: float, n: int) -> float:
    total = 0.0
    for i in range(2):
        if i + x > 1.7:
            last = total + x
        for k in range(n):
            if k > 1:
                last = x * k
        total = total + x**2
    return total * last


def one_side_binds_it_in_the_loop(x: float, n: int) -> float:
    if x > 1:
        size = x * 3
    for k in range(n):
        if k * x > 1:
            size = k * x
        elif k * x > 0.8:
            x = x + size
    return x * size


def called_as_hidden_names_are(x: float, n: int) -> float:
    if x > 1:
        memory, cell = x * 3, x
    for k in range(n):
        memory, cell = k * x, x**2
    return x * memory * cell


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("x", [-0.5, 0.2, 0.5, 0.9, 1.6, 3.5])
@pytest.mark.parametrize(
    "fn",
    [
        read_in_the_loop, read_after_the_loop, read_in_another_iteration, used_by_two_loops,
        returned_from_the_second, while_it_is_unbound, in_a_loop_of_a_loop, one_side_binds_it_in_the_loop, called_as_hidden_names_are,
    ],
)  # fmt: skip
def test_as_python(fn: Callable[..., float], x: float, n: int) -> None:
    """A loop carries whether it is bound: the derivative fails where the function does."""
    args, along = ((x, n), (1.0, None)) if fn.__code__.co_argcount == 2 else ((x,), (1.0,))
    try:
        value = fn(*args)
    except UnboundLocalError:
        with pytest.raises(UnboundLocalError):
            rg.grad(fn, strict=True)(*args)
        with pytest.raises(UnboundLocalError):
            rg.jvp(fn, args, along, strict=True)
        return
    slope = (fn(x + 1e-6, *args[1:]) - fn(x - 1e-6, *args[1:])) / 2e-6
    expected = pytest.approx((value, slope), abs=1e-6)
    assert rg.value_and_grad(fn, strict=True)(*args) == expected
    assert rg.jvp(fn, args, along, strict=True) == expected


def test_written_before_it_is_read() -> None:
    value, slope = rg.value_and_grad(written_first)(0.5)
    assert (value, slope) == (0.5 * 1 * 2 * 3, 6.0)


def test_a_loop_that_runs_binds_it() -> None:
    """Where it had not been bound before, this raised `UnboundLocalError`."""
    for x, slope in ((0.5, 6 * 0.5**2), (2.0, 4.0)):
        assert rg.grad(bound_by_one_or_the_other, strict=True)(x) == pytest.approx(slope)
