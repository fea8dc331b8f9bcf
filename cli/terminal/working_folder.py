"""A command as it runs in another folder, leaving behind neither modules nor places to look for them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["in_folder"]


@contextlib.contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    """Work there: modules of its files are loaded anew, and forgotten afterwards."""
    before, path, modules = Path.cwd(), list(sys.path), set(sys.modules)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if lies_below(getattr(sys.modules[name], "__file__", None), folder):
                del sys.modules[name]


def lies_below(file: str | None, folder: Path) -> bool:
    """True of a program's file; not of what is installed in an environment there."""
    if file is None:
        return False
    path = Path(file)
    return path.is_relative_to(folder) and not {"site-packages", "dist-packages"} & set(path.parts)
