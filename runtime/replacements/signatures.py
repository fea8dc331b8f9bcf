"""Arguments that a signature has bound to its parameters, as a program over dicts.

What is bound is known when a program is compiled: see ``compiler/lowering/opaque/bound_signatures.py``.
"""

from __future__ import annotations

from typing import Any

__all__ = ["BoundArguments"]


class BoundArguments:
    """`inspect.BoundArguments`: the arguments as given, and with the defaults of the others."""

    def __init__(self, arguments: dict[str, Any], whole: dict[str, Any]) -> None:
        self.arguments = arguments
        self.whole = whole

    def apply_defaults(self) -> None:
        self.arguments = self.whole
