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
"""Derivative of `fall` in global_constants.py: reverse mode, with respect to height.

For arguments height: float, drag: float.

Written by retrograd 0.2.0 (source 36a4be55). Change the function, not this file.
"""

import numpy as np

GRAVITY = 9.81


def fall_grad(height, drag):
    # forward
    time = np.sqrt(2 * height / GRAVITY)
    exp = np.exp(-drag * height)
    # backward
    # `return np.sum(WEIGHTS * time) * np.exp(-drag * height) + WEIGHTS[1] * height`
    height_bar = WEIGHTS[1] - drag * (exp * np.sum(WEIGHTS * time))
    time_bar = np.sum(WEIGHTS, axis=0) * exp
    # `time = np.sqrt(2 * height / GRAVITY)`
    height_bar += 2 * (time_bar / (2 * time) / GRAVITY)
    return float(height_bar)
