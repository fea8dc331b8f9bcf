"""Arrays that a function nobody has read was given, or gave: it may keep them, and sees what is written to them."""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import MutationError

from ...analyses.aliasing.views_and_copies import Cell
from ...ir.operations import Operand, Value, values_in
from ..interface.lowerer import Lowerer

__all__ = ["HandedArrays"]


class HandedArrays:
    """Their memories, each with what may keep it."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.keepers: dict[Cell, str] = {}

    def hand_over(self, given: Operand, keeper: str) -> None:
        """``keeper`` is given this."""
        versions = self.lowerer.versions
        for v in values_in(given):
            if versions.may_be_array(v):
                self.keepers.setdefault(versions.place_of(v).cell, keeper)

    def keeper_of(self, v: Any) -> str | None:
        """What may keep the memory of a value."""
        cell = self.lowerer.versions.memory.cells.get(v) if self.keepers else None
        if cell is None:
            return None
        return next((self.keepers[c] for c in (cell, *cell.near) if c in self.keepers), None)

    def check_write(self, target: Value, name: str, value: Operand, node: gast.AST) -> None:
        """Refuse to write an active value where somebody may look for it whom nobody follows."""
        keeper = self.keeper_of(target)
        if keeper is not None and not self.lowerer.inactive.is_inert(value):
            raise MutationError(
                f"`{keeper}` is not compiled and may keep `{name}`, which is written to here",
                place=self.scope.place(node), fix="write to a copy, or give it one (`.copy()`)",
            )  # fmt: skip
