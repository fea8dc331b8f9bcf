"""The user's marks to recompute rather than keep: `checkpointed` loops, `checkpoint` in place."""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.checkpointing.marks import checkpoint, checkpointed
from retrograd.runtime.errors import UnsupportedSyntax

from ...ir.containers import Pack
from ...ir.operations import Const, Function, Loop, Op
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["ask", "ask_loops", "asked", "in_place", "is_count", "not_unrolled"]


def asked(lowerer: Lowerer, node: gast.AST) -> tuple[Any, int]:
    """The head of a loop, and how many of its states may be kept (0: all).

    ``rg.checkpointed(range(n), snapshots=32)``  ->  ``range(n)``, 32
    """
    if not isinstance(node, gast.Call) or not is_name(node.func):
        return node, 0
    fn = lowerer.expression(node.func)
    if not isinstance(fn, Const) or fn.value is not checkpointed:
        return node, 0
    given = {k.arg: k.value for k in node.keywords}
    if len(node.args) != 1 or set(given) != {"snapshots"}:
        raise refusal(lowerer, node, "`checkpointed` takes one loop, and `snapshots=`")
    count = lowerer.expression(given["snapshots"])
    if not isinstance(count, Const) or not is_count(count.value):
        raise refusal(
            lowerer, given["snapshots"], "`snapshots` is not a positive number known here"
        )
    return node.args[0], count.value


def is_name(node: gast.AST) -> bool:
    return isinstance(node, gast.Name) or (isinstance(node, gast.Attribute) and is_name(node.value))


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def in_place(lowerer: Lowerer, fn: Any, args: list[Any], node: gast.AST) -> Const:
    """``rg.checkpoint(helper)`` where it is called; `checkpointed` anywhere but in the head of a loop."""
    if fn is checkpointed:
        raise refusal(lowerer, node, "`checkpointed` stands in the head of a `for` or `while` only")
    if len(args) != 1 or not isinstance(args[0], Const) or not callable(args[0].value):
        raise refusal(lowerer, node, "`checkpoint` takes a function defined at module level")
    return Const(checkpoint(args[0].value), args[0].text)


def refusal(lowerer: Lowerer, node: gast.AST, reason: str) -> UnsupportedSyntax:
    return UnsupportedSyntax(
        reason, place=lowerer.scope.place(node),
        fix="for i in rg.checkpointed(range(n), snapshots=32): ..., or @rg.checkpoint on a function",
    )  # fmt: skip


def not_unrolled(lowerer: Lowerer, node: gast.AST, snapshots: int, iterable: Node) -> None:
    """A loop over a literal container is written out: it has no states to choose from."""
    if snapshots and isinstance(iterable, Pack):
        raise refusal(lowerer, node, "a loop over a literal container has no states to keep")


def ask(function: Function, snapshots: int) -> Function:
    """Let, in place, the outermost loops that do not say it themselves keep this many states."""
    ask_loops(function.body.ops, snapshots)
    return function


def ask_loops(ops: list[Op], snapshots: int) -> None:
    """The same for some operations."""
    pending = list(ops)
    for op in pending:
        if isinstance(op, Loop):
            op.snapshots = op.snapshots or snapshots
        else:
            pending += [inner for block in op.blocks for inner in block.ops]
