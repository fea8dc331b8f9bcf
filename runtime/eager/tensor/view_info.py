"""Views: which tensor one shows a part of, and how it is made of that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "CUSTOM", "DEFAULT", "INFERENCE", "MULTI_OUTPUT", "NO_GRAD", "Replay", "ViewInfo", "chained", "restored",
]  # fmt: skip

DEFAULT, MULTI_OUTPUT, NO_GRAD, INFERENCE, CUSTOM = range(5)

Replay = Callable[[Any], Any]


class ViewInfo:
    """``replay`` makes the view of the root ``base``; ``version`` is that of the view's own history.

    The root may change its shape in place: ``epoch`` says how often it had when ``first`` made the view.
    """

    __slots__ = ("base", "creation", "epoch", "first", "version")

    def __init__(self, base: Any, replay: Replay, creation: int, version: int) -> None:
        self.base, self.creation, self.version = base, creation, version
        self.replay = replay

    @property
    def replay(self) -> Replay:
        if self.base._more is None:
            return self.first
        undo = restored(self.base)[self.epoch :]
        if not undo:
            return self.first

        def made(base: Any) -> Any:
            for back in reversed(undo):
                base = back(base)
            return self.first(base)

        return made

    @replay.setter
    def replay(self, first: Replay) -> None:
        self.first = first
        self.epoch = 0 if self.base._more is None else len(restored(self.base))


def restored(base: Any) -> list[Replay]:
    """Functions that undo the changes of a root's shape, in the order these were made."""
    return base._more.get("undo", []) if base._more is not None else []


def chained(parent: Any, replay: Replay) -> tuple[Any, Replay]:
    """The root of a view of ``parent``, and how the view is made of it."""
    if parent._view is None:
        return parent, replay
    first = parent._view.replay
    return parent._view.base, lambda base: replay(first(base))
