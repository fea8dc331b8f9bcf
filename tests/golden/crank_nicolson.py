"""Crank-Nicolson for the heat equation: one linear solve per step."""
# differentiate: remaining wrt u, kappa

import numpy as np


def remaining(u, kappa, dt, steps):
    n = len(u)
    D = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1) - 2 * np.eye(n)
    A = np.eye(n) - 0.5 * dt * kappa * D
    B = np.eye(n) + 0.5 * dt * kappa * D
    for _ in range(steps):
        u = np.linalg.solve(A, B @ u)
    return u @ u


def arguments():
    return np.sin(np.linspace(0.3, 2.8, 5)), 0.9, 0.1, 4


# output
"""Derivative of `remaining` in crank_nicolson.py, line 7: reverse mode, with respect to
u and kappa.

For arguments u: f8[u_0], kappa: float, dt: float, steps: int.

Written by retrograd 0.1.0 (source 4485ba68). Change the function, not this file.
"""

import numpy as np


def remaining_grad(u, kappa, dt, steps):
    # forward
    n = len(u)                                          # line 8
    ones = np.ones(n - 1)                               # line 9
    eye_n = np.eye(n)
    D = np.diag(ones, 1) + np.diag(ones, -1) - 2 * eye_n
    product = 0.5 * dt                                  # line 10
    product_2 = product * kappa * D
    A = eye_n - product_2
    B = eye_n + product_2                               # line 11
    tape = []
    for _ in range(steps):  # line 12
        tape.append(u)
        u = np.linalg.solve(A, B @ u)  # line 13
    # backward
    u_bar = 2.0 * u            # line 14
    A_bar = np.zeros(A.shape)  # line 12
    B_bar = np.zeros(B.shape)
    for u_2 in reversed(tape):
        matmul_bar = np.linalg.solve(A.T, u_bar)  # line 13
        A_bar += (-matmul_bar)[:, None] * u
        u_bar = B.T @ matmul_bar
        B_bar += matmul_bar[:, None] * u_2
        u = u_2
    minus = -A_bar  # line 10
    B_bar += minus
    product_2 = B_bar * D
    kappa_bar = product * np.add.reduce(product_2, axis=None)
    kappa_bar = float(kappa_bar)
    return u_bar, kappa_bar
