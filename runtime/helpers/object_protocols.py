"""Objects of unknown class, met when a derivative runs: what is gone over, and what is computed with."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..errors import AnswerChanged, UnsupportedOperation
from ..objects.container_classes import identity_of

__all__ = [
    "attribute_or",
    "augmented",
    "called",
    "check_same",
    "closing",
    "float_dtype",
    "gone_over",
    "letting_through",
    "method_called",
    "places_of_true",
    "plain",
    "refusal",
    "regathered",
    "snapshot",
]

PLAIN = (bool, int, float, complex, str, bytes, type(None), slice)


def attribute_or(d: Any, name: str, default: Any) -> Any:
    """``getattr`` with a default.

    >>> attribute_or(2.0, "nothing", 3.0)
    3.0
    """
    return getattr(d, name, default)


def gone_over(x: Any) -> list[Any]:
    """``list(iter(x))`` of an object that may go over itself as it likes; its items are plain.

    >>> import collections
    >>> gone_over(collections.OrderedDict([(2, "b"), (0, "a")]))
    [2, 0]
    """
    if hasattr(type(x), "__next__"):
        raise UnsupportedOperation(
            f"a {type(x).__name__} is an iterator, which ends once",
            fix="make a list of it outside: list(...)",
        )
    return [plain(item) for item in x]


def regathered(items: Any, like: Any) -> Any:
    """Items as they lie in ``like``, which was gone over.

    >>> regathered([1.0, 2.0], (0.0, 0.0))
    (1.0, 2.0)
    """
    kind = type(like)
    if kind is np.ndarray or is_cupy(like):
        return np.array(list(items))
    if kind in (tuple, list):
        return kind(items)
    raise UnsupportedOperation(
        f"the derivative of the items of a {kind.__name__}",
        fix="return a list, a tuple or an array",
    )


def places_of_true(items: list[Any]) -> Any:
    """The numbers of the items that are true, as Python asks each of them.

    >>> places_of_true([[], [0.0], None, 2.0])
    array([1, 3])
    """
    return np.array([k for k, item in enumerate(items) if item], dtype=np.intp)


def plain(x: Any) -> Any:
    """``x``, if it is computed with as numbers, arrays and texts are: not an object with operators of its own.

    >>> plain(2.0), plain((1, "a"))
    (2.0, (1, 'a'))
    """
    kind = type(x)
    if kind in PLAIN or isinstance(x, np.generic):
        return x
    if (kind is np.ndarray or is_cupy(x)) and x.dtype.kind not in "OV":
        return x
    if kind in (tuple, list):
        for item in x:
            plain(item)
        return x
    if kind is dict:
        for item in x.values():
            plain(item)
        return x
    raise UnsupportedOperation(
        f"a {kind.__name__} is computed with, and may have operators of its own",
        fix="pass its numbers or arrays: float(...), np.asarray(...)",
    )


def float_dtype(dtype: Any) -> Any:
    """``dtype``, if arrays of it keep what is written into them: not whole numbers, objects or texts.

    >>> float_dtype(np.float32), float_dtype("f8")
    (<class 'numpy.float32'>, 'f8')
    """
    found = np.dtype(dtype)
    if found.kind not in "fc":
        raise UnsupportedOperation(
            f"a dtype that is known when the function runs only, and is {found}",
            fix="say which it is: dtype=int",
        )
    return dtype


def augmented(sign: str, d: Any, e: Any) -> Any:
    """What ``d`` is after ``d += e``, or with another sign.

    >>> augmented("+", [1], [2]), augmented("*", 2, 3)
    ([1, 2], 6)
    """
    return AUGMENTS[sign](d, e)


AUGMENTS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv,
    "//": operator.ifloordiv, "%": operator.imod, "**": operator.ipow, "@": operator.imatmul,
    "&": operator.iand, "|": operator.ior, "^": operator.ixor, "<<": operator.ilshift, ">>": operator.irshift,
}  # fmt: skip


def called(fn: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``fn(*args, **kwargs)``, as the text writes it: of a function that is known when it runs.

    >>> called(max, 2, 3)
    3
    """
    return fn(*args, **kwargs)


def closing(fn: Any, *free: Any) -> Any:
    """A function of its arguments alone, with what it reads around it.

    >>> closing(pow, 2)(5)
    25
    """
    return lambda *args: fn(*args, *free)


