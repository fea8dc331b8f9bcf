"""A function run on boxes: what it is given is guarded, and what it gives is checked."""

from __future__ import annotations

import re
import traceback
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..errors import RetrogradError, TapeError
from ..objects.memory_layout import copy_as_it_lies, same_content
from ..objects.own_attributes import own_attribute
from ..objects.pytree import children, hides, map_leaves
from ..rules.scipy import registry
from .box import KEPT, Box, Level, any_mark, has_boxes, is_float, raw
from .boxed_functions import LIBRARIES, followed, open_levels

__all__ = [
    "check_unchanged", "contents", "frozen", "known", "leave", "owned",
    "owned_box", "run",
]  # fmt: skip


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
    unknown = isinstance(error, TypeError) and (
        re.search(r"\bBox\b", str(error)) or is_of_extension(error)
    )
    if unknown or "'Box'" in str(error) or "'retrograd.runtime.tape.box.Box'" in str(error):
        raise TapeError(
            f"`{name}` gives a value that is being differentiated to something that does not know it: {error}"
        ) from error


def is_of_extension(error: BaseException) -> bool:
    """True if code that Cython compiled has raised an error."""
    files = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return files[-1:] == ["<stringsource>"] or files[-1].endswith((".pyx", ".pxd"))


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


# -- what it is given --------------------------------------------------------------------------


def contents(x: Any) -> Any:
    """The contents of containers and outer values, to be compared later."""
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


def check_unchanged(outer: list[Box], before: list[Any]) -> None:
    """Values of an outer function must be what they were when an inner one is differentiated."""
    if any(a is not b for a, b in zip(map(contents, outer), before, strict=True)):
        raise TapeError(
            "an array of an outer function is written to inside a differentiated one that is given it; "
            "let it write to a copy"
        )


def owned(leaf: Any) -> Any:
    """A copy of an array: what the tape keeps must not change when somebody writes to it."""
    if type(leaf) is Box:
        return leaf._snapshot()
    if is_cupy(leaf):
        return leaf.copy()
    return copy_as_it_lies(leaf) if type(leaf) is np.ndarray else leaf


def owned_box(leaf: Any) -> Any:
    return leaf._snapshot() if type(leaf) is Box else leaf


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


def known(leaf: Any, name: str) -> Any:
    """An argument without a derivative must not be an object that holds something that has one."""
    if hides(leaf, is_float):
        raise TapeError(
            f"{name} is a {type(leaf).__name__} that holds numbers, and is to be differentiated; pass numbers, "
            "arrays, tuples, lists, dicts or dataclasses of them"
        )
    return leaf


# -- what it gives ------------------------------------------------------------------------------


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
    """A value for the levels below: none of a level that has ended."""
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
