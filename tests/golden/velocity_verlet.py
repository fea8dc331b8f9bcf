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
"""Derivative of `action` in velocity_verlet.py: reverse mode, with respect to theta,
omega and length.

For arguments theta: float, omega: float, length: float, dt: float, steps: int.

Written by retrograd 0.2.0 (source 836694cb). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def action_grad(theta, omega, length, dt, steps):
    # forward
    path = np.zeros((steps, 2))
    ratio = -9.81 / length
    sin_theta = np.sin(theta)
    a = ratio * sin_theta
    product = 0.5 * dt
    theta_2 = theta
    tape = []
    for k in range(steps):
        product_2 = 0.5 * dt**2
        theta_2 += dt * omega + product_2 * a
        sin_theta_2 = np.sin(theta_2)
        a_new = ratio * sin_theta_2
        omega += product * (a + a_new)
        array = np.array((theta_2, omega))
        tape.append((product_2, theta_2, sin_theta_2, array))
        path[k] = array
        a = a_new
    product_3 = 0.5 * length**2
    path_part = path[:, 1]
    power = path_part**2
    product_4 = product_3 * power
    product_5 = 9.81 * length
    path_part_2 = path[:, 0]
    cos = np.cos(path_part_2)
    product_6 = product_5 * cos
    # backward
    # `return dt * np.sum(0.5 * length ** 2 * path[:, 1] ** 2 + 9.81 * length * ...`
    add_bar = rt.stretch(dt, product_4 + product_6)
    mul_bar = rt.unbroadcast(add_bar, product_4)
    mul_bar_2 = rt.unbroadcast(add_bar, product_6)
    path_bar = np.zeros(path.shape)
    path_bar[:, 0] -= np.sin(path_part_2) * (product_5 * mul_bar_2)
    path_bar[:, 1] += 2.0 * path_part * (product_3 * mul_bar)
    length_bar = 9.81 * np.sum(mul_bar_2 * cos) + length * np.sum(mul_bar * power)
    theta_bar = omega_bar = a_bar = truediv_bar = 0.0
    for k, (product_2, theta_2, sin_theta_2, array) in zip(
        reversed(range(steps)), reversed(tape)
    ):
        array_bar = rt.unbroadcast(path_bar[k], array).copy()
        # `path[k] = (theta, omega)`
        path_bar[k] = 0.0
        omega_bar += array_bar[1]
        # `omega += 0.5 * dt * (a + a_new)`
        add_bar_2 = product * omega_bar
        a_new_bar = a_bar + add_bar_2
        # `return -9.81 / length * np.sin(angle)`
        theta_bar = theta_bar + array_bar[0] + np.cos(theta_2) * (ratio * a_new_bar)
        # `theta += dt * omega + 0.5 * dt ** 2 * a`
        a_bar = add_bar_2 + product_2 * theta_bar
        omega_bar += dt * theta_bar
        truediv_bar = truediv_bar + a_new_bar * sin_theta_2
    # `return -9.81 / length * np.sin(angle)`
    theta_bar = theta_bar + np.cos(theta) * (ratio * a_bar)
    length_bar -= ratio * ((truediv_bar + a_bar * sin_theta) / length)
    return float(theta_bar), float(omega_bar), float(length_bar)
