"""What the fuzzer may not judge by numbers, and that it goes on judging everything else."""

from __future__ import annotations

import pytest

from .conditioning import conditioning, without_in_place

CANCELLED = """
def main(k):
    large = 4e16 * k
    return (large + k) - large

ARGS = (0.3,)
"""
INSIDE = """
import math

def main(k):
    return 0.5 * k + 1e-19 * math.sin(1e20 * k)

ARGS = (0.3,)
"""
SMALL_INSIDE = """
def main(k):
    rest = (0.1 + k) - 0.1 - k
    return k * k + rest

ARGS = (0.3,)
"""
OVERFLOWS = """
def main(k):
    large = 1e200 * (1e200 * k)
    return k * k if large > 0 else k

ARGS = (0.3,)
"""
KINK = """
def main(k):
    return abs(k) * abs(k)

ARGS = (0.0,)
"""
PLAIN = """
def main(k):
    k += 2.0 * abs(k)
    return (k - k) + k * k

ARGS = (0.3,)
"""
FINITE, NAN = (1.0, 2.0), (float("nan"), 2.0)


@pytest.mark.parametrize(
    ("program", "numbers", "order", "why"),
    [
        (CANCELLED, FINITE, 1, "ill-conditioned"),
        (INSIDE, FINITE, 1, "ill-conditioned inside"),
        (SMALL_INSIDE, FINITE, 1, ""),
        (OVERFLOWS, NAN, 1, "overflows"),
        (OVERFLOWS, FINITE, 1, ""),
        (KINK, FINITE, 2, "second order at a kink"),
        (KINK, FINITE, 1, ""),
        (PLAIN, FINITE, 2, ""),
        (PLAIN, NAN, 2, ""),
    ],
)
def test_doubt(program: str, numbers: tuple[float, ...], order: int, why: str) -> None:
    assert conditioning(program).doubt(numbers, order) == why


def test_rounding_moves_a_plain_program_by_its_last_digits() -> None:
    assert conditioning(PLAIN).noise < 1e-14


def test_without_in_place() -> None:
    program = """
def main(k):
    x = y = [k]
    x += [1.0]
    return y[-1]

ARGS = (0.3,)
"""
    assert without_in_place(program) == 0.3
