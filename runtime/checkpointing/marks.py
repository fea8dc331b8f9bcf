"""How a program says that it would rather compute again than keep: for a function, for a loop.

Both do nothing when the program runs; the compiler reads them.
"""

from __future__ import annotations

import functools
import types
from typing import Any, TypeVar

from ..errors import SignatureMismatch
from ..objects.own_attributes import own_attribute
from ..tracebacks import public

__all__ = ["checkpoint", "checkpointed", "marked", "marks_of"]

Anything = TypeVar("Anything")


@public
def checkpoint(fn: Anything) -> Anything:
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
    plain = getattr(own_attribute(fn, "__retrograd__"), "fn", fn)
    if not isinstance(plain, types.FunctionType):
        raise SignatureMismatch(f"checkpoint takes a Python function, not {fn!r}")
    return marked(plain, __checkpoint__=True)  # type: ignore[no-any-return]


def marked(fn: types.FunctionType, **marks: Any) -> Any:
    """A copy of a function that carries marks for the compiler; the function itself has none."""
    made: Any = types.FunctionType(
        fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__
    )
    functools.update_wrapper(made, fn)
    del made.__wrapped__
    made.__kwdefaults__ = fn.__kwdefaults__
    vars(made).update(marks)
    return made


def marks_of(fn: Any) -> dict[str, Any]:
    """The marks of a function, for whoever must know whether they changed."""
    return {name: value for name in MARKS if (value := getattr(fn, name, None)) is not None}


MARKS = ("__alias__", "__checkpoint__", "__snapshots__", "__recompute__")


def checkpointed(loop: Anything, *, snapshots: int) -> Anything:
    """Returns ``loop``, the head of a ``for`` or ``while``, as it is: its derivative keeps only some states.

    ::

        for i in rg.checkpointed(range(n), snapshots=32): ...
        while rg.checkpointed(error > tolerance, snapshots=32): ...

    >>> list(checkpointed(range(3), snapshots=2))
    [0, 1, 2]
    """
    return loop
