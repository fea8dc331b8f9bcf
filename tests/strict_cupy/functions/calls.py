"""The functions of CuPy: called as CuPy is, computed on the host, of which they take no array."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import ndarray
from ..arrays.values import SCALARS, cast
from ..arrays.wrapping import is_host, unwrap, wrap
from ..names import DEFAULT, signature

__all__ = ["Function", "NotOnHost", "missing"]

# Parameters that are no operands: lists, tuples and numbers are what is asked for.
SETTINGS = frozenset(
    "axis axes shape dtype pad_width indices_or_sections reps shift bins range newshape dims kth source destination "
    "sizes density order mode s norm workers ddof plan size origin cval window_shape subok repeats iterations structure "
    "output deg varargs rtol atol equal_nan old_behavior subscripts optimize output_shape zoom angle matrix offset dimensions new_shape "
    "footprint block_shape factor sigma truncate".split()
)
DEVICE = frozenset(
    "shift repeats ddof bins rtol atol cval sigma matrix offset footprint structure varargs output".split()
)
OPERANDS = (("digitize", "bins"),)  # an operand under the name of a setting
INDICES = frozenset(
    "indices ind obj condition values q".split()
)  # what CuPy uploads, if it is the host's
SEQUENCES = frozenset(
    "arrays tup args operands xi condlist choicelist funclist arys array_list seq keys multi_index choices axis_arrays".split()
)
KEPT = frozenset(  # results keep the order of the operand
    "copy array asarray asanyarray zeros_like ones_like empty_like full_like nan_to_num pad roll astype "
    "asfortranarray require cholesky inv solve".split()
)
JOINED = frozenset(
    "arrays tup seq choicelist condlist".split()
)  # sequences of arrays of the device, and of nothing else
ARRAYS = frozenset(  # functions that take no number as an operand
    "outer inner kron vdot tensordot cross convolve correlate array_equal array_equiv trapezoid".split()
)
NUMBERS = (
    "allclose",
    "array_equal",
    "array_equiv",
    "real",
    "imag",
)  # what the host gives as a number of Python


class NotOnHost(NotImplementedError):
    """The double cannot compute this: nobody has it on the host."""


class Function:
    """One function: CuPy's signature around the host's function."""

    def __init__(
        self, home: str, name: str, entry: dict[str, Any], compute: Callable[..., Any]
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = home
        self.__wrapped__ = None
        self._compute = compute
        self._signature = signature(entry["parameters"])
        self._takes, self._straight = named(compute)

    @property
    def __signature__(self) -> inspect.Signature | None:
        return self._signature

    def __repr__(self) -> str:
        return f"<function {self.__module__}.{self.__name__} of the double>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._bound(args, kwargs)
        for name, value in bound.arguments.items():
            self._check(name, value)
        out = bound.arguments.pop("out", None)
        found = self._computed(bound)
        if out is not None:
            counters.launch(self.__name__)
            return written(out, found)
        if self.__name__ == "gradient" and isinstance(found, tuple):
            found = list(found)
        operands = tuple(leaf._host for leaf in leaves(list(bound.arguments.values())))
        if self.__name__ in NUMBERS:
            found = np.asarray(found)
        result = wrap(found, operands, keep=self.__name__ in KEPT)
        if any(one.base is None and one.size for one in leaves([result])) and not self._of_zeros(
            operands
        ):
            counters.launch(self.__name__)
        return result

    def _of_zeros(self, operands: tuple[np.ndarray, ...]) -> bool:
        """Memory is set to zero without a kernel."""
        return self.__name__ in ("imag", "iscomplex") and all(
            one.dtype.kind != "c" for one in operands
        )

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        assert self._signature is not None
        try:
            return self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.__name__}() {error}") from None

    def _check(self, name: str, value: Any) -> None:
        if name == "out":
            if value is not None and not isinstance(value, ndarray):
                raise incorrect(name, value)
        elif value is None:
            return
        elif name in SETTINGS and (self.__name__, name) not in OPERANDS:
            self._check_setting(name, value)
        elif name in JOINED and isinstance(value, (list, tuple)):
            for one in value:
                if not isinstance(one, ndarray):
                    raise TypeError(f"Unsupported type {type(one)}")
        elif name == "weights" and isinstance(value, ndarray):
            counters.transfer(name)  # whether their sum is zero
        elif name in ("to_begin", "to_end") and not isinstance(value, ndarray):
            raise TypeError(f"`{name}` should be of type cupy.ndarray")
        elif is_host(value) or (isinstance(value, (list, tuple)) and name not in SEQUENCES):
            if name not in INDICES:
                raise TypeError(
                    f"Unsupported type {type(value if not isinstance(value, tuple) else next(iter(value), value))}"
                )
            counters.transfer("upload")
        elif name in SEQUENCES and any(isinstance(one, (list, tuple)) for one in value):
            counters.transfer("upload")
        elif (
            (
                self._first == name
                or (self.__name__ in ARRAYS and name in ("a", "b", "y", "a1", "a2"))
            )
            and isinstance(value, SCALARS)
            and not isinstance(value, str)
        ):
            raise incorrect(name, value)

    def _check_setting(self, name: str, value: Any) -> None:
        """No array of the device is an integer; a few settings may be arrays."""
        if leaves([value]) and name not in DEVICE:
            raise TypeError("'ndarray' object cannot be interpreted as an integer")
        if (name == "repeats" and np.ndim(unwrap(value))) or (name == "ddof" and leaves([value])):
            counters.transfer(name)

    @property
    def _first(self) -> str:
        assert self._signature is not None
        name = next(iter(self._signature.parameters), "")
        return name if name in ("a", "arr", "ary", "m", "x", "array", "v", "filt", "input") else ""

    def _computed(self, bound: inspect.BoundArguments) -> Any:
        args, kwargs = self._for_host(bound)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", RuntimeWarning
            )  # of empty slices and the like: the device says nothing
            return self._compute(*args, **kwargs)

    def _renamed(self, position: int, ours: inspect.Signature) -> bool:
        """Does the host have this parameter under another name?"""
        return position < len(self._straight) and self._straight[position] not in {
            "out",
            *ours.parameters,
        }

    def _for_host(self, bound: inspect.BoundArguments) -> tuple[list[Any], dict[str, Any]]:
        """The arguments under the names of the host's function; what it does not know may only be a default."""
        if self._takes is None:
            return [unwrap(one) for one in bound.args], {
                key: unwrap(one) for key, one in bound.kwargs.items()
            }
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        straight = True
        for position, (name, value) in enumerate(bound.arguments.items()):
            parameter = bound.signature.parameters[name]
            if parameter.kind == parameter.VAR_POSITIONAL:
                args += [unwrap(one) for one in value]
            elif parameter.kind == parameter.VAR_KEYWORD:
                kwargs |= {key: unwrap(one) for key, one in value.items()}
            elif (
                straight
                and position < len(self._straight)
                and (position == 0 or self._straight[position] == name)
            ):
                args.append(unwrap(value))
            elif name in self._takes:
                straight = False
                kwargs[name] = unwrap(value)
            elif (
                value is parameter.default
                or value == parameter.default
                or parameter.default is DEFAULT
            ):
                straight = False
            elif straight and self._renamed(position, bound.signature):
                args.append(unwrap(value))
            else:
                raise NotOnHost(f"{self.__module__}.{self.__name__}: {name}={value!r} on the host")
        return args, kwargs


