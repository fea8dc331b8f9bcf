"""Linear algebra: Cholesky for the determinant, solve for the quadratic form."""
# differentiate: negative_log_likelihood wrt length, noise

import numpy as np


def negative_log_likelihood(length, noise, x, y):
    r = (x[:, None] - x[None, :]) / length
    k = np.exp(-0.5 * r**2) + noise**2 * np.eye(x.shape[0])
    factor = np.linalg.cholesky(k)
    alpha = np.linalg.solve(k, y)
    return 0.5 * (y @ alpha) + np.sum(np.log(np.diagonal(factor)))


def arguments():
    x = np.linspace(0, 3, 6)
    return 0.8, 0.3, x, np.sin(2 * x)


# output
"""Derivative of `negative_log_likelihood` in gaussian_process.py, line 7: reverse mode,
with respect to length and noise.

For arguments length: float, noise: float, x: f8[x_0], y: f8[y_0].

Written by retrograd 0.1.0 (source 3d155e99). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def negative_log_likelihood_grad(length, noise, x, y):
    # forward
    r = (x[:, None] - x[None, :]) / length           # line 8
    exp = np.exp(-0.5 * r ** 2)                      # line 9
    eye = np.eye(x.shape[0])
    k = exp + noise ** 2 * eye
    factor = np.linalg.cholesky(k)                   # line 10
    alpha = np.linalg.solve(k, y)                    # line 11
    # backward
    factor_bar = np.diag(1.0 / np.diagonal(factor))  # line 12
    alpha_bar = y * 0.5
    k_bar = (-np.linalg.solve(k.T, alpha_bar))[:, None] * alpha + rt.hermitian(
        rt.solve_lower(
            factor, rt.solve_lower(factor, rt.phi(factor.T @ factor_bar), True).T, True
        )
    )                                                # line 10
    noise_bar = 2 * noise * np.add.reduce(k_bar * eye, axis=None)  # line 9
    length_bar = np.add.reduce(r * (r * (exp * k_bar) / length), axis=None)  # line 8
    length_bar = float(length_bar)
    noise_bar = float(noise_bar)
    return length_bar, noise_bar
