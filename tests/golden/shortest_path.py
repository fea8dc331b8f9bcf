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
"""Derivative of `cheapest` in shortest_path.py, line 7: reverse mode, with respect to
cost.

For arguments cost: f8[cost_0, cost_1].

Written by retrograd 0.1.0 (source c7f7cdf5). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def cheapest_grad(cost):
    # forward
    best = cost[0].copy()  # line 8
    cost_part = cost[1:]   # line 9
    tape = []
    for row in cost_part:  # line 9
        best_part = best[:-1]                          # line 10
        left = np.concatenate(([np.inf], best_part))
        best_part_2 = best[1:]                         # line 11
        right = np.concatenate((best_part_2, [np.inf]))
        low = np.minimum(left, right)                  # line 12
        low_2 = np.minimum(best, low)
        tape.append((best, best_part, left, best_part_2, right, low, low_2))
        best = row + low_2
    # backward
    best_bar = rt.share_ties(np.min(best), best) * rt.unreduce(1.0, best)  # line 13
    getitem_bar = np.zeros(cost_part.shape)  # line 9
    for k, (best, best_part, left, best_part_2, right, low, low_2) in zip(
        reversed(range(len(cost_part))), reversed(tape)
    ):
        row = cost_part[k]
        row_bar = rt.unbroadcast(best_bar, row)      # line 12
        minimum_bar = rt.unbroadcast(best_bar, low_2)
        minimum_bar_2 = rt.unbroadcast(rt.if_larger(minimum_bar, best, low), low)
        best_bar = rt.unbroadcast(rt.if_larger(minimum_bar, low, best), best)
        right_bar = rt.unbroadcast(rt.if_larger(minimum_bar_2, left, right), right)
        left_bar = rt.unbroadcast(rt.if_larger(minimum_bar_2, right, left), left)
        zeros_like = rt.zeros_like([np.inf])         # line 11
        best_bar = rt.copy(best_bar)
        best_bar = rt.index_add(
            best_bar,
            slice(1, None),
            rt.split_like(right_bar, like=(best_part_2, zeros_like))[0],
        )
        zeros_like = rt.zeros_like([np.inf])         # line 10
        best_bar = rt.index_add(
            best_bar,
            slice(None, -1),
            rt.split_like(left_bar, like=(zeros_like, best_part))[1],
        )
        getitem_bar[k] += row_bar
    cost_bar = np.zeros(cost.shape)
    cost_bar[1:] = getitem_bar
    cost_bar[0] += best_bar  # line 8
    return cost_bar
