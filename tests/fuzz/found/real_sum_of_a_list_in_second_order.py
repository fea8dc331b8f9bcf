"""The adjoint of an adjoint that is known to be real by how it was made."""

import numpy as np


def main(x):
    x = x * (0.5 - 1j)
    u = x.conjugate()
    y = u * np.conj(u)
    parts = [u * y for k in range(2)]
    x = sum(parts)
    out = x.real + u
    return np.abs(out)


ARGS = (1.031,)
WRT = (0,)
