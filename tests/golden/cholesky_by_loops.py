"""The Cholesky factor entry by entry, as in a textbook."""
# differentiate: log_determinant wrt A

import numpy as np


def log_determinant(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    total = 0.0
    for i in range(n):
        total += 2 * np.log(L[i, i])
    return total


def arguments():
    rng = np.random.default_rng(1)
    b = rng.normal(size=(4, 4))
    return (b @ b.T + 4 * np.eye(4),)


# output
"""Derivative of `log_determinant` in cholesky_by_loops.py, line 7: reverse mode, with
respect to A.

For arguments A: f8[A_0, A_1].

Written by retrograd 0.1.0 (source 1660e06c). Change the function, not this file.
"""

import numpy as np


def log_determinant_grad(A):
    # forward
    A_shape = A.shape     # line 8
    n = A_shape[0]
    L = np.zeros((n, n))  # line 9
    tape = []
    for i in range(n):  # line 10
        tape_2 = []
        for j in range(i + 1):  # line 11
            s = A[i, j]  # line 12
            tape_3 = []
            for k in range(j):  # line 13
                L_part = L[i, k]  # line 14
                L_part_2 = L[j, k]
                tape_3.append((L_part, L_part_2))
                s = s - L_part * L_part_2
            same = i == j  # line 15
            if same:
                sqrt_s = np.sqrt(s)  # line 16
                L[i, j] = sqrt_s
                L_part = None
                ratio = None
            else:
                L_part = L[j, j]  # line 18
                ratio = s / L_part
                L[i, j] = ratio
                sqrt_s = None
            tape_2.append((tape_3, same, sqrt_s, L_part, ratio))
        tape.append(tape_2)
    # backward
    L_bar = np.zeros(L.shape)  # line 20
    for i in reversed(range(n)):
        L_bar[i, i] += 2.0 / L[i, i]  # line 21
    A_bar = np.zeros(A_shape)  # line 10
    for i, tape_2 in zip(reversed(range(n)), reversed(tape)):
        for j, (tape_3, same, sqrt_s, L_part, ratio) in zip(
            reversed(range(i + 1)), reversed(tape_2)
        ):
            if same:  # line 15
                sqrt_bar = L_bar[i, j]  # line 16
                L_bar[i, j] = 0.0
                s_bar = sqrt_bar / (2 * sqrt_s)
            else:
                truediv_bar = L_bar[i, j]  # line 18
                L_bar[i, j] = 0.0
                s_bar = truediv_bar / L_part
                L_bar[j, j] -= ratio * s_bar
            for k, (L_part, L_part_2) in zip(reversed(range(j)), reversed(tape_3)):
                L_bar[j, k] -= L_part * s_bar  # line 14
                L_bar[i, k] -= s_bar * L_part_2
            A_bar[i, j] += s_bar  # line 12
    return A_bar
