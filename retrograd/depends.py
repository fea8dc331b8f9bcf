"""What a cached text depends on, in words that another process can check again.

The package, Python and NumPy (`stamp`); the functions and constants the compiler read, each as a
path from the function (`dependencies`), with a digest of what stands there.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import types as types_of
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.compiler.source import source_of
from retrograd.runtime.checkpoint import marks_of
from retrograd.runtime.errors import SourceUnavailable
from retrograd.runtime.rules.book import book

__all__ = [
    "combined",
    "custom_digest",
    "dependencies",
    "dependency_digest",
    "resolve",
    "resolve_reader",
    "stamp",
]


def stamp() -> str:
    """What else the text depends on: this package, Python, NumPy."""
    from retrograd.version import version

    numpy = np.__version__.split(".")[0]
    return f"{version} {package_digest()} {sys.version_info[:2]} {numpy} {book.added}"


def package_digest() -> str:
    """The rule book and the compiler: as the installer noted them, else by file sizes and times."""
    global _digest
    if _digest is None:
        import retrograd.compiler
        import retrograd.runtime

        roots = [os.path.dirname(str(p.__file__)) for p in (retrograd.compiler, retrograd.runtime)]
        states = installed(roots[0]) or sorted(s for root in roots for s in file_states(root, ""))
        _digest = hashlib.sha256(repr(states).encode()).hexdigest()[:16]
    return _digest


def installed(compiler: str) -> list[str]:
    """Size and time of the list of files an installer writes; none for a checkout of the sources.

    (One file to ask for, not a hundred and fifty: every first gradient of a process waits for it.)
    """
    from retrograd.version import version

    beside = os.path.dirname(os.path.dirname(compiler))
    try:
        found = os.stat(os.path.join(beside, f"retrograd-{version}.dist-info", "RECORD"))
    except OSError:
        return []
    return [f"{found.st_size} {found.st_mtime_ns}"]


# No text depends on these; what kernels depend on is noted with them.
APART = ("__pycache__", "native", "tensor", "autograd")


def file_states(root: str, inner: str) -> Iterator[str]:
    """Name, size and time of every source file under a folder."""
    with os.scandir(f"{root}/{inner}") as entries:
        for entry in entries:
            name = f"{inner}/{entry.name}"
            if name.endswith(".py"):
                state = entry.stat()
                yield f"{name} {state.st_size} {state.st_mtime_ns}"
            elif entry.name not in APART and entry.is_dir():
                yield from file_states(root, name)


_digest: str | None = None


def combined(key: str, digests: list[str]) -> str:
    return hashlib.sha256("".join([key, *digests]).encode()).hexdigest()


def dependencies(fn: Any, program: Any, captured: dict[str, Any]) -> Any:
    """What the text depends on, as paths that another process can follow; None if it cannot."""
    depends: list[list[str]] = []
    guarded: list[list[str]] = []
    for capture in program.guards.values():
        path = path_of(fn, capture)
        if path is None:
            return None
        depends.append(path)
        guarded.append(path)
    for function in program.functions:
        if function.__code__ is fn.__code__:
            continue
        path = ["function", function.__module__, function.__qualname__]
        if "<locals>" in function.__qualname__:
            return None
        depends += [path] if path not in depends else []
    where = {
        n: next((path_of(fn, c) for c in program.guards.values() if c.name == n), None)
        for n in captured
    }
    if any(path is None for path in where.values()):
        return None
    try:
        return depends, where, guarded, [dependency_digest(fn, d) for d in depends]
    except (AttributeError, KeyError, SourceUnavailable):
        return None


def path_of(fn: Any, capture: Any) -> list[str] | None:
    """A captured name: in a closure of ``fn``, in its globals, or in another module's."""
    cells = zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True)
    if any(name == capture.name and cell is capture.owner for name, cell in cells):
        return ["closure", "", capture.name]
    if capture.owner is fn.__globals__:
        return ["global", "", capture.name]
    module = capture.owner.get("__name__") if isinstance(capture.owner, dict) else None
    found = sys.modules.get(module) if isinstance(module, str) else None
    return (
        ["module", str(module), capture.name] if vars(found or inspect) is capture.owner else None
    )


def resolve(fn: Any, path: list[str]) -> Any:
    kind, module, name = path
    if kind == "closure":
        return fn.__closure__[fn.__code__.co_freevars.index(name)].cell_contents
    if kind == "global":
        return fn.__globals__[name]
    found = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    return found


def resolve_reader(fn: Any, path: list[str]) -> Callable[[], Any]:
    return lambda: resolve(fn, path)


def dependency_digest(fn: Any, path: list[str]) -> str:
    """Source text of functions, value of constants, kind of arrays; `KeyError` for the rest."""
    value = resolve(fn, path)
    value = getattr(getattr(value, "__retrograd__", None), "fn", value)
    if isinstance(value, (int, float, complex, str, bytes, type(None), np.generic)):
        return repr(value)
    if inspect.isfunction(value):
        root = (value.__module__ or "").partition(".")[0]
        if root in ("numpy", "retrograd"):
            return f"{value.__module__}.{value.__qualname__}"
        marks = "".join(f" {name}={mark}" for name, mark in marks_of(value).items())
        digest = (
            f"{source_of(value).digest} {source_of(value).first} {defaults_digest(value)}{marks}"
        )
        return digest + custom_digest(value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {[n == 1 for n in value.shape]}"
    if isinstance(value, (np.ufunc, types_of.BuiltinFunctionType)):
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    raise KeyError(path[-1])  # may be changed in ways that nothing cheap can see


def custom_digest(fn: Any) -> str:
    """The texts of a function's own vjp and jvp."""
    if not hasattr(fn, "__custom_gradient__"):
        return ""
    from retrograd.runtime.custom import custom_of

    custom = custom_of(fn)
    if custom is None:
        return ""
    rules = [rule for rule in (custom.pull, custom.push) if rule is not None]
    try:
        return f" {[source_of(rule).digest for rule in rules]} {custom.constant} {custom.step}"
    except SourceUnavailable:
        return f" {rules}"  # known in this process only


def defaults_digest(fn: Any) -> str:
    """Defaults of parameters: their text may be the same, and their values others."""
    return literal([fn.__defaults__ or (), list((fn.__kwdefaults__ or {}).items())])


def literal(value: Any) -> str:
    """The text of a constant; `KeyError` for what may change in ways that nothing cheap can see."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(literal, value))})"
    if value is None or isinstance(value, (int, float, complex, str, bytes, np.generic)):
        return repr(value)
    raise KeyError(type(value).__name__)
