"""How often somebody has said something new of derivatives: what was made before may be out of date."""

from __future__ import annotations

__all__ = ["added", "note"]

count = 0
added: list[str] = []  # the texts of rules that were given


def note() -> None:
    """A rule was added, or a derivative given."""
    global count
    count += 1
