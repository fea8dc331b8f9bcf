"""Results of branches were dropped while names were bound in them."""

import numpy as np


def main(a, t, linear):
    match len:
        case 2:
            pass
        case 0:
            a[::2] = a.mean() * (2, 3)
            t[1, 1], t = (0, 2)
        case _:
            pass
    out = a.mean() * np.linspace(1.0, 0.994, 6).reshape((3, 2))
    for m, row in zip(out, out):
        pass
    else:
        pass
    return row[-1]


ARGS = (
    np.array([0.949, 0.145, -1.139]),
    np.array([-0.11, 0.171]).reshape((1, 2)),
    1.109,
)
WRT = (0, 1, 2)
