"""A bound on how long a call may take: a compiler that does not come back is a result, too."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

__all__ = ["TookTooLong", "at_most"]


class TookTooLong(Exception):
    """A call was ended when its time was over."""


class Bell(BaseException):
    """What ends it: no handler of what is called takes it for an error of its own."""


def ring(*_: Any) -> None:
    raise Bell


def at_most(seconds: int, call: Callable[[], Any]) -> Any:
    """What ``call`` returns, unless it takes longer; where there are no alarms, it may.

    >>> at_most(5, lambda: 3)
    3
    """
    if not hasattr(signal, "SIGALRM"):
        return call()
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        return call()
    except Bell:
        raise TookTooLong(f"no answer after {seconds} s") from None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
