"""Comprehensions: a list that a loop collects, a sum, and one of known length."""
# differentiate: energy wrt x

import numpy as np


def energy(x, w):
    pairs = sum((x[i] - x[j]) ** 2 for i in range(len(x)) for j in range(len(x)))
    modes = np.array([np.sin(k * np.sum(x)) for k in range(len(w))])
    low, high = [np.mean(x) ** p for p in (2, 3)]
    return w @ modes + pairs * low + high + max(v * v for v in x)


def arguments():
    rng = np.random.default_rng(3)
    return rng.normal(size=4), rng.normal(size=3)


# output
"""Derivative of `energy` in comprehensions.py, line 7: reverse mode, with respect to x.

For arguments x: f8[x_0], w: f8[w_0].

Written by retrograd 0.1.0 (source 5e5920da). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(x, w):
    # forward
    x_length = len(x)  # line 8
    items = []
    tape = []
    for k in range(x_length * x_length):  # line 8
        j = k % x_length
        i = k // x_length
        difference = x[i] - x[j]
        items.append(difference ** 2)
        tape.append((j, i, difference))
    pairs = sum(items)
    w_length = len(w)  # line 9
    items = []
    tape_2 = []
    for k in range(w_length):  # line 9
        product = k * np.add.reduce(x)
        items.append(np.sin(product))
        tape_2.append(product)
    x_size = x.size                  # line 10
    ratio = np.add.reduce(x) / x_size
    low = ratio ** 2
    items_2 = [v * v for v in x]     # line 11
    # backward
    x_bar = np.zeros(x.shape)
    for k, mul_bar in enumerate(rt.unpick(1.0, (items_2,), max(items_2))[0]):  # line 11
        v = x[k]
        v_bar = 2 * mul_bar * v
        x_bar[k] += v_bar
    x_bar = x_bar + (3 * low + 2 * ratio * pairs) / x_size  # line 10
    # line 9
    for k, sin_bar, product in zip(range(w_length), rt.unpack(w, items), tape_2):
        x_bar = x_bar + rt.unreduce(k * (np.cos(product) * sin_bar), x)  # line 9
    for j, i, difference in tape:  # line 8
        sub_bar = 2 * difference * low  # line 8
        x_bar[j] -= sub_bar
        x_bar[i] += sub_bar
    x_bar = rt.match(x_bar, x)
    return x_bar
