"""Products, transposes, trace, inverse and log-determinant of matrices."""
# differentiate: objective wrt a, b

import numpy as np


def objective(a, b):
    s = a @ a.T + np.eye(a.shape[0])
    sign, log_det = np.linalg.slogdet(s)
    return np.trace(np.linalg.inv(s) @ b @ b.T) + log_det - np.sum(b.T * a[:2])


def arguments():
    rng = np.random.default_rng(4)
    return rng.normal(size=(3, 3)), rng.normal(size=(3, 2))


# output
"""Derivative of `objective` in matrix_expressions.py, line 7: reverse mode, with
respect to a and b.

For arguments a: f8[a_0, a_1], b: f8[b_0, b_1].

Written by retrograd 0.1.0 (source 1a908a2c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def objective_grad(a, b):
    # forward
    a_T = a.T                                  # line 8
    a_shape = a.shape
    s = a @ a_T + np.eye(a_shape[0])
    inv_s = np.linalg.inv(s)                   # line 10
    product = inv_s @ b
    b_T = b.T
    a_part = a[:2]
    # backward
    a_bar = np.zeros(a_shape)
    a_bar[:2] = -rt.unbroadcast(b_T, a_part)
    matmul_bar = rt.untrace(1.0, product @ b_T)
    matmul_bar_2 = matmul_bar @ b
    T = inv_s.T
    b_bar = (
        (rt.stretch(-1.0, b_T * a_part) * a_part + product.T @ matmul_bar).T
        + T @ matmul_bar_2
    )
    s_bar = T - T @ (matmul_bar_2 @ b_T @ T)   # line 9
    a_bar += s_bar @ a                         # line 8
    a_bar += (a_T @ s_bar).T
    return a_bar, b_bar
