"""What a loop left had been put on its tape an iteration before the last, and was written to."""

import numpy as np

def main(x):
    a = x
    c = x * x
    for k0 in range(2):
        b, c = (c, np.tanh(a))
    b += c
    return np.sum(b)

ARGS = (np.array([0.31, -0.77, 0.52]),)
WRT = (0,)
