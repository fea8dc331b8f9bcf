"""Tracebacks as users read them: their own frames and those of generated text, not those of the compiler.

``RETROGRAD_TRACEBACK=full`` leaves everything in.
"""

from __future__ import annotations

import functools
import linecache
import os
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

from .errors import InternalError, RetrogradError

__all__ = ["DISPATCH", "cause_of", "is_own", "public", "trim"]

F = TypeVar("F", bound=Callable[..., Any])
DISPATCH = "dispatch_text__"  # in the scope of a function that sends calls on: its text


def trim(error: BaseException) -> None:
    """Leave the package's own frames out of an exception, and of those that led to it.

    What the compiler itself failed with keeps all of them: they are what a report is about.
    """
    if os.environ.get("RETROGRAD_TRACEBACK") == "full":
        show_dispatchers(error.__traceback__)
        return
    if isinstance(error, InternalError):
        return
    trim_causes(error)
    error.__traceback__ = without_own(error.__traceback__)


def trim_causes(error: BaseException) -> None:
    """A refusal says by itself what a refusal before it was about; other causes stay, without our frames."""
    seen = {id(error)}
    while (cause := shown_cause(error)) is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(error, RetrogradError) and is_internal(cause):
            vars(error).setdefault("cause", error.__cause__)
            error.__cause__, error.__suppress_context__ = None, True
            return
        cause.__traceback__ = without_own(cause.__traceback__)
        error = cause


def cause_of(error: BaseException) -> BaseException | None:
    """The cause of an error, whether it is shown or not."""
    left_out: BaseException | None = vars(error).get("cause")
    return error.__cause__ or left_out


def shown_cause(error: BaseException) -> BaseException | None:
    if error.__cause__ is not None:
        return error.__cause__
    return None if error.__suppress_context__ else error.__context__


def is_internal(cause: BaseException) -> bool:
    """Whether an exception is a refusal, or was raised by the package itself."""
    if isinstance(cause, RetrogradError):
        return True
    last = cause.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is None or is_own(last.tb_frame)


def without_own(tb: TracebackType | None) -> TracebackType | None:
    """The entries of the frames that are not the package's."""
    kept = []
    while tb is not None:
        if not is_own(tb.tb_frame):
            kept.append(tb)
        tb = tb.tb_next
    made: TracebackType | None = None
    for one in reversed(kept):
        made = TracebackType(made, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return made


def is_own(frame: FrameType) -> bool:
    """Whether a frame runs the package's code, and not text that was generated for the user."""
    scope = frame.f_globals
    if "__generated__" in scope:
        return False
    name = str(scope.get("__name__", ""))
    return DISPATCH in scope or name == "retrograd" or name.startswith("retrograd.")


def show_dispatchers(tb: TracebackType | None) -> None:
    """Let debuggers and full tracebacks show the text of the functions that send calls on."""
    while tb is not None:
        frame = tb.tb_frame
        text = frame.f_globals.get(DISPATCH)
        if isinstance(text, str):
            file = frame.f_code.co_filename
            linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
        tb = tb.tb_next


def public(fn: F) -> F:
    """A function that users call: its errors show their frames."""

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except BaseException as error:
            trim(error)
            raise

    return call  # type: ignore[return-value]
