"""The cache of generated modules: private, checksummed ``.py`` files that outlive the process.

A file is ``<folder>/<module>/<function>_<digest>.py``.  Its first line carries a checksum of the
rest and the full entry it was written for, so that what is truncated, edited, copied from
elsewhere or written by another user is never taken for what the compiler wrote.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from retrograd.runtime.errors import CacheError

from . import private_files

__all__ = [
    "FIRST_LINE",
    "LIBRARIES",
    "LIMIT",
    "CacheWarning",
    "Entry",
    "Item",
    "clear",
    "entries",
    "folder",
    "prune",
    "read",
    "seal",
    "signed",
    "size",
    "store",
    "sweep_builds",
    "touch",
    "unseal",
    "unsigned",
]

MARK = "# retrograd-cache "
VERSION = 1  # of the format of the files
FIRST_LINE = 2  # where the text begins in its file, below the seal
LIMIT = 256 * 2**20  # bytes kept by the daily `prune`
HOUR, DAY = 3600.0, 86400.0
MOMENT = 2.0
LIBRARIES = "native"  # the folder of what a C compiler made


class CacheWarning(UserWarning):
    """Generated modules cannot be kept: they work, but every process compiles anew."""


class Entry(NamedTuple):
    """The key of a generated module.

    >>> Entry("model", "Net.loss.<locals>.inner", "5f3a9c1e" * 8).file
    'Net.loss.locals.inner-3acd3b_5f3a9c1e5f3a9c1e.py'
    """

    module: str
    function: str
    digest: str

    @property
    def file(self) -> str:
        return f"{safe(self.function)}_{short(self.digest)}.py"

    @property
    def path(self) -> Path:
        return folder() / safe(self.module) / self.file


class Item(NamedTuple):
    """A module found in the cache; `age` is seconds since it was last used."""

    module: str
    function: str
    size: int
    age: float
    path: Path
    family: tuple[Path, ...] = ()  # with what was compiled of it


# Names -------------------------------------------------------------------------------------


def safe(name: str) -> str:
    """`name` as every file system takes it; what had to change is told apart by a hash.

    >>> safe("pkg.model"), safe("con"), safe("потеря"), len(safe("x" * 1000))
    ('pkg.model', '_con-1143da', '______-4a54e8', 71)
    """
    kept = name.replace("<", "").replace(">", "")
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "_-.") else "_" for c in kept)
    kept = kept.strip(".-")[:64].rstrip(".") or "_"
    if _reserved(kept):
        kept = "_" + kept
    return kept if kept == name else f"{kept}-{_sha256(name.encode(errors='surrogatepass'))[:6]}"


def _reserved(name: str) -> bool:
    """True if Windows takes `name` for a device, whatever its extension."""
    stem = name.partition(".")[0].upper()
    return stem in {"CON", "PRN", "AUX", "NUL"} or (
        len(stem) == 4 and stem[:3] in {"COM", "LPT"} and stem[3].isdigit()
    )


def short(digest: str) -> str:
    """The sixteen hexadecimal digits that go into a file name."""
    head = digest[:16]
    plain = len(head) == 16 and set(head) <= set("0123456789abcdef")
    return head if plain else _sha256(digest.encode(errors="surrogatepass"))[:16]


def _sha256(data: bytes) -> str:
    from hashlib import sha256  # a slow import that a process without a cache never needs

    return sha256(data).hexdigest()


# The folder --------------------------------------------------------------------------------


def folder() -> Path:
    """The cache folder, links resolved; it need not exist yet.

    `CacheError` if others could put code there, `OSError` if there is no place for one.
    """
    return private_files.real(_wanted())


def _wanted() -> Path:
    chosen = os.environ.get("RETROGRAD_CACHE")
    try:
        return Path(chosen).expanduser().absolute() if chosen else _platform() / "retrograd"
    except RuntimeError as error:  # no home folder
        raise FileNotFoundError(str(error)) from error


def _platform() -> Path:
    """Where this platform keeps what can be computed again."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"


# Seals -------------------------------------------------------------------------------------


