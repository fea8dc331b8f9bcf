"""Reasons why a region stays NumPy."""

from __future__ import annotations

from typing import Any

__all__ = ["SeveralKinds", "Unsupported", "WrittenArgument"]


class Unsupported(Exception):
    """A construct that the loop IR cannot take; the region stays NumPy.

    ``lines``: of the statements that it stands in, inner ones first;
    ``name``: the argument that it is.
    """

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason)
        self.reason, self.name = reason, name
        self.lines: list[int] = []
        self.place: int | None = None  # of the result

    @property
    def line(self) -> int | None:
        return self.lines[0] if self.lines else None


class SeveralKinds(Unsupported):
    """The items of a list that was made at the place ``key`` are of several kinds.

    It may be read once more: with what is None in some of them (``specs``) as what may be missing, or
    with the items known one by one.
    """

    def __init__(self, reason: str, key: int, specs: tuple[Any, Any] | None = None) -> None:
        super().__init__(reason)
        self.key, self.specs = key, specs


class NothingAppended(Unsupported):
    """An item is read of a list whose items are not known yet."""

    def __init__(self, arena: Any) -> None:
        super().__init__("a list that nothing was appended to")
        self.arena = arena


class WrittenArgument(Exception):
    """An argument is written to: it is read once more, with a copy of the buffer ``name`` in its place."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
