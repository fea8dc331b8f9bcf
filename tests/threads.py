"""Kernels all of whose loops are shared, however short: for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import retrograd as rg
from retrograd.compiler.native import thread_count
from retrograd.compiler.native.passes.loops import thread_sharing
from retrograd.compiler.native.passes.sums import partial_sums

__all__ = ["everything_shared", "one_thread"]


@contextmanager
def everything_shared(count: int = 3) -> Iterator[None]:
    """Every loop that may be shared is, by ``count`` threads."""
    before = rg.get_num_threads()
    with (
        patch.object(thread_sharing, "degree", lambda loop: 2),
        patch.object(thread_sharing, "computes", lambda inside: True),
        patch.object(partial_sums, "LEAST", 1.0),
        patch.object(partial_sums, "ADDED", 1e-3),
    ):
        rg.set_num_threads(count)
        try:
            yield
        finally:
            rg.set_num_threads(before)


@contextmanager
def one_thread() -> Iterator[None]:
    """The kernels there are run on one thread."""
    before = thread_count.COUNT.value
    thread_count.COUNT.value = 1
    try:
        yield
    finally:
        thread_count.COUNT.value = before
