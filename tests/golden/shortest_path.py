"""The cheapest way through a grid, row by row."""
# differentiate: cheapest wrt cost

import numpy as np


def cheapest(cost):
    best = cost[0].copy()
    for row in cost[1:]:
        left = np.concatenate(([np.inf], best[:-1]))
        right = np.concatenate((best[1:], [np.inf]))
        best = row + np.minimum(best, np.minimum(left, right))
    return np.min(best)


def arguments():
    return (np.random.default_rng(9).random((4, 5)),)


# output
"""Derivative of `cheapest` in shortest_path.py: reverse mode, with respect to cost.

For arguments cost: f8[cost_0, cost_1].

Written by retrograd 0.2.0 (source c7f7cdf5). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def cheapest_grad(cost):
    # forward
    best = cost[0].copy()
    cost_part = cost[1:]
    tape = []
    for row in cost_part:
        best_part = best[:-1]
        left = np.concatenate(([np.inf], best_part))
        best_part_2 = best[1:]
        right = np.concatenate((best_part_2, [np.inf]))
        low = np.minimum(left, right)
        low_2 = np.minimum(best, low)
        tape.append((best, best_part, left, best_part_2, right, low, low_2))
        best = row + low_2
    # backward
    # `return np.min(best)`
    best_bar = rt.share_ties(np.min(best), best) * rt.stretch(1.0, best)
    getitem_bar = np.zeros(cost_part.shape)
    for k, (best, best_part, left, best_part_2, right, low, low_2) in zip(
        reversed(range(len(cost_part))), reversed(tape)
    ):
        row = cost_part[k]
        # `best = row + np.minimum(best, np.minimum(left, right))`
        row_bar = rt.unbroadcast(best_bar, row)
        minimum_bar = rt.unbroadcast(best_bar, low_2)
        minimum_bar_2 = rt.unbroadcast(rt.if_larger(minimum_bar, best, low), low)
        best_bar = rt.unbroadcast(rt.if_larger(minimum_bar, low, best), best)
        right_bar = rt.unbroadcast(rt.if_larger(minimum_bar_2, left, right), right)
        left_bar = rt.unbroadcast(rt.if_larger(minimum_bar_2, right, left), left)
        # `right = np.concatenate((best[1:], [np.inf]))`
        best_bar = rt.copy(best_bar)
        best_bar = rt.index_add(
            best_bar,
            slice(1, None),
            rt.split_like(right_bar, like=(best_part_2, [0.0]))[0],
        )
        # `left = np.concatenate(([np.inf], best[:-1]))`
        best_bar = rt.index_add(
            best_bar,
            slice(None, -1),
            rt.split_like(left_bar, like=([0.0], best_part))[1],
        )
        getitem_bar[k] += row_bar
    cost_bar = np.zeros(cost.shape)
    cost_bar[1:] = getitem_bar
    # `best = cost[0].copy()`
    cost_bar[0] += best_bar
    return cost_bar
