"""Survival probabilities: running sums and products by a loop."""
# differentiate: life_expectancy wrt hazard

import numpy as np


def life_expectancy(hazard):
    alive = np.ones(len(hazard) + 1)
    years = np.zeros(len(hazard) + 1)
    for t in range(len(hazard)):
        alive[t + 1] = alive[t] * (1 - hazard[t])
        years[t + 1] = years[t] + alive[t + 1]
    return years[-1]


def arguments():
    return (np.array([0.05, 0.1, 0.2, 0.4]),)


# output
"""Derivative of `life_expectancy` in prefix_products.py, line 7: reverse mode, with
respect to hazard.

For arguments hazard: f8[hazard_0].

Written by retrograd 0.1.0 (source ffc45066). Change the function, not this file.
"""

import numpy as np


def life_expectancy_grad(hazard):
    # forward
    hazard_length = len(hazard)  # line 8
    total = hazard_length + 1
    alive = np.ones(total)
    years = np.zeros(total)      # line 9
    tape = []
    for t, hazard_part in enumerate(hazard):  # line 10
        alive_part = alive[t]                   # line 11
        difference = 1 - hazard_part
        tape.append((alive_part, difference))
        total = t + 1
        alive[total] = alive_part * difference
        years[total] = years[t] + alive[total]  # line 12
    # backward
    years_bar = np.zeros(years.shape)    # line 13
    years_bar[-1] += 1.0
    hazard_bar = np.zeros(hazard.shape)  # line 10
    alive_bar = np.zeros(alive.shape)
    for t, (alive_part, difference) in zip(
        reversed(range(hazard_length)), reversed(tape)
    ):
        total = t + 1
        add_bar = years_bar[total]  # line 12
        years_bar[total] = 0.0
        alive_bar[total] += add_bar
        years_bar[t] += add_bar
        mul_bar = alive_bar[total]  # line 11
        alive_bar[total] = 0.0
        hazard_bar[t] -= alive_part * mul_bar
        alive_bar[t] += mul_bar * difference
    return hazard_bar
