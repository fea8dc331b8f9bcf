"""Arguments of which a function reads nothing but the entries that another argument picks.

``cameras[seen_by]`` is a value of each observation's own.  The derivative by it has a block for each observation, and
few rows to a block; by ``cameras`` rows meet wherever two observations have the same camera.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

from ...analyses.activity import carriers, is_differentiable
from ...ir.operations import (
    Apply,
    Block,
    Function,
    Op,
    Value,
    replace_values,
    values_in,
    values_read,
    walk,
)
from ...ir.types import Array
from ...simplify.builder import clone_function
from ..part_of_argument import Focus, all_blocks

__all__ = ["gathered", "index_of"]


def index_of(function: Function, position: int) -> int | None:
    """The position of the argument that picks what is read of another one; None if more is read, or less."""
    found = reads_of(function, function.body.params[position])
    return None if found is None else function.body.params.index(found[0].args[1])


def reads_of(function: Function, base: Value) -> list[Apply] | None:
    """The reads of the entries that one argument picks, if there is no other use."""
    reads: list[Apply] = []
    for op in walk(function.body):
        if base not in values_read(op):
            continue
        if is_gather(op, base, function.body.params) and op in function.body.ops:
            assert isinstance(op, Apply)
            reads.append(op)
        elif not looks_only(op, base):
            return None
    yields = [y for block in all_blocks(function.body) for y in block.yields]
    if (
        not reads
        or base in values_in(yields)
        or any(r.args[1] is not reads[0].args[1] for r in reads)
    ):
        return None
    return reads


def is_gather(op: Op, base: Value, params: Sequence[Value]) -> bool:
    if not isinstance(op, Apply) or op.fn is not operator.getitem or op.args[0] is not base:
        return False
    index, kind = op.args[1], base.type
    return (
        isinstance(index, Value)
        and index in params
        and isinstance(index.type, Array)
        and index.type.kind == "i"
        and isinstance(kind, Array)
    )


def looks_only(op: Op, base: Value) -> bool:
    """True if an operation's derivative does not count."""
    return isinstance(op, Apply) and (
        base not in values_in(carriers(op)) or not is_differentiable(op)
    )


def gathered(function: Function, positions: Sequence[int]) -> Focus:
    """The function as one of the entries that are picked, and of the arguments that are read as they are."""
    made = clone_function(function)
    params, reads, wrt = list(made.body.params), [], []
    for position in positions:
        base = params[position]
        found = reads_of(made, base)
        if found is None:
            wrt.append(base)
            continue
        first, *others = found
        first.result.hint = first.result.hint or f"{base.hint}_of_{first.args[1].hint}"  # type: ignore[union-attr]
        made.body.ops = [op for op in made.body.ops if op not in found]
        same = {other.result: first.result for other in others}
        replace_values(made.body, lambda v, same=same: same.get(v, v))  # type: ignore[misc]
        reads.append(first)
        wrt.append(first.result)
    leaves = [op.result for op in reads]
    made.body = Block([*params, *leaves], made.body.ops, made.body.yields)
    return Focus(made, wrt, reads)