def check_same(
    found: Any, expected: Any, none: tuple[int, ...] = (), words: tuple[int, ...] = ()
) -> None:
    """Refuse a function, or a namespace, that is another than when the text was made; None stands for any.

    ``none``, ``words``: the parts that were None then, and those that carried no derivative, and still have to.

    >>> check_same(max, max), check_same((np, 2), (np, None), words=(1,)), check_same([], ())
    (None, None, None)
    """
    parts, kept = (found, expected) if type(expected) is tuple else ((found,), (expected,))
    for now, was in differences(parts, kept, none, words):
        reason = f"a call gave {now}, and the derivative was made for {was}"
        fix = "call it outside of the function, and pass what it gives as an argument"
        if type(expected) is bool:
            raise AnswerChanged(reason, fix=fix)
        raise UnsupportedOperation(reason, fix=fix)


def differences(
    found: Any, expected: Any, none: tuple[int, ...], words: tuple[int, ...]
) -> Iterator[tuple[str, str]]:
    """What each part is that is not as it was, and what it was."""
    if len(found) != len(expected):
        yield f"{len(found)} objects", f"{len(expected)}"
        return
    for now, was in zip(found, expected, strict=True):
        if was is not None and now is not was and now != was and not made_anew(now, was):
            yield spoken(now), spoken(was)
    for k in none:
        if found[k] is not None:
            yield spoken(found[k]), "None"
    for k in words:
        if not is_word(found[k]):
            yield spoken(found[k]), "what carries no derivative"


def made_anew(now: Any, was: Any) -> bool:
    """True of two classes of named tuples that one call makes: ``Point = namedtuple("Point", "x y")``."""
    plain = [
        isinstance(c, type) and c.__bases__ == (tuple,) and not getattr(c, "_field_defaults", None)
        for c in (now, was)
    ]
    return all(plain) and identity_of(now) == identity_of(was)


def is_word(value: Any) -> bool:
    """True of what carries no derivative, whatever it was made of: whole numbers, texts, dtypes, None.

    >>> is_word(3), is_word("a"), is_word(2.0), is_word(np.ones(2))
    (True, True, False, False)
    """
    return isinstance(value, (bool, int, str, bytes, type(None), np.dtype, np.bool_, np.integer))


def spoken(found: Any) -> str:
    """How a message calls an object.

    >>> spoken(True), spoken(max), spoken([1])
    ('True', 'max', 'list')
    """
    if is_word(found) and not isinstance(found, np.dtype):
        return repr(found)
    return str(getattr(found, "__name__", type(found).__name__))


def method_called(d: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """``d.name(*args, **kwargs)``, as the text writes it.

    >>> method_called("a,b", "split", ",")
    ['a', 'b']
    """
    return getattr(d, name)(*args, **kwargs)


def refusal(reason: str, fix: str) -> UnsupportedOperation:
    """What is raised where a program takes a way that cannot be compiled.

    >>> raise refusal("`await` is not supported (line 3 of model.py)", "write a plain function")
    Traceback (most recent call last):
    retrograd.runtime.errors.UnsupportedOperation: `await` is not supported (line 3 of model.py)
    what to do: write a plain function
    """
    return UnsupportedOperation(reason, fix=fix)


def snapshot(x: Any) -> Any:
    """``x`` as `plain` gives it; of an array a copy, since its owner may write to it later.

    >>> a = np.zeros(2)
    >>> snapshot(2.0), np.shares_memory(snapshot(a), a)
    (2.0, False)
    """
    if type(x) in (tuple, list):
        return type(x)(snapshot(item) for item in x)
    if type(x) is dict:
        return {key: snapshot(item) for key, item in x.items()}
    return x.copy() if type(plain(x)) is np.ndarray or is_cupy(x) else x


class letting_through:
    """A context manager, held to let exceptions through: what it might swallow is nothing to go on after.

    >>> import contextlib
    >>> with letting_through(contextlib.nullcontext(2.0)) as entered:
    ...     entered
    2.0
    """

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        return self.manager.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.manager.__exit__(kind, error, trace) and error is not None:
            raise UnsupportedOperation(
                f"a {type(self.manager).__name__} swallowed an exception ({error}), and what follows is not known",
                fix="write `try` and `except` with what happens then",
            ) from error
