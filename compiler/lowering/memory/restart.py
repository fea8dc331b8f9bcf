"""Signal: restart lowering with a container opened."""

from __future__ import annotations

from typing import Any

import gast

from ...ir.operations import Value

__all__ = ["Reopen"]


class Anew(Exception):
    """What was taken for known may change while the function runs: lower it without that."""


class Reopen(Exception):
    """A container that came with the arguments is written to: lower again, its content in a cell."""

    def __init__(self, value: Value | tuple[Any, ...], key: Any, node: gast.AST) -> None:
        self.value, self.key, self.node = value, key, node
