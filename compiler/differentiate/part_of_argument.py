"""Differentiation with respect to part of an argument, which becomes a parameter of its own for a while.

``{'w': w, 'n': n}`` differentiated with respect to ``['w']``: the derivative is that of a function of
``w``, which is read from its container when all is done.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from typing import Any

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.records import dataclass, field

from ..analyses.activity import carriers, is_differentiable
from ..analyses.aliasing.read_write_order import is_store
from ..ir.argument_path import Field, Place, part_name, spelled
from ..ir.operations import (
    Apply,
    Block,
    Const,
    Function,
    Op,
    Value,
    replace_values,
    values_in,
    values_read,
    walk,
)
from ..ir.types import Tree

__all__ = ["Focus", "all_blocks", "focused", "paths_to"]


def paths_to(places: Sequence[Place], fn: Any) -> set[Any]:
    """The containers around these places, as (parameter, keys)."""

    names = list(own_signature(fn).parameters)
    return {
        (names[place.at], tuple(map(plain, place.keys[:k])))
        for place in places
        if place.at < len(names)
        for k in range(len(place.keys))
    }


def plain(key: Any) -> Any:
    return str(key) if isinstance(key, Field) else key


@dataclass
class Focus:
    """The function with its parts as parameters, and what is differentiated."""

    function: Function
    wrt: list[Value]
    reads: list[Apply] = field(default_factory=list)  # how the last parameters are read

    def restore(self, body: Block) -> None:
        """Read the parts at the beginning of a copy of the function's body."""
        n = len(self.function.body.params)
        first = n - sum(op.result in self.function.body.params for op in self.reads)
        table: dict[Value, Value] = dict(
            zip(self.function.body.params[:first], body.params[:first], strict=True)
        )
        table |= dict(zip(self.function.body.params[first:], body.params[first:n], strict=True))
        made: list[Op] = []
        for op in self.reads:
            result = table.setdefault(op.result, Value(op.result.hint, op.result.type))
            key = op.args[1]
            key = table[key] if isinstance(key, Value) else key  # an argument that picks entries
            made.append(Apply([result], op.loc, op.fn, (table[op.args[0]], key), {}, op.effect))
        body.params[first:n] = []
        body.ops[:0] = made


def focused(function: Function, places: Sequence[Place]) -> Focus:
    """The function as one of what stands at ``places``."""
    if not any(place.keys for place in places):
        return Focus(function, [function.body.params[p.at] for p in places])
    params = list(function.body.params)
    reads: list[Apply] = []
    wrt = []
    for place in places:
        base = params[place.at]
        for k, key in enumerate(place.keys):
            found = read_of(function, base, key, place, k)
            if found not in reads:
                reads.append(found)
            base = found.result
        wrt.append(base)
    leaves = [v for v in wrt if v not in params]
    body = Block([*params, *leaves], list(function.body.ops), list(function.body.yields))
    body.ops = [op for op in body.ops if not (op in reads and op.results[0] in leaves)]
    made = Function(
        function.name, body, function.tree, function.source, function.names,
        dict(function.defaults), dict(function.captures), function.doc, function.facts.copy(),
    )  # fmt: skip
    return Focus(made, wrt, reads)


def read_of(function: Function, base: Value, key: Any, place: Place, depth: int) -> Apply:
    """The one operation that reads this part; everything else must leave it alone."""
    reads = [op for op in walk(function.body) if isinstance(op, Apply) and reads_key(op, base, key)]
    first = reads[0] if reads else made_read(base, key)
    first.result.hint = first.result.hint or part_name(base.hint or "part", plain(key))
    for other in reads[1:]:
        same = {other.result: first.result}
        replace_values(function.body, lambda v, same=same: same.get(v, v))  # type: ignore[misc]
    if first not in function.body.ops:
        function.body.ops.insert(0, first)
    yields = [y for block in all_blocks(function.body) for y in block.yields]
    read = {v for op in walk(function.body) for v in values_read(op)}
    read |= set(values_in(yields))
    for op in walk(function.body):
        seen = base in values_read(op)
        if seen and not (harmless(op, base, key) or is_check(op, read)):
            refuse_whole(function, op, place, depth)
    if base in values_in(yields):
        refuse_whole(function, None, place, depth)
    return first


def made_read(base: Value, key: Any) -> Apply:
    fn = builtins.getattr if isinstance(key, Field) else operator.getitem
    return Apply([Value()], None, fn, (base, Const(plain(key))))


def reads_key(op: Apply, base: Value, key: Any) -> bool:
    return is_part(op, base) and op.args[1].value == plain(key)


def is_part(op: Op, base: Value) -> bool:
    """True if an operation reads a part of ``base`` that is known."""
    return (
        isinstance(op, Apply)
        and op.fn in (operator.getitem, builtins.getattr)
        and op.args[0] is base
        and isinstance(op.args[1], Const)
        and type(op.args[1].value) in (int, str)
    )


def harmless(op: Op, base: Value, key: Any) -> bool:
    """True if an operation does not look at the part, or not so that its derivative counts."""
    if is_part(op, base):
        kind = base.type
        return isinstance(kind, Tree) or not isinstance(op.args[1].value, int) or key >= 0  # type: ignore[attr-defined]
    if is_store(op) or not isinstance(op, Apply):
        return is_store(op)
    return base not in values_in(carriers(op)) or not is_differentiable(op)


def is_check(op: Op, read: set[Value]) -> bool:
    """True if an operation only looks: a check at run time, ``print``."""
    return isinstance(op, Apply) and op.effect and not read & set(op.results)


def all_blocks(block: Block) -> list[Block]:
    return [block, *(inner for op in walk(block) for inner in op.blocks)]


def refuse_whole(function: Function, op: Op | None, place: Place, depth: int) -> None:
    names = function.names
    line = op.loc if op is not None else None
    raise UnsupportedSyntax(
        f"`{names[place.at]}{spelled(place.keys[:depth])}` is used as a whole, and it is not known "
        f"what it holds beside `{place.text(names)}`",
        place=None if function.source is None else function.source.place(line),
        fix="describe the arguments (sig=...), or pass the part as an argument of its own",
    )
