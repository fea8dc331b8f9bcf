"""An exact zero that a choice put there wins over an infinite slope on the tape, as it does in compiled text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.book import book
from retrograd.runtime.tape.calls import pushed, taped

from ..compiler.test_safe_zero import FUNCTIONS, POINT, masked_by_floats

pytestmark = [
    pytest.mark.usefixtures("taped"),
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.filterwarnings("ignore"),
]
POINTS = np.array([-np.inf, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 800.0, np.inf, np.nan])
UFUNCS = sorted(
    (f for f in vars(np).values() if isinstance(f, np.ufunc) and f in book.rules and f.nout == 1),
    key=lambda f: f.__name__,
)


def takes_floats(f: np.ufunc) -> bool:
    return f.signature is None and any(set(kind.partition("->")[0]) == {"d"} for kind in f.types)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "f", [f for f in dict.fromkeys(UFUNCS) if takes_floats(f)], ids=lambda f: f.__name__
)
def test_what_was_not_chosen_has_no_part(f: np.ufunc) -> None:
    """Nothing of the results is taken: the derivative is 0 at poles, edges and beyond them."""

    def none(*xs: Any) -> Any:
        z = f(*xs)
        return np.sum(np.where(np.zeros(np.shape(z), bool), z, 0.0))

    for given in [(POINTS,)] if f.nin == 1 else [(POINTS[:, None], POINTS), (POINTS, POINTS)]:
        _, pull = taped(none, *given)
        bars = pull(1.0)
        for x, bar in zip(given, bars if isinstance(bars, tuple) else (bars,), strict=True):
            np.testing.assert_array_equal(bar, np.zeros(np.shape(x)))


X = np.array([0.5, 0.6, 0.9, 1.1])


def zeroed(x: Any) -> Any:
    y = np.sqrt(x - 0.6)
    y[np.isnan(y)] = 0
    return np.sum(y)


CHOOSING: list[Callable[[Any], Any]] = [
    lambda x: np.nansum(np.sqrt(x - 0.6)),
    lambda x: np.sum(np.where(x > 0.6, np.sqrt(x - 0.6), x**2)),
    lambda x: np.nanmean(np.sqrt(x - 0.6)),
    lambda x: np.nanmax(np.sqrt(x - 0.6)),
    lambda x: np.sum(np.nan_to_num(np.sqrt(x - 0.6))),
    zeroed,
    lambda x: np.sum((x > 0.6) * np.sqrt(np.abs(x - 0.6))),
    lambda x: np.sqrt(x - 0.6)[2],
    lambda x: np.sum(np.sqrt(x - 0.6)[x > 0.6]),
    lambda x: np.sum(np.where(x > 0.6, np.sqrt((x - 0.6)[:, None] * np.ones(2)).T, 0.0)),
    lambda x: np.sum(np.sqrt(x - 0.6) ** 2),  # nothing is chosen: nan in both
]


@pytest.mark.parametrize("k", range(len(CHOOSING)))
def test_the_tape_gives_what_the_text_gives(k: int) -> None:
    f = CHOOSING[k]

    @rg.differentiate
    def on_the_tape(x: Any) -> Any:
        n = len({1, 2})  # sets are not compiled
        return (n - 1) * f(x)

    np.testing.assert_allclose(on_the_tape.grad(X), rg.grad(f)(X), rtol=1e-12)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "f", [f for f in dict.fromkeys(UFUNCS) if takes_floats(f)], ids=lambda f: f.__name__
)
def test_what_was_chosen_to_be_constant_has_no_tangent(f: np.ufunc) -> None:
    """Constants are chosen in the place of all entries: whatever the slope is there, the tangent is 0."""

    def none(*xs: Any) -> Any:
        return f(*[np.where(np.zeros(np.shape(x), bool), x, POINTS) for x in xs])

    for given in [(POINTS,)] if f.nin == 1 else [(POINTS, POINTS)]:
        z, dot = pushed(none, tuple(np.ones(np.shape(x)) for x in given), *given)
        np.testing.assert_array_equal(dot, np.zeros(np.shape(z)))


AS_COMPILED = [*CHOOSING, *(f for f in FUNCTIONS if f is not masked_by_floats)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("k", range(len(AS_COMPILED)))
def test_forward_mode_gives_what_the_text_gives(k: int) -> None:
    f, at = AS_COMPILED[k], X if k < len(CHOOSING) else POINT
    for way in [*np.eye(4), np.array([0.3, -0.7, 1.1, 0.4])]:
        _, dot = pushed(f, (way,), at)
        np.testing.assert_allclose(dot, rg.jvp(f, (at,), (way,))[1], rtol=1e-12)


def test_forward_over_forward() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.where(x > 0.6, (x - 0.6) ** 1.5, x**2))

    ones = np.ones(4)
    _, second = pushed(lambda x: pushed(f, (ones,), x)[1], (ones,), X)
    np.testing.assert_allclose(second, 4.0 + 0.75 / 0.3**0.5 + 0.75 / 0.5**0.5)


def test_zeros_of_the_direction_are_no_choice() -> None:
    """An infinite slope in a direction that stands still there is undetermined, as in the text."""
    way = np.array([1.0, 0.0])
    for f in (np.sqrt, lambda x: np.sqrt(x * 1.0)):
        assert np.isnan(pushed(f, (way,), np.array([1.0, 0.0]))[1][1])


def test_second_order() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.where(x > 0.6, (x - 0.6) ** 1.5, x**2))

    _, pull = taped(lambda x: taped(f, x)[1](1.0), X)
    np.testing.assert_allclose(pull(np.ones(4)), [2.0, 2.0, 0.75 / 0.3**0.5, 0.75 / 0.5**0.5])
