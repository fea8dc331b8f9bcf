"""Statements and names that are made here, and not written by a user."""

from __future__ import annotations

from typing import Any

import gast

__all__ = ["at", "hidden", "load", "set_to", "spoken"]


def hidden(name: str, k: int) -> str:
    """A name that no user can write: the ``k``-th ``name`` of a function."""
    return f"${name}.{k}"


def spoken(name: str) -> str:
    """The name in the text of a hidden name.

    >>> spoken("$broke.2"), spoken("$result"), spoken("x.1")
    ('broke', 'result', 'x')
    """
    return name.lstrip("$").partition(".")[0]


def at(made: Any, node: Any) -> Any:
    """A made statement stands where the user's node stands."""
    return gast.fix_missing_locations(gast.copy_location(made, node))


def load(name: str) -> Any:
    return gast.Name(id=name, ctx=gast.Load(), annotation=None, type_comment=None)


def set_to(name: str, value: Any, node: Any) -> Any:
    target = gast.Name(id=name, ctx=gast.Store(), annotation=None, type_comment=None)
    constant = gast.Constant(value=value, kind=None)
    return at(gast.Assign(targets=[target], value=constant, type_comment=None), node)
