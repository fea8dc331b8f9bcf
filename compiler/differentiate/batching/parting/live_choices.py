"""Which loops and branches that part the examples run for several of them at once: see `live_sets`.

A loop qualifies if all that it carries are numbers and arrays of known types, and if nothing in it has an effect or
draws random numbers: the examples take turns, iteration by iteration.  All others run for one example after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ....analyses.random_numbers import is_draw
from ....analyses.shapes.infer import type_of
from ....ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)
from ....ir.primitives import BUNDLE, UNPACK, Primitive
from ....ir.types import Array, Number, Tree, dtype_of

if TYPE_CHECKING:
    from ..example_flow import ExampleFlow

__all__ = [
    "is_late",
    "is_missing",
    "made_in",
    "may_live",
    "may_part",
    "stands_still",
    "values_read",
]


def may_live(flow: ExampleFlow, op: Loop) -> bool:
    """True if a loop may go on with those examples that are not done."""
    if type(op) is not Loop or (op.asks and not op.feeds) or op.snapshots or op.starts:
        return False
    if not flow.held.isdisjoint(op.stacks) or not may_count(flow, op) or not may_feed(flow, op):
        return False
    if not is_harmless(op.blocks, set()) or not flow.apart.isdisjoint(inside(op)):
        return False
    return all(may_carry_one(flow, op, k) for k in range(len(op.inits))) and reads_arrays(flow, op)


def may_count(flow: ExampleFlow, op: Loop) -> bool:
    """True if a loop is counted for all examples alike, or up to a number that varies."""
    if op.bounds is None:
        return True
    low, high, step = op.bounds
    if flow.has([low, step]):
        return False
    if not flow.has(high):
        return True
    return isinstance(step, Const) and type(step.value) is int and step.value > 0


def may_feed(flow: ExampleFlow, op: Loop) -> bool:
    """True if the stacks that a loop reads are all of one loop with live sets, or none is."""
    sources = {
        flow.ragged.get(stack) if isinstance(stack, Value) else None for stack, _ in op.feeds
    }
    if sources <= {None}:
        return not op.asks and all(is_structure(e.type) for e in op.elements if e in flow.on)
    ends = [op.stop, *(op.cond.yields if op.cond is not None else [])]
    return len(sources) == 1 and len({flip for _, flip in op.feeds}) == 1 and not flow.has(ends)


def is_late(op: Loop, ragged: dict[Value, Loop], late: set[Op]) -> bool:
    """True if examples enter a loop at several iterations: backwards, those that left last come first."""
    for stack, flip in op.feeds:
        if stack in ragged:
            return flip != (ragged[stack] in late)
    return op.backwards


def may_carry_one(flow: ExampleFlow, op: Loop, k: int) -> bool:
    """True if a carried value of the examples can lie in one array."""
    init, param, value, result = op.inits[k], op.carried[k], op.body.yields[k], op.results[k]
    if value is param:
        return not flow.has(param) or is_array(flow.exact(param.type))
    if param not in flow.on and result not in flow.reads:
        return True
    ends = [x for x in (init, value) if not is_missing(x)]
    kind = flow.exact(param.type if len(ends) == 2 else result.type)
    if not is_array(kind) or not all(fits(flow.exact(type_of(x)), kind) for x in ends):
        return False
    if len(ends) < 2:
        return result.absent and has_room(kind) and all(same_dims(type_of(x), kind) for x in ends)
    if not rank_0(kind) and k not in flow.settled[op]:
        return False
    return not (isinstance(kind, Number) and kind.kind == "i" and param in flow.on and grows(op))


def same_dims(a: Any, b: Any) -> bool:
    return (a.dims or ()) == (b.dims or ())


def grows(op: Loop) -> bool:
    """True if whole numbers are multiplied in a loop, or added to one another: Python's do not overflow, those in arrays do."""
    return any(
        isinstance(inner, Apply) and is_whole(inner.results) and may_grow(inner)
        for inner in walk(op.body)
    )


def may_grow(op: Apply) -> bool:
    sign = traits_of(op.fn).sign
    counts = any(isinstance(x, Const) for x in op.args)
    return sign in ("*", "**", "<<", "@") or (sign in ("+", "-") and not counts)


def is_whole(results: list[Value]) -> bool:
    return any(isinstance(r.type, Number) and r.type.kind == "i" for r in results)


def is_array(kind: Any) -> bool:
    """True for a number, or an array of which dtype and dimensions are known."""
    if isinstance(kind, Number):
        return True
    if not isinstance(kind, Array) or kind.dims is None or None in kind.dims:
        return False
    return kind.dtype is not None


