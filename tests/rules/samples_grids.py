"""Calls of blocks, grids, ``np.r_`` and ``np.c_``, and of the helpers that take them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, W, M, N = A((3,)), A((2,)), A((2, 3)), A(scalar=True)
ROW, COLUMN, ONE = A((1, 3)), A((3, 1)), A((1,))
BLOCK = np.zeros((3, 4))

SAMPLES: dict[Any, list[Sample]] = {
    linear.row: [
        Sample(((V, N, W),), complex=True),
        Sample(((V,),)),
        Sample(((V, 2.0, np.arange(2.0)),)),
        Sample(((M, A((4, 3))),)),
    ],
    linear.columns: [
        Sample(((V, V),), complex=True),
        Sample(((COLUMN, A((3, 2)), V),)),
        Sample(((V,),)),
    ],
    linear.unrow: [Sample((A((4,)), (np.zeros(3), 0.0)), complex=True)],
    linear.uncolumns: [Sample((A((3, 3)), (np.zeros(3), np.zeros((3, 2)))), complex=True)],
    np.block: [
        Sample(([[M, A((2, 1))], [A((1, 4))]],)),
        Sample(([V, W],), complex=True),
        Sample(([[V], [V]],)),
        Sample(([[N, N], [N, 1.0]],)),
        Sample((M,)),
    ],
    linear.block_of: [Sample(([[M, A((2, 1))], [A((1, 4))]],), complex=True)],
    linear.blocks_like: [
        Sample((A((3, 4)), [[BLOCK[:2, :3], BLOCK[:2, :1]], [BLOCK[:1]]]), complex=True)
    ],
    np.ix_: [Sample((V, W)), Sample((V,))],
    linear.reshape_each: [Sample(((M, V), (np.zeros((3, 2)), np.zeros((3, 1)))))],
    np.broadcast_arrays: [Sample((V, N)), Sample((COLUMN, V, ONE)), Sample((V,), complex=True)],
    linear.stretch_each: [Sample(((ONE, N), (np.zeros((2, 3)), np.zeros(3))))],
    linear.unstretch_each: [Sample(((M, M), (np.zeros(3), np.zeros((2, 1)))))],
    linear.meshgrid: [
        Sample(((V, W),), complex=True),
        Sample(((V, W), "ij")),
        Sample(((V, W, ONE),)),
        Sample(((V, W),), {"sparse": True}),
        Sample(((V, W, N), "ij"), {"sparse": True}),
        Sample(((V,),)),
    ],
    linear.unmeshgrid: [
        Sample(((M, M), (np.zeros(3), np.zeros(2)))),
        Sample(((M, M), (np.zeros(2), np.zeros(3)), "ij")),
    ],
}
