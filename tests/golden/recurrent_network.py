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
"""Derivative of `loss` in recurrent_network.py, line 7: reverse mode, with respect to
params.

For arguments params: {'Wxh': f8[params_Wxh_0, params_Wxh_1], 'Whh': f8[params_Whh_0,
params_Whh_1], 'bh': f8[params_bh_0], 'Why': f8[params_Why_0, params_Why_1], 'by':
f8[params_by_0]}, xs: f8[xs_0, xs_1], targets: [int, int, int, int].

Written by retrograd 0.1.0 (source ac14191b). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(params, xs, targets):
    # forward
    params_part = params["Whh"]  # line 8
    shape = params_part.shape
    h = np.zeros(shape[0])
    xs_length = len(xs)
    tape = []
    for x, target in zip(xs, targets):  # line 10
        h_2 = np.tanh(params["Wxh"] @ x + params_part @ h + params["bh"])  # line 11
        y = params["Why"] @ h_2 + params["by"]  # line 12
        peak = np.maximum.reduce(y)             # line 13
        p = np.exp(y - peak)
        p_part = p[target]                      # line 14
        tape.append((h, y, peak, p, p_part, p_part / np.add.reduce(p)))
        h = h_2
    # backward
    total_bar = 1.0 / xs_length            # line 15
    by_bar = np.zeros(params["by"].shape)  # line 10
    params_part_2 = params["Why"]
    Why_bar = np.zeros(params_part_2.shape)
    bh_bar = np.zeros(params["bh"].shape)
    getitem_bar = np.zeros(shape)
    Wxh_bar = np.zeros(params["Wxh"].shape)
    h_bar = np.zeros(h.shape)
    for k, (h_2, y, peak, p, p_part, ratio) in zip(
        reversed(range(min(xs_length, len(targets)))), reversed(tape)
    ):
        x = xs[k]
        target = targets[k]
        ratio_2 = total_bar / p_part           # line 14
        p_bar = rt.stretch(ratio * ratio_2, p)
        p_bar = rt.copy(p_bar)
        p_bar[target] -= ratio_2
        sub_bar = rt.mul0(p_bar, p)            # line 13
        y_bar = sub_bar - rt.share_ties(peak, y) * np.add.reduce(sub_bar)
        by_bar += y_bar                        # line 12
        h_bar = h_bar + params_part_2.T @ y_bar
        Why_bar += y_bar[:, None] * h
        add_bar = (1.0 - h * h) * h_bar        # line 11
        bh_bar += add_bar
        h_bar = params_part.T @ add_bar
        add_bar_part = add_bar[:, None]
        getitem_bar += add_bar_part * h_2
        Wxh_bar += add_bar_part * x
        h = h_2
    params_bar = rt.match(
        {
            "Wxh": Wxh_bar,
            "Whh": getitem_bar,
            "bh": bh_bar,
            "Why": Why_bar,
            "by": by_bar,
        },
        params,
    )
    return params_bar
