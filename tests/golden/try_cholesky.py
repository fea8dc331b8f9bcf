"""A `try`: the adjoint of the path that ran."""
# differentiate: log_det wrt a

import numpy as np


def log_det(a, jitter):
    with np.errstate(divide="ignore"):
        try:
            factor = np.linalg.cholesky(a)
        except np.linalg.LinAlgError:
            factor = np.linalg.cholesky(a + jitter * np.eye(len(a)))
        return 2 * np.sum(np.log(np.diag(factor)))


def arguments():
    return np.array([[1.0, 2.0], [2.0, 1.0]]), 3.0


# output
"""Derivative of `log_det` in try_cholesky.py, line 7: reverse mode, with respect to a.

For arguments a: f8[a_0, a_1], jitter: float.

Written by retrograd 0.1.0 (source f8420a9c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def log_det_grad(a, jitter):
    # forward
    with np.errstate(divide="ignore"):  # line 8
        try:  # line 9
            factor = np.linalg.cholesky(a)  # line 10
            caught = False
        except np.linalg.LinAlgError:
            factor = np.linalg.cholesky(a + jitter * np.eye(len(a)))  # line 12
            caught = True
        diag_factor = np.diag(factor)  # line 13
        log = np.log(diag_factor)
    # backward
    with np.errstate(divide="ignore"):
        factor_bar = rt.undiag(rt.stretch(2.0, log) / diag_factor, factor)  # line 13
        if caught:  # line 9
            factor_T = factor.T  # line 12
            a_bar = rt.hermitian(
                np.linalg.solve(
                    factor_T, np.linalg.solve(factor_T, rt.phi(factor_T @ factor_bar)).T
                )
            )
        else:
            factor_T = factor.T  # line 10
            a_bar = rt.hermitian(
                np.linalg.solve(
                    factor_T, np.linalg.solve(factor_T, rt.phi(factor_T @ factor_bar)).T
                )
            )
    a_bar = rt.copy(a_bar)
    return a_bar
