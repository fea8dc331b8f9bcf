"""Buffers: values whose memory a region writes to."""

from __future__ import annotations

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Block, Call, If, Loop, Value, values_in, walk
from ..shapes.number_lists import puts_number
from .read_write_order import is_store

__all__ = ["buffers_of", "written_over", "written_to"]


def buffers_of(body: Block) -> set[Value]:
    """The values that are memory written in place: never shared, reads of them stay where they are."""
    found: set[Value] = set()
    for op in walk(body):
        if isinstance(op, Apply) and traits_of(op.fn).writes == "sum":
            found.update(values_in([op.args[0], op.result]))
        if isinstance(op, Apply) and isinstance(out := op.kwargs.get("out"), Value):
            found.add(out)
    for op in walk(body):
        if isinstance(op, Loop):
            for init, param, result in zip(op.inits, op.carried, op.results, strict=False):
                if param in found or init in found:
                    found.update([*values_in(init), param, result])
    return found


def written_over(body: Block) -> set[Value]:
    """The values whose memory will hold something else: two of them are two arrays."""
    found: set[Value] = set()
    telling = [
        op for op in walk(body)
        if not isinstance(op, Apply) or traits_of(op.fn).writes == "version" or is_item_write(op)
    ]  # fmt: skip
    while True:
        known = len(found)
        for op in telling:
            if isinstance(op, Apply):
                found.update(values_in(op.args[0]))
            elif isinstance(op, Call):
                found.update(values_in([op.args[k] for k, _ in op.callee.facts.writes]))
            elif isinstance(op, If):
                for k, result in enumerate(op.results):
                    if result in found:
                        found.update(values_in([op.then.yields[k], op.orelse.yields[k]]))
            elif isinstance(op, Loop):
                for k, (init, param) in enumerate(zip(op.inits, op.carried, strict=False)):
                    if param in found or op.results[k] in found:
                        found.update(values_in([init, op.body.yields[k]]))
        if len(found) == known:
            return found


def is_item_write(op: Apply) -> bool:
    """True if a number is put into a list: in place, if nobody reads what is there by then."""
    return op.fn in (linear.put_at, linear.replaced) and puts_number(op)


def written_to(body: Block) -> set[Value]:
    """The containers that are written to, and those they were read from."""
    found = {op.args[0] for op in body.ops if isinstance(op, Apply) and is_store(op)}
    reads = [op for op in walk(body) if isinstance(op, Apply) and traits_of(op.fn).reads == "part"]
    for op in reversed(reads if found else []):
        if op.result in found and isinstance(op.args[0], Value):
            found.add(op.args[0])
    return found
