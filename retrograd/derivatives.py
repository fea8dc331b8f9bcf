"""Derivatives in pickles: the function and what was asked of it go there, and the derivative is made anew.

A derivative is a plain function, since nothing is faster to call, and plain functions are pickled by name: here
is the module where that name (``loss.grad``) is looked up, in a `Namespace` for each function's.  The name is a
`Request`, which pickles as the question whose answer has a name in the process that reads it.
"""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Callable
from types import CellType, CodeType, FunctionType, MethodType, SimpleNamespace
from typing import Any
from weakref import WeakValueDictionary

from retrograd.runtime.objects.own_attributes import HOME, own_attribute

__all__ = [
    "by_value", "named_in", "pickled_as", "pickled_on_demand", "sent_by_value", "text_of", "with_text",
]  # fmt: skip

MADE: WeakValueDictionary[str, Any] = WeakValueDictionary()
LATEST: dict[str, Any] = {}  # those just read from a pickle, which nobody else holds yet
MOST = 32  # of them: reads that were given up
NUMBERS = itertools.count(1)
VALUES = (
    "cloudpickle",
    "dill",
)  # they pickle functions of `__main__`, and those without a name, by what they are


class Namespace:
    """The derivatives of functions of one name: what pickles a function saves its name as it is if it has a dot."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: Any = None

    def __getattr__(self, name: str) -> Any:
        whole = f"{self.name}.{name}"
        found = MADE.get(whole)
        if found is None:
            raise AttributeError(f"no derivative is called {whole}", name=name)
        self.found = found
        LATEST.pop(whole, None)
        return found

    def __reduce__(self) -> Any:
        """Protocols before 4 pickle it, and the name: what was just looked up goes along, under that name."""
        name = self.found.__qualname__
        return alone, (name.rpartition(".")[2], *name.reduced())


def alone(name: str, make: Callable[..., Any], *args: Any) -> Any:
    """A namespace in which one derivative is called what it was called where it was pickled."""
    return SimpleNamespace(**{name: make(*args)})


def __getattr__(name: str) -> Any:
    if not any(known.startswith(f"{name}.") for known in MADE):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return Namespace(name)


class Request(str):
    """The name of a derivative; a pickle of it is the call ``make(*args)`` that makes it."""

    make: Callable[..., Any]
    args: Any
    plain: str  # without the number that tells it from others of its name

    def reduced(self) -> tuple[Any, ...]:
        return (self.make, *(self.args() if callable(self.args) else self.args))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return name_of_made, self.reduced()


def name_of_made(make: Callable[..., Any], *args: Any) -> str:
    made = make(*args)
    name = "".join(made.__qualname__)
    LATEST[name] = made
    while len(LATEST) > MOST:
        LATEST.pop(next(iter(LATEST)), None)
    return name


def pickled_as(function: Any, whole: str, make: Callable[..., Any], *args: Any) -> Any:
    """``function``, which is called ``whole`` in messages, and is pickled as a call of ``make``."""
    tried = (whole if k == 1 else f"{whole}_{k}" for k in itertools.count(1))
    return named(function, next(one for one in tried if one not in MADE), make, args)


def pickled_on_demand(
    function: Any, whole: str, make: Callable[..., Any], args: Callable[[], tuple[Any, ...]]
) -> Any:
    """The same of one of many that live for a moment: ``args`` is asked when somebody pickles it."""
    return named(function, f"{whole}_{next(NUMBERS)}", make, args)


def named(function: Any, whole: str, make: Callable[..., Any], args: Any) -> Any:
    name, home, request = function.__name__, function.__module__, Request(whole)
    request.make, request.args, request.plain = make, args, name
    function.__module__, function.__qualname__ = __name__, request
    setattr(function, HOME, home)
    MADE[str(request)] = function
    return function


# -- functions of the user's ----------------------------------------------------------------------


def by_value() -> bool:
    """Whether a pickler is at work that takes functions for what they are, not by their names."""
    frame, depth = sys._getframe(1), 0
    while frame is not None and depth < 8:
        if any(name in str(frame.f_globals.get("__name__")) for name in VALUES):
            return True
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return False


def named_in(fn: Any) -> Any:
    """What is found by the name of a function: itself, or what a decorator made of it; None for what has no name."""
    found: Any = sys.modules.get(str(own_attribute(fn, "__module__")))
    for part in str(own_attribute(fn, "__qualname__", "")).split("."):
        found = own_attribute(found, part)
    return found


def sent_by_value(fn: Any) -> bool:
    """Whether the pickler at work takes this function for what it is: those of a script, and those it was told."""
    if not by_value():
        return False
    home = str(own_attribute(fn, "__module__"))
    told: Any = getattr(sys.modules.get("cloudpickle"), "list_registry_pickle_by_value", set)()
    return home == "__main__" or any(home == one or home.startswith(f"{one}.") for one in told)


Texts = tuple[dict[tuple[str, int], str], dict[str, list[str]]]
"""The files of functions by name and line; and their lines."""


def text_of(fn: Any) -> Texts | None:
    """Where the texts of a function and of those around it are, for a pickler that drops it: by value."""
    if not by_value():
        return None
    files = {key_of(one): one.__code__.co_filename for one in functions_around(fn)}
    return files, {file: linecache.getlines(file) for file in files.values()}


def with_text(fn: Any, texts: Texts | None) -> Any:
    """The function, which has its text here from now on."""
    files, lines = texts or ({}, {})
    here = {file: at_hand(file, known) for file, known in lines.items()}
    for one in functions_around(fn) if files else ():
        file = files.get(key_of(one), one.__code__.co_filename)
        file = here.get(file, file)
        if file != one.__code__.co_filename:
            one.__code__ = one.__code__.replace(co_filename=file)
    return fn


def at_hand(file: str, lines: list[str]) -> str:
    """The file that has these lines here: it itself, or, where there is none or another one, one in memory."""
    linecache.checkcache(file)
    known = linecache.getlines(file)
    if known == lines or not lines:
        return file
    if known:
        from hashlib import sha256  # few texts are other ones here

        digest = sha256("".join(lines).encode(errors="surrogatepass")).hexdigest()
        file = f"<{os.path.basename(file)} {digest[:8]}>"
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    return file


def key_of(fn: FunctionType) -> tuple[str, int]:
    return fn.__qualname__, fn.__code__.co_firstlineno


def functions_around(fn: Any) -> list[FunctionType]:
    """A function of the program's, and those of its module that it reaches by names, closures and classes."""
    found: dict[int, FunctionType] = {}
    waiting, seen = [fn], set()
    while waiting:
        one = waiting.pop()
        one = one.__func__ if isinstance(one, MethodType | classmethod | staticmethod) else one
        one = own_attribute(one, "__wrapped__", one)
        if id(one) in seen or own_attribute(one, "__module__") != own_attribute(fn, "__module__"):
            continue
        seen.add(id(one))
        if isinstance(one, type):
            waiting += vars(one).values()
        elif isinstance(one, FunctionType):
            found[id(one)] = one
            waiting += [one.__globals__[n] for n in names_in(one.__code__) if n in one.__globals__]
            waiting += [c.cell_contents for c in one.__closure__ or () if c != CellType()]
    return list(found.values())


def names_in(code: CodeType) -> set[str]:
    inner = [names_in(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)
