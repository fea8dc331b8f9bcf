"""The type of a module object that a function modifies."""

from __future__ import annotations

import sys
from typing import Any

from retrograd.runtime.arrays.transfers import is_ndarray

from ..ir.lattice import as_type
from ..ir.types import Array, Tree, Type

__all__ = ["containers_of", "kind_of_state"]


def kind_of_state(value: Any) -> tuple[Type, str]:
    """The type of an attribute, sizes left out, and a text that is the same object for equal types."""
    if is_ndarray(value):
        kind: Type = Array(value.dtype.name, (None,) * value.ndim, value.dtype.kind)
        return kind, sys.intern(f"{type(value)} {kind}")
    return as_type(value), sys.intern(f"{type(value)}")


def containers_of(kind: Any) -> int:
    """How many mutable containers an argument of this type may hold; 2 for many."""
    if not isinstance(kind, Tree):
        return 2 if kind is None else 0
    if kind.container == "object" and not kind.keys:
        return 0 if kind.cls in (type(None), str, bytes) else 1
    return int(kind.container != "tuple") + sum(map(containers_of, kind.items))
