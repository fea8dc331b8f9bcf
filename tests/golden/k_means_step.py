"""One step of k-means: points go to the nearest centre, centres to the mean of their points."""
# differentiate: spread wrt points, centres

import numpy as np


def spread(points, centres):
    d2 = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = np.argmin(d2, axis=1)
    moved = centres.copy()
    for k in range(len(centres)):
        mine = nearest == k
        if np.any(mine):
            moved[k] = points[mine].mean(axis=0)
    return np.sum((points - moved[nearest]) ** 2) + np.sum(moved * centres)


def arguments():
    rng = np.random.default_rng(29)
    return rng.normal(size=(6, 2)), np.array([[1.0, 1.0], [-1.0, -1.0], [9.0, 9.0]])


# output
"""Derivative of `spread` in k_means_step.py: reverse mode, with respect to points and
centres.

For arguments points: f8[points_0, points_1], centres: f8[centres_0, centres_1].

Written by retrograd 0.2.0 (source 42d614db). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def spread_grad(points, centres):
    # forward
    d2 = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = np.argmin(d2, axis=1)
    moved = centres.copy()
    tape = []
    for k in range(len(centres)):
        mine = nearest == k
        any_mine = np.any(mine)
        if any_mine:
            points_part = points[mine]
            moved[k] = points_part.mean(axis=0)
        else:
            points_part = None
        tape.append((mine, any_mine, points_part))
    difference = points - moved[nearest]
    # backward
    moved_bar = centres.copy()
    # `return np.sum((points - moved[nearest]) ** 2) + np.sum(moved * centres)`
    np.add.at(moved_bar, nearest, -2.0 * difference)
    points_bar = 2.0 * difference
    for k, (mine, any_mine, points_part) in zip(
        reversed(range(len(centres))), reversed(tape)
    ):
        if any_mine:
            mean_bar = moved_bar[k].copy()
            # `moved[k] = points[mine].mean(axis=0)`
            moved_bar[k] = 0.0
            points_bar[mine] += rt.stretch(mean_bar / points_part.shape[0], points_part)
    # `moved = centres.copy()`
    centres_bar = moved + moved_bar
    return points_bar, centres_bar
