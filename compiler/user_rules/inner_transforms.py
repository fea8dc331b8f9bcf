"""``rg.grad``, ``rg.jvp`` and their like in a function that is differentiated: how their calls are lowered."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
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
from retrograd.runtime.records import dataclass

from ..ir.containers import Pack, rebuild
from ..ir.operations import Const, Value
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import BoundUser, Derived, Node
from ..lowering.opaque.opaque_calls import uncompiled
from .inner_arguments import bound, has_gradient, place_in, places_of
from .inner_batches import Batched, axes_in
from .inner_derivatives import Inner, as_tangent
from .inner_functions import (
    NONE,
    Columns,
    Differentiated,
    Pushed,
    depth_of,
    gradient_of,
    in_place,
    pulled,
    pushed,
    side_by_side,
    tangents_of,
    tuple_of,
)

__all__ = ["SPECIAL", "of_decorated", "of_made"]


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
    aux = found.get("has_aux", Const(False))
    if not isinstance(aux, Const) or aux.value:
        raise UnsupportedOperation(
            f"{fn.__name__} with has_aux is called inside a function that is differentiated",
            place=lowerer.scope.place(at), fix="let the function return the value alone",
        )  # fmt: skip
    return dict(found)


def wrt_in(given: dict[str, Node]) -> Any:
    """``wrt``, or ``argnums``, which says the same."""
    return constant_of(given.get("wrt", given.get("argnums", NONE)))


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
    kind = Differentiated(fn.__name__, wrt_in(given))
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
    wrt = wrt_in(given)
    wrt = 0 if wrt is None else wrt
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
    items = [f, *(rebuild(x, lambda v: as_it_is(lowerer, v)) for x in inner.nodes.values())]
    return tuple_of([y, Pack(Pushed(tuple(inner.nodes)), list(range(len(items))), items)])


@in_place
def lower_vmap(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    ins = axes_in(given.get("in_axes", Const(0)), "in_axes")
    return Pack(
        Batched(ins, axes_in(given.get("out_axes", Const(0)), "out_axes")), [0], [given["f"]]
    )


def as_it_is(lowerer: Lowerer, v: Node) -> Node:
    """An argument of a linear map, which may be called once the argument was written to."""
    if not isinstance(v, Value) or not lowerer.versions.may_be_array(v):
        return v
    return lowerer.operations.apply(linear.copy, (v,), {})


@in_place
def lower_vjp(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    given = arguments_of(lowerer, fn, args, kwargs, at)
    first = list(given.get("args", ()))
    inner = bound(lowerer, given["f"], first, {}, at)
    wrt = constant_of(given.get("wrt", NONE))
    if wrt is None:
        places = [place_in(inner.signature, k) for k, x in enumerate(first) if has_gradient(x)]
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
    if isinstance(f, BoundUser):
        return asked_of_method(f)
    if "wrt" in inspect.signature(fn).parameters or not isinstance(f, Const):
        return 0
    return lowerer.scope.program.attribute(f.value, "asked")


def items_of(lowerer: Lowerer, node: Node) -> list[Node]:
    """The items of ``args`` or ``tangents``."""
    whole = lowerer.construction.taken_apart(node)
    if isinstance(whole, Pack) and whole.kind in (tuple, list):
        return list(whole.items)
    raise SignatureMismatch("arguments and tangents are written as a tuple: (x,)")


SPECIAL: dict[str, Callable[..., Node]] = {
    "grad": lower_grad,
    "value_and_grad": lower_grad,
    "jacobian": lower_jacobian,
    "hessian": lower_jacobian,
    "jvp": lower_jvp,
    "vjp": lower_vjp,
    "linearize": lower_linearize,
    "hvp": lower_hvp,
    "vmap": lower_vmap,
}


@dataclass(frozen=True)
class Said(Derived):
    """``model.energy.jvp``: the item is the method."""

    method: Any

    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        lowered = SPECIAL[self.method.__word__]
        return lowered(lowerer, self.method, [made.items[0], *args], kwargs, at)


def of_decorated(method: BoundUser, name: str, place: Any) -> Node:
    """An attribute of a decorated method: ``model.energy.grad``."""
    wrt = asked_of_method(method)
    said = getattr(type(method.decorated), name, None)
    if own_attribute(said, "__word__") is not None:
        return Pack(Said(said), [0], [method])
    if name in ("grad", "value_and_grad"):
        return Pack(Differentiated(name, wrt), [0], [method])
    if name in ("jacobian", "hessian"):
        f = Pack(Differentiated("grad", wrt), [0], [method]) if name == "hessian" else method
        return Pack(Columns(wrt), [0], [f])
    raise UnsupportedSyntax(
        f"`{name}` of a decorated method is not supported in a function that is differentiated", place=place
    )  # fmt: skip


def asked_of_method(method: BoundUser) -> Any:
    """The ``wrt`` of a decorated method, positions counted without its object."""
    asked = method.decorated.wrt
    if asked is None:
        return 0
    several = isinstance(asked, (tuple, list))
    found = [k - 1 if isinstance(k, int) else k for k in (asked if several else (asked,))]
    return tuple(found) if several else found[0]


def of_made(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Node:
    """A call of a derivative that was made outside: ``force = rg.grad(potential)``."""
    try:
        return as_node(lowerer, fn).kind.call(lowerer, as_node(lowerer, fn), args, kwargs, at)
    except (SourceUnavailable, UnsupportedSyntax) as error:
        return uncompiled(lowerer, fn, args, kwargs, error, at)


def as_node(lowerer: Lowerer, fn: Any) -> Pack:
    """A derivative that was made outside as one that is made here."""
    columns_of = own_attribute(fn, "__columns__")
    if columns_of is not None:
        base, wrt, unusual = columns_of
        if unusual:
            raise UnsupportedSyntax(f"{unusual} is called inside a function that is differentiated")
        return Pack(Columns(wrt), [0], [as_function(lowerer, base)])
    found = as_function(lowerer, own_attribute(fn, "__retrograd__"))
    assert isinstance(found, Pack)
    return found


def as_function(lowerer: Lowerer, chain: Any) -> Node:
    """A function and the transformations applied to it; places count the object of a bound method."""
    plain = chain.fn if not chain.bound else types.MethodType(chain.fn, *chain.bound)
    node: Node = Const(plain, lowerer.scope.program.name_of(chain.fn))
    for step in chain.steps:
        if step.kind == "vmap":
            node = Pack(Batched(step.batch, step.batch.out), [0], [node])
            continue
        if step.aux or step.kind == "first":
            raise UnsupportedSyntax(
                "a derivative with has_aux is called inside a function that is differentiated"
            )
        places = tuple(p._replace(at=p.at - len(chain.bound)) for p in step.wrt)
        wrt = places[0] if step.single and len(places) == 1 else places
        node = Pack(Differentiated(step.kind, wrt), [0], [node])
    return node