def seal(label: str, body: bytes) -> bytes:
    r"""`body` under a first line that says what it is and carries the checksum of the rest.

    >>> unseal("model loss", seal("model loss", b"x = 1\n"))
    b'x = 1\n'
    >>> unseal("model other", seal("model loss", b"x = 1\n")) is None
    True
    """
    rest = f" {label}\n".encode() + body
    return f"{MARK}{VERSION} sha256:{_sha256(rest)}".encode() + rest


def unseal(label: str, data: bytes) -> bytes | None:
    """The content sealed under `label`, or None if a single bit of it differs."""
    body = data.partition(b"\n")[2]
    return body if seal(label, body) == data else None


def signed(label: str, body: bytes) -> bytes:
    r"""`body` with the seal below it, where the loader of libraries does not look.

    >>> unsigned("k_1.so", signed("k_1.so", b"ELF"))
    b'ELF'
    >>> unsigned("k_2.so", signed("k_1.so", b"ELF")) is None
    True
    """
    return body + f"\n{MARK}{VERSION} sha256:{_sha256(label.encode() + body)} {label}\n".encode()


def unsigned(label: str, data: bytes) -> bytes | None:
    """The content signed as `label`, or None if a single bit of it differs."""
    body = data[: data.rfind(b"\n", 0, -1)]
    return body if signed(label, body) == data else None


def _label(entry: Entry) -> str:
    return " ".join(_word(part) for part in entry)


def _word(text: str) -> str:
    """`text` without spaces, line breaks, and `coding:` (which would declare an encoding)."""
    return quote(text, safe="", errors="surrogatepass")


# Reading and writing -----------------------------------------------------------------------


def read(entry: Entry) -> str | None:
    """The text stored for `entry`, or None if it is not there just as it was stored."""
    try:
        path = entry.path
        private_files.check(path.parent)
        data = private_files.read(path)
        body = unseal(_label(entry), data) if data is not None else None
        text = None if body is None else body.decode()
    except CacheError:
        raise
    except (OSError, UnicodeDecodeError):
        return None
    if text is not None:
        touch(path)
    return text


def touch(path: Path) -> None:
    """Mark as used, at most once a day: what is used least goes first (`prune`)."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)


def store(entry: Entry, text: str) -> Path | None:
    """Keep `text` for `entry`: its file, or None (and one warning) where nothing can be kept."""
    data = seal(_label(entry), text.encode())
    try:
        path = entry.path
        private_files.write(path, data)
    except CacheError:
        raise
    except OSError as error:
        _warn(error)
        return None
    _tidy(path.parent.parent)
    return path


_unwarned = threading.Lock()  # taken by the first to warn, and never given back


def _warn(error: OSError) -> None:
    if _unwarned.acquire(blocking=False):
        warnings.warn(
            f"generated modules cannot be kept ({error}): they work, but every process will "
            "compile them anew; set RETROGRAD_CACHE to a folder you can write to",
            CacheWarning,
            stacklevel=4,
        )


# Housekeeping ------------------------------------------------------------------------------


def entries() -> list[Item]:
    """Every module in the cache, by name; files that are not the cache's own are passed over."""
    return sorted(_items())


def size() -> int:
    """The bytes all of them take."""
    return sum(item.size for item in _items())


def clear() -> int:
    """Remove every module; how many there were."""
    gone = sum(map(_remove, _items()))
    with suppress(FileNotFoundError):
        for item in _libraries():
            _remove(item)
    _sweep()
    with suppress(OSError):
        (folder() / ".pruned").unlink()
    return gone


def prune(max_bytes: int = LIMIT) -> int:
    """Remove the modules unused for longest until `max_bytes` hold the rest; how many went."""
    items = sorted([*_items(), *_libraries()], key=lambda item: item.age, reverse=True)
    excess, gone = sum(item.size for item in items) - max_bytes, 0
    for item in items:
        if excess <= 0:
            break
        gone += _remove(item)
        excess -= item.size
    _sweep()
    return gone


