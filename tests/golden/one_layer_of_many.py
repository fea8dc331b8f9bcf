"""A network of which one weight matrix is trained: a path inside the containers is differentiated."""
# differentiate: loss wrt net['layers'][1].w

from typing import NamedTuple

import numpy as np


class Layer(NamedTuple):
    w: np.ndarray
    b: np.ndarray


def apply(layer, x):
    return np.tanh(x @ layer.w + layer.b)


def loss(net, x, y):
    for layer in net["layers"]:
        x = apply(layer, x)
    return np.mean((x - y) ** 2) * net["scale"]


def arguments():
    rng = np.random.default_rng(3)
    sizes = [(3, 4), (4, 2), (2, 2)]
    layers = [Layer(rng.normal(size=s), rng.normal(size=s[1])) for s in sizes]
    return {"layers": layers, "scale": 2}, rng.normal(size=(5, 3)), rng.normal(size=(5, 2))


# output
"""Derivative of `loss` in one_layer_of_many.py: reverse mode, with respect to
net['layers'][1].w.

For arguments net: {'layers': [Layer, Layer, Layer], 'scale': int}, x: f8[x_0, x_1], y:
f8[y_0, y_1].

Written by retrograd 0.2.0 (source e503206b). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def loss_grad(net, x, y):
    # forward
    layers = net["layers"]
    net_1 = layers[1]
    w = net_1.w
    net_0 = layers[0]
    b = net_1.b
    net_2 = layers[2]
    scale = net["scale"]
    x = np.tanh(x @ net_0.w + net_0.b)
    x_2 = np.tanh(x @ w + b)
    net_2_part = net_2.w
    product = x_2 @ net_2_part
    x_3 = np.tanh(product + net_2.b)
    # backward
    # `x = apply(layer, x)`
    add_bar = (1.0 - x_3 * x_3) * (2.0 * (x_3 - y) * (1.0 * scale / y.size))
    x_bar = rt.unbroadcast(add_bar, product) @ net_2_part.T
    return x.T @ ((1.0 - x_2 * x_2) * x_bar)
