"""Annotations of arrays: ``np.ndarray[shape, dtype]``, ``NDArray``, and labelled ones such as jaxtyping's.

Nothing is imported for them: a labelled annotation is known by the attributes that it has.
"""

from __future__ import annotations

import re
import typing
from typing import Any

import numpy as np

from retrograd.compiler.ir.types import Array, Dim

__all__ = ["array_of", "is_array_annotation", "labelled"]

ABSTRACT = {
    np.floating: "f",
    np.inexact: None,
    np.number: None,
    np.integer: "i",
    np.signedinteger: "i",
    np.complexfloating: "c",
    np.generic: None,
}


def is_array_annotation(said: Any) -> bool:
    """True of a generic array and of a class of scalars."""
    if isinstance(said, type) and not typing.get_origin(said):
        return issubclass(said, np.generic)
    return typing.get_origin(said) is np.ndarray or (
        isinstance(typing.get_origin(said), type)
        and issubclass(typing.get_origin(said), np.generic)  # type: ignore[arg-type]
    )


def array_of(said: Any) -> Array | None:
    """The type of an array that an annotation says, as far as it does.

    >>> array_of(np.ndarray[tuple[int, int], np.dtype[np.float64]])
    Array(dtype='float64', dims=(None, None), kind='f', least=None)
    """
    origin = typing.get_origin(said) or said
    if origin is not np.ndarray:
        dtype, kind = dtype_of(origin)
        return None if dtype is None else Array(dtype, (), kind)
    shape, *rest = (*typing.get_args(said), None)
    dtype, kind = dtype_of(rest[0] if rest else None)
    return Array(dtype, dims_of(shape), kind)


def dtype_of(said: Any) -> tuple[str | None, str | None]:
    """The dtype and its kind, where one is meant."""
    if typing.get_origin(said) is np.dtype:
        said = typing.get_args(said)[0]
    said = typing.get_origin(said) or said  # np.floating[Any]
    if isinstance(said, type) and said in ABSTRACT:
        return None, ABSTRACT[said]
    if isinstance(said, type) and issubclass(said, (np.generic, bool, int, float, complex)):
        return np.dtype(said).name, np.dtype(said).kind
    if isinstance(said, np.dtype):
        return said.name, said.kind
    return None, None


def dims_of(shape: Any) -> tuple[Any, ...] | None:
    """``tuple[int, int]``, ``tuple[Literal[3], int]``; None of any rank."""
    args = typing.get_args(shape)
    if typing.get_origin(shape) is not tuple or ... in args:
        return None
    return tuple(fixed(arg) for arg in args)


def fixed(said: Any) -> Any:
    values = typing.get_args(said) if typing.get_origin(said) is typing.Literal else ()
    return values[0] if len(values) == 1 and type(values[0]) is int else None


# -- jaxtyping ------------------------------------------------------------------------------


def labelled(said: Any) -> Array | None:
    """``Float64[np.ndarray, "n d"]``: dtypes, and dimensions as a text."""
    dims, dtypes = getattr(said, "dim_str", None), getattr(said, "dtypes", None)
    if not isinstance(dims, str) or dtypes is None:
        return None
    listed = dtypes if isinstance(dtypes, (list, tuple)) else ()  # else it is of any
    names = [np.dtype(d).name for d in listed if isinstance(d, str) and is_dtype(d)]
    kinds = {np.dtype(name).kind for name in names}
    kind = "".join(kinds) if len(kinds) == 1 else None
    return Array(names[0] if len(names) == 1 else None, labelled_dims(dims), kind)


def labelled_dims(text: str) -> tuple[Any, ...] | None:
    """``"n 3 _"``; None where any number of dimensions may stand, as in ``"*batch n"``.

    >>> labelled_dims("n d=3 _"), labelled_dims("... n")
    ((Dim(name='n', above_one=False), 3, None), None)
    """
    words = text.split()
    if any(word == "..." or "*" in word.partition("=")[0] for word in words):
        return None
    return tuple(labelled_size(word.rpartition("=")[2]) for word in words)


def labelled_size(word: str) -> Any:
    if word.isdigit():
        return int(word)
    return (
        Dim(word) if re.fullmatch(r"[A-Za-z]\w*", word) else None
    )  # `#n` may be 1, `n+1` is another


def is_dtype(name: str) -> bool:
    try:
        return np.dtype(name).kind in "biufc"
    except TypeError:
        return False
