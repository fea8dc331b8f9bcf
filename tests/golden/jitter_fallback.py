"""A Gaussian process whose covariance gets more jitter until it has a Cholesky factor."""
# differentiate: negative_log_likelihood wrt scale

import numpy as np


def negative_log_likelihood(scale, x, y):
    K = np.exp(-0.5 * ((x[:, None] - x[None, :]) / scale) ** 2)
    K = K - 1e-3 * np.eye(len(x))
    jitter = 1e-4
    while True:
        try:
            L = np.linalg.cholesky(K + jitter * np.eye(len(x)))
            break
        except np.linalg.LinAlgError:
            jitter *= 10
    z = np.linalg.solve(L, y)
    return 0.5 * z @ z + np.sum(np.log(np.diag(L)))


def arguments():
    x = np.linspace(0, 2, 5)
    return 1.2, x, np.sin(x)


# output
"""Derivative of `negative_log_likelihood` in jitter_fallback.py: reverse mode, with
respect to scale.

For arguments scale: float, x: f8[x_0], y: f8[y_0].

Written by retrograd 0.2.0 (source 160d5672). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def negative_log_likelihood_grad(scale, x, y):
    # forward
    ratio = (x[:, None] - x[None, :]) / scale
    K = np.exp(-0.5 * ratio**2)
    eye = np.eye(len(x))
    K_2 = K - 0.001 * eye
    L = None
    jitter = 0.0001
    stop = False
    tape = []
    while True:
        try:
            L = np.linalg.cholesky(K_2 + jitter * eye)
            stop = True
        except np.linalg.LinAlgError:
            jitter *= 10
            stop = False
        tape.append(L)
        if stop:
            break
    z = np.linalg.solve(L, y)
    # backward
    # `z = np.linalg.solve(L, y)`
    L_bar = np.diag(1.0 / np.diag(L)) + (-np.linalg.solve(L.T, z))[:, None] * z
    K_bar = np.zeros(K_2.shape)
    n = len(tape)
    for k, L in zip(reversed(range(n)), reversed(tape)):
        stop_2 = stop and k == n - 1
        if stop_2:
            # `L = np.linalg.cholesky(K + jitter * np.eye(len(x)))`
            add_bar_part = rt.solve_lower(L, rt.phi(L.T @ L_bar), True).T
            K_bar += rt.hermitian(rt.solve_lower(L, add_bar_part, True))
            L_bar = np.zeros(L_bar.shape)
    # `K = np.exp(-0.5 * ((x[:, None] - x[None, :]) / scale) ** 2)`
    scale_bar = np.sum(ratio * (ratio * (K * K_bar))) / scale
    return float(scale_bar)
