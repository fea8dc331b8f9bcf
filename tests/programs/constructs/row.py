"""How a row of the table of constructs is written down."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

__all__ = ["CONSTRUCTS", "XS", "Construct", "add"]


@dataclass(frozen=True)
class Construct:
    """``source`` defines ``f``; with ``error`` it is refused by that class, ``instead`` is what to write."""

    group: str
    name: str
    source: str
    error: str = ""
    instead: str = ""
    args: tuple[Any, ...] = (0.7,)


CONSTRUCTS: list[Construct] = []
XS = ([0.3, 1.2, 0.8],)


def add(
    group: str, name: str, source: str, error: str = "", instead: str = "", args: Any = (0.7,)
) -> None:
    made = Construct(group, name, textwrap.dedent(source).strip() + "\n", error, instead, args)
    CONSTRUCTS.append(made)
