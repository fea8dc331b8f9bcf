"""Arguments of a derivative that is called inside a function: which of them are differentiated, by which names.

What is differentiated is lowered once more with values of its own in place of the arguments.
"""

from __future__ import annotations

import inspect
from typing import Any

import gast
import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch, UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.records import dataclass

from ..analyses.shapes.infer import type_of
from ..dependencies.object_reads import static
from ..ir.argument_path import Field, Place, parsed, spelled
from ..ir.containers import Pack, leaves, rebuild
from ..ir.gradient_parts import integers_among_floats, is_float_kind, parts
from ..ir.operations import UNDEFINED, Const, Operand, Value
from ..ir.types import TEXT, Tree, Type
from ..lowering.interface.lowerer import Lowerer
from ..lowering.iteration.iterables import fixed_range
from ..lowering.nodes import (
    Applied,
    BoundUser,
    Code,
    Derived,
    LocalFunction,
    Method,
    Node,
)

__all__ = [
    "Given", "bound", "bound_before", "has_gradient", "is_active", "is_number", "place_in", "places_of",
]  # fmt: skip

Parameter = inspect.Parameter


# -- signatures -------------------------------------------------------------------------------


def signature_of(lowerer: Lowerer, fn: Node) -> inspect.Signature | None:
    """The parameters of a function, as far as they are known while it is lowered."""
    if isinstance(fn, Const):
        return signature_of_object(lowerer.scope.program.unwrap(fn.value))
    if isinstance(fn, LocalFunction):
        return signature_of_text(fn.node)
    if isinstance(fn, BoundUser):
        return without(signature_of_object(fn.function), 1)
    if not isinstance(fn, Pack):
        return None
    if isinstance(fn.kind, Code):
        return signature_of_text(fn.kind.node)
    if isinstance(fn.kind, Applied):
        inner = without(signature_of(lowerer, fn.items[0]), fn.kind.count)
        return None if fn.kind.names else inner
    if isinstance(fn.kind, Derived):
        return signature_of(lowerer, fn.items[0]) if fn.kind.same_arguments else None
    if isinstance(fn.kind, (type, Method)):
        owner = fn.items[0].kind if isinstance(fn.kind, Method) else fn.kind
        name = fn.kind.name if isinstance(fn.kind, Method) else "__call__"
        return without(signature_of_object(static(owner, name)), 1)
    return None


def signature_of_object(fn: Any) -> inspect.Signature | None:
    columns = own_attribute(fn, "__columns__")
    if columns is not None:  # a Jacobian is called as its function
        return columns[0].signature  # type: ignore[no-any-return]
    if isinstance(fn, np.ufunc):
        return None
    try:
        return own_signature(fn)
    except (TypeError, ValueError):
        return None


