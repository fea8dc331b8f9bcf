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
"""Derivative of `energy_error` in force_of_a_potential.py: reverse mode, with respect
to scale.

For arguments q: f8[q_0], p: f8[p_0], scale: f8[scale_0], step: float.

Written by retrograd 0.2.0 (source 71a7ada8). Change the function, not this file.
"""

import numpy as np


def potential_fwd(q, scale):
    q_over_scale = q / scale
    bowl = np.sum(q_over_scale**2) / 2
    saved = q_over_scale, scale
    return bowl + np.log1p(np.sum(np.cosh(q))), saved


def potential_grad_fwd(q, scale):
    q_over_scale = q / scale
    sum_bar = 1.0 / 2
    q_bar_part = 2.0 * q_over_scale * sum_bar / scale
    q_bar = np.sinh(q) / (1 + np.sum(np.cosh(q))) + q_bar_part
    saved = scale, q_bar_part, sum_bar, q_over_scale
    return q_bar, saved


def potential_grad_fwd_2(q, scale):
    q_over_scale = q / scale
    cosh_q = np.cosh(q)
    total = 1 + np.sum(cosh_q)
    sum_bar = 1.0 / total
    sinh_q = np.sinh(q)
    sum_bar_2 = 1.0 / 2
    q_bar_part = 2.0 * q_over_scale * sum_bar_2 / scale
    q_bar = sinh_q * sum_bar + q_bar_part
    saved = scale, q_bar_part, sum_bar_2, sinh_q, sum_bar, cosh_q, total, q_over_scale
    return q_bar, saved


def potential_fwd_2(q, scale):
    q_over_scale = q / scale
    bowl = np.sum(q_over_scale**2) / 2
    total = np.sum(np.cosh(q))
    saved = total, q, q_over_scale, scale
    return bowl + np.log1p(total), saved


def potential_rev(saved, result):
    total, q, q_over_scale, scale = saved
    # `bowl = np.sum((q / scale) ** 2) / 2`
    scale_bar_part = 2.0 * q_over_scale * (result / 2) / scale
    q_bar = np.sinh(q) * (result / (1 + total)) + scale_bar_part
    scale_bar = -(q_over_scale * scale_bar_part)
    return q_bar, scale_bar


def potential_grad_rev(saved, result):
    scale, ratio, sum_bar, sinh_q, sum_bar_2, cosh_q, total, q_over_scale = saved
    # `bowl = np.sum((q / scale) ** 2) / 2`
    truediv_bar_bar = result / scale
    # `return bowl + np.log1p(np.sum(np.cosh(q)))`
    sum_bar_bar = np.sum(sinh_q * result)
    q_bar = cosh_q * (result * sum_bar_2) - sinh_q * (sum_bar_bar / total / total)
    # `bowl = np.sum((q / scale) ** 2) / 2`
    scale_bar_part = 2.0 * (truediv_bar_bar * sum_bar) / scale
    q_bar = q_bar + scale_bar_part
    scale_bar = -(ratio * truediv_bar_bar + q_over_scale * scale_bar_part)
    return q_bar, scale_bar


def potential_grad_rev_2(saved, result):
    scale, ratio, sum_bar, q_over_scale = saved
    # `bowl = np.sum((q / scale) ** 2) / 2`
    truediv_bar_bar = result / scale
    scale_bar_part = q_over_scale * (2.0 * (truediv_bar_bar * sum_bar) / scale)
    return -(ratio * truediv_bar_bar + scale_bar_part)


def potential_rev_2(saved, result):
    q_over_scale, scale = saved
    return -(q_over_scale * (2.0 * q_over_scale * (result / 2) / scale))


def energy_error_grad(q, p, scale, step):
    # forward
    potential, potential_saved = potential_fwd(q, scale)
    before = potential + np.sum(p * p) / 2
    product = 0.5 * step
    potential_grad, potential_grad_saved = potential_grad_fwd(q, scale)
    p = p - product * potential_grad
    tape = []
    for _ in range(3):
        q = q + step * p
        potential_grad_2, potential_grad_saved_2 = potential_grad_fwd_2(q, scale)
        tape.append(potential_grad_saved_2)
        p = p - step * potential_grad_2
    q = q + step * p
    potential_grad_3, potential_grad_saved_2 = potential_grad_fwd_2(q, scale)
    p = p - product * potential_grad_3
    potential_2, potential_saved_2 = potential_fwd_2(q, scale)
    difference = potential_2 + np.sum(p * p) / 2 - before
    # backward
    # `return (potential(q, scale) + np.sum(p * p) / 2 - before) ** 2`
    sub_bar = 2 * difference
    before_bar = -2 * difference
    p_bar = sub_bar * p
    q_bar, scale_bar = potential_rev(potential_saved_2, sub_bar)
    # `p = p - 0.5 * step * force(q, scale)`
    q_bar_2, scale_bar_2 = potential_grad_rev(
        potential_grad_saved_2, -(product * p_bar)
    )
    q_bar = q_bar + q_bar_2
    scale_bar = scale_bar + scale_bar_2
    # `q = q + step * p`
    p_bar = p_bar + step * q_bar
    for potential_grad_saved_2 in reversed(tape):
        # `p = p - step * force(q, scale)`
        q_bar_2, scale_bar_2 = potential_grad_rev(
            potential_grad_saved_2, -(step * p_bar)
        )
        q_bar = q_bar + q_bar_2
        scale_bar += scale_bar_2
        # `q = q + step * p`
        p_bar = p_bar + step * q_bar
    # `p = p - 0.5 * step * force(q, scale)`
    scale_bar_2 = potential_grad_rev_2(potential_grad_saved, -(product * p_bar))
    scale_bar += scale_bar_2
    # `before = potential(q, scale) + np.sum(p * p) / 2`
    scale_bar_2 = potential_rev_2(potential_saved, before_bar)
    scale_bar += scale_bar_2
    return scale_bar
