"""The same for a sum that is kept in a container, and for a loop within a loop."""

import numpy as np


def main(x):
    d = {"acc": np.zeros(4)}
    for k in range(3):
        d["acc"] += x * k
        for j in range(2):
            d["acc"] = d["acc"] * 0.5 + x * j
        d["acc"] = d["acc"] + x
    d["acc"] += x
    return np.sum(d["acc"] ** 3)


ARGS = (np.linspace(0.3, 1.7, 4),)
WRT = (0,)
