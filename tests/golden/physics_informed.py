"""The residual of a differential equation, u'' + u = 0, of a network u: two derivatives by time, then one by the weights."""
# differentiate: residual wrt w, b, v

import numpy as np

import retrograd as rg


def residual(w, b, v, times):
    def u(t):
        return np.sum(v * np.tanh(w * t + b))

    def speed(t):
        return rg.jvp(u, (t,), (1.0,))[1]

    total = 0.0
    for t in times:
        acceleration = rg.jvp(speed, (t,), (1.0,))[1]
        total += (acceleration + u(t)) ** 2
    return total / len(times)


def arguments():
    rng = np.random.default_rng(2)
    return rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), np.linspace(0.1, 1.0, 4)


# output
"""Derivative of `residual` in physics_informed.py, line 9: reverse mode, with respect
to w, b and v.

For arguments w: f8[w_0], b: f8[b_0], v: f8[v_0], times: f8[times_0].

Written by retrograd 0.1.0 (source 52c4fb9b). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def speed_jvp_fwd(t, w, b, v, t_dot):
    u_jvp_jvp, u_jvp_jvp_saved = u_jvp_jvp_fwd(t, w, b, v, 1.0, t_dot)  # line 14
    saved = (u_jvp_jvp_saved,)
    return u_jvp_jvp, saved


def u_jvp_jvp_fwd(t, w, b, v, t_dot, t_dot_2):
    product = w * t_dot_2  # line 11
    product_2 = w * t_dot
    tanh = np.tanh(w * t + b)
    difference = 1.0 - tanh * tanh
    product_3 = difference * product
    product_4 = -2.0 * (product_3 * tanh)
    product_5 = product_4 * product_2
    saved = (
        v,
        product_5,
        product_4,
        product_2,
        product_3,
        tanh,
        difference,
        product,
        t_dot,
        t_dot_2,
        t,
    )
    return np.add.reduce(v * product_5), saved


def speed_jvp_rev(saved, result):
    (u_jvp_jvp_saved,) = saved
    w_bar, b_bar, v_bar = u_jvp_jvp_rev(u_jvp_jvp_saved, result)  # line 14
    return w_bar, b_bar, v_bar


def u_jvp_jvp_rev(saved, result):
    (
        v,
        product,
        product_2,
        product_3,
        product_4,
        tanh,
        difference,
        product_5,
        t_dot,
        t_dot_2,
        t,
    ) = saved
    mul_bar = v * result  # line 11
    v_bar = rt.stretch(result, v) * product
    mul_bar_2 = mul_bar * product_3
    mul_bar_3 = -2.0 * mul_bar_2
    tanh_bar = product_4 * mul_bar_3 - -4.0 * mul_bar_2 * tanh * product_5 * tanh
    add_bar = difference * tanh_bar
    w_bar = product_2 * mul_bar * t_dot + difference * (mul_bar_3 * tanh) * t_dot_2
    w_bar = w_bar + add_bar * t
    return w_bar, add_bar, v_bar


def residual_grad(w, b, v, times):
    times_length = len(times)
    v_bar = np.zeros(v.shape)  # line 17
    b_bar = np.zeros(b.shape)
    w_bar = np.zeros(w.shape)
    for t in times:  # line 17
        acceleration, speed_jvp_saved = speed_jvp_fwd(t, w, b, v, 1.0)  # line 18
        tanh = np.tanh(w * t + b)                      # line 11
        add_bar = 2 * (acceleration + np.add.reduce(v * tanh)) / times_length  # line 19
        v_bar += rt.stretch(add_bar, v) * tanh         # line 11
        add_bar_2 = (1.0 - tanh * tanh) * (v * add_bar)
        b_bar += add_bar_2
        w_bar += add_bar_2 * t
        w_bar_2, b_bar_2, v_bar_2 = speed_jvp_rev(speed_jvp_saved, add_bar)  # line 18
        w_bar += w_bar_2
        b_bar += b_bar_2
        v_bar += v_bar_2
    return w_bar, b_bar, v_bar
