"""``rg.vmap(f)(x)`` in a function that is differentiated: a call of the function of a batch, which is made at once."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import SignatureMismatch, UnsupportedOperation
from retrograd.runtime.records import dataclass

from ..analyses.module_objects import keep_in_order
from ..analyses.shapes.infer import type_of
from ..differentiate.batching.batch_request import Batch
from ..differentiate.transformations import Request, derived
from ..ir.batch_axes import Axes, by_parameters, frozen, outs, without
from ..ir.containers import Pack, leaves
from ..ir.operations import Const, Function, Value, reachable
from ..ir.types import Array, Number
from ..lowering.calls.closure_conversion import lift
from ..lowering.interface.lowerer import Lowerer
from ..lowering.nodes import Derived, Node
from ..passes import stages
from ..passes.manager import run
from .custom_lowering import refuse_writes
from .inner_arguments import Given, bound
from .inner_derivatives import (
    Inner,
    called,
    is_new,
    kinds_of,
    known,
    name_of,
    refuse_unfinished,
    table_of,
)
from .inner_functions import in_place
from .orders_of_integrals import tell_order

__all__ = ["Batched", "axes_in"]


def axes_in(node: Node, word: str) -> Any:
    """``in_axes`` or ``out_axes``, which are known at compile time."""

    def plain(node: Node) -> Any:
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return tuple(map(plain, node.items))
        if isinstance(node, Pack) and node.kind is dict:
            return dict(zip(node.keys, map(plain, node.items), strict=True))
        if isinstance(node, Const):
            return node.value
        raise SignatureMismatch(f"{word} is not known at compile time: write a number, or a tuple")

    return frozen(plain(node), word)


@dataclass(frozen=True)
class Batched(Derived):
    """``rg.vmap(f)``: the item is ``f``; ``axes`` is what was asked for, or `Axes` of one that was made outside."""

    axes: Any
    out: Any = 0

    @in_place
    def call(
        self, lowerer: Lowerer, made: Pack, args: list[Node], kwargs: dict[str, Node], at: gast.AST
    ) -> Node:
        f = made.items[0]
        given = bound(lowerer, f, args, kwargs, at)
        name = name_of(f)
        if isinstance(self.axes, Axes):
            asked = dict(self.axes.ins)
        else:
            params = [p for n, p in given.signature.parameters.items()]
            asked = by_parameters(name, params, self.axes)
        return of_batch(lowerer, f, given, asked, self.out, name, at)


def of_batch(
    lowerer: Lowerer,
    f: Node,
    given: Given,
    asked: dict[str, Any],
    out: Any,
    name: str,
    at: gast.AST,
) -> Node:
    """A call of ``f`` for a batch of its arguments."""
    fresh = Fresh(lowerer, given)
    for word, node in given.nodes.items():
        given.shown[word] = lowerer.cells.anchored(fresh.of(node, asked.get(word), word))
    if not fresh.sizes:
        raise SignatureMismatch("no argument of vmap has an axis of examples")
    args, named = given.call(given.shown)
    params = [v for p in (*args, *named.values()) for v in leaves(p) if isinstance(v, Value)]
    lifted = known(lowerer, lift(lowerer, f, args, name, at, named))
    refuse_writes(lifted.function.name, lifted.function)
    inner = Inner(lowerer, given, lifted, params, at)
    mask = tuple(0 if p in fresh.varying else None for p in params)
    mask += (None,) * len(lifted.free)
    tree = lifted.tree
    moved = list(outs(tree, out))
    batch = Batch(mask, moved, fresh.sizes[0][2])
    made = batch_of(lowerer, lifted.function, batch, at)
    operands = inner.operands
    results = called(lowerer, made, operands, kinds_of(made, made, operands), at)
    versions = lowerer.versions
    arrays = [a for a in operands if versions.may_be_array(a)]
    for v, y in zip(results, made.body.yields, strict=True):
        if arrays and versions.may_be_array(v) and not is_new(made.body, y):
            versions.beside(v, arrays)
    return inner.structured(results)


class Fresh:
    """Values that stand for one example of each argument; ``varying`` are those of which there is a batch."""

    def __init__(self, lowerer: Lowerer, given: Given) -> None:
        self.lowerer, self.given = lowerer, given
        self.varying: set[Value] = set()
        self.sizes: list[Any] = []

    def of(self, node: Node, axis: Any, path: str) -> Node:
        if axis is not None:
            node = self.opened(node)
        if isinstance(node, Pack):
            parts = axis if isinstance(axis, dict) else dict.fromkeys(node.keys, axis)
            if isinstance(axis, (tuple, list)):
                parts = dict(zip(node.keys, axis, strict=True))
            items = [
                self.of(i, parts[k], f"{path}[{k!r}]")
                for k, i in zip(node.keys, node.items, strict=True)
            ]
            return Pack(node.kind, list(node.keys), items)
        if axis is None:
            return self.given.fresh(node, path.partition("[")[0], False)
        return self.one(node, axis, path)

    def opened(self, node: Node) -> Node:
        whole = self.lowerer.construction.taken_apart(node)
        return whole if isinstance(whole, Pack) else node

    def one(self, node: Node, axis: int, path: str) -> Node:
        """One example of an array."""
        v = self.lowerer.operations.operand(node)
        kind = type_of(v)
        if not isinstance(kind, (Array, Number)) or (isinstance(kind, Array) and kind.dims is None):
            raise UnsupportedOperation(
                f"vmap of `{path}`, of which is not known how many axes it has, in a function that is compiled",
                place=self.lowerer.scope.place(self.given.at),
                fix="make the array in a way that shows its axes, or call vmap outside",
            )
        sizes: list[Any] = []
        one = without(kind, axis, path, sizes)
        if not sizes:
            return self.given.fresh(node, path, False)
        at = sizes[0][1]
        made = Value(getattr(node, "hint", None) or path.partition("[")[0], one)
        self.varying.add(made)
        self.sizes += sizes
        if at:
            v = self.lowerer.operations.apply(np.moveaxis, (v, Const(at), Const(0)), {})
        self.given.operands[made] = self.lowerer.versions.current(v)
        return made


def batch_of(lowerer: Lowerer, function: Function, batch: Batch, at: gast.AST) -> Function:
    """The function of a batch, made once."""
    program = lowerer.scope.program
    key = ("vmap", function, batch.axes, repr(batch.out))
    if key not in program.derived:
        whole = list(reachable(function))
        refuse_unfinished(lowerer, function, whole, at)
        keep_in_order(whole, program.taken)
        for part in whole:
            run(stages.LOWERED, part)
            run(stages.CALLEES, part)
        program.derived[key] = derived(
            function, Request("vmap", (), batch=batch), table_of(program)
        )
        tell_order(program.derived[key][0], 1, least=1)
    (made,) = program.derived[key]
    present = set(program.callees.values())
    for part in reachable(made):
        if part not in present:
            program.callees["derived", part] = part
    return made  # type: ignore[no-any-return]
