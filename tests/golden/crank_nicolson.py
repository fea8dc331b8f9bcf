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
"""Derivative of `remaining` in crank_nicolson.py: reverse mode, with respect to u and
kappa.

For arguments u: f8[u_0], kappa: float, dt: float, steps: int.

Written by retrograd 0.2.0 (source 4485ba68). Change the function, not this file.
"""

import numpy as np


def remaining_grad(u, kappa, dt, steps):
    # forward
    n = len(u)
    ones = np.ones(n - 1)
    eye_n = np.eye(n)
    D = np.diag(ones, 1) + np.diag(ones, -1) - 2 * eye_n
    product = 0.5 * dt
    product_2 = product * kappa * D
    A = eye_n - product_2
    B = eye_n + product_2
    tape = []
    for _ in range(steps):
        tape.append(u)
        u = np.linalg.solve(A, B @ u)
    # backward
    # `return u @ u`
    u_bar = 2.0 * u
    A_bar = np.zeros(A.shape)
    B_bar = np.zeros(B.shape)
    for u_2 in reversed(tape):
        # `u = np.linalg.solve(A, B @ u)`
        matmul_bar = np.linalg.solve(A.T, u_bar)
        A_bar += (-matmul_bar)[:, None] * u
        u_bar = B.T @ matmul_bar
        B_bar += matmul_bar[:, None] * u_2
        u = u_2
    # `A = np.eye(n) - 0.5 * dt * kappa * D`
    B_bar -= A_bar
    kappa_bar = product * np.sum(B_bar * D)
    return u_bar, float(kappa_bar)
