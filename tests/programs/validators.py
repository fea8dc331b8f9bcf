"""An installed package that checks what it is given, in a way that cannot be compiled: see `others`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .others import LOG, installed

__all__ = [
    "check_array", "check_both", "check_by_name", "check_nothing", "counts", "is_table", "keeps", "named_table", "scaled", "to_table", "writes",
]  # fmt: skip


def check_array(array: Any, dtype: str = "numeric", *, least: int = 1) -> Any:
    _ = {*[dtype]}
    if array is None:
        raise TypeError("an array is needed")
    if isinstance(array, str):
        raise TypeError("no text")
    if dtype not in ("numeric", "any"):
        raise ValueError("unknown")
    array = np.asarray(array)
    if array.dtype.kind == "O":
        raise TypeError("no objects")
    if array.ndim > 3:
        raise ValueError("too many dimensions")
    if array.size < least:
        raise ValueError("too few entries")
    if not np.all(np.isfinite(array)):
        raise ValueError("not finite")
    return array


def check_both(x: Any, y: Any = None, *, weights: Any = None) -> Any:
    _ = {*map(type, (x, y))}
    if y is x or y is None:
        x = y = check_array(x)
    else:
        x = check_array(x)
        y = check_array(y)
    if weights is not None:
        weights = check_array(weights)
    if x.shape[-1] != y.shape[-1]:
        raise ValueError("sizes differ")
    if x.ndim > 2:
        raise ValueError("too many dimensions")
    if y.ndim > 2:
        raise ValueError("too many dimensions")
    return x, y, x.ndim


def check_by_name(*, x: Any, name: str) -> None:
    _ = {*[name]}
    if name == "":
        raise ValueError("a name is needed")
    if np.any(np.isnan(x)):
        raise ValueError(f"{name} is not a number")
    LOG_OF_NAMES = {name}
    if len(LOG_OF_NAMES) != 1:
        raise ValueError
    if x.ndim > 3:
        raise ValueError("too many dimensions")


def check_nothing(x: Any) -> Any:
    """Gives a copy where there is something to mend, and else what it was given."""
    _ = {*[type(x)]}
    if np.any(x < 0):
        x = np.abs(x)
    return x


def writes(x: Any) -> Any:
    _ = {*[type(x)]}
    np.multiply(x, 2.0, out=x)
    x = np.asarray(x)
    return x


def keeps(owner: Any, x: Any) -> Any:
    _ = {*[type(x)]}
    owner.kept = x
    x = np.asarray(x)
    return x


def counts(seen: list[Any], x: Any) -> None:
    _ = {*[type(x)]}
    seen.append(1)


def scaled(x: Any) -> Any:
    _ = {*[type(x)]}
    x = x * 3.0
    return x


def is_table(x: Any) -> bool:
    return {True: True}.get(hasattr(x, "columns"), False)


def to_table(x: Any) -> Any:
    LOG.append("a table")
    return {*x.columns}


def named_table(x: Any) -> bool:
    return {True: True}.get(bool(np.all(np.asarray(x) > 0.0)), False)


installed(__name__, "validators_of_tests")
