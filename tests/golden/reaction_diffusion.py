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


# output
"""Derivative of `mass` in reaction_diffusion.py, line 11: reverse mode, with respect to
state and feed.

For arguments state: f8[state_0, state_1, state_2], feed: float, kill: float, steps:
int.

Written by retrograd 0.1.0 (source 15eac5a7). Change the function, not this file.
"""

import numpy as np


def mass_grad(state, feed, kill, steps):
    # forward
    state_2 = state.copy()  # line 12
    total = feed + kill     # line 18
    tape = []
    for _ in range(steps):  # line 14
        u = state_2[0]                   # line 15
        u_2 = u.copy()
        a = u[1:-1, 1:-1]
        a = a.copy()
        v = state_2[1]
        v_2 = v.copy()
        b = v[1:-1, 1:-1]
        b = b.copy()
        power = b ** 2                   # line 16
        reaction = a * power
        difference = 1 - a               # line 17
        du = (
            0.16 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * a)
            - reaction
            + feed * difference
        )
        dv = (
            0.08 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * b)
            + reaction
            - total * b
        )                                # line 18
        state_2[0][1:-1, 1:-1] = a + du  # line 19
        state_part = state_2[1]          # line 20
        parts = u_2, a, v_2, b, power, difference, state_part.copy()
        tape.append(parts)
        b = state_part[1:-1, 1:-1]
        state_2[1][1:-1, 1:-1] = b + dv
    v = state_2[1]  # line 21
    # backward
    v_bar = 2.0 * v
    state_bar = np.zeros(state.shape)
    state_bar[1] += v_bar
    add_bar = 0.0
    feed_bar = 0.0
    for u_2, a, v_2, b, power, difference, state_part in reversed(tape):
        add_bar_2 = state_bar[1][1:-1, 1:-1].copy()
        state_bar[1][1:-1, 1:-1] = 0.0             # line 20
        getitem_bar = np.zeros(state_part.shape)
        getitem_bar[1:-1, 1:-1] += add_bar_2
        state_bar[1] += getitem_bar
        add_bar_3 = state_bar[0][1:-1, 1:-1].copy()
        state_bar[0][1:-1, 1:-1] = 0.0             # line 19
        sub_bar = 0.08 * add_bar_2                 # line 18
        b_bar = -0.32 * add_bar_2
        b_bar -= total * add_bar_2
        v_bar = np.zeros(v_2.shape)
        v_bar[1:-1, 2:] += sub_bar
        v_bar[1:-1, :-2] += sub_bar
        v_bar[2:, 1:-1] += sub_bar
        v_bar[:-2, 1:-1] += sub_bar
        # line 17
        feed_bar = feed_bar + np.add.reduce(add_bar_3 * difference, axis=None)
        a_bar = add_bar_3 - feed * add_bar_3
        reaction_bar = add_bar_2 - add_bar_3
        sub_bar = 0.16 * add_bar_3
        a_bar -= 0.64 * add_bar_3
        u_bar = np.zeros(u_2.shape)
        u_bar[1:-1, 2:] += sub_bar
        u_bar[1:-1, :-2] += sub_bar
        u_bar[2:, 1:-1] += sub_bar
        u_bar[:-2, 1:-1] += sub_bar
        a_bar += reaction_bar * power              # line 16
        b_bar += 2.0 * b * (a * reaction_bar)
        v_bar[1:-1, 1:-1] += b_bar                 # line 15
        state_bar[1] += v_bar
        u_bar[1:-1, 1:-1] += a_bar
        state_bar[0] += u_bar
        add_bar = add_bar - np.add.reduce(add_bar_2 * b, axis=None)
    feed_bar = feed_bar + add_bar  # line 18
    feed_bar = float(feed_bar)
    return state_bar, feed_bar
