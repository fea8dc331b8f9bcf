"""QR by modified Gram-Schmidt: the columns of Q are made orthonormal in place."""
# differentiate: off_diagonal wrt A

import numpy as np


def off_diagonal(A):
    Q = A.copy()
    n = A.shape[1]
    R = np.zeros((n, n))
    for j in range(n):
        for i in range(j):
            R[i, j] = Q[:, i] @ Q[:, j]
            Q[:, j] -= R[i, j] * Q[:, i]
        R[j, j] = np.sqrt(Q[:, j] @ Q[:, j])
        Q[:, j] /= R[j, j]
    return np.sum(R**3) + Q[0, 1]


def arguments():
    return (np.random.default_rng(8).normal(size=(4, 3)),)


# output
"""Derivative of `off_diagonal` in gram_schmidt.py: reverse mode, with respect to A.

For arguments A: f8[A_0, A_1].

Written by retrograd 0.2.0 (source e76dc241). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def off_diagonal_grad(A):
    # forward
    Q = A.copy()
    n = A.shape[1]
    R = np.zeros((n, n))
    tape = []
    for j in range(n):
        tape_2 = []
        for i in range(j):
            Q_part = Q[:, i]
            Q_part_2 = Q[:, j]
            R[i, j] = Q_part @ Q_part_2
            R_ij = R[i, j]
            parts = Q_part.copy(), Q_part_2.copy(), R_ij
            tape_2.append(parts)
            Q[:, j] -= R_ij * Q_part
        Q_part_3 = Q[:, j]
        sqrt = np.sqrt(Q_part_3 @ Q_part_3)
        R[j, j] = sqrt
        R_jj = R[j, j]
        ratio = Q_part_3 / R_jj
        parts_2 = tape_2, Q_part_3.copy(), sqrt, R_jj, ratio
        tape.append(parts_2)
        Q[:, j] = ratio
    # backward
    # `return np.sum(R ** 3) + Q[0, 1]`
    Q_bar = np.zeros(A.shape)
    Q_bar[0, 1] += 1.0
    R_bar = 3.0 * R**2
    for j, (tape_2, Q_part, sqrt, R_jj, ratio) in zip(
        reversed(range(n)), reversed(tape)
    ):
        # `Q[:, j] /= R[j, j]`
        getitem_bar = rt.div0(Q_bar[:, j], R_jj)
        R_bar[j, j] += np.sum(rt.mul0(-getitem_bar, ratio))
        # `R[j, j] = np.sqrt(Q[:, j] @ Q[:, j])`
        sqrt_bar = R_bar[j, j]
        R_bar[j, j] = 0.0
        getitem_bar += rt.mul0(2 * rt.div0(sqrt_bar, 2 * sqrt), Q_part)
        Q_bar[:, j] = getitem_bar
        for i, (Q_part, Q_part_2, R_ij) in zip(reversed(range(j)), reversed(tape_2)):
            # `Q[:, j] -= R[i, j] * Q[:, i]`
            mul_bar = -Q_bar[:, j]
            getitem_bar_2 = rt.mul0(mul_bar, R_ij)
            R_bar[i, j] += np.sum(rt.mul0(mul_bar, Q_part))
            # `R[i, j] = Q[:, i] @ Q[:, j]`
            matmul_bar = R_bar[i, j]
            R_bar[i, j] = 0.0
            getitem_bar_2 += matmul_bar * Q_part_2
            Q_bar[:, j] += Q_part * matmul_bar
            Q_bar[:, i] += getitem_bar_2
    return Q_bar
