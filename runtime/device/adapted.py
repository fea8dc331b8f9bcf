"""CuPy's functions with the arguments that NumPy's take: numbers among arrays, lists, starting values, masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.libraries import cupy, is_cupy
from .nested_lists import array
from .special_functions import SPECIAL

__all__ = [
    "CREATING",
    "INSTEAD",
    "METHODS",
    "add_at",
    "choose",
    "has_device",
    "placed",
    "take_along_axis",
]

# What makes an array of nothing but numbers makes it on the device: it is to stand among others there.
CREATING = frozenset(
    f"numpy.{name}"
    for name in (
        "arange", "array", "asanyarray", "asarray", "broadcast_to", "empty", "eye", "full", "identity", "indices", "linspace", "ones", "tri", "tril_indices",
        "triu_indices", "zeros",
    )
)  # fmt: skip


def placed(x: Any) -> Any:
    """An operand on the device: numbers and lists, too."""
    if is_cupy(x):
        return x
    if isinstance(x, np.ndarray) and x.size == 1:
        return cupy().full(x.shape, x.item(), x.dtype)
    return array(x, copy=False)


def has_device(values: Any) -> bool:
    """Is there an array of the device among these, or in lists among them?"""
    return any(
        has_device(value) if isinstance(value, (list, tuple)) else is_cupy(value)
        for value in values
    )


def is_value(x: Any) -> bool:
    """True of what is computed with on the device: arrays of it, and fractions; whole numbers are axes and lengths."""
    return isinstance(x, (float, complex, np.inexact)) or has_device((x,))


def making(host: Callable[..., Any], copy: bool) -> Callable[..., Any]:
    """``np.array`` and its kin: values go to the device, what tells axes and lengths stays."""

    def made(
        x: Any, dtype: Any = None, *, copy: Any = copy, order: Any = None, ndmin: int = 0
    ) -> Any:
        if is_value(x):
            return array(x, dtype, copy=bool(copy), order=order or "K", ndmin=ndmin)
        found = host(x, dtype, order=order)
        return found if found.ndim else found[()]

    return made


def broadcast_to(x: Any, shape: Any) -> Any:
    return cupy().broadcast_to(placed(x), shape)


def take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    return cupy().take_along_axis(placed(x), placed(indices), axis)


def where(condition: Any, *choices: Any) -> Any:
    """Numbers among the choices stay numbers, which widen nothing."""
    given = [placed(x) if isinstance(x, (list, tuple, np.ndarray)) else x for x in choices]
    return cupy().where(placed(condition), *given)


def choose(a: Any, choices: Any, *settings: Any, **options: Any) -> Any:
    """The choices may be a list, of any shapes that fit together."""
    if not is_cupy(choices):
        kind = np.result_type(*(x.dtype if hasattr(x, "dtype") else x for x in choices))
        rows = cupy().broadcast_arrays(*(placed(x).astype(kind, copy=False) for x in choices))
        choices = cupy().stack(rows)
    return cupy().choose(a, choices, *settings, **options)


def of_arrays(name: str) -> Callable[..., Any]:
    """A function all of whose operands CuPy wants on the device."""

    def called(*operands: Any, **options: Any) -> Any:
        return getattr(cupy(), name)(*map(placed, operands), **options)

    return called


def of_two(name: str) -> Callable[..., Any]:
    """The same, with settings behind the two operands."""

    def called(x: Any, y: Any, *settings: Any, **options: Any) -> Any:
        return getattr(cupy(), name)(placed(x), placed(y), *settings, **options)

    return called


def joining(name: str) -> Callable[..., Any]:
    """A function of several arrays, of which some are numbers."""

    def joined(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        items = arrays if is_cupy(arrays) else [placed(x) for x in arrays]
        return getattr(cupy(), name)(items, *args, **kwargs)

    return joined


def extreme(name: str, between: str) -> Callable[..., Any]:
    """``max`` and ``min`` from a starting value, of the entries that a mask shows."""

    def reduced(
        x: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        cp = cupy()
        if where is not True:
            x = cp.where(placed(where), x, initial)
        if initial is not None and not x.size:
            return cp.full(cp.sum(x, axis=axis, keepdims=bool(keepdims)).shape, initial, x.dtype)
        found = getattr(cp, name)(x, axis=axis, keepdims=bool(keepdims))
        return found if initial is None else getattr(cp, between)(found, initial)

    return reduced


def first_axis(reduced: Callable[..., Any]) -> Callable[..., Any]:
    """As a method of a ufunc's, which reduces the first axis if none is named."""

    def method(x: Any, axis: Any = 0, dtype: Any = None, out: Any = None, **options: Any) -> Any:
        return reduced(x, axis, **options)

    return method


