"""``rg.grad``, ``rg.jvp`` and their like in a function that is differentiated: what each of them makes, and calls."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from retrograd.runtime.errors import (
    SignatureMismatch,
    SourceUnavailable,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.replacements.columns import columns

from ..analyses.shapes.infer import type_of
from ..ir.argument_path import Place
from ..ir.containers import Pack, leaves, rebuild
from ..ir.operations import Const, Function, Operand, Value
from ..ir.types import Array, Number, Type
from ..lowering.calls.opaque_calls import uncompiled
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Derived, Node
from .inner_arguments import Given, bound, bound_before, is_number, parts, place_in, places_of
from .inner_derivatives import Inner, as_tangent, called, kinds_of

__all__ = ["SPECIAL", "of_made"]

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
    return rebuild(
        given.at_place(given.shown, place), lambda v: next(bars) if isinstance(v, Value) else NONE
    )


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
        if isinstance(x, Pack) or isinstance(inner.lifted.tree, Pack) or len(active) != 1:
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
    """What ``rg.linearize(f, *args)`` returns beside the value: the items are ``f`` and its arguments."""

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
    """What ``rg.vjp(f, *args)`` returns beside the value.

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
        wrt = [v for v in leaves(x) if is_differentiated(v)]
        kinds = [type_of(wrt[k]) for k in inverse(self.order)]
        given = list(map(lowerer.versions.current, [saved, *bars]))
        found = called(lowerer, self.backward, given, kinds, at)
        grads = iter([found[k] for k in self.order])
        whole = rebuild(x, lambda v: next(grads) if is_differentiated(v) else NONE)
        return lowerer.cells.anchored(whole)


def is_differentiated(v: Node) -> bool:
    return isinstance(v, Value) or is_number(v)


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


# -- calls ------------------------------------------------------------------------------------------


