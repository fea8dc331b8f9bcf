"""What code does with names of other functions and of its module, and which lines it stands in."""

from __future__ import annotations

import dis
import functools
import types
from typing import Any

from .own_attributes import own_attribute

__all__ = ["holds_place", "is_filled", "stored_names", "writes_globals"]


def is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


@functools.lru_cache(maxsize=4096)
def stored_names(code: types.CodeType) -> frozenset[str]:
    """The names of enclosing functions that a function, or one inside it, binds."""
    found = {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_DEREF"}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= stored_names(inner)
    return frozenset(found)


@functools.lru_cache(maxsize=4096)
def writes_globals(code: types.CodeType) -> bool:
    """True if a function, or one inside it, binds global names: a copy would bind its own."""
    if any(i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") for i in dis.get_instructions(code)):
        return True
    return any(writes_globals(c) for c in code.co_consts if isinstance(c, types.CodeType))


def holds_place(function: Any, place: Any) -> bool:
    """True if a place, a file and a line, is in the text of a function."""
    code = own_attribute(function, "__code__")
    if place is None or code is None:
        return False
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return bool(place.file == code.co_filename and min(lines) <= place.line <= max(lines))
