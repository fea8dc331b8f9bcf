"""Deep programs: what hits Python's recursion limit runs again with a larger stack.

The compiler goes down a program by recursion, as deep as its text is nested: a sum of a thousand
terms is a tree a thousand levels high.  Nearly every program needs a few dozen levels, and whoever
asks for a derivative may be deep in calls already; so only what did not fit is run once more, in a
thread of its own, whose stack is large enough for a limit that no readable program reaches.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

__all__ = ["deeply"]

Result = TypeVar("Result")
STACK = 512 << 20  # bytes of address space; what is not touched is not taken
LEVELS = 100_000  # Python's frames are on the heap, but a call through C needs some stack
alone = threading.Lock()  # the limit is one for all threads
inside = threading.local()


def deeply(call: Callable[..., Result]) -> Callable[..., Result]:
    """``call``, which runs again in a thread with a large stack if it was too deep for this one."""

    @wraps(call)
    def run(*args: Any, **kwargs: Any) -> Result:
        if getattr(inside, "deep", False):
            return call(*args, **kwargs)
        try:
            return call(*args, **kwargs)
        except RecursionError:
            pass  # outside of the handler, the second attempt's errors are its own
        return in_thread(lambda: call(*args, **kwargs))

    return run


def in_thread(call: Callable[[], Result]) -> Result:
    """Runs ``call`` in a thread with a large stack."""
    results: list[Result] = []
    errors: list[BaseException] = []
    context = contextvars.copy_context()

    def body() -> None:
        inside.deep = True
        try:
            results.append(context.run(call))
        except BaseException as error:
            errors.append(error)

    with alone:
        limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
        try:
            sys.setrecursionlimit(max(limit, LEVELS))
            thread = threading.Thread(target=body, name="retrograd", daemon=True)
            thread.start()
            thread.join()
        finally:
            threading.stack_size(size)
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
