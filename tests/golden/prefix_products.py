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
"""Derivative of `life_expectancy` in prefix_products.py: reverse mode, with respect to
hazard.

For arguments hazard: f8[hazard_0].

Written by retrograd 0.2.0 (source ffc45066). Change the function, not this file.
"""

import numpy as np


def life_expectancy_grad(hazard):
    # forward
    total = len(hazard) + 1
    alive = np.ones(total)
    years = np.zeros(total)
    tape = []
    for t, hazard_part in enumerate(hazard):
        alive_t = alive[t]
        difference = 1 - hazard_part
        tape.append((alive_t, difference))
        t_plus_1 = t + 1
        alive[t_plus_1] = alive_t * difference
        years[t_plus_1] = years[t] + alive[t_plus_1]
    # backward
    # `return years[-1]`
    years_bar = np.zeros(years.shape)
    years_bar[-1] += 1.0
    hazard_bar = np.zeros(hazard.shape)
    alive_bar = np.zeros(alive.shape)
    for t, (alive_t, difference) in zip(reversed(range(len(hazard))), reversed(tape)):
        t_plus_1 = t + 1
        # `years[t + 1] = years[t] + alive[t + 1]`
        add_bar = years_bar[t_plus_1]
        years_bar[t_plus_1] = 0.0
        alive_bar[t_plus_1] += add_bar
        years_bar[t] += add_bar
        # `alive[t + 1] = alive[t] * (1 - hazard[t])`
        mul_bar = alive_bar[t_plus_1]
        alive_bar[t_plus_1] = 0.0
        hazard_bar[t] -= alive_t * mul_bar
        alive_bar[t] += mul_bar * difference
    return hazard_bar
