"""The tangent of a buffer that is added to in place is memory, not a broadcast number."""
import numpy as np


def main(v, w):
    v = w[1, 1]
    if np.mean(w):
        v = v - w[2][-1]
    return np.mean(w) ** 2 if v else v


ARGS = (-0.154, np.array([[0.909, -0.182, -0.627], [-0.033, 0.589, 0.617], [0.331, -0.533, -0.209]]))
WRT = (0, 1)
