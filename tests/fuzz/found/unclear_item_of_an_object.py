"""An object with an item of which it is not known whose memory it is, handed to its property (for any arguments)."""

import numpy as np


class Box:
    def __init__(self, start):
        self.total = start
        self.items = [start]

    def damp(self, c):
        self.total = self.total * np.tanh(c)
        return self.total

    @property
    def last(self):
        return self.items[-1]


def main(x, t=-0.375):
    box = Box(t * t)
    try:
        t = box.damp(t**2)
        t += x[1]
    except (ValueError, ZeroDivisionError):
        return 1.2
    return box.last * t


ARGS = (np.array([1.0, 1.205]), -0.784)
WRT = (0, 1)
