"""``d["a"] += step()`` where the call binds that item, or another one, anew."""

import numpy as np


class State:
    def __init__(self, n, m):
        self.n = n
        self.m = m


def main(x):
    d = {"a": x * 1.0, "b": x[0]}
    s = State(x[0], x[2])
    u = x * 1.0

    def step(a):
        nonlocal u
        u = a * 3
        d["a"] = a * 2
        d["b"] = x[1] * 5
        s.m = x[1] ** 2
        return x

    d["a"] += step(d["a"])
    u += step(u)
    s.n += np.sum(step(u))
    return np.sum(d["a"] ** 2) * d["b"] + s.n * s.m + np.sum(u**3)


ARGS = (np.linspace(0.3, 0.9, 4),)
WRT = (0,)
