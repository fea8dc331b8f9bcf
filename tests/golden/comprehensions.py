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
"""Derivative of `energy` in comprehensions.py: reverse mode, with respect to x.

For arguments x: f8[x_0], w: f8[w_0].

Written by retrograd 0.2.0 (source 5e5920da). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(x, w):
    # forward
    x_length = len(x)
    items = []
    tape = []
    for k in range(x_length * x_length):
        j = k % x_length
        i = k // x_length
        difference = x[i] - x[j]
        items.append(difference**2)
        tape.append((j, i, difference))
    pairs = sum(items)
    items = []
    tape_2 = []
    for k in range(len(w)):
        product = k * np.sum(x)
        items.append(np.sin(product))
        tape_2.append(product)
    mean_x = np.mean(x)
    low = mean_x**2
    items_2 = [v * v for v in x]
    # backward
    # `return w @ modes + pairs * low + high + max((v * v for v in x))`
    x_bar = np.zeros(x.shape)
    for k, mul_bar in enumerate(rt.unpick(1.0, (items_2,), max(items_2))[0]):
        v = x[k]
        # `return w @ modes + pairs * low + high + max((v * v for v in x))`
        v_bar = 2 * mul_bar * v
        x_bar[k] += v_bar
    # `low, high = [np.mean(x) ** p for p in (2, 3)]`
    x_bar = x_bar + (3 * low + 2 * mean_x * pairs) / x.size
    for k, sin_bar, product in zip(range(len(w)), rt.unpack(w, items), tape_2):
        # `modes = np.array([np.sin(k * np.sum(x)) for k in range(len(w))])`
        x_bar = x_bar + rt.unreduce(k * (np.cos(product) * sin_bar), x)
    for j, i, difference in tape:
        # `pairs = sum(((x[i] - x[j]) ** 2 for i in range(len(x)) for j in ...`
        sub_bar = 2 * difference * low
        x_bar[j] -= sub_bar
        x_bar[i] += sub_bar
    return rt.match(x_bar, x)
