"""A function that is called as it is: a variable does not take its name, a refusal says why it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation


def torn(x):
    """Not compiled: whether ``k`` is bound by the ``try`` or not is not known after it."""
    k = 1.0
    try:
        math.sqrt((k := 2.0) * float(x[0]) - 10.0)
    except ValueError:
        print(k)
    return k * math.sin(float(x[1]))


def name_of_a_call(x, n):
    i = float(n)
    return np.sum(x * torn(np.array([i, i])) ** 2)


def test_a_variable_is_not_named_as_what_it_is_the_result_of() -> None:
    x = np.array([1.0, 2.0])
    value, gradient = rg.value_and_grad(name_of_a_call)(x, 3)
    assert value == name_of_a_call(x, 3)
    np.testing.assert_allclose(gradient, np.full(2, (2.0 * math.sin(3.0)) ** 2))


def might_write(x):
    torn(x)
    return np.sum(x * x)


def test_the_refusal_says_why_it_is_not_compiled() -> None:
    with pytest.raises(UnsupportedOperation, match="torn: it could not be compiled"):
        rg.grad(might_write)(np.array([1.0, 2.0]))