def named(compute: Callable[..., Any]) -> tuple[list[str] | None, list[str]]:
    """The names of the host's parameters, and those that can be given by position."""
    try:
        found = inspect.signature(compute).parameters.values()
    except (TypeError, ValueError):
        return None, []
    if any(one.kind == one.VAR_KEYWORD for one in found):
        return None, []
    keyword_only = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_POSITIONAL)
    return [one.name for one in found], [one.name for one in found if one.kind not in keyword_only]


def incorrect(name: str, value: Any) -> TypeError:
    kind = type(value)
    shown = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    return TypeError(
        f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, got {shown})"
    )


def written(out: Any, found: Any) -> Any:
    host = np.asarray(found)
    if host.shape != out.shape:
        raise ValueError("Out shape is mismatched")
    if not np.can_cast(host.dtype, out.dtype, "same_kind"):
        raise TypeError(
            f"output (typecode '{host.dtype.char}') could not be coerced to provided output parameter "
            f"(typecode '{out.dtype.char}') according to the casting rule \"same_kind\""
        )
    out._host[...] = cast(host, out.dtype)
    return out


def leaves(values: Any) -> list[Any]:
    found: list[Any] = []
    for one in values:
        if isinstance(one, ndarray):
            found.append(one)
        elif isinstance(one, (list, tuple)):
            found += leaves(one)
    return found


def missing(path: str) -> Callable[..., Any]:
    """What is in CuPy and not on the host."""

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise NotOnHost(f"{path} is not in the double: nothing on the host computes it")

    return refused
