"""Registers every family of the rule book (NumPy only; nothing else is imported)."""

from . import batches  # noqa: F401
from .numpy import (  # noqa: F401
    arithmetic,
    complex_scalar,
    containers,
    creation,
    cumulative,
    element_positions,
    elementary,
    exact_zero,
    fft,
    functional_writes,
    grids,
    helpers,
    indexing,
    joining,
    lists,
    operators,
    polynomials,
    python_math,
    reductions,
    shaping,
    without_rules,
)
from .numpy.linalg import contractions, dimensions, eigen, least_squares, norms, products, solve  # noqa: F401
from .numpy.networks import layers, windows  # noqa: F401
from .numpy.statistics import (  # noqa: F401
    covariance,
    curves,
    histograms,
    quantiles,
    row_statistics,
    sorting,
)
