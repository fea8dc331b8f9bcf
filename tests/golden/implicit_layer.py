"""A layer whose output minimises an energy: the root of a gradient."""
# differentiate: layer wrt w, x

import numpy as np

import retrograd as rg


def layer(w, x):
    def energy(z):
        return np.sum(np.cosh(z)) + np.sum((z - w @ x) ** 2) / 2

    z = rg.root(rg.grad(energy), np.zeros(2))
    return np.sum(z * z)


def arguments():
    return np.array([[0.5, -0.3, 0.2], [0.1, 0.4, -0.6]]), np.array([1.0, 0.5, -0.8])


# output
"""Derivative of `layer` in implicit_layer.py: reverse mode, with respect to w and x.

For arguments w: f8[w_0, w_1], x: f8[x_0].

Written by retrograd 0.2.0 (source 24b118f7). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(z, w, x):
    return 2.0 * (z - w @ x) / 2.0 + np.sinh(z)


def energy_grad_fwd(z, w, x):
    sum_bar = 1.0 / 2
    z_bar = 2.0 * (z - w @ x) * sum_bar + np.sinh(z)
    saved = z, sum_bar
    return z_bar, saved


def energy_grad_adjoint(u, saved):
    return energy_grad_rev(saved, u)


def energy_grad_rev(saved, result):
    z, sum_bar = saved
    return np.cosh(z) * result + 2.0 * (result * sum_bar)


def energy_grad_fwd_2(z, w, x):
    sum_bar = 1.0 / 2
    z_bar = 2.0 * (z - w @ x) * sum_bar + np.sinh(z)
    saved = sum_bar, w, x
    return z_bar, saved


def energy_grad_rev_2(saved, result):
    sum_bar, w, x = saved
    # `return np.sum(np.cosh(z)) + np.sum((z - w @ x) ** 2) / 2`
    matmul_bar = -2.0 * (result * sum_bar)
    return matmul_bar[:, None] * x, w.T @ matmul_bar


def layer_grad(w, x):
    # forward
    zeros = np.zeros(2)
    z = rt.root(energy_grad, zeros, (w, x))
    # backward
    # `return np.sum(z * z)`
    z_bar = 2.0 * z
    # `z = rg.root(rg.grad(energy), np.zeros(2))`
    _, energy_grad_saved = energy_grad_fwd(z, w, x)
    _, energy_grad_saved_2 = energy_grad_fwd_2(z, w, x)
    w_bar, x_bar = energy_grad_rev_2(
        energy_grad_saved_2,
        -rt.linear_solve(energy_grad_adjoint, z_bar, (energy_grad_saved,)),
    )
    return w_bar, x_bar
