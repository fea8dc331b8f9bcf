"""One operation on boxes: computed a level below, then recorded by the level of its newest box.

Levels nest: the value in a box may be a box of an older level.  The tables are the rule book and
what is emitted from it (``adjoints.py``); an operation they do not know is refused by its name.
"""

from __future__ import annotations

import itertools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TapeError
from ..helpers import linear
from ..objects.class_protocols import foreign_class, is_sparse, leaves_of
from ..objects.own_attributes import own_attribute
from ..objects.pytree import LEAVES, children, with_items
from ..rules import all_rules  # noqa: F401  (registers every family)
from ..rules.argument_binding import bound
from ..rules.array_likes import as_arrays
from ..rules.book import Rule, book, is_constant
from ..rules.rewrites import UNKNOWN, formed
from ..rules.scipy import registry
from ..traits.lookup import traits_of
from ..traits.sparse_operands import takes_sparse
from .rewrite_call import form_of

__all__ = [
    "Level",
    "Own",
    "apply",
    "boxes_in",
    "execute",
    "has_boxes",
    "is_float",
    "known_rule",
    "map_tree",
    "name_of",
    "raw",
]

IDS = itertools.count(1)
KEPT = (
    "a value of a differentiation that has ended was kept (in a global name, an attribute, a closure or a "
    "cache) and is used again; return it from the function instead, or keep rg.stop_gradient of it"
)
EXTRA: dict[Any, Rule] = {}  # operations of the tape itself
KIND: list[Any] = [None]  # the class of boxes, which `tape_box` enters here: it needs this module


