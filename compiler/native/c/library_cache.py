"""Compiled libraries in the cache: sealed when they are built, looked at again each time before they run.

A library is verified through a descriptor of its folder and loaded through the same one: whoever
swaps a folder on the way meanwhile gains nothing.  What is damaged, or another's, is built anew.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...cache import entries, private_files
from ...cache.entries import LIBRARIES

__all__ = ["keep", "loaded", "workshop"]


def loaded(place: Path, name: str) -> ctypes.CDLL | None:
    """The library of a folder, or None if it is not there just as it was kept.

    `CacheError` if others may write to the folder; `OSError` if nothing may run from it.
    """
    with private_files.opened(place) as folder:
        if folder is None:
            return None
        data = private_files.read(place / name if folder < 0 else Path(name), folder)
        if data is None or entries.unsigned(name, data) is None:
            return None
        held = f"/proc/self/fd/{folder}/{name}"  # the folder that was looked at
        library = ctypes.CDLL(held if os.path.exists(held) else str(place / name))
    entries.touch(place / name)
    return library


def keep(place: Path, name: str, body: bytes, source: str) -> None:
    """Put a library there, and what it was compiled from beside it, for people."""
    private_files.write(place / f"{Path(name).stem}.c", source.encode())
    private_files.write(place / name, entries.signed(name, body))


@contextmanager
def workshop(home: Path) -> Iterator[Path]:
    """A folder to build in, which goes when the build ends; what killed builds left goes with it.

    It is locked as long as its process lives: that is how another one knows.
    """
    place = home / LIBRARIES
    private_files.make(place)
    private_files.check(place)
    entries.sweep_builds(place)
    work = place / f".{os.urandom(8).hex()}{private_files.TEMPORARY}"
    os.mkdir(work, 0o700)
    lock = private_files.locked(work)
    try:
        yield work
    finally:
        from shutil import rmtree  # for builds alone: loading is fast without

        rmtree(work, ignore_errors=True)
        if lock is not None:
            with suppress(OSError):
                os.close(lock)
