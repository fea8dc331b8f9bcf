"""Predators and prey, with the state in one array that is updated by +=."""
# differentiate: predators wrt state, rates

import numpy as np


def predators(state, rates, dt, steps):
    state = np.array(state)
    a, b, c, d = rates
    for _ in range(steps):
        prey, hunters = state
        state += dt * np.array([prey * (a - b * hunters), hunters * (d * prey - c)])
    return state[1]


def arguments():
    return np.array([1.2, 0.7]), [1.1, 0.4, 0.5, 0.2], 0.1, 5


# output
"""Derivative of `predators` in lotka_volterra.py: reverse mode, with respect to state
and rates.

For arguments state: f8[state_0], rates: [float, float, float, float], dt: float, steps:
int.

Written by retrograd 0.2.0 (source c2135c0a). Change the function, not this file.
"""

import numpy as np


def predators_grad(state, rates, dt, steps):
    # forward
    array_state = np.array(state)
    a, b, c, d = rates
    tape = []
    for _ in range(steps):
        prey, hunters = array_state
        difference = a - b * hunters
        difference_2 = d * prey - c
        tape.append((prey, hunters, difference, difference_2))
        array_state += dt * np.array([prey * difference, hunters * difference_2])
    # backward
    # `return state[1]`
    state_bar = np.zeros(state.shape)
    state_bar[1] += 1.0
    c_bar = d_bar = a_bar = b_bar = 0.0
    for prey, hunters, difference, difference_2 in reversed(tape):
        # `state += dt * np.array([prey * (a - b * hunters), hunters * (d * prey - c)])`
        array_bar = dt * state_bar
        mul_bar = array_bar[0]
        mul_bar_2 = array_bar[1]
        sub_bar = hunters * mul_bar_2
        c_bar -= sub_bar
        d_bar += sub_bar * prey
        sub_bar_2 = prey * mul_bar
        prey_bar = d * sub_bar + mul_bar * difference
        a_bar += sub_bar_2
        hunters_bar = mul_bar_2 * difference_2 - b * sub_bar_2
        b_bar -= sub_bar_2 * hunters
        state_bar[1] += hunters_bar
        state_bar[0] += prey_bar
    rates_bar = [float(a_bar), float(b_bar), float(c_bar), float(d_bar)]
    return state_bar, rates_bar
