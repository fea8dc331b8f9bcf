"""Parameters are a list of pairs looped over; the gradient has the same structure."""
# differentiate: loss wrt params

import numpy as np


def loss(params, x, y):
    h = x
    for w, b in params:
        h = np.tanh(h @ w + b)
    return np.mean((h - y) ** 2)


def arguments():
    rng = np.random.default_rng(1)
    sizes = [(3, 4), (4, 4), (4, 2)]
    params = [(rng.normal(size=size), rng.normal(size=size[1])) for size in sizes]
    return params, rng.normal(size=(5, 3)), rng.normal(size=(5, 2))


# output
"""Derivative of `loss` in mlp.py, line 7: reverse mode, with respect to params.

For arguments params: [(f8[params_0_0_0, params_0_0_1], f8[params_0_1_0]),
(f8[params_1_0_0, params_1_0_1], f8[params_1_1_0]), (f8[params_2_0_0, params_2_0_1],
f8[params_2_1_0])], x: f8[x_0, x_1], y: f8[y_0, y_1].

Written by retrograd 0.1.0 (source 6e135b7a). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(params, x, y):
    # forward
    h = x
    tape = []
    for w, b in params:  # line 9
        tape.append(h)
        h = np.tanh(h @ w + b)  # line 10
    difference = h - y                  # line 11
    # backward
    params_bar = rt.zeros_like(params)  # line 9
    h_bar = 2.0 * difference * (1.0 / difference.size)
    for k, h_2 in zip(reversed(range(len(params))), reversed(tape)):
        w = params[k][0]
        add_bar = (1.0 - h * h) * h_bar  # line 10
        b_bar = np.add.reduce(add_bar)
        w_bar = h_2.T @ add_bar
        h_bar = add_bar @ w.T
        params_bar = rt.index_add(params_bar, k, (w_bar, b_bar))
        h = h_2
    return params_bar
