"""The SIR model by Euler steps, with the infected of every day in an array."""
# differentiate: misfit wrt beta, gamma

import numpy as np


def misfit(beta, gamma, infected, observed):
    s, i, r = 1.0 - infected, infected, 0.0
    curve = np.zeros(len(observed))
    for day in range(len(observed)):
        new, recovered = beta * s * i, gamma * i
        s -= new
        i += new - recovered
        r += recovered
        curve[day] = i
    return np.sum((curve - observed) ** 2) + 0.1 * r


def arguments():
    return 0.5, 0.2, 0.01, np.array([0.012, 0.02, 0.03, 0.05, 0.06])


# output
"""Derivative of `misfit` in epidemic.py: reverse mode, with respect to beta and gamma.

For arguments beta: float, gamma: float, infected: float, observed: f8[observed_0].

Written by retrograd 0.2.0 (source c4e269c4). Change the function, not this file.
"""

import numpy as np


def misfit_grad(beta, gamma, infected, observed):
    # forward
    s = 1.0 - infected
    curve = np.zeros(len(observed))
    i = infected
    tape = []
    for day in range(len(observed)):
        tape.append((i, s))
        new = beta * s * i
        recovered = gamma * i
        s -= new
        i += new - recovered
        curve[day] = i
    # backward
    s_bar = i_bar = 0.0
    curve_bar = 2.0 * (curve - observed)
    gamma_bar = beta_bar = 0.0
    for day, (i, s) in zip(reversed(range(len(observed))), reversed(tape)):
        # `curve[day] = i`
        i_bar += curve_bar[day]
        curve_bar[day] = 0.0
        # `i += new - recovered`
        recovered_bar = 0.1 - i_bar
        # `s -= new`
        new_bar = i_bar - s_bar
        # `new, recovered = (beta * s * i, gamma * i)`
        gamma_bar += recovered_bar * i
        mul_bar = new_bar * i
        i_bar = i_bar + gamma * recovered_bar + beta * s * new_bar
        s_bar += beta * mul_bar
        beta_bar += mul_bar * s
    return float(beta_bar), float(gamma_bar)
