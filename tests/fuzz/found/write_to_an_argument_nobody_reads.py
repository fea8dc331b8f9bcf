"""A dead write to an argument, where a name is bound for a tangent: it is made nevertheless."""

import numpy as np
STEPS = 2

def main(c, a, p, j):
    for yi in c:
        saved = np.ones((4, 3)).mean(axis=1)
    saved[:] = np.min(c.mean() * np.linspace(-1.0, 1.176, 4).reshape((4, 1)), axis=1)
    p[0, STEPS], p = (p[1, STEPS % 3], p)
    y = saved.mean()
    return y

ARGS = (np.array([-0.076]).reshape((1, 1)), {'w': 1.043, 'b': 1.434}, np.array([0.947, 0.336, 0.207, -1.438, -0.443, -0.087]).reshape((2, 3)), (np.array([0.064, 0.483]), 0.211),)
WRT = (0, 1, 2, 3)
