"""The plan of a loop: made of what is known before it, and revised until an attempt holds."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.errors import CompileError

from ...analyses.shapes.infer import type_of
from ...ir.containers import leaves
from ...ir.operations import Const, Value
from ...ir.types import Type
from ..nodes import Node, Ref
from .loop_aliasing import Sharing

__all__ = ["Plan", "Shaped"]

HIDDEN = (
    "$result",
    "$stop",
    "$left",
    "$returned",
)  # what an early `return` sets, after all other names


class Plan:
    """The plan of a loop: carried names, which of them deep, which lists collected."""

    def __init__(self, carried: list[str], types: dict[str, Any], shared: Sharing) -> None:
        self.carried, self.types, self.shared = carried, types, shared
        self.began = dict(types)  # the types that attempts began to widen
        self.steady: dict[str, bool] = {}  # names thought to keep their arrays; whether they do
        self.first: dict[Value, Any] = {}  # arrays as they are before the loop
        self.of_module: list[Any] = []  # what begins slots that an array of the module may be in
        self.deep: set[str] = set()
        self.fixed: dict[str, set[int]] = {}  # entries of a container that stay as they are
        self.others: set[str] = set()  # names that the loop binds to something of another kind
        self.collected: set[int] = set()
        self.nones: set[str] = set()  # names that are None all the time
        self.not_none: set[str] = set()  # and those that are not, after all
        self.as_none = False  # names that are None before the loop are None in it
        self.refused: CompileError | None = None  # why they had to be
        self.tried: set[int] = set()  # lists that were found not to be only appended to

    def begin(self, name: str, types: list[Type]) -> None:
        """The values of a name have these types before the first attempt that knows so much."""
        self.types[name] = self.began[name] = types

    def carry(self, name: str, content: Node, fixed: set[int] | None = None) -> None:
        """One container or memory more: before the hidden names that an early ``return`` sets."""
        at = next((k for k, n in enumerate(self.carried) if n in HIDDEN), len(self.carried))
        self.carried.insert(at, name)
        self.fix(name, content, fixed or set())

    def keep(self, name: str) -> None:
        """A name holds the array that it held: what the body writes to it is carried by its memory."""
        self.steady[name] = True
        self.drop(name)

    def rebound(self, name: str, content: Node) -> None:
        """A name does not keep its array after all."""
        self.steady[name] = False
        self.carry(name, content)

    def fix(self, name: str, content: Node, fixed: set[int]) -> None:
        """Carry the entries of a container, but for those that stay as they are."""
        self.fixed[name] = fixed
        self.shared.forget(name)
        kept = [v for k, v in enumerate(leaves(content)) if not (isinstance(v, Ref) or k in fixed)]
        self.begin(name, [type_of(v) for v in kept])

    def leave_out(self, name: str) -> None:
        """Do not carry what a name holds: the loop binds it to something else."""
        self.drop(name)
        self.others.add(name)

    def hold_none(self, name: str) -> None:
        """A name is None before the loop and at its end: it is not carried."""
        self.drop(name)
        self.nones.add(name)

    def carry_none(self, name: str) -> None:
        """A name is not None all the time after all."""
        self.nones.discard(name)
        self.not_none.add(name)
        self.carry(name, Const(None))

    def drop(self, name: str) -> None:
        """A name is not carried after all; one attempt may find that twice."""
        if name in self.carried:
            self.carried.remove(name)
        self.shared.forget(name)
        self.types.pop(name, None)
        self.deep.discard(name)
        self.fixed.pop(name, None)


class Shaped(Exception):
    """A name that is not bound before a loop holds a container behind a loop in it: ``whole``."""

    def __init__(self, plan: Plan, name: str, whole: Node) -> None:
        self.plan, self.name, self.whole = plan, name, whole
