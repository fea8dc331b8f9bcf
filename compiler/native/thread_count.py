"""How many threads kernels may use: one, unless the user wants more."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any

from retrograd.runtime.errors import SignatureMismatch

__all__ = ["COUNT", "FAMILIES", "get_num_threads", "numba_threads", "set_num_threads", "several"]

VARIABLE = "RETROGRAD_NUM_THREADS"
FAMILIES: weakref.WeakSet[Any] = weakref.WeakSet()  # of kernels that are made already


def wanted() -> int:
    """The environment's number of threads."""
    text = os.environ.get(VARIABLE, "1")
    try:
        return checked(int(text))
    except (ValueError, SignatureMismatch):
        what = f"the environment's {VARIABLE} is a number of threads from 1 to 1024, not {text!r}"
        raise SignatureMismatch(what) from None


def checked(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or not 0 < n <= 1024:
        raise SignatureMismatch(f"a number of threads is an integer from 1 to 1024, not {n!r}")
    return n


COUNT = ctypes.c_int(wanted())  # kernels read it in each call


def several() -> bool:
    """True if loops of new kernels are made to be shared."""
    return COUNT.value > 1


def get_num_threads() -> int:
    """How many threads a compiled kernel may use.

    >>> get_num_threads()
    1
    """
    return COUNT.value


def set_num_threads(n: int) -> None:
    """Let compiled kernels use up to ``n`` threads for their long loops.

    >>> set_num_threads(2)
    >>> set_num_threads(1)
    """
    before = several()
    COUNT.value = checked(n)
    if several() != before:
        for family in list(FAMILIES):
            family.forget()


def numba_threads() -> int:
    """How many of numba's threads a kernel may use."""
    from numba import config  # it need not be installed

    return min(COUNT.value, int(config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]


def alone() -> None:
    """In a process that was forked: the threads have stayed behind."""
    COUNT.value = 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=alone)
