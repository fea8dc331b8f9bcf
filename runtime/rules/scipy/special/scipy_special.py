"""Differentials of ``scipy.special``: the families are in the modules beside, which this one imports."""

from . import (
    scipy_special_bessel,
    scipy_special_cdf,
    scipy_special_elementary,
    scipy_special_elliptic,
    scipy_special_error,
    scipy_special_gamma,
    scipy_special_integrals,
    scipy_special_polynomials,
)

__all__ = [
    "scipy_special_bessel",
    "scipy_special_cdf",
    "scipy_special_elementary",
    "scipy_special_elliptic",
    "scipy_special_error",
    "scipy_special_gamma",
    "scipy_special_integrals",
    "scipy_special_polynomials",
]
