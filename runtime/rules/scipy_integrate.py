"""Differentials of ``scipy.integrate``: integrals of samples."""

import numpy as np
from scipy import integrate

from .. import linear
from .. import linear_scipy_integrate as rt
from .book import rule, transpose


@rule(integrate.trapezoid)
def trapezoid(z, y, x=None, dx=1.0, axis=-1, *, dy, ddx):
    return 0.0
