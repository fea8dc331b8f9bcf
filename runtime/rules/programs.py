"""What of the libraries is differentiated as a program: another text for a function, another class for an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["objects", "program_of", "programs", "remade_as"]

programs: dict[Any, Callable[..., Any]] = {}  # the text that stands for a function
objects: dict[
    type, Callable[..., Any]
] = {}  # the class that stands for an object, and its arguments


def program_of(fn: Any) -> Callable[..., Any] | None:
    """The program that is differentiated in place of a function of these libraries."""
    try:
        return programs.get(fn)
    except TypeError:  # not hashable
        return None


def remade_as(given: Any) -> Any:
    """The class of the program that stands for an object of these libraries, and its arguments."""
    for kind in type(given).__mro__:
        if kind in objects:
            return objects[kind](given)
    return None
