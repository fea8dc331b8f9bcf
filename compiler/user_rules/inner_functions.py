"""Functions made by transformations in a function that is differentiated: gradients, Jacobians, tangents, pullbacks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from retrograd.runtime.errors import (
    SignatureMismatch,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass
from retrograd.runtime.replacements.columns import columns

from ..analyses.shapes.infer import type_of
from ..ir.argument_path import Place
from ..ir.containers import Pack, leaves, rebuild
from ..ir.operations import Const, Function, Operand, Value
from ..ir.types import Array, Number, Tree, Type
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Derived, Node
from .inner_arguments import Given, bound, bound_before, is_active, place_in, places_of
from .inner_derivatives import Inner, as_tangent, called, kinds_of

__all__ = [
    "NONE", "Columns", "Differentiated", "Pushed", "depth_of", "gradient_of", "in_place", "pulled", "pushed",
    "side_by_side", "tangents_of", "tuple_of",
]  # fmt: skip

NONE = Const(None)


def tuple_of(items: list[Node]) -> Pack:
    return Pack(tuple, list(range(len(items))), items)


def in_place(lower: Callable[..., Node]) -> Callable[..., Node]:
    """Say of what does not fit where it stands."""

    @functools.wraps(lower)
    def lowered(first: Any, *rest: Any) -> Node:
        lowerer = first if not isinstance(first, Derived) else rest[0]
        try:
            return lower(first, *rest)
        except SignatureMismatch as error:
            place = lowerer.scope.place(rest[-1])
            raise UnsupportedSyntax(str(error), place=place) from None

    return lowered


# -- functions that are made --------------------------------------------------------------------


@dataclass(frozen=True)
class Differentiated(Derived):
    """``rg.grad(f)``, ``rg.value_and_grad(f)``: the item is ``f``."""

    kind: str
    wrt: Any

    @in_place
    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        given = bound(lowerer, made.items[0], args, kwargs, at)
        places, single = places_of(given.signature, self.wrt)
        inner = Inner.of(lowerer, made.items[0], given, places, at)
        active = [v for place in places for v in given.active(place)]
        (derivative,) = inner.made(self.kind, active)
        results = inner.call(derivative)
        values = results[: len(results) - len(active)]
        bars = iter(results[len(values) :])
        grads = [gradient_of(given, place, bars) for place in places]
        whole = lowerer.cells.anchored(grads[0] if single else tuple_of(grads))
        return tuple_of([inner.value(values), whole]) if values else whole


def gradient_of(given: Given, place: Place, bars: Any) -> Node:
    """The gradient of an argument: its container, with None for what has none."""
    x = given.at_place(given.shown, place)
    return rebuild(x, lambda v: next(bars) if isinstance(v, Value) and is_active(v) else NONE)


@dataclass(frozen=True)
class Columns(Derived):
    """``rg.jacobian(f)``; ``rg.hessian(f)`` is that of the gradient: the item is ``f``."""

    wrt: Any

    @in_place
    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        f = made.items[0]
        places, single = places_of(bound(lowerer, f, args, kwargs, at).signature, self.wrt)
        found = [
            self.columns(lowerer, f, bound(lowerer, f, args, kwargs, at), place, at)
            for place in places
        ]
        return found[0] if single else tuple_of(found)

    def columns(self, lowerer: Lowerer, f: Node, given: Given, place: Place, at: gast.AST) -> Node:
        inner = Inner.of(lowerer, f, given, [place], at)
        x, active = given.at_place(given.nodes, place), given.active(place)
        packs = isinstance(x, Pack) or isinstance(inner.lifted.tree, Pack)
        trees = any(isinstance(kind, Tree) for kind in (type_of(x), *inner.lifted.kinds))
        if packs or trees or len(active) != 1:
            raise UnsupportedOperation(
                "a Jacobian of containers is called inside a function that is differentiated",
                place=lowerer.scope.place(at),
                fix="take one array for all of them, or a Jacobian for each",
            )
        (derivative,) = inner.made("tangent", active)
        along = Along(derivative, inner.function, inner.positions(active)[0])
        names = [f"{k}_{p.hint}" for k, p in enumerate(inner.function.body.params)]
        push = Pack(along, names, inner.operands)
        if isinstance(type_of(active[0]), Number):
            return along.call(lowerer, push, [Const(1.0)], {}, at)
        whole = lowerer.calls.call_user(columns, [push, x], {}, at)
        whole.type = matrix_type(inner.lifted.kinds[0], type_of(x)) or whole.type
        return whole


def matrix_type(y: Type, x: Type) -> Type:
    """The type of the derivative of ``y`` by ``x``; None if it is not known."""
    arrays = isinstance(y, (Array, Number)) and isinstance(x, Array) and y.kind == x.kind == "f"
    if not arrays or y.dims is None or x.dims is None:  # type: ignore[union-attr]
        return None
    dtype = "float64" if isinstance(y, Number) else y.dtype  # type: ignore[union-attr]
    return Array(dtype, (*y.dims, *x.dims), "f")  # type: ignore[union-attr]


@dataclass(frozen=True)
class Along(Derived):
    """The tangent of a function along one of its parameters: the items are what it is given."""

    derivative: Function
    function: Function
    position: int
    same_arguments = False

    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        operands = list(map(lowerer.versions.current, made.items))
        dot = as_tangent(lowerer, args[0], operands[self.position])
        kinds = kinds_of(self.derivative, self.function, operands)
        return called(lowerer, self.derivative, [*operands, dot], kinds, at)[0]


# -- tangents -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pushed(Derived):
    """The linear map that ``rg.linearize(f, *args)`` returns: the items are ``f`` and its arguments."""

    names: tuple[str, ...]
    same_arguments = False

    @in_place
    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        f, *nodes = made.items
        given = bound_before(lowerer, f, dict(zip(self.names, nodes, strict=True)), at)
        return pushed(lowerer, f, given, tangents_of(given, args), at)[1]


def tangents_of(given: Given, dots: list[Node]) -> list[tuple[Place, Node]]:
    """Tangents with the places of the arguments that they belong to; None is none."""
    return [(place_in(given.signature, k), d) for k, d in enumerate(dots) if not is_none(d)]


def pushed(
    lowerer: Lowerer, f: Node, given: Given, pairs: list[tuple[Place, Node]], at: gast.AST
) -> tuple[Node, Node]:
    """The value of ``f`` and its tangent, for the tangents at some places."""
    for place, dot in pairs:
        given.open(place, depth_of(dot))
    inner = Inner.of(lowerer, f, given, [place for place, _ in pairs], at)
    active: list[Value] = []
    dots: list[Operand] = []
    for place, dot in pairs:
        for v, d in side_by_side(lowerer, given.at_place(given.shown, place), dot):
            active.append(v)
            dots.append(as_tangent(lowerer, d, given.operands[v]))
    if not active:
        y = inner.value(inner.call(inner.function))
        return y, rebuild(y, lambda v: lowerer.operations.operation(linear.zeros_like, [v], {}))
    (derivative,) = inner.made("jvp", active)
    results = inner.call(derivative, dots)
    n = inner.count
    return inner.value(results[:n]), inner.structured(results[n:])


def depth_of(node: Node) -> int:
    """How many containers a node is in each other."""
    return 1 + max(map(depth_of, node.items), default=0) if isinstance(node, Pack) else 0


def side_by_side(lowerer: Lowerer, x: Node, dot: Node) -> Iterator[tuple[Value, Node]]:
    """The values of an argument, or a result, each with what is given for it."""
    if is_none(dot):
        return
    if isinstance(x, Pack):
        dot = lowerer.construction.taken_apart(dot)
        if not isinstance(dot, Pack) or sorted(map(repr, dot.keys)) != sorted(map(repr, x.keys)):
            raise SignatureMismatch(
                "a tangent, or a cotangent, has another structure than its value"
            )
        for key in x.keys:
            yield from side_by_side(lowerer, x.get(key), dot.get(key))
    elif isinstance(x, Value):
        yield x, dot


def is_none(node: Node) -> bool:
    return isinstance(node, Const) and node.value is None


# -- cotangents -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pulled(Derived):
    """The pullback that ``rg.vjp(f, *args)`` returns.

    The items are what ``f`` has saved, its value, and the arguments that are differentiated.
    """

    backward: Function
    order: tuple[int, ...]  # of the gradients among those that ``backward`` returns
    same_arguments = False

    @in_place
    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        saved, y, x = made.items
        pairs = list(side_by_side(lowerer, y, args[0]))
        if len(pairs) != sum(isinstance(v, Value) for v in leaves(y)):
            raise SignatureMismatch("a cotangent is None")
        bars = [as_tangent(lowerer, c, v) for v, c in pairs]
        wrt = [v for v in leaves(x) if is_active(v)]
        kinds = [type_of(wrt[k]) for k in inverse(self.order)]
        given = list(map(lowerer.versions.current, [saved, *bars]))
        found = called(lowerer, self.backward, given, kinds, at)
        grads = iter([found[k] for k in self.order])
        whole = rebuild(x, lambda v: next(grads) if is_active(v) else NONE)
        return lowerer.cells.anchored(whole)


def inverse(order: tuple[int, ...]) -> list[int]:
    return [order.index(k) for k in range(len(order))]


def pulled(lowerer: Lowerer, f: Node, given: Given, places: list[Place], at: gast.AST) -> Node:
    """The value of ``f``, and the function from a cotangent to the gradients at these places."""
    inner = Inner.of(lowerer, f, given, places, at)
    active = [v for place in places for v in given.active(place)]
    in_order = sorted(active, key=inner.params.index)
    forward, backward = inner.made("vjp", in_order)
    *values, saved = inner.call(forward)
    y = inner.value(values)
    x = tuple_of([given.at_place(given.nodes, place) for place in places])
    kind = Pulled(backward, tuple(in_order.index(v) for v in active))
    return tuple_of([y, Pack(kind, [0, 1, 2], [saved, y, x])])
