"""``-0j`` has no literal."""

import numpy as np

class State:

    def __init__(self, q, r):
        self.q = q
        self.r = r

def main(x):
    x = x * 1j
    u = x
    s = State(u, u)
    x = x + u - s.r
    u += 1j * (x * 0.0 + s.q[1])
    out = np.sum(u * 0.5)
    return out.real

ARGS = (np.array([0.075, 0.647, 0.547, 0.447]),)
WRT = (0,)
