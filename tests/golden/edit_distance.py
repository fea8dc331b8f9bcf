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
"""Derivative of `distance` in edit_distance.py, line 7: reverse mode, with respect to
a, b and gap.

For arguments a: f8[a_0], b: f8[b_0], gap: float.

Written by retrograd 0.1.0 (source 91d489d7). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def distance_grad(a, b, gap):
    # forward
    n = len(a)     # line 8
    m = len(b)
    total = n + 1  # line 9
    total_2 = m + 1
    D = np.zeros((total, total_2))
    for i in range(1, total):  # line 10
        D[i, 0] = D[i - 1, 0] + gap  # line 11
    for j in range(1, total_2):  # line 12
        D[0, j] = D[0, j - 1] + gap  # line 13
    tape = []
    for i in range(1, total):  # line 14
        difference = i - 1  # line 16
        tape_2 = []
        for j in range(1, total_2):  # line 15
            difference_2 = j - 1
            difference_3 = a[difference] - b[difference_2]
            change = D[difference, difference_2] + difference_3 ** 2
            total_3 = D[difference, j] + gap  # line 17
            total_4 = D[i, difference_2] + gap
            low = min(change, total_3, total_4)
            tape_2.append((difference_3, change, total_3, total_4, low))
            D[i, j] = low
        tape.append(tape_2)
    # backward
    D_bar = np.zeros(D.shape)  # line 18
    D_bar[n, m] += 1.0
    b_bar = np.zeros(b.shape)  # line 14
    a_bar = np.zeros(a.shape)
    gap_bar = 0.0
    for i, tape_2 in zip(reversed(range(1, total)), reversed(tape)):
        difference = i - 1
        for j, (difference_3, change, total_3, total_4, low) in zip(
            reversed(range(1, total_2)), reversed(tape_2)
        ):
            difference_2 = j - 1
            min_bar = D_bar[i, j]                    # line 17
            D_bar[i, j] = 0.0
            unpick_min_bar = rt.unpick(min_bar, (change, total_3, total_4), low)
            change_bar = unpick_min_bar[0]
            add_bar = unpick_min_bar[1]
            add_bar_2 = unpick_min_bar[2]
            D_bar[i, difference_2] += add_bar_2
            gap_bar = gap_bar + add_bar_2 + add_bar
            D_bar[difference, j] += add_bar
            sub_bar = 2 * difference_3 * change_bar  # line 16
            b_bar[difference_2] -= sub_bar
            a_bar[difference] += sub_bar
            D_bar[difference, difference_2] += change_bar
    for j in reversed(range(1, total_2)):
        add_bar = D_bar[0, j]  # line 13
        D_bar[0, j] = 0.0
        gap_bar = gap_bar + add_bar
        D_bar[0, j - 1] += add_bar
    for i in reversed(range(1, total)):
        add_bar = D_bar[i, 0]  # line 11
        D_bar[i, 0] = 0.0
        gap_bar = gap_bar + add_bar
        D_bar[i - 1, 0] += add_bar
    gap_bar = float(gap_bar)
    return a_bar, b_bar, gap_bar
