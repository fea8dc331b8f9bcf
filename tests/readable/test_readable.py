"""The twenty functions: both gradients are right, and ours is not much longer."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

from retrograd.runtime.objects.pytree import flatten, map_leaves

from ..golden_case import flat
from .table import Function, functions

FUNCTIONS = list(functions())
each = pytest.mark.parametrize("function", FUNCTIONS, ids=[f.name for f in FUNCTIONS])


def test_there_are_twenty() -> None:
    assert len(FUNCTIONS) == 20


@each
def test_both_gradients_are_the_same(function: Function) -> None:
    ours = function.derived.grad(*function.arguments())
    by_hand = function.by_hand(*function.arguments())
    np.testing.assert_allclose(flat(ours), flat(by_hand), rtol=1e-9, atol=1e-9)


@each
def test_the_gradient_agrees_with_differences(function: Function) -> None:
    args = function.arguments()
    names = list(inspect.signature(function.of).parameters)
    wrt = [function.wrt] if isinstance(function.wrt, str) else list(function.wrt)
    places = [names.index(name) for name in wrt]
    bars = function.derived.grad(*args)
    bars = (bars,) if len(wrt) == 1 else bars
    rng = np.random.default_rng(3)
    along = [map_leaves(lambda v: rng.normal(size=np.shape(v)), args[k]) for k in places]

    def moved(h: float) -> float:
        shifted = list(args)
        for k, direction in zip(places, along, strict=True):
            steps = iter(flatten(direction)[0])
            shifted[k] = map_leaves(lambda v: v + h * next(steps), args[k])  # noqa: B023
        return float(function.of(*shifted))

    slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
    np.testing.assert_allclose(flat(list(bars)) @ flat(along), slope, rtol=1e-5, atol=1e-6)


@each
def test_the_body_is_at_most_half_as_long_again(function: Function) -> None:
    hand, ours, _ = function.lines
    assert ours <= 1.5 * hand, function.text


def test_all_together_are_at_most_a_quarter_as_long_again() -> None:
    ratios = [ours / hand for hand, ours, _ in (f.lines for f in FUNCTIONS)]
    assert math.prod(ratios) ** (1 / len(ratios)) <= 1.25
