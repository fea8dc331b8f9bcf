"""Warnings of what runs on the tape: one for each place, once it has run there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from retrograd.runtime.cell_names import name_for_people
from retrograd.runtime.errors import BatchWarning, CompileError, TapeWarning

__all__ = ["notice_of", "notices_of_batches", "notices_of_calls", "tell", "told_apart", "warn_once"]

WARNED: set[Any] = set()


def notice_of(fn: Any, error: CompileError) -> tuple[Any, str]:
    """What is said of a function that runs on the tape as a whole; ``error`` is why it is not compiled."""
    where = (
        f" (line {error.place.line} of {name_for_people(error.place.file)})" if error.place else ""
    )
    way = f"; to have it compiled: {error.fix}" if error.fix else ""
    text = f"`{fn.__name__}` runs on the eager tape as a whole: {error.reason}{where}{way}"
    return told_apart(fn), text


def told_apart(fn: Any) -> Any:
    """What a function is to who is warned once of each: those that one decorator made share their code."""
    return fn.__code__, fn.__module__, fn.__qualname__


def notices_of_calls(fn: Any, taped: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """What is said of the calls that are not compiled."""
    file = name_for_people(fn.__code__.co_filename)
    for name, line, why in taped:
        yield (
            (told_apart(fn), name, line),
            f"`{name}`, called in line {line} of {file}, runs on the eager tape: "
            f"{why or 'there is no text to compile'}",
        )


class OfBatch(str):
    """A notice of what a batch calls for one example after the other."""

    __slots__ = ()


def notices_of_batches(fn: Any, slow: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """What is said of operations that a batch calls for each example; helpers of derivatives are no news."""
    places: dict[str, list[int]] = {}
    for name, line in slow:
        if not name.startswith("rt."):
            places.setdefault(name, []).append(line)
    if not places:
        return
    file = name_for_people(fn.__code__.co_filename)
    listed = [
        f"`{name}` (line {', '.join(map(str, sorted({*lines})))})" if any(lines) else f"`{name}`"
        for name, lines in places.items()
    ]
    text = f"`{fn.__name__}` in {file}: {' and '.join(listed)} of a batch is called for one example after the other"
    yield (told_apart(fn), "batch", tuple(places)), OfBatch(text)


def tell(notices: list[tuple[Any, str]]) -> None:
    """Say what has not been said yet."""
    while notices:
        warn_once(*notices[0])
        notices.pop(0)


def warn_once(site: Any, text: str) -> None:
    if site not in WARNED:
        batch = isinstance(text, OfBatch)
        why = ": it has no rule for batches" if batch else "; strict=True makes this an error"
        kind = BatchWarning if batch else TapeWarning
        warnings.warn(text + why, kind, stacklevel=frames_of_ours())
        WARNED.add(site)  # unless a filter has made it an error


def frames_of_ours() -> int:
    """How many frames lie between a warning and the user's line."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_globals):
        depth, frame = depth + 1, frame.f_back
    return depth


def is_ours(scope: dict[str, Any]) -> bool:
    return "miss__" in scope or str(scope.get("__name__", "")).startswith("retrograd.")
