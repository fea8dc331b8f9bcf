"""How far a call has come: a function of the shards done and of all of them."""

from __future__ import annotations

import sys

__all__ = ["bar"]

WIDTH = 40


def bar(done: int, shards: int) -> None:
    """Draw a line on the standard error: ``progress=rg.distributed.bar``."""
    filled = WIDTH * done // shards
    end = "\n" if done == shards else ""
    sys.stderr.write(f"\r[{'#' * filled}{' ' * (WIDTH - filled)}] {done}/{shards} shards{end}")
    sys.stderr.flush()
