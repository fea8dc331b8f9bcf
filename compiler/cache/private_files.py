"""Files writable by their owner only: folders checked, foreign files refused, writes atomic.

Nothing here knows about generated code; `cache` puts the cache of modules on top of it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from retrograd.runtime.errors import CacheError

__all__ = ["TEMPORARY", "check", "is_own", "locked", "make", "opened", "read", "real", "write"]

TEMPORARY = ".tmp"  # how the name of a file still being written ends
OTHERS = stat.S_IWGRP | stat.S_IWOTH
ATTEMPTS = 8


def real(place: Path) -> Path:
    """`place` with its links resolved, once everything on the way is safe to run code from."""
    target = Path(os.path.realpath(place))
    if hasattr(os, "geteuid"):
        _check_link(place)
        check(target)
        for parent in target.parents:
            _check_parent(parent)
    return target


def check(place: Path) -> None:
    """Raise `CacheError` if another user owns `place` or may write to it; absent is fine."""
    found = _status(place)
    if found is not None and hasattr(os, "geteuid"):
        _check_status(place, found)


def _check_status(place: Path, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise _unsafe(place, f"belongs to user {found.st_uid}, not to you ({os.geteuid()})")
    if stat.S_ISLNK(found.st_mode):
        raise _unsafe(place, "is a link where a folder should be")
    if found.st_mode & OTHERS:
        raise _unsafe(
            place,
            "can be written by others",
            f"`chmod -R go-w '{place}'` once you trust what is in it, or ",
        )


def _check_link(place: Path) -> None:
    """Who owns a link decides where it leads: it must be this user or root."""
    found = _status(place)
    if found and stat.S_ISLNK(found.st_mode) and found.st_uid not in (0, os.geteuid()):
        raise _unsafe(place, f"is a link made by user {found.st_uid}")


def _check_parent(place: Path) -> None:
    """Where all may write and nothing is sticky, anyone could swap the folder for another."""
    found = _status(place)
    if found and found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
        raise _unsafe(place, "is above the cache and can be written by everyone")


def _unsafe(place: Path, why: str, fix: str = "") -> CacheError:
    return CacheError(
        f"the cache holds code that will run, but {place} {why}: {fix}"
        "set RETROGRAD_CACHE to a folder that only you can write to"
    )


def _status(place: Path) -> os.stat_result | None:
    try:
        return os.lstat(place)
    except OSError:
        return None


def make(place: Path) -> None:
    """Make a folder and those above it, private from the first moment.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as top:
    ...     make(Path(top) / "a" / "b")
    ...     os.listdir(Path(top) / "a")
    ['b']
    """
    if place.is_dir():
        return
    make(place.parent)
    try:
        os.mkdir(place, 0o700)
    except FileExistsError:
        if not place.is_dir():
            raise


@contextmanager
def opened(place: Path) -> Iterator[int | None]:
    """A descriptor of a folder that is safe to run code from; None if there is no folder.

    Where the system has none (Windows), its path is checked and the number is -1.
    """
    check(place)
    if not hasattr(os, "O_DIRECTORY") or os.open not in os.supports_dir_fd:
        yield -1 if place.is_dir() else None
        return
    try:
        fd = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield None
        return
    try:
        _check_status(place, os.fstat(fd))
        yield fd
    finally:
        os.close(fd)


def locked(place: Path) -> int | None:
    """A descriptor that holds a folder until this process ends; None if another one does."""
    try:
        import fcntl
    except ImportError:
        return None
    fd = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def is_own(path: Path) -> bool:
    """True if this is a plain file that nobody else can have written; no link."""
    found = _status(path)
    return found is not None and _own(found)


def read(path: Path, folder: int = -1) -> bytes | None:
    """The bytes of a plain file that nobody else can have written, else None.

    ``folder``: the descriptor that ``path`` is relative to.
    """
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):  # no links; never hang on a pipe
        flags |= getattr(os, name, 0)
    try:
        fd = os.open(path, flags, dir_fd=None if folder < 0 else folder)
    except OSError:
        return None
    try:
        return _content(fd) if _own(os.fstat(fd)) else None
    except OSError:
        return None
    finally:
        os.close(fd)


def _own(found: os.stat_result) -> bool:
    if not stat.S_ISREG(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & OTHERS


def _content(fd: int) -> bytes:
    with open(fd, "rb", closefd=False) as file:
        return file.read()


def write(path: Path, data: bytes) -> None:
    """Put `data` at `path`, whole or not at all, whoever else writes or reads it meanwhile.

    Tried again when a folder was cleared away under us, or (Windows) a reader holds the old file.
    """
    for attempt in range(ATTEMPTS):
        try:
            make(path.parent)
            check(path.parent)
            return _replace(path, data)
        except (FileNotFoundError, PermissionError) as error:
            passing = isinstance(error, FileNotFoundError) or os.name == "nt"
            if not passing or attempt == ATTEMPTS - 1:
                raise
            time.sleep(0.001 * 2**attempt)


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{os.urandom(8).hex()}{TEMPORARY}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
