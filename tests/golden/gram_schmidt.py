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
"""Derivative of `off_diagonal` in gram_schmidt.py, line 7: reverse mode, with respect
to A.

For arguments A: f8[A_0, A_1].

Written by retrograd 0.1.0 (source e76dc241). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def off_diagonal_grad(A):
    # forward
    Q = A.copy()          # line 8
    A_shape = A.shape     # line 9
    n = A_shape[1]
    R = np.zeros((n, n))  # line 10
    tape = []
    for j in range(n):  # line 11
        tape_2 = []
        for i in range(j):  # line 12
            Q_part = Q[:, i]           # line 13
            Q_part_2 = Q[:, j]
            R[i, j] = Q_part @ Q_part_2
            R_part = R[i, j]           # line 14
            parts = Q_part.copy(), Q_part_2.copy(), R_part
            tape_2.append(parts)
            Q[:, j] -= R_part * Q_part
        Q_part = Q[:, j]               # line 15
        sqrt = np.sqrt(Q_part @ Q_part)
        R[j, j] = sqrt
        R_part = R[j, j]               # line 16
        ratio = Q_part / R_part
        parts = tape_2, Q_part.copy(), sqrt, R_part, ratio
        tape.append(parts)
        Q[:, j] = ratio
    # backward
    Q_bar = np.zeros(A_shape)  # line 17
    Q_bar[0, 1] += 1.0
    R_bar = 3.0 * R ** 2
    for j, (tape_2, Q_part, sqrt, R_part, ratio) in zip(
        reversed(range(n)), reversed(tape)
    ):
        getitem_bar = rt.div0(Q_bar[:, j], R_part)  # line 16
        R_bar[j, j] += np.add.reduce(rt.mul0(-getitem_bar, ratio))
        sqrt_bar = R_bar[j, j]                      # line 15
        R_bar[j, j] = 0.0
        getitem_bar += rt.mul0(2 * rt.div0(sqrt_bar, 2 * sqrt), Q_part)
        Q_bar[:, j] = getitem_bar
        for i, (Q_part, Q_part_2, R_part) in zip(reversed(range(j)), reversed(tape_2)):
            mul_bar = -Q_bar[:, j]                # line 14
            getitem_bar = rt.mul0(mul_bar, R_part)
            R_bar[i, j] += np.add.reduce(rt.mul0(mul_bar, Q_part))
            matmul_bar = R_bar[i, j]              # line 13
            R_bar[i, j] = 0.0
            getitem_bar += matmul_bar * Q_part_2
            Q_bar[:, j] += Q_part * matmul_bar
            Q_bar[:, i] += getitem_bar
    return Q_bar
