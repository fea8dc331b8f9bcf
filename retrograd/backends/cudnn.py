"""``retrograd.backends.cudnn``: not there; what a program sets of it changes nothing."""

from __future__ import annotations

__all__ = ["allow_tf32", "benchmark", "deterministic", "enabled", "is_available", "version"]

enabled = benchmark = deterministic = allow_tf32 = False


def is_available() -> bool:
    """False."""
    return False


def version() -> None:
    """None: there is none."""
