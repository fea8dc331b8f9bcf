"""What must hold of every operation; importing this registers all aspects."""

from . import (
    adjoint_modules,
    array_likes,
    calls,
    dependence,
    derivatives,
    directions,
    examples,
    mixed_kinds,
    tape,
    types,
)

__all__ = [
    "adjoint_modules", "array_likes", "calls", "dependence", "derivatives", "directions", "examples", "mixed_kinds", "tape",
    "types",
]  # fmt: skip