def has_room(kind: Any) -> bool:
    """True if memory for values of a type can be made without one of them."""
    return is_array(kind) and all(isinstance(n, int) for n in kind.dims or ())


def fits(found: Any, wanted: Any) -> bool:
    """True if values of one type can be written where those of another are."""
    if not isinstance(found, (Array, Number)) or rank_0(found) != rank_0(wanted):
        return False
    a, b = dtype_of(found), dtype_of(wanted)
    return a is not None and b is not None and np.can_cast(a, b)


def rank_0(kind: Any) -> bool:
    return isinstance(kind, Number) or kind.dims == ()


def is_missing(x: Operand) -> bool:
    return x is UNDEFINED or (isinstance(x, Const) and x.value is None)


def stands_still(op: Loop, k: int) -> bool:
    """True if a carried value remains what it is."""
    return op.body.yields[k] is op.carried[k]


def may_part(flow: ExampleFlow, op: If) -> bool:
    """True if each side of a branch may run for those examples that take it."""
    cond = type_of(op.cond)
    if type(op) is not If or not rank_known_0(cond) or not is_harmless(op.blocks, set()):
        return False
    if not flow.apart.isdisjoint(inside(op)) or not reads_arrays(flow, op):
        return False
    ends = zip(op.results, op.then.yields, op.orelse.yields, strict=True)
    return all(may_merge(flow, op, *end) for end in ends)


def rank_known_0(kind: Any) -> bool:
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())


def may_merge(flow: ExampleFlow, op: If, result: Value, a: Operand, b: Operand) -> bool:
    if result not in flow.reads:
        return True
    kind = flow.exact(result.type)
    ends = [x for x in (a, b) if not is_missing(x)]
    if len(ends) < 2:
        if not ends or not result.absent:
            return False
        kind = flow.exact(type_of(ends[0]))
    if not is_array(kind) or not all(fits(flow.exact(type_of(x)), kind) for x in ends):
        return False
    if not all(same_dims(type_of(x), kind) for x in ends):
        return False
    made = made_in(op)
    return has_room(kind) or any(isinstance(x, Value) and x not in made for x in ends)


def made_in(op: Op) -> set[Value]:
    return {r for region in op.blocks for inner in walk(region) for r in inner.results}


# -- what runs in it ---------------------------------------------------------------------------


def inside(op: Op) -> set[Op]:
    return {inner for region in op.blocks for inner in walk(region)}


def is_harmless(blocks: list[Block], seen: set[Function]) -> bool:
    """True if nobody sees in which order the examples run."""
    return all(is_harmless_op(op, seen) for block in blocks for op in walk(block))


def is_harmless_op(op: Op, seen: set[Function]) -> bool:
    if isinstance(op, Call):
        if op.callee.facts.writes or op.callee.facts.updates:
            return False
        if op.callee in seen:
            return True
        seen.add(op.callee)
        return is_harmless([op.callee.body], seen)
    if isinstance(op, Apply):
        plain = not isinstance(op.fn, Primitive) or op.fn in (BUNDLE, UNPACK)
        return plain and not op.effect and not is_draw(op.fn) and op.kwargs.get("out") is None
    return type(op) in (If, Loop) and not (isinstance(op, Loop) and bool(op.snapshots))


def reads_arrays(flow: ExampleFlow, op: Op) -> bool:
    """True if what the regions read of the examples are arrays, or containers of known structure."""
    made = made_in(op) | {p for region in regions(op) for p in region.params}
    for v in values_read(op):
        if v in flow.listed or (v in flow.lacking and v not in flow.filled and v not in made):
            return False
        if v not in made and v in flow.on and not is_structure(v.type):
            return False
    return True


def regions(op: Op) -> Iterator[Block]:
    for region in op.blocks:
        yield region
        for inner in walk(region):
            yield from inner.blocks


def values_read(op: Op) -> list[Value]:
    """What the regions of an operation read, each once."""
    found: dict[Value, None] = {}
    for region in regions(op):
        for inner in region.ops:
            found.update(dict.fromkeys(values_in(operands_of(inner))))
        found.update(dict.fromkeys(values_in(region.yields)))
    return list(found)


def is_structure(kind: Any) -> bool:
    if isinstance(kind, Tree):
        return kind.container in ("tuple", "list", "dict") and all(map(is_structure, kind.items))
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.rank is not None)
