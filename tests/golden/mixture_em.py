"""Expectation and maximisation for a mixture of two normals."""
# differentiate: mean_gap wrt x, means

import numpy as np


def mean_gap(x, means, sigma, steps):
    weights = np.full(len(means), 1 / len(means))
    for _ in range(steps):
        density = weights * np.exp(-0.5 * ((x[:, None] - means) / sigma) ** 2) / sigma
        resp = density / density.sum(axis=1, keepdims=True)
        size = resp.sum(axis=0)
        means = resp.T @ x / size
        sigma = np.sqrt((resp * (x[:, None] - means) ** 2).sum(axis=0) / size)
        weights = size / len(x)
    return means[1] - means[0] + np.sum(sigma)


def arguments():
    x = np.array([-1.2, -0.8, -1.0, 0.9, 1.3, 1.1, 0.2])
    return x, np.array([-0.5, 0.5]), np.array([1.0, 1.1]), 2


# output
"""Derivative of `mean_gap` in mixture_em.py: reverse mode, with respect to x and means.

For arguments x: f8[x_0], means: f8[means_0], sigma: f8[sigma_0], steps: int.

Written by retrograd 0.2.0 (source 3c8dcfda). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def mean_gap_grad(x, means, sigma, steps):
    # forward
    weights = np.full(len(means), 1 / len(means))
    x_length = len(x)
    means_2 = means
    tape = []
    for _ in range(steps):
        sigma_prev = sigma
        x_part = x[:, None]
        ratio = (x_part - means_2) / sigma
        exp = np.exp(-0.5 * ratio**2)
        density = weights * exp / sigma
        total = density.sum(axis=1, keepdims=True)
        resp = density / total
        size = resp.sum(axis=0)
        means_2 = resp.T @ x / size
        difference = x_part - means_2
        power = difference**2
        ratio_2 = (resp * power).sum(axis=0) / size
        sigma = np.sqrt(ratio_2)
        tape.append(
            (
                sigma_prev,
                ratio,
                exp,
                total,
                resp,
                size,
                means_2,
                difference,
                power,
                ratio_2,
            )
        )
        weights = size / x_length
    # backward
    # `return means[1] - means[0] + np.sum(sigma)`
    sigma_bar = rt.stretch(1.0, sigma)
    means_bar = np.zeros(means.shape)
    means_bar[0] = -1.0
    means_bar[1] = 1.0
    x_bar = np.zeros(x.shape)
    weights_bar = np.zeros(means.shape)
    for (
        sigma_prev,
        ratio,
        exp,
        total,
        resp,
        size,
        means_2,
        difference,
        power,
        ratio_2,
    ) in reversed(tape):
        # `sigma = np.sqrt((resp * (x[:, None] - means) ** 2).sum(axis=0) / size)`
        sum_bar = sigma_bar / (2.0 * sigma) / size
        means_bar_part = difference * (resp * sum_bar)
        means_bar = means_bar - 2.0 * np.sum(means_bar_part, axis=0)
        # `means = resp.T @ x / size`
        matmul_bar = means_bar / size
        size_bar = weights_bar / x_length - ratio_2 * sum_bar - means_2 * matmul_bar
        x_bar += resp @ matmul_bar
        # `size = resp.sum(axis=0)`
        resp_bar = sum_bar * power + (matmul_bar[:, None] * x).T + size_bar
        # `resp = density / density.sum(axis=1, keepdims=True)`
        density_bar_part = resp_bar - np.sum(resp * resp_bar, axis=1, keepdims=True)
        density_bar = density_bar_part / total
        # `density = weights * np.exp(-0.5 * ((x[:, None] - means) / sigma) ** 2) ...`
        sigma_bar_part = np.sum(resp * (density_bar_part / sigma_prev), axis=0)
        weights_bar = np.sum(density_bar / sigma_prev * exp, axis=0)
        sigma_bar_part_2 = ratio * (resp * density_bar_part) / sigma_prev
        sigma_bar = np.sum(ratio * sigma_bar_part_2, axis=0) - sigma_bar_part
        means_bar = np.sum(sigma_bar_part_2, axis=0)
        x_bar += 2.0 * np.sum(means_bar_part, axis=1) - np.sum(sigma_bar_part_2, axis=1)
        sigma = sigma_prev
    return x_bar, means_bar
