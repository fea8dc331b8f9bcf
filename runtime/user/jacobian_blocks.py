"""The directions that a whole Jacobian is computed along, and the blocks of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.transfers import dtype_of, is_ndarray
from ..errors import NotDifferentiable
from ..objects.pytree import floats, map_floats, map_leaves

__all__ = ["jacobian_block", "jacobian_blocks", "unit_directions"]


def unit_directions(k: int, *inputs: Any) -> Any:
    """The tangents of input number ``k`` in a direction for each entry of all inputs, which the last axis counts.

    >>> unit_directions(1, 2.0, np.zeros(2))
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    start, stop, n = span(k, inputs)
    units = np.eye(n)[start:stop]
    row = 0

    def one(x: Any) -> Any:
        nonlocal row
        dtype = dtype_of(x)
        if dtype.kind == "c":
            raise NotDifferentiable(
                "a Jacobian with respect to a complex argument",
                fix="make it a function of the real and the imaginary part",
            )
        part = units[row : row + size(x)]
        row += size(x)
        return part.reshape(*np.shape(x), n).astype(dtype, copy=False)

    return map_floats(one, inputs[k])


def jacobian_block(columns: Any, given: Any) -> Any:
    """The derivative of a result by an input, of the result's axes and then the input's.

    ``columns`` are its tangents along `unit_directions`; in containers of the result are those of the input.

    >>> jacobian_block(np.arange(8.0).reshape(2, 4), np.zeros((2, 2)))[1]
    array([[4., 5.],
           [6., 7.]])
    """
    return map_leaves(lambda y: None if y is None else shaped(y, 0, given), columns)


def jacobian_blocks(columns: Any, *inputs: Any) -> Any:
    """The same by several inputs: a tuple of blocks for each array of the result.

    >>> jacobian_blocks(np.array([2.0, 0.0, 1.0]), 3.0, np.zeros(2))
    (np.float64(2.0), array([0., 1.]))
    """

    def one(y: Any) -> Any:
        starts = [span(k, inputs)[0] for k in range(len(inputs))]
        return tuple(shaped(y, at, x) for at, x in zip(starts, inputs, strict=True))

    return map_leaves(lambda y: None if y is None else one(y), columns)


def shaped(columns: Any, column: int, given: Any) -> Any:
    """The block of one array of tangents whose columns for an input begin there."""

    def one(x: Any) -> Any:
        nonlocal column
        part = columns[..., column : column + size(x)]
        column += size(x)
        dtype = np.result_type(columns.dtype, np.float16)
        return part.reshape(columns.shape[:-1] + np.shape(x)).astype(dtype, order="C")[()]

    return map_floats(one, given)


def span(k: int, inputs: tuple[Any, ...]) -> tuple[int, int, int]:
    """Where the directions of an input begin and end, and how many there are."""
    counts = [sum(map(size, floats([x]))) for x in inputs]
    start = sum(counts[:k])
    return start, start + counts[k], sum(counts)


def size(x: Any) -> int:
    return x.size if is_ndarray(x) else int(np.size(x))
