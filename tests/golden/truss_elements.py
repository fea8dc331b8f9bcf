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
"""Derivative of `compliance` in truss_elements.py: reverse mode, with respect to
stiffness and load.

For arguments stiffness: f8[stiffness_0], load: f8[load_0].

Written by retrograd 0.2.0 (source 844b35d7). Change the function, not this file.
"""

import numpy as np


def compliance_grad(stiffness, load):
    # forward
    K = np.zeros((3, 3))
    k = stiffness[0]
    K[0, 0] += k
    K[1, 1] += k
    minus = -k
    K[0, 1] += minus
    K[1, 0] += minus
    k = stiffness[1]
    K[1, 1] += k
    K[2, 2] += k
    minus_2 = -k
    K[1, 2] += minus_2
    K[2, 1] += minus_2
    k = stiffness[2]
    K[0, 0] += k
    k = stiffness[3]
    ratio = k / 2.0
    K[0, 0] += ratio
    K[2, 2] += ratio
    minus_3 = -ratio
    K[0, 2] += minus_3
    K[2, 0] += minus_3
    solve_K = np.linalg.solve(K, load)
    # backward
    # `return load @ np.linalg.solve(K, load)`
    solve_load = np.linalg.solve(K.T, load)
    K_bar = (-solve_load)[:, None] * solve_K
    load_bar = solve_K + solve_load
    # `match element:`
    truediv_bar_part = K_bar[2, 2]
    k_bar = K_bar[0, 0]
    k_bar_2 = (truediv_bar_part - (K_bar[2, 0] + K_bar[0, 2]) + k_bar) / 2.0
    # `k = stiffness[n]`
    stiffness_bar = np.zeros(stiffness.shape)
    stiffness_bar[3] += k_bar_2
    stiffness_bar[2] += k_bar
    # `match element:`
    k_bar_part = K_bar[1, 1]
    k_bar_2 = truediv_bar_part - (K_bar[2, 1] + K_bar[1, 2]) + k_bar_part
    # `k = stiffness[n]`
    stiffness_bar[1] += k_bar_2
    # `match element:`
    k_bar = k_bar_part - (K_bar[1, 0] + K_bar[0, 1]) + k_bar
    # `k = stiffness[n]`
    stiffness_bar[0] += k_bar
    return stiffness_bar, load_bar
