"""One helper called twice with different arguments."""
# differentiate: distance wrt p, q

import numpy as np


def warp(point, twist):
    x, y = point
    angle = twist * (x * x + y * y)
    return x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)


def distance(p, q, twist):
    a, b = warp(p, twist)
    c, d = warp(q, -twist)
    return np.hypot(a - c, b - d)


def arguments():
    return (0.5, 1.0), (-0.7, 0.4), 0.3
