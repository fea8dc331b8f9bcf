"""Arrays that hold whole numbers on one way and fractions on another: a fraction written to them is kept, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([1.3, 0.7, 2.1, 0.9])
HALVES = np.array([0.5, 1.5, 2.5, 3.5])


def picked(x: Any) -> Any:
    return np.arange(4) if x[0] > 0 else x


def like(x: Any) -> Any:
    y = np.zeros_like(picked(x))
    y[1:] = x[1:] ** 2
    return y.sum()


def of_its_dtype(x: Any) -> Any:
    y = np.zeros(4, dtype=picked(x).dtype)
    y[1:] = x[1:] ** 2
    return y.sum()


def itself(x: Any) -> Any:
    y = np.arange(4) if x[0] > 0 else x.copy()
    y[1:] = x[1:] ** 2
    return y.sum()


def chosen_dtype(x: Any) -> Any:
    dtype = np.float64
    if x[0] > 0:
        dtype = np.int64
    y = np.zeros(4, dtype=dtype)
    y[1:] = x[1:] ** 2
    return y.sum()


def in_a_loop(x: Any) -> Any:
    y = np.empty_like(picked(x))
    for i in range(4):
        y[i] = x[i] ** 2
    return y.sum()


def converted(x: Any) -> Any:
    q = picked(x)
    y = q.astype(q.dtype)
    y[0] = x[1] ** 2
    return y.sum()


def turned(x: Any) -> Any:
    y = picked(x).reshape(2, 2).T.copy()
    y[0] = x[:2] ** 2
    return y.sum()


def doubled(x: Any) -> Any:
    y = 2 * picked(x)
    y[0] = x[1] ** 2
    return y.sum()


def filled(y: Any, x: Any) -> None:
    y[:2] = x[:2] ** 2


def by_a_helper(x: Any) -> Any:
    y = picked(x).copy()
    filled(y, x)
    return y.sum()


def grown_in_a_loop(x: Any) -> Any:
    y = x
    for _ in range(3):
        y = np.arange(4) if x[0] > 0 else y * 2
    z = y.copy()
    z[1] = x[1] ** 2
    return z.sum()


def halving(q: Any, n: int) -> Any:
    if n == 0:
        return q
    return halving(q, n - 1) if n > 1 else halving(q + 1, n - 1)


def by_recursion(x: Any) -> Any:
    y = np.zeros_like(halving(picked(x), 3))
    y[1:] = x[1:] ** 2
    return y.sum()


CUT = [by_recursion, like, of_its_dtype, itself, chosen_dtype, in_a_loop, converted, turned, doubled, by_a_helper, grown_in_a_loop]  # fmt: skip


def halved(x: Any) -> Any:
    y = picked(x) / 2
    y[0] = x[1] ** 2
    return y.sum()


def beside_fractions(x: Any) -> Any:
    y = picked(x) * x
    y[0] = x[1] ** 2
    return y.sum()


def two_of_floats(x: Any) -> Any:
    y = np.zeros_like(HALVES if x[0] > 0 else x)
    y[1:] = x[1:] ** 2
    return y.sum()


def cast(x: Any) -> Any:
    y = picked(x).astype(float)
    y[1:] = x[1:] ** 2
    return y.sum()


def whole(x: Any) -> Any:
    y = np.zeros_like(picked(x))
    y[1:] = 3
    return y.sum() * x.sum()


def of_none(x: Any) -> Any:
    y = np.zeros_like(picked(x))
    y[4:] = x[4:] ** 2
    return y.sum() + x.sum()


KEPT = [of_none, halved, beside_fractions, two_of_floats, cast, whole]


def check(f: Callable[..., Any], derive: Any, x: Any) -> None:
    slopes = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(4)]
    np.testing.assert_allclose(derive(x), slopes, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("first", ["whole", "fractions"])
@pytest.mark.parametrize("f", CUT)
def test_a_fraction_that_is_cut_off_is_refused(f: Callable[..., Any], first: str) -> None:
    """Also by text that was made when the array held fractions, and the other way round."""
    derive, fractions = rg.grad(f), X * [-1, 1, 1, 1]
    for x in (X, fractions) if first == "whole" else (fractions, X):
        if x is fractions:
            check(f, derive, x)
        else:
            with pytest.raises(rg.RetrogradError):
                derive(x)


@pytest.mark.parametrize("f", KEPT)
def test_what_is_not_cut_off_is_kept(f: Callable[..., Any]) -> None:
    derive = rg.grad(f, strict=True)
    for x in (X, X * [-1, 1, 1, 1]):
        check(f, derive, x)


def test_no_question_where_the_types_tell() -> None:
    for f in KEPT[1:5]:
        assert "check_holds" not in rg.differentiate(f).source("grad", X)
