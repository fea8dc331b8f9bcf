"""Names of operations, as programs choose among them: ``torch.ops.aten.mm.default``."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any

from ..tensor.registry import FUNCTIONS
from .observers import NAMES

__all__ = ["Operator", "Packet", "ops"]


class Operator:
    """An operation that is recorded by that name; its overloads are one and the same.

    It equals the function of that name.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FunctionType):
            own = FUNCTIONS.get(self.name)
            return own is not None and own in (other, getattr(other, "__wrapped__", None))
        return self is other

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<OpOverload(op='aten.{self.name}', overload='default')>"

    def __str__(self) -> str:
        return f"aten.{self.name}.default"


@cache
def operator(name: str) -> Operator:
    """The one of that name."""
    return Operator(name)


class Packet:
    """The overloads of an operation."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, overload: str) -> Operator:
        if overload.startswith("_"):
            raise AttributeError(overload)
        return operator(self._name)

    def __str__(self) -> str:
        return f"aten.{self._name}"


class Operations:
    """``torch.ops.aten``: the operations that the functions are made of."""

    def __getattr__(self, name: str) -> Packet:
        if name.startswith("__") or (name not in FUNCTIONS and name not in NAMES.values()):
            raise AttributeError(f"'_OpNamespace' 'aten' object has no attribute '{name}'")
        return Packet(name)


class Spaces:
    """``torch.ops``."""

    aten = Operations()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"retrograd.ops has no {name}: it names the operations of torch.ops.aten, for checkpoints to choose among"
        )


ops = Spaces()
