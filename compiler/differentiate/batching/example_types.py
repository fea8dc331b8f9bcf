"""The types of batches."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import replace

from ...ir.types import Array, Number, Numeric, Size, Stack, Tree, dtype_of

__all__ = ["may_differ", "moved_type", "sharper", "wider"]


def may_differ(kind: Any) -> bool:
    """True if values of this type need not have one shape and one structure."""
    if isinstance(kind, Array):
        return kind.dims is None or None in kind.dims
    if isinstance(kind, Tree):
        return any(map(may_differ, kind.items))
    return not isinstance(kind, Number)


def wider(kind: Any, size: Size) -> Any:
    """The type of the batch of a value."""
    if isinstance(kind, Number):
        dtype = dtype_of(kind)
        return (
            Array(dtype, (size,), kind.kind) if not kind.whole else Array(None, (size,), kind.kind)
        )
    if isinstance(kind, Array):
        return kind.with_dims(None if kind.dims is None else (size, *kind.dims))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(wider(i, size) for i in kind.items), known=None)
    if isinstance(kind, Stack):
        return replace(kind, item=wider(kind.item, size))
    if isinstance(kind, Numeric):
        return Array(kind.dtype)
    return None


def sharper(found: Any, known: Any) -> Any:
    """Of two types of one value the one that says more."""
    if not isinstance(found, Array) or not isinstance(known, Array):
        return known if found is None else found
    if found.dims is None or (known.dims is not None and None in found.dims):
        found = found.with_dims(known.dims)
    return found


def moved_type(kind: Any, axis: Any) -> Any:
    """The type of an array whose first axis is at ``axis``."""
    if not isinstance(axis, int) or not isinstance(kind, Array) or kind.dims is None:
        return kind if axis == 0 else None
    first, *rest = kind.dims
    rest.insert(axis if axis >= 0 else len(kind.dims) + axis, first)
    return kind.with_dims(tuple(rest))
