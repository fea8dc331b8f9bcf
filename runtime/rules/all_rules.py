"""Registers every family of the rule book (NumPy only; nothing else is imported)."""

from .numpy import (  # noqa: F401
    arithmetic,
    complex_scalar,
    creation,
    elementary,
    fourier,
    grids,
    guarded,
    indexing,
    joining,
    linear,
    lists,
    places,
    polynomials,
    reductions,
    running,
    scalar,
    shaping,
    trees,
    writing,
)
from .numpy.linalg import contractions, eigen, least, linalg, norms, products  # noqa: F401
from .numpy.statistics import curves, quantiles, rows, sorting, statistics  # noqa: F401
