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
"""Derivative of `loss` in several_outputs.py, line 14: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.1.0 (source 854a8f17). Change the function, not this file.
"""

import numpy as np


def moments_fwd(x):
    x_size = x.size                                 # line 8
    mean = np.add.reduce(x) / x_size
    difference = x - mean                           # line 9
    spread = np.add.reduce(difference ** 2) / x_size
    skew = np.add.reduce(difference ** 3) / x_size  # line 10
    saved = x, difference
    return mean, spread, skew, saved


def moments_rev(saved, result, result_2):
    x, difference = saved
    x_size = x.size  # line 9
    ratio = result_2 / x_size
    mean_bar = result - 2 * np.add.reduce(difference) * ratio
    return 2.0 * difference * ratio + mean_bar / x_size


def loss_grad(x):
    # forward
    mean, spread, _, moments_saved = moments_fwd(x)  # line 15
    where = np.argmax(x)                             # line 16
    # backward
    x_bar = np.zeros(x.shape)                        # line 17
    x_bar[where] = 1.0
    spread_bar = mean ** 2 / spread * (-1.0 / spread)
    mean_bar = 2 * mean / spread
    x_bar_2 = moments_rev(moments_saved, mean_bar, spread_bar)  # line 15
    x_bar += x_bar_2
    return x_bar
