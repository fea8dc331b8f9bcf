"""A result that one branch returned and another did not, before a loop that may return."""
import numpy as np


SCALE = 1.048


def main(x, k):
    if np.mean(x) > -0.269:
        pass
    else:
        for j in k[1:]:
            return j - SCALE
    left = np.maximum(x * 2.0, 0.1 + x**2)
    for j in reversed(left):
        if SCALE <= -0.542:
            return np.mean(np.ones(2))
        elif SCALE <= -0.651:
            return j / (1.5 + 1.081**2) + SCALE
    return x[0]


ARGS = (np.array([1.081]), np.array([-0.413, -1.384, 0.548]))
WRT = (0, 1)
