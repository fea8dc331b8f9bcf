"""Arrays that a kernel gets: arguments, and those of the module."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy

from ..loop_ir.ir import Buffer, Var, affine, integer
from ..loop_ir.operation_names import TINY
from ..loop_ir.values import View, code_of, plain_view
from ..refusal import Unsupported
from .reader import Reader

__all__ = ["argument_array", "captured"]


def captured(r: Reader, value: Any, name: str) -> View:
    """An array of the module: one more argument, which the caller does not see."""
    if r.routine is not None:
        raise Unsupported(f"`{name}`, an array of the module, in a function that calls itself")
    for known, view in r.hidden:
        if known is value:
            return view
    in_order = r.device is not None or (value.flags.c_contiguous and value.flags.aligned)
    if not in_order:
        raise Unsupported(f"`{name}`, an array that is not in C order")
    if r.source is not None:
        r.small = max(value.shape, default=0)  # it is what it is
    r.hidden.append((value, argument_array(r, value, f"{name}_captured")))
    return r.hidden[-1][1]


def argument_array(r: Reader, value: Any, name: str) -> View:
    if not is_taken(r, value):
        raise Unsupported("such an array as an argument")
    last = value.ndim - 1
    dims = tuple(
        integer(n)
        if n <= (max(r.small, TINY) if 0 < k == last else r.small)
        else affine(unknown_size(r, f"n_{name}_{k}", n))
        for k, n in enumerate(value.shape)
    )
    buffer = Buffer(r.fresh(f"a_{name}").name, code_of(value.dtype), dims, "argument")
    return plain_view(buffer)


def is_taken(r: Reader, value: Any) -> bool:
    """True of an array of the library that the text is for; on the device one of rank 0 is what a number is here."""
    if r.device is not None:
        return is_cupy(value)
    return type(value) is np.ndarray and value.ndim > 0 and bool(value.dtype.isnative)


def unknown_size(r: Reader, name: str, n: int) -> Var:
    """A variable for a size, which is ``n`` this time."""
    size = r.fresh(name)
    r.given[size] = n
    return size