def arguments_of(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> dict[str, Node]:
    """The arguments of one of our functions by name, the function that it is about as ``f``."""
    try:
        found = inspect.signature(fn).bind(*args, **kwargs).arguments
    except TypeError as error:
        raise UnsupportedSyntax(f"{fn.__name__}: {error}", place=lowerer.scope.place(at)) from None
    if "self" in found:  # a method of a decorated function
        found = {"f": found.pop("self"), **found}
    return dict(found)


def constant_of(node: Node) -> Any:
    """``wrt``, which is known at compile time."""
    if isinstance(node, Pack) and node.kind in (tuple, list):
        return tuple(map(constant_of, node.items))
    if isinstance(node, Const) and (node.value is None or isinstance(node.value, (int, str))):
        return node.value
    if isinstance(node, Const) and isinstance(node.value, (tuple, list)):
        return tuple(constant_of(Const(item)) for item in node.value)
    raise SignatureMismatch("wrt is not known at compile time: write a position, or a name")


@in_place
def lower_grad(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    kind = Differentiated(fn.__name__, constant_of(given.get("wrt", NONE)))
    return Pack(kind, [0], [given["f"]])


@in_place
def lower_jacobian(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    sparse = given.get("sparse", Const(False))
    if not isinstance(sparse, Const) or sparse.value:
        raise UnsupportedOperation(
            f"a sparse {fn.__name__} is called inside a function that is differentiated",
            place=lowerer.scope.place(at), fix="leave `sparse` out, or use products: rg.jvp, rg.hvp",
        )  # fmt: skip
    wrt = constant_of(given.get("wrt", Const(0)))
    f = given["f"]
    if fn.__name__ == "hessian":
        f = Pack(Differentiated("grad", wrt), [0], [f])
    return Pack(Columns(wrt), [0], [f])


@in_place
def lower_jvp(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    inner = bound(lowerer, given["f"], items_of(lowerer, given["args"]), {}, at)
    pairs = tangents_of(inner, items_of(lowerer, given["tangents"]))
    return tuple_of(list(pushed(lowerer, given["f"], inner, pairs, at)))


@in_place
def lower_linearize(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    f, first = given["f"], list(given["args"])
    inner = bound(lowerer, f, first, {}, at)
    y = lowerer.calls.call(f, first, {}, at)
    items = [f, *inner.nodes.values()]
    return tuple_of([y, Pack(Pushed(tuple(inner.nodes)), list(range(len(items))), items)])


@in_place
def lower_vjp(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    first = list(given.get("args", ()))
    inner = bound(lowerer, given["f"], first, {}, at)
    wrt = constant_of(given.get("wrt", NONE))
    if wrt is None:
        places = [place_in(inner.signature, k) for k, x in enumerate(first) if is_float(x)]
    else:
        places, _ = places_of(inner.signature, wrt)
    return pulled(lowerer, given["f"], inner, places, at)


@in_place
def lower_hvp(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    f = given["f"]
    wrt = constant_of(given["wrt"]) if "wrt" in given else asked_by(lowerer, f, fn)
    inner = bound(lowerer, f, items_of(lowerer, given["args"]), {}, at)
    places, single = places_of(inner.signature, wrt)
    given_dots = [given["v"]] if single else items_of(lowerer, given["v"])
    for place, dot in zip(places, given_dots, strict=True):
        inner.open(place, depth_of(dot))
    one = Inner.of(lowerer, f, inner, places, at)
    active = [v for place in places for v in inner.active(place)]
    pairs = [
        pair
        for place, dot in zip(places, given_dots, strict=True)
        for pair in side_by_side(lowerer, inner.at_place(inner.shown, place), dot)
    ]
    dots = {v: as_tangent(lowerer, d, inner.operands[v]) for v, d in pairs}
    if set(dots) != set(active):
        raise SignatureMismatch(
            "the vector of hvp has another structure than what is differentiated"
        )
    (product,) = one.made("hvp", active)
    found = iter(one.call(product, [dots[v] for v in active]))
    grads = [gradient_of(inner, place, found) for place in places]
    return lowerer.cells.anchored(grads[0] if single else tuple_of(grads))


def asked_by(lowerer: Lowerer, f: Node, fn: Any) -> Any:
    """The ``wrt`` of a decorated function, if it is its method that is called."""
    if "wrt" in inspect.signature(fn).parameters or not isinstance(f, Const):
        return 0
    return lowerer.scope.program.attribute(f.value, "asked")


def items_of(lowerer: Lowerer, node: Node) -> list[Node]:
    """The items of ``args`` or ``tangents``."""
    whole = lowerer.construction.taken_apart(node)
    if isinstance(whole, Pack) and whole.kind in (tuple, list):
        return list(whole.items)
    raise SignatureMismatch("arguments and tangents are written as a tuple: (x,)")


def is_float(x: Node) -> bool:
    """Whether every number of an argument is a float, so that it has a gradient."""
    numbers = [v for v in leaves(x) if is_differentiated(v)]
    kinds = [getattr(part, "kind", None) for v in numbers for part in parts(type_of(v))]
    return bool(numbers) and all(kind in ("f", "c", None) for kind in kinds)


SPECIAL: dict[str, Callable[..., Node]] = {
    "grad": lower_grad,
    "value_and_grad": lower_grad,
    "jacobian": lower_jacobian,
    "hessian": lower_jacobian,
    "jvp": lower_jvp,
    "vjp": lower_vjp,
    "linearize": lower_linearize,
    "hvp": lower_hvp,
}


def of_made(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    """A call of a derivative that was made outside: ``force = rg.grad(potential)``."""
    try:
        return as_node(lowerer, fn).kind.call(lowerer, as_node(lowerer, fn), args, kwargs, at)
    except (SourceUnavailable, UnsupportedSyntax) as error:
        return uncompiled(lowerer, fn, args, kwargs, error)


def as_node(lowerer: Lowerer, fn: Any) -> Pack:
    """A derivative that was made outside as one that is made here."""
    columns_of = own_attribute(fn, "__columns__")
    if columns_of is not None:
        base, wrt, sparse = columns_of
        if sparse:
            raise UnsupportedSyntax(
                "a sparse Jacobian is called inside a function that is differentiated"
            )
        return Pack(Columns(wrt), [0], [as_function(lowerer, base)])
    found = as_function(lowerer, own_attribute(fn, "__retrograd__"))
    assert isinstance(found, Pack)
    return found


def as_function(lowerer: Lowerer, chain: Any) -> Node:
    """A function and the transformations applied to it; places count the object of a bound method."""
    plain = chain.fn if not chain.bound else types.MethodType(chain.fn, *chain.bound)
    node: Node = Const(plain, lowerer.scope.program.name_of(chain.fn))
    for step in chain.steps:
        places = tuple(p._replace(at=p.at - len(chain.bound)) for p in step.wrt)
        wrt = places[0] if step.single and len(places) == 1 else places
        node = Pack(Differentiated(step.kind, wrt), [0], [node])
    return node
