"""Load generated text as a module: once per file, text and captured objects, thread-safe.

`load` makes the module; `fetch` finds its text first: in memory, in the cache, or by a build.
"""

from __future__ import annotations

import linecache
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from . import bytecode, entries
from .entries import Entry

__all__ = ["GENERATED", "fetch", "forget", "load"]

GENERATED = "retrograd._generated"  # where generated modules stand in `sys.modules`
MOST = 512  # texts that stay in memory though nobody may have use for them any more


class Text(NamedTuple):
    """A text, the file tracebacks show for it, and the line of that file it begins at."""

    text: str
    filename: str
    line: int


Key = tuple[Text, tuple[tuple[str, int], ...]]

_guard = threading.Lock()  # for a few dictionary operations, never while a build runs
_codes: dict[Text, CodeType] = {}
_names: dict[str, Text] = {}
_modules: WeakValueDictionary[Key, ModuleType] = WeakValueDictionary()
_sources: dict[Entry, tuple[str, Path | None]] = {}


# Loading -----------------------------------------------------------------------------------


def load(
    text: str,
    path: Path | None,
    name: str,
    namespace: Mapping[str, object],
    *,
    cached: bool = False,
) -> ModuleType:
    """The module of `text`, with `namespace` among its globals; `cached`: `path` is in the cache.

    The same text, file and objects give the same module.  The first module of a text stands in
    `sys.modules`; one with other captured objects lives as long as a function of it does.

    >>> twice = load("def double(x): return factor * x", None, "double", {"factor": 2}).double
    >>> twice(21), twice.__module__
    (42, 'retrograd._generated.double')
    """
    source = Text(text, _filename(text, path, name), entries.FIRST_LINE if cached else 1)
    key = source, tuple(sorted((known, id(value)) for known, value in namespace.items()))
    module = _modules.get(key)
    if module is None:
        module = _run(source, _claim(name, source), namespace, cached)
        with _guard:
            module = _modules.setdefault(key, module)
            sys.modules.setdefault(module.__name__, module)
            while len(_names) > MOST:
                _drop(next(iter(_names)))
    return module


def _drop(name: str) -> None:
    """Let go of the oldest text: its modules live as long as their functions do."""
    source = _names.pop(name)
    sys.modules.pop(name, None)
    if source not in _names.values():
        _codes.pop(source, None)
        linecache.cache.pop(source.filename, None)
        for entry in [e for e, (text, _) in _sources.items() if text == source.text]:
            del _sources[entry]


def _filename(text: str, path: Path | None, name: str) -> str:
    """The real file, or a stable made-up one under which `linecache` knows the text."""
    if path is not None:
        return str(path)
    from hashlib import sha256

    filename = f"<retrograd {name} {sha256(text.encode()).hexdigest()[:8]}>"
    lines = text.splitlines(keepends=True)
    # No time of change: `linecache.checkcache` leaves such an entry alone.
    linecache.cache[filename] = (len(text), None, lines, filename)
    return filename


def _claim(name: str, source: Text) -> str:
    """The first free name; only another text under the same name gets a number."""
    with _guard:
        for n in count(1):
            full = f"{GENERATED}.{name}" + (f"_{n}" if n > 1 else "")
            if _names.setdefault(full, source) == source:
                return full
    raise AssertionError("count() does not end")


def _run(source: Text, name: str, namespace: Mapping[str, object], cached: bool) -> ModuleType:
    code = _codes.get(source)
    if code is None:
        code = _codes[source] = bytecode.compiled(*source, keep=cached)
    module = ModuleType(name)
    loader: Any = _Loader("\n" * (source.line - 1) + source.text)
    module.__dict__.update(
        namespace,
        __name__=name,
        __file__=source.filename,
        __package__=GENERATED,
        __loader__=loader,
        __spec__=ModuleSpec(name, loader, origin=source.filename),
        __captured__=dict(namespace),  # alive as long as the module, so that their ids are theirs
        __generated__=module,  # and the module as long as any function of it
    )
    exec(code, module.__dict__)
    return module


class _Loader:
    """Gives back the text even when its file has been cleared away."""

    def __init__(self, text: str) -> None:
        self.text = text

    def get_source(self, name: str) -> str:
        return self.text


# Fetching ----------------------------------------------------------------------------------


def fetch(
    entry: Entry, build: Callable[[], str], namespace: Mapping[str, object], name: str
) -> ModuleType:
    """The module of `entry`: from memory, from the cache, or from what `build` writes.

    One build per entry and process.  A build may fetch other entries, but not its own.  If it
    fails nothing is left behind, and the next call builds again.
    """
    with _alone(entry):
        text, path = _sources.get(entry) or _obtain(entry, build)
        module = load(text, path, name, namespace, cached=path is not None)
        _sources[entry] = text, path
    return module


def _obtain(entry: Entry, build: Callable[[], str]) -> tuple[str, Path | None]:
    text = entries.read(entry)
    if text is not None:
        return text, entry.path
    text = build()
    compile(text, f"<retrograd {entry.function}>", "exec", dont_inherit=True)  # keep no broken text
    return text, entries.store(entry, text)


def forget() -> None:
    """Drop every module from memory; the cache on disk stays."""
    with _guard:
        for name in _names:
            sys.modules.pop(name, None)
        for known in (_codes, _names, _modules, _sources):
            known.clear()


# One build at a time per entry -------------------------------------------------------------


class Flight(NamedTuple):
    """A fetch under way: by which thread, and the event that ends it."""

    thread: int
    over: threading.Event


_flights: dict[Entry, Flight] = {}
_waits: dict[int, Entry] = {}  # which thread waits for which entry


@contextmanager
def _alone(entry: Entry) -> Iterator[None]:
    """Keep other threads from `entry`, and from nothing else."""
    flight = _take(entry)
    try:
        yield
    finally:
        with _guard:
            _flights.pop(entry, None)
        flight.over.set()


def _take(entry: Entry) -> Flight:
    mine = Flight(threading.get_ident(), threading.Event())
    while True:
        with _guard:
            flight = _flights.setdefault(entry, mine)
            if flight is mine:
                return mine
            _refuse_cycle(entry, mine.thread)
            _waits[mine.thread] = entry
        try:
            flight.over.wait()
        finally:
            with _guard:
                _waits.pop(mine.thread, None)


def _refuse_cycle(entry: Entry, thread: int) -> None:
    """Raise where waiting would never end: the build of `entry` waits for a build of `thread`."""
    chain = [entry]
    while (flight := _flights.get(chain[-1])) is not None:
        if flight.thread == thread:
            way = " -> ".join(f"{e.module}.{e.function}" for e in [*chain, entry])
            raise RecursionError(f"generated modules that need each other to be built: {way}")
        next_entry = _waits.get(flight.thread)
        if next_entry is None or next_entry in chain:
            return
        chain.append(next_entry)


def _after_fork() -> None:
    """In a forked child no other thread is left to finish what it began."""
    global _guard
    _guard = threading.Lock()
    _flights.clear()
    _waits.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
