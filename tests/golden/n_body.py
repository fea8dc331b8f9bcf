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
"""Derivative of `kinetic_energy` in n_body.py, line 7: reverse mode, with respect to
position and mass.

For arguments position: f8[position_0, position_1], velocity: f8[velocity_0,
velocity_1], mass: f8[mass_0], dt: float, steps: int.

Written by retrograd 0.1.0 (source 3dc6dbf0). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def kinetic_energy_grad(position, velocity, mass, dt, steps):
    # forward
    x = position.copy()  # line 8
    v = velocity.copy()
    n = len(mass)        # line 9
    tape = []
    for _ in range(steps):  # line 10
        force = np.zeros_like(x)  # line 11
        tape_2 = []
        for i in range(n):  # line 12
            tape_3 = []
            for j in range(i + 1, n):  # line 13
                d = x[j] - x[i]                             # line 14
                product = mass[i] * mass[j]                 # line 15
                total = d @ d + 0.01
                power = total ** 1.5
                f = product * d / power
                tape_3.append((d, product, total, power, f))
                force[i] += f                               # line 16
                force[j] -= f                               # line 17
            tape_2.append(tape_3)
        ratio = dt * force / mass[:, None]  # line 18
        tape.append((tape_2, ratio))
        v += ratio
        x += dt * v                         # line 19
    mass_part = mass[:, None]         # line 20
    # backward
    v_bar = 2.0 * v * (mass_part * rt.stretch(0.5, velocity))
    mass_bar = np.zeros(mass.shape)
    mass_bar[:, None] += 0.5 * np.add.reduce(v ** 2, axis=1, keepdims=True)
    x_bar = np.zeros(position.shape)  # line 10
    for tape_2, ratio in reversed(tape):
        v_bar += dt * x_bar          # line 19
        mul_bar = v_bar / mass_part  # line 18
        mass_bar[:, None] -= np.add.reduce(ratio * mul_bar, axis=1, keepdims=True)
        force_bar = dt * mul_bar
        for i, tape_3 in zip(reversed(range(n)), reversed(tape_2)):
            for j, (d, product, total, power, f) in zip(
                reversed(range(i + 1, n)), reversed(tape_3)
            ):
                f_bar = force_bar[i] - force_bar[j]  # line 16
                mul_bar = f_bar / power              # line 15
                d_bar = product * mul_bar
                d_bar -= 3.0 * total ** 0.5 * np.add.reduce(f * mul_bar) * d
                mul_bar = np.add.reduce(mul_bar * d)
                mass_bar[j] += mass[i] * mul_bar
                mass_bar[i] += mul_bar * mass[j]
                x_bar[i] -= d_bar                    # line 14
                x_bar[j] += d_bar
    return x_bar, mass_bar
