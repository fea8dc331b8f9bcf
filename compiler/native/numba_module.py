"""numba's kernels as modules in files: what numba compiles it keeps beside them, for other processes.

A file is named by its text, numba's version and the processor, and never written again: numba tells
by its time of change whether what it kept still holds.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from retrograd.runtime.errors import BackendUnavailable

from .. import private
from ..cache import folder, seal, unseal
from ..module import GENERATED
from .toolchain import PUT_OFF, temporary

__all__ = ["entry_of", "require"]

LOCK = threading.Lock()  # numba compiles one function at a time anyway


def require() -> None:
    """An error that says how to get numba, unless it is there."""
    if importlib.util.find_spec("numba") is None:
        raise BackendUnavailable(
            'backend="numba" needs the package numba, which is not installed',
            fix=f"pip install 'retrograd[numba]', or {PUT_OFF}",
        )


@functools.cache
def stamp() -> str:
    """What a compiled kernel depends on besides its text."""
    return f"{importlib.metadata.version('numba')} {sys.version_info[:2]}"


def entry_of(text: str, name: str, fallback: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of a module's text as a function; what it does not take goes to ``fallback``."""
    require()
    digest = hashlib.sha256(f"{text}{stamp()}".encode()).hexdigest()[:24]
    with LOCK:
        made: Callable[..., Any] = module_of(text, f"k_{digest}", name).entry(fallback)
    return made


def module_of(text: str, stem: str, name: str) -> ModuleType:
    """The module of a text: the one of this process, or its file run."""
    full = f"{GENERATED}.{stem}"
    if full in sys.modules:
        return sys.modules[full]
    spec = importlib.util.spec_from_file_location(full, file_of(text, stem, name))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module  # numba looks for the module of what it kept
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full]
        raise
    return module


def file_of(text: str, stem: str, name: str) -> Path:
    """The file of a module's text, written if it is not there as it should be."""
    label = f"numba {name} {stem}"
    data = seal(label, text.encode())
    try:
        place = folder() / "native"
        private.make(place / "__pycache__")
        private.check(place / "__pycache__")
        path = place / f"{stem}.py"
        found = private.read(path)
        if found is None or unseal(label, found) is None:
            private.write(path, data)
    except OSError:  # the cache cannot be written to: the file lives as long as this process
        path = Path(temporary()) / f"{stem}.py"
        path.write_bytes(data)
    return path
