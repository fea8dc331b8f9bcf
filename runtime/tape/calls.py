"""Calls that are differentiated while they run: what the compiler cannot compile goes here.

``y, y_pull = taped(fn, x, z)`` runs ``fn`` on boxes and gives its result and its pullback.  Levels
make it re-entrant: the pullback may be differentiated again, and so may `pushed`, the forward mode.
"""

from __future__ import annotations

import re
import traceback
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import MutationError, RetrogradError, SignatureMismatch, TapeError
from ..helpers import linear
from ..objects.memory_layout import copy_as_it_lies
from ..objects.own_attributes import own_attribute
from ..objects.pytree import children, hides, map_leaves, map_pairs, part
from ..rules.scipy import registry
from .box import Box, any_mark
from .boxed_functions import LIBRARIES, followed, open_levels, spoken
from .dispatch import KEPT, Level, add, apply, has_boxes, is_float, raw
from .forward_level import Dual, plain_tangent
from .graph import Mark, Node, backward
from .reverse_level import Tape, same_content, zeros_like

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
    outer = [a for a in leaves_below([*args, *(keywords or {}).values()]) if type(a) is Box]
    before = [contents(a) for a in outer]
    try:
        y = run(level, fn, inner, named, asked, again)
        value = map_leaves(owned_box, leave(level, y))
    finally:
        level.ended = True
    check_unchanged(outer, before)
    return value, map_leaves(lambda leaf: tangent_of(level, leaf), y)


class Pull:
    """The pullback of one call; as an argument of another it stands for the call's arguments."""

    def __init__(
        self,
        fn: Any,
        args: Any,
        kwargs: dict[str, Any],
        wrt: tuple[int | str, ...],
        again: bool = False,
        apart: bool = False,
    ) -> None:
        outer = [a for a in leaves_below([*args, *kwargs.values()]) if type(a) is Box]
        before = [contents(a) for a in outer]
        args = tuple(self.held(a, k in wrt) for k, a in enumerate(args))
        kwargs = {k: self.held(a, k in wrt) for k, a in kwargs.items()}
        self.fn, self.args, self.kwargs, self.wrt = fn, args, kwargs, wrt
        self.level = Tape()
        self.leaves: dict[int | str, Any] = {}
        entered, named = list(args), dict(kwargs)
        place: Any
        for key in wrt:
            place = entered if isinstance(key, int) else named
            place[key] = self.enter(place[key], spoken(fn, key))
            self.leaves[key] = opened(place[key])
        try:
            self.result = run(self.level, fn, entered, named, wrt, again)
            found = leave(self.level, self.result)
        finally:
            self.level.ended = True
        check_unchanged(outer, before)
        self.shares = apart and linear.overlap(leaves_of(found), leaves_of([args, kwargs]))
        self.value = map_leaves(owned, found)
        self.result = map_leaves(self.end, self.result)

    def held(self, x: Any, asked: bool) -> Any:
        """An argument that nobody else can write to any more."""
        return map_leaves(owned if asked else frozen, x)

    def enter(self, x: Any, name: str) -> Any:
        def box(leaf: Any, _: Any) -> Any:
            if not is_float(leaf):
                return known(leaf, name)
            return Box(self.level, leaf, Mark(Node(name)), given=name)

        return entered(box, x)

    def end(self, leaf: Any) -> Any:
        """What is needed of a result later: where it was made, and its kind."""
        from .reverse_level import stand_in

        if type(leaf) is Box and leaf._level is self.level:
            return End(leaf._mark, stand_in(leaf._value))
        return End(None, stand_in(leaf))

    def __call__(self, c: Any) -> Any:
        """The cotangents of the arguments in ``wrt``: one, or a tuple for several."""
        seeds = [(end.mark, cast(part, end.like)) for end, part in ends(self.result, c)]
        found = backward([(m, part) for m, part in seeds if m is not None], add)
        bars = tuple(
            map_leaves(lambda leaf: self.bar(leaf, found), self.leaves[key]) for key in self.wrt
        )
        return bars if len(bars) != 1 else bars[0]

    def bar(self, leaf: Any, found: dict[Node, Any]) -> Any:
        if type(leaf) is Box and leaf._level is self.level:
            mark = leaf._mark
            c = found.get(mark.node)
            return zeros_like(leaf._value) if c is None else plain(cast(c, leaf._value), leaf)
        return zeros_like(raw(leaf))

    # -- as a container of the call's arguments ---------------------------------------

    def tree(self) -> tuple[Any, ...]:
        return tuple(self.args[k] if isinstance(k, int) else self.kwargs[k] for k in self.wrt)

    def with_tree(self, tree: tuple[Any, ...]) -> Pull:
        """The pullback of the same call of other arguments."""
        args, kwargs = list(self.args), dict(self.kwargs)
        place: Any
        for key, x in zip(self.wrt, tree, strict=True):
            place = args if isinstance(key, int) else kwargs
            place[key] = x
        made = Pull(self.fn, tuple(args), kwargs, self.wrt, again=True)
        check_repeated(made, self)
        return made

    def __getitem__(self, key: int) -> Any:
        return self.tree()[key]

    def __len__(self) -> int:
        return len(self.wrt)


