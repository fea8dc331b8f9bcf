"""A helper with several results, one of them unused, and an index that has no derivative."""
# differentiate: loss wrt x

import numpy as np


def moments(x):
    mean = np.mean(x)
    spread = np.mean((x - mean) ** 2)
    skew = np.mean((x - mean) ** 3)
    return mean, spread, skew


def loss(x):
    mean, spread, _ = moments(x)
    where = np.argmax(x)
    return mean**2 / spread + x[where]


def arguments():
    return (np.array([0.5, -1.0, 2.5, 0.1]),)


# output
"""Derivative of `loss` in several_outputs.py: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.2.0 (source 854a8f17). Change the function, not this file.
"""

import numpy as np


def moments_fwd(x):
    mean = np.mean(x)
    x_minus_mean = x - mean
    spread = np.mean(x_minus_mean**2)
    skew = np.mean(x_minus_mean**3)
    saved = x, x_minus_mean
    return mean, spread, skew, saved


def moments_rev(saved, result, result_2):
    x, x_minus_mean = saved
    # `spread = np.mean((x - mean) ** 2)`
    sub_bar_part = result_2 / x.size
    mean_bar = result - 2 * np.sum(x_minus_mean) * sub_bar_part
    return 2.0 * x_minus_mean * sub_bar_part + mean_bar / x.size


def loss_grad(x):
    # forward
    mean, spread, _, moments_saved = moments_fwd(x)
    where = np.argmax(x)
    # backward
    # `return mean ** 2 / spread + x[where]`
    x_bar = np.zeros(x.shape)
    x_bar[where] = 1.0
    spread_bar = mean**2 / spread * (-1.0 / spread)
    mean_bar = 2 * mean / spread
    # `mean, spread, _ = moments(x)`
    x_bar_2 = moments_rev(moments_saved, mean_bar, spread_bar)
    x_bar += x_bar_2
    return x_bar
