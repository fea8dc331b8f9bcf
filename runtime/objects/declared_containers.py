"""Classes whose objects are containers since somebody says so: by declared fields, or by a registration.

Dataclasses, classes of attrs and models of pydantic declare their fields in the class itself, so that nothing has to
be imported to find them.  `register_container` says of any other class how its objects are taken apart and put
together.  No ``__init__`` is run but by a function that was registered: it might change what it is given, or refuse it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from ..errors import SignatureMismatch
from .own_attributes import own_attribute, own_dict

__all__ = [
    "REGISTERED",
    "attributes_of",
    "declared",
    "empty",
    "extra_of",
    "parts_of",
    "put_together",
    "register_container",
    "rest_of",
    "slots_of",
    "with_fields",
]

Class = TypeVar("Class", bound=type)


class Registration(NamedTuple):
    """``flatten(x)`` gives the items of an object and what else it is made of; ``unflatten(rest, items)`` makes one."""

    flatten: Callable[[Any], tuple[Iterable[Any], Any]]
    unflatten: Callable[[Any, Any], Any]


REGISTERED: dict[type, Registration] = {}


def register_container(
    cls: Class,
    flatten: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
    unflatten: Callable[[Any, Any], Any] | None = None,
) -> Class:
    """Let objects of a class be containers, as `jax.tree_util.register_pytree_node` does; also a decorator.

    ``flatten(x)`` returns the items and what else makes up the object, ``unflatten(rest, items)`` an object with
    these items.  Without the two, the items are all attributes.

    >>> @register_container
    ... class Line:
    ...     def __init__(self, slope):
    ...         self.slope, self.name = slope, "line"
    >>> parts_of(Line(2.0))
    [('slope', 2.0), ('name', 'line')]
    """
    if not isinstance(cls, type):
        raise SignatureMismatch(f"register_container takes a class, not {cls!r}")
    if (flatten is None) is not (unflatten is None):
        raise SignatureMismatch("register_container takes flatten and unflatten, or neither")
    if flatten is None or unflatten is None:
        REGISTERED[cls] = Registration(attributes_apart, attributes_together)
    else:
        REGISTERED[cls] = Registration(flatten, unflatten)
    return cls


def attributes_apart(x: Any) -> tuple[list[Any], Any]:
    names = attribute_names(x)
    return [getattr(x, name) for name in names], (x, names)


def attributes_together(rest: Any, items: Any) -> Any:
    like, names = rest
    return with_fields(like, dict(zip(names, items, strict=True)))


def attributes_of(x: Any) -> list[tuple[str, Any]]:
    """What an object holds itself, in slots or its dict."""
    return [(name, own_attribute(x, name)) for name in attribute_names(x)]


def attribute_names(x: Any) -> list[str]:
    found = [name for name in slots_of(type(x)) if own_attribute(x, name, UNSET) is not UNSET]
    return [*found, *own_dict(x)]


UNSET = object()


def parts_of(x: Any) -> list[tuple[Any, Any]]:
    """The items of an object of a registered class, each under the attribute it is, or else its position."""
    return list(zip(names_of(x), REGISTERED[type(x)].flatten(x)[0], strict=True))


def names_of(x: Any) -> list[Any]:
    """Which attributes the items are: an object is made with marks in their places, and they are looked for."""
    known = REGISTERED[type(x)]
    items, rest = known.flatten(x)
    items = list(items)
    if known.flatten is attributes_apart:
        return list(rest[1])
    marks = [Mark() for _ in items]
    try:
        made = known.unflatten(rest, list(marks))
        found = {id(getattr(made, name)): name for name in attribute_names(made)}
    except Exception:  # it looks at what it is given
        return list(range(len(items)))
    names = [found.get(id(mark)) for mark in marks]
    if all(n is not None and getattr(x, n) is i for n, i in zip(names, items, strict=True)):
        return names
    return list(range(len(items)))


class Mark:
    """An item that stands for itself."""


def rest_of(x: Any) -> list[tuple[str, Any]]:
    """The attributes of an object of a registered class that are none of its items, if all items are attributes."""
    if type(x) not in REGISTERED:
        return []
    names = names_of(x)
    return [(name, item) for name, item in attributes_of(x) if name not in names]


def put_together(x: Any, items: list[Any]) -> Any:
    """An object like ``x`` with other items."""
    known = REGISTERED[type(x)]
    return known.unflatten(known.flatten(x)[1], items)


# -- classes that declare their fields ------------------------------------------------------------


def declared(kind: type) -> Iterable[str] | None:
    """The fields that a class of a declaring kind has; None of any other.

    >>> @dataclasses.dataclass
    ... class Line:
    ...     slope: float
    >>> list(declared(Line)), declared(int)
    (['slope'], None)
    """
    if hasattr(kind, "__dataclass_fields__"):
        return [f.name for f in dataclasses.fields(kind)]
    attrs = getattr(kind, "__attrs_attrs__", None)
    if isinstance(attrs, tuple):
        return [field.name for field in attrs]
    if hasattr(kind, "__pydantic_validator__"):
        fields = getattr(kind, "__pydantic_fields__", None)
        return fields if isinstance(fields, dict) else None
    return None


def with_fields(like: Any, fields: dict[str, Any]) -> Any:
    """An object with other attributes and the rest of ``like``; its ``__init__`` is not run."""
    made = empty(type(like))
    own = getattr(like, "__dict__", None)
    if own is not None:
        made.__dict__.update(own)
    for name in slots_of(type(like)):
        if hasattr(like, name):
            object.__setattr__(made, name, getattr(like, name))
    more = {name: fields[name] for name in extra_of(like) if name in fields}
    for name, item in fields.items():
        if name not in more:
            object.__setattr__(made, name, item)
    if more:
        object.__setattr__(made, "__pydantic_extra__", more)
    return made


def extra_of(x: Any) -> dict[str, Any]:
    """The fields that one object of pydantic's has beside those of its class."""
    return own_attribute(x, "__pydantic_extra__") or {}


def empty(kind: type) -> Any:
    """An object of a class that holds nothing yet: made by the first class of C among its bases."""
    makers = (vars(base).get("__new__") for base in kind.__mro__)
    return next(new for new in makers if type(new) is type(object.__new__))(kind)


def slots_of(kind: type) -> Iterator[str]:
    """The names of the slots of a class, those of its bases first."""
    for base in reversed(kind.__mro__):
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                yield mangled(base, name)


def mangled(base: type, name: str) -> str:
    """The name of a slot as the class keeps it: two leading underscores bear the name of the class."""
    private = name.startswith("__") and not name.endswith("__")
    return f"_{base.__name__.lstrip('_')}{name}" if private else name
