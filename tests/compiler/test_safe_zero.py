"""``np.where(x > 0, np.sqrt(x), 0.0)`` at 0: the derivative is 0, not ``0 * inf``, in every mode and order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def where_sqrt(x):
    return np.sum(np.where(x > 0, np.sqrt(x), 0.0))


def where_log(x):
    return np.sum(np.where(x > 0, np.log(x), 0.0))


def where_reciprocal(x):
    return np.sum(np.where(x > 0, 1.0 / x, 0.0))


def where_power(x):
    return np.sum(np.where(x > 0, x**0.5, 0.0))


def where_arcsin(x):
    return np.sum(np.where((x > 0) & (x < 1), np.arcsin(x), 0.0))


def where_arccos(x):
    return np.sum(np.where((x > 0) & (x < 1), np.arccos(x), 0.0))


def entropy(x):
    return -np.sum(np.where(x > 0, x * np.log(x), 0.0))


def sinc(x):
    return np.sum(np.where(x > 0, np.sin(x) / x, 1.0))


def where_exp(x):
    return np.sum(np.where(x < 2, np.exp(60.0 * x * x * x), 1.0))


def masked(x):
    return np.sum((x > 0) * np.sqrt(np.abs(x)))


def masked_by_floats(x):
    return np.sum(np.sqrt(np.abs(x)) * (x > 0).astype(float))


def choice_inside(x):
    return np.sum(np.sqrt(np.where(x > 0, x, 0.0)))


def one_entry(x):
    return np.sqrt(np.abs(x))[0]


def by_mask(x):
    return np.sum(np.sqrt(np.abs(x))[x > 0])


def largest(x):
    return np.max(np.sqrt(np.abs(x)))


def clipped(x):
    return np.sum(np.clip(np.sqrt(np.abs(x)), 0.1, 9.0))


def chosen(x):
    return np.sum(np.select([x > 1, x > 0], [np.log(x), np.sqrt(x)], 0.0))


def norm(x):
    return np.sum(np.where(x > 0, np.hypot(x, x), 0.0))


def cube_of_root(x):
    r = np.sqrt(x)
    return r * r * r


def in_a_call(x):
    return np.sum(np.where(x > 0, cube_of_root(x), 0.0))


def in_a_loop(x):
    total = 0.0
    for k in range(3):
        total = total + np.sum(np.where(x > 0, np.log(x) * k, 0.0))
    return total


def carried(x):
    y = np.abs(x)
    for _ in range(2):
        y = np.where(x > 0, np.sqrt(y), 0.0)
    return np.sum(y)


def written(x):
    y = np.sqrt(np.abs(x))
    y[1] = 2.0
    y[2:3] = x[0]
    return np.sum(y * y[0])


POINT = np.array([2.5, 0.0, -1.5, 0.25])
FUNCTIONS = [
    where_sqrt, where_log, where_reciprocal, where_power, where_arcsin, where_arccos, entropy, sinc,
    where_exp, masked, masked_by_floats, choice_inside, one_entry, by_mask, largest, clipped,
    chosen, norm, in_a_call, in_a_loop, carried, written,
]  # fmt: skip
DEAD = {
    clipped: (1,),
    where_exp: (0,),
    one_entry: (1, 2, 3),
    largest: (1, 2, 3),
}  # else: where x <= 0


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_zero_wins(f: Callable[..., Any]) -> None:
    dead = DEAD.get(f, (1, 2))
    with np.errstate(all="ignore"):
        gradient = rg.grad(f)(POINT)
        tangents = [rg.jvp(f, (POINT,), (e,))[1] for e in np.eye(4)]
        along = np.array([0.3, -0.7, 1.1, 0.4])
        product = rg.hvp(f, (POINT,), along)
        (again,) = rg.vjp(rg.grad(f), POINT)[1](along)
        steps = numeric(f)
    assert np.isfinite(gradient).all()
    assert all(gradient[k] == 0 for k in dead)
    np.testing.assert_allclose(
        gradient, np.where(np.isfinite(steps), steps, 0.0), rtol=1e-5, atol=1e-12
    )
    np.testing.assert_allclose(np.array(tangents), gradient, rtol=1e-12)
    assert np.isfinite(product).all()
    assert all(product[k] == 0 for k in dead)
    np.testing.assert_allclose(again, product, rtol=1e-10, atol=1e-12)


def numeric(f: Callable[..., Any]) -> np.ndarray:
    """Central differences where the function is smooth, and nan at the entry that is exactly 0."""
    slopes = [(f(POINT + 1e-6 * e) - f(POINT - 1e-6 * e)) / 2e-6 for e in np.eye(4)]
    return np.where(POINT == 0, np.nan, slopes) if f is not where_exp else np.array(slopes)


def test_kinks_stay() -> None:
    """Where nothing was chosen, the slope of the square root at 0 is infinite."""
    with np.errstate(all="ignore"):
        assert rg.grad(np_sqrt)(np.array([0.0, 1.0]))[0] == np.inf


def np_sqrt(x):
    return np.sum(np.sqrt(x))


def test_plain_text_without_a_choice() -> None:
    for f in (np_sqrt, logs):
        text = rg.differentiate(f).source("grad", POINT)
        assert "mul0" not in text
        assert "div0" not in text


def logs(x):
    return np.sum(np.log(x) * np.exp(x) / x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_kept(dtype: Any) -> None:
    with np.errstate(all="ignore"):
        gradient = rg.grad(where_log)(POINT.astype(dtype))
    assert gradient.dtype == dtype


def softplus(x):
    return np.sum(np.log1p(np.exp(x)))


def softplus_by_log(x):
    return np.sum(np.log(1 + np.exp(x)) * 2.0)


def softplus_in_a_loop(x):
    total = 0.0
    for k in range(2):
        e = np.exp(x * k)
        total = total + np.sum(np.log(e + 1.0)) + np.sum(1.0 / (e + 1.0))
    return total


@pytest.mark.parametrize("f", [softplus, softplus_by_log, softplus_in_a_loop])
def test_softplus_is_one_function(f: Callable[..., Any]) -> None:
    rg.check_grads(f, (np.array([0.3, -1.2, 2.0]),))


def test_softplus_does_not_overflow() -> None:
    x = np.array([800.0, -800.0, 0.0])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(rg.grad(softplus)(x), [1.0, 0.0, 0.5], atol=1e-300)
        np.testing.assert_allclose(rg.jvp(softplus, (x,), (np.ones(3),))[1], 1.5)
        np.testing.assert_allclose(rg.hvp(softplus_by_log, (x,), np.ones(3)), [0.0, 0.0, 0.5])


def power_of_a_branch(x, limit):
    t = 1.0 - x / limit if x < limit else 0.0
    return limit * t**0.35 + t ** (2 / 3)


def test_a_tangent_that_a_branch_made_zero():
    """Where the branch is a constant, an infinite slope of what follows does not matter."""
    value, tangent = rg.jvp(power_of_a_branch, (3.0, 2.0), (1.0, 1.0))
    assert (value, tangent) == (0.0, 0.0)
    assert rg.grad(power_of_a_branch, wrt=(0, 1))(3.0, 2.0) == (0.0, 0.0)
