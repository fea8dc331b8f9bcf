"""numba's kernels as modules in files of the cache: what numba compiles it keeps beside them, sealed.

A file is named by its text, so that no other text is ever compiled under its name; versions and
processors numba tells apart itself.
"""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from retrograd.runtime.errors import BackendUnavailable

from ...cache import entries, private_files
from ...cache.entries import FIRST_LINE, Entry, short
from ...cache.loader import GENERATED
from ..c.toolchain import PUT_OFF, temporary
from ..refusal import Unsupported

__all__ = ["entry_of", "require"]

LOCK = threading.Lock()  # numba compiles one function at a time anyway


def require() -> None:
    """An error that says how to get numba, unless it is there."""
    if importlib.util.find_spec("numba") is None:
        raise BackendUnavailable(
            'backend="numba" needs the package numba, which is not installed',
            fix=f"pip install 'retrograd[numba]', or {PUT_OFF}",
        )


def entry_of(
    text: str, name: str, fallback: Callable[..., Any], captured: Sequence[Any] = ()
) -> Callable[..., Any]:
    """The kernel of a module's text as a function; what it does not take goes to ``fallback``.

    ``captured`` are arrays that the module holds, and not its caller.
    """
    require()
    with LOCK:
        made: Callable[..., Any] = module_of(text, name).entry(fallback, tuple(captured))
    return made


def module_of(text: str, name: str) -> ModuleType:
    """The module of a text: the one of this process, or its file run."""
    entry = Entry("numba", name, hashlib.sha256(text.encode()).hexdigest())
    full = f"{GENERATED}.numba_{short(entry.digest)}"
    if full in sys.modules:
        return sys.modules[full]
    path = file_of(text, entry)
    module = ModuleType(full)
    module.__file__ = str(path)
    sys.modules[full] = module  # numba looks for the module of what it kept
    from numba.core.errors import NumbaError  # numba need not be installed

    try:
        with checked(path):
            # the text itself: a file, and bytecode beside it, might be others by now
            exec(compile("\n" * (FIRST_LINE - 1) + text, str(path), "exec"), module.__dict__)
    except NumbaError as error:
        del sys.modules[full]
        raise Unsupported(f"numba refuses the kernel: {str(error)[-700:]}") from error
    except BaseException:
        del sys.modules[full]
        raise
    return module


def file_of(text: str, entry: Entry) -> Path:
    """The file of a module's text, written if it is not there as it should be."""
    if entries.read(entry) is None and entries.store(entry, text) is None:
        path = Path(temporary()) / entry.file  # it lives as long as this process
        path.write_text(text, encoding="utf-8")
        return path
    return entry.path


@contextmanager
def checked(path: Path) -> Iterator[None]:
    """Sees that numba's files beside this one are as they were left, or gone: numba would run them."""
    place = path.parent / "__pycache__"
    private_files.make(place)  # before numba does, which would share it
    private_files.check(place)
    seal = place / f"{path.stem}.seal"
    known = private_files.read(seal)
    if known is None or known != told(path):
        for file in kept(path):
            file.unlink()
        known = None
    yield
    for file in kept(path):  # whatever the umask is
        with suppress(OSError):
            file.chmod(0o600)
    if (now := told(path)) != known:
        with suppress(OSError):
            private_files.write(seal, now)


def kept(path: Path) -> list[Path]:
    """The files that numba keeps for a module."""
    return sorted((path.parent / "__pycache__").glob(f"{glob.escape(path.stem)}.*.nb[ic]"))


def told(path: Path) -> bytes:
    """Which files these are, and what is in them."""
    lines = []
    for file in kept(path):
        data = private_files.read(file)
        if data is None:
            return os.urandom(8)  # like nothing that was sealed
        lines.append(f"{hashlib.sha256(data).hexdigest()} {file.name}")
    return "\n".join(lines).encode()
