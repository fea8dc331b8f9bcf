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
