"""Between arrays of the device and the host's arrays that hold their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import counters
from .array import ndarray
from .values import checked, in_c_order

__all__ = ["fresh", "is_host", "unwrap", "uploaded", "wrap"]


def unwrap(value: Any) -> Any:
    """The host's arrays for those of the device, also in lists, tuples and dictionaries."""
    if isinstance(value, ndarray):
        return value._host
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(unwrap(one) for one in value)
    if isinstance(value, dict):
        return {key: unwrap(one) for key, one in value.items()}
    return value


def wrap(value: Any, operands: tuple[np.ndarray, ...] = (), *, keep: bool = False) -> Any:
    """Arrays of the device for the host's, also in tuples; what shares an operand's memory is a view of it."""
    if isinstance(value, (list, tuple)):
        inner = [wrap(one, operands, keep=keep) for one in value]
        return type(value)(*inner) if hasattr(value, "_fields") else type(value)(inner)
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    host = np.asarray(value)
    for operand in operands:
        if host.flags.writeable and np.may_share_memory(host, operand):
            return ndarray._of(host, shared=True)
    return fresh(host if keep else in_c_order(host))


def fresh(host: np.ndarray) -> ndarray:
    """A new array of the device."""
    checked(host.dtype)
    counters.allocation(host.nbytes)
    return ndarray._of(host)


def is_host(value: Any) -> bool:
    """Is it an array of the host, or a list with one in it?"""
    if isinstance(value, (list, tuple)):
        return any(is_host(one) for one in value)
    return isinstance(value, np.ndarray)


def uploaded(values: Any, dtype: Any = None) -> np.ndarray:
    """The host's values, now on the device."""
    host = np.array(values)
    checked(host.dtype if dtype is None else dtype)
    counters.transfer("upload")
    return host if dtype is None else host.astype(dtype)
