"""A loop over the rows of a matrix."""
# differentiate: energy wrt points

import numpy as np


def energy(points, centre):
    total = 0.0
    for point in points:
        r = point - centre
        total = total + 1 / np.sqrt(1 + r @ r)
    return total


def arguments():
    rng = np.random.default_rng(6)
    return rng.normal(size=(4, 3)), rng.normal(size=3)


# output
"""Derivative of `energy` in loop_over_rows.py: reverse mode, with respect to points.

For arguments points: f8[points_0, points_1], centre: f8[centre_0].

Written by retrograd 0.2.0 (source 146a7ced). Change the function, not this file.
"""

import numpy as np


def energy_grad(points, centre):
    points_bar = np.zeros(points.shape)
    for k, point in enumerate(points):
        r = point - centre
        total = 1 + r @ r
        # `r = point - centre`
        point_bar = -(1 / np.sqrt(total) / total * r)
        points_bar[k] = point_bar
    return points_bar
