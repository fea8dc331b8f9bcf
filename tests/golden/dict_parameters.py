"""Parameters in a dict, with a dict inside; the gradient is a dict."""
# differentiate: loss wrt params

import numpy as np


def loss(params, x, y):
    h = np.tanh(x @ params["hidden"]["w"] + params["hidden"]["b"])
    residual = h @ params["out"] - y
    return np.sum(residual**2) + params["decay"] * np.sum(params["out"] ** 2)


def arguments():
    rng = np.random.default_rng(8)
    hidden = {"w": rng.normal(size=(2, 3)), "b": rng.normal(size=3)}
    params = {"hidden": hidden, "out": rng.normal(size=3), "decay": 0.1}
    return params, rng.normal(size=(4, 2)), rng.normal(size=4)


# output
"""Derivative of `loss` in dict_parameters.py: reverse mode, with respect to params.

For arguments params: {'hidden': {'w': f8[params_hidden_w_0, params_hidden_w_1], 'b':
f8[params_hidden_b_0]}, 'out': f8[params_out_0], 'decay': float}, x: f8[x_0, x_1], y:
f8[y_0].

Written by retrograd 0.2.0 (source 4182780f). Change the function, not this file.
"""

import numpy as np


def loss_grad(params, x, y):
    # forward
    params_hidden = params["hidden"]
    h = np.tanh(x @ params_hidden["w"] + params_hidden["b"])
    params_out = params["out"]
    residual = h @ params_out - y
    # backward
    # `return np.sum(residual ** 2) + params['decay'] * np.sum(params['out'] ** 2)`
    residual_bar = 2.0 * residual
    # `residual = h @ params['out'] - y`
    h_bar = residual_bar[:, None] * params_out
    # `h = np.tanh(x @ params['hidden']['w'] + params['hidden']['b'])`
    add_bar = (1.0 - h * h) * h_bar
    return {
        "hidden": {"w": x.T @ add_bar, "b": np.sum(add_bar, axis=0)},
        "out": 2 * params["decay"] * params_out + h.T @ residual_bar,
        "decay": float(np.sum(params_out**2)),
    }
