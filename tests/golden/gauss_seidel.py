"""Gauss-Seidel sweeps: the new entries are used at once."""
# differentiate: swept wrt A, b

import numpy as np


def swept(A, b, sweeps):
    n = len(b)
    x = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            s = 0.0
            for j in range(n):
                if j != i:
                    s += A[i, j] * x[j]
            x[i] = (b[i] - s) / A[i, i]
    return np.sum(x * b)


def arguments():
    rng = np.random.default_rng(5)
    return rng.normal(size=(3, 3)) + 5 * np.eye(3), rng.normal(size=3), 3


# output
"""Derivative of `swept` in gauss_seidel.py: reverse mode, with respect to A and b.

For arguments A: f8[A_0, A_1], b: f8[b_0], sweeps: int.

Written by retrograd 0.2.0 (source ce44fa4a). Change the function, not this file.
"""

import numpy as np


def swept_grad(A, b, sweeps):
    # forward
    n = len(b)
    x = np.zeros(n)
    tape = []
    for _ in range(sweeps):
        tape_2 = []
        for i in range(n):
            s = 0.0
            tape_3 = []
            for j in range(n):
                differs = j != i
                if differs:
                    A_ij = A[i, j]
                    x_j = x[j]
                    s += A_ij * x_j
                else:
                    A_ij = None
                    x_j = None
                tape_3.append((differs, A_ij, x_j))
            ratio = (b[i] - s) / A[i, i]
            tape_2.append((tape_3, ratio))
            x[i] = ratio
        tape.append(tape_2)
    # backward
    A_bar = np.zeros(A.shape)
    x_bar = b.copy()
    b_bar = x
    for tape_2 in reversed(tape):
        for i, (tape_3, ratio) in zip(reversed(range(n)), reversed(tape_2)):
            # `x[i] = (b[i] - s) / A[i, i]`
            truediv_bar = x_bar[i]
            x_bar[i] = 0.0
            sub_bar = truediv_bar / A[i, i]
            A_bar[i, i] -= ratio * sub_bar
            b_bar[i] += sub_bar
            for j, (differs, A_ij, x_j) in zip(reversed(range(n)), reversed(tape_3)):
                if differs:
                    # `s += A[i, j] * x[j]`
                    x_bar[j] -= A_ij * sub_bar
                    A_bar[i, j] -= sub_bar * x_j
    return A_bar, b_bar
