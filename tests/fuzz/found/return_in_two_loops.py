"""The adjoint of what was not returned yet is not read off a tape."""

import numpy as np


def helper1(p, t):
    range_, acc = (t.mean(), -0.838)
    for k in range(p):
        lam = range_
        result = acc
        if np.sum(np.full((2, 3), result)) > 0.96:
            return (result if p == 1 else result) + (lam if p != 2 else acc)
        else:
            pass
        while True:
            return 0.1 + np.var(np.linspace(-1.0, 1.076, 2))


def main(size, x, x_dot, out):
    return helper1(
        p=2,
        t=x.mean() * np.linspace(-1.0, 0.751, 3).reshape((1, 3))
        - np.mean(x.mean() * np.linspace(-1.0, 0.751, 3).reshape((1, 3)), axis=0, keepdims=True),
    )


ARGS = (
    (-0.318, 0.932),
    np.array([1.39, -0.342, 0.983, -0.298, -0.686, 0.109]).reshape((2, 3)),
    (np.array([0.209]), np.array([-1.167, 0.496, 1.29, 1.049, 0.888, 1.157]).reshape((3, 2))),
    4,
)
WRT = (0, 1, 2)
