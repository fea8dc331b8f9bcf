"""The energy of a lattice of soft spins, with neighbours by rolling."""
# differentiate: energy wrt spins, coupling, field

import numpy as np


def energy(spins, coupling, field):
    s = np.tanh(spins)
    bonds = s * np.roll(s, 1, axis=0) + s * np.roll(s, 1, axis=1)
    return -coupling * np.sum(bonds) - np.sum(field * s)


def arguments():
    rng = np.random.default_rng(16)
    return rng.normal(size=(3, 4)), 0.7, rng.normal(size=4)


# output
"""Derivative of `energy` in ising_energy.py: reverse mode, with respect to spins,
coupling and field.

For arguments spins: f8[spins_0, spins_1], coupling: float, field: f8[field_0].

Written by retrograd 0.2.0 (source 07fc4251). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def energy_grad(spins, coupling, field):
    # forward
    s = np.tanh(spins)
    roll_s = np.roll(s, 1, axis=0)
    roll_s_2 = np.roll(s, 1, axis=1)
    bonds = s * roll_s + s * roll_s_2
    # backward
    # `return -coupling * np.sum(bonds) - np.sum(field * s)`
    coupling_bar = -np.sum(bonds)
    # `bonds = s * np.roll(s, 1, axis=0) + s * np.roll(s, 1, axis=1)`
    roll_bar = -(s * coupling)
    s_bar = field * rt.stretch(-1.0, spins) - coupling * roll_s_2
    s_bar = s_bar + np.roll(roll_bar, -1, axis=1) - coupling * roll_s
    s_bar = s_bar + np.roll(roll_bar, -1, axis=0)
    return (1.0 - s * s) * s_bar, float(coupling_bar), -np.sum(s, axis=0)
