"""Numbers and arrays of the module are constants."""
# differentiate: fall wrt height

import numpy as np

GRAVITY = 9.81
WEIGHTS = np.array([0.25, 0.5, 0.25])


def fall(height, drag):
    time = np.sqrt(2 * height / GRAVITY)
    return np.sum(WEIGHTS * time) * np.exp(-drag * height) + WEIGHTS[1] * height


def arguments():
    return 12.0, 0.05


# output
"""Derivative of `fall` in global_constants.py, line 10: reverse mode, with respect to
height.

For arguments height: float, drag: float.

Written by retrograd 0.1.0 (source 36a4be55). Change the function, not this file.
"""

import numpy as np

GRAVITY = 9.81


def fall_grad(height, drag):
    # forward
    time = np.sqrt(2 * height / GRAVITY)   # line 11
    exp = np.exp(-drag * height)           # line 12
    # backward
    time_bar = np.add.reduce(WEIGHTS) * exp
    height_bar = (
        WEIGHTS[1]
        - drag * (exp * np.add.reduce(WEIGHTS * time))
        + 2 * (time_bar / (2 * time) / GRAVITY)
    )                                      # line 11
    return float(height_bar)
