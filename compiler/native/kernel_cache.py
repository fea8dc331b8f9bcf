"""Kernels that were printed before: a process that finds one in the cache reads no text again."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import types
from typing import Any

import numpy as np

from ..cache import entries
from ..cache.file_states import file_states
from .argument_kinds import key_of
from .reader.module_objects import in_library
from .thread_count import several

__all__ = ["key_of_kernel", "remember", "text", "told"]


def key_of_kernel(
    module: str, name: str, scope: dict[str, Any], args: tuple[Any, ...], fixed: bool, accuracy: str
) -> str | None:
    """A digest of what a kernel's C depends on: the emitted text, what its names stand for, the kind of
    arguments, this package.  None if a name stands for what cannot be told by a text.
    """
    known = {n: told(v) for n, v in sorted(scope.items()) if not n.startswith("__")}
    if None in known.values():
        return None
    kind = repr(key_of(args, fixed))
    parts = (module, name, repr(known), kind, str(fixed), accuracy, str(several()), digest())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def told(value: Any) -> str | None:
    """A number, a text or a tuple of them by its value; a function or a module by its name.

    >>> told(2.0), told((1, None)), told([])
    ('float 2.0', "tuple ['int 1', 'NoneType None']", None)
    """
    kind = type(value).__name__
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return f"{kind} {value!r}"
    if type(value) is tuple:
        items = [told(item) for item in value]
        return None if None in items else f"{kind} {items}"
    if isinstance(value, np.ufunc):
        return f"{kind} {value.__name__}"
    if isinstance(value, types.ModuleType):
        return f"{kind} {value.__name__}" if in_library(value.__name__) else None
    if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        home = value.__module__ or ""
        fixed = in_library(home) or isinstance(value, types.FunctionType)
        return f"{kind} {home}.{value.__qualname__}" if fixed else None
    return None


@functools.cache
def digest() -> str:
    """The modules that make kernels, by size and time; and Python, whose objects kernels look into."""
    return sys.version + repr(sorted(file_states(os.path.dirname(__file__))))


def entry(name: str, key: str) -> entries.Entry:
    return entries.Entry("native", f"{name}_c", key)


def text(name: str, key: str) -> str | None:
    """The C of a kernel, if it is known."""
    try:
        found = entries.read(entry(name, key))
    except OSError:
        return None
    return None if found is None else found.removeprefix("# ")


def remember(name: str, key: str, c: str) -> None:
    """Keep the C of a kernel."""
    entries.store(entry(name, key), "# " + c)
