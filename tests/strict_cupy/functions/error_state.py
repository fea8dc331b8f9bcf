"""``cupyx.errstate``: of its five settings only ``linalg`` does something, the others are refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["REPLACED", "raises"]

_state: dict[str, Any] = {
    "divide": None,
    "over": None,
    "under": None,
    "invalid": None,
    "linalg": "ignore",
}


def raises() -> bool:
    """Does a failure of cuSOLVER raise?"""
    return _state["linalg"] == "raise"


def geterr() -> dict[str, Any]:
    return dict(_state)


def seterr(
    *,
    divide: Any = None,
    over: Any = None,
    under: Any = None,
    invalid: Any = None,
    linalg: Any = None,
) -> dict[str, Any]:
    before = geterr()
    if any(one is not None for one in (divide, over, under, invalid)) or linalg not in (
        None,
        "ignore",
        "raise",
    ):
        raise NotImplementedError
    if linalg is not None:
        _state["linalg"] = linalg
    return before


@contextmanager
def errstate(
    *,
    divide: Any = None,
    over: Any = None,
    under: Any = None,
    invalid: Any = None,
    linalg: Any = None,
) -> Iterator[None]:
    before = seterr(divide=divide, over=over, under=under, invalid=invalid, linalg=linalg)
    try:
        yield
    finally:
        seterr(**before)


REPLACED = {"geterr": geterr, "seterr": seterr, "errstate": errstate}
