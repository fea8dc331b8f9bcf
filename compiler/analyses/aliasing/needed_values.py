"""The values of a function that somebody needs: what only others read that nobody needs is none of them."""

from __future__ import annotations

from ...ir.operations import Block, Call, Function, If, Loop, Value, operands_of, values_in

__all__ = ["needed_in"]


def needed_in(function: Function) -> set[Value]:
    """The values that a result, an effect or a test depends on."""
    needed: set[Value] = set(values_in(function.body.yields))
    before = -1
    while before != len(needed):
        before = len(needed)
        need(function.body, needed)
    return needed


def need(block: Block, needed: set[Value]) -> None:
    """Enter what the operations of a block need that are needed themselves."""
    for op in reversed(block.ops):
        if isinstance(op, Loop):
            for r, p, init, end in zip(
                op.results, op.carried, op.inits, op.body.yields, strict=False
            ):
                if r in needed or p in needed:
                    needed.update(values_in([init, end]))
            if op.stops:
                needed.update(values_in(op.stop))
            for stack, end in zip(op.stacks, op.collected(), strict=True):
                if stack in needed:
                    needed.update(values_in(end))
            needed.update(values_in([*(op.bounds or ()), *(s for s, _ in op.feeds)]))
            if op.cond is not None:
                for p, q in zip(op.cond.params, op.carried, strict=True):
                    if p in needed:
                        needed.add(q)
                needed.update(values_in(op.cond.yields))
                need(op.cond, needed)
            need(op.body, needed)
        elif isinstance(op, If):
            for side in op.blocks:
                for r, end in zip(op.results, side.yields, strict=True):
                    if r in needed:
                        needed.update(values_in(end))
                need(side, needed)
            needed.update(values_in(op.cond))
        elif (
            isinstance(op, Call) or getattr(op, "effect", False) or needed.intersection(op.results)
        ):
            needed.update(values_in(operands_of(op)))
