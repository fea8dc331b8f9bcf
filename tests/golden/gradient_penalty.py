"""The penalty of a Wasserstein critic: the norm of its gradient by a point shall be one."""
# differentiate: penalty wrt w, v

import numpy as np

import retrograd as rg


def penalty(w, v, points):
    def critic(x):
        return np.sum(v * np.tanh(w @ x))

    total = 0.0
    for x in points:
        slope = rg.grad(critic)(x)
        total += (np.sqrt(np.sum(slope * slope)) - 1.0) ** 2
    return total / len(points)


def arguments():
    rng = np.random.default_rng(1)
    return rng.normal(size=(3, 2)), rng.normal(size=3), rng.normal(size=(4, 2))


# output
"""Derivative of `penalty` in gradient_penalty.py: reverse mode, with respect to w and
v.

For arguments w: f8[w_0, w_1], v: f8[v_0], points: f8[points_0, points_1].

Written by retrograd 0.2.0 (source 38c2d964). Change the function, not this file.
"""

import numpy as np


def critic_grad_fwd(x, w, v):
    tanh = np.tanh(w @ x)
    difference = 1.0 - tanh * tanh
    matmul_bar = difference * v
    x_bar = w.T @ matmul_bar
    saved = w, matmul_bar, difference, v, tanh, x
    return x_bar, saved


def critic_grad_rev(saved, result):
    w, matmul_bar, difference, v, tanh, x = saved
    # `return np.sum(v * np.tanh(w @ x))`
    matmul_bar_bar = w @ result
    v_bar = difference * matmul_bar_bar
    w_bar_part = (difference * (-2.0 * (matmul_bar_bar * v) * tanh))[:, None] * x
    w_bar = (result[:, None] * matmul_bar).T + w_bar_part
    return w_bar, v_bar


def penalty_grad(w, v, points):
    points_length = len(points)
    w_bar = np.zeros(w.shape)
    v_bar = np.zeros(v.shape)
    for x in points:
        slope, critic_grad_saved = critic_grad_fwd(x, w, v)
        sqrt = np.sqrt(np.sum(slope * slope))
        # `total += (np.sqrt(np.sum(slope * slope)) - 1.0) ** 2`
        slope_bar = 2 * ((sqrt - 1.0) / points_length / sqrt) * slope
        # `slope = rg.grad(critic)(x)`
        w_bar_2, v_bar_2 = critic_grad_rev(critic_grad_saved, slope_bar)
        w_bar += w_bar_2
        v_bar += v_bar_2
    return w_bar, v_bar
