"""Types from calls that are shown: ``--example "loss(np.zeros(3), x, y)"`` and ``--run train.py``."""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from .targets import NotFound, Target, told

__all__ = ["seen_calls"]

MOST = 1000  # calls that are looked at


def seen_calls(target: Target, asked: Any, options: argparse.Namespace) -> list[Any]:
    """What the calls say that the command line shows: one source for examples, one for a run."""
    from retrograd.transforms.signatures.calls import of_calls
    from retrograd.transforms.signatures.found import Source

    found = []
    if options.example:
        shown = [example(target, asked, text) for text in options.example]
        found.append(Source("--example", of_calls(shown)))
    if options.script is not None:
        calls = calls_of_run(target, asked, options.script)
        found.append(Source(f"the run of {options.script}", of_calls(calls)))
    return found


def example(target: Target, asked: Any, text: str) -> dict[str, Any]:
    """The types of the arguments of one call, evaluated where the function is defined."""
    from retrograd.transforms.api import chain_of
    from retrograd.transforms.signatures.calls import evaluated

    try:
        found = evaluated(asked, text, vars(target.loaded), chain_of)
    except Exception as error:  # whatever a program of the user's raises
        raise NotFound(f"--example {text!r}: {type(error).__name__}: {error}") from None
    if found is None:
        raise NotFound(f"--example {text!r} does not call {target.path}")
    return dict(found)


def at_home(target: Target, kind: Any) -> Any:
    """A type whose classes are those of the target's module: a script has imported its file under another name."""
    from retrograd.compiler.ir.types import Tree

    if not isinstance(kind, Tree):
        return kind
    items = tuple(at_home(target, item) for item in kind.items)
    cls = None if kind.cls is None else own_class(target, kind.cls)
    return replace(kind, items=items, cls=cls)


def own_class(target: Target, cls: Any) -> Any:
    theirs = getattr(sys.modules.get(cls.__module__), "__file__", None)
    own = target.loaded.__file__
    if theirs is None or own is None or not os.path.samefile(theirs, own):
        return cls
    found: Any = target.loaded
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    return found if isinstance(found, type) else cls


# -- a run ------------------------------------------------------------------------------------


def calls_of_run(target: Target, asked: Any, command: str) -> list[dict[str, Any]]:
    """The types of the arguments of the calls that a script makes."""
    from retrograd.transforms.asked_arguments import listening
    from retrograd.transforms.signatures.calls import seen_types

    calls: list[dict[str, Any]] = []

    def seen(args: list[Any]) -> None:
        if len(calls) < MOST:
            try:
                types = seen_types(asked, args)
                calls.append({name: at_home(target, kind) for name, kind in types.items()})
            except Exception:  # arguments that no text could be written for
                return

    def asks(chain: Any, args: Any) -> None:
        if is_target(chain.fn.__code__, asked.fn.__code__):
            seen([*chain.bound, *args][: len(asked.full.parameters)])

    problem = None
    with listening(asks), watched(asked.fn.__code__, lambda frame: seen(arguments_in(frame))):
        problem = run_script(command)
    if not calls:
        raise NotFound(
            f"--run {command!r} does not call {target.path}{': ' + problem if problem else ''}"
        )
    if problem:
        print(f"retrograd: {command}: {problem}", file=sys.stderr)
    return calls


def arguments_in(frame: FrameType) -> list[Any]:
    """The arguments of a call that has just begun, one for each parameter."""
    code = frame.f_code
    flags = (code.co_flags & 4 > 0) + (code.co_flags & 8 > 0)  # *rest, **params
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + flags])
    if code.co_flags & 4 and code.co_kwonlyargcount:  # *rest comes before keywords in a signature
        names.insert(code.co_argcount, names.pop(code.co_argcount + code.co_kwonlyargcount))
    return [frame.f_locals[name] for name in names]


def is_target(code: CodeType, wanted: CodeType) -> bool:
    """Whether two functions are one of the file's: it may be imported under several names."""
    return code is wanted or (
        code.co_qualname == wanted.co_qualname
        and code.co_firstlineno == wanted.co_firstlineno
        and os.path.realpath(code.co_filename) == os.path.realpath(wanted.co_filename)
    )


@contextmanager
def watched(wanted: CodeType, seen: Callable[[FrameType], None]) -> Iterator[None]:
    """Tell of every call of a function, in every thread."""
    if sys.version_info >= (3, 12):
        with monitored(wanted, seen):
            yield
        return
    known: dict[CodeType, bool] = {}

    def hear(frame: FrameType, event: str, arg: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code not in known:
            known[code] = is_target(code, wanted)
        if known[code]:
            seen(frame)

    before = sys.getprofile()
    threading.setprofile(hear)
    sys.setprofile(hear)
    try:
        yield
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]


@contextmanager
def monitored(wanted: CodeType, seen: Callable[[FrameType], None]) -> Iterator[None]:
    """The same where Python tells of the calls of one function alone."""
    watch: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
    start, tool = watch.events.PY_START, watch.PROFILER_ID

    def hear(code: CodeType, offset: int) -> Any:
        if not is_target(code, wanted):
            return watch.DISABLE
        seen(sys._getframe(1))
        return None

    watch.use_tool_id(tool, "retrograd")
    watch.register_callback(tool, start, hear)
    watch.set_events(tool, start)
    try:
        yield
    finally:
        watch.set_events(tool, 0)
        watch.register_callback(tool, start, None)
        watch.free_tool_id(tool)
        watch.restart_events()


def run_script(command: str) -> str | None:
    """Run a script as Python does; what went wrong, in words."""
    words = shlex.split(command)
    if words[:1] == ["python"]:
        words = words[1:]
    module = words[1] if words[:1] == ["-m"] and len(words) > 1 else None
    if module is None and (not words or not Path(words[0]).is_file()):
        raise NotFound(f"--run: there is no script {words[0] if words else ''}")
    before, path = sys.argv, list(sys.path)
    sys.argv = words[1:] if module else words
    sys.path.insert(0, os.getcwd() if module else str(Path(words[0]).resolve().parent))
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        if module:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as error:
        return f"it ended with {error.code}" if error.code not in (None, 0) else None
    except (Exception, KeyboardInterrupt) as error:
        return told(error)
    finally:
        sys.argv, sys.path[:], sys.stdout = before, path, stdout
    return None
