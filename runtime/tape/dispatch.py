"""One operation on boxes: computed a level below, then recorded by the level of its newest box.

Levels nest: the value in a box may be a box of an older level.  The tables are the rule book and
what is emitted from it (``adjoints.py``); an operation they do not know is refused by its name.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Sequence
from sys import modules
from typing import Any

import numpy as np

from ..arrays.libraries import CUPY
from ..batching.dispatch import attempt
from ..device.places import twin_for
from ..errors import TapeError
from ..helpers import linear
from ..objects.class_protocols import foreign_class, is_sparse, leaves_of
from ..objects.own_attributes import home_of, own_attribute
from ..rules import all_rules  # noqa: F401  (registers every family)
from ..rules.argument_binding import bound
from ..rules.array_likes import as_arrays
from ..rules.better_calls import formed
from ..rules.book import Rule, book, is_constant
from ..rules.rewrites import UNKNOWN, computed
from ..rules.scipy import registry
from ..rules.unspoken_options import spoken
from ..traits.lookup import traits_of
from ..traits.sparse_operands import takes_sparse
from .box import KEPT, Level, boxes_in, has_boxes, lowered, raw
from .views import note_views

__all__ = [
    "ADJOINTS_OF_EXTRA", "EXTRA", "Own", "add", "apply", "call", "execute", "known_rule", "name_of",
]  # fmt: skip

EXTRA: dict[Any, Rule] = {}  # operations of the tape itself: `write_operations` enters them
ADJOINTS_OF_EXTRA: dict[str, dict[str, Callable[..., Any]]] = {}  # by the key of the rule


class Own:
    """An operation that knows its derivative itself: ``record`` takes the place of a rule."""

    def below(self, args: tuple[Any, ...]) -> Any:
        """The result as the levels below see it."""
        return apply(self, args, {})

    def record(self, level: Any, args: tuple[Any, ...], z: Any) -> Any:
        raise NotImplementedError


def apply(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``op(*args, **kwargs)``, seen by every level that has a box in it."""
    boxes = boxes_in((args, kwargs))
    if not boxes:
        return execute(op, args, kwargs)
    own = isinstance(op, Own)
    short = boxes[0]._level.short
    if short is not None and not own:
        made = short(op, args, kwargs, boxes)
        if made is not None:
            return made
    if not own:
        op, args, kwargs = formed(op, *spoken(op, args, kwargs, known), known, rank)
        args, kwargs = as_arrays(op, args, kwargs, is_listed, array_of)
        made = computed(VALUES, op, args, kwargs)
        if made is not None:
            return made
    level = max((box._level for box in boxes), key=lambda level: level.id)
    if any(box._level.ended for box in boxes):
        raise TapeError(KEPT)
    mine = [box for box in boxes if box._level is level]
    for box in mine:
        box._read()
    below = lowered(args, level)
    z = op.below(below) if own else apply(op, below, lowered(kwargs, level))
    if all(box._mark is None for box in mine) or (not own and is_silent(op, args)):
        made = level.constant(z)
    elif own:
        made = op.record(level, args, z)
    else:
        refuse_foreign(op, args, kwargs, z)
        rule = rule_for(op)
        given = arguments(rule, op, args, kwargs)
        made = level.record(op, rule, given, carriers(rule, op, given, level), z)
    note_views(made, boxes, (op, args, kwargs), own)
    return made


def is_listed(x: Any) -> bool:
    return type(x) in (list, tuple)


def array_of(x: Any) -> Any:
    return apply(np.array, (x,), {})


def refuse_foreign(op: Any, args: Any, kwargs: Any, z: Any) -> None:
    """A rule says what numbers and arrays give; an object of another class answers as it likes."""
    ours = home_of(op).startswith("retrograd.")  # they take containers apart
    if ours or op is operator.getitem:
        return
    dense = not takes_sparse(op)
    for leaf in leaves_of([*args, *kwargs.values(), z]):
        cls = foreign_class(raw(leaf))
        if dense and is_sparse(type(leaf)):
            raise TapeError(
                f"{name_of(op)}: to a {type(leaf).__name__} it is not what it is to an array; write A @ x, or A.toarray()"
            )
        if cls is not None:
            raise TapeError(
                f"{name_of(op)}: a {cls.__name__} may answer it in its own way, which has no rule; pass "
                "its numbers or arrays: float(...), np.asarray(..., float)"
            )


