"""Loads every module that enters handlers: whoever reads a text, or asks what can be read, imports it."""

from .helpers import arithmetic, containers, reductions, transposes  # noqa: F401
from .numpy import (  # noqa: F401
    creation,
    diagonals,
    einsum,
    elementwise,
    joining,
    linalg,
    norms,
    products,
    ranges,
    scatter,
    searching,
    shaping,
)
from .python import (  # noqa: F401
    assignments,
    attributes,
    branches,
    builtin_functions,
    calls,
    comprehensions,
    expressions,
    loops,
    operators,
    statements,
    subscripts,
)
