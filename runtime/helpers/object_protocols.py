"""Objects of unknown class, met when a derivative runs: what is gone over, and what is computed with."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = ["attribute_or", "gone_over", "places_of_true", "plain", "regathered"]

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
    if kind is np.ndarray:
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
    numbers = kind is np.ndarray and x.dtype.kind not in "OV"
    if kind in PLAIN or numbers or isinstance(x, np.generic):
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
