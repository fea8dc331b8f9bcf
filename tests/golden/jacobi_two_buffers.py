"""Jacobi iteration for Laplace's equation with two buffers that change places."""
# differentiate: potential wrt boundary

import numpy as np


def potential(boundary, sweeps):
    old = np.zeros((5, len(boundary)))
    old[0] = boundary
    new = old.copy()
    for _ in range(sweeps):
        new[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        old, new = new, old
    return np.sum(old[1:-1, 1:-1] ** 2)


def arguments():
    return np.sin(np.linspace(0.1, 3, 6)), 5


# output
"""Derivative of `potential` in jacobi_two_buffers.py: reverse mode, with respect to
boundary.

For arguments boundary: f8[boundary_0], sweeps: int.

Written by retrograd 0.2.0 (source 113659da). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def potential_grad(boundary, sweeps):
    # forward
    old = np.zeros((5, len(boundary)))
    old[0] = boundary
    new = old.copy()
    for _ in range(sweeps):
        new[1:-1, 1:-1] = 0.25 * (
            old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
        )
        old, new = new, old
    # backward
    # `return np.sum(old[1:-1, 1:-1] ** 2)`
    old_bar = np.zeros(old.shape)
    old_bar[1:-1, 1:-1] += 2.0 * old[1:-1, 1:-1]
    new_bar = np.zeros(new.shape)
    for _ in reversed(range(sweeps)):
        mul_bar = old_bar[1:-1, 1:-1].copy()
        # `new[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, ...`
        old_bar[1:-1, 1:-1] = 0.0
        add_bar = 0.25 * mul_bar
        new_bar[1:-1, 2:] += add_bar
        new_bar[1:-1, :-2] += add_bar
        new_bar[2:, 1:-1] += add_bar
        new_bar[:-2, 1:-1] += add_bar
        old_bar, new_bar = new_bar, old_bar
    # `new = old.copy()`
    old_bar += new_bar
    boundary_bar = rt.copy(old_bar[0])
    return boundary_bar
