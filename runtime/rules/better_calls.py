"""Calls that another operation says better, told by what is written in them; the compiler and the tape read this table.

``np.linalg.svd(a, compute_uv=False)`` gives one array instead of three: it is ``np.linalg.svdvals(a)``, and ``np.where(c)``
is ``np.nonzero(c)``.  The norms of singular values and the triangular factor of a QR decomposition have rules of
their own, and so have names of their own; they print as what the user called (their trait `called`).
"""

from __future__ import annotations

import functools
import inspect
import string
from collections.abc import Callable
from typing import Any

import numpy as np

from ..helpers import linear
from .terms import UNKNOWN

__all__ = ["FORMS", "form", "formed", "signature"]

Call = tuple[Any, tuple[Any, ...], dict[str, Any]]
Form = Callable[..., Call | None]


FORMS: dict[Any, Form] = {}
SPECTRAL = (2, -2, "nuc")


def formed(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    value: Callable[[Any], Any],
    rank: Callable[[Any], int | None],
) -> Call:
    """The call as it stands, or the one that says it better.

    ``value`` tells what an argument is (or `UNKNOWN`), ``rank`` how many dimensions it has.
    """
    try:
        form = FORMS.get(op)
    except TypeError:
        return op, args, kwargs
    if form is None:
        return op, args, kwargs
    return form(Asked(op, args, kwargs, value, rank)) or (op, args, kwargs)


class Asked:
    """A call whose arguments can be looked at by name."""

    def __init__(self, op: Any, args: Any, kwargs: Any, value: Any, rank: Any) -> None:
        self.op, self.args, self.kwargs, self.value, self.rank = op, args, kwargs, value, rank

    def arguments(self) -> dict[str, Any]:
        """The value of each parameter, defaults included; nothing where the call does not fit."""
        try:
            found = signature(self.op).bind(*self.args, **self.kwargs)
        except TypeError:
            return {}
        names = found.arguments
        defaults = {
            k: p.default for k, p in signature(self.op).parameters.items() if k not in names
        }
        return {k: self.value(v) for k, v in names.items()} | defaults

    def renamed(self, op: Any) -> Call:
        return op, self.args, self.kwargs


@functools.lru_cache(maxsize=256)
def signature(op: Any) -> inspect.Signature:
    return inspect.signature(op)


def form(*ops: Any) -> Callable[[Form], Form]:
    def register(function: Form) -> Form:
        FORMS.update(dict.fromkeys(ops, function))
        return function

    return register


@form(np.linalg.svd)
def svd(asked: Asked) -> Call | None:
    given = asked.arguments()
    plain = given.get("compute_uv") is False and given["hermitian"] is False
    return (np.linalg.svdvals, asked.args[:1], {}) if plain and asked.args else None


@form(np.where)
def where(asked: Asked) -> Call | None:
    """With a condition alone it gives places, and chooses nothing."""
    alone = len(asked.args) == 1 and not asked.kwargs
    return asked.renamed(np.nonzero) if alone else None


@form(np.linalg.qr)
def qr(asked: Asked) -> Call | None:
    return asked.renamed(linear.qr_r) if asked.arguments().get("mode") == "r" else None


@form(np.linalg.norm)
def norm(asked: Asked) -> Call | None:
    given = asked.arguments()
    if not is_spectral(given.get("ord")):
        return None
    axis = given["axis"]
    of_matrix = (asked.args and asked.rank(asked.args[0]) == 2) if axis is None else is_pair(axis)
    return asked.renamed(linear.spectral_norm) if of_matrix or given["ord"] == "nuc" else None


@form(np.linalg.matrix_norm)
def matrix_norm(asked: Asked) -> Call | None:
    given = asked.arguments()
    if not is_spectral(given.get("ord")):
        return None
    named = {"ord": asked.kwargs["ord"], "axis": (-2, -1)}
    if "keepdims" in asked.kwargs:
        named["keepdims"] = asked.kwargs["keepdims"]
    return linear.spectral_norm, asked.args, named


@form(np.linalg.cond)
def cond(asked: Asked) -> Call | None:
    p = asked.arguments().get("p", UNKNOWN)
    return asked.renamed(linear.spectral_cond) if p is None or p in (2, -2) else None


def is_spectral(ord: Any) -> bool:
    return isinstance(ord, (int, float, str)) and ord in SPECTRAL


def is_pair(axis: Any) -> bool:
    return isinstance(axis, (tuple, list)) and len(axis) == 2


@form(np.linalg.multi_dot)
def multi_dot(asked: Asked) -> Call | None:
    listed = asked.args and isinstance(asked.args[0], (tuple, list))
    if not listed or asked.args[1:] or asked.kwargs:
        return None
    return linear.multi_dot, tuple(asked.args[0]), {}


@form(np.einsum)
def einsum(asked: Asked) -> Call | None:
    """``np.einsum(x, [0, 1], y, [1, 2], [0, 2])``: the same with a string."""
    *pairs, last = asked.args if len(asked.args) % 2 else (*asked.args, None)
    terms = [asked.value(word) for word in [*pairs[1::2], *([] if last is None else [last])]]
    if not all(map(is_word, terms)):
        return None
    small = all(k is Ellipsis or k < 26 for word in terms for k in word)
    letters = string.ascii_lowercase if small else string.ascii_uppercase + string.ascii_lowercase
    words = [spelled(word, letters) for word in terms]
    inputs = words if last is None else words[:-1]
    subscripts = ",".join(inputs) + ("" if last is None else "->" + words[-1])
    return np.einsum, (subscripts, *pairs[::2]), asked.kwargs


def is_word(word: Any) -> bool:
    return isinstance(word, (list, tuple)) and all(
        k is Ellipsis or (isinstance(k, (int, np.integer)) and 0 <= k < 52) for k in word
    )


def spelled(word: Any, letters: str) -> str:
    return "".join("..." if k is Ellipsis else letters[k] for k in word)
