"""Calls that ask for a type, as calls of operands of that type: ``np.add(x, y, dtype=np.float32)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .terms import UNKNOWN, Terms

__all__ = ["cast", "in_type", "real_type"]


def in_type(
    terms: Terms, ufunc: Any, *operands: Any, dtype: Any, casting: Any = None, **given: Any
) -> Any:
    """A call of a ufunc: NumPy casts the operands, then chooses the loop of their type."""
    letter = real_type(terms, operands, dtype, casting)
    if letter is None or any(terms.value(option) is not None for option in given.values()):
        return None
    homogeneous = f"{letter * ufunc.nin}->{letter * ufunc.nout}" in ufunc.types
    return terms.see(ufunc, cast(terms, operands, dtype)) if homogeneous else None


def real_type(terms: Terms, operands: Sequence[Any], dtype: Any, casting: Any) -> str | None:
    """The letter of a type that NumPy casts these operands to; None where it may refuse or cut them."""
    asked, how = terms.value(dtype), terms.value(casting)
    if asked is None or asked is UNKNOWN or how not in (None, "same_kind", "unsafe"):
        return None
    real = all(terms.kind(x) in ("b", "i", "u", "f") for x in operands)
    letter = np.dtype(asked).char
    return letter if real and letter in "fd" else None


def cast(terms: Terms, operands: Sequence[Any], dtype: Any) -> list[Any]:
    return [terms.see(np.asarray, (x, dtype)) for x in operands]
