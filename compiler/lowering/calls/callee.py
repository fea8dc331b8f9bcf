"""A function of the program as a call of it sees it: in the caller's names of dimensions and of containers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...analyses.shapes.infer import type_of
from ...ir.operations import Function
from ...ir.types import Type, rename
from .arguments_and_results import values_of

__all__ = ["Callee"]


@dataclass
class Callee:
    """One function compiled for one kind of arguments."""

    function: Function
    names: dict[str, str] = field(default_factory=dict)  # our canonical dims -> the caller's
    cells: dict[int, int] = field(default_factory=dict)  # our containers -> the caller's

    def result_tree(self) -> Any:
        return self.function.tree

    def result_types(self) -> list[Type]:
        known = [type_of(y) for y in self.function.body.yields]
        return known or [None] * len(list(values_of(self.function.tree)))

    def outward(self, kind: Type) -> Type:
        """A result type in the caller's names of dimensions."""
        return rename(kind, lambda name: self.names.get(name))
