"""Questions that functions of C answer, and signatures whose defaults are not equal to themselves."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def with_nan(x, missing=np.nan, *, scale=2.0):
    return np.sum(x * scale)


def asks_a_function_of_c(x):
    return np.sum(x) if gc.is_tracked(x) else np.sum(x * x)


def binds_a_default_of_nan(x):
    bound = inspect.signature(with_nan).bind(x, scale=3.0)
    bound.apply_defaults()
    return with_nan(**bound.arguments)


@pytest.mark.parametrize("f", [asks_a_function_of_c, binds_a_default_of_nan])
def test_it_is_asked_of_functions_of_c_and_signatures(f: Callable[..., Any]) -> None:
    x = np.array([0.3, 0.7])
    expected = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(rg.grad(f, strict=True)(x), expected, rtol=1e-6)