def running(between: str) -> Callable[..., Any]:
    """Running extremes, of twice as many entries in each step."""

    def method(x: Any, axis: int = 0) -> Any:
        made = cupy().moveaxis(x.copy(), axis, -1)
        step = 1
        while step < made.shape[-1]:
            made[..., step:] = getattr(cupy(), between)(made[..., step:], made[..., :-step])
            step *= 2
        return cupy().moveaxis(made, -1, axis)

    return method


def summed(x: Any, axis: Any = None, **options: Any) -> Any:
    """``sum``; ``where`` is a mask."""
    mask = options.pop("where", True)
    return cupy().sum(x if mask is True else cupy().where(placed(mask), x, 0), axis, **options)


def add_at(buf: Any, index: Any, c: Any) -> None:
    """Complex numbers are added by their parts: atomic additions are of real ones."""
    cp = cupy()
    if buf.dtype.kind != "c":
        cp.add.at(buf, index, c)
        return
    cp.add.at(buf.real, index, cp.real(placed(c)))
    cp.add.at(buf.imag, index, cp.imag(placed(c)))


def polyder(p: Any, m: int = 1) -> Any:
    """The coefficients of a derivative, each with the product of the powers that were in front of it."""
    powers = cupy().arange(len(p) - 1.0, -1.0, -1.0)
    made = p
    for k in range(m):
        made = made * (powers - k).astype(p.real.dtype)
    return made[: max(len(p) - m, 0)]


def betaincc(a: Any, b: Any, x: Any) -> Any:
    from cupyx.scipy import special

    return special.betainc(b, a, 1 - x)


MAX, MIN = extreme("max", "maximum"), extreme("min", "minimum")
OF_ARRAYS = ("broadcast_arrays", "meshgrid")
OF_TWO = (
    "convolve", "correlate", "cross", "dot", "inner", "kron", "matmul", "outer", "searchsorted", "tensordot", "vdot",
)  # fmt: skip
JOINING = ("column_stack", "concatenate", "dstack", "hstack", "stack", "vstack")

INSTEAD: dict[str, Callable[..., Any]] = {
    "numpy.amax": MAX, "numpy.amin": MIN, "numpy.array": making(np.array, True),
    "numpy.asarray": making(np.asarray, False), "numpy.asanyarray": making(np.asarray, False), "numpy.broadcast_to": broadcast_to,
    "numpy.max": MAX, "numpy.min": MIN, "numpy.sum": summed, "numpy.take_along_axis": take_along_axis,
    "numpy.choose": choose, "numpy.polyder": polyder, "numpy.where": where, "scipy.special.betaincc": betaincc,
}  # fmt: skip
INSTEAD |= SPECIAL
INSTEAD |= {f"numpy.{name}": of_arrays(name) for name in OF_ARRAYS}
INSTEAD |= {f"numpy.{name}": of_two(name) for name in OF_TWO}
INSTEAD |= {f"numpy.{name}": joining(name) for name in JOINING}

METHODS: dict[str, Callable[..., Any]] = {
    "numpy.add.at": add_at, "numpy.maximum.reduce": first_axis(MAX), "numpy.minimum.reduce": first_axis(MIN),
    "numpy.maximum.accumulate": running("maximum"), "numpy.minimum.accumulate": running("minimum"),
}  # fmt: skip
