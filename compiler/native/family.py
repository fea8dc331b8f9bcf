"""The kernels of one function, by kinds of arguments: made when they are first called for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arguments import contiguous, key_of
from .values import Unsupported

__all__ = ["Family"]

MOST = 8  # kernels of one function


class Family:
    """``call`` is what runs a call, best: ``installed`` is told of each change of it.

    ``build(args, fixed, fallback)`` makes a kernel; ``refused(error)`` hears why the first was not
    made: all calls run ``plain`` then.
    """

    def __init__(
        self,
        plain: Callable[..., Any],
        build: Callable[[tuple[Any, ...], bool, Any], Callable[..., Any]],
        installed: Callable[[Callable[..., Any]], None],
        refused: Callable[[Unsupported], None],
    ) -> None:
        self.plain, self.build, self.installed, self.refused = plain, build, installed, refused
        self.known: dict[Any, Callable[..., Any] | None] = {}
        self.first: Any = None  # what the kernel in front is made for
        self.call: Callable[..., Any] = self.begin

    def begin(self, *args: Any) -> Any:
        """The first call."""
        try:
            self.install(self.build(args, True, self.other))
            self.first = key_of(args, fixed=True)
        except Unsupported as error:
            self.install(self.plain)
            self.refused(error)
        return self.call(*args)

    def install(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.installed(call)

    def other(self, *args: Any) -> Any:
        """A call that the kernel in front did not take."""
        flat = contiguous(args)
        if flat is not None:
            return self.call(*flat)
        if key_of(args, fixed=True) == self.first:  # it was taken, and left again
            return self.plain(*args)
        key = key_of(args, fixed=False)
        if key not in self.known and len(self.known) < MOST:
            try:
                self.known[key] = self.build(args, False, self.plain)
            except Unsupported:
                self.known[key] = None
        return (self.known.get(key) or self.plain)(*args)
