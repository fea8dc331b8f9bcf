"""Second order: what was added to in place is not saved for what it was before."""
import numpy as np

def main(rt):
    rt = rt - np.tanh(rt)
    for it in rt:
        for item in it:
            return item

ARGS = (np.array([0.76, 1.092, -0.707, -1.068, -0.141, -0.495, 0.912, 0.927, 0.697]).reshape((3, 3)),)
WRT = (0,)
