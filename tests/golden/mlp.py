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
"""Derivative of `loss` in mlp.py: reverse mode, with respect to params.

For arguments params: [(f8[params_0_0_0, params_0_0_1], f8[params_0_1_0]),
(f8[params_1_0_0, params_1_0_1], f8[params_1_1_0]), (f8[params_2_0_0, params_2_0_1],
f8[params_2_1_0])], x: f8[x_0, x_1], y: f8[y_0, y_1].

Written by retrograd 0.2.0 (source 6e135b7a). Change the function, not this file.
"""

import numpy as np


def loss_grad(params, x, y):
    # forward
    h = x
    tape = []
    for w, b in params:
        tape.append(h)
        h = np.tanh(h @ w + b)
    h_minus_y = h - y
    # backward
    h_bar = 2.0 * h_minus_y / h_minus_y.size
    params_bar = []
    for h_2, (w, _) in zip(reversed(tape), reversed(params)):
        # `h = np.tanh(h @ w + b)`
        add_bar = (1.0 - h * h) * h_bar
        h_bar = add_bar @ w.T
        params_bar.append((h_2.T @ add_bar, np.sum(add_bar, axis=0)))
        h = h_2
    return params_bar[::-1]
