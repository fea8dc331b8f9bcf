"""Loops whose adjoint only adds up are one with it; others keep a tape, which holds nothing twice."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms import api

X = np.array([0.3, 1.2, -0.7, 0.9])


def text_of(fn: Any, wrt: Any, *args: Any) -> str:
    chain = api.chain_of(rg.value_and_grad(fn, wrt))
    return chain.text(chain.types(args))


def slope(fn: Any, wrt: int, args: tuple[Any, ...], v: Any, h: float = 1e-6) -> float:
    def at(step: float) -> float:
        moved = list(args)
        moved[wrt] = args[wrt] + step * v
        return float(fn(*moved))

    return (at(h) - at(-h)) / (2 * h)


def hold(fn: Any, *args: Any) -> None:
    """Value and gradients of all arguments that are not whole numbers."""
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    value, gradient = rg.value_and_grad(fn, wrt)(*args)
    assert value == fn(*args)
    rng = np.random.default_rng(1)
    for k, g in zip(wrt, gradient, strict=True):
        v = rng.normal(size=np.shape(args[k]))
        assert np.sum(g * v) == pytest.approx(slope(fn, k, args, v), rel=1e-6, abs=1e-8)


def sum_of_terms(x, w):
    total = 0.0
    for i in range(len(x)):
        total += math.exp(w * x[i])
    return total


def pairs(x, w):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            d = x[i] - x[j]
            if d > 0.5:
                total = total - w * d * d * d
            else:
                total = total + math.sin(d) * w
    return total


def rows(x, w):
    total = 0.0
    for k in range(len(x)):
        r = x[k] - w
        total = total + 1.0 / (1.0 + r @ r)
    return total


def two_sums(x, w):
    total = other = 0.0
    for i in range(len(x)):
        total += w * x[i] ** 3
        other += math.cos(x[i])
    return total - 2.0 * other


@pytest.mark.parametrize("fn", [sum_of_terms, pairs, two_sums])
def test_a_sum_over_iterations_needs_no_tape(fn: Any) -> None:
    hold(fn, X, 0.7)
    text = text_of(fn, (0, 1), X, 0.7)
    assert "tape" not in text
    assert "reversed" not in text
    assert "# backward" not in text


def test_so_it_is_for_rows_of_a_matrix() -> None:
    x, w = np.random.default_rng(0).normal(size=(5, 3)), np.array([0.1, 0.2, -0.3])
    hold(rows, x, w)
    assert "tape" not in text_of(rows, (0, 1), x, w)


def root_of_a_sum(x, w):
    return math.sqrt(sum_of_terms(x, w))


def recurrence(x, w):
    h = 0.0
    for i in range(len(x)):
        h = math.tanh(w * h + x[i])
    return h


def recurrence_and_sum(x, w):
    h = total = 0.0
    for i in range(len(x)):
        h = math.tanh(w * h + x[i])
        total += h * h
    return total


def product_of_all(x, w):
    total = w
    for i in range(len(x)):
        total = total * x[i]
    return total


def until(x, w):
    total = 0.0
    for i in range(len(x)):
        total += math.exp(w * x[i])
        if total > 2.5:
            break
    return total


def read_afterwards(x, w):
    kept = []
    for i in range(len(x)):
        kept.append(math.sin(w * x[i]))
    total = 0.0
    for a in kept:
        total += a * kept[0]
    return total


@pytest.mark.parametrize(
    "fn", [root_of_a_sum, recurrence, recurrence_and_sum, product_of_all, until, read_afterwards]
)
def test_what_comes_later_is_waited_for(fn: Any) -> None:
    hold(fn, X, 0.7)


def test_the_seed_of_a_root_is_known_after_the_loop() -> None:
    assert "tape" in text_of(root_of_a_sum, (0, 1), X, 0.7)


def test_what_the_next_iteration_begins_with_is_on_the_tape_once() -> None:
    text = text_of(recurrence_and_sum, (0, 1), X, 0.7)
    assert "tape.append(h)\n" in text
    assert "        h = h_2\n" in text


def three_states(x, w):
    a, b, c = 0.1, 0.2, 0.3
    for i in range(len(x)):
        a, b, c = b * w, math.sin(c) * a, a * b + x[i] * c
    return a + b * c


def exchanged(x, w):
    a, b = x[0], w
    for i in range(len(x)):
        a, b = b * b, math.cos(a) + x[i]
    return a * b


@pytest.mark.parametrize("fn", [three_states, exchanged])
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_states_that_go_round(fn: Any, n: int) -> None:
    x = X[: max(n, 1)] if fn is exchanged else X[:n]
    hold(fn, x, 0.7)
    numbers = rg.hvp(fn, (x, 0.7), (np.ones(len(x)), 1.0), (0, 1))
    ahead = rg.grad(fn, (0, 1))(x + 1e-6, 0.7 + 1e-6)
    behind = rg.grad(fn, (0, 1))(x - 1e-6, 0.7 - 1e-6)
    for found, a, b in zip(numbers, ahead, behind, strict=True):
        assert found == pytest.approx((a - b) / 2e-6, rel=1e-5, abs=1e-7)


def rows_in_place(x, w):
    y = x.copy()
    total = 0.0
    for i in range(1, len(y)):
        y[i] = y[i] + w * y[i - 1]
        total = total + y[i] ** 2
    return total


def given_array_is_kept(x, w):
    h = x
    for _ in range(3):
        h = np.tanh(w * h)
    return np.sum(h)


@pytest.mark.parametrize("fn", [rows_in_place, given_array_is_kept])
def test_arrays_that_are_written_to_or_given(fn: Any) -> None:
    before = X.copy()
    hold(fn, X, 0.7)
    assert np.array_equal(X, before)


def test_an_error_of_the_function_is_its_own() -> None:
    with pytest.raises(ValueError, match="math domain"):
        rg.grad(lambda x: sum_of_roots(x))(np.array([1.0, -1.0]))


def sum_of_roots(x):
    total = 0.0
    for i in range(len(x)):
        total = total + math.sqrt(x[i])
    return total
