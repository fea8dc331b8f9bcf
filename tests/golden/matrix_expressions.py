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
"""Derivative of `objective` in matrix_expressions.py: reverse mode, with respect to a
and b.

For arguments a: f8[a_0, a_1], b: f8[b_0, b_1].

Written by retrograd 0.2.0 (source 1a908a2c). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def objective_grad(a, b):
    # forward
    s = a @ a.T + np.eye(a.shape[0])
    inv_s = np.linalg.inv(s)
    product = inv_s @ b
    a_part = a[:2]
    # backward
    # `return np.trace(np.linalg.inv(s) @ b @ b.T) + log_det - np.sum(b.T * a[:2])`
    a_bar = np.zeros(a.shape)
    a_bar[:2] = -rt.unbroadcast(b.T, a_part)
    matmul_bar = rt.untrace(1.0, product @ b.T)
    matmul_bar_2 = matmul_bar @ b
    b_bar = (rt.stretch(-1.0, b.T * a_part) * a_part + product.T @ matmul_bar).T
    b_bar = b_bar + inv_s.T @ matmul_bar_2
    # `sign, log_det = np.linalg.slogdet(s)`
    s_bar = inv_s.T - inv_s.T @ (matmul_bar_2 @ b.T @ inv_s.T)
    # `s = a @ a.T + np.eye(a.shape[0])`
    a_bar += s_bar @ a
    a_bar += s_bar.T @ a
    return a_bar, b_bar
