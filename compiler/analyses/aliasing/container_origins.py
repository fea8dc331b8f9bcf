"""Where the lists and dicts of a program come from: whether each was made here, and is in one place only.

What is written to in place must be nobody else's.  An *origin* is an operation that makes containers anew each time it
runs; a container that has origins is made of theirs alone, and none of them is in it twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ...ir.lattice import as_stack
from ...ir.operations import Apply, Const, Function, If, Loop, Op, Operand, Value, walk
from ...ir.primitives import BUNDLE
from ...ir.types import Stack
from ..shapes.number_lists import holds_numbers, is_nest, is_scalar
from .memory_facts import is_fresh, is_version

__all__ = ["Origins", "is_listed"]

Found = frozenset[Op]
Seen = dict[Value, bool]  # what is being asked about; False: and holds what is asked about now
NONE: Found = frozenset()


def is_listed(v: Operand) -> bool:
    """True of a value that is a list or a dict when it runs, and of a tuple that was made of one."""
    return isinstance(v, Value) and isinstance(as_stack(v.type), Stack)


class Origins:
    """The origins of containers in one function."""

    def __init__(self, function: Function) -> None:
        self.defs: dict[Value, Op] = {}
        self.carried: dict[Value, tuple[Loop, int]] = {}
        for op in walk(function.body):
            self.defs.update((r, op) for r in op.results)
            if isinstance(op, Loop):
                self.carried.update((p, (op, k)) for k, p in enumerate(op.carried))
        self.bodies: dict[Loop, set[Op]] = {}

    def are_known(self, v: Value) -> bool:
        """True if a container was made here, and holds no other one twice."""
        return self.of(v, None, {}) is not None

    def of(self, v: Operand, around: Loop | None, seen: Seen) -> Found | None:
        """The origins of a container, none of a number; None if that is not known, or not in an iteration of ``around``."""
        if isinstance(v, (list, dict)):
            items = v.values() if isinstance(v, dict) else v
            return self.around_all(NONE, list(items), around, seen)
        if not isinstance(v, Value):
            return NONE if isinstance(v, Const) else None
        if is_scalar(v.type):
            return NONE
        if v in seen:
            return NONE if seen[v] else None
        op = self.carried[v][0] if v in self.carried else self.defs.get(v)
        if op is None or (around is not None and op not in self.inside(around)):
            return None
        seen = {**seen, v: True}
        if v in self.carried:
            return self.carried_by(*self.carried[v], around, seen)
        if isinstance(op, Loop):
            return self.left_by(op, v, around, seen)
        if isinstance(op, If):
            at = op.results.index(v)
            return self.joined([block.yields[at] for block in op.blocks], around, seen)
        return self.of_apply(op, around, seen) if isinstance(op, Apply) else None

    def of_apply(self, op: Apply, around: Loop | None, seen: Seen) -> Found | None:
        if op.fn is BUNDLE:
            items = op.args[0].values() if isinstance(op.args[0], dict) else op.args[0]
            return self.around_all(frozenset({op}), list(items), around, seen)
        if is_version(op):
            return self.of(op.args[0], around, seen)
        known, kind = traits_of(op.fn), op.result.type
        copied = known.gives == "container" and known.buffer == "named"  # and all that is in it
        summed = op.fn is linear.add and is_nest(kind)
        anew = copied or summed or (is_fresh(op) and holds_numbers(kind))
        return frozenset({op}) if anew else None

    def carried_by(self, op: Loop, k: int, around: Loop | None, seen: Seen) -> Found | None:
        return self.joined([op.inits[k], op.body.yields[k]], around, seen)

    def left_by(self, op: Loop, v: Value, around: Loop | None, seen: Seen) -> Found | None:
        at = op.results.index(v)
        if at < len(op.inits):
            return self.carried_by(op, at, around, {**seen, op.carried[at]: True})
        if v not in op.stacks:
            return None
        found = self.of(op.collected()[op.stacks.index(v)], op, within(seen))
        return None if found is None else found | {op}

    def joined(self, ends: Iterable[Operand], around: Loop | None, seen: Seen) -> Found | None:
        """Of what is one of these."""
        found = [self.of(end, around, seen) for end in ends]
        return None if None in found else NONE.union(*found)  # type: ignore[arg-type]

    def around_all(
        self, whole: Found, items: list[Operand], around: Loop | None, seen: Seen
    ) -> Found | None:
        """Of a container of these: none of them may be, or hold, what another one is or holds."""
        for item in items:
            found = self.of(item, around, within(seen))
            if found is None or not whole.isdisjoint(found):
                return None
            whole |= found
        return whole

    def inside(self, loop: Loop) -> set[Op]:
        if loop not in self.bodies:
            self.bodies[loop] = set(walk(loop.body))
        return self.bodies[loop]


def within(seen: Seen) -> Seen:
    return dict.fromkeys(seen, False)
