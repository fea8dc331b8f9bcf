"""The policy of checks: set by a decorator, else by ``set_check``, else by the environment."""

from __future__ import annotations

import os
from typing import Any

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.tracebacks import public

from ..specialise.dispatcher import ask_anew

__all__ = ["UNSAID", "asked", "due", "each_call", "finds_nan", "get_check", "in_force", "set_check"]

UNSAID = "default"  # nothing was said where the function was decorated
WORDS: dict[str, str | None] = {
    "first": "first",
    "always": "always",
    "nan": "nan",
    "none": None,
    "": "first",
}
EVERY = ("always", "nan")  # call is looked at

_chosen: str | None = UNSAID
_outside: list[str | None] = []  # what the environment says, read once: every pullback asks


def asked(check: Any) -> str | None:
    """The ``check`` of a decorator, or an error."""
    if check is None or (isinstance(check, str) and check in ("first", *EVERY, UNSAID)):
        return check
    raise SignatureMismatch(f"check is 'first', 'always', 'nan' or None, not {check!r}")


@public
def set_check(check: str | None) -> None:
    """When derivatives are held against their functions, unless a decorator says it.

    ``"first"``, the default: when a text first computes for real arguments; ``"always"``: in every call;
    ``"nan"``: when it first computes, and a derivative that holds NaN or infinity raises `NonFiniteError`, which
    names the line that made it; None: never.  ``RETROGRAD_CHECK=none`` (``first``, ``always``, ``nan``) says the same from outside, where
    nothing was said here (or ``"default"``).

    >>> set_check(None); get_check()
    >>> set_check("first"); get_check()
    'first'
    """
    global _chosen
    _chosen = asked(check)
    _outside.clear()
    ask_anew()


def get_check() -> str | None:
    """The policy where a decorator says nothing."""
    if _chosen != UNSAID:
        return _chosen
    if not _outside:
        said = os.environ.get("RETROGRAD_CHECK", "").lower()
        if said not in WORDS:
            raise SignatureMismatch(
                f"RETROGRAD_CHECK is 'first', 'always', 'nan' or 'none', not {said!r}"
            )
        _outside.append(WORDS[said])
    return _outside[0]


def due(chain: Any, made: Any, what: str = "text") -> bool:
    """True if what was made for a chain has to be checked now."""
    check = in_force(chain.check)
    return check == "always" or (check in ("first", "nan") and what not in made.proven)


def each_call(chain: Any) -> bool:
    """True if no call may go straight to what was made for it."""
    return in_force(chain.check) in EVERY


def finds_nan(chain: Any) -> bool:
    """True if a derivative that is not finite is to be explained."""
    return in_force(chain.check) == "nan"


def in_force(check: str | None) -> str | None:
    """The policy for a function that was decorated with this."""
    return get_check() if check == UNSAID else check
