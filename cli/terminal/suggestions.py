"""What was perhaps meant by a word that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["close_to"]


def close_to(word: str, known: Iterable[str]) -> str:
    """The known words that look like it, as the end of a message; empty if none does.

    >>> close_to("hesian", ["grad", "hessian"])
    '; did you mean hessian?'
    """
    close = difflib.get_close_matches(word, list(known), 3, 0.6)
    return f"; did you mean {' or '.join(close)}?" if close else ""
