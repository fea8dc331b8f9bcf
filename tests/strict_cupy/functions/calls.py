"""The functions of CuPy: called as CuPy is, computed on the host, of which they take no array."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import counters
from ..arrays.values import cast
from ..arrays.wrapping import unwrap, wrap
from ..names import signature
from .arguments import check, leaves

__all__ = ["Function", "NotOnHost", "missing"]

KEPT = frozenset(  # results keep the order of the operand
    "copy array asarray asanyarray zeros_like ones_like empty_like full_like nan_to_num pad roll astype "
    "asfortranarray require cholesky inv solve".split()
)
# What the host gives as a number of Python.
NUMBERS = ("allclose", "array_equal", "array_equiv", "real", "imag")


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
        for position, (name, value) in enumerate(bound.arguments.items()):
            check(self.__name__, position, name, value)
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
        made = any(one.base is None and one.size for one in leaves([result]))  # and is no view
        if made and not self._of_zeros(operands):
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

    def _computed(self, bound: inspect.BoundArguments) -> Any:
        args, kwargs = self._for_host(bound)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            # Of empty slices and the like, of which the device says nothing.
            warnings.simplefilter("ignore", RuntimeWarning)
            return self._compute(*args, **kwargs)

    def _for_host(self, bound: inspect.BoundArguments) -> tuple[list[Any], dict[str, Any]]:
        """The arguments under the names of the host's function; what it does not know may only be a default."""
        if self._takes is None:
            kwargs = {key: unwrap(one) for key, one in bound.kwargs.items()}
            return [unwrap(one) for one in bound.args], kwargs
        args, kwargs = [], {}
        straight = True  # so far every argument went by its position
        for position, (name, value) in enumerate(bound.arguments.items()):
            parameter = bound.signature.parameters[name]
            if parameter.kind == parameter.VAR_POSITIONAL:
                args += [unwrap(one) for one in value]
            elif parameter.kind == parameter.VAR_KEYWORD:
                kwargs |= {key: unwrap(one) for key, one in value.items()}
            elif straight and self._same_place(position, name, bound.signature):
                args.append(unwrap(value))
            else:
                straight = False
                self._by_name(parameter, value, kwargs)
        return args, kwargs

    def _same_place(self, position: int, name: str, ours: inspect.Signature) -> bool:
        """Does the host have this parameter here, perhaps under another name?"""
        if position >= len(self._straight):
            return False
        theirs = self._straight[position]
        return (
            position == 0
            or theirs == name
            or (theirs not in {"out", *ours.parameters} and name not in self._takes)
        )

    def _by_name(self, parameter: inspect.Parameter, value: Any, kwargs: dict[str, Any]) -> None:
        name, default = parameter.name, parameter.default
        if name in self._takes:
            kwargs[name] = unwrap(value)
        elif not (value is default or (type(value) is type(default) and value == default)):
            raise NotOnHost(f"{self.__module__}.{self.__name__}: {name}={value!r} on the host")


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


def missing(path: str) -> Callable[..., Any]:
    """What is in CuPy and not on the host."""

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise NotOnHost(f"{path} is not in the double: nothing on the host computes it")

    return refused
