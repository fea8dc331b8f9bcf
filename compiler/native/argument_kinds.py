"""The kind of a call's arguments, which says what kernel may take it."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import CUPY, is_cupy

from .loop_ir.operation_names import SMALL, TINY

__all__ = ["WRITES", "contiguous", "key_of", "kinds", "may_be_copied", "straight"]

WRITES = "It writes to its arguments."  # the docstring of a kernel that does


def contiguous(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Arguments with arrays as kernels take them, or None if they are."""
    if all(in_order(a) for a in args):
        return None
    return tuple(map(straight, args))


def may_be_copied(kernel: Any) -> bool:
    """True if a kernel may be given copies of its arguments: it does not write to them."""
    return getattr(kernel, "__doc__", None) != WRITES


def in_order(value: Any) -> bool:
    """True if a value is no array, or one in C order and aligned."""
    if type(value) is not np.ndarray:
        return True
    return bool(value.flags.c_contiguous and value.flags.aligned) or value.ndim == 0


def straight(value: Any) -> Any:
    """An array in C order and aligned: a copy, which is a new array, where it is not.

    >>> straight(np.frombuffer(bytes(9), offset=1)).flags.aligned
    True
    """
    return value if in_order(value) else value.copy()


def key_of(args: Any, fixed: bool) -> Any:
    """The key of a kernel: dtypes, ranks, and the sizes that are constants in it."""
    if isinstance(args, np.ndarray):
        last = args.ndim - 1
        small = SMALL if fixed else 1
        sizes = tuple(
            n if n <= (max(small, TINY) if 0 < k == last else small) else -1
            for k, n in enumerate(args.shape)
        )
        return (args.dtype, sizes)
    if is_cupy(args):  # of the device
        last = args.ndim - 1
        sizes = tuple(
            n if n <= (TINY if 0 < k == last else 1) else -1 for k, n in enumerate(args.shape)
        )
        return (args.dtype, sizes, CUPY)
    if isinstance(args, (tuple, list)):
        return (type(args), *(key_of(a, fixed) for a in args))
    if isinstance(args, dict):
        return (dict, *((k, key_of(a, fixed)) for k, a in args.items()))
    return type(args)


def kinds(args: Any) -> Any:
    """Dtypes, ranks and which sizes are 1: what a text is written for."""
    return kinds_of_key(key_of(args, fixed=True))


def kinds_of_key(key: Any) -> Any:
    if isinstance(key, tuple) and len(key) > 1 and isinstance(key[0], np.dtype):
        return (key[0], tuple(1 if n == 1 else -1 for n in key[1]), *key[2:])
    if isinstance(key, tuple):
        return tuple(kinds_of_key(k) for k in key)
    return key
