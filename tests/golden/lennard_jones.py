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
"""Derivative of `potential` in lennard_jones.py, line 7: reverse mode, with respect to
x, epsilon and sigma.

For arguments x: f8[x_0, x_1], epsilon: float, sigma: float, cutoff: float.

Written by retrograd 0.1.0 (source ac5738b8). Change the function, not this file.
"""

import numpy as np


def potential_grad(x, epsilon, sigma, cutoff):
    x_bar = np.zeros(x.shape)  # line 9
    epsilon_bar = 0.0
    sigma_bar = 0.0
    for i in range(len(x)):  # line 9
        for j in range(i):  # line 10
            d = x[i] - x[j]            # line 11
            r2 = np.add.reduce(d * d)  # line 12
            if not r2 > cutoff ** 2:  # line 13
                ratio = sigma ** 2 / r2                    # line 15
                s6 = ratio ** 3
                s6_bar = 8 * s6 * epsilon - 4 * epsilon    # line 16
                epsilon_bar = epsilon_bar + 4 * (s6 ** 2 - s6)
                pow_bar = 3 * ratio ** 2 * s6_bar / r2     # line 15
                sigma_bar = sigma_bar + 2 * sigma * pow_bar
                d_bar = -2 * (ratio * pow_bar) * d         # line 12
                x_bar[j] -= d_bar                          # line 11
                x_bar[i] += d_bar
    epsilon_bar = float(epsilon_bar)
    sigma_bar = float(sigma_bar)
    return x_bar, epsilon_bar, sigma_bar
