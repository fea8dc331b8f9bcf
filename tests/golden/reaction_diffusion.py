"""Gray-Scott: two species on a grid, a five-point stencil, both updated in place."""
# differentiate: mass wrt u, v, feed

import numpy as np


def laplacian(z):
    return z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:] - 4 * z[1:-1, 1:-1]


def mass(u, v, feed, kill, steps):
    u, v = u.copy(), v.copy()
    for _ in range(steps):
        a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = a * b**2
        du = 0.16 * laplacian(u) - reaction + feed * (1 - a)
        dv = 0.08 * laplacian(v) + reaction - (feed + kill) * b
        a += du
        b += dv
    return np.sum(v**2)


def arguments():
    rng = np.random.default_rng(17)
    return rng.random((4, 5)), rng.random((4, 5)), 0.06, 0.062, 3


# output
"""Derivative of `mass` in reaction_diffusion.py, line 11: reverse mode, with respect to
u, v and feed.

For arguments u: f8[u_0, u_1], v: f8[v_0, v_1], feed: float, kill: float, steps: int.

Written by retrograd 0.1.0 (source 7bae3649). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def mass_grad(u, v, feed, kill, steps):
    # forward
    u_2 = u.copy()       # line 12
    v = v.copy()
    total = feed + kill  # line 17
    tape = []
    for _ in range(steps):  # line 13
        a = u_2[1:-1, 1:-1]                     # line 14
        a = a.copy()
        b = v[1:-1, 1:-1]
        b_2 = b.copy()
        power = b ** 2                          # line 15
        reaction = a * power
        # line 16
        total_2 = u_2[:-2, 1:-1] + u_2[2:, 1:-1] + u_2[1:-1, :-2] + u_2[1:-1, 2:]
        product = 4 * a
        product_2 = 0.16 * (total_2 - product)
        difference = product_2 - reaction
        difference_2 = 1 - a
        product_3 = feed * difference_2
        du = difference + product_3
        total_3 = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]  # line 17
        product_4 = 4 * b
        product_5 = 0.08 * (total_3 - product_4)
        total_4 = product_5 + reaction
        product_6 = total * b
        dv = total_4 - product_6
        total_5 = a + du                        # line 18
        u_2[1:-1, 1:-1] = total_5
        total_6 = b + dv                        # line 19
        tape.append(
            (
                a,
                b_2,
                power,
                reaction,
                total_2,
                product,
                product_2,
                difference,
                difference_2,
                product_3,
                du,
                total_3,
                product_4,
                product_5,
                total_4,
                product_6,
                dv,
                total_5,
                total_6,
            )
        )
        v[1:-1, 1:-1] = total_6
    # backward
    v_bar = 2 * v              # line 20
    u_bar = np.zeros(u.shape)  # line 13
    add_bar = 0.0
    feed_bar = 0.0
    for (
        a,
        b_2,
        power,
        reaction,
        total_2,
        product,
        product_2,
        difference,
        difference_2,
        product_3,
        du,
        total_3,
        product_4,
        product_5,
        total_4,
        product_6,
        dv,
        total_5,
        total_6,
    ) in reversed(tape):
        add_bar_2 = rt.unbroadcast(v_bar[1:-1, 1:-1], total_6).copy()
        v_bar[1:-1, 1:-1] = 0.0                            # line 19
        dv_bar = rt.unbroadcast(add_bar_2, dv)
        add_bar_3 = rt.unbroadcast(u_bar[1:-1, 1:-1], total_5).copy()
        u_bar[1:-1, 1:-1] = 0.0                            # line 18
        du_bar = rt.unbroadcast(add_bar_3, du)
        add_bar_4 = rt.unbroadcast(dv_bar, total_4)        # line 17
        unbroadcast = rt.unbroadcast(dv_bar, product_6)
        mul_bar = rt.unbroadcast(add_bar_4, product_5)
        reaction_bar = rt.unbroadcast(add_bar_4, reaction).copy()
        add_bar_4 = rt.unbroadcast(0.08 * mul_bar, total_3)
        b_bar = (
            rt.unbroadcast(add_bar_2, b_2)
            - total * unbroadcast
            + 4 * rt.unbroadcast(-0.08 * mul_bar, product_4)
        )
        v_bar[1:-1, 2:] += add_bar_4
        v_bar[1:-1, :-2] += add_bar_4
        v_bar[2:, 1:-1] += add_bar_4
        v_bar[:-2, 1:-1] += add_bar_4
        sub_bar = rt.unbroadcast(du_bar, difference)       # line 16
        mul_bar = rt.unbroadcast(du_bar, product_3)
        feed_bar = feed_bar + np.add.reduce(mul_bar * difference_2, axis=None)
        mul_bar_2 = rt.unbroadcast(sub_bar, product_2)
        reaction_bar = reaction_bar - rt.unbroadcast(sub_bar, reaction)
        add_bar_2 = rt.unbroadcast(0.16 * mul_bar_2, total_2)
        a_bar = (
            rt.unbroadcast(add_bar_3, a)
            - feed * mul_bar
            + 4 * rt.unbroadcast(-0.16 * mul_bar_2, product)
        )
        u_bar[1:-1, 2:] += add_bar_2
        u_bar[1:-1, :-2] += add_bar_2
        u_bar[2:, 1:-1] += add_bar_2
        u_bar[:-2, 1:-1] += add_bar_2
        a_bar = a_bar + rt.unbroadcast(reaction_bar * power, a)  # line 15
        b_bar = b_bar + 2 * b_2 * rt.unbroadcast(a * reaction_bar, power)
        v_bar[1:-1, 1:-1] += b_bar                         # line 14
        u_bar[1:-1, 1:-1] += a_bar
        add_bar = add_bar - np.add.reduce(unbroadcast * b_2, axis=None)
    feed_bar = feed_bar + add_bar  # line 17
    return u_bar, v_bar, feed_bar
