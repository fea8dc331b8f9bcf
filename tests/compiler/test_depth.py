"""Long and deep programs: they compile, are right in both modes, and their text grows with their length."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.driver.recursion_depth import deeply
from tests.growth import PROGRAMS, arguments_of, made

LONG = {
    "terms": 1000, "arguments": 1000, "methods": 200, "calls_in_calls": 180, "brackets": 180,
    "helpers": 300, "elifs": 300, "returns": 300, "cases": 300,
}  # fmt: skip
SLOPE = 1e-6


def text_of(kind: str, n: int) -> str:
    f, args = made(kind, n), arguments_of(kind, n)
    return rg.differentiate(f).source("value_and_grad", *args)


@pytest.mark.sampled(11)
@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_long_program_has_its_derivative(kind: str) -> None:
    n = LONG.get(kind, 40)
    f, args = made(kind, n), arguments_of(kind, n)
    value, gradient = rg.value_and_grad(f, tuple(range(len(args))))(*args)
    _, tangent = rg.jvp(f, args, (1.0,) * len(args))
    up, down = (f(*(a + h for a in args)) for h in (SLOPE, -SLOPE))
    assert value == f(*args)
    assert np.isclose(sum(gradient), tangent, rtol=1e-9)
    assert np.isclose(tangent, (up - down) / (2 * SLOPE), rtol=1e-4)


@pytest.mark.parametrize("kind", ["elifs", "returns", "cases", "choices", "returns_in_a_loop"])
def test_the_text_of_branches_does_not_grow_with_their_square(kind: str) -> None:
    half, whole = (text_of(kind, n).count("\n") for n in (40, 80))
    assert whole < 2.5 * half  # four times, if it did


def test_a_short_chain_of_branches_stays_as_it_is() -> None:
    assert "going" not in text_of("elifs", 8)
    assert "going" in text_of("elifs", 40)


def test_the_limit_of_recursion_is_put_back() -> None:
    def down(n: int) -> int:
        return n and 1 + down(n - 1)

    limit, size = sys.getrecursionlimit(), threading.stack_size()
    assert deeply(down)(3 * limit) == 3 * limit
    assert (sys.getrecursionlimit(), threading.stack_size()) == (limit, size)
    with pytest.raises(RecursionError):
        deeply(down)(10**6)
    assert sys.getrecursionlimit() == limit


def test_what_fails_in_the_larger_stack_is_raised() -> None:
    def down(n: int) -> int:
        if n == 0:
            raise KeyError("deep")
        return down(n - 1)

    with pytest.raises(KeyError, match="deep"):
        deeply(down)(3 * sys.getrecursionlimit())


FACTORS = [1.0 + 0.01 * k for k in range(1, 60)]


def search(x, y):
    """A long loop that is written out, in a branch, left early: what it binds besides is read by nobody."""
    p = x
    for i in range(3):
        if x * i > y:
            for g in FACTORS:
                p = x * g
                if p > 1.5 * x:
                    break
        y = y * p
    return p * y


def test_a_long_search_in_a_branch() -> None:
    expected = (search(1.3 + 1e-6, 0.7) - search(1.3 - 1e-6, 0.7)) / 2e-6
    assert rg.grad(search, strict=True)(1.3, 0.7) == pytest.approx(expected, rel=1e-6)
