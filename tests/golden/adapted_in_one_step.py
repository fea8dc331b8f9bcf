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
    product = x @ params_w              # line 10
    hidden = np.tanh(product + params_b)
    product_2 = hidden @ params_v       # line 11
    difference = product_2 - y
    power = difference ** 2
    saved = (
        power, difference, product_2, hidden, params_v, product, params_b, x, params_w
    )
    return np.mean(power), saved


def loss_rev(saved, result):
    (
        power, difference, product, hidden, params_v, product_2, params_b, x, params_w
    ) = saved
    matmul_bar = rt.unbroadcast(
        2 * difference * rt.unreduce(result / rt.count(power), power), product
    )                                             # line 11
    params_v_bar = rt.matmul_pull_right(matmul_bar, hidden, like=params_v)
    hidden_bar = rt.matmul_pull_left(matmul_bar, params_v, like=hidden)
    add_bar = (1 - hidden * hidden) * hidden_bar  # line 10
    params_b_bar = rt.unbroadcast(add_bar, params_b)
    params_w_bar = rt.matmul_pull_right(
        rt.unbroadcast(add_bar, product_2), x, like=params_w
    )
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
    params_part = params["w"]                             # line 16
    product = rate * slope["w"]
    params_part_2 = params["b"]
    product_2 = rate * slope["b"]
    params_part_3 = params["v"]
    product_3 = rate * slope["v"]
    _, loss_saved = loss_fwd(
        params_part - product,
        params_part_2 - product_2,
        params_part_3 - product_3,
        x_new,
        y_new,
    )                                                     # line 17
    # backward
    sub_bar, sub_bar_2, sub_bar_3 = loss_rev(loss_saved, 1.0)
    fill_like_slope = rt.fill_like(
        slope,
        {
            "v": rate * rt.unbroadcast(-sub_bar_3, product_3),
            "b": rate * rt.unbroadcast(-sub_bar_2, product_2),
            "w": rate * rt.unbroadcast(-sub_bar, product),
        },
        attributes=False,
    )                                                     # line 15
    params_bar = loss_grad_rev(loss_grad_saved, fill_like_slope)
    total = rt.add(
        params_bar,
        {
            "w": rt.unbroadcast(sub_bar, params_part),
            "b": rt.unbroadcast(sub_bar_2, params_part_2),
            "v": rt.unbroadcast(sub_bar_3, params_part_3),
        },
    )
    return rt.match(total, params)
