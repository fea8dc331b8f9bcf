"""Differentials of ``scipy.special``."""

from scipy import special

from .book import constant, rule

constant(special.gammasgn)


@rule(special.expit)
def expit(z, x, *, dx):
    return z * (1 - z) * dx
