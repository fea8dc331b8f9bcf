"""Files that retrograd writes: told from others by their first lines, and put in place in one step."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .targets import NotFound

__all__ = ["is_written", "writable", "write"]

MARK = "\nWritten by retrograd "


def is_written(path: Path) -> bool:
    """True of a file that retrograd wrote."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return MARK in file.read(8000)


def writable(path: Path) -> Path:
    """The file to write; never one that retrograd did not write."""
    if path.is_dir() or not path.parent.is_dir():
        raise NotFound(
            f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        )
    if path.exists() and path.stat().st_size and not is_written(path):
        raise NotFound(f"{path} was not written by retrograd; remove it, or write another file")
    return path


def write(path: Path, text: str) -> str:
    """Put the text in place in one step; a file that holds it already is left alone."""
    data = text.encode()
    real = path.resolve()
    if real.exists() and real.read_bytes() == data:
        return "is up to date"
    handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, real.stat().st_mode & 0o777 if real.exists() else 0o666 & ~umask())
        os.replace(temporary, real)
    except BaseException:
        os.unlink(temporary)
        raise
    return "written"


def umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now
