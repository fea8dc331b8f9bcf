"""The level of forward mode: tangents are carried along."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..helpers import linear
from ..objects.pytree import at, children, map_operands, map_paths
from ..rules.book import Rule
from ..traits.exact_zeros import CHOICE, NOTHING, PLACE, puts_zeros
from ..traits.lookup import traits_of
from .box import Box, Level, is_float, lowered, raw
from .dispatch import call, name_of
from .rule_evaluation import (
    checked,
    evaluate_rule,
    is_list_of,
    is_mask,
    stand_in,
    zeros_like,
)
from .zero_tangent import Zero, is_zero

__all__ = ["Dual", "plain_tangent"]

ZERO = Zero()


class Holed(NamedTuple):
    """A tangent with exact zeros that a choice put there; ``how``: as `puts_zeros` says."""

    tangent: Any
    how: int


def plain_tangent(mark: Any) -> Any:
    """The tangent that a mark of this level is."""
    return mark.tangent if type(mark) is Holed else mark


class Dual(Level):
    """Forward mode: a mark is the tangent of the value."""

    def record(self, op: Any, rule: Rule, given: dict[str, Any], active: list[str], z: Any) -> Any:
        own = lowered(given, self)
        ds = {}
        for name in rule.active:
            whole = name in active or is_list_of(op, given.get(name))  # a list of zeros
            ds[f"d{name}"] = self.tangents(given[name]) if whole else Zero()
        dots = evaluate_rule(rule, z, own, ds)
        holes = {name: self.holes(given[name]) for name in active}
        if any_nan(dots):
            if rule.stretches:
                dots = careful(op, rule, z, own, ds, holes)
            elif puts_zeros(rule.differential, own):
                dots = selected(rule, z, own, ds, dots)
        return self.with_tangents(name_of(op), z, dots, self.passed_on(op, rule, own, ds, holes))

    def with_tangents(self, name: str, z: Any, dots: Any, how: int = NOTHING) -> Any:
        """A result and its tangent, which has the same structure (or is zero)."""

        def boxed(part: Any, path: tuple[Any, ...]) -> Any:
            return self.boxed(name, part, ZERO if is_zero(dots) else at(dots, path), how)

        return map_paths(boxed, z)

    def passed_on(
        self, op: Any, rule: Rule, own: dict[str, Any], ds: dict[str, Any], holes: dict[str, int]
    ) -> int:
        """Which zeros of a choice the tangent of a result has, made by the operation or before it.

        A sum fills those of one term.
        """
        if op is np.where:  # it puts them where one side has no tangent
            return max(CHOICE if is_zero(ds[f"d{name}"]) else holes[name] for name in rule.active)
        made = puts_zeros(rule.differential, own)
        if traits_of(op).ufunc is np.multiply and any(is_mask(own[name]) for name in rule.active):
            made = CHOICE
        if rule.stretches:
            return max(made, min(holes.values(), default=NOTHING))
        before = max(holes.values(), default=NOTHING)
        if traits_of(op).fills == "places" and before == PLACE:
            before = NOTHING
        return max(made, NOTHING if traits_of(op).fills == "all" else before)

    def holes(self, value: Any) -> int:
        """The zeros of a choice in the tangent of an argument."""
        if type(value) is Box:
            mark = value._mark if value._level is self else None
            return mark.how if type(mark) is Holed else NOTHING
        return max([self.holes(item) for _, item in children(value) or ()], default=NOTHING)

    def tangents(self, value: Any) -> Any:
        """The tangent of an argument, zeros in a container for what has none."""

        def tangent(leaf: Any) -> Any:
            if type(leaf) is Box and leaf._level is self:
                mark = plain_tangent(leaf._mark)
                return zeros_like(leaf._value) if mark is None else mark
            return zeros_like(leaf)

        return map_operands(tangent, value)

    def boxed(self, name: str, z: Any, dot: Any, how: int = NOTHING) -> Any:
        if not is_float(z):
            return checked(name, z)
        if is_zero(dot):
            return self.constant(z)
        if np.shape(raw(dot)) != np.shape(raw(z)):
            dot = call(linear.stretch, dot, stand_in(z))
        if dtype_of(dot) != dtype_of(z) and isinstance(raw(z), (np.ndarray, np.generic)):
            dot = call(linear.convert, dot, stand_in(z))
        return Box(self, z, Holed(dot, how) if how else dot)


def dtype_of(x: Any) -> Any:
    return getattr(raw(x), "dtype", None)


def any_nan(dots: Any) -> bool:
    """True if there is a nan in the tangent of one result."""
    dot = raw(dots)
    return isinstance(dot, (float, complex, np.ndarray, np.generic)) and bool(np.any(np.isnan(dot)))


def careful(
    op: Any, rule: Rule, z: Any, own: dict[str, Any], ds: dict[str, Any], holes: dict[str, int]
) -> Any:
    """The tangent of an elementwise operation, where zeros of a choice win over infinite slopes."""
    product = traits_of(op).ufunc is np.multiply
    masks = [own[name] for name in rule.active if product and is_mask(own[name])]
    if not masks and not any(holes.values()):
        return evaluate_rule(rule, z, own, ds)
    total: Any = ZERO
    for name in holes:
        alone = {other: d if other == f"d{name}" else ZERO for other, d in ds.items()}
        part = evaluate_rule(rule, z, own, alone)
        zeros = [np.equal(raw(mask), 0) for mask in masks]
        if holes[name]:
            zeros.append(np.equal(raw(ds[f"d{name}"]), 0))
        for zero in zeros:
            if any_nan(part):
                part = call(np.where, zero & np.isnan(raw(part)), 0.0, part)
        total = part if is_zero(total) else call(linear.add, total, part)
    return total


def selected(rule: Rule, z: Any, own: dict[str, Any], ds: dict[str, Any], dots: Any) -> Any:
    """The tangent of a reduction that takes some of its entries: what is not finite in others has no part.

    Which those are the rule itself tells: it is linear, and marks in their place give zero.
    """
    for odd in (np.isnan, lambda d: ~np.isfinite(d)):
        marks = {name: d if is_zero(d) else marked(odd(raw(d))) for name, d in ds.items()}
        unseen = np.equal(raw(evaluate_rule(rule, z, lowest(own), marks)), 0)
        rest = {
            name: d if is_zero(d) else call(np.where, odd(raw(d)), 0.0, d) for name, d in ds.items()
        }
        instead = unseen & np.isnan(raw(dots))
        if np.any(instead):
            dots = call(np.where, instead, evaluate_rule(rule, z, own, rest), dots)
    return dots


def marked(places: Any) -> Any:
    """Numbers at some places that do not cancel in a sum."""
    return np.where(places, 2.0 + np.cos(np.arange(np.size(places))).reshape(np.shape(places)), 0.0)


def lowest(own: dict[str, Any]) -> dict[str, Any]:
    return {name: map_operands(raw, value) for name, value in own.items()}
