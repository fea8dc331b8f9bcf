"""Calls of every product and of linear algebra, for the rule tests."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from .sample import A, Sample

__all__ = ["SAMPLES"]


def on(*args: Any, **kwargs: Any) -> Sample:
    return Sample(args, kwargs, complex=True)


def well(x: Any) -> Any:
    """A matrix far from singular."""
    return x + 3 * np.eye(*x.shape[-2:], dtype=x.dtype)


def spread(x: Any) -> Any:
    """A matrix whose singular values are far apart."""
    return x / 4 + np.eye(*x.shape[-2:], dtype=x.dtype) * np.arange(
        2, 2 + x.shape[-1], dtype=x.dtype
    )


def symmetric(x: Any) -> Any:
    """A Hermitian matrix with eigenvalues far apart."""
    return (spread(x) + np.conj(np.swapaxes(spread(x), -1, -2))) / 2


def definite(x: Any) -> Any:
    """A positive definite matrix."""
    return x @ np.conj(np.swapaxes(x, -1, -2)) / 4 + 2 * np.eye(x.shape[-1], dtype=x.dtype)


def blocks(x: Any) -> Any:
    """A tensor that is far from singular as a matrix of its first against its last two axes."""
    return well(x.reshape(4, 4)).reshape(2, 2, 2, 2)


def tall_blocks(x: Any) -> Any:
    return well(x.reshape(4, 4)).reshape(4, 2, 2)


def wide_blocks(x: Any) -> Any:
    return well(x.reshape(4, 4)).reshape(2, 2, 4)


def middle_blocks(x: Any) -> Any:
    return well(x.reshape(4, 4)).reshape(2, 2, 4).transpose(0, 2, 1)


V, M, T, S = A((3,)), A((2, 3)), A((4, 2, 3)), A()
W, N, U = A((2,)), A((3, 2)), A((4, 3, 2))
MATMUL = [
    on(V, V),
    on(M, V),
    on(W, M),
    on(M, N),
    on(T, V),
    on(W, T),
    on(T, U),
    on(M, U),
    on(T, N),
    on(A((5, 1, 2, 3)), U),
    on(A((1, 2, 3)), U),
    on(A((0, 3)), N),
    on(A((2, 0)), A((0, 3))),
]
SQUARES = [A((3, 3), well), A((2, 2), well), A((4, 2, 2), well), A((1, 1), well)]
SPREADS = [A((3, 3), spread), A((2, 2), spread), A((4, 2, 2), spread)]
TENSORDOT = [
    on(T, A((2, 3, 5))),
    on(M, N, 1),
    on(M, V, axes=1),
    on(M, M, axes=0),
    on(T, A((3, 4, 5)), axes=([0, 2], [1, 0])),
    on(T, U, axes=([2, 0], [-2, 0])),
    on(M, A((5, 3)), axes=(1, 1)),
]
SAMPLES: dict[Any, list[Sample]] = {
    operator.matmul: MATMUL,
    np.matmul: MATMUL,
    np.linalg.matmul: [on(M, N), on(T, U)],
    np.dot: [
        on(S, S),
        on(S, M),
        on(M, S),
        on(V, V),
        on(M, V),
        on(T, V),
        on(V, U),
        on(T, U),
        on(M, N),
    ],
    np.inner: [on(S, S), on(S, M), on(V, V), on(M, A((4, 3))), on(T, M), on(V, M)],
    np.outer: [on(V, W), on(M, W), on(S, V)],
    np.linalg.outer: [on(V, W)],
    np.vdot: [on(V, V), on(M, M), on(S, S)],
    np.tensordot: TENSORDOT,
    np.linalg.tensordot: [on(M, N, axes=1), on(T, A((2, 3, 5)))],
    np.kron: [on(V, W), on(M, N), on(M, V), on(V, M), on(T, M), on(S, V), on(M, A((1, 1)))],
    np.convolve: [
        *[on(A((5,)), V, m) for m in ("full", "same", "valid")],
        *[on(W, A((5,)), m) for m in ("full", "same", "valid")],
        on(V, V),
        on(A((1,)), V),
    ],
    np.correlate: [
        *[
            on(A((a,)), A((v,)), m)
            for m in ("full", "same", "valid")
            for a, v in ((5, 3), (5, 2), (3, 5), (2, 5), (4, 4), (1, 3), (6, 2), (2, 6))
        ],
        on(A((5,)), A((3,))),
    ],
    np.einsum: [
        on("ij,jk->ik", M, N),
        on("ij,jk", M, N),
        on("ij->ji", M),
        on("ij->", M),
        on("ij", M),
        on("ii->i", A((3, 3))),
        on("ii", A((3, 3))),
        on("iij->j", A((3, 3, 2))),
        on("i,i->i", V, V),
        on("...ij,...jk->...ik", T, U),
        on("...ij,jk->...ik", T, N),
        on("...,...", S, M),
        on("i,j,k->ijk", V, W, V),
        on("ij,jk,kl,l->i", M, N, M, V),
        on("i->", V),
        on("i,j->i", V, W),
        on("ii,i->i", A((3, 3)), V),
        on("ba", M),
        on("...i->...", T),
        on("ij,ij->", M, M),
        on("...ij,...j->i...", T, A((1, 3))),
        on("ij,ij->ij", M, A((2, 1))),
        on("ij,j->i", M, A((1,))),
        on("ij,jk->ik", M, A((1, 2))),
        on("i...->...", M),
        on("bik,bjk->bij", T, T, optimize=True),
        on("i,ij,jk,kl,lm->m", W, M, N, M, N),
        on("a,b,a,b,ab,b->", W, V, W, V, M, V),
    ],
    linear.matmul_pull_left: [
        on(S, V, V),
        on(W, V, M),
        on(V, M, W),
        on(A((2, 2)), N, M),
        on(A((4, 2)), V, T),
        on(A((4, 3)), T, W),
        on(A((4, 2, 2)), U, T),
        on(A((4, 2, 2)), U, M),
        on(A((4, 2, 2)), N, T),
    ],
    linear.matmul_pull_right: [
        on(S, V, V),
        on(W, M, V),
        on(V, W, M),
        on(A((2, 2)), M, N),
        on(A((4, 2)), T, V),
        on(A((4, 3)), W, T),
        on(A((4, 2, 2)), T, U),
        on(A((4, 2, 2)), M, U),
        on(A((4, 2, 2)), T, N),
    ],
    linear.tensordot_pull_left: [on(A((4, 5)), A((2, 3, 5)), T), on(S, M, M, ([1, 0], [1, 0]))],
    linear.tensordot_pull_right: [
        on(A((4, 5)), T, A((2, 3, 5))),
        on(A((2, 2)), M, A((2, 3)), (1, 1)),
    ],
    linear.vecdot_pull: [on(W, M, M), on(W, V, M), on(W, M, V), on(V, M, M, 0)],
    linear.kron_pull_left: [on(A((6,)), W, V), on(A((6, 6)), N, M), on(A((2, 9)), V, M)],
    linear.kron_pull_right: [on(A((6,)), W, V), on(A((6, 6)), N, M), on(A((2, 9)), V, M)],
    linear.convolve_pull: [
        on(A((7,)), V, A((5,))),
        on(A((5,)), V, A((5,)), "same"),
        on(V, V, A((5,)), "valid"),
    ],
    linear.correlate_pull_left: [on(V, V, A((5,))), on(A((5,)), A((2,)), A((5,)), "same")],
    linear.correlate_pull_right: [on(V, A((5,)), V), on(A((5,)), A((5,)), A((2,)), "same")],
    linear.einsum: [on("ij,jk->ik", M, N), on("iij,...->j...", A((3, 3, 2)), M, None)],
    linear.einsum_view: [
        on(A((3, 3)), "ii->i"),
        on(A((2, 3, 3)), "ijj->ji"),
        on(M, "ij->ji"),
        on(M, "ij"),
        on(A((2, 2, 3)), "ii...->...i"),
    ],
    linear.einsum_pull: [
        on(A((2, 2)), "ij,jk->ik", M, N),
        on(V, "ii->i", A((3, 3))),
        on(S, "i,j,ij", V, W, N),
    ],
    linear.apply: [on(M, V, V), on(T, V, V), on(T, A((4, 3)), V), on(M, N, N)],
    linear.solve_for: [
        on(A((3, 3), well), V, V),
        on(A((4, 3, 3), well), A((4, 3)), V),
        on(A((4, 3, 3), well), A((4, 3, 2)), A((4, 3, 2))),
        on(A((3, 3), well), N, N),
    ],
    linear.column: [on(V, V), on(N, N)],
    linear.uncolumn: [on(A((3, 1)), V), on(N, N)],
    np.linalg.inv: [on(a) for a in SQUARES],
    np.linalg.solve: [
        on(A((3, 3), well), V),
        on(A((3, 3), well), N),
        on(A((4, 3, 3), well), V),
        on(A((4, 3, 3), well), A((4, 3, 2))),
        on(A((4, 3, 3), well), N),
        on(A((3, 3), well), U),
    ],
    np.linalg.det: [on(a) for a in [*SQUARES, A((3, 3)), A((2, 2))]],
    np.linalg.slogdet: [on(a) for a in [*SQUARES, A((3, 3))]],
    linear.cofactor: [on(a) for a in SQUARES],
    linear.cofactor_push: [on(A((3, 3)), A((3, 3), well)), on(A((4, 2, 2)), A((4, 2, 2), well))],
    linear.turn: [on(S, S), on(V, V)],
    linear.turn_pull: [on(S, S), on(V, V)],
    linear.herm: [on(M), on(T, False)],
    linear.hermitian: [on(A((3, 3))), on(A((4, 2, 2)))],
    linear.phi: [on(A((3, 3))), on(A((4, 2, 2)))],
    linear.upper_part: [on(A((3, 3))), on(A((4, 2, 2)))],
    linear.upper_pull: [on(A((3, 3))), on(A((4, 2, 2)))],
    linear.solve_lower: [
        on(A((3, 3), well), A((3, 2))),
        on(A((3, 3), well), A((3, 2)), True),
        on(A((4, 2, 2), well), A((4, 2, 3)), adjoint=True),
    ],
    linear.over: [on(M, A((3, 3), well)), on(A((4, 5, 2)), A((4, 2, 2), well))],
    np.linalg.cholesky: [
        on(A((3, 3), definite)),
        on(A((4, 2, 2), definite)),
        on(A((3, 3), definite), upper=True),
    ],
    np.linalg.qr: [
        *[on(a) for a in (A((3, 3), well), A((4, 2), well), A((5, 3, 2), well))],
        *[on(a) for a in (A((2, 4), well), A((4, 2, 3), well))],
        on(A((2, 3), well), mode="complete"),
    ],
    linear.qr_r: [
        *[on(a, mode="r") for a in (A((3, 3), well), A((4, 2), well), A((2, 4), well))],
        on(A((5, 3, 2), well), "r"),
    ],
    linear.economic: [on(A((3, 2)), A((2, 2))), on(A((2, 2)), A((2, 3)), "complete")],
    linear.leading: [on(A((2, 3)), A((2, 3))), on(A((4, 3, 3)), A((4, 2, 3)))],
    np.linalg.lstsq: [
        on(A((5, 3)), A((5,))),
        on(A((5, 3)), A((5, 2))),
        on(A((2, 4)), A((2,)), rcond=None),
        on(A((3, 3), well), A((3,)), rcond=1e-12),
    ],
    linear.if_there: [on(S, A((1,))), on(A((2,)), A((2,)))],
    np.polyfit: [
        Sample((A((5,)), A((5,)), 2)),
        Sample((A((6,)), A((6, 2)), 3)),
        Sample((A((4,)), A((4,)), 1), {"w": A((4,), np.abs)}),
        on(A((5,), np.real), A((5,)), 1),
    ],
    linear.rows_times: [on(V, None), on(N, np.array([1.0, 2.0, 3.0]))],
    np.linalg.tensorinv: [
        on(A((2, 2, 2, 2), blocks)),
        on(A((4, 2, 2), tall_blocks), ind=1),
    ],
    np.linalg.tensorsolve: [
        on(A((2, 2, 2, 2), blocks), A((2, 2))),
        on(A((2, 2, 4), wide_blocks), A((2, 2))),
        on(A((4, 2, 2), tall_blocks), A((4,))),
        on(A((2, 4, 2), middle_blocks), A((2, 2)), axes=(1,)),
    ],
    linear.multi_dot: [
        on(M, N),
        on(W, M, N),
        on(M, N, M, V),
        on(V, N, W),
        on(M, N, M, N, M),
    ],
    np.linalg.pinv: [
        on(A((3, 3), well)),
        on(A((4, 2), well)),
        on(A((2, 3), well)),
        on(A((5, 3, 2), well)),
        on(A((4, 2), well), rtol=1e-10),
        on(A((3, 3), definite), 1e-12, hermitian=True),
    ],
    np.linalg.matrix_power: [on(A((2, 2), well), n) for n in (-3, -1, 0, 1, 2, 5)]
    + [on(A((4, 2, 2), well), 3)],
    linear.powers: [on(A((2, 2), well), n) for n in (-3, 1, 4)],
    linear.matrix_convolve: [on(A((4, 2, 2)), A((4, 2, 2)), lag) for lag in (0, 1)],
}
SAMPLES[np.cross] = [on(V, V), on(M, V), on(V, M), on(M, M)]
SAMPLES[np.cross] += [
    on(N, N, axis=0),
    on(N, V, axis=0),
    on(N, M, axisa=0, axisc=0),
    on(V, A((4, 3, 2)), axisb=1),
    on(A((4, 3, 2)), A((3, 4, 2)), 1, 0, axisc=-2),
]
SAMPLES[linear.cross] = [*SAMPLES[np.cross][:4], on(N, M, -2, -1, -2), on(N, V, -2, -1, -1)]
SAMPLES[np.linalg.cross] = [
    on(V, V),
    on(M, M),
    on(N, N, axis=0),
    on(U, N, axis=-2),
    on(N, U, axis=1),
][:4]
SAMPLES[np.ndarray.dot] = SAMPLES[np.dot][2:]
if hasattr(np, "vecdot"):
    SAMPLES[np.vecdot] = [on(V, V), on(M, V), on(M, M, axis=0), on(T, A((2, 3)), axis=-1)]
    SAMPLES[np.linalg.vecdot] = [on(V, V), on(M, M, axis=0)]
if hasattr(np, "matvec"):
    SAMPLES[np.matvec] = [
        on(M, V),
        on(T, V),
        on(M, A((4, 3))),
        on(T, A((4, 3))),
        on(A((1, 2, 3)), T),
    ]
    SAMPLES[np.vecmat] = [on(W, M), on(W, T), on(A((4, 2)), M), on(A((4, 2)), T)]
