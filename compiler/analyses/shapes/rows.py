"""Shape functions of points as rows, and of the sums over them."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Number, Type
from .elementwise import as_type
from .table import shape


@shape(linear.dimension)
def _(mean: Any, cov: Any) -> Type:
    return Number("i")


@shape(linear.covariance)
def _(cov: Any, d: Any) -> Type:
    t = as_type(cov)
    return t if isinstance(t, Array) and t.rank == 2 else None


@shape(linear.points)
def _(x: Any, d: Any) -> Type:
    t = as_type(x)
    return t if isinstance(t, Array) and t.rank is not None and t.rank > 1 else None


@shape(linear.center)
def _(mean: Any, d: Any) -> Type:
    t = as_type(mean)
    return t if isinstance(t, Array) and t.rank == 1 else None


@shape(linear.uncovariance)
def _(c: Any, like: Any) -> Type:
    t, whole = as_type(c), as_type(like)
    return t if isinstance(whole, Array) and whole.rank == 2 else None


@shape(linear.row_scaled)
def _(c: Any, b: Any) -> Type:
    return as_type(b)
