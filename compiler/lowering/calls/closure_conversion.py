"""Functions as arguments: what is called becomes a function of the program, its closure explicit."""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.records import dataclass

from ...analyses.shapes.infer import type_of
from ...ir.containers import flatten, leaves
from ...ir.operations import Block, Call, Function, Value, read_in, replace_values, walk
from ...simplify.inline_helpers import inline
from ..interface.lowerer import Lowerer
from ..memory.places import hidden, is_cell
from ..nodes import Environment, Node

__all__ = ["Lifted", "lift"]


@dataclass(frozen=True)
class Lifted:
    """A function of the program, the values it reads around it (its last parameters), its results."""

    function: Function
    free: list[Value]
    kinds: list[Any]  # of the results, with the names that dimensions have here
    tree: Any  # how they are packed
    direct: bool = False  # it is a callee, which has names of its own for dimensions


def lift(
    lowerer: Lowerer,
    fn: Node,
    params: list[Node],
    name: str,
    node: gast.AST,
    named: dict[str, Node] | None = None,
) -> Lifted:
    """``fn(*params, **named)`` as a function of the leaves of its arguments and of what it reads around it."""
    named = named or {}
    own = [v for p in (*params, *named.values()) for v in leaves(p) if isinstance(v, Value)]
    block = lowerer.scope.enter()
    before, outside = versions(lowerer), dict(lowerer.scope.env)
    try:
        result = lowerer.calls.call(fn, params, named, node)
        values, tree = flatten(result)
        block.yields = [
            lowerer.versions.current(lowerer.operations.checked(v, node)) for v in values
        ]
        check_private(lowerer, before, own, node)
        check_containers(lowerer, outside, node)
    finally:
        lowerer.scope.leave()
        lowerer.scope.use(outside)
    kinds = [type_of(y) for y in block.yields]
    direct = only_call(block, own)
    if direct is not None:
        return Lifted(direct.callee, list(direct.args[len(own) :]), kinds, tree, direct=True)
    block.params = own
    made = Function(name, block, tree, lowerer.scope.source)
    made.facts.without_effects()
    free = free_values(block)
    table = {v: copy_of(v) for v in free}
    block.params = own + list(table.values())
    replace_values(block, lambda v: table.get(v, v) if isinstance(v, Value) else v)
    made.names = tuple(str(p.hint) for p in block.params)
    inline(made)
    lowerer.scope.program.callees["lifted", made] = made
    return Lifted(made, free, kinds, tree)


def versions(lowerer: Lowerer) -> dict[str, Any]:
    """The versions of all memories that were written to so far."""
    return {k: v for k, v in lowerer.scope.env.items() if hidden(k)}


def check_private(lowerer: Lowerer, before: Environment, own: list[Value], node: gast.AST) -> None:
    """A function that is called later, or more than once, may write to its own arrays only."""
    outside = [cell for k, cell in lowerer.versions.cells.items() if k in before]
    outside += [lowerer.versions.memory.cells[v] for v in own if v in lowerer.versions.memory.cells]
    for k, held in versions(lowerer).items():
        cell = lowerer.versions.cells[k]
        if before.get(k) is not held and (cell in outside or not made_within(lowerer, cell)):
            raise MutationError(
                "a function that is handed on writes to an array that was not made in it",
                place=lowerer.scope.place(node), fix="write to a copy (`.copy()`)",
            )  # fmt: skip


def check_containers(lowerer: Lowerer, before: Environment, node: gast.AST) -> None:
    """Nor may it write to containers: what they hold would depend on when it is called."""
    if any(is_cell(k) and lowerer.scope.env.get(k) is not content for k, content in before.items()):
        raise MutationError(
            "a function that is handed on writes to a container that was not made in it",
            place=lowerer.scope.place(node), fix="return the new values instead",
        )  # fmt: skip


def made_within(lowerer: Lowerer, cell: Any) -> bool:
    """True if a memory was first made in the block that is being lowered, or in one inside it."""
    born = lowerer.versions.born.get(cell.first)
    return born is not None and born not in lowerer.scope.blocks[:-1]


def only_call(block: Block, own: list[Value]) -> Call | None:
    """The call that is all of a block: of a function with the block's parameters, then what it reads around it."""
    if len(block.ops) != 1 or not isinstance(block.ops[0], Call):
        return None
    call = block.ops[0]
    free = call.args[len(own) :]
    same = list(call.args[: len(own)]) == own and list(block.yields) == list(call.results)
    same = same and all(isinstance(v, Value) and v not in own for v in free)
    return call if same and not call.callee.facts.writes and not call.callee.facts.custom else None


def free_values(block: Block) -> list[Value]:
    inside = set(block.params) | {r for op in walk(block) for r in op.results}
    inside |= {p for op in walk(block) for inner in op.blocks for p in inner.params}
    return [v for v in read_in(block) if v not in inside]


def copy_of(v: Value) -> Value:
    return Value(v.hint, v.type, v.loc)
