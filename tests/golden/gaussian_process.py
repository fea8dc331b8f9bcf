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
