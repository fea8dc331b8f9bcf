"""The text of a rule as operations: lowered once for each kind of operands, then copied."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.records import dataclass

from ..frontend.source import source_of
from ..ir.containers import Pack, rebuild
from ..ir.operations import Apply, Block, Const, Operand, Value, map_operand
from ..ir.types import Number
from .attempt import Attempt
from .lowerer import Lowerer
from .nodes import Environment, Listed, Node, Ref
from .program import Program

__all__ = ["lower_text"]

RULES = Program()
LOWERED: dict[Any, Lowered] = {}
MOST = 1024  # texts that are remembered
ANY = Number("f")
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


@dataclass(frozen=True)
class Lowered:
    """A text over placeholders for the values it is given, in the order of the key."""

    given: tuple[Value, ...]
    ops: tuple[Apply, ...]
    result: Any

    def copied(self, values: list[Operand]) -> tuple[list[Apply], Any]:
        """The operations over these values, their results new."""
        table: dict[Value, Operand] = dict(zip(self.given, values, strict=True))

        def change(v: Any) -> Any:
            return table.get(v, v) if isinstance(v, Value) else v

        made = []
        for op in self.ops:
            args = tuple([map_operand(a, change) for a in op.args])
            kwargs = {k: map_operand(a, change) for k, a in op.kwargs.items()}
            results = [Value(None, result.type, result.loc) for result in op.results]
            table.update(zip(op.results, results, strict=True))
            made.append(Apply(results, op.loc, op.fn, args, kwargs, op.effect, op.style))
        return made, map_node(self.result, change)


class Described:
    """The operands as the lowering of a text knows them: a key, and the values behind it."""

    def __init__(self) -> None:
        self.values: dict[Any, int] = {}
        self.lasting = True  # equal keys will mean equal operands later, too

    def of(self, node: Node) -> Any:
        if isinstance(node, Value):
            return (self.values.setdefault(node, len(self.values)), node.type)
        if isinstance(node, Const) and is_any_number(node):
            return (self.values.setdefault(node, len(self.values)), ANY)
        if isinstance(node, Const):
            return (self.literal(node.value), node.text)
        if isinstance(node, Pack):
            self.lasting &= node.cell is None and node.live is None and not node.steady
            return (node.kind, *node.keys, *map(self.of, node.items))
        if isinstance(node, slice):
            return (slice, self.of(node.start), self.of(node.stop), self.of(node.step))
        if isinstance(node, (tuple, list)):
            return (type(node), *map(self.of, node))
        return self.literal(node)

    def literal(self, value: Any) -> Any:
        if isinstance(value, (type, np.dtype)):
            return (type(value), value)
        self.lasting &= type(value) in PLAIN  # an object of a subclass is one of the user's
        return (type(value), repr(value) if self.lasting else None)


def lower_text(function: Callable[..., Any], env: Environment) -> tuple[list[Apply], Any]:
    """The operations of a rule's body with its parameters bound, and the node it returns.

    What a rule of the book becomes depends on what is known of its operands, and on nothing else;
    a rule of the user's may read names of its module.
    """
    if not str(function.__module__).startswith(RUNTIME):
        return plainly(function, env)
    described = Described()
    key = (function, *((name, described.of(node)) for name, node in env.items()))
    if not described.lasting:
        return plainly(function, env)
    known = LOWERED.get(key)
    if known is None:
        if len(LOWERED) >= MOST:
            LOWERED.clear()
        stand = {v: placeholder(v) for v in described.values}
        change = lambda v: stand.get(v, v) if isinstance(v, (Value, Const)) else v  # noqa: E731
        ops, result = plainly(function, {k: map_node(n, change) for k, n in env.items()})
        known = LOWERED[key] = Lowered(tuple(stand.values()), tuple(ops), result)
    return known.copied(list(described.values))


def is_any_number(node: Const) -> bool:
    """True if a literal is a number like any other: of those that are whole, the text of a rule may make more."""
    value = node.value
    return node.text is None and type(value) is float and isfinite(value) and value % 1 != 0


def placeholder(given: Any) -> Value:
    return Value(given.hint, given.type) if isinstance(given, Value) else Value(None, ANY)


def map_node(node: Node, change: Callable[[Any], Any]) -> Any:
    """A node (or an operand) with its values changed."""
    return rebuild(node, lambda operand: map_operand(operand, change))


def plainly(function: Callable[..., Any], env: Environment) -> tuple[list[Apply], Any]:
    """The same, lowered for these operands only."""
    RULES.attempt = Attempt()
    lowerer = Lowerer(RULES, source_of(function), function)
    lowerer.scope.use(dict(env))
    block: Block = lowerer.scope.enter()
    lowerer.statements(lowerer.scope.tree.body)
    returned = lowerer.scope.env["$result"]
    held = lowerer.cells.seen(returned) if isinstance(returned, Ref) else None
    if isinstance(held, Pack) and held.kind is Listed:  # a list of so many items as the run tells
        returned = lowerer.operations.operand(held)
    lowerer.scope.leave()
    RULES.known.begin_anew()  # nothing is known of the next one
    for op in block.ops:
        for result in op.results:
            result.hint = None
    return list(block.ops), returned  # type: ignore[arg-type]
