"""Warnings of what runs on the tape: one for each place, once it has run there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from retrograd.runtime.errors import CompileError, TapeWarning

__all__ = ["notice_of", "notices_of_calls", "tell", "told_apart", "warn_once"]

WARNED: set[Any] = set()


def notice_of(fn: Any, error: CompileError) -> tuple[Any, str]:
    """What is said of a function that runs on the tape as a whole; ``error`` is why it is not compiled."""
    where = f" (line {error.place.line} of {Path(error.place.file).name})" if error.place else ""
    way = f"; to have it compiled: {error.fix}" if error.fix else ""
    text = f"`{fn.__name__}` runs on the eager tape as a whole: {error.reason}{where}{way}"
    return told_apart(fn), text


def told_apart(fn: Any) -> Any:
    """What a function is to who is warned once of each: those that one decorator made share their code."""
    return fn.__code__, fn.__module__, fn.__qualname__


def notices_of_calls(fn: Any, taped: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """What is said of the calls that are not compiled."""
    file = Path(fn.__code__.co_filename).name
    for name, line, why in taped:
        yield (
            (told_apart(fn), name, line),
            f"`{name}`, called in line {line} of {file}, runs on the eager tape: "
            f"{why or 'there is no text to compile'}",
        )


def tell(notices: list[tuple[Any, str]]) -> None:
    """Say what has not been said yet."""
    while notices:
        warn_once(*notices[0])
        notices.pop(0)


def warn_once(site: Any, text: str) -> None:
    if site not in WARNED:
        said = f"{text}; strict=True makes this an error"
        warnings.warn(said, TapeWarning, stacklevel=frames_of_ours())
        WARNED.add(site)  # unless a filter has made it an error


def frames_of_ours() -> int:
    """How many frames lie between a warning and the user's line."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_globals):
        depth, frame = depth + 1, frame.f_back
    return depth


def is_ours(scope: dict[str, Any]) -> bool:
    return "miss__" in scope or str(scope.get("__name__", "")).startswith("retrograd.")
