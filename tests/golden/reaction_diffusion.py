"""Gray-Scott: two species on a grid, a five-point stencil, both views updated in place."""
# differentiate: mass wrt state, feed

import numpy as np


def laplacian(z):
    return z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:] - 4 * z[1:-1, 1:-1]


def mass(state, feed, kill, steps):
    state = state.copy()
    u, v = state[0], state[1]
    for _ in range(steps):
        a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = a * b**2
        du = 0.16 * laplacian(u) - reaction + feed * (1 - a)
        dv = 0.08 * laplacian(v) + reaction - (feed + kill) * b
        a += du
        b += dv
    return np.sum(v**2)


def arguments():
    return np.random.default_rng(17).random((2, 4, 5)), 0.06, 0.062, 3
