"""Shapes of curves given by points."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...ir.types import Array, Type, kind_of
from .linalg import floating, results
from .shaping import as_array, dims_of
from .table import shape


@shape(np.interp)
def _(x: Type, xp: Type, fp: Type, *_args: Any, **_kwargs: Any) -> Type:
    """The shape of ``x``; always of double precision."""
    kind = kind_of(as_array(fp))
    name = {None: None, "c": "complex128"}.get(kind, "float64")
    return Array(name, dims_of(x), kind if name is None else np.dtype(name).kind)


@shape(linear.interp_places)
def _(x: Type, xp: Type) -> Type:
    return Array(np.dtype(np.intp).name, dims_of(x), "i")


@shape(linear.interp_inside, linear.interp_uses)
def _(x: Type, xp: Type, left: Any = None, right: Any = None) -> Type:
    return floating(x, dims_of(x))


@shape(np.histogram)
def _(a: Type, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Type:
    """A vector of counts, and one of edges, which is longer by one."""
    n = bins if type(bins) is int else None
    plain = weights is None and density in (None, False)
    counts = Array(np.dtype(np.intp).name if plain else None, (n,), "i" if plain else None)
    return results(counts, Array(None, (None if n is None else n + 1,)))
