"""How sets of inputs pass through single operations.

What has no form here depends, entry by entry, on all that it is given: that is never wrong.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.core import map_tree
from retrograd.runtime.helpers.functional_writes import view
from retrograd.runtime.helpers.indexing import repeats
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.rules.argument_binding import bound, own_parameters
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from .index_sets import EMPTY, as_sets, cleaned, empty, everything, filled, reduced, union

__all__ = ["Called", "after", "depends", "leaves"]


@dataclass
class Called:
    """One call: its arguments, the sets beside them, its result; ``decides``: what the places hang on."""

    fn: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    sets: tuple[Any, ...]
    named: dict[str, Any]
    z: Any
    decides: bool = False
    given: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)

    def bind(self) -> bool:
        """Arguments and sets by the names of the rule; whether there is one."""
        rule = book.rules.get(self.fn)
        if rule is None:
            return False
        try:
            self.given = bound(rule.differential, self.args, self.kwargs, 1, self.fn)
            self.known = bound(rule.differential, self.sets, self.named, 1, self.fn)
        except TypeError:
            return False
        return True

    def active(self) -> dict[str, Any]:
        """The sets of the arguments that the operation has a derivative by."""
        rule = book.rules[self.fn]
        return {k: v for k, v in self.known.items() if k in rule.active and v is not None}


STRICT = False  # in tests: a form that fails is a mistake
Form = Callable[[Called], Any]
FORMS: dict[Any, Form] = {}


def form(*operations: Any) -> Callable[[Form], Form]:
    def register(made: Form) -> Form:
        FORMS.update(dict.fromkeys(operations, made))
        return made

    return register


def after(call: Called) -> Any:
    """The sets of the result of a call."""
    if call.fn is builtins.getattr:
        return call.sets[0][call.args[1]] if isinstance(call.sets[0], dict) else dense(call)
    if call.fn is operator.getitem and isinstance(call.args[0], (tuple, list, dict)):
        call.decides = True
        return None if call.sets[0] is None else call.sets[0][call.args[1]]
    if traits_of(call.fn).writes == "version":
        return written(call)
    if not call.bind() or (has_sparse(call) and not traits_of(call.fn).of_matrices):
        return dense(call)
    if not call.active():
        return None
    try:
        made = passed(call)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError):
        if STRICT:
            raise
        return dense(call)  # a call that its form does not foresee
    return made if fits(made, call.z) else dense(call)


def has_sparse(call: Called) -> bool:
    return any(hasattr(x, "tocsr") for x in (*call.args, *call.kwargs.values()))


def passed(call: Called) -> Any:
    if call.fn in FORMS:
        return FORMS[call.fn](call)
    known = traits_of(call.fn)
    if known.moves:
        return moved(call)
    if known.elementwise or known.identity in ("copy", "cast"):
        return elementwise(call)
    if known.reduces or known.along:
        return along(call)
    return dense(call)


def fits(sets: Any, z: Any) -> bool:
    """True if there is a set for each entry."""
    if isinstance(z, dict):
        return isinstance(sets, dict) and all(fits(sets[k], v) for k, v in z.items())
    if isinstance(z, (tuple, list)):
        return isinstance(sets, (tuple, list)) and all(map(fits, sets, z))
    return sets is None or getattr(sets, "shape", None) == np.shape(z)


def depends(value: Any, every: frozenset[int]) -> Any:
    """A value all of which depends on these inputs."""

    def one(x: Any) -> Any:
        plain = x is None or np.asarray(x).dtype.kind not in "fcO"
        return None if plain else filled(np.shape(x), every)

    return map_tree(one, value)


def dense(call: Called) -> Any:
    call_sets = [*call.active().values()] if call.known else [*call.sets, *call.named.values()]
    return depends(call.z, everything(call_sets))


def leaves(sets: Any) -> list[Any]:
    if sets is None:
        return []
    if isinstance(sets, dict):
        sets = list(sets.values())
    return [leaf for s in sets for leaf in leaves(s)] if isinstance(sets, (tuple, list)) else [sets]


def elementwise(call: Called) -> Any:
    found = [leaf for sets in call.active().values() for leaf in leaves(sets)]
    made = as_sets(reduce(union, found))
    return np.broadcast_to(made, np.shape(call.z))


def moved(call: Called) -> Any:
    """The operation itself, on sets."""
    call.decides = True
    args, kwargs = list(call.args), dict(call.kwargs)
    rule = book.rules[call.fn]
    names = {k: k for k in kwargs}
    places = bound(rule.differential, tuple(range(len(args))), names, 1, call.fn)
    for name in call.active():
        at, full = places[name], with_sets(call.given[name], call.known[name])
        if isinstance(at, tuple):
            return dense(call)
        if isinstance(at, int):
            args[at] = full
        else:
            kwargs[at] = full
    fn = call.fn
    attribute = not callable(fn)
    made = fn.__get__(args[0], np.ndarray) if attribute else fn(*args, **kwargs)
    return [cleaned(part) for part in made] if isinstance(made, list) else cleaned(made)


def with_sets(x: Any, sets: Any) -> Any:
    """Sets for each array in an argument."""
    if isinstance(x, (tuple, list)):
        below = [None] * len(x) if sets is None else sets
        return type(x)(with_sets(i, s) for i, s in zip(x, below, strict=True))
    return empty(x) if sets is None else sets


def along(call: Called) -> Any:
    """Each result depends on the row it is computed of."""
    (sets, *more) = call.active().values()
    if more or isinstance(sets, (tuple, list, dict)):
        return dense(call)
    rule_axis = 0 if own_attribute(call.fn, "__name__", "") == "reduce" else default_axis(call.fn)
    axis = call.given.get("axis", rule_axis)
    whole = np.ndim(call.z) == sets.ndim
    made = reduced(sets, axis, keepdims=whole)
    return np.broadcast_to(made, np.shape(call.z)) if whole else made


def default_axis(fn: Any) -> Any:
    parameter = own_parameters(book.rules[fn].differential, 1).parameters.get("axis")
    return None if parameter is None else parameter.default


# -- running sums and differences ----------------------------------------------------------


@form(np.interp)
def interp(call: Called) -> Any:
    """Between fixed points, each result is of its own place."""
    active = call.active()
    return np.broadcast_to(active["x"], np.shape(call.z)) if list(active) == ["x"] else dense(call)


@form(np.maximum.accumulate, np.minimum.accumulate)
def accumulate(call: Called) -> Any:
    (sets,) = call.active().values()
    return union.accumulate(sets, axis=call.given.get("axis", 0)) if sets.size else sets


@form(np.cumsum, np.ndarray.cumsum)
def cumsum(call: Called) -> Any:
    (sets,), axis = call.active().values(), call.given.get("axis")
    flat = sets.ravel() if axis is None else sets
    return union.accumulate(flat, axis=axis or 0) if flat.size else flat


@form(linear.uncumsum)
def uncumsum(call: Called) -> Any:
    (sets,), axis = call.active().values(), call.given.get("axis")
    if axis is None and sets.ndim != 1:
        return dense(call)
    axis = axis or 0
    return np.flip(union.accumulate(np.flip(sets, axis), axis=axis), axis) if sets.size else sets


@form(np.diff)
def diff(call: Called) -> Any:
    (sets,) = call.active().values()
    for _ in range(call.given.get("n", 1)):
        rows = np.moveaxis(sets, call.given.get("axis", -1), 0)
        sets = np.moveaxis(as_sets(union(rows[1:], rows[:-1])), 0, call.given.get("axis", -1))
    return sets


@form(linear.undiff)
def undiff(call: Called) -> Any:
    (sets,), axis = call.active().values(), call.given.get("axis", -1)
    for _ in range(call.given.get("n", 1)):
        rows = np.moveaxis(sets, axis, 0)
        edge = filled((1, *rows.shape[1:]), EMPTY)
        made = union(np.concatenate([edge, rows]), np.concatenate([rows, edge]))
        sets = np.moveaxis(as_sets(made), 0, axis)
    return sets


# -- reading and writing ---------------------------------------------------------------------


@form(linear.scatter, linear.scatter_last)
def scatter(call: Called) -> Any:
    call.decides = True
    if isinstance(call.given["like"], (tuple, list, dict)):
        return dense(call)
    return added(empty(call.z), call.given["index"], call.known["c"])


@form(linear.index_add)
def index_add(call: Called) -> Any:
    call.decides = True
    if isinstance(call.given["buf"], (tuple, list, dict)):
        return dense(call)
    buffer = call.known["buf"]
    buffer = empty(call.z) if buffer is None else np.array(buffer)
    return added(buffer, call.given["index"], call.known["c"])


def added(buffer: Any, index: Any, sets: Any) -> Any:
    if sets is None:
        return buffer
    if repeats(index):
        places = np.arange(buffer.size).reshape(buffer.shape)[index]
        flat = buffer.reshape(-1)
        union.at(flat, places.ravel(), np.broadcast_to(sets, places.shape).ravel())
        return flat.reshape(buffer.shape)
    buffer[index] = union(as_sets(buffer[index]), sets)
    return buffer


def written(call: Called) -> Any:
    call.decides = True
    (x, path, _), (sets, _, new) = call.args, call.sets
    out = empty(x) if sets is None else np.array(sets, order="C")
    *views, (fn, *key) = path or ((operator.getitem, Ellipsis),)
    part = view(out, tuple(views))
    new = as_sets(EMPTY) if new is None else new
    if fn is not operator.getitem:
        part, key = view(part, ((fn, *key),)), [Ellipsis]
    if call.fn is linear.write:
        part[key[0]] = new if new.ndim else new[()]
    else:
        part[...] = added(np.array(part), key[0], new)
    return out


@form(np.pad, linear.pad)
def pad(call: Called) -> Any:
    """Margins of a fixed width hold constants, or copies."""
    call.decides = True
    x, mode = next(iter(call.given)), call.given.get("mode", "constant")
    sets = call.known[x]
    if len(call.active()) > 1 or not isinstance(mode, str):
        return dense(call)
    copies = ("constant", "edge", "reflect", "symmetric", "wrap")
    if mode not in copies:
        return dense(call)
    with_margins: Any = np.pad
    return cleaned(with_margins(sets, call.given["pad_width"], mode=mode))


@form(linear.pad_pull)
def pad_pull(call: Called) -> Any:
    call.decides = True
    if call.given.get("mode", "constant") != "constant":
        return dense(call)
    like, width = call.given["like"], call.given["pad_width"]
    before = np.broadcast_to(width, (np.ndim(like), 2))[:, 0].tolist()
    inner = zip(before, np.shape(like), strict=True)
    return call.known["c"][tuple(slice(start, start + n) for start, n in inner)]


@form(linear.untake)
def untake(call: Called) -> Any:
    call.decides = True
    out, c = empty(call.z), call.known["c"]
    axis, mode = call.given.get("axis"), call.given.get("mode", "raise")
    indices, size = np.asarray(call.given["indices"]), out.size if axis is None else out.shape[axis]
    if mode != "raise":
        return dense(call)
    places = np.where(indices < 0, indices + size, indices)
    if axis is None:
        return added(out.reshape(-1), places, c).reshape(out.shape)
    return added(out, (slice(None),) * (axis % out.ndim) + (places,), c)


# -- what the helpers of derivatives do ---------------------------------------------------------


@form(linear.unbroadcast)
def unbroadcast(call: Called) -> Any:
    sets, shape = call.known["c"], np.shape(call.z)
    lead = sets.ndim - len(shape)
    sets = reduced(sets, tuple(range(lead))) if lead > 0 else sets
    axes = tuple(i for i, n in enumerate(shape) if n == 1 != sets.shape[i])
    return reduced(sets, axes, keepdims=True) if axes else sets


@form(linear.stretch, linear.match)
def stretch(call: Called) -> Any:
    if isinstance(call.z, (tuple, list, dict)) or isinstance(call.known["c"], (tuple, list, dict)):
        return dense(call)
    return np.broadcast_to(call.known["c"], np.shape(call.z))


@form(linear.unreduce)
def unreduce(call: Called) -> Any:
    c, like, axis = call.known["c"], call.given["like"], call.given.get("axis")
    if c.ndim and not call.given.get("keepdims", False):
        reduced_axes = range(np.ndim(like)) if axis is None else np.atleast_1d(axis).tolist()
        axes = {int(a) % np.ndim(like) for a in reduced_axes}
        c = c.reshape([1 if k in axes else n for k, n in enumerate(np.shape(like))])
    return np.broadcast_to(c, np.shape(call.z))


@form(linear.add)
def add(call: Called) -> Any:
    def both(z: Any, a: Any, b: Any) -> Any:
        if a is None or b is None:
            return b if a is None else a
        if isinstance(z, dict):
            return {k: both(z[k], a[k], b[k]) for k in z}
        if isinstance(z, (tuple, list)):
            return type(z)(map(both, z, a, b))
        return np.broadcast_to(as_sets(union(a, b)), np.shape(z))

    return both(call.z, *call.known.values())


@form(linear.reshape_like)
def reshape_like(call: Called) -> Any:
    sets, order = call.known["c"], call.given.get("order", "C")
    return np.reshape(sets, np.shape(call.z), order=order)


@form(np.array, np.asarray)
def array(call: Called) -> Any:
    name, *_ = call.active()
    made = stacked(call.given[name], call.known[name])
    return np.broadcast_to(made, np.shape(call.z))


def stacked(x: Any, sets: Any) -> Any:
    """Sets for a nested list of numbers and arrays, as one array."""
    if isinstance(x, (tuple, list)):
        below = [None] * len(x) if sets is None else sets
        return np.stack([stacked(i, s) for i, s in zip(x, below, strict=True)])
    return empty(x) if sets is None else sets
