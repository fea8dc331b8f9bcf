"""Objects that are asked when the function runs: what is computed with is copied if they may change it later.

::

    state = simulation.state()       # perhaps the object's own array
    y = x * state                    # whose derivative reads it again:
    simulation.advance()             # a copy, where something like this follows
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    values_read,
    walk,
)
from ..ir.types import Opaque
from .effects import is_late, only_looks
from .module_objects import Changed
from .opaque_operations import is_opaque
from .visible_effects import is_changeable, named_by

__all__ = ["keepers_of_numbers", "take_snapshots"]


def take_snapshots(functions: Iterable[Function]) -> None:
    """Copy, in place, what comes from such an object and is computed with, where a call may change it afterwards."""
    found = Snapshots(list(functions))
    while found.grows():
        pass


class Snapshots:
    """Which functions change objects, and which are called before something that does."""

    def __init__(self, functions: list[Function]) -> None:
        self.functions = functions
        self.change = {f: any(map(changes, walk(f.body))) for f in functions}
        self.followed: set[Function] = set()  # somebody calls them, and then changes an object
        while self.spread():
            pass

    def spread(self) -> bool:
        """Whether more functions change objects, through those that they call."""
        before = sum(self.change.values())
        for f in self.functions:
            self.change[f] = self.change[f] or any(map(self.calls_one, walk(f.body)))
        return sum(self.change.values()) > before

    def calls_one(self, op: Op) -> bool:
        return isinstance(op, Call) and self.change.get(op.callee, False)

    def grows(self) -> bool:
        before = len(self.followed)
        for f in self.functions:
            self.block(f.body, f in self.followed)
        return len(self.followed) > before

    def block(self, block: Block, later: bool) -> bool:
        """Go back through a region; whether something changes in it, or ``later``."""
        for op in reversed(block.ops):
            if isinstance(op, Loop):
                inside = op.asks or any(changes(o) or self.calls_one(o) for o in walk(op.body))
                later = later or inside
                for inner in op.blocks:
                    self.block(inner, later)
            elif isinstance(op, If):
                later = any([self.block(inner, later) for inner in op.blocks])
            elif isinstance(op, Call):
                if later:
                    self.followed.add(op.callee)
                later = later or self.calls_one(op)
            elif isinstance(op, Apply):
                if op.fn is linear.plain and later and isinstance(op.args[0].type, Opaque):
                    op.fn, op.effect = linear.snapshot, True
                later = later or changes(op)
        return later


def changes(op: Op) -> bool:
    """True if an operation may change an object that is asked when it runs."""
    if not isinstance(op, Apply) or not op.effect or only_looks(op):
        return False
    if traits_of(op.fn).reads == "part" or traits_of(op.fn).answered:
        return False
    return is_late(op.fn) or is_opaque(op) or isinstance(op.result.type, Opaque)


# -- what they keep ---------------------------------------------------------------------------------


def keepers_of_numbers(
    block: Block,
    active: Callable[[Operand], bool],
    taped: Callable[[Operand], bool],
    program: Iterable[Apply],
) -> Iterator[Apply]:
    """The calls that are handed an active value and not taped, where an object they may put it in is asked again."""
    keeping = [
        op
        for op in walk(block)
        if isinstance(op, Apply)
        and changes(op)
        and not taped(op.results[0])
        and any(map(active, values_read(op)))
    ]
    if not keeping:
        return
    read = {v for op in program for v in values_read(op)}
    known = [
        *program,
        *(op for op in walk(block) if isinstance(op, Apply)),
    ]  # of which it is a copy
    defs = {r: op for op in known for r in op.results}
    asking = [op for op in program if is_asking(op) and op.results[0] in read]
    for op in keeping:
        mine, way = roots(op, defs)
        before = {(o.loc, o.fn) for o in way}
        if any(
            (other.loc, other.fn) not in before and linked(mine, roots(other, defs)[0])
            for other in asking
        ):
            yield op


def is_asking(op: Apply) -> bool:
    called = (is_late(op.fn) or is_opaque(op)) and not only_looks(op)
    return op.effect and (called or isinstance(op.result.type, Opaque))


def roots(op: Apply, defs: dict[Value, Apply]) -> tuple[list[Any], list[Apply]]:
    """What a call may put something into, or find it in: objects of the module, values made here; and the way there."""
    found: list[Any] = []
    way = [op]
    left: list[Any] = list(op.args)
    while left:
        one = left.pop()
        if isinstance(one, Const):
            found.append(one.value)
        elif isinstance(one, Value) and isinstance(one.type, Opaque):
            found.append(one)
            made = defs.get(one)
            way += [made] if made is not None else []
            left += made.args if made is not None else ()
    if isinstance(op.fn, types.FunctionType):
        found += [value for _, value in named_by(op.fn)]
    return [one for one in found if isinstance(one, Value) or is_changeable(one)], way


def linked(a: list[Any], b: list[Any]) -> bool:
    """True if one object is in both lists, or is held by one that is."""
    if any(one is other for one in a for other in b):
        return True
    plain = [[one for one in side if not isinstance(one, Value)] for side in (a, b)]
    return any(
        Changed([one]).reach(other) or Changed([other]).reach(one)
        for one in plain[0] for other in plain[1]
    )  # fmt: skip
