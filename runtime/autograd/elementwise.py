"""The short way for the commonest operations: elementwise, on real tensors of one type.

What `operation` does in general is done here by the programs of `short`, one for each case.  A *way*
is a function of the operands; where they are none of its cases it calls its ``other``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .anomaly_mode import anomaly, remember
from .grad_mode import modes
from .short import NUMBER, REQUIRES, SINGLE, STRETCHED, Short
from .watching import watch

__all__ = ["binary_way", "reflected_way", "unary_way"]

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
Way = Callable[..., Any]


def is_stale(view: Any) -> bool:
    """Whether the history of a view has to be looked at before it is used."""
    info = view._view
    return bool(info.version != view._counter[0] or (not view._requires and info.base._requires))


def unary_way(short: Short, other: Way) -> Way:
    """``way(x)`` for a tensor."""
    fn, records = short.fn, short.records
    ndarray, asarray = np.ndarray, np.asarray
    double, single = REQUIRES[0], REQUIRES[0] | SINGLE

    def way(x: Any) -> Any:
        if x._more is not None or watch.on or (x._view is not None and is_stale(x)):
            return other(x)
        a = x._array
        kind = a.dtype
        if kind is not F64 and kind is not F32:
            return other(x)
        z = fn(a)
        if type(z) is not ndarray:
            z = asarray(z)
        case = double if kind is F64 else single
        if x._requires and modes.usual and not anomaly.enabled:
            return (records.get(case) or short.record(case))(z, x, a)
        return unusual(short, case if x._requires else 0, z, (x,), (a,))

    return way


def binary_way(short: Short, other: Way) -> Way:
    """``way(x, y)`` for a tensor, and a tensor or Python number."""
    from ..tensor.tensor import Tensor

    fn, records, stretches = short.fn, short.records, short.plain is not None
    ndarray, asarray = np.ndarray, np.asarray

    def way(x: Any, y: Any) -> Any:
        if x._more is not None or watch.on or (x._view is not None and is_stale(x)):
            return other(x, y)
        a = x._array
        kind = a.dtype
        if kind is F64:
            case = 1 if x._requires else 0
        elif kind is F32:
            case = 65 if x._requires else 64
        else:
            return other(x, y)
        t = type(y)
        if t is float or t is int:
            b = y
            case |= 8
            z = fn(a, y)
        elif t is Tensor or isinstance(y, Tensor):
            b = y._array
            if b.dtype is not kind or y._more is not None or (y._view is not None and is_stale(y)):
                return other(x, y)
            try:
                z = fn(a, b)
            except ValueError:
                return other(x, y)
            if y._requires:
                case |= 2
            if stretches and a.shape != b.shape:
                case |= stretched(case, z, a, b)
        else:
            return other(x, y)
        if type(z) is not ndarray:
            z = asarray(z)
        if case & 3 and modes.usual and not anomaly.enabled:
            return (records.get(case) or short.record(case))(z, x, y, a, b)
        return unusual(short, case, z, (x, y), (a, b))

    assert (REQUIRES, NUMBER[1], SINGLE) == ((1, 2), 8, 64)  # the numbers above
    return way


def reflected_way(short: Short, other: Way) -> Way:
    """``way(x, y)`` for a Python number and a tensor."""
    fn = short.fn

    def way(x: Any, y: Any) -> Any:
        t = type(x)
        if (
            (t is not float and t is not int)
            or y._more is not None
            or watch.on
            or (y._view is not None and is_stale(y))
        ):
            return other(x, y)
        b = y._array
        kind = b.dtype
        if kind is not F64 and kind is not F32:
            return other(x, y)
        case = NUMBER[0] | (SINGLE if kind is F32 else 0) | (REQUIRES[1] if y._requires else 0)
        z = np.asarray(fn(x, b))
        if y._requires and modes.usual and not anomaly.enabled:
            return short.record(case)(z, x, y, x, b)
        return unusual(short, case, z, (x, y), (x, b))

    return way


def stretched(case: int, z: Any, *arrays: Any) -> int:
    """The bits of the inputs that require grad and have another shape than the result."""
    found = 0
    shape = np.shape(z)
    for array, requires, bit in zip(arrays, REQUIRES, STRETCHED, strict=True):
        if case & requires and array.shape != shape:
            found |= bit
    return found


def unusual(
    short: Short, case: int, z: Any, inputs: tuple[Any, ...], arrays: tuple[Any, ...]
) -> Any:
    """The result where nothing is recorded, or somebody looks on."""
    from ..tensor.tensor import wrapped

    if not case & (REQUIRES[0] | REQUIRES[1]) or not modes.grad or modes.inference:
        return wrapped(z)
    made = short.record(case)(z, *inputs, *arrays)
    node = made._grad_fn
    if modes.pack is not None:
        from .keeping import pack

        node.open()
        pack(node)
    if anomaly.enabled:
        remember(node)
    return made
