"""Warnings that are given once in a process, or always where a program asks for that."""

from __future__ import annotations

import warnings

__all__ = ["is_warn_always_enabled", "set_warn_always", "warn_once"]

given: set[str] = set()
always = [False]


def set_warn_always(enabled: bool, /) -> None:
    """Give such warnings each time, or once."""
    always[0] = enabled


def is_warn_always_enabled() -> bool:
    return always[0]


def warn_once(text: str, key: str = "", stacklevel: int = 2) -> None:
    """Warn, if no warning of this key (the text, if there is none) was given before."""
    key = key or text
    if key in given and not always[0]:
        return
    given.add(key)
    warnings.warn(text, stacklevel=stacklevel + 1)
