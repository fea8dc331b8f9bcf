"""Shares subexpressions and drops dead code: what every transformation is followed by."""

from __future__ import annotations

from ...ir.operations import Function
from .common_subexpressions import shared
from .dead_code import eliminate

__all__ = ["polish"]


def polish(function: Function) -> Function:
    """The passes after a transformation: share, drop."""
    eliminate(function)
    return eliminate(function) if shared(function) else function
