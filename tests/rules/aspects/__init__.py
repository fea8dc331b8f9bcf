"""What must hold of every operation: importing this registers all aspects, in the order they are tried in."""

from . import (
    adjoint_modules,
    array_likes,
    calls,
    dependence,
    derivatives,
    directions,
    mixed_kinds,
    tape,
    types,
)  # isort: skip

__all__ = [
    "adjoint_modules", "array_likes", "calls", "dependence", "derivatives", "directions", "mixed_kinds", "tape",
    "types",
]  # fmt: skip
