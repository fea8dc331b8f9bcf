"""What makes the compiler begin anew: a container of the arguments is written to."""

from __future__ import annotations

from typing import Any

import gast

from ...ir.operations import Value

__all__ = ["Reopen"]


class Reopen(Exception):
    """A container that came with the arguments is written to: lower again, its content in a cell."""

    def __init__(self, value: Value | tuple[Any, ...], key: Any, node: gast.AST) -> None:
        self.value, self.key, self.node = value, key, node
