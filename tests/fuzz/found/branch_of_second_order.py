"""Second order of a conditional expression over an item of a dict."""
import numpy as np


def main(x, p):
    return np.sum(x * 0.5 if np.sin(1.297) > 2.0 else np.logaddexp(p["w"], x))


ARGS = (0.7, {"w": np.array([1.222, 1.213]), "b": 1.224})
WRT = (0, 1)
