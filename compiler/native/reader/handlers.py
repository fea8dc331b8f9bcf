"""The handlers of the reader, one for each expression, statement, function and method that it takes.

A module enters its own by a decorator; ``all_handlers`` is the list of these modules.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from retrograd import runtime
from retrograd.runtime.objects.homes import RUNTIME

__all__ = [
    "EXPRESSIONS", "FUNCTIONS", "METHODS", "STATEMENTS", "complex_too", "fits", "handler_of", "reads",
    "reads_expression", "reads_helper", "reads_method", "reads_routine", "reads_scipy", "reads_statement",
    "reads_ufunc_method",
]  # fmt: skip

Handler = TypeVar("Handler", bound=Callable[..., Any])

EXPRESSIONS: dict[type[ast.expr], Callable[..., Any]] = {}
STATEMENTS: dict[type[ast.stmt], Callable[..., Any]] = {}
FUNCTIONS: dict[Any, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}  # of arrays and numbers, and attributes that are called
HELPERS: dict[str, Callable[..., Any]] = {}  # of the runtime, in place of their text
UFUNC_METHODS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {}
ROUTINES: dict[str, Callable[..., Any]] = {}  # of the runtime, where loops are printed for people
SCIPY: dict[tuple[str, str], Callable[..., Any]] = {}  # by module and name: it may not be imported


def entered(table: dict[Any, Callable[..., Any]], keys: Any) -> Callable[[Handler], Handler]:
    def enter(handler: Handler) -> Handler:
        for key in keys:
            assert key not in table, key
            table[key] = handler
        return handler

    return enter


def reads_expression(*nodes: type[ast.expr]) -> Callable[[Handler], Handler]:
    """``handler(r, node)`` gives the value of such an expression."""
    return entered(EXPRESSIONS, nodes)


def reads_statement(*nodes: type[ast.stmt]) -> Callable[[Handler], Handler]:
    """``handler(r, stmt, live)`` reads such a statement, ``live`` being the names that are read after it.

    It gives what the function returns, ``ENDED`` if nothing after it runs, and otherwise None.
    """
    return entered(STATEMENTS, nodes)


def reads(*functions: Any) -> Callable[[Handler], Handler]:
    """``handler(r, *args)`` gives the value of a call of such a function of NumPy or Python."""
    return entered(FUNCTIONS, functions)


def reads_method(*names: str) -> Callable[[Handler], Handler]:
    """``handler(r, x, *args)``: a method of an array or a number."""
    return entered(METHODS, names)


def reads_helper(*names: str) -> Callable[[Handler], Handler]:
    """A helper of the runtime whose text is beyond the reader, or slow as loops."""
    return entered(HELPERS, names)


def reads_routine(*names: str) -> Callable[[Handler], Handler]:
    """A helper of the runtime that is a routine of linear algebra where loops are printed for people."""
    return entered(ROUTINES, names)


def reads_ufunc_method(ufunc: np.ufunc, name: str) -> Callable[[Handler], Handler]:
    """``ufunc.name``."""
    return entered(UFUNC_METHODS, [(ufunc, name)])


def reads_scipy(module: str, name: str) -> Callable[[Handler], Handler]:
    """A function of SciPy, which need not be installed."""
    return entered(SCIPY, [(module, name)])


def complex_too(handler: Handler) -> Handler:
    """A handler that knows what to do with complex numbers: others are not asked."""
    handler.complex_too = True  # type: ignore[attr-defined]
    return handler


def handler_of(fn: Any, printed: bool = False) -> Callable[..., Any] | None:
    """The handler of a function that is known, if there is one; ``printed``: for people."""
    if printed and (found := of_runtime(fn, ROUTINES)) is not None:
        return found
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, np.ufunc):
        return UFUNC_METHODS.get((owner, fn.__name__))
    try:
        found = FUNCTIONS.get(fn)
    except TypeError:
        return None
    return found or of_scipy(fn) or of_runtime(fn)


def of_scipy(fn: Any) -> Callable[..., Any] | None:
    for (module, name), handler in SCIPY.items():
        loaded = sys.modules.get(module)
        if loaded is not None and getattr(loaded, name, None) is fn:
            return handler
    return None


def of_runtime(
    fn: Any, table: dict[str, Callable[..., Any]] = HELPERS
) -> Callable[..., Any] | None:
    """A helper by its name, unless it is another one of that name, of a module of its own."""
    if not (getattr(fn, "__module__", None) or "").startswith(RUNTIME):
        return None
    found = table.get(fn.__name__)
    return found if getattr(runtime, fn.__name__, fn) is fn else None


@functools.cache
def signature(handler: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(handler)


def fits(handler: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> bool:
    """True if a handler takes these arguments, after the reader."""
    try:
        signature(handler).bind(None, *args, **kwargs)
    except TypeError:
        return False
    return True
