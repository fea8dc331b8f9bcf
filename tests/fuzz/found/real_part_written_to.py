"""The tangent of what is complex by a sum with ``0j`` is real; a complex one was written into it."""

import numpy as np


def main(x, v):
    x = 1j * x
    y = x
    w = v
    d = {"q": w, "r": x}
    d["q"] = x
    for k in range(2):
        d["q"], w = (np.abs(y), d["q"] * d["r"])
        y = np.real(w) + 0j
        for n in range(1, len(y)):
            y[n] = y[n - 1] * 0.5 + x[n]
    out = np.sum((w + 1j * d["q"]) * np.conj(x))
    return out.real


ARGS = (np.array([0.361, 0.643, 0.803, -0.259]), np.array([1.064, -0.165, -0.701, 0.949]))
WRT = (0, 1)
