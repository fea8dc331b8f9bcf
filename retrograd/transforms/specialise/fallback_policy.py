"""The policy for what cannot be compiled: set by ``strict``, else by ``set_fallback``, else by the environment."""

from __future__ import annotations

import os
from typing import Any

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.tracebacks import public
from retrograd.runtime.user import rule_versions

__all__ = ["UNSAID", "asked", "get_fallback", "in_force", "set_fallback", "strictly"]

UNSAID = "default"  # nothing was said where the derivative was asked for
WORDS: dict[str, str | None] = {"tape": "tape", "calls": "calls", "none": None, "": "tape"}

_chosen: str | None = UNSAID
_outside: list[str | None] = []  # what the environment says, read once


def asked(fallback: Any) -> str | None:
    """The ``fallback`` that somebody asks for, or an error."""
    if fallback in ("tape", "calls", None, UNSAID):
        return fallback  # type: ignore[no-any-return]
    raise SignatureMismatch(f"fallback is 'tape', 'calls' or None, not {fallback!r}")


def strictly(strict: bool | None, fallback: Any = UNSAID) -> str | None:
    """What ``strict`` says: True is no fallback, None leaves it to ``fallback``."""
    if strict is None:
        return asked(fallback)
    return None if strict else "tape"


@public
def set_fallback(fallback: str | None) -> None:
    """What may run on the eager tape, unless ``strict`` says it.

    ``"tape"``, the default: what cannot be compiled, a call or the whole function; ``"calls"``: a call only,
    so that every derivative has a text; None: nothing, as ``strict=True`` everywhere.
    ``RETROGRAD_FALLBACK=none`` (``tape``, ``calls``) says the same from outside, where nothing was said here
    (or ``"default"``).

    >>> set_fallback(None); get_fallback()
    >>> set_fallback("tape"); get_fallback()
    'tape'
    >>> set_fallback("default")
    """
    global _chosen
    _chosen = asked(fallback)
    _outside.clear()
    rule_versions.note()  # what was made under another policy is made anew


def get_fallback() -> str | None:
    """What is in force where nothing is said with a derivative."""
    if _chosen != UNSAID:
        return _chosen
    if not _outside:
        said = os.environ.get("RETROGRAD_FALLBACK", "").lower()
        if said not in WORDS:
            raise SignatureMismatch(
                f"RETROGRAD_FALLBACK is 'tape', 'calls' or 'none', not {said!r}"
            )
        _outside.append(WORDS[said])
    return _outside[0]


def in_force(fallback: str | None) -> str | None:
    """What holds for a derivative that was asked for with this."""
    return get_fallback() if fallback == UNSAID else fallback
