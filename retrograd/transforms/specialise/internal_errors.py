"""The door: what is wrong with the compiler leaves it as an `InternalError`, never as a bare exception."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

from retrograd.runtime.errors import InternalError, Place, RetrogradError
from retrograd.runtime.objects.own_attributes import own_attribute

__all__ = ["built", "internal"]

Result = TypeVar("Result")


def built(make: Callable[..., Result]) -> Callable[..., Result]:
    """``make(fn, ...)``, which writes text for a function of the user's, and fails by errors of ours only."""

    @wraps(make)
    def run(fn: Any, *args: Any, **kwargs: Any) -> Result:
        try:
            return make(fn, *args, **kwargs)
        except (RetrogradError, TimeoutError, MemoryError, Warning):  # or a filter made it an error
            raise
        except Exception as error:
            raise internal(fn, "writing its derivative", error) from error

    return run


def internal(fn: Any, doing: str, error: BaseException) -> InternalError:
    import traceback  # it brings half of the tokenizer along

    fn = getattr(fn, "fn", fn)  # a chain
    name = own_attribute(fn, "__qualname__", repr(fn))
    what = "".join(traceback.format_exception_only(error)).strip()
    return InternalError(
        f"{doing} failed for `{name}`: {what.splitlines()[0][:200]}",
        place=place_of(fn, error),
        fix="report this with the function's text and the traceback above; "
        "it runs on the eager tape until that is mended, unless strict=True",
    )


def place_of(fn: Any, error: BaseException) -> Place | None:
    """The line of the user's function that the compiler was at, or its first one."""
    code = own_attribute(fn, "__code__")
    if code is None:
        return None
    line = next(lines_in(error), code.co_firstlineno)
    return Place(code.co_filename, line, 0, linecache.getline(code.co_filename, line).rstrip("\n"))


def lines_in(error: BaseException) -> Iterator[int]:
    """The lines that the frames of a traceback are about, the innermost first."""
    frames, at = [], error.__traceback__
    while at is not None:
        frames.append(at.tb_frame)
        at = at.tb_next
    for frame in reversed(frames):
        for name in ("op", "node", "statement"):
            known = frame.f_locals.get(name)
            line = getattr(getattr(known, "loc", known), "line", getattr(known, "lineno", None))
            if isinstance(line, int) and frame.f_globals.get("__name__", "").startswith("retro"):
                yield line
