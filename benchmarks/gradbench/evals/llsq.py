"""``llsq``: half the squared distance of a polynomial from the sign function, on a grid."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function


def half_squares(x, n):
    t = np.linspace(-1.0, 1.0, n)
    powers = np.vander(t, len(x), increasing=True)
    residuals = np.sign(t) - powers @ x
    return 0.5 * np.sum(residuals**2)


def arguments(given):
    return np.array(given["x"]), given["n"]


FUNCTIONS = {
    "primal": Function(lambda backend: half_squares, arguments),
    "gradient": Function(lambda backend: rg.grad(half_squares, backend=backend), arguments),
}
