"""Signals: restart lowering with a container opened, or with the result of a call known."""

from __future__ import annotations

from typing import Any

import gast

from ...ir.operations import Value

__all__ = ["Relearn", "Reopen"]


class Anew(Exception):
    """What was taken for known may change while the function runs: lower it without that."""


class Reopen(Exception):
    """A container that came with the arguments is written to: lower again, its content in a cell."""

    def __init__(self, value: Value | tuple[Any, ...] | None, key: Any, node: gast.AST) -> None:
        self.value, self.key, self.node = value, key, node


class Relearn(Exception):
    """What a call gives is to be known: lower again, the call evaluated."""
