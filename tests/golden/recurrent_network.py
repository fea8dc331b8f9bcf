"""An Elman network over a sequence: the cross entropy of the symbols it predicts."""
# differentiate: loss wrt params

import numpy as np


def loss(params, xs, targets):
    h = np.zeros(params["Whh"].shape[0])
    total = 0.0
    for x, target in zip(xs, targets):
        h = np.tanh(params["Wxh"] @ x + params["Whh"] @ h + params["bh"])
        y = params["Why"] @ h + params["by"]
        p = np.exp(y - np.max(y))
        total -= np.log(p[target] / np.sum(p))
    return total / len(xs)


def arguments():
    rng = np.random.default_rng(21)
    shapes = {"Wxh": (3, 2), "Whh": (3, 3), "bh": 3, "Why": (2, 3), "by": 2}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return params, rng.normal(size=(4, 2)), [0, 1, 1, 0]


# output
"""Derivative of `loss` in recurrent_network.py: reverse mode, with respect to params.

For arguments params: {'Wxh': f8[params_Wxh_0, params_Wxh_1], 'Whh': f8[params_Whh_0,
params_Whh_1], 'bh': f8[params_bh_0], 'Why': f8[params_Why_0, params_Why_1], 'by':
f8[params_by_0]}, xs: f8[xs_0, xs_1], targets: [int, int, int, int].

Written by retrograd 0.2.0 (source ac14191b). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(params, xs, targets):
    # forward
    params_Whh = params["Whh"]
    h = np.zeros(params_Whh.shape[0])
    tape = []
    for x, target in zip(xs, targets):
        h_prev = h
        h = np.tanh(params["Wxh"] @ x + params_Whh @ h + params["bh"])
        y = params["Why"] @ h + params["by"]
        peak = np.max(y)
        p = np.exp(y - peak)
        p_target = p[target]
        tape.append((h_prev, y, peak, p, p_target, p_target / np.sum(p)))
    # backward
    # `return total / len(xs)`
    total_bar = 1.0 / len(xs)
    by_bar = np.zeros(params["by"].shape)
    params_Why = params["Why"]
    Why_bar = np.zeros(params_Why.shape)
    bh_bar = np.zeros(params["bh"].shape)
    getitem_bar = np.zeros(params_Whh.shape)
    Wxh_bar = np.zeros(params["Wxh"].shape)
    h_bar = np.zeros(h.shape)
    for k, (h_prev, y, peak, p, p_target, ratio) in zip(
        reversed(range(min(len(xs), len(targets)))), reversed(tape)
    ):
        x = xs[k]
        target = targets[k]
        # `total -= np.log(p[target] / np.sum(p))`
        getitem_bar_part = total_bar / p_target
        p_bar = rt.stretch(ratio * getitem_bar_part, p)
        p_bar = rt.copy(p_bar)
        p_bar[target] -= getitem_bar_part
        # `p = np.exp(y - np.max(y))`
        sub_bar = rt.mul0(p_bar, p)
        y_bar = sub_bar - rt.share_ties(peak, y) * np.sum(sub_bar)
        # `y = params['Why'] @ h + params['by']`
        by_bar += y_bar
        h_bar = h_bar + params_Why.T @ y_bar
        Why_bar += y_bar[:, None] * h
        # `h = np.tanh(params['Wxh'] @ x + params['Whh'] @ h + params['bh'])`
        add_bar = (1.0 - h * h) * h_bar
        bh_bar += add_bar
        h_bar = params_Whh.T @ add_bar
        getitem_bar_part_2 = add_bar[:, None]
        getitem_bar += getitem_bar_part_2 * h_prev
        Wxh_bar += getitem_bar_part_2 * x
        h = h_prev
    return {
        "Wxh": Wxh_bar,
        "Whh": getitem_bar,
        "bh": bh_bar,
        "Why": Why_bar,
        "by": by_bar,
    }
