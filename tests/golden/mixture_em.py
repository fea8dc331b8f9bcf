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
"""Derivative of `mean_gap` in mixture_em.py, line 7: reverse mode, with respect to x
and means.

For arguments x: f8[x_0], means: f8[means_0], sigma: f8[sigma_0], steps: int.

Written by retrograd 0.1.0 (source 3c8dcfda). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def mean_gap_grad(x, means, sigma, steps):
    # forward
    means_length = len(means)                        # line 8
    weights = np.full(means_length, 1 / means_length)
    x_length = len(x)                                # line 15
    means_2 = means
    tape = []
    for _ in range(steps):  # line 9
        x_part = x[:, None]                         # line 10
        ratio = (x_part - means_2) / sigma
        exp = np.exp(-0.5 * ratio ** 2)
        product = weights * exp
        density = product / sigma
        total = density.sum(axis=1, keepdims=True)  # line 11
        resp = density / total
        size = resp.sum(axis=0)                     # line 12
        means_2 = resp.T @ x / size                 # line 13
        difference = x_part - means_2               # line 14
        power = difference ** 2
        ratio_2 = (resp * power).sum(axis=0) / size
        sigma_2 = np.sqrt(ratio_2)
        tape.append(
            (
                sigma,
                ratio,
                exp,
                product,
                density,
                total,
                resp,
                size,
                means_2,
                difference,
                power,
                ratio_2,
            )
        )
        weights = size / x_length                   # line 15
        sigma = sigma_2
    # backward
    sigma_bar = rt.stretch(1.0, sigma)  # line 16
    means_shape = means.shape
    means_bar = np.zeros(means_shape)
    means_bar[0] = -1.0
    means_bar[1] = 1.0
    x_bar = np.zeros(x.shape)           # line 9
    weights_bar = np.zeros(means_shape)
    for (
        sigma_2,
        ratio,
        exp,
        product,
        density,
        total,
        resp,
        size,
        means_2,
        difference,
        power,
        ratio_2,
    ) in reversed(tape):
        sum_bar = sigma_bar / (2.0 * sigma) / size    # line 14
        sub_bar = 2.0 * difference * (resp * sum_bar)
        means_bar = means_bar - np.add.reduce(sub_bar)
        matmul_bar = means_bar / size                 # line 13
        size_bar = weights_bar / x_length - ratio_2 * sum_bar - means_2 * matmul_bar
        x_bar += resp @ matmul_bar
        resp_bar = sum_bar * power + (matmul_bar[:, None] * x).T + size_bar  # line 12
        density_bar = resp_bar / total                # line 11
        density_bar = (
            density_bar - np.add.reduce(resp * density_bar, axis=1, keepdims=True)
        )
        mul_bar = density_bar / sigma_2               # line 10
        weights_bar = np.add.reduce(mul_bar * exp)
        ratio_2 = ratio * (product * mul_bar) / sigma_2
        sigma_bar = np.add.reduce(ratio * ratio_2) - np.add.reduce(density * mul_bar)
        means_bar = np.add.reduce(ratio_2)
        x_bar += np.add.reduce(sub_bar, axis=1) - np.add.reduce(ratio_2, axis=1)
        sigma = sigma_2
    return x_bar, means_bar
