"""Calls with any arguments go the way of a prepared form once they were met in the same form.

Which parameters of the rule the arguments are, what the adjoints read, and what is kept of it depends
on the kinds of the arguments only: it is found once for each (`ArgumentCalls`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...batching.batched_array import BatchedArray, as_array
from ...device.places import HOST, Place, place_among
from ...errors import TapeError
from ...generated import adjoints_real
from ...objects.pytree import map_paths
from ...rules import rewrites
from ...rules.book import Rule, book, is_constant
from ...tape.box import is_float
from ...tape.dispatch import EXTRA, arguments
from ...tape.rule_evaluation import adjoint_of, defaults_of, parameters, shapes_of
from ...traits.lookup import traits_of
from ..graph import recorded_operation
from ..graph.boxes import is_array
from ..graph.grad_mode import asked, modes
from ..graph.plan import reads_of
from ..graph.tangents import levels
from ..observe.anomaly_mode import anomaly
from ..observe.observers import watch
from ..tensor.shape_errors import said
from ..tensor.tensor import Tensor, wrapped
from ..tensor.transfers import at_one_place
from .operand_calls import F32, F64, is_stale
from .prepared_forms import (
    ARRAY,
    CONSTANT,
    LISTS,
    NUMBER,
    OTHER,
    REQUIRES,
    Calls,
    Form,
)

__all__ = ["call"]

REAL: Any = adjoints_real.ADJOINTS
STATES: dict[type, str] = {
    int: NUMBER, float: NUMBER, complex: NUMBER, np.ndarray: ARRAY,
    bool: OTHER, str: OTHER, type(None): OTHER, type(Ellipsis): OTHER, type: OTHER, np.dtype: OTHER,
} | {np.dtype(kind).type: NUMBER for kind in "?bBhHiIlLqQefdFD"}  # fmt: skip


class ArgumentCalls(Calls):
    """Calls of a function with arguments of given kinds.

    ``inputs``: the parameter that each argument is, and what it is.  The kind of a call is the type of the
    result, and whether all that may require grad are of it, too: then the adjoints are shorter.
    """

    __slots__ = ("active", "gives_back", "inputs", "name", "pulls", "rule", "shorter")

    def __init__(
        self, name: str, rule: Rule, inputs: tuple[tuple[str, str], ...], pulls: Any, place: Place
    ) -> None:
        super().__init__(place)
        self.name, self.rule, self.inputs, self.pulls = name, rule, inputs, pulls
        self.gives_back = traits_of(rule.operation).gives_back
        self.active = [
            k for k, (n, s) in enumerate(inputs) if n in rule.active and s not in (OTHER, LISTS)
        ]
        self.shorter = self.pulls
        if {n for n, _ in inputs} & defaults_of(rule).keys() <= {*adjoints_real.OPTIONS}:
            self.shorter = {n: REAL.get(rule.key, {}).get(n, p) for n, p in pulls.items()}

    def form(self, kind: tuple[Any, bool, bool]) -> Form:
        result, alike, several = kind
        pulls = self.shorter if alike else self.pulls
        given = self.name, self.rule, self.inputs, result, pulls
        return Form(*given, defaults=defaults_of(self.rule), several=several, place=self.place)

    def kind(self, z: Any, arrays: list[Any]) -> tuple[Any, bool, bool]:
        """The kind of a call, of which ``z`` is the result."""
        result = z.dtype
        alike = result is F64 or result is F32
        for k in self.active:
            alike = alike and getattr(arrays[k], "dtype", None) is result
        return result, alike, False

    def kind_of_several(self, z: Any, arrays: list[Any]) -> tuple[Any, bool, bool] | None:
        """The same where ``z`` are several results; None if they are no arrays of one type, or are read themselves."""
        if not z or "z" in reads_of(self.rule, self.pulls):
            return None
        first = z[0]
        for part in z:
            if type(part) is not self.place.ndarray or part.dtype is not first.dtype:
                return None
            if not is_float(part):
                return None
        return (*self.kind(first, arrays)[:2], True)


SILENT: Any = object()  # what is found for a function whose results carry no derivative
PREPARED: dict[Any, Any] = {}


def call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None = None) -> Any:
    """``fn(*args, **kwargs)`` on tensors; it is recorded where one of them requires grad."""
    if levels.current < 0 and (not asked.on or is_plain()):
        try:
            made = briefly(fn, args, kwargs, name)
        except ValueError as error:
            raise said(error, args) from None
        if made is not None:
            return made
    return recorded_operation.call(fn, args, kwargs, name)


def is_plain() -> bool:
    """True if nobody looks on, and operations are recorded as usual, or not at all."""
    if watch.on or anomaly.enabled or modes.inference or modes.frames:
        return False
    return modes.usual or not modes.grad


def briefly(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None) -> Any:
    """The result, or None where this is not the way."""
    inputs = (*args, *kwargs.values()) if kwargs else args
    states: list[Any] = []
    arrays: list[Any] = []
    recorded = elsewhere = False
    for one in inputs:
        if type(one) is Tensor or isinstance(one, Tensor):
            if one._more is not None or (one._view is not None and is_stale(one)):
                return None
            if one._requires:
                recorded = True
                states.append(REQUIRES)
            else:
                states.append(CONSTANT)
            array = one._array
            if type(array) is not np.ndarray:
                elsewhere = True
            arrays.append(array)
            continue
        state = STATES.get(type(one)) or state_of(one)
        if state is not None:
            states.append(state)
            arrays.append(one)
            continue
        items = listed(one)
        if items is None:
            return None
        recorded, elsewhere = recorded or REQUIRES in items[0], elsewhere or items[2]
        states.append(items[0])
        arrays.append(items[1])
    place = place_among(arrays) if elsewhere else HOST
    if place is HOST:
        own = fn
    else:
        together = at_one_place(args, kwargs)
        if together is not None:
            return call(fn, together[0], together[1], name)
        own = place.twin(fn)
    if not recorded or (asked.on and not modes.grad):
        z = applied(own, arrays, args, kwargs)
        return map_paths(
            lambda part, _: wrapped(as_array(part)) if is_array(part) else part,
            z,
        )
    key = fn, name, tuple(states), tuple(kwargs), place
    try:
        found = PREPARED[key]
    except KeyError:
        if fn not in book.rules and not is_constant(fn):  # a function made for one call, say
            return None
        found = PREPARED[key] = prepared(*key)
    if found is None:
        return None
    z = applied(own, arrays, args, kwargs)
    if type(z) is BatchedArray:
        return None
    if found is SILENT:
        return silent(z)
    if found.gives_back and any(z is array for array in arrays):
        return None  # it is the argument itself
    if type(z) is list or type(z) is tuple:
        kind = found.kind_of_several(z, arrays)
        if kind is not None:
            return found.record(kind)(z, *inputs, *arrays)
    if type(z) is not place.ndarray:
        if not isinstance(z, np.generic):
            PREPARED[key] = None
            return None
        z = np.asarray(z)
    if z.dtype.kind != "f" and not is_float(z):
        return wrapped(z)
    kind = found.kind(z, arrays)
    return (found.records.get(kind) or found.record(kind))(z, *inputs, *arrays)


def silent(z: Any) -> Any:
    """A result without a derivative: a tensor, a number, or a shape."""
    if is_array(z):
        return wrapped(as_array(z))
    is_plain = isinstance(z, (int, float)) or (type(z) is tuple and {*map(type, z)} <= {int})
    return z if is_plain else None


def applied(fn: Any, arrays: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not kwargs:
        return fn(*arrays)
    n = len(args)
    return fn(*arrays[:n], **dict(zip(kwargs, arrays[n:])))  # noqa: B905  (as many)


def listed(value: Any) -> tuple[tuple[str, ...], list[Any], bool] | None:
    """The states of the tensors in a list, their arrays, and whether one is not NumPy's."""
    if type(value) not in (list, tuple):
        return None
    for one in value:
        if not isinstance(one, Tensor) or one._more is not None:
            return None
        if one._view is not None and is_stale(one):
            return None
    states = tuple([REQUIRES if one._requires else CONSTANT for one in value])
    arrays = [one._array for one in value]
    return states, arrays, any(type(array) is not np.ndarray for array in arrays)


