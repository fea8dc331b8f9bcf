"""The Lorenz system by Runge-Kutta, into a preallocated trajectory."""
# differentiate: mean_height wrt start, parameters

import numpy as np


def lorenz(s, p):
    sigma, rho, beta = p
    x, y, z = s
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def mean_height(start, parameters, dt, n):
    path = np.empty((n + 1, 3))
    path[0] = start
    for i in range(n):
        s = path[i]
        k1 = lorenz(s, parameters)
        k2 = lorenz(s + dt / 2 * k1, parameters)
        k3 = lorenz(s + dt / 2 * k2, parameters)
        k4 = lorenz(s + dt * k3, parameters)
        path[i + 1] = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return path[:, 2].mean()


def arguments():
    return np.array([1.0, 1.2, 0.9]), (10.0, 28.0, 8 / 3), 0.02, 4


# output
"""Derivative of `mean_height` in lorenz_rk4.py: reverse mode, with respect to start and
parameters.

For arguments start: f8[start_0], parameters: (float, float, float), dt: float, n: int.

Written by retrograd 0.2.0 (source 44490975). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def lorenz_fwd(s, p):
    sigma, rho, beta = p
    x, y, z = s
    y_minus_x = y - x
    rho_minus_z = rho - z
    saved = beta, z, x, y, rho_minus_z, sigma, y_minus_x, s
    return np.array([sigma * y_minus_x, x * rho_minus_z - y, x * y - beta * z]), saved


def lorenz_rev(saved, result):
    beta, z, x, y, rho_minus_z, sigma, y_minus_x, _ = saved
    # `return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])`
    mul_bar, sub_bar, sub_bar_2 = result
    sub_bar_3 = x * sub_bar
    z_bar = -(beta * sub_bar_2 + sub_bar_3)
    sub_bar_4 = sigma * mul_bar
    y_bar = x * sub_bar_2 - sub_bar + sub_bar_4
    x_bar = sub_bar_2 * y + sub_bar * rho_minus_z - sub_bar_4
    s_bar = np.array([x_bar, y_bar, z_bar])
    return s_bar, (mul_bar * y_minus_x, sub_bar_3, -(sub_bar_2 * z))


def mean_height_grad(start, parameters, dt, n):
    # forward
    path = np.empty((n + 1, 3))
    path[0] = start
    ratio = dt / 2
    ratio_2 = dt / 6
    tape = []
    for i in range(n):
        s = path[i]
        k1, lorenz_saved = lorenz_fwd(s, parameters)
        lorenz_saved = rt.copy(lorenz_saved)
        k2, lorenz_saved_2 = lorenz_fwd(s + ratio * k1, parameters)
        k3, lorenz_saved_3 = lorenz_fwd(s + ratio * k2, parameters)
        k4, lorenz_saved_4 = lorenz_fwd(s + dt * k3, parameters)
        tape.append((lorenz_saved, lorenz_saved_2, lorenz_saved_3, lorenz_saved_4))
        path[i + 1] = s + ratio_2 * (k1 + 2 * k2 + 2 * k3 + k4)
    path_part = path[:, 2]
    # backward
    # `return path[:, 2].mean()`
    path_bar = np.zeros(path.shape)
    path_bar[:, 2] += rt.stretch(1.0 / path_part.size, path_part)
    parameters_bar = rt.zeros_like(parameters)
    for i, (lorenz_saved, lorenz_saved_2, lorenz_saved_3, lorenz_saved_4) in zip(
        reversed(range(n)), reversed(tape)
    ):
        i_plus_1 = i + 1
        add_bar = path_bar[i_plus_1].copy()
        # `path[i + 1] = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)`
        path_bar[i_plus_1] = 0.0
        add_bar_2 = ratio_2 * add_bar
        k3_bar = 2.0 * add_bar_2
        # `k4 = lorenz(s + dt * k3, parameters)`
        add_bar_3, parameters_bar_2 = lorenz_rev(lorenz_saved_4, add_bar_2)
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        s_bar = add_bar + add_bar_3
        k3_bar_2 = k3_bar + dt * add_bar_3
        # `k3 = lorenz(s + dt / 2 * k2, parameters)`
        add_bar_4, parameters_bar_2 = lorenz_rev(lorenz_saved_3, k3_bar_2)
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        s_bar += add_bar_4
        k3_bar += ratio * add_bar_4
        # `k2 = lorenz(s + dt / 2 * k1, parameters)`
        add_bar_5, parameters_bar_2 = lorenz_rev(lorenz_saved_2, k3_bar)
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        s_bar += add_bar_5
        add_bar_2 += ratio * add_bar_5
        # `k1 = lorenz(s, parameters)`
        s_bar_2, parameters_bar_2 = lorenz_rev(lorenz_saved, add_bar_2)
        s_bar += s_bar_2
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        # `s = path[i]`
        path_bar[i] += s_bar
    # `path[0] = start`
    start_bar = path_bar[0]
    start_bar = rt.copy(start_bar)
    parameters_bar = rt.match(parameters_bar, parameters)
    return start_bar, parameters_bar
