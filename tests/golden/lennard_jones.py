"""A pair potential with a cutoff: pairs that are far apart are left out."""
# differentiate: potential wrt x, epsilon, sigma

import numpy as np


def potential(x, epsilon, sigma, cutoff):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            d = x[i] - x[j]
            r2 = np.sum(d * d)
            if r2 > cutoff**2:
                continue
            s6 = (sigma**2 / r2) ** 3
            total += 4 * epsilon * (s6**2 - s6)
    return total


def arguments():
    return np.random.default_rng(15).random((4, 3)) * 2, 0.8, 0.7, 1.2


# output
"""Derivative of `potential` in lennard_jones.py: reverse mode, with respect to x,
epsilon and sigma.

For arguments x: f8[x_0, x_1], epsilon: float, sigma: float, cutoff: float.

Written by retrograd 0.2.0 (source ac5738b8). Change the function, not this file.
"""

import numpy as np


def potential_grad(x, epsilon, sigma, cutoff):
    x_bar = np.zeros(x.shape)
    epsilon_bar = sigma_bar = 0.0
    for i in range(len(x)):
        for j in range(i):
            d = x[i] - x[j]
            r2 = np.sum(d * d)
            if not r2 > cutoff**2:
                ratio = sigma**2 / r2
                s6 = ratio**3
                # `total += 4 * epsilon * (s6 ** 2 - s6)`
                s6_bar = 8 * s6 * epsilon - 4 * epsilon
                epsilon_bar += 4 * (s6**2 - s6)
                # `s6 = (sigma ** 2 / r2) ** 3`
                pow_bar = 3 * ratio**2 * s6_bar / r2
                sigma_bar += 2 * sigma * pow_bar
                # `r2 = np.sum(d * d)`
                d_bar = -2 * (ratio * pow_bar) * d
                # `d = x[i] - x[j]`
                x_bar[j] -= d_bar
                x_bar[i] += d_bar
    return x_bar, float(epsilon_bar), float(sigma_bar)
