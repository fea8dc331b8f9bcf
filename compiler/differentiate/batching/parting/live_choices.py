"""Which loops and branches that part the examples run for several of them at once: see `live_sets`.

A loop qualifies if all that it carries are numbers and arrays of known types, and if nothing in it has an effect or
draws random numbers: the examples take turns, iteration by iteration.  All others run for one example after the other.
"""

from __future__ import annotations

import builtins
import operator
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ....analyses.random_numbers import is_draw
from ....analyses.shapes.infer import type_of
from ....ir.operand_constants import constants_in
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
    reachable,
    values_in,
    walk,
)
from ....ir.primitives import BUNDLE, UNPACK, Primitive
from ....ir.size_names import UNKNOWN_SIZE
from ....ir.types import Array, Dim, Number, Tree, dtype_of
from ....passes.redundancy.unify_dimensions import equal_sizes, every_value, find, renamed

if TYPE_CHECKING:
    from ..example_flow import ExampleFlow

__all__ = [
    "exact_dtypes",
    "held_stacks",
    "is_late",
    "is_missing",
    "made_in",
    "may_live",
    "may_part",
    "read_in_order",
    "settle",
    "stands_still",
    "values_read",
]

NONE = Const(None)


def read_in_order(function: Function) -> None:
    """``for k in range(len(xs)): x = xs[k]`` goes over the list, where examples may part in the loop that made it."""
    loops = [op for op in walk(function.body) if isinstance(op, Loop)]
    made = {s for op in loops if op.cond is not None or op.stops for s in op.stacks}
    lengths = {
        op.result: op.args[0]
        for op in walk(function.body)
        if isinstance(op, Apply) and op.fn is builtins.len and op.args[0] in made
    }
    for op in loops:
        low, high, step = op.bounds or (NONE, NONE, NONE)
        stack = lengths.get(high) if isinstance(high, Value) else None
        if stack is None or not is_number(low, 0) or not is_number(step, 1):
            continue
        for read in [o for o in op.body.ops if reads_item(o, stack, op.index)]:
            op.body.ops.remove(read)
            op.feed(stack, op.backwards, read.results[0])


def reads_item(op: Op, stack: Value, index: Value | None) -> bool:
    return isinstance(op, Apply) and op.fn is operator.getitem and op.args == (stack, index)


def held_stacks(function: Function) -> set[Value]:
    """The values that anything reads, but for the stacks that loops go over, and the lengths where these end."""
    held = set(values_in(function.body.yields))
    lengths: dict[Value, Value] = {}
    for op in walk(function.body):
        if isinstance(op, Apply) and op.fn is builtins.len and isinstance(op.args[0], Value):
            lengths[op.result] = op.args[0]
        else:
            held.update(values_in(other_operands(op, lengths)))
        held.update(v for region in op.blocks for v in values_in(region.yields))
    return held


def other_operands(op: Op, lengths: dict[Value, Value]) -> list[Operand]:
    """What an operation reads, but for the stacks that a loop goes over, and their length."""
    if not isinstance(op, Loop):
        return operands_of(op)
    low, high, step = op.bounds or (NONE, NONE, NONE)
    whole = is_number(low, 0) and is_number(step, 1)
    if whole and isinstance(high, Value) and lengths.get(high) in [stack for stack, _ in op.feeds]:
        high = NONE
    return [*op.inits, low, high, step, *op.starts.values()]


def is_number(x: Operand, n: int) -> bool:
    return isinstance(x, Const) and type(x.value) is int and x.value == n


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
        return not op.asks
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
    """True if whole numbers are multiplied in a loop: Python's do not overflow, those in arrays do."""
    return any(
        isinstance(inner, Apply)
        and traits_of(inner.fn).sign in ("*", "**", "<<", "@")
        and is_whole(inner.results)
        for inner in walk(op.body)
    )


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


# -- the types of what is carried ---------------------------------------------------------------


def settle(function: Function) -> dict[Loop, set[int]]:
    """Which of the values that loops carry remain as large as they are, or an iteration would fail.

    Their sizes have one name from then on.
    """
    loops = [op for op in walk(function.body) if type(op) is Loop]
    makers = {stack: op for op in loops for stack in op.stacks}
    found: dict[Loop, set[int]] = {}
    for op in [*loops, *reversed(loops)]:
        before = [makers[stack].body for stack, _ in op.feeds if stack in makers]
        run = [*dict.fromkeys(before), op.body]
        if op.cond is not None or op.stops:
            function.facts.same = function.facts.same | (same := demanded(op, run))
            rename(function, same)
        found[op], same = kept_sizes(op, run)
        rename(function, same)
    return found


def rename(function: Function, same: dict[str, str]) -> None:
    """Give sizes that are equal one name."""
    if same:
        pattern = re.compile("|".join(re.escape(name) + r"(?!\d)" for name in same))
        for v in every_value(function):
            v.type = renamed(v.type, pattern, same)


def demanded(op: Loop, run: list[Block]) -> dict[str, str]:
    """The sizes of arguments that an iteration needs equal, or that have to be for what is carried to remain as large."""
    found: dict[str, str] = {}
    for inner in op.body.ops:
        for a, b in equal_sizes(inner) if isinstance(inner, Apply) else ():
            if by_demand(a, b):
                join_names(found, a, b)
    same = equal_names(op, set(range(len(op.inits))), run) | found
    for init, value in zip(op.inits, op.body.yields, strict=False):
        start, end = type_of(init), type_of(value)
        if are_equal(same, start, end, by_demand):
            for m, n in zip(start.dims, end.dims, strict=True):  # type: ignore[union-attr,arg-type]
                if not one_name(same, m, n):
                    join_names(found, m, n)
    return found


