"""Types that annotations say: Python's own, NumPy's, those of jaxtyping, and signatures written as texts."""

from __future__ import annotations

import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from retrograd.compiler.ir.types import Array, Given, Number, Tree, Type
from retrograd.runtime.errors import SignatureMismatch

from ..specialise.argument_types import SCALARS, kind_of_argument
from .agreement import Contradiction, OneOf, Several, meet
from .array_annotations import array_of, is_array_annotation, labelled
from .class_fields import class_of_method, classes_in, fields_of_class
from .signature_text import OWN, Classes, parse_kind

__all__ = ["FunctionClasses", "annotated"]

LISTS = {list: "list", tuple: "tuple", dict: "dict"}
WRAPPERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "Unpack")
DEEP = 6


def annotated(fn: Any) -> dict[str, Any]:
    """What the annotations of a function say of its parameters; the object of a method is one of its class."""
    classes = FunctionClasses(fn)
    said = getattr(fn, "__annotations__", {})
    found = {
        name: Reader(classes).kind(said[name])
        for name in inspect.signature(fn, follow_wrapped=False).parameters
        if name in said
    }
    owner = class_of_method(fn)
    first = next(iter(inspect.signature(fn, follow_wrapped=False).parameters), None)
    if owner is not None and first is not None and first not in said:
        found = {first: known_object(classes.whole(owner))} | found
    return {name: kind for name, kind in found.items() if kind is not None}


def known_object(kind: Any) -> Any:
    """An object of which something is known."""
    return kind if isinstance(kind, Tree) and any(item is not None for item in kind.items) else None


class FunctionClasses(Classes):
    """The classes that are known where a function is defined, by the names that they have there."""

    def __init__(self, fn: Any) -> None:
        self.names = dict(getattr(fn, "__globals__", {}))
        owner = class_of_method(fn)
        if owner is not None:
            self.names = self.names | {owner.__name__: owner}
        self.reach: dict[str, Any] = {}

    def add(self, value: Any) -> None:
        """Know the classes of a value, too: of what it holds."""
        for cls in classes_in(value):
            self.reach.setdefault(cls.__name__, cls)

    def find(self, name: str) -> type | None:
        found = self.names.get(name, self.reach.get(name)) or super().find(name)
        if found is None and "." in name:
            module, _, last = name.rpartition(".")
            base = self.names.get(module) or sys.modules.get(module)
            found = getattr(base, last, None)
        plain = isinstance(found, type) and found not in SCALARS
        return found if plain and not issubclass(found, np.generic) else None  # type: ignore[arg-type, return-value]

    def whole(self, cls: type) -> Type:
        found: Type = self.inside(cls, 0)
        return found

    def inside(self, cls: type, depth: int) -> Any:
        """An object of a class, by what the class says of its fields."""
        if cls in OWN.values() or depth > DEEP:
            return Tree("object", (), (), cls)
        said, space = fields_of_class(cls)
        reader = Reader(self, self.names | space, depth + 1)
        kinds = {name: reader.kind(a) for name, a in said.items()}
        if typing.is_typeddict(cls):
            return Tree("dict", tuple(kinds), tuple(kinds.values()))
        return Tree("object", tuple(kinds), tuple(kinds.values()), cls)


