"""A mixture of Gaussians: sums of scaled rows are matrix products; squares are read, not made again."""
# differentiate: loss wrt mu, log_sigma
# sig: mu: f8[k, d], log_sigma: f8[k, d], x: f8[n, d]

import numpy as np


def loss(mu, log_sigma, x):
    r = (x[:, None, :] - mu) * np.exp(-log_sigma)
    log_p = -0.5 * np.sum(r**2, axis=2) - np.sum(log_sigma, axis=1)
    return -np.mean(np.log(np.sum(np.exp(log_p), axis=1)))


def arguments():
    rng = np.random.default_rng(3)
    return rng.normal(size=(2, 3)), 0.3 * rng.normal(size=(2, 3)), rng.normal(size=(5, 3))


# output
"""Derivative of `loss` in gaussian_mixture.py: reverse mode, with respect to mu and
log_sigma.

For arguments mu: f8[k, d], log_sigma: f8[k, d], x: f8[n, d].

Written by retrograd 0.2.0 (source f1e3f917). Change the function, not this file.
"""

import numpy as np


def loss_grad(mu, log_sigma, x):
    # forward
    exp = np.exp(-log_sigma)
    r = (x[:, None, :] - mu) * exp
    r_squared = r**2
    log_p = -0.5 * np.sum(r_squared, axis=2) - np.sum(log_sigma, axis=1)
    exp_log_p = np.exp(log_p)
    total = np.sum(exp_log_p, axis=1)
    # backward
    # `return -np.mean(np.log(np.sum(np.exp(log_p), axis=1)))`
    sum_bar = -1.0 / total.size / total
    log_p_bar = exp_log_p * sum_bar[:, None]
    # `r = (x[:, None, :] - mu) * np.exp(-log_sigma)`
    log_sigma_bar_part = np.einsum("nk,nkd->kd", log_p_bar, r_squared)
    log_sigma_bar = log_sigma_bar_part - (sum_bar @ exp_log_p)[:, None]
    mu_bar = np.einsum("nk,nkd->kd", log_p_bar, r) * exp
    return mu_bar, log_sigma_bar
