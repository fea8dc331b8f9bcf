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
"""Derivative of `negative_log_likelihood` in gaussian_process.py: reverse mode, with
respect to length and noise.

For arguments length: float, noise: float, x: f8[x_0], y: f8[y_0].

Written by retrograd 0.2.0 (source 3d155e99). Change the function, not this file.
"""

import numpy as np


def negative_log_likelihood_grad(length, noise, x, y):
    # forward
    r = (x[:, None] - x[None, :]) / length
    exp = np.exp(-0.5 * r**2)
    k = exp + noise**2 * np.eye(x.shape[0])
    factor = np.linalg.cholesky(k)
    alpha = np.linalg.solve(k, y)
    # backward
    # `return 0.5 * (y @ alpha) + np.sum(np.log(np.diagonal(factor)))`
    alpha_bar = y * 0.5
    # `alpha = np.linalg.solve(k, y)`
    k_bar = (-np.linalg.solve(k.T, alpha_bar))[:, None] * alpha
    # `factor = np.linalg.cholesky(k)`
    inv_factor = np.linalg.inv(factor)
    k_bar = k_bar + 0.5 * inv_factor.T @ inv_factor
    # `k = np.exp(-0.5 * r ** 2) + noise ** 2 * np.eye(x.shape[0])`
    noise_bar = 2 * noise * np.trace(k_bar)
    # `r = (x[:, None] - x[None, :]) / length`
    length_bar = np.sum(r * (r * (exp * k_bar))) / length
    return float(length_bar), float(noise_bar)
