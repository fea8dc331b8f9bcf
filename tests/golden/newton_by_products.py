"""Newton's method with products of the Hessian only: conjugate gradients solve for each step."""
# differentiate: minimum wrt stiffness

import numpy as np

import retrograd as rg


def minimum(stiffness, x, load):
    def energy(x):
        return np.sum(stiffness * np.cosh(x)) - load @ x

    for _ in range(2):
        r = -rg.grad(energy)(x)
        step, d, rr = np.zeros_like(x), r, r @ r
        for _ in range(2):
            product = rg.hvp(energy, (x,), d)
            a = rr / (d @ product)
            step = step + a * d
            r = r - a * product
            new = r @ r
            d, rr = r + new / rr * d, new
        x = x + step
    return energy(x)


def arguments():
    return np.array([1.0, 2.0]), np.array([0.1, -0.2]), np.array([0.5, 0.3])


# output
"""Derivative of `minimum` in newton_by_products.py, line 9: reverse mode, with respect
to stiffness.

For arguments stiffness: f8[stiffness_0], x: f8[x_0], load: f8[load_0].

Written by retrograd 0.1.0 (source 2f16b1bb). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad_fwd(x, stiffness, load):
    sinh_x = np.sinh(x)  # line 11
    x_bar = sinh_x * stiffness - load
    saved = sinh_x, stiffness, x
    return x_bar, saved


def energy_hvp_fwd(x, stiffness, load, x_dot):
    cosh_x = np.cosh(x)  # line 11
    product = cosh_x * x_dot
    x_bar_dot = product * stiffness
    saved = product, stiffness, cosh_x, x_dot, x
    return x_bar_dot, saved


def energy_hvp_rev(saved, result):
    product, stiffness, cosh_x, x_dot, x = saved
    stiffness_bar = product * result  # line 11
    mul_bar = result * stiffness
    x_dot_bar = cosh_x * mul_bar
    x_bar = np.sinh(x) * (mul_bar * x_dot)
    return x_bar, stiffness_bar, x_dot_bar


def energy_grad_rev(saved, result):
    sinh_x, stiffness, x = saved
    stiffness_bar = sinh_x * result  # line 11
    x_bar = np.cosh(x) * (result * stiffness)
    return x_bar, stiffness_bar


def minimum_grad(stiffness, x, load):
    # forward
    tape = []
    for _ in range(2):  # line 13
        energy_grad, energy_grad_saved = energy_grad_fwd(x, stiffness, load)  # line 14
        r = -energy_grad
        step = np.zeros_like(x)  # line 15
        rr = r @ r
        d = r
        tape_2 = []
        for _ in range(2):  # line 16
            product, energy_hvp_saved = energy_hvp_fwd(x, stiffness, load, d)  # line 17
            product_2 = d @ product  # line 18
            a = rr / product_2
            step = step + a * d      # line 19
            r = r - a * product      # line 20
            new = r @ r              # line 21
            ratio = new / rr         # line 22
            tape_2.append((d, rr, product, energy_hvp_saved, product_2, a, r, ratio))
            d = r + ratio * d
            rr = new
        tape.append((energy_grad, energy_grad_saved, tape_2))
        x = x + step  # line 23
    # backward
    x_bar = np.sinh(x) * stiffness - load  # line 11
    stiffness_bar = rt.copy(np.cosh(x))    # line 13
    stiffness_shape = stiffness.shape      # line 16
    for energy_grad, energy_grad_saved, tape_2 in reversed(tape):
        x_bar_2 = rt.copy(x_bar)
        r_bar = np.zeros(stiffness_shape)
        d_bar = np.zeros(stiffness_shape)
        rr_bar = 0.0
        for d, rr, product, energy_hvp_saved, product_2, a, r, ratio in reversed(
            tape_2
        ):
            ratio_2 = np.add.reduce(d_bar * d) / rr   # line 22
            new_bar = rr_bar + ratio_2
            r_bar = r_bar + d_bar + 2 * new_bar * r   # line 21
            a_bar = np.add.reduce(x_bar * d) - np.add.reduce(r_bar * product)  # line 19
            ratio_3 = a_bar / product_2               # line 18
            product_2 = a * ratio_3
            rr_bar = ratio_3 - ratio * ratio_2
            product_bar = -(a * r_bar + d * product_2)
            x_bar_3, stiffness_bar_2, d_bar_2 = energy_hvp_rev(
                energy_hvp_saved, product_bar
            )                                         # line 17
            x_bar_2 += x_bar_3
            stiffness_bar += stiffness_bar_2
            d_bar = ratio * d_bar + a * x_bar - product_2 * product + d_bar_2
        r_bar = r_bar + d_bar - 2 * rr_bar * energy_grad  # line 15
        x_bar, stiffness_bar_2 = energy_grad_rev(energy_grad_saved, -r_bar)  # line 14
        x_bar_2 += x_bar
        stiffness_bar += stiffness_bar_2
        x_bar = x_bar_2
    return stiffness_bar
