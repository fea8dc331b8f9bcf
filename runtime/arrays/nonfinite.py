"""NaN and infinity in numbers and arrays: whether, where, and how a message shows it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .transfers import on_host

__all__ = ["badness", "described", "first_place", "shown_number"]

NUMBERS = (float, complex, np.inexact)


def badness(x: Any) -> str:
    """ "nan" or "inf" if there is one in a number or an array, else "".

    >>> badness(1.0), badness(float("inf")), badness(np.array([1.0, np.nan, np.inf]))
    ('', 'inf', 'nan')
    """
    if not isinstance(x, NUMBERS) and not is_float_array(x):
        return ""
    x = on_host(x)
    if np.all(np.isfinite(x)):
        return ""
    return "nan" if np.any(np.isnan(x)) else "inf"


def is_float_array(x: Any) -> bool:
    return getattr(getattr(x, "dtype", None), "kind", "") in "fc" and hasattr(x, "ndim")


def first_place(x: Any, kind: str) -> tuple[int, ...] | None:
    """The index of the first NaN, or infinity; () of a number, None where there is none."""
    x = np.asarray(on_host(x))
    found = np.argwhere(np.isnan(x) if kind == "nan" else np.isinf(x))
    return tuple(map(int, found[0])) if len(found) else None


def described(x: Any, place: tuple[int, ...] | None = None) -> str:
    """Kind, shape and what a message says of the content: at a place, if there is one in it.

    >>> described(np.array([4.0, 0.0]), (1,)), described(2.0), described(np.ones(3), (0, 1))
    ('float64[2], 0.0 at [1]', '2.0', 'float64[3], between 1.0 and 1.0')
    """
    if isinstance(x, (bool, int, *NUMBERS)) and not isinstance(x, np.ndarray):
        return shown_number(x)
    if getattr(getattr(x, "dtype", None), "kind", "no array") not in "biufc" or not hasattr(
        x, "ndim"
    ):
        return type(x).__name__
    x = np.asarray(on_host(x))
    head = f"{x.dtype}{list(x.shape)}"
    if not x.size:
        return f"{head}, empty"
    bad = badness(x)
    if (
        place is None
        or len(place) != x.ndim
        or any(i >= n for i, n in zip(place, x.shape, strict=True))
    ):
        place = first_place(x, bad) if bad else None
    if place is not None:
        return (
            f"{head}, {shown_number(x[place])} at [{', '.join(map(str, place))}]"
            if place
            else f"{head}, {shown_number(x[()])}"
        )
    if x.dtype.kind == "c":
        return f"{head}, finite"
    return f"{head}, between {shown_number(x.min())} and {shown_number(x.max())}"


def shown_number(x: Any) -> str:
    x = x.item() if isinstance(x, np.generic) else x
    return f"{x:.6g}" if isinstance(x, float) and x != int_of(x) else repr(x)


def int_of(x: float) -> float:
    return float(round(x)) if abs(x) < 1e6 else x
