"""A stack of its own for a call that would go too deep on this one, with the modes of this thread."""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["carried", "is_deep", "on_a_fresh_stack"]

carried: list[Any] = []  # the thread-local states of the modules above, which enter them here
MODEST = 3  # a stack is deep when this part of what Python allows is used


def is_deep() -> bool:
    """True if so much of the stack is used that a call of unknown depth should not go on here."""
    limit, depth = sys.getrecursionlimit() // MODEST, 0
    frame: Any = sys._getframe()
    while frame is not None and depth < limit:
        frame, depth = frame.f_back, depth + 1
    return depth >= limit


def on_a_fresh_stack(act: Callable[[], Any]) -> Any:
    """The result of a call in a thread that is started for it; this one waits."""
    states = [dict(vars(one)) for one in carried]
    context = contextvars.copy_context()
    found: list[Any] = []
    failed: list[BaseException] = []

    def run() -> None:
        fresh = [dict(vars(one)) for one in carried]
        enter(states)
        try:
            found.append(context.run(act))
        except BaseException as error:
            failed.append(error)
        finally:
            enter(fresh)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


def enter(states: list[dict[str, Any]]) -> None:
    """Give the states of this thread these values; what is missing is as the class has it."""
    for one, values in zip(carried, states, strict=True):
        for name in {*vars(one), *values}:
            setattr(one, name, values.get(name, getattr(type(one), name, None)))
