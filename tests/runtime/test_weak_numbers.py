"""A Python number is as precise as a float64: NumPy takes the type of the others for it, where it can."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import retrograd as rg

RUNTIME = Path(rg.errors.__file__).parent
THIRD = 1.0531158123456789  # not a float16


def appended(x, y):
    return np.append(x, y)


def fitted(x, y):
    return np.polyval(np.polyfit(np.arange(4.0), x, 1), y)


@pytest.mark.parametrize("f", [appended, fitted])
def test_tangents_of_numbers_are_not_rounded(f) -> None:
    x, x_dot = np.array([0.3, -0.2, 0.9, 0.4]), np.array([0.7, 0.1, -0.4, 0.2])
    given = (x, 0.6), (x_dot, THIRD)
    tangent = rg.jvp(f, *given)[1]
    h = 1e-6
    above, below = (f(x + t * x_dot, 0.6 + t * THIRD) for t in (h, -h))
    np.testing.assert_allclose(tangent, (above - below) / (2 * h), rtol=1e-8)


def test_no_type_is_found_from_a_number_that_may_be_pythons() -> None:
    """``np.result_type(2.0, np.float16)`` is float16."""
    for path in RUNTIME.rglob("*.py"):
        for found in re.findall(r"np\.result_type\((.*?), np\.float16\)", path.read_text("utf-8")):
            of_an_array = "np.asarray" in found or found.endswith(".dtype")
            assert of_an_array, f"{path.name}: np.result_type({found}, np.float16)"
