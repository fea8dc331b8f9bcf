"""Functions that look up names where they are called: ``numexpr.evaluate("a * x")``, ``pandas.eval("a * x")``.

They compute with the variables of the program, which nothing says in the call.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterator
from typing import Any

from .own_attributes import home_of, own_attribute

__all__ = ["reads_caller"]

DEEPEST = 4  # the function, and as many calls further down
MADE_BY = ("__new__", "__init__", "__call__")


def reads_caller(fn: Any) -> bool:
    """True if a function, or one of its package that it names, reads the local variables of a frame.

    >>> import inspect
    >>> reads_caller(inspect.getargvalues), reads_caller(inspect.signature)
    (True, False)
    """
    found = plain(fn)
    return isinstance(found, types.FunctionType) and reads(found)


@functools.lru_cache(maxsize=4096)
def reads(fn: types.FunctionType) -> bool:
    seen: set[types.FunctionType] = set()
    level = [fn]
    for _ in range(DEEPEST):
        if any("f_locals" in names_in(f.__code__) for f in level):
            return True
        seen.update(level)
        level = list({g for f in level for g in named(f)} - seen)
    return False


def names_in(code: types.CodeType) -> frozenset[str]:
    """The names of the globals and attributes of a function and of those inside it."""
    inner = [names_in(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return frozenset(code.co_names).union(*inner)


def named(fn: types.FunctionType) -> Iterator[types.FunctionType]:
    """The functions of its package that a function names: of the module, of a closure, of a module or a class."""
    names = names_in(fn.__code__)
    held = [fn.__globals__.get(name, sys.modules.get(name)) for name in names]  # or imported there
    held += [cell.cell_contents for cell in fn.__closure__ or () if has_content(cell)]
    for value in held:
        yield from of_package(value, fn)
        if isinstance(value, types.ModuleType) or is_class_of(value, fn):
            inside = vars(value)
            for name in (*names, *MADE_BY):
                yield from of_package(inside.get(name), fn)


def of_package(value: Any, fn: types.FunctionType) -> Iterator[types.FunctionType]:
    found = plain(value)
    if isinstance(found, types.FunctionType) and root_of(found) == root_of(fn):
        yield found


def plain(value: Any) -> Any:
    """The function behind a method, a static one, or a decorator that says what it is around."""
    value = own_attribute(value, "__func__", value)
    return own_attribute(value, "__wrapped__", value)


def is_class_of(value: Any, fn: types.FunctionType) -> bool:
    return isinstance(value, type) and root_of(value) == root_of(fn)


def has_content(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def root_of(value: Any) -> str:
    return home_of(value).partition(".")[0]
