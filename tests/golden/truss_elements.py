"""Elements of different kinds, told apart by match, assembled into one stiffness matrix."""
# differentiate: compliance wrt stiffness, load

import numpy as np

ELEMENTS = (("spring", 0, 1), ("spring", 1, 2), ("anchor", 0), ("bar", 0, 2, 2.0))


def compliance(stiffness, load):
    K = np.zeros((3, 3))
    for n, element in enumerate(ELEMENTS):
        k = stiffness[n]
        match element:
            case ("anchor", i):
                K[i, i] += k
            case ("spring", i, j):
                K[i, i] += k
                K[j, j] += k
                K[i, j] -= k
                K[j, i] -= k
            case ("bar", i, j, length):
                K[i, i] += k / length
                K[j, j] += k / length
                K[i, j] -= k / length
                K[j, i] -= k / length
    return load @ np.linalg.solve(K, load)


def arguments():
    return np.array([2.0, 1.5, 3.0, 0.7]), np.array([0.1, 0.2, 1.0])


# output
"""Derivative of `compliance` in truss_elements.py, line 9: reverse mode, with respect
to stiffness and load.

For arguments stiffness: f8[stiffness_0], load: f8[load_0].

Written by retrograd 0.1.0 (source 844b35d7). Change the function, not this file.
"""

import numpy as np


def compliance_grad(stiffness, load):
    # forward
    K = np.zeros((3, 3))                       # line 10
    k = stiffness[0]                           # line 12
    K[0, 0] += k                               # line 17
    K[1, 1] += k                               # line 18
    minus = -k                                 # line 19
    K[0, 1] += minus
    K[1, 0] += minus                           # line 20
    k = stiffness[1]                           # line 12
    K[1, 1] += k                               # line 17
    K[2, 2] += k                               # line 18
    minus = -k                                 # line 19
    K[1, 2] += minus
    K[2, 1] += minus                           # line 20
    k = stiffness[2]                           # line 12
    K[0, 0] += k                               # line 15
    k = stiffness[3]                           # line 12
    ratio = k / 2.0                            # line 22
    K[0, 0] += ratio
    K[2, 2] += ratio                           # line 23
    minus = -ratio                             # line 24
    K[0, 2] += minus
    K[2, 0] += minus                           # line 25
    solve_K = np.linalg.solve(K, load)         # line 26
    # backward
    solve_load = np.linalg.solve(K.T, load)
    K_bar = (-solve_load)[:, None] * solve_K
    load_bar = solve_K + solve_load
    K_bar_part = K_bar[2, 2]                   # line 23
    k_bar = K_bar[0, 0]                        # line 22
    k_bar_2 = (K_bar_part - (K_bar[2, 0] + K_bar[0, 2]) + k_bar) / 2.0
    stiffness_bar = np.zeros(stiffness.shape)  # line 12
    stiffness_bar[3] += k_bar_2
    stiffness_bar[2] += k_bar
    K_bar_part_2 = K_bar[1, 1]                 # line 17
    k_bar_2 = K_bar_part - (K_bar[2, 1] + K_bar[1, 2]) + K_bar_part_2
    stiffness_bar[1] += k_bar_2                # line 12
    k_bar = K_bar_part_2 - (K_bar[1, 0] + K_bar[0, 1]) + k_bar  # line 17
    stiffness_bar[0] += k_bar                  # line 12
    return stiffness_bar, load_bar
