"""``operator.iadd`` of a NumPy scalar changes nothing: what had its value before still has it."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import retrograd as rg


def scaled(x: Any) -> Any:
    a, b = x[0], x[1]
    y = a / b
    y = operator.iadd(y, a)
    return operator.imul(y, b)


def doubled(x: Any) -> Any:
    y = np.sin(x)
    z = y
    operator.iadd(y, x)
    return np.sum(z * y)


def test_a_number_is_not_changed() -> None:
    np.testing.assert_allclose(rg.grad(scaled)(np.array([0.3, 1.2])), [2.2, 0.3])


def test_an_array_is() -> None:
    x = np.array([0.3, 1.2])
    assert rg.value_and_grad(doubled)(x)[0] == doubled(x)
    rg.check_grads(doubled, (x,))