def _tidy(home: Path) -> None:
    """Once a day, by whoever stores first: nobody else would keep the cache within bounds."""
    stamp = home / ".pruned"
    with suppress(OSError):
        if not stamp.exists() or time.time() - stamp.stat().st_mtime > DAY:
            stamp.touch(0o600)
            prune()


def _items() -> Iterator[Item]:
    for place in _places():
        named = _by_stem(place)
        for path in place.glob("*.py"):
            with suppress(OSError):
                if not path.is_symlink() and (names := _names(path)):
                    family = _family(path, named)
                    size = sum(member.stat().st_size for member in family)
                    yield Item(*names, size, _age(path), path, tuple(family))


def _libraries() -> Iterator[Item]:
    """Libraries, and what they were compiled from."""
    named = _by_stem(folder() / LIBRARIES)
    for path in (folder() / LIBRARIES).glob("k_*.so"):
        with suppress(OSError):
            if not path.is_symlink() and not path.is_dir():
                text = path.with_suffix(".c")
                size = path.stat().st_size + (text.stat().st_size if text.exists() else 0)
                family = _family(path, named)
                yield Item(LIBRARIES, path.stem, size, _age(path), path, tuple(family))


def _places() -> list[Path]:
    """The folders of the source modules."""
    try:
        return [place for place in folder().iterdir() if place.is_dir() and not place.is_symlink()]
    except CacheError:
        raise
    except OSError:
        return []


def _names(path: Path) -> tuple[str, str] | None:
    """The module and function in the seal (else those in the path); None if not our file."""
    with path.open("rb") as file:
        line = file.readline(65536)
    mark = MARK.encode()
    if not line.startswith(mark) and not mark.startswith(line):  # empty and truncated are ours
        return None
    try:
        module, function, _ = line[len(mark) :].decode("ascii").split(" ")[2:]
    except ValueError:
        return path.parent.name, path.stem.rpartition("_")[0]
    return unquote(module, errors="surrogatepass"), unquote(function, errors="surrogatepass")


def _by_stem(place: Path) -> dict[str, list[Path]]:
    """The files of a folder, and those compiled of them, by all that their names may be called after: one look."""
    found: dict[str, list[Path]] = {}
    for home in (place, place / "__pycache__"):
        with suppress(OSError):
            for path in home.iterdir():
                parts = path.name.split(".")
                for k in range(1, len(parts)):
                    found.setdefault(".".join(parts[:k]), []).append(path)
    return found


def _family(path: Path, named: dict[str, list[Path]]) -> list[Path]:
    """A module, its bytecode, and what numba compiled of it."""
    text = f"{path.stem}.c" if path.suffix == ".so" else None
    beside = named.get(path.stem, ())
    return [
        path,
        *(p for p in beside if p.parent != path.parent or p.suffix == ".pyc" or p.name == text),
    ]


def _age(path: Path) -> float:
    return max(time.time() - path.stat().st_mtime, 0.0)


def _remove(item: Item) -> bool:
    try:
        for member in reversed(item.family):
            member.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _sweep() -> None:
    """Take away what killed processes left half written, then folders that are empty."""
    for place in _places():
        for path in place.glob(f".*{private_files.TEMPORARY}"):
            with suppress(OSError):
                if _age(path) > HOUR:
                    path.unlink()
        if place.name == LIBRARIES:
            sweep_builds(place)
        for emptied in (place / "__pycache__", place):
            with suppress(OSError):
                emptied.rmdir()


def sweep_builds(place: Path) -> None:
    """Take away the folders of builds that were killed: nobody holds them any more."""
    from shutil import rmtree  # slow to import, and rarely needed

    for work in (*place.glob(f".*{private_files.TEMPORARY}"), *place.glob("tmp*")):
        with suppress(OSError):
            if work.is_dir() and not work.is_symlink() and _is_left(work):
                rmtree(work, ignore_errors=True)


def _is_left(work: Path) -> bool:
    if _age(work) < MOMENT:  # made, and not yet held
        return False
    held = private_files.locked(work)
    if held is not None:
        os.close(held)
    return held is not None or _age(work) > DAY
