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
"""Derivative of `log_determinant` in cholesky_by_loops.py: reverse mode, with respect
to A.

For arguments A: f8[A_0, A_1].

Written by retrograd 0.2.0 (source 1660e06c). Change the function, not this file.
"""

import numpy as np


def log_determinant_grad(A):
    # forward
    n = A.shape[0]
    L = np.zeros((n, n))
    tape = []
    for i in range(n):
        tape_2 = []
        for j in range(i + 1):
            s = A[i, j]
            tape_3 = []
            for k in range(j):
                L_ik = L[i, k]
                L_jk = L[j, k]
                tape_3.append((L_ik, L_jk))
                s = s - L_ik * L_jk
            same = i == j
            if same:
                sqrt_s = np.sqrt(s)
                L[i, j] = sqrt_s
                L_jj = None
                ratio = None
            else:
                L_jj = L[j, j]
                ratio = s / L_jj
                L[i, j] = ratio
                sqrt_s = None
            tape_2.append((tape_3, same, sqrt_s, L_jj, ratio))
        tape.append(tape_2)
    # backward
    L_bar = np.zeros(L.shape)
    for i in reversed(range(n)):
        # `total += 2 * np.log(L[i, i])`
        L_bar[i, i] += 2.0 / L[i, i]
    A_bar = np.zeros(A.shape)
    for i, tape_2 in zip(reversed(range(n)), reversed(tape)):
        for j, (tape_3, same, sqrt_s, L_jj, ratio) in zip(
            reversed(range(i + 1)), reversed(tape_2)
        ):
            if same:
                # `L[i, j] = np.sqrt(s)`
                sqrt_bar = L_bar[i, j]
                L_bar[i, j] = 0.0
                s_bar = sqrt_bar / (2 * sqrt_s)
            else:
                # `L[i, j] = s / L[j, j]`
                truediv_bar = L_bar[i, j]
                L_bar[i, j] = 0.0
                s_bar = truediv_bar / L_jj
                L_bar[j, j] -= ratio * s_bar
            for k, (L_ik, L_jk) in zip(reversed(range(j)), reversed(tape_3)):
                # `s -= L[i, k] * L[j, k]`
                L_bar[j, k] -= L_ik * s_bar
                L_bar[i, k] -= s_bar * L_jk
            # `s = A[i, j]`
            A_bar[i, j] += s_bar
    return A_bar