def check_repeated(made: Pull, first: Pull) -> None:
    """A second run for a higher derivative must give what the first gave."""
    one, two = leaves_of(made.value), leaves_of(first.value)
    if len(one) != len(two) or not all(map(is_same, one, two)):
        name = own_attribute(first.fn, "__name__", first.fn)
        raise TapeError(
            f"`{name}` gives another result when it is called again (random numbers, or a state it "
            "changes), so it has no second derivative; pass what varies as an argument"
        )


def check_unchanged(outer: list[Box], before: list[Any]) -> None:
    """Values of an outer function must be what they were when an inner one is differentiated."""
    if any(a is not b for a, b in zip(map(contents, outer), before, strict=True)):
        raise TapeError(
            "an array of an outer function is written to inside a differentiated one that is given it; "
            "let it write to a copy"
        )


def leaves_below(tree: Any) -> list[Any]:
    found: list[Any] = []
    map_leaves(found.append, tree)
    return found


def leaves_of(tree: Any) -> list[Any]:
    return [raw(leaf) for leaf in leaves_below(tree)]


def is_same(a: Any, b: Any) -> bool:
    if is_float(a) and is_float(b):
        return bool(np.array_equal(a, b, equal_nan=True))
    return type(a) is type(b)


class End:
    """A leaf of the result of a taped call."""

    __slots__ = ("like", "mark")

    def __init__(self, mark: Any, like: Any) -> None:
        self.mark, self.like = mark, like


# -- running the function -----------------------------------------------------------------


def run(
    level: Level, fn: Any, args: Any, kwargs: dict[str, Any], wrt: Any, again: bool = False
) -> Any:
    """The function on boxes; arrays that are not differentiated cannot be written to meanwhile."""
    args = [a if k in wrt else map_leaves(guarded, a) for k, a in enumerate(args)]
    kwargs = {k: a if k in wrt else map_leaves(guarded, a) for k, a in kwargs.items()}
    given = [*args, *kwargs.values()]
    before = [contents(a) for a in given]
    registry.load()
    try:
        with open_levels.running(level, again):
            result = followed(fn)(*args, **kwargs)
    except RetrogradError:
        raise
    except Exception as error:
        if (
            level.refused is not None
        ):  # C code that called back may have put an error of its own in its place
            raise level.refused from error
        raise_as_refusal(fn, error)
        raise
    if level.refused is not None:
        raise level.refused
    if any(not same_contents(a, b) for a, b in zip(before, map(contents, given), strict=True)):
        raise TapeError(
            f"`{own_attribute(fn, '__name__', fn)}` changes a container that it was given, and runs on the tape; "
            "return the new values instead"
        )
    return result


