"""Kernels all of whose loops are shared, however short: for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import retrograd as rg
from retrograd.compiler.native import threads
from retrograd.compiler.native.passes.loops import sharing
from retrograd.compiler.native.passes.sums import parts

__all__ = ["everything_shared", "one_thread"]


@contextmanager
def everything_shared(count: int = 3) -> Iterator[None]:
    """Every loop that may be shared is, by ``count`` threads."""
    before = rg.get_num_threads()
    with (
        patch.object(sharing, "degree", lambda loop: 2),
        patch.object(sharing, "computes", lambda inside: True),
        patch.object(parts, "LEAST", 1.0),
        patch.object(parts, "ADDED", 1e-3),
    ):
        rg.set_num_threads(count)
        try:
            yield
        finally:
            rg.set_num_threads(before)


@contextmanager
def one_thread() -> Iterator[None]:
    """The kernels there are run on one thread."""
    before = threads.COUNT.value
    threads.COUNT.value = 1
    try:
        yield
    finally:
        threads.COUNT.value = before
