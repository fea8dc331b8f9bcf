"""Calls of indexing with every kind of index, of arrays and of containers, and of its helpers."""

import operator

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

T = (3, 4, 5)
MASK = np.arange(12).reshape(3, 4) % 5 < 2
INDICES = [
    0,
    -1,
    slice(None),
    slice(1, None),
    slice(None, None, -1),
    slice(-2, None),
    Ellipsis,
    None,
    (1, 2),
    (1, 2, 3),
    (slice(None), 1),
    (Ellipsis, -1),
    (slice(1, -1), None, slice(None, None, 2)),
    (None, Ellipsis, None),
    np.array([0, 2, 0]),
    np.array([[1, 1], [2, -3]]),
    [0, 0, 1],
    np.array(1),
    np.int64(2),
    (slice(None), np.array([3, 3, 0])),
    (np.array([0, 1, 0]), np.array([2, 2, 2])),
    (np.array([0, 0]), slice(None), np.array([1, 1])),
    (0, slice(None), np.array([1, 1, 4])),
    (slice(None), 1, np.array([[0], [0]])),
    (slice(None), np.array([0, 1]), np.array([[2], [2]])),
    MASK,
    (MASK, 1),
    (slice(None), np.array([True, False, True, True])),
    MASK[:, 0],
    (MASK, np.array([0])),
    [True, False, True],
    slice(3, 3),
    (Ellipsis, np.array([0, 0]), None),
    (),
    np.array([], int),
]
X, Y = A((2, 3)), A((4,))
CONTAINERS = [
    ((X, Y), 0),
    ((X, Y), -1),
    ([X, Y, A(scalar=True)], 2),
    ({"w": X, "b": Y}, "b"),
    ([X, Y, A()], slice(1, 3)),
    ((X, Y, A()), slice(None, None, 2)),
    ([X, (Y, A())], 1),
]


def like(x: object) -> object:
    """Zeros of the structure of a container of arrays to draw."""
    if isinstance(x, dict):
        return {key: like(item) for key, item in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(like(item) for item in x)
    return 0.0 if x.scalar else np.zeros(x.shape)


def shape_at(index: object) -> tuple[int, ...]:
    return np.zeros(T)[index].shape


IDX = np.array([[0, 2, 2, 1], [1, 1, 0, 0]])
COND = [True, False, True]
ROWS = np.array([[0, 0], [1, 3], [3, 3]])

SAMPLES = {
    operator.getitem: [
        *(Sample((A(T), index), complex=True) for index in INDICES),
        *(Sample(call) for call in CONTAINERS if not isinstance(call[0], dict)),
        Sample((A((1,)), 0)),
        Sample((A((0, 3)), (slice(None), 1))),
        Sample((A((5,)), np.array([0, 0, -1]))),
    ],
    linear.scatter: [
        *(Sample((A(shape_at(index)), np.zeros(T), index), complex=True) for index in INDICES),
        *(Sample((x[index], like(x), index)) for x, index in CONTAINERS),
        Sample((A(scalar=True), np.zeros((2, 3)), (0, 1))),
    ],
    linear.index_add: [
        *(Sample((A(T), index, A(shape_at(index))), complex=True) for index in INDICES),
    ],
    linear.last_written: [
        *(Sample((A(T), index)) for index in INDICES if np.ndim(np.zeros(T)[index])),
    ],
    linear.scatter_last: [
        *(
            Sample((A(shape_at(index)), np.zeros(T), index))
            for index in INDICES
            if np.ndim(np.zeros(T)[index])
        ),
    ],
    np.take: [
        Sample((A(T), 2)),
        Sample((A(T), IDX)),
        Sample((A(T), IDX, 1), complex=True),
        Sample((A(T), [0, 0]), {"axis": -1}),
        Sample((A(T), np.array([5, -7, 2])), {"axis": 0, "mode": "wrap"}),
        Sample((A(T), 1), {"axis": 2}),
        Sample((A((4,)), np.array([5, -7, 2])), {"mode": "clip"}),
        Sample((A(T), np.array([], int)), {"axis": 0}),
    ],
    np.ndarray.take: [Sample((A(T), IDX)), Sample((A(T), IDX), {"axis": 1})],
    np.take_along_axis: [
        Sample((A((3, 4)), ROWS, 1), complex=True),
        Sample((A((3, 4)), np.array([[0, 2, 1, 1]]), 0)),
        Sample((A((5,)), np.array([0, 0, 4]), 0)),
        Sample((A((3, 4)), np.array([11, 0, 0]), None)),
        Sample((A((3, 1, 2)), np.array([[[0, 0], [0, 0]]]), 1)),
        Sample((A((1, 4)), ROWS), {"axis": -1}),
    ],
    np.compress: [
        Sample((COND, A((3,)))),
        Sample((COND, A((3, 4)), 0)),
        Sample((np.array([False, True]), A((3, 4))), {"axis": 1}),
        Sample((COND, A((3, 4)))),
    ],
    np.ndarray.compress: [Sample((A((3, 4)), COND), {"axis": 0})],
    np.extract: [Sample((MASK, A((3, 4)))), Sample((COND, A((3,))))],
    np.nonzero: [Sample((A((2, 3)),), smooth=False)],
    np.flatnonzero: [Sample((A((2, 3)),), smooth=False)],
    np.argwhere: [Sample((A((2, 3)),), smooth=False)],
    linear.untake: [
        Sample((A((2, 4)), np.zeros(T), IDX)),
        Sample((A((3, 2, 4, 5)), np.zeros(T), IDX, 1)),
        Sample((A(), np.zeros(T), 2)),
        Sample((A((3,)), np.zeros(4), np.array([5, -7, 2]), None, "wrap")),
        Sample((A((3,)), np.zeros(4), np.array([5, -7, 2])), {"mode": "clip"}),
        Sample((A((3, 4)), np.zeros(T), 1, 2)),
    ],
    linear.scatter_along_axis: [
        Sample((A((3, 2)), np.zeros((3, 4)), ROWS, 1)),
        Sample((A((3,)), np.zeros((3, 4)), np.array([11, 0, 0]), None)),
        Sample((A((3, 2, 2)), np.zeros((3, 1, 2)), np.zeros((1, 2, 2), int), 1)),
        Sample((A((3, 2)), np.zeros((1, 4)), ROWS)),
    ],
    linear.uncompress: [
        Sample((A((2,)), np.zeros(3), COND)),
        Sample((A((2, 4)), np.zeros((3, 4)), COND, 0)),
        Sample((A((3, 1)), np.zeros((3, 4)), [False, True], 1)),
    ],
}
