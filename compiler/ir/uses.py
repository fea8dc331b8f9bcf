"""How often values are read: by operations, and as what regions end with."""

from __future__ import annotations

from collections import Counter

from .operations import Block, Value, values_in, values_read, walk

__all__ = ["counted"]


def counted(body: Block) -> Counter[Value]:
    """How often every value is read, in a region and all in it."""
    uses = Counter(v for op in walk(body) for v in values_read(op))
    uses.update(v for op in walk(body) for block in op.blocks for v in values_in(block.yields))
    uses.update(values_in(body.yields))
    return uses
