"""Registers the shape functions of every family."""

from . import (  # noqa: F401
    shapes_algebra,
    shapes_creation,
    shapes_curves,
    shapes_eigen,
    shapes_elementwise,
    shapes_fourier,
    shapes_guarded,
    shapes_helpers,
    shapes_indexing,
    shapes_joining,
    shapes_linalg,
    shapes_lists,
    shapes_reductions,
    shapes_rows,
    shapes_shaping,
)  # fmt: skip
from .shapes_table import SHAPES

__all__ = ["SHAPES"]
