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
"""Derivative of `residual` in physics_informed.py: reverse mode, with respect to w, b
and v.

For arguments w: f8[w_0], b: f8[b_0], v: f8[v_0], times: f8[times_0].

Written by retrograd 0.2.0 (source 52c4fb9b). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def speed_jvp_fwd(t, w, b, v, t_dot):
    u_jvp_jvp, u_jvp_jvp_saved = u_jvp_jvp_fwd(t, w, b, v, 1.0, t_dot)
    saved = (u_jvp_jvp_saved,)
    return u_jvp_jvp, saved


def u_jvp_jvp_fwd(t, w, b, v, t_dot, t_dot_2):
    total_dot = w * t_dot_2
    total_dot_2 = w * t_dot
    tanh = np.tanh(w * t + b)
    difference = 1.0 - tanh * tanh
    tanh_dot = difference * total_dot
    difference_dot = -2.0 * (tanh_dot * tanh)
    product_dot = difference_dot * total_dot_2
    saved = (
        v,
        product_dot,
        difference_dot,
        total_dot_2,
        tanh_dot,
        tanh,
        difference,
        total_dot,
        t_dot,
        t_dot_2,
        t,
    )
    return np.sum(v * product_dot), saved


def speed_jvp_rev(saved, result):
    (u_jvp_jvp_saved,) = saved
    # `return rg.jvp(u, (t,), (1.0,))[1]`
    w_bar, b_bar, v_bar = u_jvp_jvp_rev(u_jvp_jvp_saved, result)
    return w_bar, b_bar, v_bar


def u_jvp_jvp_rev(saved, result):
    (
        v,
        product_dot,
        difference_dot,
        total_dot,
        tanh_dot,
        tanh,
        difference,
        total_dot_2,
        t_dot,
        t_dot_2,
        t,
    ) = saved
    # `return np.sum(v * np.tanh(w * t + b))`
    mul_bar = v * result
    v_bar = rt.stretch(result, v) * product_dot
    mul_bar_2 = mul_bar * total_dot
    mul_bar_3 = -2.0 * mul_bar_2
    tanh_bar = tanh_dot * mul_bar_3 - -4.0 * mul_bar_2 * tanh * total_dot_2 * tanh
    add_bar = difference * tanh_bar
    w_bar = difference_dot * mul_bar * t_dot + difference * (mul_bar_3 * tanh) * t_dot_2
    w_bar = w_bar + add_bar * t
    return w_bar, add_bar, v_bar


def residual_grad(w, b, v, times):
    times_length = len(times)
    v_bar = np.zeros(v.shape)
    b_bar = np.zeros(b.shape)
    w_bar = np.zeros(w.shape)
    for t in times:
        acceleration, speed_jvp_saved = speed_jvp_fwd(t, w, b, v, 1.0)
        tanh = np.tanh(w * t + b)
        # `total += (acceleration + u(t)) ** 2`
        add_bar = 2 * (acceleration + np.sum(v * tanh)) / times_length
        # `return np.sum(v * np.tanh(w * t + b))`
        v_bar += rt.stretch(add_bar, v) * tanh
        add_bar_2 = (1.0 - tanh * tanh) * (v * add_bar)
        b_bar += add_bar_2
        w_bar += add_bar_2 * t
        # `acceleration = rg.jvp(speed, (t,), (1.0,))[1]`
        w_bar_2, b_bar_2, v_bar_2 = speed_jvp_rev(speed_jvp_saved, add_bar)
        w_bar += w_bar_2
        b_bar += b_bar_2
        v_bar += v_bar_2
    return w_bar, b_bar, v_bar
