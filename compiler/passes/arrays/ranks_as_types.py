"""Ranks that are found out become types, and with them sizes.

Of an argument the ranks are known that its guard lets pass; what operations demand of theirs holds where they run.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ...analyses.ranks.decided import exact
from ...analyses.ranks.inference import Inference, Ranks, TooLong
from ...analyses.ranks.rank_sets import Items, unknown_rank
from ...analyses.ranks.sequences import Sequences
from ...analyses.shapes.infer import infer, type_of
from ...ir.lattice import join, meet
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Function,
    If,
    Loop,
    Operand,
    Try,
    Value,
    With,
    defined_in,
)  # fmt: skip
from ...ir.primitives import Primitive
from ...ir.types import Array, Numeric, Type, array, kind_of, rename

__all__ = ["enter_ranks"]

ROUNDS = 5


def enter_ranks(
    function: Function, known: dict[str, int | Items], floating: frozenset[str] = frozenset()
) -> Function:
    """Give values the ranks that they certainly have, in place; ``floating``: whose items are no whole numbers."""
    given = {p: known[p.hint] for p in function.body.params if p.hint in known}
    asked = Inference()
    try:
        ranks = asked.of(function, given)
    except TooLong:
        return function
    items = kinds_of_items(function, given, floating, asked.sequences)
    for callee, inner in reversed(asked.in_callees().items()):
        Typed(callee, inner, items)
    Typed(function, ranks, items)
    function.facts.sequences = frozenset(
        p.hint or "" for p, k in given.items() if isinstance(k, Items)
    )
    return function


def kinds_of_items(
    function: Function, given: dict[Value, Any], floating: frozenset[str], sequences: Sequences
) -> dict[Value, str]:
    """The least kind of what is read of sequences of numbers."""
    found: dict[Value, str] = {}
    left = [
        (p, "f" if p.hint in floating else "b") for p, k in given.items() if isinstance(k, Items)
    ]
    for whole, kind in left:
        found.update(dict.fromkeys(sequences.items(whole), kind))
        left += [(item, kind) for item in sequences.items(whole)]
    return found


class Typed:
    """The types of a function's values, worked out again."""

    def __init__(self, function: Function, ranks: Ranks, items: dict[Value, str]) -> None:
        self.own: dict[Value, Type] = {}  # what is known in any case
        self.ranks = ranks
        for v in defined_in(function.body):
            rank = exact(ranks.get(v, 0))
            if unknown_rank(v.type) and rank is not None:
                v.type = of_rank(v.type, rank, items.get(v))
            self.own[v] = v.type
        self.block(function.body)

    def block(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Apply):
                self.apply(op)
            elif isinstance(op, Call):
                for result, y in zip(op.results, op.callee.body.yields, strict=False):
                    if may_grow(result.type):
                        self.set(result, rename(type_of(y), lambda name: None))
            elif isinstance(op, If):
                for inner in op.blocks:
                    self.block(inner)
                certain = not isinstance(op, (Try, With))
                ends = zip(op.results, op.then.yields, op.orelse.yields, strict=False)
                for result, a, b in ends if certain else ():
                    self.set(result, join(type_of(a), type_of(b)))
            elif isinstance(op, Loop):
                self.loop(op)

    def apply(self, op: Apply) -> None:
        if isinstance(op.fn, Primitive) or len(op.results) != 1:
            return
        if op.fn in (operator.matmul, np.matmul):
            self.match(*op.args)
        if may_grow(op.result.type):
            args = self.stretched(op) if traits_of(op.fn).elementwise is True else op.args
            self.set(op.result, infer(op.fn, args, op.kwargs))

    def stretched(self, op: Apply) -> tuple[Operand, ...]:
        """The operands, those of unknown rank as what broadcasts to the result."""
        rank = getattr(op.result.type, "rank", None)
        of = Value(None, Array(None, (None,) * (rank or 0)))
        return tuple(
            of if rank and isinstance(a, Value) and unknown_rank(a.type) else a for a in op.args
        )

    def match(self, x: object, y: object) -> None:
        """The sizes that a product needs equal: one that nobody knows is the other."""
        for a, b, i in ((x, y, -1), (y, x, -2)):
            ours, theirs = type_of(a), type_of(b)
            if not (
                isinstance(ours, Array) and isinstance(theirs, Array) and ours.dims and theirs.dims
            ):
                continue
            at = max(i, -len(ours.dims))
            other = theirs.dims[max(-3 - i, -len(theirs.dims))]
            if ours.dims[at] is None and other is not None and isinstance(a, Value):
                dims = list(ours.dims)
                dims[at] = other
                a.type = ours.with_dims(tuple(dims))

    def loop(self, op: Loop) -> None:
        carried = list(zip(op.carried, op.inits, op.body.yields, op.results, strict=False))
        carried = carried[: len(op.inits)]
        grown = [row for row in carried if may_grow(self.own.get(row[0], row[0].type))]
        for p, init, _, _ in grown:
            self.set(p, type_of(init))
        for _ in range(ROUNDS):
            self.block(op.body)
            ends = [join(type_of(init), type_of(y)) for _, init, y, _ in grown]
            stays = True
            for (p, *_), kind in zip(grown, ends, strict=True):
                before = p.type
                self.set(p, kind)
                stays = stays and p.type == before
            if stays:
                break
        else:
            for p, *_ in grown:
                p.type = self.own[p]
            self.block(op.body)
        for _, init, y, result in carried:
            self.set(result, join(type_of(init), type_of(y)))

    def set(self, v: Value, kind: Type) -> None:
        """What is found of a value, and what was known of it before."""
        own = self.own.get(v, v.type)
        if may_grow(own):
            v.type = either(kind, own)


def either(found: Type, own: Type) -> Type:
    if not isinstance(found, Array):
        return own
    if (
        isinstance(own, Array)
        and own.dims is not None
        and found.dims is not None
        and len(own.dims) != len(found.dims)
    ):
        return own
    return meet(found, own) if isinstance(own, Array) else own


def may_grow(kind: Type) -> bool:
    """True of the type of an array of which not every size is known."""
    return isinstance(kind, Array) and (kind.dims is None or None in kind.dims)


def of_rank(kind: Type, rank: int, least: str | None) -> Array:
    dtype = kind.dtype if isinstance(kind, (Array, Numeric)) else None
    if kind is None and least is not None:
        return array("f", (None,) * rank, "f", least)
    of = np.dtype(dtype).kind if dtype else kind_of(kind)
    return Array(None if isinstance(kind, Numeric) else dtype, (None,) * rank, of)
