"""Registers the shape functions of every family."""

from . import (  # noqa: F401
    creation,
    curves,
    eigen,
    elementwise,
    fft,
    guarded,
    helpers,
    indexing,
    joining,
    linalg,
    lists,
    products,
    reductions,
    rows,
    shaping,
)
from .table import SHAPES

__all__ = ["SHAPES"]
