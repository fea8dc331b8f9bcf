"""numba's kernels as modules in files of the cache: what numba compiles it keeps beside them.

A file is named by its text, so that no other text is ever compiled under its name; versions and
processors numba tells apart itself.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from retrograd.runtime.errors import BackendUnavailable

from .. import cache, private
from ..cache import Entry, short
from ..module import GENERATED
from .toolchain import PUT_OFF, temporary
from .values import Unsupported

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
    spec = importlib.util.spec_from_file_location(full, file_of(text, entry))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module  # numba looks for the module of what it kept
    from numba.core.errors import NumbaError

    try:
        spec.loader.exec_module(module)
    except NumbaError as error:
        del sys.modules[full]
        raise Unsupported(f"numba refuses the kernel: {str(error)[-700:]}") from error
    except BaseException:
        del sys.modules[full]
        raise
    return module


def file_of(text: str, entry: Entry) -> Path:
    """The file of a module's text, written if it is not there as it should be."""
    if cache.read(entry) is None and cache.store(entry, text) is None:
        path = Path(temporary()) / entry.file  # it lives as long as this process
        path.write_text(text)
        return path
    private.make(entry.path.parent / "__pycache__")  # before numba does, which would share it
    return entry.path
