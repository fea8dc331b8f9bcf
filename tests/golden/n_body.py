"""Gravity between all pairs, and a leapfrog step on arrays that are updated in place."""
# differentiate: kinetic_energy wrt position, mass

import numpy as np


def kinetic_energy(position, velocity, mass, dt, steps):
    x, v = position.copy(), velocity.copy()
    n = len(mass)
    for _ in range(steps):
        force = np.zeros_like(x)
        for i in range(n):
            for j in range(i + 1, n):
                d = x[j] - x[i]
                f = mass[i] * mass[j] * d / (d @ d + 0.01) ** 1.5
                force[i] += f
                force[j] -= f
        v += dt * force / mass[:, None]
        x += dt * v
    return 0.5 * np.sum(mass[:, None] * v**2)


def arguments():
    rng = np.random.default_rng(14)
    return rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), 1 + rng.random(3), 0.1, 2


# output
"""Derivative of `kinetic_energy` in n_body.py: reverse mode, with respect to position
and mass.

For arguments position: f8[position_0, position_1], velocity: f8[velocity_0,
velocity_1], mass: f8[mass_0], dt: float, steps: int.

Written by retrograd 0.2.0 (source 3dc6dbf0). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def kinetic_energy_grad(position, velocity, mass, dt, steps):
    # forward
    x = position.copy()
    v = velocity.copy()
    n = len(mass)
    tape = []
    for _ in range(steps):
        force = np.zeros_like(x)
        tape_2 = []
        for i in range(n):
            tape_3 = []
            for j in range(i + 1, n):
                d = x[j] - x[i]
                product = mass[i] * mass[j]
                total = d @ d + 0.01
                power = total**1.5
                f = product * d / power
                tape_3.append((d, product, total, power, f))
                force[i] += f
                force[j] -= f
            tape_2.append(tape_3)
        ratio = dt * force / mass[:, None]
        tape.append((tape_2, ratio))
        v += ratio
        x += dt * v
    mass_part = mass[:, None]
    # backward
    # `return 0.5 * np.sum(mass[:, None] * v ** 2)`
    v_bar = 2.0 * v * (mass_part * rt.stretch(0.5, velocity))
    mass_bar = np.zeros(mass.shape)
    mass_bar[:, None] += 0.5 * np.sum(v**2, axis=1, keepdims=True)
    x_bar = np.zeros(position.shape)
    for tape_2, ratio in reversed(tape):
        # `x += dt * v`
        v_bar += dt * x_bar
        # `v += dt * force / mass[:, None]`
        mul_bar = v_bar / mass_part
        mass_bar[:, None] -= np.sum(ratio * mul_bar, axis=1, keepdims=True)
        force_bar = dt * mul_bar
        for i, tape_3 in zip(reversed(range(n)), reversed(tape_2)):
            for j, (d, product, total, power, f) in zip(
                reversed(range(i + 1, n)), reversed(tape_3)
            ):
                # `force[i] += f`
                f_bar = force_bar[i] - force_bar[j]
                # `f = mass[i] * mass[j] * d / (d @ d + 0.01) ** 1.5`
                d_bar = product * (f_bar / power)
                d_bar -= 3.0 * total**0.5 * (np.sum(f * f_bar) / power) * d
                mul_bar_2 = np.sum(f_bar * d) / power
                mass_bar[j] += mass[i] * mul_bar_2
                mass_bar[i] += mul_bar_2 * mass[j]
                # `d = x[j] - x[i]`
                x_bar[i] -= d_bar
                x_bar[j] += d_bar
    return x_bar, mass_bar