def by_demand(m: Any, n: Any) -> bool:
    """True for two sizes of arguments that are not 1."""
    return all(isinstance(d, Dim) and d.above_one and d.name.isidentifier() for d in (m, n))


def one_name(same: dict[str, str], m: Any, n: Any) -> bool:
    dims = isinstance(m, Dim) and isinstance(n, Dim)
    return m == n or (dims and find(same, m.name) == find(same, n.name))


def kept_sizes(op: Loop, run: list[Block]) -> tuple[set[int], dict[str, str]]:
    """The places of what remains as large as it is; the names of sizes that nobody knew, and what they are.

    ``run`` are the regions that have run where an iteration has: its own, and those of loops whose stacks it reads.
    """
    ends = list(zip(op.inits, op.body.yields, strict=False))
    kept = {k for k, pair in enumerate(ends) if all(isinstance(type_of(x), Array) for x in pair)}
    while True:
        same = equal_names(op, kept, run)
        still = {k for k in kept if are_equal(same, *map(type_of, ends[k]))}
        if still == kept:
            break
        kept = still
    names: dict[str, str] = {}
    for inner in op.body.ops:
        if type(inner) is If:
            for r, a in merged(same, inner):
                enter(names, r.type, type_of(a))
    for k in kept:
        for v in (op.carried[k], op.results[k], *([op.cond.params[k]] if op.cond else [])):
            enter(names, v.type, type_of(op.inits[k]))
    return kept, {name: find(names, new) for name, new in names.items()}


def enter(names: dict[str, str], unknown: Any, known: Any) -> None:
    """Note what sizes are that have no name of the user's."""
    if not isinstance(unknown, Array) or not isinstance(known, Array):
        return
    for m, n in zip(unknown.dims or (), known.dims or (), strict=False):
        if isinstance(m, Dim) and isinstance(n, Dim):
            first, second = find(names, m.name), find(names, n.name)
            if first != second and UNKNOWN_SIZE.fullmatch(first):
                names[first] = second


def equal_names(op: Loop, kept: set[int], run: list[Block]) -> dict[str, str]:
    """The sizes that an iteration needs equal, if what is ``kept`` begins as large as it began."""
    same: dict[str, str] = {}
    for k in kept:
        join_all(same, type_of(op.inits[k]), op.carried[k].type)
    for inner in (inner for block in run for inner in block.ops):
        if isinstance(inner, Apply):
            for a, b in equal_sizes(inner):
                join_names(same, a, b)
        elif type(inner) is If:
            for r, a in merged(same, inner):
                join_all(same, type_of(a), r.type)
    return same


def merged(same: dict[str, str], op: If) -> list[tuple[Value, Operand]]:
    """The results of a branch of which both sides are as large, with that of one side."""
    ends = zip(op.results, op.then.yields, op.orelse.yields, strict=True)
    return [(r, a) for r, a, b in ends if are_equal(same, type_of(a), type_of(b))]


def are_equal(same: dict[str, str], a: Any, b: Any, also: Any = None) -> bool:
    """True if two arrays have the same sizes, though by several names."""
    if not (isinstance(a, Array) and isinstance(b, Array)) or a.dims is None or b.dims is None:
        return False
    if len(a.dims) != len(b.dims) or None in a.dims + b.dims:
        return False
    pairs = zip(a.dims, b.dims, strict=True)
    return all(one_name(same, m, n) or (also is not None and also(m, n)) for m, n in pairs)


def join_all(same: dict[str, str], a: Any, b: Any) -> None:
    if isinstance(a, Array) and isinstance(b, Array):
        for m, n in zip(a.dims or (), b.dims or (), strict=False):
            join_names(same, m, n)


def join_names(same: dict[str, str], a: Any, b: Any) -> None:
    if isinstance(a, Dim) and isinstance(b, Dim):
        first, second = find(same, a.name), find(same, b.name)
        if first != second:
            same[second] = first


def exact_dtypes(function: Function) -> bool:
    """True if all fractions of a program are float64 and complex128, and all whole numbers int64."""
    for f in reachable(function):
        ops = [*walk(f.body)]
        values = [*f.body.params, *(v for op in ops for v in op.results)]
        if not all(map(is_wide, (v.type for v in values))):
            return False
        if any(p.type is None for p in f.body.params):
            return False
        if any(names_dtype(c.value) for op in ops for c in constants_in(operands_of(op))):
            return False
    return True


def is_wide(kind: Any) -> bool:
    if isinstance(kind, Tree):
        return all(map(is_wide, kind.items))
    return not isinstance(kind, Array) or kind.dtype in (
        None,
        "float64",
        "complex128",
        "int64",
        "bool",
    )


def names_dtype(x: Any) -> bool:
    """True for what says a dtype that is narrower, or may be."""
    if isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic)):
        return np.dtype(x).name not in ("float64", "complex128", "int64", "bool")
    if isinstance(x, (np.generic, np.ndarray)):
        return x.dtype.name not in ("float64", "complex128", "int64", "bool")
    return isinstance(x, str)


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