class Reader:
    """Reads annotations; names in texts are those of ``space``."""

    def __init__(
        self, classes: FunctionClasses, space: dict[str, Any] | None = None, depth: int = 0
    ) -> None:
        self.classes, self.depth = classes, depth
        self.space = classes.names if space is None else space

    def kind(self, said: Any) -> Any:
        """The type that an annotation says, or None."""
        if isinstance(said, typing.ForwardRef):
            said = said.__forward_arg__
        if isinstance(said, str):
            return self.of_text(said)
        if said in SIMPLE if is_hashable(said) else False:
            return SIMPLE[said]
        if is_array_annotation(said):
            return array_of(said)
        if (label := labelled(said)) is not None:
            return label
        origin = typing.get_origin(said)
        if origin is not None:
            return self.of_generic(said, origin, typing.get_args(said))
        if isinstance(said, typing.TypeVar):
            return self.of_variable(said)
        for name in ("__supertype__", "__value__"):  # NewType, `type X = ...`
            if not isinstance(said, type) and hasattr(said, name):
                return self.kind(getattr(said, name))
        return self.of_class(said) if isinstance(said, type) else None

    def of_text(self, text: str) -> Any:
        """An annotation written as a text: Python, or a signature of ours."""
        try:
            value = eval(text, self.space)
        except Exception:  # whatever evaluating a name of the user's may raise
            return self.of_signature(text)
        if isinstance(value, str) and value != text:
            made = self.of_signature(value)
            return self.of_text(value) if made is None else made
        if isinstance(value, (tuple, list, dict)):
            return self.of_signature(text)
        return self.kind(value) if value is not None else None

    def of_signature(self, text: str) -> Any:
        try:
            return parse_kind(text, self.classes)
        except (ValueError, SignatureMismatch, SyntaxError):
            return None

    def of_variable(self, said: Any) -> Any:
        if said.__constraints__:
            return one_of(map(self.kind, said.__constraints__))
        return self.kind(said.__bound__) if said.__bound__ is not None else None

    def of_class(self, cls: type) -> Any:
        if cls in (object, type) or cls.__module__ in ("builtins", "typing", "collections.abc"):
            return None
        found = self.classes.inside(cls, self.depth)
        return found if found.container == "dict" else known_object(found)

    def of_generic(self, said: Any, origin: Any, args: tuple[Any, ...]) -> Any:
        if origin is typing.Annotated:
            return self.of_annotated(args)
        if origin in (typing.Union, types.UnionType):
            return self.of_union(args)
        if origin is typing.Literal:
            return of_values(args)
        if origin in (list, dict, tuple, collections.abc.Sequence):
            return self.of_container(origin, args)
        if getattr(origin, "_name", getattr(origin, "__name__", "")) in WRAPPERS:
            return self.kind(args[0])
        return self.of_class(origin) if isinstance(origin, type) else None

    def of_annotated(self, args: tuple[Any, ...]) -> Any:
        """What stands before, together with texts that are signatures."""
        kinds = [
            self.kind(args[0]),
            *(self.of_signature(a) for a in args[1:] if isinstance(a, str)),
        ]
        try:
            return reduce(meet, kinds)
        except Contradiction:
            return kinds[-1]

    def of_union(self, args: tuple[Any, ...]) -> Any:
        absent = Tree("object", (), (), type(None))
        return one_of(absent if a is type(None) else self.kind(a) for a in args)

    def of_container(self, origin: Any, args: tuple[Any, ...]) -> Any:
        name = LISTS.get(origin)
        if name is None or not args:
            return None
        if name == "tuple" and args[-1] is not ...:
            items = () if args == ((),) else tuple(map(self.kind, args))
            return Tree("tuple", tuple(range(len(items))), items)
        return Several(name, self.kind(args[1] if name == "dict" else args[0]))


def one_of(kinds: Iterable[Any]) -> Any:
    """One of several types: numbers are of the one that takes all of them; else what is known is known later."""
    found = list(dict.fromkeys(kinds))
    if all(isinstance(kind, Number) for kind in found):
        return max(found, key=lambda kind: "bifc".index(kind.kind))
    return None if None in found else OneOf(tuple(found))


def of_values(values: tuple[Any, ...]) -> Any:
    """``Literal[2]`` is known; of several, the type is if they have one."""
    kinds = [kind_of_argument(v, "") for v in values]
    if len(values) == 1 and type(values[0]) in (bool, int):
        return Given(kinds[0], values[0])
    if len(values) == 1:
        return kinds[0]
    return kinds[0] if all(isinstance(k, Number) and k == kinds[0] for k in kinds) else None


def is_hashable(value: Any) -> bool:
    return isinstance(value, collections.abc.Hashable) and isinstance(value, type)


SIMPLE: dict[Any, Any] = {
    **{python: Number(letter) for python, letter in SCALARS.items()},
    np.ndarray: Array(None, None, None),
}
