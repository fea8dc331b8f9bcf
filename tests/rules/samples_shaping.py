"""Calls of every shaping operation, for the rule tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]


def on(*args: Any, **kwargs: Any) -> Sample:
    return Sample(args, kwargs, complex=True)


V, M, T, E = A((3,)), A((2, 3)), A((2, 3, 4)), A((0, 2))
SQUARE = A((3, 3))
PADS: list[Any] = [1, (1, 2), ((1, 2),), ((0, 1), (2, 0))]

SAMPLES: dict[Any, list[Sample]] = {
    np.reshape: [
        on(M, (3, 2)),
        on(M, -1),
        on(T, (-1, 4)),
        on(E, (2, 0)),
        on(A(), (1, 1)),
        on(M, (3, 2), order="F"),
        on(T, (-1, 4), "C"),
    ],
    np.ndarray.reshape: [on(M, 3, 2), on(M, (6,)), on(T, -1, 4), on(M, -1)],
    np.ravel: [on(M), on(T), on(V), on(A()), on(M, order="F"), on(M, "C")],
    np.ndarray.ravel: [on(M), on(T), on(M, "F")],
    np.ndarray.flatten: [on(M), on(T, "F")],
    np.squeeze: [on(A((1, 3, 1))), on(A((1, 3, 1)), axis=0), on(A((1, 3, 1)), axis=(0, -1))],
    np.expand_dims: [on(V, 0), on(M, -1), on(M, (0, 2)), on(A(), 0)],
    np.atleast_1d: [on(A()), on(M)],
    np.atleast_2d: [on(A()), on(V), on(T)],
    np.atleast_3d: [on(A()), on(V), on(M), on(T)],
    np.transpose: [on(V), on(M), on(T), on(T, (2, 0, 1)), on(T, (1, -1, 0)), on(E)],
    np.ndarray.transpose: [on(T), on(T, 2, 0, 1), on(T, (1, 2, 0)), on(M, None)],
    np.ndarray.T: [on(V), on(M), on(T)],
    np.ndarray.mT: [on(M), on(T)],
    np.matrix_transpose: [on(M), on(T)],
    np.linalg.matrix_transpose: [on(T)],
    linear.mT: [on(T)],
    np.swapaxes: [on(T, 0, 2), on(T, -1, 1)],
    np.moveaxis: [on(T, 0, -1), on(T, (0, 1), (2, 0))],
    np.rollaxis: [on(T, 2), on(T, 0, 3), on(T, -1, 1), on(T, 1, -1)],
    np.broadcast_to: [on(V, (2, 3)), on(A((2, 1)), (4, 2, 3)), on(A(), (2, 2))],
    np.tile: [on(V, 2), on(M, (2, 1)), on(V, (2, 3)), on(T, 2), on(A(), 3)],
    np.repeat: [
        on(M, 2),
        on(M, 2, axis=0),
        on(M, 3, axis=-1),
        on(V, [1, 0, 2]),
        on(M, [2, 1], axis=0),
        on(M, [2], axis=1),
    ],
    np.pad: [
        *[on(M, width) for width in PADS],
        *[on(M, w, mode=m) for m in ("edge", "reflect", "symmetric", "wrap") for w in PADS],
        on(V, 5, mode="reflect"),
        on(V, 7, mode="wrap"),
        on(V, 2, constant_values=3.0),
    ],
    np.flip: [on(T), on(T, axis=1), on(T, axis=(0, -1))],
    np.fliplr: [on(M)],
    np.flipud: [on(V), on(M)],
    np.roll: [on(M, 1), on(M, -2, axis=1), on(T, (1, 2), axis=(0, 2)), on(M, 1, axis=(0, 1))],
    np.rot90: [on(M), on(M, 2), on(T, -1, (2, 0))],
    np.diag: [on(V), on(V, 1), on(V, -2), on(M), on(M, 1), on(M, -1), on(SQUARE, 5)],
    np.diagflat: [on(V), on(M, 1)],
    np.diagonal: [on(M), on(M, -1), on(T, 1, 1, 2), on(T, 0, -1, 0), on(T, axis1=2, axis2=1)],
    np.linalg.diagonal: [on(T), on(T, offset=1)],
    np.trace: [on(M), on(SQUARE, 1), on(T, 0, 1, 2), on(T, -1, 2, 0)],
    np.linalg.trace: [on(T), on(T, offset=-1)],
    np.tril: [on(M), on(T, 1), on(SQUARE, -1)],
    np.triu: [on(M), on(T, 1), on(SQUARE, -1)],
    np.concatenate: [
        on([V, A((2,))]),
        on([M, M], axis=1),
        on([M, A((1, 3)), M], axis=0),
        on([M, V], axis=None),
        on((T, T), axis=-1),
        on([E, A((1, 2))]),
    ],
    np.stack: [on([V, V]), on([M, M, M], axis=1), on([M, M], axis=-1), on([A(), A()])],
    np.vstack: [on([V, M]), on([A(), A()]), on([M, M])],
    np.hstack: [on([V, A((2,))]), on([M, A((2, 1))]), on([A(), V])],
    np.dstack: [on([V, V]), on([M, M]), on([T, M])],
    np.column_stack: [on([V, V]), on([M, A((2,))])],
    np.split: [on(A((6,)), 3), on(M, [1], axis=1), on(A((6, 2)), 2), on(A((5,)), [3, 1])],
    np.array_split: [on(A((7,)), 3), on(M, [1, 2], axis=-1)],
    np.hsplit: [on(A((4,)), 2), on(A((2, 4)), 2)],
    np.vsplit: [on(A((4, 2)), [1, 3])],
    np.append: [on(V, 2.0), on(V, A((2,))), on(M, M, axis=0), on(M, A((2, 1)), axis=1), on(M, V)],
    np.delete: [on(V, 1), on(M, [0, 2], axis=1), on(M, 3), on(V, slice(0, 2)), on(V, -1)],
    np.insert: [
        on(V, 1, A()),
        on(V, [0, 2], A((2,))),
        on(M, 1, V, axis=0),
        on(M, 1, A(), axis=1),
        on(M, 2, A()),
    ],
    linear.reshape_like: [on(M, A((3, 2)))],
    linear.tile_pull: [on(A((6,)), V, 2), on(A((4, 3)), M, (2, 1))],
    linear.repeat_pull: [on(A((6,)), V, 2), on(A((2, 4)), M, [1, 1, 2], axis=1)],
    linear.pad: [on(M, 1), on(M, 1, "edge")],
    linear.pad_pull: [on(A((5,)), V, 1), on(A((5,)), V, 1, "wrap"), on(A((4, 5)), M, 1, "reflect")],
    linear.undiag: [on(SQUARE, V), on(A((2,)), M), on(A((4, 4)), V, 1)],
    linear.undiagonal: [on(A((2,)), M), on(A((2, 3)), T, 0, 1, 2), on(A((1,)), M, -1)],
    linear.untrace: [on(A(), M), on(A((2,)), T, 1, 1, 2)],
    linear.split_like: [on(A((5,)), [V, A((2,))]), on(A((2, 6)), [M, M], axis=1)],
    linear.unstack_like: [on(M, [V, V]), on(M, [A((2,))] * 3, axis=1)],
    linear.vsplit_like: [on(A((3, 3)), [V, M])],
    linear.hsplit_like: [on(A((5,)), [V, A((2,))]), on(A((2, 6)), [M, M])],
    linear.dsplit_like: [on(A((1, 3, 2)), [V, V])],
    linear.columns_like: [on(A((2, 4)), [M, A((2,))])],
    linear.unsplit: [on([V, A((2,))], A((5,)), [3]), on([A((2, 1)), A((2, 2))], M, [1], 1)],
    linear.embed: [on(V, A((5,))), on(M, A((2, 5)), 1, True), on(M, A((9,)), None, True)],
    linear.extract: [on(A((5,)), V), on(A((2, 5)), M, 1, True), on(A((9,)), M, None, True)],
    linear.delete_pull: [on(A((2,)), V, 1), on(A((2, 1)), M, [0, 2], 1)],
    linear.insert_array: [on(V, 1, A()), on(M, 1, V, 0)],
    linear.insert_values: [on(A(), V, 1), on(V, M, 1, 0)],
    linear.insert_array_pull: [on(A((4,)), V, 1, A()), on(A((3, 3)), M, 1, V, 0)],
    linear.insert_values_pull: [on(A((4,)), A(), V, 1), on(A((3, 3)), V, M, 1, 0)],
}
for alias, operation in {
    np.ndarray.squeeze: np.squeeze,
    np.ndarray.swapaxes: np.swapaxes,
    np.ndarray.repeat: np.repeat,
    np.ndarray.diagonal: np.diagonal,
    np.ndarray.trace: np.trace,
}.items():
    SAMPLES[alias] = SAMPLES[operation]
if hasattr(np, "unstack"):
    SAMPLES[np.unstack] = [on(M), on(T, axis=1), on(T, axis=-1)]
