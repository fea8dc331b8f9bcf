"""Calls that are differentiated while they run: what the compiler cannot compile goes here.

``y, y_pull = taped(fn, x, z)`` runs ``fn`` on boxes and gives its result and its pullback.  Levels
make it re-entrant: the pullback may be differentiated again, and so may `pushed`, the forward mode.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import MutationError
from ..objects.own_attributes import own_attribute
from ..objects.pytree import leaves, map_leaves
from .box import Box, Level, is_float, raw
from .boxed_functions import spoken
from .forward_level import Dual, plain_tangent
from .reverse_level import Pull, entered, plain
from .rule_evaluation import zeros_like
from .run_function import check_unchanged, contents, known, leave, owned_box, run

__all__ = ["Pull", "pulled", "pushed", "taped"]

Wrt = tuple[int | str, ...] | None


def taped(
    fn: Callable[..., Any],
    *args: Any,
    wrt: Wrt = None,
    keywords: dict[str, Any] | None = None,
    apart: bool = False,
    again: bool = False,
) -> tuple[Any, Pull]:
    """``(fn(*args, **keywords), pullback)``; ``wrt``: positions and names of what is differentiated.

    By default that is every positional argument.  ``apart``: the result may not share the memory
    of an argument, which is written to later: it is a copy here.  ``again``: as in `pushed`.

    >>> value, pull = taped(lambda x, y: x * y, 3.0, 4.0)
    >>> value, pull(1.0)
    (12.0, (4.0, 3.0))
    """
    asked = tuple(range(len(args))) if wrt is None else wrt
    pull = Pull(fn, args, keywords or {}, asked, again, apart)
    if apart and pull.shares:
        raise MutationError(
            f"the result of `{own_attribute(fn, '__name__', fn)}` shares the memory of an argument, and arrays "
            "are written to here",
            fix="let it return a copy (`.copy()`)",
        )
    return pull.value, pull


def pulled(pull: Pull, c: Any) -> Any:
    """``pull(c)`` as a function that can be taped itself."""
    return pull(c)


def pushed(
    fn: Callable[..., Any],
    dots: tuple[Any, ...],
    *args: Any,
    wrt: Wrt = None,
    keywords: dict[str, Any] | None = None,
    again: bool = False,
) -> tuple[Any, Any]:
    """``(fn(*args, **keywords), tangent)``, ``dots`` being the tangents of the arguments in ``wrt``.

    ``again``: the same call has run before, so what it prints was printed then.

    >>> pushed(lambda x: x * x, (1.0,), 3.0)
    (9.0, 6.0)
    """
    asked = tuple(range(len(args))) if wrt is None else wrt
    level = Dual()

    def enter(x: Any, dot: Any, name: str) -> Any:
        return entered(lambda leaf, d: boxed(level, leaf, d, name), x, dot)

    inner, named = list(args), dict(keywords or {})
    for key, dot in zip(asked, dots, strict=True):
        place: Any = inner if isinstance(key, int) else named
        place[key] = enter(place[key], dot, spoken(fn, key))
    outer = [a for a in leaves([*args, *(keywords or {}).values()]) if type(a) is Box]
    before = [contents(a) for a in outer]
    try:
        y = run(level, fn, inner, named, asked, again)
        value = map_leaves(owned_box, leave(level, y))
    finally:
        level.ended = True
    check_unchanged(outer, before)
    return value, map_leaves(lambda leaf: tangent_of(level, leaf), y)


def boxed(level: Level, leaf: Any, dot: Any, name: str) -> Any:
    if not is_float(leaf) or dot is None:
        return leaf if dot is None else known(leaf, name)
    return Box(level, owned_box(leaf), dot, given=name)


def tangent_of(level: Level, leaf: Any) -> Any:
    if type(leaf) is Box and leaf._level is level:
        mark = plain_tangent(leaf._mark)
        return zeros_like(leaf._value) if mark is None else plain(mark, leaf)
    value = raw(leaf)
    return None if value is None else zeros_like(value)
