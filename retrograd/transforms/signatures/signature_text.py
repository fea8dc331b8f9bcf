"""Signatures as text: ``x: f8[n, 3], net: Net(k: float)``."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.compiler.ir.types import Array, Dim, Given, Number, Tree, Type
from retrograd.runtime.arrays.libraries import CUPY
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.user.known_objects import Known, is_spelled, named
from retrograd.runtime.user.type_text import pieces, taken_apart

from ..specialise.argument_types import SCALARS, kind_of_argument

__all__ = ["OWN", "Classes", "on_device", "parse_kind", "parse_signature"]

LEAF = re.compile(r"(cp\s+)?([\w.]+)\s*(?:\[([^\]]*)\])?")
OBJECT = re.compile(r"([A-Za-z_][\w.]*)\s*\((.*)\)", re.DOTALL)
FIELD = re.compile(r"(\w+)\s*[:=]\s*(.+)", re.DOTALL)
DTYPES = {"f8": "float64", "f4": "float32", "f2": "float16", "c16": "complex128", "c8": "complex64",
          "i8": "int64", "i4": "int32", "b1": "bool"}  # fmt: skip
UNKNOWN = ("real", "floating")  # the words of a guard for what nothing else is known of
SPELLED = ("dtype", "partial", "vectorize")  # are written with brackets, too


OWN: dict[str, type] = {"str": str, "bytes": bytes, "NoneType": type(None), "None": type(None)}


class Classes:
    """The classes that a signature may name; here, those of Python's own."""

    def find(self, name: str) -> type | None:
        """The class of this name."""
        return OWN.get(name)

    def whole(self, cls: type) -> Type:
        """What is known of its objects."""
        return Tree("object", (), (), cls)


def parse_signature(text: str, classes: Classes | None = None) -> dict[str, Type]:
    """``"x: f8[n, 3], k: int"`` as types; equal names are equal sizes.

    Containers are written as they are: ``"p: {'w': f8[n], 'b': float}, rest: (float, float)"``; objects by their
    class, ``"net: Net"``, or with what they hold, ``"net: Net(k: float)"``.

    >>> parse_signature("x: f8[n, 3], k: int")["x"].dims
    (Dim(name='n', above_one=False), 3)
    """
    found: dict[str, Type] = {}
    try:
        for part in pieces(text):
            name, colon, kind = (word.strip() for word in part.partition(":"))
            if not colon or not name.isidentifier():
                raise ValueError(part)
            found[name] = parse_kind(kind, classes)
    except ValueError as error:
        raise SignatureMismatch(
            f"cannot read the signature {str(error)!r}: write it as `x: f8[n, 3], k: int`"
        ) from None
    return found


def parse_kind(text: str, classes: Classes | None = None) -> Type:
    """What a signature says of one argument; `ValueError` or `SignatureMismatch` if it cannot be read."""
    return parsed(taken_apart(text), classes or Classes())


def parsed(kind: Any, classes: Classes) -> Type:
    if isinstance(kind, tuple):
        container, pairs = kind
        items = tuple(parsed(item, classes) for _, item in pairs)
        return Tree(container, tuple(key for key, _ in pairs), items)
    if kind in UNKNOWN:
        return None
    if len(known := pieces(kind, "=")) == 2:
        return parsed_value(*known)
    made = OBJECT.fullmatch(kind)
    if made is not None and made[1] not in SPELLED:
        return parsed_object(made[1], made[2].strip(), classes)
    if is_spelled(kind) and not isinstance(classes.find(kind), type):
        value = named(kind)
        return Tree("object", (), (), type(value), Known(value))
    return parsed_leaf(kind, classes)


def parsed_object(name: str, inner: str, classes: Classes) -> Type:
    """``Net(k: float, w: f8[n])``, or ``OrderedDict({'w': f8[n]})``."""
    cls = class_named(name, classes)
    if inner.startswith("{"):
        made = parse_kind(inner, classes)
        assert isinstance(made, Tree)
        return replace(made, cls=cls)
    fields = [FIELD.fullmatch(part) for part in pieces(inner)]
    if None in fields:
        raise ValueError(f"{name}({inner})")
    found = {f[1]: parse_kind(f[2], classes) for f in fields if f is not None}
    return Tree("object", tuple(found), tuple(found.values()), cls)


def class_named(name: str, classes: Classes) -> type:
    cls = classes.find(name)
    if cls is None:
        raise SignatureMismatch(
            f"there is no class `{name}` where the function is defined; import it there, "
            f"or name its module: `package.module.{name}(...)`"
        )
    return cls


def parsed_leaf(kind: str, classes: Classes) -> Type:
    match = LEAF.fullmatch(kind)
    if match is None:
        raise ValueError(kind)
    device, name, dims = match.groups()
    cls = classes.find(name) if device is None and dims is None else None
    if cls is not None:
        return classes.whole(cls)
    made = array_or_number(name, dims)
    return made if device is None else on_the_device(made, kind)


def on_device(kind: Type) -> Type:
    """The same kind of argument, its arrays being CuPy's."""
    if isinstance(kind, Given):
        return replace(kind, type=on_device(kind.type))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(map(on_device, kind.items)))
    return replace(kind, library=CUPY) if isinstance(kind, Array) and kind.dims != () else kind


def on_the_device(kind: Type, text: str) -> Type:
    if not isinstance(kind, Array):
        raise SignatureMismatch(f"`{text}`: numbers of Python's are on the host; write `cp f8`")
    return replace(kind, library=CUPY)


def parsed_value(kind: str, text: str) -> Type:
    """``kind: str = 'linear'``: an argument of which the value is known."""
    value = ast.literal_eval(text)
    if type(value).__name__ != kind or not isinstance(value, (bool, int, str, bytes)):
        raise ValueError(f"{kind} = {text}")
    return Given(kind_of_argument(value, ""), value)


def array_or_number(kind: str, dims: str | None) -> Type:
    for python, letter in SCALARS.items():
        if kind == python.__name__ and dims is None:
            return Number(letter)
    try:
        dtype = np.dtype(DTYPES.get(kind, kind))
    except TypeError:
        raise SignatureMismatch(
            f"`{kind}` is no dtype: write f8, f4, i8, c16, float, int ..."
        ) from None
    if dims is None:
        return Array(dtype.name, (), dtype.kind)
    if dims.strip() == "...":
        return Array(dtype.name, None, dtype.kind)
    sizes = [part.strip() for part in dims.split(",") if part.strip()]
    return Array(dtype.name, tuple(map(size, sizes)), dtype.kind)


def size(text: str) -> Any:
    if text == "_":
        return None
    return int(text) if text.isdigit() else Dim(text)
