"""Lists that are asked when the function runs, and still hold what they were made with::

names = list(signature(f).parameters)
names.remove("self")                     # not any more
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from retrograd.runtime.helpers import linear

from ...ir.operations import Apply, Block, If, Loop, Op, Value, operands_of, values_in, walk

__all__ = ["is_untouched"]

READS = (builtins.len, builtins.list, builtins.tuple, builtins.set, builtins.frozenset, builtins.sorted, builtins.enumerate,
         builtins.zip, linear.gone_over, linear.check_same)  # fmt: skip


def is_untouched(block: Block, late: dict[Value, Any], node: Value) -> bool:
    """True if this was made in the block that is being written, and nothing but read since.

    A list from outside of a loop may be changed further down in it, before its next turn.
    """
    root = node
    while is_part(late[root].fn) and late[root].args[0] in late:
        root = late[root].args[0]
    made = next((k for k, op in enumerate(block.ops) if op is late[root]), None)
    if made is None:
        return False
    parts = {root}
    for op in walk(Block(ops=block.ops[made + 1 :])):
        if parts.isdisjoint(taken_by(op)):
            continue
        if not reads(op):
            return False
        if isinstance(op, Apply) and is_part(op.fn):
            parts.update(op.results)
    return True


def is_part(fn: Any) -> bool:
    """True of what gives a part of an object, which is another name for it."""
    return fn is builtins.getattr or fn is operator.getitem


def taken_by(op: Op) -> list[Value]:
    """The values that an operation is given, and those that its regions hand on under another name."""
    handed = [inner.yields for inner in op.blocks] if isinstance(op, (If, Loop)) else []
    return values_in([*operands_of(op), *handed])


def reads(op: Op) -> bool:
    return isinstance(op, Apply) and (is_part(op.fn) or any(op.fn is fn for fn in READS))
