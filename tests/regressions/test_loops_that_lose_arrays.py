"""An array that a loop may or may not write to is not read as if it did not: an error, not old values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

X = np.array([0.5, -1.2, 2.0])


def iterated_over(x):
    """The first iteration writes to the array that is iterated over, through its other name."""
    q = np.linspace(1.0, 0.5, 4)
    for t in q:
        for it in q:
            print(0.0 if t > 0.358 else it)
            q[-3] /= 1.5
        q = np.ones(2) @ np.full((2, 4), t)
    return np.sum(x)


def lost_before(x):
    """`y` may be `z`, which is written to; then a loop would carry `y`."""
    z = x * 1.0
    y = z if x[0] > 0 else x * 2.0
    z[0] = 1.0
    for k in range(len(x)):
        y = y * x[k]
    return np.sum(y)


def attribute_of_a_choice(x):
    """The choice is not stored or computed with: its attribute is read at once."""
    z = x * 1.0
    y = z if x[0] > 0 else x * 2.0
    z[0] = 1.0
    return (y if x[1] > 0 else x).sum()


def part_of_a_choice(x):
    z = x * 1.0
    y = z if x[0] > 0 else x * 2.0
    z[0] = 1.0
    return (y if x[1] > 0 else x)[0]


def unpacked_choice(x):
    z = x * 1.0
    y = z if x[0] > 0 else x * 2.0
    z[0] = 1.0
    a, b = (y, x) if x[1] > 0 else (x, x)
    return np.sum(a * b)


def bound_by_a_loop(x):
    """The loop leaves `y` the argument, which nothing was done with before."""
    for _ in range(3):
        y = x
    y[1] = y[0]
    return x[1] * x[0]


def item_bound_by_a_loop(x):
    held = {"y": x * 1.0}
    for _ in range(3):
        held["y"] = x
    held["y"][1] = x[0]
    return x[1] * x[0]


@pytest.mark.parametrize(
    "f",
    [
        iterated_over,
        bound_by_a_loop,
        item_bound_by_a_loop,
    ],
)
def test_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(MutationError, match="cannot tell whether"):
        rg.grad(f)(X)


@pytest.mark.parametrize(
    "f", [lost_before, attribute_of_a_choice, part_of_a_choice, unpacked_choice]
)
def test_a_choice_between_arrays_is_right(f: Callable[..., Any]) -> None:
    rg.check_grads(f, (X,), order=2)


def lost_and_bound_again(x):
    z = x * 1.0
    y = z if x[0] > 0 else x * 2.0
    z[0] = 1.0
    s = 0.0
    for k in range(len(x)):
        y = np.exp(z) * x[k]
        s = s + np.sum(y * y)
    return s


def test_what_is_bound_before_it_is_read_is_right() -> None:
    rg.check_grads(lost_and_bound_again, (X,), order=2)


def written_for_the_caller_only(x):
    for _ in range(3):
        y = x
    y[1] = 0.5
    return 2.0


def test_a_write_that_only_the_caller_sees_is_refused() -> None:
    with pytest.raises(MutationError, match="may write to the memory of the argument `x`"):
        rg.grad(written_for_the_caller_only)(X)


def index_in_place_of_an_array(x):
    k, s = x * 2.0, 0.0
    for k in range(len(x)):
        s = s + x[k] * k
    return s * s * k


def test_a_name_of_an_array_may_become_an_index() -> None:
    rg.check_grads(index_in_place_of_an_array, (X,), order=2)