def state_of(value: Any) -> str | None:
    """The state of an argument that is no tensor; None if it has parts that may be."""
    if isinstance(value, np.dtype):
        return OTHER
    parts = (
        (value.start, value.stop, value.step) if isinstance(value, slice)
        else value if type(value) in (tuple, list) else None
    )  # fmt: skip
    if parts is None:
        return None
    states = [STATES.get(type(p)) or state_of(p) for p in parts]
    if None in states:
        return None
    return LISTS if type(value) is list or ARRAY in states or LISTS in states else OTHER


class Argument(NamedTuple):
    """The argument of a number."""

    k: int


def prepared(
    fn: Any, name: str | None, states: tuple[str, ...], names: tuple[str, ...], place: Place
) -> Any:
    """Prepares calls of a kind whose adjoints are functions of single values."""
    rule = book.rules.get(fn)
    if fn in EXTRA or not is_simple(fn):
        return None
    if is_constant(fn):
        return SILENT
    assert rule is not None
    places = [Argument(k) for k in range(len(states))]
    n = len(states) - len(names)
    try:
        given = arguments(rule, fn, tuple(places[:n]), dict(zip(names, places[n:], strict=True)))
    except TapeError:
        return None
    if len(given) != len(places) or not all(type(v) is Argument for v in given.values()):
        return None
    by_place = {v.k: parameter for parameter, v in given.items()}
    inputs = tuple((by_place[k], state) for k, state in enumerate(states))
    active = [
        p
        for p, state in inputs
        if state == REQUIRES or (isinstance(state, tuple) and REQUIRES in state)
        if p in rule.active or p not in rule.constant_in
    ]
    if not active:
        return SILENT
    pulls: dict[str, Any] = {p: adjoint_of(rule, p) if p in rule.active else None for p in active}
    if not all(pulls.values()):
        return None
    lists = {p for p, state in inputs if isinstance(state, tuple)}
    if any(lists & {*parameters(f)} - {*shapes_of(f)} for f in pulls.values()):
        return None  # a list whose values are read is kept item by item
    return ArgumentCalls(name or recorded_operation.title(rule), rule, inputs, pulls, place)


def is_simple(fn: Any) -> bool:
    """True if a call is what its rule is about, whatever the arguments are."""
    known = traits_of(fn)
    if known.constant_if_real:
        return False
    return not rewrites.is_rewritten(fn)
