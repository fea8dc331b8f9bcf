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
"""Derivative of `squared_distance` in de_casteljau.py, line 7: reverse mode, with
respect to points and t.

For arguments points: f8[points_0, points_1], t: float, target: f8[target_0].

Written by retrograd 0.1.0 (source 914d26c7). Change the function, not this file.
"""

import numpy as np


def squared_distance_grad(points, t, target):
    # forward
    p = points.copy()        # line 8
    difference = len(p) - 1  # line 9
    difference_2 = 1 - t     # line 11
    tape = []
    for k in range(difference, 0, -1):  # line 9
        tape_2 = []
        for i in range(k):  # line 10
            p_part = p[i]
            p_part_2 = p[i + 1]
            parts = p_part.copy(), p_part_2.copy()
            tape_2.append(parts)
            p[i] = difference_2 * p_part + t * p_part_2
        tape.append(tape_2)
    d = p[0] - target               # line 12
    # backward
    d_bar = 2.0 * d                 # line 13
    p_bar = np.zeros(points.shape)  # line 12
    p_bar[0] += d_bar
    t_bar = 0.0
    sub_bar = 0.0
    for k, tape_2 in zip(reversed(range(difference, 0, -1)), reversed(tape)):
        for i, (p_part, p_part_2) in zip(reversed(range(k)), reversed(tape_2)):
            add_bar = p_bar[i].copy()
            p_bar[i] = 0.0  # line 11
            t_bar = t_bar + np.add.reduce(add_bar * p_part_2)
            p_bar[i + 1] += t * add_bar
            p_bar[i] += difference_2 * add_bar
            sub_bar = sub_bar + np.add.reduce(add_bar * p_part)
    t_bar = t_bar - sub_bar  # line 11
    t_bar = float(t_bar)
    return p_bar, t_bar
