"""The arguments to differentiate: ``wrt`` as places, checked against the argument types."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from retrograd.compiler.ir.argument_path import Field, Place, parsed, spelled
from retrograd.compiler.ir.types import Tree, Type
from retrograd.runtime.errors import SignatureMismatch

from .public.door import no_argument
from .specialise.gradient_leaves import check_float
from .specialise.steps import Step

if TYPE_CHECKING:
    from .transformed_function import Chain

__all__ = ["Wrt", "check_places", "place_in", "places_of", "request_key", "resolved"]

Wrt = int | str | Sequence[int | str]
Parameter = inspect.Parameter


def request_key(wrt: Any) -> Any:
    """A dict key for ``wrt``: equal where it asks for the same in the same words."""
    if type(wrt) in (tuple, list):
        return tuple(map(request_key, wrt))
    return type(wrt), wrt


def places_of(chain: Chain, wrt: Any) -> tuple[tuple[Place, ...], bool]:
    """``wrt`` as places, and whether one was asked for rather than a tuple."""
    if wrt is None:
        return (place_in(chain, 0),), True
    single = (
        isinstance(wrt, (str, Place)) or hasattr(wrt, "__index__") or not isinstance(wrt, Iterable)
    )
    asked = [wrt] if single else list(wrt)
    found = tuple(place_in(chain, item) for item in asked)
    if not found or len(set(found)) < len(found):
        raise SignatureMismatch(f"wrt names no argument of {chain.name}, or one twice: {wrt!r}")
    return found, single


def place_in(chain: Chain, asked: Any) -> Place:
    """The place that a name, a path or a position names."""
    if isinstance(asked, Place):
        return asked
    if not isinstance(asked, str) and not is_position(asked):
        raise SignatureMismatch(f"wrt is a position, a name, or a tuple of them, not {asked!r}")
    return at_name(chain, asked) if isinstance(asked, str) else at_position(chain, asked)


def at_name(chain: Chain, text: str) -> Place:
    names = chain.parameters
    if text in names:
        return Place(names.index(text))
    name, keys = parsed(text)
    if name in names:
        return Place(names.index(name), keys)
    named = [p.name for p in own(chain) if p.kind is Parameter.VAR_KEYWORD]
    if named:  # it may be one of them
        return Place(names.index(named[0]), (name, *keys))
    raise SignatureMismatch(no_argument(chain.name, name, names))


def is_position(asked: Any) -> bool:
    """True of a whole number; an array has the method for it, and may refuse."""
    try:
        operator.index(asked)
    except TypeError:
        return False
    return True


def at_position(chain: Chain, asked: Any) -> Place:
    """Positions are those of a call: what comes after the last named one stands in ``*rest``."""
    names = chain.parameters
    index = operator.index(asked)
    several = [k for k, p in enumerate(own(chain)) if p.kind is Parameter.VAR_POSITIONAL]
    if several and index >= several[0]:
        return Place(several[0], (index - several[0],))
    if several and index < 0:
        raise SignatureMismatch(
            f"{chain.name} takes any number of arguments; count them from the first: wrt=0, 1, ..."
        )
    if not -len(names) <= index < len(names):
        raise SignatureMismatch(
            f"{chain.name} has no argument {index}: it has {len(names)}, {', '.join(names)}"
        )
    later = [name for name, _ in chain.given]  # by name: no position is theirs
    order = sorted(range(len(names)), key=lambda k: names[k] in later)
    return Place(order[index])


def own(chain: Chain) -> list[Parameter]:
    return list(chain.signature.parameters.values())


# -- against the kinds of the arguments ---------------------------------------------------


def check_places(chain: Chain, kinds: dict[str, Type]) -> None:
    """Everything asked for must be there and be a float, and nothing be asked for twice."""
    names = list(kinds)
    for step in resolved(chain, kinds):
        for place in step.wrt:
            if place.at < len(names):
                kind = inner(kinds[names[place.at]], place.keys)
                if kind is not None:
                    check_float(kind, place.text(names), chain.fn.__qualname__)


def resolved(chain: Chain, kinds: dict[str, Type]) -> tuple[Step, ...]:
    """The steps with every path as the containers there spell it."""
    names = [*list(chain.full.parameters)[: len(chain.bound)], *chain.parameters]
    found = []
    for step in chain.steps:
        places = tuple(settled(p, names, kinds) for p in step.wrt)
        check_apart(places, names)
        found.append(step._replace(wrt=places))
    return tuple(found)


def settled(place: Place, names: list[str], kinds: dict[str, Type]) -> Place:
    if not place.keys:
        return place
    name = names[place.at]
    return Place(place.at, tuple(followed(name, kinds.get(name), place.keys)))


def followed(path: str, kind: Type, keys: tuple[Any, ...]) -> Iterator[Any]:
    """The keys of a path, each in the form that its container takes."""
    for key in keys:
        if kind is not None and not (isinstance(kind, Tree) and kind.keys):
            raise SignatureMismatch(
                f"`{path}` has no parts, so `{path}{spelled((key,))}` names none"
            )
        if isinstance(kind, Tree):
            key = known_key(path, kind, key)
        yield key
        path += spelled((key,))
        kind = (
            kind.item(str(key) if isinstance(key, Field) else key)
            if isinstance(kind, Tree)
            else None
        )


def known_key(path: str, kind: Tree, key: Any) -> Any:
    if kind.container in ("tuple", "list") and type(key) is int:
        n = len(kind.keys)
        if -n <= key < n:
            return key % n
    if kind.container == "object" and type(key) is int and issubclass(kind.cls or object, tuple):
        key = Field(kind.keys[key]) if -len(kind.keys) <= key < len(kind.keys) else key
    if kind.container == "dict" and key in kind.keys:
        return str(key) if isinstance(key, str) else key
    if kind.container == "object" and isinstance(key, Field) and key in kind.keys:
        return key
    raise SignatureMismatch(f"`{path}{spelled((key,))}` names nothing: {parts_of(path, kind)}")


def parts_of(path: str, kind: Tree) -> str:
    if kind.container in ("tuple", "list"):
        return f"`{path}` is a {kind.container} of {len(kind.keys)}"
    made = [Field(k) if kind.container == "object" else k for k in kind.keys]
    return f"there is {', '.join(f'`{path}{spelled((k,))}`' for k in made)}"


def inner(kind: Type, keys: tuple[Any, ...]) -> Type:
    """The kind of a part."""
    for key in keys:
        kind = (
            kind.item(str(key) if isinstance(key, Field) else key)
            if isinstance(kind, Tree)
            else None
        )
    return kind


def check_apart(places: tuple[Place, ...], names: list[str]) -> None:
    """No part may be asked for twice."""
    for k, a in enumerate(places):
        for b in places[k + 1 :]:
            n = min(len(a.keys), len(b.keys))
            if a.at == b.at and a.keys[:n] == b.keys[:n]:
                raise SignatureMismatch(
                    f"wrt asks for `{a.text(names)}` and for `{b.text(names)}`, which is a part of it"
                    if a.keys != b.keys
                    else f"wrt asks for `{a.text(names)}` twice"
                )
