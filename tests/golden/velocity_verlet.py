"""Velocity Verlet for a pendulum, with the trajectory kept in an array."""
# differentiate: action wrt theta, omega, length

import numpy as np


def action(theta, omega, length, dt, steps):
    def acceleration(angle):
        return -9.81 / length * np.sin(angle)

    path = np.zeros((steps, 2))
    a = acceleration(theta)
    for k in range(steps):
        theta += dt * omega + 0.5 * dt**2 * a
        a_new = acceleration(theta)
        omega += 0.5 * dt * (a + a_new)
        a = a_new
        path[k] = theta, omega
    return dt * np.sum(0.5 * length**2 * path[:, 1] ** 2 + 9.81 * length * np.cos(path[:, 0]))


def arguments():
    return 0.5, 0.1, 1.3, 0.05, 6


# output
"""Derivative of `action` in velocity_verlet.py, line 7: reverse mode, with respect to
theta, omega and length.

For arguments theta: float, omega: float, length: float, dt: float, steps: int.

Written by retrograd 0.1.0 (source 836694cb). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def action_grad(theta, omega, length, dt, steps):
    # forward
    path = np.zeros((steps, 2))  # line 11
    ratio = -9.81 / length       # line 9
    sin_theta = np.sin(theta)
    a = ratio * sin_theta
    product = 0.5 * dt           # line 16
    theta_2 = theta
    tape = []
    for k in range(steps):  # line 13
        product_2 = 0.5 * dt ** 2                       # line 14
        theta_2 = theta_2 + (dt * omega + product_2 * a)
        sin_theta_2 = np.sin(theta_2)                   # line 9
        a_new = ratio * sin_theta_2
        omega = omega + product * (a + a_new)           # line 16
        array = np.array((theta_2, omega))              # line 18
        tape.append((product_2, theta_2, sin_theta_2, array))
        path[k] = array
        a = a_new
    product_2 = 0.5 * length ** 2  # line 19
    path_part = path[:, 1]
    power = path_part ** 2
    product_3 = product_2 * power
    product_4 = 9.81 * length
    path_part_2 = path[:, 0]
    cos = np.cos(path_part_2)
    product_5 = product_4 * cos
    # backward
    add_bar = rt.stretch(dt, product_3 + product_5)
    mul_bar = rt.unbroadcast(add_bar, product_3)
    mul_bar_2 = rt.unbroadcast(add_bar, product_5)
    path_bar = np.zeros(path.shape)
    path_bar[:, 0] -= np.sin(path_part_2) * (product_4 * mul_bar_2)
    path_bar[:, 1] += 2.0 * path_part * (product_2 * mul_bar)
    theta_bar = 0.0
    omega_bar = 0.0
    a_bar = 0.0
    truediv_bar = 0.0
    for k, (product_2, theta_2, sin_theta_2, array) in zip(
        reversed(range(steps)), reversed(tape)
    ):
        array_bar = rt.unbroadcast(path_bar[k], array).copy()
        path_bar[k] = 0.0                        # line 18
        omega_bar = omega_bar + array_bar[1]
        add_bar = product * omega_bar            # line 16
        a_new_bar = a_bar + add_bar
        # line 9
        theta_bar = theta_bar + array_bar[0] + np.cos(theta_2) * (ratio * a_new_bar)
        a_bar = add_bar + product_2 * theta_bar  # line 14
        omega_bar = omega_bar + dt * theta_bar
        truediv_bar = truediv_bar + a_new_bar * sin_theta_2
    theta_bar = theta_bar + np.cos(theta) * (ratio * a_bar)  # line 9
    length_bar = (
        9.81 * np.add.reduce(mul_bar_2 * cos)
        + length * np.add.reduce(mul_bar * power)
        - ratio * ((truediv_bar + a_bar * sin_theta) / length)
    )
    theta_bar = float(theta_bar)
    omega_bar = float(omega_bar)
    length_bar = float(length_bar)
    return theta_bar, omega_bar, length_bar
