"""The state of the package's own sources, on which the validity of cached texts and kernels depends."""

from __future__ import annotations

import os
from collections.abc import Iterator

__all__ = ["file_states"]


def file_states(root: str, apart: tuple[str, ...] = (), inner: str = "") -> Iterator[str]:
    """Name, size and time of every source file under a folder, but for the subfolders `apart`."""
    with os.scandir(f"{root}/{inner}") as entries:
        for entry in entries:
            name = f"{inner}/{entry.name}"
            if name.endswith(".py"):
                state = entry.stat()
                yield f"{name} {state.st_size} {state.st_mtime_ns}"
            elif entry.name != "__pycache__" and entry.name not in apart and entry.is_dir():
                yield from file_states(root, apart, name)
