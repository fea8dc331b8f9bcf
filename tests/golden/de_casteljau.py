"""A point of a Bezier curve: the control points are averaged in place."""
# differentiate: squared_distance wrt points, t

import numpy as np


def squared_distance(points, t, target):
    p = points.copy()
    for k in range(len(p) - 1, 0, -1):
        for i in range(k):
            p[i] = (1 - t) * p[i] + t * p[i + 1]
    d = p[0] - target
    return d @ d


def arguments():
    return np.random.default_rng(26).normal(size=(4, 2)), 0.3, np.array([0.5, -0.5])


# output
"""Derivative of `squared_distance` in de_casteljau.py: reverse mode, with respect to
points and t.

For arguments points: f8[points_0, points_1], t: float, target: f8[target_0].

Written by retrograd 0.2.0 (source 914d26c7). Change the function, not this file.
"""

import numpy as np


def squared_distance_grad(points, t, target):
    # forward
    p = points.copy()
    difference = len(p) - 1
    difference_2 = 1 - t
    tape = []
    for k in range(difference, 0, -1):
        tape_2 = []
        for i in range(k):
            p_i = p[i]
            p_part = p[i + 1]
            parts = p_i.copy(), p_part.copy()
            tape_2.append(parts)
            p[i] = difference_2 * p_i + t * p_part
        tape.append(tape_2)
    d = p[0] - target
    # backward
    # `return d @ d`
    d_bar = 2.0 * d
    # `d = p[0] - target`
    p_bar = np.zeros(points.shape)
    p_bar[0] += d_bar
    t_bar = sub_bar = 0.0
    for k, tape_2 in zip(reversed(range(difference, 0, -1)), reversed(tape)):
        for i, (p_i, p_part) in zip(reversed(range(k)), reversed(tape_2)):
            # `p[i] = (1 - t) * p[i] + t * p[i + 1]`
            add_bar = p_bar[i]
            getitem_bar = t * add_bar
            t_bar += np.sum(add_bar * p_part)
            sub_bar += np.sum(add_bar * p_i)
            p_bar[i] = difference_2 * add_bar
            p_bar[i + 1] += getitem_bar
    # `p[i] = (1 - t) * p[i] + t * p[i + 1]`
    t_bar -= sub_bar
    return p_bar, float(t_bar)
