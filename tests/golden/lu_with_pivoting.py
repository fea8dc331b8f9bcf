"""Gaussian elimination with partial pivoting: rows are swapped where a pivot is small."""
# differentiate: log_abs_det wrt A

import numpy as np


def log_abs_det(A):
    U = A.copy()
    n = U.shape[0]
    for k in range(n):
        p = k + np.argmax(np.abs(U[k:, k]))
        if p != k:
            U[[k, p]] = U[[p, k]]
        for i in range(k + 1, n):
            factor = U[i, k] / U[k, k]
            U[i, k:] -= factor * U[k, k:]
    return np.sum(np.log(np.abs(np.diag(U))))


def arguments():
    return (np.random.default_rng(2).normal(size=(4, 4)),)


# output
"""Derivative of `log_abs_det` in lu_with_pivoting.py: reverse mode, with respect to A.

For arguments A: f8[A_0, A_1].

Written by retrograd 0.2.0 (source 9a975156). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def log_abs_det_grad(A):
    # forward
    U = A.copy()
    n = U.shape[0]
    tape = []
    for k in range(n):
        p = k + np.argmax(np.abs(U[k:, k]))
        differs = p != k
        if differs:
            U_part = U[[p, k]]
            U[[k, p]] = U_part
        else:
            U_part = None
        tape_2 = []
        for i in range(k + 1, n):
            U_kk = U[k, k]
            factor = U[i, k] / U_kk
            U_part_2 = U[k, k:]
            minus = -(factor * U_part_2)
            parts = U_kk, factor, U_part_2.copy(), minus
            tape_2.append(parts)
            U[i, k:] += minus
        tape.append((p, differs, U_part, tape_2))
    diag_U = np.diag(U)
    # backward
    # `return np.sum(np.log(np.abs(np.diag(U))))`
    U_bar = rt.undiagonal(rt.sign(diag_U) / np.abs(diag_U), U)
    for k, (p, differs, U_part, tape_2) in zip(reversed(range(n)), reversed(tape)):
        for i, (U_kk, factor, U_part_2, minus) in zip(
            reversed(range(k + 1, n)), reversed(tape_2)
        ):
            # `U[i, k:] -= factor * U[k, k:]`
            mul_bar = -rt.unbroadcast(U_bar[i, k:], minus)
            factor_bar = np.sum(rt.mul0(mul_bar, U_part_2))
            U_bar[k, k:] += rt.unbroadcast(rt.mul0(mul_bar, factor), U_part_2)
            # `factor = U[i, k] / U[k, k]`
            getitem_bar = rt.div0(factor_bar, U_kk)
            U_bar[k, k] += rt.mul0(-getitem_bar, factor)
            U_bar[i, k] += getitem_bar
        if differs:
            # `U[[k, p]] = U[[p, k]]`
            getitem_bar_2 = rt.unbroadcast(rt.last_written(U_bar, [k, p]), U_part)
            U_bar[[k, p]] = 0.0
            np.add.at(U_bar, [p, k], getitem_bar_2)
    return U_bar
