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
"""Derivative of `meta_loss` in adapted_in_one_step.py, line 14: reverse mode, with
respect to params.

For arguments params: {'w': f8[params_w_0, params_w_1], 'b': f8[params_b_0], 'v':
f8[params_v_0]}, x: f8[x_0, x_1], y: f8[y_0], x_new: f8[x_new_0, x_new_1], y_new:
f8[y_new_0], rate: float.

Written by retrograd 0.1.0 (source cdac8356). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad_fwd(params, x, y):
    hidden = np.tanh(x @ params["w"] + params["b"])  # line 10
    params_part = params["v"]                        # line 11
    product = hidden @ params_part
    difference = product - y
    ratio = 1.0 / difference.size
    sub_bar = 2.0 * difference * ratio
    hidden_T = hidden.T
    hidden_bar = sub_bar[:, None] * params_part
    difference = 1.0 - hidden * hidden               # line 10
    add_bar = difference * hidden_bar
    x_T = x.T
    parts = {"w": x_T @ add_bar, "b": np.add.reduce(add_bar), "v": hidden_T @ sub_bar}
    params_bar = rt.match(parts, params)
    saved = (
        parts,
        x,
        add_bar,
        difference,
        hidden_bar,
        hidden,
        sub_bar,
        params_part,
        ratio,
        product,
        hidden_T,
        x_T,
    )
    return params_bar, saved


def loss_fwd(params_w, params_b, params_v, x, y):
    hidden = np.tanh(x @ params_w + params_b)  # line 10
    difference = hidden @ params_v - y         # line 11
    power = difference ** 2
    saved = difference, hidden, params_v, x
    return np.add.reduce(power) / power.size, saved


def loss_rev(saved, result):
    difference, hidden, params_v, x = saved
    sub_bar = 2.0 * difference * (result / difference.size)  # line 11
    params_v_bar = hidden.T @ sub_bar
    hidden_bar = sub_bar[:, None] * params_v
    add_bar = (1.0 - hidden * hidden) * hidden_bar  # line 10
    params_b_bar = np.add.reduce(add_bar)
    params_w_bar = x.T @ add_bar
    return params_w_bar, params_b_bar, params_v_bar


def loss_grad_rev(saved, result):
    (
        parts,
        x,
        add_bar,
        difference,
        hidden_bar,
        hidden,
        sub_bar,
        params_part,
        ratio,
        product,
        hidden_T,
        x_T,
    ) = saved
    bundle_bar = rt.unmatch(result, parts)
    getitem_bar_bar = bundle_bar["w"]
    getitem_bar_bar_2 = bundle_bar["b"]
    getitem_bar_bar_3 = bundle_bar["v"]
    # line 10
    add_bar_bar = x @ getitem_bar_bar + rt.stretch(getitem_bar_bar_2, add_bar)
    hidden_bar_bar = rt.unbroadcast(difference * add_bar_bar, hidden_bar)
    sub_bar_bar = (
        rt.reshape_like(hidden_bar_bar @ np.ravel(params_part), like=sub_bar)
        + hidden @ getitem_bar_bar_3
    )                                  # line 11
    hidden_bar = (
        -2 * rt.unbroadcast(add_bar_bar * hidden_bar, difference) * hidden
        + np.outer(getitem_bar_bar_3, sub_bar).T
    )
    matmul_bar = rt.unbroadcast(2 * (sub_bar_bar * ratio), product)
    getitem_bar = (
        rt.reshape_like(np.ravel(sub_bar) @ hidden_bar_bar, like=params_part)
        + hidden_T @ matmul_bar
    )
    hidden_bar = hidden_bar + matmul_bar[:, None] * params_part
    add_bar = difference * hidden_bar  # line 10
    return {"w": x_T @ add_bar, "b": np.add.reduce(add_bar), "v": getitem_bar}


def meta_loss_grad(params, x, y, x_new, y_new, rate):
    # forward
    slope, loss_grad_saved = loss_grad_fwd(params, x, y)  # line 15
    _, loss_saved = loss_fwd(
        params["w"] - rate * slope["w"],
        params["b"] - rate * slope["b"],
        params["v"] - rate * slope["v"],
        x_new,
        y_new,
    )                                                     # line 17
    # backward
    sub_bar, sub_bar_2, sub_bar_3 = loss_rev(loss_saved, 1.0)
    # line 15
    parts = {"w": -(rate * sub_bar), "b": -(rate * sub_bar_2), "v": -(rate * sub_bar_3)}
    params_bar = loss_grad_rev(loss_grad_saved, parts)
    return rt.match(
        rt.add(params_bar, {"w": sub_bar, "b": sub_bar_2, "v": sub_bar_3}), params
    )
