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
"""Derivative of `mass` in reaction_diffusion.py: reverse mode, with respect to state
and feed.

For arguments state: f8[state_0, state_1, state_2], feed: float, kill: float, steps:
int.

Written by retrograd 0.2.0 (source 15eac5a7). Change the function, not this file.
"""

import numpy as np


def mass_grad(state, feed, kill, steps):
    # forward
    copy_state = state.copy()
    feed_plus_kill = feed + kill
    tape = []
    for _ in range(steps):
        u = copy_state[0]
        a = u[1:-1, 1:-1]
        a_2 = a.copy()
        v = copy_state[1]
        b = v[1:-1, 1:-1]
        b_2 = b.copy()
        b_squared = b**2
        reaction = a * b_squared
        difference = 1 - a
        tape.append((a_2, b_2, b_squared, difference))
        du = (
            0.16 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * a)
            - reaction
            + feed * difference
        )
        dv = (
            0.08 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * b)
            + reaction
            - feed_plus_kill * b
        )
        copy_state[0][1:-1, 1:-1] += du
        copy_state[1][1:-1, 1:-1] += dv
    v = copy_state[1]
    # backward
    # `return np.sum(v ** 2)`
    v_bar = 2.0 * v
    state_bar = np.zeros(state.shape)
    state_bar[1] += v_bar
    # `dv = 0.08 * laplacian(v) + reaction - (feed + kill) * b`
    difference_2 = -0.32 - feed_plus_kill
    # `du = 0.16 * laplacian(u) - reaction + feed * (1 - a)`
    difference_3 = -0.64 - feed
    add_bar = feed_bar = 0.0
    for a_2, b_2, b_squared, difference in reversed(tape):
        # `b += dv`
        dv_bar_part = state_bar[1]
        dv_bar = dv_bar_part[1:-1, 1:-1]
        # `a += du`
        du_bar = state_bar[0][1:-1, 1:-1]
        # `dv = 0.08 * laplacian(v) + reaction - (feed + kill) * b`
        add_bar -= np.sum(dv_bar * b_2)
        sub_bar = 0.08 * dv_bar
        b_bar = difference_2 * dv_bar
        v_bar = np.zeros(dv_bar_part.shape)
        v_bar[1:-1, 2:] += sub_bar
        v_bar[1:-1, :-2] += sub_bar
        v_bar_2 = v_bar
        v_bar_2[2:, 1:-1] += sub_bar
        v_bar_2[:-2, 1:-1] += sub_bar
        # `du = 0.16 * laplacian(u) - reaction + feed * (1 - a)`
        feed_bar += np.sum(du_bar * difference)
        reaction_bar = dv_bar - du_bar
        sub_bar_2 = 0.16 * du_bar
        a_bar = difference_3 * du_bar
        u_bar = np.zeros(v_bar.shape)
        u_bar[1:-1, 2:] += sub_bar_2
        u_bar[1:-1, :-2] += sub_bar_2
        u_bar[2:, 1:-1] += sub_bar_2
        u_bar[:-2, 1:-1] += sub_bar_2
        # `reaction = a * b ** 2`
        a_bar += reaction_bar * b_squared
        b_bar += 2.0 * b_2 * (a_2 * reaction_bar)
        # `a, b = (u[1:-1, 1:-1], v[1:-1, 1:-1])`
        v_bar_2[1:-1, 1:-1] += b_bar
        state_bar[1] += v_bar_2
        u_bar[1:-1, 1:-1] += a_bar
        state_bar[0] += u_bar
    # `dv = 0.08 * laplacian(v) + reaction - (feed + kill) * b`
    feed_bar += add_bar
    return state_bar, float(feed_bar)
