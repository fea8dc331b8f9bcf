"""Ufuncs with CuPy's own lists of types, and of their methods only what CuPy has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import counters
from ..arrays import subscripts
from ..arrays.array import ndarray
from ..arrays.registry import function
from ..arrays.values import SCALARS, cast, checked, converted, in_c_order

__all__ = ["GUFunc", "Ufunc"]

REDUCED = {"add": "sum", "multiply": "prod"}
ACCUMULATED = {"add": "cumsum", "multiply": "cumprod"}
BOOLEANS = {
    "negative": "The cupy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not "
    "function instead.",
    "positive": "The cupy boolean positive, the `+` operator, is not supported.",
    "subtract": "cupy boolean subtract, the `-` operator, is deprecated, use the bitwise_xor, the `^` operator, or the "
    "logical_xor function instead.",
    "gcd": "gcd cannot be computed with boolean arrays",
    "lcm": "lcm cannot be computed with boolean arrays",
}


class Ufunc:
    """One ufunc; ``compute`` is the host's."""

    def __init__(self, name: str, entry: dict[str, Any], compute: Callable[..., Any]) -> None:
        self.name = self.__name__ = entry["name"]
        self.nin, self.nout = entry["nin"], entry["nout"]
        self.nargs = self.nin + self.nout
        self.types = list(entry["types"])
        self._numpy = name
        self._compute = compute
        self._known: dict[Any, tuple[str, str]] = {}
        self._short = self.name.removeprefix("cupy_")

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        out, dtype = kwargs.pop("out", None), kwargs.pop("dtype", None)
        casting = kwargs.pop("casting", "same_kind")
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. "
                f"It must be either {self.nin} or {self.nargs} (with outputs), but given {len(args)}."
            )
        outs = self._outs(args, out)
        operands = [operand(one) for one in args[: self.nin]]
        types = self._types(operands, None if dtype is None else checked(dtype))
        self._refuse_booleans(types)
        return self._written(self._values(operands, types), types, outs, casting)

    def _outs(self, args: tuple[Any, ...], out: Any) -> list[Any]:
        given = list(args[self.nin :])
        if out is not None:
            if given:
                raise ValueError("Cannot specify 'out' as both a positional and keyword argument")
            given = list(out) if isinstance(out, tuple) else [out]
            if len(given) != self.nout:
                raise ValueError(f"Cannot use 'out' in {self.name}")
        for one in given:
            if isinstance(one, np.ndarray):
                raise TypeError(f"Unsupported type {type(one)}")
            if not isinstance(one, ndarray):
                raise TypeError("Output arguments type must be cupy.ndarray")
        return given

    def _refuse_booleans(self, types: tuple[str, str]) -> None:
        if self._short in BOOLEANS and set(types[0]) == {"?"}:
            raise TypeError(BOOLEANS[self._short])

    def _types(self, operands: list[Any], dtype: Any) -> tuple[str, str]:
        """The first of the listed types to which the operands can be cast; it goes by their kinds alone."""
        key = (*(getattr(one, "dtype", type(one)) for one in operands), dtype)
        if key not in self._known:
            self._known[key] = self._found(operands, dtype)
        return self._known[key]

    def _found(self, operands: list[Any], dtype: Any) -> tuple[str, str]:
        kinds = np.result_type(*operands) if operands else None
        found = [
            one.dtype if isinstance(one, (np.ndarray, np.generic)) else kinds for one in operands
        ]
        for line in self.types:
            into, _, outof = line.partition("->")
            outof = outof or into
            if dtype is not None:
                if all(np.dtype(letter) == dtype for letter in outof):
                    return into, outof
            elif all(np.can_cast(kind, letter) for kind, letter in zip(found, into, strict=True)):
                return into, outof
        shown = dtype if dtype is not None else tuple(kind.type for kind in found)
        raise TypeError(f"Wrong type ({shown}) of arguments for {self.name}")

    def _values(self, operands: list[Any], types: tuple[str, str]) -> tuple[np.ndarray, ...]:
        into, outof = types
        ready = [converted(one, letter) for one, letter in zip(operands, into, strict=True)]
        with np.errstate(all="ignore"):
            found = self._compute(*ready)
        every = found if isinstance(found, tuple) else (found,)
        return tuple(
            cast(np.asarray(one), letter) for one, letter in zip(every, outof, strict=True)
        )

    def _written(
        self, values: tuple[np.ndarray, ...], types: Any, outs: list[Any], casting: str
    ) -> Any:
        if values[0].size:
            counters.launch(self._short)
        if not outs:
            made = tuple(new(one) for one in values)
            return made[0] if self.nout == 1 else made
        for one, value in zip(outs, values, strict=True):
            fits(one, value)
            if not np.can_cast(value.dtype, one.dtype, casting):
                raise TypeError(
                    f"Cannot cast output operand from {value.dtype!r} to {one.dtype!r} according to the rule {casting!r}"
                )
            one._host[...] = cast(value, one.dtype)
        return outs[0] if self.nout == 1 else tuple(outs)

    # Methods.

    def at(self, a: Any, indices: Any, b: Any = None) -> None:
        if self._short not in subscripts.ATOMIC:
            raise self._lacks("at")
        subscripts.scatter(on_device(a), self._short, indices, b)

    def reduce(
        self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        if self._short not in REDUCED:
            raise self._lacks("reduce")
        return function(REDUCED[self._short])(on_device(array), axis, dtype, out, keepdims)

    def accumulate(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        if self._short not in ACCUMULATED:
            raise self._lacks("accumulate")
        return function(ACCUMULATED[self._short])(on_device(array), axis, dtype, out)

    def reduceat(
        self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> Any:
        if self._short != "add":
            raise self._lacks("reduceat")
        counters.launch("add_reduceat")
        if isinstance(indices, (list, tuple, np.ndarray)):
            counters.transfer("upload")
        places = np.asarray(getattr(indices, "_host", indices))
        found = np.add.reduceat(on_device(array)._host, places, axis, dtype)
        if out is None:
            return new(found)
        out._host[...] = cast(found, out.dtype)
        return out

    def outer(self, A: Any, B: Any, **kwargs: Any) -> Any:
        A, B = (function("asarray")(one) for one in (A, B))
        left = ndarray._of(A._host.reshape(A.shape + (1,) * B.ndim))
        return self(left, B, **kwargs)

    def _lacks(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"`{self.name}.{method}` is not supported yet")


class GUFunc:
    """``matmul``: of its keywords ``out``, ``axes``, ``axis``, ``keepdims``, ``dtype`` and ``casting``."""

    def __init__(self, name: str, compute: Callable[..., Any]) -> None:
        self.__name__ = name
        self._compute = compute

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for name, one in zip("ab", args, strict=False):
            if not isinstance(one, ndarray):
                raise TypeError(
                    f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, got "
                    f"{one_type(one)})"
                )
        out = kwargs.pop("out", args[2] if len(args) > 2 else None)
        if out is not None and not isinstance(out, ndarray):
            raise TypeError("Output arguments type must be cupy.ndarray")
        unknown = set(kwargs) - {"axes", "axis", "keepdims", "dtype", "casting"}
        if unknown:
            raise TypeError(f"{self.__name__} got unexpected keyword arguments {sorted(unknown)}")
        counters.launch(self.__name__)
        with np.errstate(all="ignore"):
            found = np.asarray(self._compute(args[0]._host, args[1]._host, **kwargs))
        if out is None:
            return new(found)
        fits(out, found)
        out._host[...] = cast(found, out.dtype)
        return out


def one_type(one: Any) -> str:
    kind = type(one)
    return f"{kind.__module__}.{kind.__name__}" if kind.__module__ != "builtins" else kind.__name__


def operand(one: Any) -> Any:
    """An array of the device or a number."""
    if isinstance(one, ndarray):
        return one._host
    if isinstance(one, SCALARS):
        return one
    raise TypeError(f"Unsupported type {type(one)}")


def on_device(one: Any) -> Any:
    if not isinstance(one, ndarray):
        raise TypeError(f"Unsupported type {type(one)}")
    return one


def new(values: np.ndarray) -> Any:
    made = in_c_order(np.array(values))
    counters.allocation(made.nbytes)
    return ndarray._of(made)


def fits(out: Any, values: np.ndarray) -> None:
    try:
        same = np.broadcast_shapes(out.shape, values.shape) == out.shape
    except ValueError:
        same = False
    if not same:
        raise ValueError("Out shape is mismatched")
