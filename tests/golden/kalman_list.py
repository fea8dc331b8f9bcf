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
"""Derivative of `misfit` in kalman_list.py: reverse mode, with respect to q and r.

For arguments q: float, r: float, measured: f8[measured_0].

Written by retrograd 0.2.0 (source 19dfee55). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def misfit_grad(q, r, measured):
    # forward
    p = 1.0
    x = 0.0
    estimates = []
    tape = []
    for z in measured:
        p += q
        gain = p / (p + r)
        z_minus_x = z - x
        x += gain * z_minus_x
        estimates.append(x)
        tape.append((p, gain, z_minus_x))
        p = (1 - gain) * p
    array_estimates = np.array(estimates)
    rough = np.diff(array_estimates)
    stack_estimates = np.stack(estimates)
    # backward
    # `return np.sum((np.stack(estimates) - measured) ** 2) + np.sum(rough ** 2)`
    rough_bar = 2 * rough * rt.stretch(1.0, rough**2)
    stack_bar = rt.unbroadcast(2 * (stack_estimates - measured), stack_estimates)
    estimates_bar = rt.unstack_like(stack_bar, like=estimates)
    # `rough = np.diff(np.array(estimates))`
    estimates_bar_part = rt.unpack(rt.undiff(rough_bar, array_estimates), estimates)
    estimates_bar = rt.add(estimates_bar, estimates_bar_part)
    p_bar = x_bar = r_bar = q_bar = 0.0
    for x_bar_2, (p, gain, z_minus_x) in zip(reversed(estimates_bar), reversed(tape)):
        x_bar += x_bar_2
        # `x = x + gain * (z - x)`
        gain_bar = x_bar * z_minus_x - p_bar * p
        x_bar -= gain * x_bar
        # `gain = p / (p + r)`
        p_bar_part = gain_bar / (p + r)
        p_bar_part_2 = gain * p_bar_part
        p_bar = (1 - gain) * p_bar + p_bar_part - p_bar_part_2
        r_bar -= p_bar_part_2
        # `p = p + q`
        q_bar += p_bar
    return float(q_bar), float(r_bar)