def without(signature: inspect.Signature | None, count: int) -> inspect.Signature | None:
    """The signature without its first parameters."""
    if signature is None:
        return None
    own = list(signature.parameters.values())
    named = [p for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return signature.replace(parameters=[p for p in own if p not in named[:count]])


def signature_of_text(node: gast.AST) -> inspect.Signature:
    """The signature of an inner function or a lambda."""
    spec = node.args
    first = [a.id for a in spec.posonlyargs]
    names = [a.id for a in spec.args]
    optional = {*[*first, *names][len(first) + len(names) - len(spec.defaults) :]}
    optional |= {a.id for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d}

    def made(name: str, kind: Any) -> Parameter:
        plain = name.partition(".")[0]  # two variables of one name are told apart by a number
        return Parameter(plain, kind, default=None if name in optional else Parameter.empty)

    found = [made(n, Parameter.POSITIONAL_ONLY) for n in first]
    found += [made(n, Parameter.POSITIONAL_OR_KEYWORD) for n in names]
    found += [made(spec.vararg.id, Parameter.VAR_POSITIONAL)] if spec.vararg else []
    found += [made(a.id, Parameter.KEYWORD_ONLY) for a in spec.kwonlyargs]
    found += [made(spec.kwarg.id, Parameter.VAR_KEYWORD)] if spec.kwarg else []
    return inspect.Signature(found)


def positions(count: int) -> inspect.Signature:
    """The signature of a function of which nothing is known."""
    kind = Parameter.POSITIONAL_ONLY
    return inspect.Signature([Parameter(f"argument_{k}", kind) for k in range(count)])


# -- what is asked for --------------------------------------------------------------------------


def places_of(signature: inspect.Signature, wrt: Any) -> tuple[list[Place], bool]:
    """``wrt`` as places, and whether one was asked for rather than a tuple."""
    single = wrt is None or isinstance(wrt, (str, int, Place))
    asked = [0 if wrt is None else wrt] if single else list(wrt)
    return [place_in(signature, item) for item in asked], single


def place_in(signature: inspect.Signature, asked: Any) -> Place:
    if isinstance(asked, Place):
        return asked
    own = list(signature.parameters.values())
    names = [p.name for p in own]
    if isinstance(asked, str):
        name, keys = (asked, ()) if asked in names else parsed(asked)
        if name in names:
            return Place(names.index(name), keys)
        named = [k for k, p in enumerate(own) if p.kind is p.VAR_KEYWORD]
        if named:
            return Place(named[0], (name, *keys))
        raise SignatureMismatch(f"there is no argument `{name}`; there is {', '.join(names)}")
    several = [k for k, p in enumerate(own) if p.kind is p.VAR_POSITIONAL]
    if several and asked >= several[0]:
        return Place(several[0], (asked - several[0],))
    if not -len(names) <= asked < len(names) or (several and asked < 0):
        raise SignatureMismatch(f"there is no argument {asked}: there are {len(names)}")
    return Place(asked % len(names))


# -- the arguments of one call -------------------------------------------------------------------


@dataclass
class Given:
    """The arguments of a call of ``f``, and those that it is lowered with: fresh values in their places."""

    lowerer: Lowerer
    signature: inspect.Signature
    nodes: dict[str, Node]  # what is given for each parameter
    at: gast.AST

    def __post_init__(self) -> None:
        self.operands: dict[Value, Operand] = {}  # for each fresh value, what is given
        self.shown: dict[str, Node] = {}

    def freshen(self, places: list[Place]) -> None:
        """Make the values that stand for the arguments; what is differentiated is one, constant or not."""
        for place in places:
            self.open(place)
        active = {id(v) for place in places for v in leaves(self.at_place(self.nodes, place))}
        for name, node in self.nodes.items():
            shown = rebuild(node, lambda v, n=name: self.fresh(v, n, id(v) in active))  # type: ignore[misc]
            self.shown[name] = self.lowerer.cells.anchored(shown)

    def open(self, place: Place, more: int = 0) -> None:
        """Take apart the containers on the way to a place, and ``more`` of what is there."""
        name = list(self.signature.parameters)[place.at]
        if name not in self.nodes:
            raise SignatureMismatch(f"no argument is given for `{name}`, which is differentiated")
        self.nodes[name] = self.taken_apart(self.nodes[name], len(place.keys) + more)

    def taken_apart(self, node: Node, depth: int) -> Node:
        whole = self.lowerer.construction.taken_apart(node) if depth else node
        if depth == 0 or not isinstance(whole, Pack):
            return node
        items = [self.taken_apart(i, depth - 1) for i in whole.items]
        return Pack(whole.kind, list(whole.keys), items)

    def fresh(self, v: Node, name: str, active: bool) -> Node:
        if not isinstance(v, Value) and not (active and is_number(v)):
            return v
        made = Value(getattr(v, "hint", None) or name, type_of(v))
        self.operands[made] = self.lowerer.versions.current(v)
        return made

    def at_place(self, nodes: dict[str, Node], place: Place) -> Node:
        """The node at a place."""
        names = list(self.signature.parameters)
        found = nodes[names[place.at]]
        for k, key in enumerate(place.keys):
            if not isinstance(found, Pack) or not has(found, key):
                inner = f"{names[place.at]}{spelled(place.keys[: k + 1])}"
                raise SignatureMismatch(f"`{inner}` names nothing")
            found = found.get(plain_key(found, key))
        return found

    def call(self, nodes: dict[str, Node]) -> tuple[list[Node], dict[str, Node]]:
        """Arguments as a call gives them: in order, and by name."""
        args: list[Node] = []
        named: dict[str, Node] = {}
        by_name = False
        for name, p in self.signature.parameters.items():
            if name not in nodes:
                by_name = by_name or p.kind is not p.VAR_POSITIONAL
            elif p.kind is p.VAR_POSITIONAL:
                args += nodes[name].items
            elif p.kind is p.VAR_KEYWORD:
                named |= dict(zip(nodes[name].keys, nodes[name].items, strict=True))
            elif p.kind is p.KEYWORD_ONLY or by_name:
                named[name] = nodes[name]
            else:
                args.append(nodes[name])
        return args, named

    def active(self, place: Place) -> list[Value]:
        """The values at a place that have a gradient; refuse those that have none."""
        whole = self.at_place(self.shown, place)
        check_float(whole, place.text(list(self.signature.parameters)), self)
        return [v for v in with_gradient(whole) if isinstance(v, Value)]


def bound(
    lowerer: Lowerer, fn: Node, args: list[Node], kwargs: dict[str, Node], at: gast.AST
) -> Given:
    """The arguments of ``fn(*args, **kwargs)`` by the names of its parameters."""
    signature = signature_of(lowerer, fn) or positions(len(args))
    try:
        arguments = signature.bind(*args, **kwargs).arguments
    except TypeError as error:
        raise UnsupportedSyntax(str(error), place=lowerer.scope.place(at)) from None
    nodes: dict[str, Node] = {}
    for name, node in arguments.items():
        kind = signature.parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            node = Pack(tuple, list(range(len(node))), list(node))
        elif kind is Parameter.VAR_KEYWORD:
            node = Pack(dict, list(node), list(node.values()))
        nodes[name] = lowerer.closures.handed_on(lowerer.cells.seen(fixed_range(node)))
    return Given(lowerer, signature, nodes, at)


def bound_before(lowerer: Lowerer, fn: Node, nodes: dict[str, Node], at: gast.AST) -> Given:
    """Arguments that were bound to their parameters before."""
    return Given(lowerer, signature_of(lowerer, fn) or positions(len(nodes)), nodes, at)


def is_number(v: Node) -> bool:
    """True if a constant is a number or an array of them."""
    if not isinstance(v, Const) or v is UNDEFINED:
        return False
    return is_ndarray(v.value) or isinstance(v.value, (int, float, complex, np.generic))


def has(pack: Pack, key: Any) -> bool:
    return plain_key(pack, key) in pack.keys


def plain_key(pack: Pack, key: Any) -> Any:
    """A key as the container spells it: positions from the end count from the start."""
    if pack.kind in (tuple, list) and type(key) is int and -len(pack.keys) <= key < 0:
        return key % len(pack.keys)
    return str(key) if isinstance(key, Field) else key


def check_float(x: Node, name: str, given: Given) -> None:
    """Refuse a gradient with respect to integers, booleans and texts alone: it would be a silent zero."""
    kind = kind_of(x)
    refused = list(integers_among_floats(kind, name))
    found = list(parts(kind, name))
    if not any(is_float_kind(leaf) for _, leaf in found):
        refused += found
    for path, leaf in refused:
        what = {"i": "an integer", "b": "a boolean"}.get(getattr(leaf, "kind", ""), "not a number")
        raise NotDifferentiable(
            f"`{path}` is {what}, and has no gradient",
            place=given.lowerer.scope.place(given.at), fix="pass floats, or leave it out of wrt",
        )  # fmt: skip


def has_gradient(x: Node) -> bool:
    """True if an argument has a gradient: it holds floats, and no whole number that was meant for one."""
    kind = kind_of(x)
    return (
        any(leaf is not None and is_float_kind(leaf) for _, leaf in parts(kind))
        and next(integers_among_floats(kind), None) is None
    )


def with_gradient(x: Node) -> list[Node]:
    """The values and numbers of an argument that have a gradient: what stands beside them has None."""
    return [v for v in leaves(x) if is_active(v)]


def is_active(v: Node) -> bool:
    return (isinstance(v, Value) or is_number(v)) and any(
        is_float_kind(leaf) for _, leaf in parts(type_of(v))
    )


def kind_of(x: Node) -> Type:
    """The type of a node, in the containers that the compiler takes apart."""
    if not isinstance(x, Pack):
        return type_of(x) if isinstance(x, Value) or is_number(x) else TEXT
    names: dict[Any, str] = {tuple: "tuple", list: "list", dict: "dict"}
    keys = [str(key) if isinstance(key, Field) else key for key in x.keys]
    items = tuple(map(kind_of, x.items))
    return Tree(
        names.get(x.kind, "object"), tuple(keys), items, x.kind if x.kind not in names else None
    )
