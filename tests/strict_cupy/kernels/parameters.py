"""Parameters of kernels: ``T x``, ``float64 y``, ``raw T z``, and what their letters stand for."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays.array import ndarray
from ..arrays.values import SCALARS, checked

__all__ = [
    "Argument",
    "Parameter",
    "argument",
    "checked_arguments",
    "ctype",
    "decided",
    "parsed",
    "typedefs",
]

C_TYPES = {
    "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short", "i": "int",
    "I": "unsigned int", "l": "long long", "L": "unsigned long long", "q": "long long", "Q": "unsigned long long",
    "e": "_Float16", "f": "float", "d": "double", "F": "complex<float>", "D": "complex<double>",
}  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """One of a kernel's."""

    name: str
    dtype: Any
    ctype: str
    raw: bool
    is_const: bool


def parsed(text: str, is_const: bool) -> tuple[Parameter, ...]:
    text = text.strip()
    return tuple(one_parameter(part, is_const) for part in text.split(",")) if text else ()


def one_parameter(text: str, is_const: bool) -> Parameter:
    words = text.split()
    if len(words) < 2:
        raise Exception(f"Syntax error: {text}")
    raw = False
    for word in words[:-2]:
        if word == "raw":
            raw = True
        elif word == "_non_const":
            is_const = False
        else:
            raise Exception(f'Unknown keyword "{word}"')
    kind, name = words[-2:]
    if len(kind) == 1:
        return Parameter(name, None, kind, raw, is_const)
    dtype = checked(kind)
    return Parameter(name, dtype, ctype(dtype), raw, is_const)


def ctype(dtype: Any) -> str:
    return C_TYPES[np.dtype(dtype).char]


def checked_arguments(args: tuple[Any, ...]) -> list[Any]:
    for one in args:
        if not isinstance(one, (ndarray, *SCALARS)):
            raise TypeError(f"Unsupported type {type(one)}")
    return list(args)


def decided(
    ins: tuple[Parameter, ...], outs: tuple[Parameter, ...], given: list[Any], written: list[Any]
) -> tuple[list[np.dtype[Any]], list[np.dtype[Any]], dict[str, np.dtype[Any]]]:
    """The kinds of all parameters: letters from the outputs first, then from the arrays that go in."""
    letters: dict[str, np.dtype[Any]] = {}
    for parameter, one in zip(outs, written, strict=False):
        bind(letters, parameter, one.dtype)
    for parameter, one in zip(ins, given, strict=True):
        if isinstance(one, ndarray):  # a number binds no letter
            bind(letters, parameter, one.dtype)
    for parameter in (*ins, *outs):
        if parameter.dtype is None and parameter.ctype not in letters:
            raise KeyError(parameter.ctype)

    def kinds(some: tuple[Parameter, ...]) -> list[np.dtype[Any]]:
        return [letters[one.ctype] if one.dtype is None else one.dtype for one in some]

    return kinds(ins), kinds(outs), letters


def bind(letters: dict[str, np.dtype[Any]], parameter: Parameter, dtype: np.dtype[Any]) -> None:
    if parameter.dtype is not None:
        if dtype != parameter.dtype:
            raise TypeError(
                f"Type is mismatched. {parameter.name} {dtype.type} {parameter.dtype.type}"
            )
    elif letters.setdefault(parameter.ctype, dtype) != dtype:
        raise TypeError(
            f"Type is mismatched. {parameter.name} {dtype.type} {letters[parameter.ctype].type} {parameter.ctype}"
        )


def typedefs(letters: dict[str, np.dtype[Any]]) -> str:
    return "".join(
        f"typedef {ctype(dtype)} {letter};\n" for letter, dtype in sorted(letters.items())
    )


class Argument(ctypes.Structure):
    """An array, as the compiled loop gets it."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_longlong),
        ("ndim", ctypes.c_int),
        ("shape", ctypes.POINTER(ctypes.c_longlong)),
        ("strides", ctypes.POINTER(ctypes.c_longlong)),
    ]


def argument(host: np.ndarray) -> Argument:
    """The caller keeps ``host``."""
    lengths = (ctypes.c_longlong * max(1, host.ndim))(*host.shape)
    steps = (ctypes.c_longlong * max(1, host.ndim))(*host.strides)
    return Argument(host.ctypes.data, host.size, host.ndim, lengths, steps)
