"""A large result is written over an operand only after the operand's last read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

A = np.random.default_rng(3).normal(size=(2, 3, 3))


def frobenius(a):
    return np.linalg.norm(a)


def rows(a):
    return np.sum(np.linalg.norm(a, axis=-1))


def sums(a):
    return np.sum(np.linalg.norm(a, ord=1, axis=-1))


@pytest.mark.parametrize("f", [frobenius, rows, sums], ids=lambda f: f.__name__)
def test_reverse_over_reverse_agrees_with_forward_over_reverse(f: Callable[..., Any]) -> None:
    v = np.random.default_rng(4).normal(size=A.shape)
    _, pullback = rg.vjp(rg.grad(f), A, wrt=0)
    np.testing.assert_allclose(pullback(v)[0], rg.hvp(f, (A,), v), rtol=1e-9, atol=1e-12)
