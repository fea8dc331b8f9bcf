"""How a program says that it would rather compute again than keep: for a function, for a loop.

Both do nothing when the program runs; the compiler reads them.
"""

from __future__ import annotations

import functools
import types
from typing import Any, TypeVar

from .errors import SignatureMismatch

__all__ = ["checkpoint", "checkpointed"]

Anything = TypeVar("Anything")


def checkpoint(fn: Any) -> Any:
    """The same function, of which a derivative keeps the arguments only, and runs it again.

    ::

        @rg.checkpoint
        def block(x, w): ...

    >>> @checkpoint
    ... def double(x):
    ...     return 2 * x
    >>> double(4), double.__checkpoint__
    (8, True)
    """
    plain = getattr(getattr(fn, "__retrograd__", None), "fn", fn)
    if not isinstance(plain, types.FunctionType):
        raise SignatureMismatch(f"checkpoint takes a Python function, not {fn!r}")
    made: Any = types.FunctionType(
        plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
    )
    functools.update_wrapper(made, plain)
    del made.__wrapped__
    made.__kwdefaults__ = plain.__kwdefaults__
    made.__checkpoint__ = True
    return made


def checkpointed(loop: Anything, *, snapshots: int) -> Anything:
    """What a ``for`` iterates over or a ``while`` tests, as it is: its derivative keeps only some states.

    ::

        for i in rg.checkpointed(range(n), snapshots=32): ...
        while rg.checkpointed(error > tolerance, snapshots=32): ...

    >>> list(checkpointed(range(3), snapshots=2))
    [0, 1, 2]
    """
    return loop
