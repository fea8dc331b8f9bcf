"""``np.polynomial.Polynomial`` of coefficients that are differentiated, and ``signal.periodogram``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import signal

import retrograd as rg

Polynomial = np.polynomial.Polynomial
C = np.array([0.5, -1.2, 0.7, 2.0])
FIXED = Polynomial([1.0, 2.0, -0.5])
MAPPED = Polynomial([1.0, 2.0], domain=[0, 4])
SIGNAL = np.random.default_rng(0).normal(size=12)


def arithmetic(c):
    p = Polynomial(c)
    q = 2.0 * p - p * p + FIXED(c[0]) - p.deriv() / 3.0 + 1.0
    return q(0.7) + p.integ()(1.5) + (p**2)(0.3) * p.degree()


PROGRAMS: list[tuple[Any, np.ndarray]] = [
    (lambda c: Polynomial(c)(2.0), C),
    (lambda c: np.sum(Polynomial(c)(c)), C),
    (lambda c: np.sum(Polynomial(c).deriv(2)(np.arange(3.0)) ** 2), C),
    (lambda c: Polynomial(c[:2]).coef[1] * Polynomial([c[0], c[1]])(c[2]), C),
    (lambda c: np.sum(FIXED(c) ** 2), C),
    (arithmetic, C),
    (lambda x: np.sum(signal.periodogram(x)[1] ** 2), SIGNAL),
    (
        lambda x: np.sum(
            signal.periodogram(x, window="hann", scaling="spectrum")[1] * np.arange(7.0)
        ),
        SIGNAL,
    ),
    (lambda x: np.sum(signal.periodogram(x.reshape(2, 6), nfft=8, detrend=False)[1] ** 2), SIGNAL),
]


@pytest.mark.parametrize(
    "case", PROGRAMS, ids=lambda case: str([f for f, _ in PROGRAMS].index(case[0]))
)
def test_gradients(case: tuple[Any, np.ndarray]) -> None:
    f, x = case
    expected = [(f(x + s) - f(x - s)) / 2e-6 for s in 1e-6 * np.eye(x.size)]
    np.testing.assert_allclose(rg.grad(f, strict=True)(x), expected, rtol=1e-5, atol=1e-7)
    rg.check_grads(f, (x,), order=1 if x is SIGNAL else 2)  # that of `periodogram` is on the tape


def test_leading_coefficients_that_cancel_are_refused() -> None:
    def f(c: Any) -> Any:
        p = Polynomial(c)
        return (p - p + c[0])(0.7) * p.degree()

    with pytest.raises(rg.RetrogradError, match="cancel"):
        rg.grad(f, strict=True)(C)


def test_what_it_is_not_is_refused() -> None:
    for f in (
        lambda c: Polynomial(c, domain=[0, 2])(1.0),
        lambda x: signal.periodogram(x, nfft=4)[1][0],
    ):
        with pytest.raises(rg.RetrogradError):
            rg.grad(f)(SIGNAL)
    value = rg.grad(lambda c: MAPPED(c[0]) * c[1])
    try:
        np.testing.assert_allclose(value(C)[1], MAPPED(C[0]))
    except rg.RetrogradError:
        return
