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
"""Derivative of `minimum` in newton_by_products.py: reverse mode, with respect to
stiffness.

For arguments stiffness: f8[stiffness_0], x: f8[x_0], load: f8[load_0].

Written by retrograd 0.2.0 (source 2f16b1bb). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad_fwd(x, stiffness, load):
    sinh_x = np.sinh(x)
    x_bar = sinh_x * stiffness - load
    saved = sinh_x, stiffness, x
    return x_bar, saved


def energy_hvp_fwd(x, stiffness, load, x_dot):
    cosh_x = np.cosh(x)
    sinh_x_dot = cosh_x * x_dot
    x_bar_dot = sinh_x_dot * stiffness
    saved = sinh_x_dot, stiffness, cosh_x, x_dot, x
    return x_bar_dot, saved


def energy_hvp_rev(saved, result):
    sinh_x_dot, stiffness, cosh_x, x_dot, x = saved
    # `return np.sum(stiffness * np.cosh(x)) - load @ x`
    stiffness_bar = sinh_x_dot * result
    mul_bar = result * stiffness
    x_dot_bar = cosh_x * mul_bar
    x_bar = np.sinh(x) * (mul_bar * x_dot)
    return x_bar, stiffness_bar, x_dot_bar


def energy_grad_rev(saved, result):
    sinh_x, stiffness, x = saved
    # `return np.sum(stiffness * np.cosh(x)) - load @ x`
    stiffness_bar = sinh_x * result
    x_bar = np.cosh(x) * (result * stiffness)
    return x_bar, stiffness_bar


def minimum_grad(stiffness, x, load):
    # forward
    tape = []
    for _ in range(2):
        energy_grad, energy_grad_saved = energy_grad_fwd(x, stiffness, load)
        r = -energy_grad
        step = np.zeros_like(x)
        rr = r @ r
        d = r
        tape_2 = []
        for _ in range(2):
            product, energy_hvp_saved = energy_hvp_fwd(x, stiffness, load, d)
            d_product = d @ product
            a = rr / d_product
            step = step + a * d
            r = r - a * product
            new = r @ r
            new_over_rr = new / rr
            tape_2.append(
                (d, rr, product, energy_hvp_saved, d_product, a, r, new_over_rr)
            )
            d = r + new_over_rr * d
            rr = new
        tape.append((energy_grad, energy_grad_saved, tape_2))
        x = x + step
    # backward
    stiffness_shape = stiffness.shape
    x_bar = np.sinh(x) * stiffness - load
    stiffness_bar = np.cosh(x)
    for energy_grad, energy_grad_saved, tape_2 in reversed(tape):
        x_bar_2 = rt.copy(x_bar)
        r_bar = np.zeros(stiffness_shape)
        d_bar = np.zeros(stiffness_shape)
        rr_bar = 0.0
        for d, rr, product, energy_hvp_saved, d_product, a, r, new_over_rr in reversed(
            tape_2
        ):
            # `d, rr = (r + new / rr * d, new)`
            rr_bar_part = np.sum(d_bar * d) / rr
            new_bar = rr_bar + rr_bar_part
            # `new = r @ r`
            r_bar = r_bar + d_bar + 2 * new_bar * r
            # `step = step + a * d`
            a_bar = np.sum(x_bar * d) - np.sum(r_bar * product)
            # `a = rr / (d @ product)`
            product_bar_part = a_bar / d_product
            product_bar_part_2 = a * product_bar_part
            rr_bar = product_bar_part - new_over_rr * rr_bar_part
            product_bar = -(a * r_bar + d * product_bar_part_2)
            d_bar = new_over_rr * d_bar + a * x_bar - product_bar_part_2 * product
            # `product = rg.hvp(energy, (x,), d)`
            x_bar_3, stiffness_bar_2, d_bar_2 = energy_hvp_rev(
                energy_hvp_saved, product_bar
            )
            x_bar_2 += x_bar_3
            stiffness_bar += stiffness_bar_2
            d_bar = d_bar + d_bar_2
        # `step, d, rr = (np.zeros_like(x), r, r @ r)`
        r_bar = r_bar + d_bar - 2 * rr_bar * energy_grad
        # `r = -rg.grad(energy)(x)`
        x_bar, stiffness_bar_2 = energy_grad_rev(energy_grad_saved, -r_bar)
        x_bar_2 += x_bar
        stiffness_bar += stiffness_bar_2
        x_bar = x_bar_2
    return stiffness_bar
