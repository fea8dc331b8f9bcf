"""The structure of a function, equal for two functions that compute the same in the same way, whatever their names are."""

from __future__ import annotations

from typing import Any

from .operations import Apply, Block, Call, Const, Function, If, Loop, Op, Operand, Value

__all__ = ["structure_of"]


def structure_of(function: Function) -> Any:
    """A key for a function: equal keys, equal computations.

    >>> def double(name):
    ...     x, y = Value(name), Value("y")
    ...     return Function("f", Block([x], [Apply([y], None, abs, (x, Const(2)))], [y]), None)
    >>> structure_of(double("a")) == structure_of(double("b"))
    True
    """
    return Numbers().block(function.body)


class Numbers:
    """Values by the order in which they are made."""

    def __init__(self) -> None:
        self.of: dict[Value, int] = {}

    def number(self, v: Value) -> tuple[str, int]:
        return "value", self.of.setdefault(v, len(self.of))

    def made(self, values: list[Value]) -> Any:
        return [(*self.number(v), repr(v.type), v.exact, v.made, v.hidden) for v in values]

    def block(self, block: Block) -> Any:
        params = tuple(self.made(block.params))
        ops = tuple(map(self.op, block.ops))
        return params, ops, self.operand(block.yields)

    def op(self, op: Op) -> Any:
        parts: list[Any] = [type(op).__name__]
        if isinstance(op, Apply):
            named = tuple((k, self.operand(a)) for k, a in op.kwargs.items())
            parts += [id(op.fn), self.operand(op.args), named, op.effect, op.style]
        elif isinstance(op, Call):
            parts += [id(op.callee), self.operand(op.args)]
        elif isinstance(op, If):
            parts += [self.operand(op.cond), op.expression]
        elif isinstance(op, Loop):
            header = None if op.header is None else id(op.header)
            feeds = tuple((self.operand(stack), flip) for stack, flip in op.feeds)
            parts += [self.operand(op.inits), self.operand(op.bounds), feeds, op.backwards, header]
            parts += [op.collects, op.stops, op.counts, op.snapshots]
        parts += [self.block(inner) for inner in op.blocks]
        return (*parts, *self.made(op.results))

    def operand(self, operand: Operand) -> Any:
        if isinstance(operand, Value):
            return self.number(operand)
        if isinstance(operand, Const):
            return *operand.key(), operand.text
        if isinstance(operand, (tuple, list)):
            return type(operand).__name__, *map(self.operand, operand)
        if isinstance(operand, dict):
            return "dict", *((k, self.operand(item)) for k, item in operand.items())
        if isinstance(operand, slice):
            return "slice", *map(self.operand, (operand.start, operand.stop, operand.step))
        return operand