class Level:
    """What one tape records: it knows what to do with an operation on its boxes."""

    ended = False  # its function has returned: what is left of its boxes was kept
    refused: TapeError | None = None  # what would have cut off a derivative

    def __init__(self) -> None:
        self.id = next(IDS)

    def record(self, op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
        """The result of an operation some of whose arguments carry a derivative."""
        raise NotImplementedError

    def constant(self, z: Any) -> Any:
        """A result that carries none; a float array may be written to later, so it is boxed."""
        if type(z) is np.ndarray:
            return KIND[0](self, z) if z.dtype.kind in "fc" else z
        if type(z) in (tuple, list) and z:
            return map_tree(lambda leaf: KIND[0](self, leaf) if is_array(leaf) else leaf, z)
        return z


class Own:
    """An operation that knows its derivative itself: ``record`` takes the place of a rule."""

    def below(self, args: tuple[Any, ...]) -> Any:
        """What the levels below see of it."""
        return apply(self, args, {})

    def record(self, level: Any, args: tuple[Any, ...], z: Any) -> Any:
        raise NotImplementedError


def apply(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``op(*args, **kwargs)``, seen by every level that has a box in it."""
    boxes = boxes_in((args, kwargs))
    if not boxes:
        return execute(op, args, kwargs)
    own = isinstance(op, Own)
    if not own:
        op, args, kwargs = formed(op, args, kwargs, known, rank)
        args, kwargs = as_arrays(op, args, kwargs, is_listed, array_of)
        form = form_of(op, args, kwargs)
        if form is not None:
            return form(apply)
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
    note_views(made, boxes, (op, args, kwargs))
    return made


def is_listed(x: Any) -> bool:
    return type(x) in (list, tuple)


def array_of(x: Any) -> Any:
    return apply(np.array, (x,), {})


def refuse_foreign(op: Any, args: Any, kwargs: Any, z: Any) -> None:
    """A rule says what numbers and arrays give; an object of another class answers as it likes."""
    ours = str(own_attribute(op, "__module__", "")).startswith(
        "retrograd."
    )  # they take containers apart
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
    """What an argument is, where no derivative depends on it."""
    return UNKNOWN if has_boxes(value) else value


def rank(value: Any) -> int:
    return np.ndim(raw(value))


def execute(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The operation itself; methods and attributes of arrays are looked up on the value."""
    if isinstance(op, types.GetSetDescriptorType):
        return getattr(args[0], op.__name__)
    if isinstance(op, types.MethodDescriptorType) and not isinstance(args[0], op.__objclass__):
        return getattr(args[0], op.__name__)(*args[1:], **kwargs)
    return op(*args, **kwargs)


def is_silent(op: Any, args: tuple[Any, ...]) -> bool:
    """Whether the result never carries a derivative."""
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


def note_views(made: Any, boxes: list[Any], call: tuple[Any, Any, Any]) -> None:
    """Results that show the memory of an operand are remembered: a write is seen in both."""
    box = KIND[0]
    if type(made) is box:
        if type(raw(made)) is np.ndarray:
            note(made, (), boxes, call)
    elif type(made) in (tuple, list):
        for k, one in enumerate(made):
            if type(one) is box and type(raw(one)) is np.ndarray:
                note(one, (k,), boxes, call)


def note(one: Any, path: tuple[Any, ...], boxes: list[Any], call: tuple[Any, Any, Any]) -> None:
    memory = raw(one)
    near = [box for box in boxes if box is not one and shares(memory, raw(box))]
    if near and isinstance(
        call[0], Own
    ):  # what is written to one has another derivative in the other
        from .views import family

        for box in (one, *near):
            family(box)._apart = False
    elif near:
        from .views import View

        View.note(one, path, near, call)
    elif memory.base is not None and any(shares(memory, a) for a in arrays_in(call[1:])):
        one._apart = False


def arrays_in(tree: Any) -> list[np.ndarray]:
    """The plain arrays among the arguments of a call."""
    found: list[np.ndarray] = []
    map_tree(lambda leaf: found.append(leaf) if type(leaf) is np.ndarray else None, tree)
    return found


def shares(a: np.ndarray, b: Any) -> bool:
    if type(b) is not np.ndarray:
        return False
    return a is b or ((a.base is not None or b.base is not None) and np.may_share_memory(a, b))


# -- trees of boxes ------------------------------------------------------------------------


def boxes_in(tree: Any) -> list[Any]:
    """The boxes in nested tuples, lists, dicts and slices."""
    found: list[Any] = []
    gather(tree, KIND[0], found)
    return found


def gather(tree: Any, box: Any, found: list[Any]) -> None:
    kind = type(tree)
    if kind is box:
        found.append(tree)
    elif kind is slice:
        gather((tree.start, tree.stop, tree.step), box, found)
    elif kind is list or kind is tuple:
        for item in tree:
            gather(item, box, found)
    elif kind is dict:
        for item in tree.values():
            gather(item, box, found)
    elif kind not in LEAVES and (kind is not np.ndarray or tree.dtype == object):
        for _, item in children(tree) or ():
            gather(item, box, found)


def has_boxes(tree: Any) -> bool:
    """Whether there is a box in a tree (`any` would ask the boxes for their truth)."""
    return bool(boxes_in(tree))


def map_tree(change: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with ``change`` applied to what is no container and no slice."""
    kind = type(tree)
    if kind is slice:
        return slice(*[map_tree(change, p) for p in (tree.start, tree.stop, tree.step)])
    inner = children(tree)
    if inner is None:
        return change(tree)
    return with_items(tree, [map_tree(change, item) for _, item in inner])


def lowered(tree: Any, level: Level) -> Any:
    """The tree as the levels below see it."""
    box = KIND[0]

    def lower(leaf: Any) -> Any:
        return leaf._value if type(leaf) is box and leaf._level is level else leaf

    return map_tree(lower, tree)


def raw(value: Any) -> Any:
    """The number or array at the bottom of a box."""
    box = KIND[0]
    while type(value) is box:
        value = value._value
    return value


def is_array(value: Any) -> bool:
    value = raw(value)
    return type(value) is np.ndarray and value.dtype.kind in "fc"


def is_float(value: Any) -> bool:
    """Whether a value can carry a derivative."""
    value = raw(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "fc" or value.dtype.name == "bfloat16"
    return isinstance(value, (float, complex))


def name_of(op: Any) -> str:
    owner = own_attribute(op, "__self__")
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{op.__name__}"
    home = own_attribute(op, "__module__") or ""
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
    return linear.add(a, b)
