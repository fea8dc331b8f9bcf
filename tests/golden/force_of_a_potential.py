"""Hamiltonian Monte Carlo: leapfrog steps whose force is a derivative itself, and the energy they end with."""
# differentiate: energy_error wrt scale

import numpy as np

import retrograd as rg


def potential(q, scale):
    bowl = np.sum((q / scale) ** 2) / 2
    return bowl + np.log1p(np.sum(np.cosh(q)))


force = rg.grad(potential)


def energy_error(q, p, scale, step):
    before = potential(q, scale) + np.sum(p * p) / 2
    p = p - 0.5 * step * force(q, scale)
    for _ in range(3):
        q = q + step * p
        p = p - step * force(q, scale)
    q = q + step * p
    p = p - 0.5 * step * force(q, scale)
    return (potential(q, scale) + np.sum(p * p) / 2 - before) ** 2


def arguments():
    return np.array([0.5, -1.0]), np.array([0.3, 0.2]), np.array([1.0, 0.5]), 0.1


# output
"""Derivative of `energy_error` in force_of_a_potential.py, line 17: reverse mode, with
respect to scale.

For arguments q: f8[q_0], p: f8[p_0], scale: f8[scale_0], step: float.

Written by retrograd 0.1.0 (source 71a7ada8). Change the function, not this file.
"""

import numpy as np


def potential_fwd(q, scale):
    ratio = q / scale  # line 10
    bowl = np.add.reduce(ratio ** 2) / 2
    saved = ratio, scale
    return bowl + np.log1p(np.add.reduce(np.cosh(q))), saved


def potential_grad_fwd(q, scale):
    ratio = q / scale  # line 10
    sum_bar = 1.0 / 2
    ratio_2 = 2.0 * ratio * sum_bar / scale
    q_bar = np.sinh(q) * (1.0 / (1 + np.add.reduce(np.cosh(q)))) + ratio_2
    saved = scale, ratio_2, sum_bar, ratio
    return q_bar, saved


def potential_grad_fwd_2(q, scale):
    ratio = q / scale                # line 10
    cosh_q = np.cosh(q)              # line 11
    total = 1 + np.add.reduce(cosh_q)
    sum_bar = 1.0 / total
    sinh_q = np.sinh(q)
    sum_bar_2 = 1.0 / 2              # line 10
    ratio_2 = 2.0 * ratio * sum_bar_2 / scale
    q_bar = sinh_q * sum_bar + ratio_2
    saved = scale, ratio_2, sum_bar_2, sinh_q, sum_bar, cosh_q, total, ratio
    return q_bar, saved


def potential_fwd_2(q, scale):
    ratio = q / scale                   # line 10
    bowl = np.add.reduce(ratio ** 2) / 2
    total = np.add.reduce(np.cosh(q))   # line 11
    saved = total, q, ratio, scale
    return bowl + np.log1p(total), saved


def potential_rev(saved, result):
    total, q, ratio, scale = saved
    ratio_2 = 2.0 * ratio * (result / 2) / scale  # line 10
    q_bar = np.sinh(q) * (result / (1 + total)) + ratio_2
    scale_bar = -(ratio * ratio_2)
    return q_bar, scale_bar


def potential_grad_rev(saved, result):
    scale, ratio, sum_bar, sinh_q, sum_bar_2, cosh_q, total, ratio_2 = saved
    truediv_bar_bar = result / scale                     # line 10
    sum_bar_bar = np.add.reduce(sinh_q * result)         # line 11
    q_bar = cosh_q * (result * sum_bar_2) - sinh_q * (sum_bar_bar / total / total)
    ratio_3 = 2.0 * (truediv_bar_bar * sum_bar) / scale  # line 10
    q_bar = q_bar + ratio_3
    scale_bar = -(ratio * truediv_bar_bar + ratio_2 * ratio_3)
    return q_bar, scale_bar


def potential_grad_rev_2(saved, result):
    scale, ratio, sum_bar, ratio_2 = saved
    truediv_bar_bar = result / scale  # line 10
    total = (
        ratio * truediv_bar_bar + ratio_2 * (2.0 * (truediv_bar_bar * sum_bar) / scale)
    )
    return -total


def potential_rev_2(saved, result):
    ratio, scale = saved
    return -(ratio * (2.0 * ratio * (result / 2) / scale))


def energy_error_grad(q, p, scale, step):
    # forward
    potential, potential_saved = potential_fwd(q, scale)  # line 18
    before = potential + np.add.reduce(p * p) / 2
    product = 0.5 * step                                  # line 19
    potential_grad, potential_grad_saved = potential_grad_fwd(q, scale)
    p = p - product * potential_grad
    tape = []
    for _ in range(3):  # line 20
        q = q + step * p  # line 21
        # line 22
        potential_grad, potential_grad_saved_2 = potential_grad_fwd_2(q, scale)
        tape.append(potential_grad_saved_2)
        p = p - step * potential_grad
    q = q + step * p                   # line 23
    potential_grad, potential_grad_saved_2 = potential_grad_fwd_2(q, scale)  # line 24
    p = p - product * potential_grad
    potential, potential_saved_2 = potential_fwd_2(q, scale)  # line 25
    difference = potential + np.add.reduce(p * p) / 2 - before
    # backward
    sub_bar = 2 * difference
    before_bar = -2 * difference
    p_bar = 2 * (sub_bar / 2) * p
    q_bar, scale_bar = potential_rev(potential_saved_2, sub_bar)
    q_bar_2, scale_bar_2 = potential_grad_rev(
        potential_grad_saved_2, -(product * p_bar)
    )                                  # line 24
    q_bar = q_bar + q_bar_2
    scale_bar = scale_bar + scale_bar_2
    p_bar = p_bar + step * q_bar       # line 23
    for potential_grad_saved_2 in reversed(tape):
        q_bar_2, scale_bar_2 = potential_grad_rev(
            potential_grad_saved_2, -(step * p_bar)
        )                             # line 22
        q_bar = q_bar + q_bar_2
        scale_bar += scale_bar_2
        p_bar = p_bar + step * q_bar  # line 21
    # line 19
    scale_bar_2 = potential_grad_rev_2(potential_grad_saved, -(product * p_bar))
    scale_bar += scale_bar_2
    scale_bar_2 = potential_rev_2(potential_saved, before_bar)  # line 18
    scale_bar += scale_bar_2
    return scale_bar
