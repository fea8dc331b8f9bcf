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
"""Derivative of `mean_height` in lorenz_rk4.py, line 13: reverse mode, with respect to
start and parameters.

For arguments start: f8[start_0], parameters: (float, float, float), dt: float, n: int.

Written by retrograd 0.1.0 (source 44490975). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def lorenz_fwd(s, p):
    sigma, rho, beta = p
    x = s[0]
    y = s[1]
    z = s[2]
    difference = y - x  # line 10
    difference_2 = rho - z
    saved = beta, z, x, y, difference_2, sigma, difference, s
    return np.array([sigma * difference, x * difference_2 - y, x * y - beta * z]), saved


def lorenz_rev(saved, result):
    beta, z, x, y, difference, sigma, difference_2, s = saved
    mul_bar = result[0]  # line 10
    sub_bar = result[1]
    sub_bar_2 = result[2]
    beta_bar = -(sub_bar_2 * z)
    sub_bar_3 = x * sub_bar
    z_bar = -(beta * sub_bar_2 + sub_bar_3)
    sub_bar_4 = sigma * mul_bar
    sigma_bar = mul_bar * difference_2
    y_bar = x * sub_bar_2 - sub_bar + sub_bar_4
    x_bar = sub_bar_2 * y + sub_bar * difference - sub_bar_4
    s_bar = np.zeros(s.shape)
    s_bar[2] = z_bar
    s_bar[1] = y_bar
    s_bar[0] = x_bar
    return s_bar, (sigma_bar, sub_bar_3, beta_bar)


def mean_height_grad(start, parameters, dt, n):
    # forward
    path = np.empty((n + 1, 3))  # line 14
    path[0] = start              # line 15
    ratio = dt / 2               # line 19
    ratio_2 = dt / 6             # line 22
    tape = []
    for i in range(n):  # line 16
        s = path[i]                                   # line 17
        k1, lorenz_saved = lorenz_fwd(s, parameters)  # line 18
        lorenz_saved = rt.copy(lorenz_saved)
        k2, lorenz_saved_2 = lorenz_fwd(s + ratio * k1, parameters)  # line 19
        k3, lorenz_saved_3 = lorenz_fwd(s + ratio * k2, parameters)  # line 20
        k4, lorenz_saved_4 = lorenz_fwd(s + dt * k3, parameters)  # line 21
        tape.append((lorenz_saved, lorenz_saved_2, lorenz_saved_3, lorenz_saved_4))
        path[i + 1] = s + ratio_2 * (k1 + 2 * k2 + 2 * k3 + k4)  # line 22
    path_part = path[:, 2]                      # line 23
    # backward
    path_bar = np.zeros(path.shape)
    path_bar[:, 2] += rt.stretch(1.0 / path_part.size, path_part)
    parameters_bar = rt.zeros_like(parameters)  # line 16
    for i, (lorenz_saved, lorenz_saved_2, lorenz_saved_3, lorenz_saved_4) in zip(
        reversed(range(n)), reversed(tape)
    ):
        total = i + 1
        add_bar = path_bar[total].copy()
        path_bar[total] = 0.0             # line 22
        add_bar_2 = ratio_2 * add_bar
        k3_bar = 2.0 * add_bar_2
        add_bar_3, parameters_bar_2 = lorenz_rev(lorenz_saved_4, add_bar_2)  # line 21
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        s_bar = add_bar + add_bar_3
        k3_bar_2 = k3_bar + dt * add_bar_3
        add_bar, parameters_bar_2 = lorenz_rev(lorenz_saved_3, k3_bar_2)  # line 20
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        s_bar += add_bar
        k3_bar += ratio * add_bar
        add_bar, parameters_bar_2 = lorenz_rev(lorenz_saved_2, k3_bar)  # line 19
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        s_bar += add_bar
        add_bar_2 += ratio * add_bar
        s_bar_2, parameters_bar_2 = lorenz_rev(lorenz_saved, add_bar_2)  # line 18
        s_bar += s_bar_2
        parameters_bar = rt.add(parameters_bar, parameters_bar_2)
        path_bar[i] += s_bar              # line 17
    start_bar = path_bar[0]  # line 15
    start_bar = rt.copy(start_bar)
    parameters_bar = rt.match(parameters_bar, parameters)
    return start_bar, parameters_bar
