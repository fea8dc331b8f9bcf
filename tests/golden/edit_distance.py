"""Dynamic programming: the cost of turning one series into another."""
# differentiate: distance wrt a, b, gap

import numpy as np


def distance(a, b, gap):
    n, m = len(a), len(b)
    D = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        D[i, 0] = D[i - 1, 0] + gap
    for j in range(1, m + 1):
        D[0, j] = D[0, j - 1] + gap
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            change = D[i - 1, j - 1] + (a[i - 1] - b[j - 1]) ** 2
            D[i, j] = min(change, D[i - 1, j] + gap, D[i, j - 1] + gap)
    return D[n, m]


def arguments():
    return np.array([0.1, 0.9, 2.2, 1.1]), np.array([0.3, 1.2, 0.95]), 0.35


# output
"""Derivative of `distance` in edit_distance.py: reverse mode, with respect to a, b and
gap.

For arguments a: f8[a_0], b: f8[b_0], gap: float.

Written by retrograd 0.2.0 (source 91d489d7). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def distance_grad(a, b, gap):
    # forward
    n = len(a)
    m = len(b)
    n_plus_1 = n + 1
    m_plus_1 = m + 1
    D = np.zeros((n_plus_1, m_plus_1))
    for i in range(1, n_plus_1):
        D[i, 0] = D[i - 1, 0] + gap
    for j in range(1, m_plus_1):
        D[0, j] = D[0, j - 1] + gap
    tape = []
    for i in range(1, n_plus_1):
        i_minus_1 = i - 1
        tape_2 = []
        for j in range(1, m_plus_1):
            j_minus_1 = j - 1
            difference = a[i_minus_1] - b[j_minus_1]
            change = D[i_minus_1, j_minus_1] + difference**2
            total = D[i_minus_1, j] + gap
            total_2 = D[i, j_minus_1] + gap
            low = min(change, total, total_2)
            tape_2.append((difference, change, total, total_2, low))
            D[i, j] = low
        tape.append(tape_2)
    # backward
    # `return D[n, m]`
    D_bar = np.zeros(D.shape)
    D_bar[n, m] += 1.0
    b_bar = np.zeros(b.shape)
    a_bar = np.zeros(a.shape)
    gap_bar = 0.0
    for i, tape_2 in zip(reversed(range(1, n_plus_1)), reversed(tape)):
        i_minus_1 = i - 1
        for j, (difference, change, total, total_2, low) in zip(
            reversed(range(1, m_plus_1)), reversed(tape_2)
        ):
            j_minus_1 = j - 1
            # `D[i, j] = min(change, D[i - 1, j] + gap, D[i, j - 1] + gap)`
            min_bar = D_bar[i, j]
            D_bar[i, j] = 0.0
            change_bar, add_bar, add_bar_2 = rt.unpick(
                min_bar, (change, total, total_2), low
            )
            D_bar[i, j_minus_1] += add_bar_2
            gap_bar = gap_bar + add_bar_2 + add_bar
            D_bar[i_minus_1, j] += add_bar
            # `change = D[i - 1, j - 1] + (a[i - 1] - b[j - 1]) ** 2`
            sub_bar = 2 * difference * change_bar
            b_bar[j_minus_1] -= sub_bar
            a_bar[i_minus_1] += sub_bar
            D_bar[i_minus_1, j_minus_1] += change_bar
    for j in reversed(range(1, m_plus_1)):
        # `D[0, j] = D[0, j - 1] + gap`
        add_bar = D_bar[0, j]
        D_bar[0, j] = 0.0
        gap_bar += add_bar
        D_bar[0, j - 1] += add_bar
    for i in reversed(range(1, n_plus_1)):
        # `D[i, 0] = D[i - 1, 0] + gap`
        add_bar = D_bar[i, 0]
        D_bar[i, 0] = 0.0
        gap_bar += add_bar
        D_bar[i - 1, 0] += add_bar
    return a_bar, b_bar, float(gap_bar)
