"""Arguments that a signature has bound to its parameters, as a program over dicts.

What is bound is known when a program is compiled: see ``compiler/lowering/opaque/bound_signatures.py``.
"""

from __future__ import annotations

from typing import Any

__all__ = ["BoundArguments"]

BY_NAME = ("KEYWORD_ONLY", "VAR_KEYWORD")


class BoundArguments:
    """`inspect.BoundArguments`: the arguments by their names, and what a call with them would be given."""

    def __init__(
        self, arguments: dict[str, Any], kinds: dict[str, str], defaults: dict[str, Any]
    ) -> None:
        self.arguments = arguments
        self.kinds = kinds
        self.defaults = defaults

    def apply_defaults(self) -> None:
        whole = {}
        for name in self.kinds:
            if name in self.arguments:
                whole[name] = self.arguments[name]
            elif name in self.defaults:
                whole[name] = self.defaults[name]
        self.arguments = whole

    @property
    def args(self) -> tuple[Any, ...]:
        """By position: those before the first that has none, or has to be named."""
        found: tuple[Any, ...] = ()
        going = True
        for name, kind in self.kinds.items():
            going = going and kind not in BY_NAME and name in self.arguments
            if going and kind == "VAR_POSITIONAL":
                found = (*found, *self.arguments[name])
            elif going:
                found = (*found, self.arguments[name])
        return found

    @property
    def kwargs(self) -> dict[str, Any]:
        """By name: those behind."""
        found: dict[str, Any] = {}
        going = True
        for name, kind in self.kinds.items():
            going = going and kind not in BY_NAME and name in self.arguments
            if not going and name in self.arguments and kind == "VAR_KEYWORD":
                found = {**found, **self.arguments[name]}
            elif not going and name in self.arguments:
                found[name] = self.arguments[name]
        return found
