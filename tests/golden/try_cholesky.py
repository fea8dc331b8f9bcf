"""A `try`: the adjoint of the path that ran."""
# differentiate: log_det wrt b

import numpy as np


def log_det(b, jitter):
    a = b @ b.T - 3 * np.eye(len(b))
    with np.errstate(divide="ignore"):
        try:
            factor = np.linalg.cholesky(a)
        except np.linalg.LinAlgError:
            factor = np.linalg.cholesky(a + jitter * np.eye(len(a)))
        return 2 * np.sum(np.log(np.diag(factor)))


def arguments():
    return np.array([[1.0, 2.0], [2.0, 1.0]]), 3.0


# output
"""Derivative of `log_det` in try_cholesky.py: reverse mode, with respect to b.

For arguments b: f8[b_0, b_1], jitter: float.

Written by retrograd 0.2.0 (source 7da4def4). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def log_det_grad(b, jitter):
    # forward
    a = b @ b.T - 3 * np.eye(len(b))
    with np.errstate(divide="ignore"):
        try:
            factor = np.linalg.cholesky(a)
            caught = False
        except np.linalg.LinAlgError:
            factor = np.linalg.cholesky(a + jitter * np.eye(len(a)))
            caught = True
        diag_factor = np.diag(factor)
    # backward
    with np.errstate(divide="ignore"):
        # `return 2 * np.sum(np.log(np.diag(factor)))`
        factor_bar = np.diag(2.0 / diag_factor)
        if caught:
            # `factor = np.linalg.cholesky(a + jitter * np.eye(len(a)))`
            add_bar_part = rt.solve_lower(factor, rt.phi(factor.T @ factor_bar), True).T
            a_bar = rt.hermitian(rt.solve_lower(factor, add_bar_part, True))
        else:
            # `factor = np.linalg.cholesky(a)`
            a_bar_part = rt.solve_lower(factor, rt.phi(factor.T @ factor_bar), True).T
            a_bar = rt.hermitian(rt.solve_lower(factor, a_bar_part, True))
    return a_bar @ b + a_bar.T @ b
