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
