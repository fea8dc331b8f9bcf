"""What of the libraries is differentiated as a program: another text for a function, another class for an object."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..objects.homes import REPLACEMENTS
from ..objects.own_attributes import home_of, own_attribute

__all__ = ["objects", "program_of", "programs", "remade_as"]

programs: dict[Any, Callable[..., Any]] = {}  # the text that stands for a function
objects: dict[
    type, Callable[..., Any]
] = {}  # the class that stands for an object, and its arguments
libraries = {  # that are not imported here: where their functions stand, by name
    "bottleneck": "bottleneck",
    "statistics": "averages",
    "_heapq": "ordered_lists",
    "heapq": "ordered_lists",
    "_bisect": "ordered_lists",
}


def program_of(fn: Any) -> Callable[..., Any] | None:
    """The program that is differentiated in place of a function of these libraries."""
    try:
        return programs.get(fn) or of_library(fn)
    except TypeError:  # not hashable
        return None


def of_library(fn: Any) -> Callable[..., Any] | None:
    """The program of that name, if ``fn`` is the library's own function."""
    library = home_of(fn).partition(".")[0]
    if library not in libraries:
        return None
    name = str(own_attribute(fn, "__name__", ""))
    own = getattr(sys.modules.get(library), name, None) is fn
    if not own:
        return None
    home = import_module(f"{REPLACEMENTS}{libraries[library]}")
    return getattr(home, name) if name in home.__all__ else None


def remade_as(given: Any) -> Any:
    """The class of the program that stands for an object of these libraries, and its arguments."""
    for kind in type(given).__mro__:
        if kind in objects:
            return objects[kind](given)
    return None
