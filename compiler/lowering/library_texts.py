"""Whether functions of NumPy and SciPy without a rule are compiled from their own text, and which were left as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["LibraryTexts"]


@dataclass
class LibraryTexts:
    """One attempt to compile a program: a first one leaves such functions, a second one reads them."""

    read: bool = False
    left: dict[Any, None] = field(default_factory=dict)
