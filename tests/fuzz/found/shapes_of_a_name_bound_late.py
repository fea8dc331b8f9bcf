"""A name first bound in a loop, to arrays of another shape than the one before."""
import numpy as np

def main(d_bar, t_bar, c, acc):
    for step, xi in zip(d_bar, d_bar):
        w = d_bar
        for m, j in zip(range(1, 9), step):
            w = np.full((3, 1), step.mean())
    return w.mean()

ARGS = (np.array([-0.329, -0.902, 0.47, -1.338, -0.82, 0.605, -0.098, 0.196, -0.223]).reshape((3, 3)), 2, np.array([0.783, -1.341, -0.205]), np.array([0.088, -1.346, 0.897]),)
WRT = (0, 2, 3)
