"""A Kalman filter that collects its estimates in a list."""
# differentiate: misfit wrt q, r

import numpy as np


def misfit(q, r, measured):
    x, p = 0.0, 1.0
    estimates = []
    for z in measured:
        p = p + q
        gain = p / (p + r)
        x = x + gain * (z - x)
        p = (1 - gain) * p
        estimates.append(x)
    rough = np.diff(np.array(estimates))
    return np.sum((np.stack(estimates) - measured) ** 2) + np.sum(rough**2)


def arguments():
    return 0.1, 0.5, np.array([0.3, 1.1, 0.8, 1.4])


# output
"""Derivative of `misfit` in kalman_list.py, line 7: reverse mode, with respect to q and
r.

For arguments q: float, r: float, measured: f8[measured_0].

Written by retrograd 0.1.0 (source 19dfee55). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def misfit_grad(q, r, measured):
    # forward
    p = 1.0
    x = 0.0
    estimates = []
    tape = []
    for z in measured:  # line 10
        p = p + q                         # line 11
        gain = p / (p + r)                # line 12
        difference = z - x                # line 13
        x = x + gain * difference
        estimates.append(x)
        tape.append((p, gain, difference))
        p = (1 - gain) * p                # line 14
    array_estimates = np.array(estimates)              # line 16
    rough = np.diff(array_estimates)
    stack_estimates = np.stack(estimates)              # line 17
    # backward
    rough_bar = 2 * rough * rt.stretch(1.0, rough ** 2)
    estimates_bar = rt.unstack_like(
        rt.unbroadcast(2 * (stack_estimates - measured), stack_estimates),
        like=estimates,
    )
    estimates_bar = rt.add(
        estimates_bar, rt.unpack(rt.undiff(rough_bar, array_estimates), estimates)
    )                                                  # line 16
    p_bar = 0.0
    x_bar = 0.0
    r_bar = 0.0
    q_bar = 0.0
    for x_bar_2, (p, gain, difference) in zip(reversed(estimates_bar), reversed(tape)):
        x_bar = x_bar + x_bar_2                     # line 10
        gain_bar = x_bar * difference - p_bar * p   # line 13
        x_bar = x_bar - gain * x_bar
        ratio = gain_bar / (p + r)                  # line 12
        product = gain * ratio
        p_bar = (1 - gain) * p_bar + ratio - product
        r_bar = r_bar - product
        q_bar = q_bar + p_bar                       # line 11
    q_bar = float(q_bar)
    r_bar = float(r_bar)
    return q_bar, r_bar
