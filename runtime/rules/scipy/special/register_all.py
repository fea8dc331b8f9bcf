"""Differentials of ``scipy.special``: the families are in the modules beside, which this one imports."""

from . import bessel, cdf, elementary, elliptic, error, gamma, integrals, polynomials  # noqa: F401
