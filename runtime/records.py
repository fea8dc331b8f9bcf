"""Dataclasses that cost little to define: a process defines some two hundred before its first derivative.

``dataclass`` here takes ``eq`` and ``frozen``, and makes what the standard library's makes, at a
tenth of the time: ``__init__`` is written when the first object is made, the rest needs no text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, field, replace
from operator import attrgetter
from reprlib import recursive_repr
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]


def made(cls: Any, eq: bool, frozen: bool) -> Any:
    own, fields = vars(cls), fields_of(cls)
    cls.__dataclass_fields__ = fields
    cls.__dataclass_params__ = SimpleNamespace(eq=eq, frozen=frozen)  # what subclasses ask
    if "__match_args__" not in own:
        matched = tuple(name for name, f in fields.items() if f.init)
        setattr(cls, "__match_args__", matched)  # noqa: B010  (mypy knows better)
    if "__init__" not in own:
        cls.__init__ = waiting(cls, frozen)
    if "__repr__" not in own:
        cls.__repr__ = spelled
    if eq:
        compared(cls, [name for name, f in fields.items() if f.compare], frozen)
    if frozen:
        cls.__setattr__, cls.__delattr__ = refusals(cls, frozenset(fields))
    return cls


def fields_of(cls: Any) -> dict[str, Field[Any]]:
    found: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= vars(base).get("__dataclass_fields__", {})
    for name, kind in cls.__annotations__.items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        given = vars(cls).get(name, MISSING)
        one: Any = given if isinstance(given, Field) else field(default=given)
        one.name, one.type, one._field_type = name, kind, FIELD
        one.kw_only = False
        if isinstance(given, Field):
            if given.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, given.default)
        found[name] = one
    return found


def waiting(cls: Any, frozen: bool) -> Callable[..., None]:
    """An ``__init__`` that is written when it is first called."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = written(cls, frozen)
        cls.__init__(self, *args, **kwargs)

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


def written(cls: Any, frozen: bool) -> Any:
    scope: dict[str, Any] = {"set__": object.__setattr__, "missing__": MISSING}
    parameters, body = ["self"], ["pass"]
    for name, f in cls.__dataclass_fields__.items():
        value = name
        if f.default is not MISSING:
            scope[f"default_{name}__"] = f.default
            parameters += [f"{name}=default_{name}__"] * f.init
        elif f.default_factory is not MISSING:
            scope[f"factory_{name}__"] = f.default_factory
            parameters += [f"{name}=missing__"] * f.init
            made = f"factory_{name}__()"
            value = f"{made} if {name} is missing__ else {name}" if f.init else made
        elif f.init:
            parameters.append(name)
        if f.init or f.default_factory is not MISSING:
            body.append(f"set__(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    text = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body)
    exec(text, scope)
    scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return scope["__init__"]


@recursive_repr()
def spelled(self: Any) -> str:
    shown = [f"{n}={getattr(self, n)!r}" for n, f in self.__dataclass_fields__.items() if f.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def compared(cls: Any, names: list[str], frozen: bool) -> None:
    own = vars(cls)
    key: Callable[[Any], Any] = attrgetter(*names) if len(names) > 1 else lambda self: ()
    if len(names) == 1:
        one = attrgetter(names[0])
        key = lambda self: (one(self),)  # noqa: E731

    def __eq__(self: Any, other: Any) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(key(self))

    hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
    if "__eq__" not in own:
        cls.__eq__ = __eq__
    if not hashed:
        cls.__hash__ = __hash__ if frozen else None


def refusals(cls: Any, names: frozenset[str]) -> tuple[Callable[..., None], Callable[..., None]]:
    """No attribute of a frozen object is set, or deleted."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


@dataclasses.dataclass(eq=False)
class Sample:
    """What the standard library's fields are told apart by."""

    one: int


FIELD = Sample.__dataclass_fields__["one"]._field_type  # type: ignore[attr-defined]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False):
        if cls is None:
            return lambda cls: made(cls, eq, frozen)
        return made(cls, eq, frozen)
