"""Directions along every entry, and the blocks of a Jacobian: shapes, containers and precision."""

from __future__ import annotations

import numpy as np
import pytest

from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.user.jacobian_blocks import (
    jacobian_block,
    jacobian_blocks,
    unit_directions,
)

W, B = np.arange(6.0).reshape(2, 3), {"b": 2.0, "name": "bias", "c": np.zeros(2)}


def test_the_directions_of_several_inputs_are_those_of_one_vector() -> None:
    w, b = (unit_directions(k, W, B) for k in range(2))
    rows = [w.reshape(6, 9), b["b"].reshape(1, 9), b["c"].reshape(2, 9)]
    np.testing.assert_array_equal(np.concatenate(rows), np.eye(9))
    assert list(b) == ["b", "name", "c"]


def test_blocks_are_the_parts_of_the_columns() -> None:
    columns = np.arange(18.0).reshape(2, 9)
    w, b = jacobian_blocks(columns, W, B)
    np.testing.assert_array_equal(w, columns[:, :6].reshape(2, 2, 3))
    np.testing.assert_array_equal(b["b"], columns[:, 6])
    np.testing.assert_array_equal(b["c"], columns[:, 7:])
    found = jacobian_block({"y": columns, "n": None}, np.zeros(9))
    np.testing.assert_array_equal(found["y"], columns)
    assert found["n"] is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_precision_is_the_inputs_and_the_results(dtype: type) -> None:
    x = np.ones((2, 2), dtype)
    dots = unit_directions(0, x)
    assert (dots.dtype, dots.shape) == (dtype, (2, 2, 4))
    assert jacobian_block(dots, x).dtype == dtype
    assert jacobian_block(np.zeros((3, 4), int), x).dtype == np.float64


def test_nothing_has_no_directions() -> None:
    assert unit_directions(0, np.zeros((0, 2))).shape == (0, 2, 0)
    assert jacobian_block(np.zeros((3, 0)), np.zeros((0, 2))).shape == (3, 0, 2)


def test_a_complex_argument_is_refused() -> None:
    with pytest.raises(NotDifferentiable, match="complex"):
        unit_directions(0, np.ones(2, complex))