def raise_as_refusal(fn: Any, error: BaseException) -> None:
    """An error that comes of the tape is one of the tape, whoever has wrapped it."""
    cause: BaseException | None = error
    for _ in range(10):
        cause = None if cause is None else cause.__cause__ or cause.__context__
        if isinstance(cause, TapeError):
            raise TapeError(str(cause)) from error
    name = own_attribute(fn, "__name__", fn)
    refused = ("read-only", "setting an array element")
    if isinstance(error, ValueError) and any(words in str(error) for words in refused):
        raise TapeError(
            f"`{name}` writes to an array that it was given, and runs on the tape ({error}); let it write to a copy"
        ) from error
    where = stranger(error)
    if where:
        raise TapeError(
            f"`{name}` gives a value that is being differentiated to {where}, which does not know it "
            f"({type(error).__name__}: {error}); give its plain value (rg.stop_gradient), or write it with NumPy"
        ) from error
    unknown = isinstance(error, TypeError) and re.search(r"\bBox\b", str(error))
    if unknown or "'Box'" in str(error) or "'retrograd.runtime.tape.box.Box'" in str(error):
        raise TapeError(
            f"`{name}` gives a value that is being differentiated to something that does not know it: {error}"
        ) from error


def stranger(error: BaseException) -> str:
    """The function of a library, NumPy's apart, that holds boxes and in which an error came up."""
    found = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        home = str(frame.f_globals.get("__name__", ""))
        root = home.partition(".")[0]
        if root not in LIBRARIES:
            found = ""  # it called the user's function back
        elif root not in ("numpy", "retrograd"):
            held = list(frame.f_locals.values())
            held += [
                list(v.__dict__.values()) for v in held if type(getattr(v, "__dict__", 0)) is dict
            ]
            if has_boxes(held):
                found = found or f"{home}.{frame.f_code.co_name}"
    return found


def contents(x: Any) -> Any:
    """What containers and outer values hold, to be compared later."""
    if type(x) is Box:
        x._read()
        return x._value
    if isinstance(x, dict) and type(x) is not dict:  # others may make entries when they are read
        return x
    inner = children(x)
    return x if inner is None else [(key, contents(item)) for key, item in inner]


def same_contents(a: Any, b: Any) -> bool:
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same_contents, a, b))
    return a is b or (type(a) is type(b) and isinstance(a, (str, int)) and bool(a == b))


def owned(leaf: Any) -> Any:
    """A copy of an array: what the tape keeps must not change when somebody writes to it."""
    if type(leaf) is Box:
        return leaf._snapshot()
    return copy_as_it_lies(leaf) if type(leaf) is np.ndarray else leaf


FROZEN: dict[int, tuple[Any, Any]] = {}  # copies by array, as long as the array lives


def frozen(leaf: Any) -> Any:
    """A copy that cannot be written to; the same one as long as the array has the same content."""
    if type(leaf) is not np.ndarray or (leaf.base is None and not leaf.flags.writeable):
        return leaf
    key = id(leaf)
    known = FROZEN.get(key)
    if known is not None and known[0]() is leaf and same_content(known[1], leaf):
        return known[1]
    copied = copy_as_it_lies(leaf)
    copied.flags.writeable = False
    FROZEN[key] = (weakref.ref(leaf, lambda gone: forget(key, gone)), copied)
    return copied


def forget(key: int, gone: Any) -> None:
    if key in FROZEN and FROZEN[key][0] is gone:
        del FROZEN[key]


def guarded(leaf: Any) -> Any:
    if type(leaf) is not np.ndarray or not leaf.flags.writeable:
        return leaf
    view = leaf.view()
    view.flags.writeable = False
    return view


def leave(level: Level, y: Any) -> Any:
    """The result as the levels below see it."""

    def out(leaf: Any) -> Any:
        if type(leaf) is not Box:
            return checked(leaf)
        if leaf._level is level:
            leaf._read()
            leaf = leaf._value
        return below(leaf)

    return map_leaves(out, y)


