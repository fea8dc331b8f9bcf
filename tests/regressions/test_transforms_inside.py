"""A transform that is called inside a differentiated function is refused where it is called; one made outside runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation


def cubes(x: Any) -> Any:
    return np.sum(x**3)


slope = rg.grad(cubes)


def inside(x: Any) -> Any:
    y = rg.grad(cubes)(x)
    return np.sum(y * y)


def outside(x: Any) -> Any:
    y = slope(x)
    return np.sum(y * y)


def test_a_transform_inside_is_refused_at_its_line() -> None:
    with pytest.raises(UnsupportedOperation, match=r"`rg\.grad` is called inside") as caught:
        rg.grad(inside)(np.ones(3))
    place = caught.value.place
    assert place is not None
    assert place.file == __file__
    assert place.text.strip() == "y = rg.grad(cubes)(x)"


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_one_made_outside_runs_on_the_tape() -> None:
    x = np.array([1.0, -2.0])
    np.testing.assert_allclose(rg.grad(outside)(x), 36 * x**3)
