"""Kernels that were printed before: a process that finds one in the cache reads no text again."""

from __future__ import annotations

import functools
import hashlib
import os
from typing import Any

from .. import cache
from .arguments import key_of

__all__ = ["key_of_kernel", "remember", "text"]


def key_of_kernel(module: str, name: str, args: tuple[Any, ...], fixed: bool, accuracy: str) -> str:
    """What the C of a kernel depends on: the emitted text, the kind of arguments, this package."""
    kind = repr(key_of(args, fixed))
    parts = (module, name, kind, str(fixed), accuracy, digest())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def digest() -> str:
    """The modules that make kernels, by size and time."""
    with os.scandir(os.path.dirname(__file__)) as entries:
        states = [(e.name, e.stat().st_size, e.stat().st_mtime_ns) for e in entries if e.is_file()]
    return repr(sorted(states))


def entry(name: str, key: str) -> cache.Entry:
    return cache.Entry("native", f"{name}_c", key)


def text(name: str, key: str) -> str | None:
    """The C of a kernel, if it is known."""
    try:
        found = cache.read(entry(name, key))
    except OSError:
        return None
    return None if found is None else found.removeprefix("# ")


def remember(name: str, key: str, c: str) -> None:
    """Keep the C of a kernel."""
    cache.store(entry(name, key), "# " + c)
