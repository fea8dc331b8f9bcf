"""A for loop that carries a vector: its states are kept for the way back."""
# differentiate: final wrt w, h

import numpy as np


def final(w, h, steps):
    for _ in range(steps):
        h = np.tanh(w @ h)
    return np.sum(h**2)


def arguments():
    rng = np.random.default_rng(3)
    return rng.normal(size=(3, 3)), rng.normal(size=3), 4
