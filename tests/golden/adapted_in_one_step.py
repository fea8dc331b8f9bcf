"""MAML: parameters that are good one step of descent later; the step is a gradient, and is differentiated."""
# differentiate: meta_loss wrt params

import numpy as np

import retrograd as rg


def loss(params, x, y):
    hidden = np.tanh(x @ params["w"] + params["b"])
    return np.mean((hidden @ params["v"] - y) ** 2)


def meta_loss(params, x, y, x_new, y_new, rate):
    slope = rg.grad(loss)(params, x, y)
    adapted = {name: params[name] - rate * slope[name] for name in ("w", "b", "v")}
    return loss(adapted, x_new, y_new)


def arguments():
    rng = np.random.default_rng(0)
    params = {"w": rng.normal(size=(2, 3)), "b": rng.normal(size=3), "v": rng.normal(size=3)}
    data = [rng.normal(size=shape) for shape in ((4, 2), 4, (4, 2), 4)]
    return params, *data, 0.1


# output
"""Derivative of `meta_loss` in adapted_in_one_step.py: reverse mode, with respect to
params.

For arguments params: {'w': f8[params_w_0, params_w_1], 'b': f8[params_b_0], 'v':
f8[params_v_0]}, x: f8[x_0, x_1], y: f8[y_0], x_new: f8[x_new_0, x_new_1], y_new:
f8[y_new_0], rate: float.

Written by retrograd 0.2.0 (source cdac8356). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad_fwd(params, x, y):
    hidden = np.tanh(x @ params["w"] + params["b"])
    params_v = params["v"]
    difference = hidden @ params_v - y
    ratio = 1.0 / difference.size
    sub_bar = 2.0 * difference * ratio
    hidden_bar = sub_bar[:, None] * params_v
    difference_2 = 1.0 - hidden * hidden
    add_bar = difference_2 * hidden_bar
    params_bar = {
        "w": x.T @ add_bar,
        "b": np.sum(add_bar, axis=0),
        "v": hidden.T @ sub_bar,
    }
    saved = x, difference_2, hidden_bar, hidden, sub_bar, params_v, ratio, hidden.T, x.T
    return params_bar, saved


def loss_fwd(params_w, params_b, params_v, x, y):
    hidden = np.tanh(x @ params_w + params_b)
    difference = hidden @ params_v - y
    saved = difference, hidden, params_v, x
    return np.mean(difference**2), saved


def loss_rev(saved, result):
    difference, hidden, params_v, x = saved
    # `return np.mean((hidden @ params['v'] - y) ** 2)`
    sub_bar = 2.0 * difference * (result / difference.size)
    hidden_bar = sub_bar[:, None] * params_v
    # `hidden = np.tanh(x @ params['w'] + params['b'])`
    add_bar = (1.0 - hidden * hidden) * hidden_bar
    return x.T @ add_bar, np.sum(add_bar, axis=0), hidden.T @ sub_bar


def loss_grad_rev(saved, result):
    x, difference, hidden_bar, hidden, sub_bar, params_v, ratio, hidden_T, x_T = saved
    getitem_bar_bar = result["w"]
    getitem_bar_bar_2 = result["b"]
    getitem_bar_bar_3 = result["v"]
    # `hidden = np.tanh(x @ params['w'] + params['b'])`
    add_bar_bar = x @ getitem_bar_bar + getitem_bar_bar_2
    hidden_bar_bar = difference * add_bar_bar
    hidden_bar = -2.0 * (add_bar_bar * hidden_bar) * hidden
    # `return np.mean((hidden @ params['v'] - y) ** 2)`
    getitem_bar = rt.reshape_like(np.ravel(sub_bar) @ hidden_bar_bar, like=params_v)
    sub_bar_bar = rt.reshape_like(hidden_bar_bar @ np.ravel(params_v), like=sub_bar)
    sub_bar_bar = sub_bar_bar + hidden @ getitem_bar_bar_3
    hidden_bar = hidden_bar + (getitem_bar_bar_3[:, None] * sub_bar).T
    sub_bar_2 = 2.0 * (sub_bar_bar * ratio)
    hidden_bar = hidden_bar + sub_bar_2[:, None] * params_v
    # `hidden = np.tanh(x @ params['w'] + params['b'])`
    add_bar = difference * hidden_bar
    return {
        "w": x_T @ add_bar,
        "b": np.sum(add_bar, axis=0),
        "v": getitem_bar + hidden_T @ sub_bar_2,
    }


def meta_loss_grad(params, x, y, x_new, y_new, rate):
    # forward
    slope, loss_grad_saved = loss_grad_fwd(params, x, y)
    _, loss_saved = loss_fwd(
        params["w"] - rate * slope["w"],
        params["b"] - rate * slope["b"],
        params["v"] - rate * slope["v"],
        x_new,
        y_new,
    )
    # backward
    # `return loss(adapted, x_new, y_new)`
    sub_bar, sub_bar_2, sub_bar_3 = loss_rev(loss_saved, 1.0)
    # `slope = rg.grad(loss)(params, x, y)`
    params_bar_part = {
        "w": -(rate * sub_bar),
        "b": -(rate * sub_bar_2),
        "v": -(rate * sub_bar_3),
    }
    params_bar = loss_grad_rev(loss_grad_saved, params_bar_part)
    return rt.match(
        rt.add(params_bar, {"w": sub_bar, "b": sub_bar_2, "v": sub_bar_3}), params
    )
