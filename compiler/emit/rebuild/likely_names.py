"""What a value would be called: by the user's name, as an adjoint, as what it computes."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Sequence

from retrograd.runtime.helpers import linear

from ...ir.operations import Apply, Block, Function, If, Loop, Op, Value, values_read, walk
from ...ir.primitives import BUNDLE, UNPACK
from ...ir.types import Stack
from ...ir.value_names import spoken

__all__ = ["LikelyNames", "safe"]

NEAR = 4  # operations from a part of an adjoint to the adjoint


def collected_by(body: Block) -> dict[Value, object]:
    """The content of each stack, and the origin of each element read from one."""
    found: dict[Value, object] = {}
    loops = [op for op in walk(body) if isinstance(op, Loop)]
    for op in loops:
        found.update(zip(op.stacks, op.collected(), strict=True))
    defs = {r: op for op in walk(body) for r in op.results}
    for op in loops:
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            whole = found.get(stack, stack)  # type: ignore[call-overload]
            if stack in found and whole in found:  # a tape of tapes
                whole = found[whole]
            found[element] = whole if stack in found else None
            bundle = defs.get(found[element])  # type: ignore[call-overload]
            if isinstance(bundle, Apply) and bundle.fn is BUNDLE:
                for taken in op.body.ops:
                    if isinstance(taken, Apply) and taken.fn is UNPACK and taken.args[0] is element:
                        found.update(zip(taken.results, bundle.args[0], strict=False))
    return found


class LikelyNames:
    """The name that a value has if no other one has it."""

    def __init__(self, function: Function) -> None:
        self.collected = collected_by(function.body)
        self.sources = {
            element: stack
            for op in walk(function.body)
            if isinstance(op, Loop)
            for (stack, _), element in zip(op.feeds, op.elements, strict=True)
        }
        self.known: dict[Value, str] = function.facts.kept
        self.defs = {r: op for op in walk(function.body) for r in op.results}
        self.readers: dict[Value, Op] = {}
        self.cotangents: set[Value] = set()
        self.follow_cotangents(function.body)

    def follow_cotangents(self, body: Block) -> None:
        """What is made of adjoints, and the first that reads each value."""
        for op in walk(body):
            read = values_read(op)
            for v in read:
                self.readers.setdefault(v, op)
            if any(v.bar or v in self.cotangents or (v.hint or "").endswith("_bar") for v in read):
                self.cotangents.update(v for v in op.results if v.made and not v.hint)

    def of(self, members: Sequence[Value]) -> str:
        """The name of values that share a variable."""
        stacks = [v for v in members if isinstance(v.type, Stack)]
        if stacks:
            return self.base_of_list(stacks)
        for v in members:
            if v.hint:
                return "k" if v.hint == "_" else safe(v.hint)  # it is read, after all
        for v in members:
            if v.bar:
                return safe(v.bar.lstrip("~")).rstrip("_") + "_bar"
        for v in members:
            if v.dot:
                return f"{safe(v.dot)}_dot"
        if members[0] in self.cotangents and (whose := self.part_of(members[0])) is not None:
            return f"{whose}_part"
        return self.described(members, "t")

    def part_of(self, v: Value) -> str | None:
        """The adjoint that a cotangent without a name is a part of: that of what reads it first."""
        for _ in range(NEAR):
            op = self.readers.get(v)
            if op is None or len(op.results) != 1:
                return None
            v = op.results[0]
            if v.hint and v.hint.endswith("_bar"):
                return safe(v.hint)
            if v.bar:
                return safe(v.bar.lstrip("~")).rstrip("_") + "_bar"
        return None

    def base_of_list(self, stacks: list[Value]) -> str:
        """A list of the user's own keeps its name, and its adjoint is named after it."""
        for v in stacks:
            hint = f"{v.bar.lstrip('~')}_bar" if v.bar else v.hint or ""
            if hint.endswith("_bar") and (v not in self.collected or v.bar):
                return safe(hint)
        for v in stacks:
            if is_users(v) and v.hint:
                return safe(v.hint)
        return "items" if any(map(is_users, stacks)) else "tape"

    def kept(self, value: object) -> str | None:
        """The name of an element of a tape: that of the value it was."""
        return (value.hint or self.spoken(value)) if isinstance(value, Value) else None

    def spoken(self, v: Value) -> str | None:
        """A name for an unnamed value."""
        if v in self.known:
            return self.known[v]
        if v in self.collected:
            if isinstance(v.type, Stack):
                return "tape"
            source = self.sources.get(v)
            kept = self.kept(self.collected[v])
            return kept or (f"{source.hint}_part" if source is not None and source.hint else None)
        op = self.defs.get(v)
        if isinstance(op, If):
            return self.joined(op, v)
        if (
            isinstance(op, Apply)
            and op.fn in (linear.plain, linear.snapshot)
            and isinstance(op.args[0], Value)
        ):
            return op.args[0].hint or self.spoken(op.args[0])
        return spoken(op, v)

    def described(self, members: Iterable[Value], otherwise: str) -> str:
        """The name of what is computed."""
        return safe(next((n for n in map(self.spoken, members) if n), otherwise))

    def joined(self, op: If, v: Value) -> str | None:
        """The result of a branch is called what it is in the branch that computes it."""
        at = op.results.index(v)
        for block in (op.then, op.orelse):
            value = block.yields[at]
            if isinstance(value, Value):
                return value.hint or self.spoken(value)
        return None


def is_users(v: Value) -> bool:
    """True if a list is the user's own."""
    return isinstance(v.type, Stack) and v.type.user


def safe(name: str) -> str:
    """A hint as an identifier that hides no builtin.

    >>> safe("sum"), safe("$x"), safe("lambda")
    ('sum_', 'x', 'lambda_')
    """
    name = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in name.lstrip("$~"))
    name = name if name.isidentifier() else f"v{name}"
    return name + "_" if keyword.iskeyword(name) or hasattr(builtins, name) else name