def known(value: Any) -> Any:
    """The value of an argument, where no derivative depends on it."""
    return UNKNOWN if has_boxes(value) else value


def rank(value: Any) -> int:
    return np.ndim(raw(value))


class Values:
    """The `Terms` of the table of rewrites: operations on values in boxes."""

    def see(self, op: Any, args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        if op is linear.stop_gradient:
            return raw(args[0])
        return apply(op, tuple(args), kwargs or {})

    def several(self, items: list[Any]) -> Any:
        return tuple(items)

    def item(self, of: Any, k: int) -> Any:
        return of[k]

    def value(self, x: Any) -> Any:
        return known(x)

    def items(self, x: Any) -> list[Any] | None:
        return list(x) if is_listed(x) else None

    def rank(self, x: Any) -> int | None:
        return None if is_listed(x) else rank(x)

    def kind(self, x: Any) -> str | None:
        return None if is_listed(x) else np.asarray(raw(x)).dtype.kind

    def is_python(self, x: Any) -> bool:
        return type(raw(x)) in (int, float, complex)


VALUES = Values()


def execute(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The operation itself; methods and attributes of arrays are looked up on the value."""
    if isinstance(op, types.GetSetDescriptorType):
        return getattr(args[0], op.__name__)
    if isinstance(op, types.MethodDescriptorType) and not isinstance(args[0], op.__objclass__):
        return getattr(args[0], op.__name__)(*args[1:], **kwargs)
    if CUPY in modules:
        op = twin_for(op, args, kwargs)
    return attempt(op, args, kwargs)


def is_silent(op: Any, args: tuple[Any, ...]) -> bool:
    """True if the result never carries a derivative."""
    if is_constant(op):
        return True
    return (
        op in book and traits_of(op).constant_if_real is True and not np.iscomplexobj(raw(args[0]))
    )


def known_rule(op: Any) -> Rule | None:
    """The rule of an operation; one of a library that was imported meanwhile is registered."""
    try:
        found = EXTRA.get(op) or book.rules.get(op)
        if found is None:
            registry.load()
            found = book.rules.get(op)
    except TypeError:
        return None
    return found


def rule_for(op: Any) -> Rule:
    found = known_rule(op)
    if found is None:
        raise TapeError(
            f"{name_of(op)} has no rule, and reaches a value that is being differentiated; use an "
            "operation from `retrograd rules`, give it a rule with @rg.rule, or wrap the argument "
            "in rg.stop_gradient"
        )
    return found


def arguments(rule: Rule, op: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    try:
        return bound(rule.differential, args, kwargs, 1, op)
    except TypeError as error:
        raise TapeError(f"{name_of(op)}: {error}") from None


def carriers(rule: Rule, op: Any, given: dict[str, Any], level: Level) -> list[str]:
    """The arguments that carry a derivative; one that the rule has no term for is refused."""
    found = []
    for name, value in given.items():
        if not any(b._level is level and b._mark is not None for b in boxes_in(value)):
            continue
        if name in rule.active:
            found.append(name)
        elif name not in rule.constant_in:
            raise TapeError(f"{name_of(op)}: no derivative with respect to `{name}`")
    return found


def name_of(op: Any) -> str:
    owner = own_attribute(op, "__self__")
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{op.__name__}"
    home = home_of(op)
    name = str(own_attribute(op, "__name__", op))
    if getattr(np, name, None) is op or home.partition(".")[0] == "numpy":
        return f"np.{name}"
    if isinstance(own_attribute(op, "__objclass__"), type):
        return f"{op.__objclass__.__name__}.{name}"
    return name


def add(a: Any, b: Any) -> Any:
    """The sum of two cotangents, which may be boxes or containers."""
    if has_boxes((a, b)):
        return apply(linear.add, (a, b), {})
    return (twin_for(linear.add, a, b) if CUPY in modules else linear.add)(a, b)


def call(fn: Any, *args: Any) -> Any:
    """A function of this package's that does not see boxes by itself."""
    return apply(fn, args, {}) if has_boxes(args) else twin_for(fn, *args)(*args)
