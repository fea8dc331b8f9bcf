"""Calls that ask for a type, as calls of operands of that type: ``np.add(x, y, dtype=np.float32)``."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from .terms import UNKNOWN, Terms

__all__ = ["cast", "filtered", "in_type", "real_type"]


def in_type(
    terms: Terms, ufunc: Any, *operands: Any, dtype: Any, casting: Any = None, **given: Any
) -> Any:
    """A call of a ufunc: NumPy casts the operands, then chooses the loop of their type."""
    letter = loop_type(terms, operands, dtype, casting)
    if letter is None or any(terms.value(option) is not None for option in given.values()):
        return None
    homogeneous = f"{letter * ufunc.nin}->{letter * ufunc.nout}" in ufunc.types
    return terms.see(ufunc, cast(terms, operands, dtype)) if homogeneous else None


def filtered(terms: Terms, op: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A filter of images whose result is asked for in double precision: what it makes of such an image."""
    try:
        given = inspect.signature(op).bind(*args, **kwargs).arguments
    except TypeError:
        return None
    x, output = given.pop("input", None), given.pop("output", None)
    if x is None or output is None or real_type(terms, [x], output, None) != "d":
        return None
    return terms.see(op, cast(terms, [x], output), given.pop("kwargs", {}) | given)


def loop_type(terms: Terms, operands: Sequence[Any], dtype: Any, casting: Any) -> str | None:
    """The letter of a type of a ufunc's loop that NumPy casts these operands to: to a complex one, too."""
    return asked_type(
        terms, operands, dtype, casting, {"f": "biuf", "d": "biuf", "F": "biufc", "D": "biufc"}
    )


def real_type(terms: Terms, operands: Sequence[Any], dtype: Any, casting: Any) -> str | None:
    """The letter of a real type that NumPy casts these operands to; None where it may refuse or cut them."""
    return asked_type(terms, operands, dtype, casting, {"f": "biuf", "d": "biuf"})


def asked_type(
    terms: Terms, operands: Sequence[Any], dtype: Any, casting: Any, taken: dict[str, str]
) -> str | None:
    """The letter of the type that is asked for, if every operand is of a kind that is cast to it."""
    asked, how = terms.value(dtype), terms.value(casting)
    if asked is None or asked is UNKNOWN or how not in (None, "same_kind", "unsafe"):
        return None
    letter = np.dtype(asked).char
    kinds = taken.get(letter, "")
    fits = bool(kinds) and all((terms.kind(x) or "?") in kinds for x in flat(terms, operands))
    return letter if fits else None


def flat(terms: Terms, operands: Sequence[Any]) -> list[Any]:
    """The operands, those within lists and tuples one by one."""
    found = [terms.items(x) for x in operands]
    return [
        leaf
        for x, items in zip(operands, found, strict=True)
        for leaf in ([x] if items is None else flat(terms, items))
    ]


def cast(terms: Terms, operands: Sequence[Any], dtype: Any) -> list[Any]:
    return [terms.see(np.asarray, (x, dtype)) for x in operands]
