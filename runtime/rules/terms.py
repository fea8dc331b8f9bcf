"""The terms in which calls are written as others: operations of a program, or values in boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

__all__ = ["UNKNOWN", "Terms", "options"]


class Unknown:
    """An argument that is not known before the program runs."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


class Terms(Protocol):
    """The terms of a rewrite, and the few questions that it asks of its operands.

    An operand that is not given is None; constants are written as they are.
    """

    def see(self, op: Any, args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        """The result of an operation, or of a call that is written as others in turn."""

    def several(self, items: list[Any]) -> Any:
        """A tuple of results."""

    def item(self, of: Any, k: int) -> Any:
        """One of several results."""

    def value(self, x: Any) -> Any:
        """The value of an operand that is known before the program runs; else `UNKNOWN`."""

    def items(self, x: Any) -> list[Any] | None:
        """The items of a tuple or list that is written out."""

    def rank(self, x: Any) -> int | None:
        """How many dimensions an operand has, as far as known; that of a list is not."""

    def kind(self, x: Any) -> str | None:
        """The kind of the numbers of an operand, as far as known."""

    def is_python(self, x: Any) -> bool:
        """True if an operand is a number of Python's."""


def options(**named: Any) -> dict[str, Any]:
    """The keywords that are given."""
    return {name: value for name, value in named.items() if value is not None}
