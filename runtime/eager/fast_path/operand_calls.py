"""Calls with one or two operands: real tensors of one type, and Python numbers.

The operands are looked at one by one, with few questions; everything else is that of `prepared_forms`.  A
*way* is a function of the operands; where they are none of its cases it calls its ``other``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...device.places import HOST, Place, place_among
from ...generated import adjoints_plain, adjoints_real
from ...rules.book import Rule, book
from ..graph.grad_mode import asked, modes
from ..graph.saving import pack
from ..graph.tangents import levels
from ..observe.anomaly_mode import anomaly, remember
from ..observe.observers import watch
from ..tensor.tensor import Tensor, wrapped
from . import prepared_forms as forms
from .prepared_forms import Calls, Form

__all__ = ["OperandCalls", "binary_way", "operand_calls", "reflected_way", "unary_way"]

PLAIN: Any = adjoints_plain.ADJOINTS
F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
Way = Callable[..., Any]

# The bits of a case, for the first input and for the second; the last one: float32, not float64.
REQUIRES, NUMBER, STRETCHED, SINGLE = (1, 2), (4, 8), (16, 32), 64


class OperandCalls(Calls):
    """Calls of an operation with one or two operands; a kind of call is the bits of its case."""

    __slots__ = ("elsewhere", "fn", "name", "parameters", "plain", "rule", "stretches")

    def __init__(self, fn: Any, name: str, rule: Rule, plain: Any, place: Place = HOST) -> None:
        super().__init__(place)
        self.fn, self.name, self.rule, self.plain = place.twin(fn), name, rule, plain
        self.parameters, self.stretches = rule.own, fn is not np.matmul
        self.elsewhere: dict[Place, OperandCalls] = {}

    def at(self, place: Place) -> OperandCalls:
        """The same operation at another place."""
        found = self.elsewhere.get(place)
        if found is None:
            made = OperandCalls(self.fn, self.name, self.rule, self.plain, place)
            found = self.elsewhere[place] = made
        return found

    def form(self, kind: int) -> Form:
        def those(bits: tuple[int, int]) -> list[str]:
            return [n for n, bit in zip(self.parameters, bits, strict=False) if kind & bit]

        active, numbers = those(REQUIRES), those(NUMBER)
        inputs = tuple(
            (n, forms.REQUIRES if n in active else forms.NUMBER if n in numbers else forms.CONSTANT)
            for n in self.parameters
        )
        result = F32 if kind & SINGLE else F64
        pulls = {n: self.plain[n] for n in active}
        stretched = frozenset(those(STRETCHED))
        return Form(self.name, self.rule, inputs, result, pulls, stretched, place=self.place)


@cache
def operand_calls(fn: Any, name: str) -> OperandCalls | None:
    """The operation, if its rule is one of those with plain adjoints."""
    rule = book.rules.get(fn)
    if rule is None:
        return None
    if fn is np.matmul:
        return OperandCalls(fn, name, rule, adjoints_real.ADJOINTS[rule.key])
    known = PLAIN.get(rule.key)
    if known is None or set(known) != set(rule.own):
        return None
    return OperandCalls(fn, name, rule, known)


def is_stale(view: Any) -> bool:
    """True if the history of a view has to be looked at before it is used, or its tangent."""
    info = view._view
    if levels.current >= 0:
        return True
    if info.version == view._counter[0] and (view._requires or not info.base._requires):
        return False
    return modes.grad  # else its history is not asked for


def is_watched() -> bool:
    """True if somebody looks on, or counts what is kept: that must not depend on the way; or batches are computed."""
    return bool(watch.on or modes.steady or modes.frames)


def elsewhere(make: Callable[..., Way], calls: OperandCalls, other: Way) -> Way:
    """The way of operands that are not in the main memory; ``other`` where they are."""
    ways: dict[Place, Way] = {}

    def way(*operands: Any) -> Any:
        place = place_among([x._array for x in operands if isinstance(x, Tensor)])
        if place is HOST:
            return other(*operands)
        found = ways.get(place)
        if found is None:
            found = ways[place] = make(calls.at(place), other)
        return found(*operands)

    return way


def unary_way(calls: OperandCalls, other: Way) -> Way:
    """``way(x)`` for a tensor."""
    fn, records = calls.fn, calls.records
    ndarray, asarray = calls.place.ndarray, calls.place.as_array
    if calls.place is HOST:
        other = elsewhere(unary_way, calls, other)
    double, single = REQUIRES[0], REQUIRES[0] | SINGLE

    def way(x: Any) -> Any:
        if (
            x._more is not None
            or (x._view is not None and is_stale(x))
            or (asked.on and is_watched())
        ):
            return other(x)
        a = x._array
        kind = a.dtype
        if (kind is not F64 and kind is not F32) or type(a) is not ndarray:
            return other(x)
        z = fn(a)
        if type(z) is not ndarray:
            z = asarray(z)
        case = double if kind is F64 else single
        if x._requires and not asked.on:
            return (records.get(case) or calls.record(case))(z, x, a)
        return unusual(calls, case if x._requires else 0, z, (x,), (a,))

    return way


def binary_way(calls: OperandCalls, other: Way) -> Way:
    """``way(x, y)`` for a tensor, and a tensor or Python number."""
    fn, records, stretches = calls.fn, calls.records, calls.stretches
    ndarray, asarray = calls.place.ndarray, calls.place.as_array
    if calls.place is HOST:
        other = elsewhere(binary_way, calls, other)

    def way(x: Any, y: Any) -> Any:
        if (
            x._more is not None
            or (x._view is not None and is_stale(x))
            or (asked.on and is_watched())
        ):
            return other(x, y)
        a = x._array
        if type(a) is not ndarray:
            return other(x, y)
        kind = a.dtype
        if kind is F64:
            case = 1 if x._requires else 0
        elif kind is F32:
            case = 65 if x._requires else 64
        else:
            return other(x, y)
        t = type(y)
        if t is float or t is int:
            b = y
            case |= 8
            z = fn(a, y)
        elif t is Tensor or isinstance(y, Tensor):
            b = y._array
            if (
                type(b) is not ndarray
                or b.dtype is not kind
                or y._more is not None
                or (y._view is not None and is_stale(y))
            ):
                return other(x, y)
            try:
                z = fn(a, b)
            except ValueError:
                return other(x, y)
            if y._requires:
                case |= 2
            if stretches and a.shape != b.shape:
                case |= stretched(case, z, a, b)
        else:
            return other(x, y)
        if type(z) is not ndarray:
            z = asarray(z)
        if case & 3 and not asked.on:
            return (records.get(case) or calls.record(case))(z, x, y, a, b)
        return unusual(calls, case, z, (x, y), (a, b))

    assert (REQUIRES, NUMBER[1], SINGLE) == ((1, 2), 8, 64)  # the numbers above
    return way


def reflected_way(calls: OperandCalls, other: Way) -> Way:
    """``way(x, y)`` for a Python number and a tensor."""
    fn, ndarray, asarray = calls.fn, calls.place.ndarray, calls.place.as_array
    if calls.place is HOST:
        other = elsewhere(reflected_way, calls, other)

    def way(x: Any, y: Any) -> Any:
        t = type(x)
        if (
            (t is not float and t is not int)
            or y._more is not None
            or (y._view is not None and is_stale(y))
            or (asked.on and is_watched())
        ):
            return other(x, y)
        b = y._array
        kind = b.dtype
        if (kind is not F64 and kind is not F32) or type(b) is not ndarray:
            return other(x, y)
        case = NUMBER[0] | (SINGLE if kind is F32 else 0) | (REQUIRES[1] if y._requires else 0)
        z = asarray(fn(x, b))
        if y._requires and not asked.on:
            return calls.record(case)(z, x, y, x, b)
        return unusual(calls, case, z, (x, y), (x, b))

    return way


def stretched(case: int, z: Any, *arrays: Any) -> int:
    """The bits of the inputs that require grad and have another shape than the result."""
    found = 0
    shape = np.shape(z)
    for array, requires, bit in zip(arrays, REQUIRES, STRETCHED, strict=True):
        if case & requires and array.shape != shape:
            found |= bit
    return found


def unusual(
    calls: OperandCalls, case: int, z: Any, inputs: tuple[Any, ...], arrays: tuple[Any, ...]
) -> Any:
    """The result where nothing is recorded, or somebody looks on."""
    if not case & (REQUIRES[0] | REQUIRES[1]) or not modes.grad or modes.inference:
        return wrapped(z)
    made = calls.record(case)(z, *inputs, *arrays)
    node = made._grad_fn
    if modes.pack is not None:
        pack(node)
    if anomaly.enabled:
        remember(node)
    return made