def below(leaf: Any) -> Any:
    """What a level gives to those below it: no value of one that has ended."""
    inner = leaf
    while type(inner) is Box:
        if inner._level.ended:
            if any_mark(inner):
                raise TapeError(KEPT)
            return raw(leaf)
        inner = inner._value
    return leaf


def checked(leaf: Any) -> Any:
    """A result that is no container we know must not hide a value of the tape."""
    if isinstance(leaf, Iterator) or hides(leaf, is_hidden):
        raise TapeError(
            f"the function returns a {type(leaf).__name__} that holds values being differentiated, or "
            "may; return numbers, arrays, tuples, lists, dicts or dataclasses of them"
        )
    return leaf


def is_hidden(held: Any) -> bool:
    return type(held) is Box and any_mark(held)


def boxed(level: Level, leaf: Any, dot: Any, name: str) -> Any:
    if not is_float(leaf) or dot is None:
        return leaf if dot is None else known(leaf, name)
    return Box(level, owned_box(leaf), dot, given=name)


def owned_box(leaf: Any) -> Any:
    return leaf._snapshot() if type(leaf) is Box else leaf


def known(leaf: Any, name: str) -> Any:
    """An argument without a derivative must not be an object that holds something that has one."""
    if hides(leaf, is_float):
        raise TapeError(
            f"{name} is a {type(leaf).__name__} that holds numbers, and is to be differentiated; pass numbers, "
            "arrays, tuples, lists, dicts or dataclasses of them"
        )
    return leaf


def tangent_of(level: Level, leaf: Any) -> Any:
    if type(leaf) is Box and leaf._level is level:
        mark = plain_tangent(leaf._mark)
        return zeros_like(leaf._value) if mark is None else plain(mark, leaf)
    return zeros_like(raw(leaf))


def cast(c: Any, like: Any) -> Any:
    """A cotangent in the kind of what it is the cotangent of."""
    return apply(linear.unbroadcast, (c, like), {}) if has_boxes((c, like)) else (
        linear.unbroadcast(c, like)
    )  # fmt: skip


def plain(c: Any, leaf: Box) -> Any:
    """The derivative of a Python number as one."""
    if type(c) is Box or not isinstance(c, np.inexact):
        return c
    kind = type(leaf._value)
    if kind is complex:
        return complex(c)
    return float(c) if kind is float and isinstance(c, np.floating) else c


# -- containers -----------------------------------------------------------------------------


def entered(change: Callable[[Any, Any], Any], tree: Any, other: Any = None) -> Any:
    """The same, a pullback being rebuilt around the arguments of its call."""

    def enter(leaf: Any, dot: Any) -> Any:
        if type(leaf) is not Pull:
            return change(leaf, dot)
        return leaf.with_tree(tuple(map_pairs(enter, leaf.tree(), dot)))

    return map_pairs(enter, tree, other)


def opened(tree: Any) -> Any:
    """The tree with pullbacks replaced by the arguments of their calls."""
    return map_leaves(lambda leaf: opened(leaf.tree()) if type(leaf) is Pull else leaf, tree)


def ends(result: Any, c: Any) -> Iterator[tuple[End, Any]]:
    """The leaves of a result, each with its cotangent; None is zero."""
    if c is None:
        return
    if type(result) is End:
        if np.shape(raw(c)) != np.shape(raw(result.like)):
            raise SignatureMismatch(
                f"a cotangent of shape {np.shape(raw(c))} for a result of shape "
                f"{np.shape(raw(result.like))}"
            )
        yield result, c
    else:
        for key, item in children(result) or ():
            yield from ends(item, inside(c, key))


def inside(c: Any, key: Any) -> Any:
    """A part of a cotangent; what a dict leaves out is zero."""
    return c.get(key) if isinstance(c, dict) else part(c, key)
