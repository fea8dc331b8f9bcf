"""A zero tangent was made from the shape of a result that no iteration had returned."""

import numpy as np

SCALE = 1.156


def helper0(size):
    t_2 = (3, 3)
    for i, row in zip(size, t_2):
        if SCALE < 0.865:
            return np.sqrt(1.0 + (np.ones((2,)) ** 2) ** 2)
    return 1


def main(minus, value, d_bar, h):
    value = value / helper0(d_bar * np.linspace(-1.0, 0.525, 1))
    return np.sum(value)


ARGS = (
    1.437,
    np.array([-1.477, 1.201]),
    -1.435,
    0.842,
)
WRT = (0, 1, 2, 3)
