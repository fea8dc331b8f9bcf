"""The adjoint of a matrix product was not cast to the kind of a matrix of unknown kind."""

import numpy as np


def main(x):
    u = x
    z = x
    d = {"q": z, "r": z}
    for j in range(3):
        x = (d["r"] - (x * 0.0 + z[0])) @ u
        u = u + 0j
    for j in range(2):
        if j > 0:
            d["q"] = u * j
        else:
            d["r"] = x * d["q"] @ d["q"][::-1]
    parts = d["r"]
    out = np.sum(parts[-1])
    return out.real


ARGS = (np.array([0.632, 0.419, 0.552, -0.495]).reshape(2, 2),)
WRT = (0,)
