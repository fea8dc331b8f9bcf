"""What an attempt at a loop finds out of its plan: each thing is a change, which another attempt may begin with.

``make`` changes the plan of this loop.  ``applies`` tells whether the change that another attempt found has a
meaning here; ``lasting`` is what is remembered of it, if anything is.
"""

from __future__ import annotations

from typing import Any, Protocol

from retrograd.runtime.records import dataclass

from ....analyses.shapes.infer import type_of
from ....ir.containers import Pack, leaves
from ....ir.operations import UNDEFINED, Const, Value
from ....ir.types import BOTTOM, Type
from ...chosen_functions import as_one_of, extended, functions_in, is_carried
from ...interface.lowerer import Lowerer
from ...memory.choices import Chosen
from ...memory.places import Lost, cell_name
from ...nodes import Choice, Environment, Node, OneOf, Ref
from ..carried_entries import is_collectable
from ..loop_plan import Plan
from ..one_sided.perhaps_none import is_none_constant, is_perhaps, perhaps
from ..split_aliases import apart

__all__ = [
    "BeginChoice",
    "BeginPerhaps",
    "Carry",
    "CarryMemory",
    "CarryNone",
    "Change",
    "Collect",
    "CollectNot",
    "Deepen",
    "Draft",
    "HoldNone",
    "Keep",
    "LeaveOut",
    "ListOuter",
    "Lose",
    "Part",
    "Rebind",
    "Reshape",
    "Settle",
    "Unfix",
    "is_free_of_names",
]


@dataclass(frozen=True)
class Draft:
    """A plan that is changed, and the environment before its loop."""

    lowerer: Lowerer
    plan: Plan
    outer: Environment


class Change(Protocol):
    """A change of the plan of a loop; ``name`` is an entry of the environment before it."""

    @property
    def name(self) -> str: ...

    def make(self, draft: Draft) -> None: ...

    def applies(self, draft: Draft) -> bool: ...

    def lasting(self) -> Change | None: ...


@dataclass(frozen=True)
class Named:
    """What is said of one entry of the environment, and is remembered as it is."""

    name: str

    def applies(self, draft: Draft) -> bool:
        return self.name in draft.plan.carried

    def lasting(self) -> Any:
        return self


class Fleeting(Named):
    """What each attempt finds out by itself."""

    def lasting(self) -> Any:
        return None


# -- containers and memories -------------------------------------------------------------


class Collect(Named):
    """A list that the body appends to is thought to be collected."""

    def make(self, draft: Draft) -> None:
        draft.plan.collected.add(number_of(self.name))

    def applies(self, draft: Draft) -> bool:
        plan = draft.plan
        known = self.name in plan.carried or number_of(self.name) in plan.tried
        return not known and is_collectable(draft.outer.get(self.name))


class CollectNot(Named):
    """It is not only appended to."""

    def make(self, draft: Draft) -> None:
        draft.plan.collected.discard(number_of(self.name))
        draft.plan.tried.add(number_of(self.name))

    def applies(self, draft: Draft) -> bool:
        return True


@dataclass(frozen=True)
class Carry(Named):
    """A container is written to, but for some of its entries."""

    fixed: frozenset[int]

    def make(self, draft: Draft) -> None:
        draft.plan.carry(self.name, draft.outer[self.name], set(self.fixed))

    def applies(self, draft: Draft) -> bool:
        held, plan = draft.outer.get(self.name), draft.plan
        if not isinstance(held, Pack) or self.name in plan.carried:
            return False
        known = len(list(leaves(held)))
        return number_of(self.name) not in plan.collected and all(k < known for k in self.fixed)


class Unfix(Named):
    """All entries of a container change."""

    def make(self, draft: Draft) -> None:
        draft.plan.fix(self.name, draft.outer[self.name], set())


@dataclass(frozen=True)
class CarryMemory(Named):
    """A memory that the body writes to is carried by its version; one that is lost is lost."""

    end: Node

    def make(self, draft: Draft) -> None:
        versions = draft.lowerer.versions
        cell = versions.cells[self.name]
        before = draft.outer.get(self.name, cell.first)
        if isinstance(before, Chosen) and isinstance(self.end, Value):
            before = versions.choices.value_of(cell, before)
        held = next((v for v in (self.end, before) if isinstance(v, Lost)), None)
        draft.outer[self.name] = before if held is None else held
        if held is None:
            draft.plan.carry(self.name, before)

    def applies(self, draft: Draft) -> bool:
        cell = draft.lowerer.versions.cells[self.name]
        before = draft.outer.get(self.name, cell.first)
        return self.name not in draft.plan.carried and isinstance(before, Value)

    def lasting(self) -> CarryMemory | None:
        return None if isinstance(self.end, Lost) else CarryMemory(self.name, None)


class Keep(Named):
    """A name keeps its array, which is written to."""

    def make(self, draft: Draft) -> None:
        draft.plan.keep(self.name)

    def applies(self, draft: Draft) -> bool:
        held = draft.lowerer.versions.rank0.is_written_by(draft.outer.get(self.name))
        return held and self.name in draft.plan.carried and not draft.lowerer.scope.in_try


class Rebind(Named):
    """A name does not keep its array after all."""

    def make(self, draft: Draft) -> None:
        draft.plan.rebound(self.name, draft.outer[self.name])

    def applies(self, draft: Draft) -> bool:
        return draft.plan.steady.get(self.name, False)


@dataclass(frozen=True)
class Lose(Fleeting):
    """A name whose array may have been written to is not carried, and an error if it is read."""

    lost: Lost

    def make(self, draft: Draft) -> None:
        draft.plan.drop(self.name)
        draft.outer[self.name] = self.lost


# -- containers that names hold ------------------------------------------------------------


class Deepen(Named):
    """A name holds another container at the end of the body."""

    def make(self, draft: Draft) -> None:
        plan = draft.plan
        plan.deep.add(self.name)
        plan.shared.forget(self.name)
        plan.fixed.pop(self.name, None)
        whole = draft.lowerer.loops.whole_of(draft.outer[self.name], draft.outer)
        plan.begin(self.name, [type_of(v) for v in leaves(whole)])

    def applies(self, draft: Draft) -> bool:
        held = any(isinstance(v, Ref) for v in leaves(draft.outer.get(self.name)))
        return held and self.name in draft.plan.carried and self.name not in draft.plan.deep


@dataclass(frozen=True)
class ListOuter(Named):
    """The length of a list changes: it is one value of run-time length, from before the loop on."""

    held: str  # the list, which is `name` or is held by it

    def make(self, draft: Draft) -> None:
        draft.lowerer.loops.list_outer(draft.plan, self.name, number_of(self.held))

    def applies(self, draft: Draft) -> bool:
        content = draft.outer.get(self.held)
        return isinstance(content, Pack) and content.kind in (list, dict)


class Part(Fleeting):
    """A container that two names hold before the loop is another for each of them in it."""

    def make(self, draft: Draft) -> None:
        outer = draft.outer
        outer[self.name] = apart(draft.lowerer.scope.program, outer, outer[self.name])


class Settle(Fleeting):
    """A name holds an item which the body puts elsewhere."""

    def make(self, draft: Draft) -> None:
        draft.outer[self.name] = draft.lowerer.items.settled(draft.outer[self.name])


class LeaveOut(Fleeting):
    """A name is bound to something of another kind, before it is read."""

    def make(self, draft: Draft) -> None:
        draft.plan.leave_out(self.name)


# -- None ------------------------------------------------------------------------------------


class HoldNone(Named):
    """A name is None before the loop and at its end."""

    def make(self, draft: Draft) -> None:
        draft.plan.hold_none(self.name)

    def applies(self, draft: Draft) -> bool:
        return self.name in draft.plan.carried and is_none_constant(draft.outer[self.name])


class CarryNone(Named):
    """A name is not None all the time after all."""

    def make(self, draft: Draft) -> None:
        draft.plan.carry_none(self.name)

    def applies(self, draft: Draft) -> bool:
        return self.name in draft.plan.nones


class BeginPerhaps(Named):
    """A name holds a container before the loop, and perhaps None at its end."""

    def make(self, draft: Draft) -> None:
        draft.outer[self.name] = perhaps(Const(False), draft.outer[self.name])
        Deepen(self.name).make(draft)

    def applies(self, draft: Draft) -> bool:
        held = draft.outer.get(self.name)
        return (
            self.name in draft.plan.carried
            and isinstance(held, (Pack, Ref))
            and not is_perhaps(held)
        )


@dataclass(frozen=True)
class BeginChoice(Named):
    """A name holds a function before the loop, and one of these at its end."""

    functions: tuple[Node, ...]

    def make(self, draft: Draft) -> None:
        before = as_one_of(draft.outer[self.name])
        functions = extended(functions_in(before), list(self.functions))
        place = before.place if isinstance(before, OneOf) else Const(0)
        draft.outer[self.name] = Pack(Choice(tuple(functions)), ["place"], [place])
        draft.plan.begin(self.name, [type_of(place)])

    def applies(self, draft: Draft) -> bool:
        return self.name in draft.plan.carried and is_carried(draft.outer.get(self.name))

    def lasting(self) -> Change | None:
        return None


@dataclass(frozen=True)
class Reshape(Named):
    """A name that is unbound or None before the loop holds a container at its end: a blank one before."""

    blank: Node
    types: tuple[Type, ...]

    def make(self, draft: Draft) -> None:
        plan, outer = draft.plan, draft.outer
        plan.begin(self.name, list(self.types))
        outer[self.name] = draft.lowerer.cells.stored(self.blank)
        plan.shared.forget(self.name)
        if any(isinstance(v, Ref) for v in leaves(outer[self.name])):
            plan.deep.add(self.name)

    def applies(self, draft: Draft) -> bool:
        held = draft.outer.get(self.name)
        return self.name in draft.plan.carried and (held is UNDEFINED or is_none_constant(held))

    def lasting(self) -> Reshape:
        """Sizes that have names here may have others then."""
        known = [t if is_free_of_names(t) else BOTTOM for t in self.types]
        return Reshape(self.name, self.blank, tuple(known))


def is_free_of_names(kind: Type) -> bool:
    """True if no size in a type has a name."""
    return "Dim(" not in repr(kind)


def number_of(name: str) -> int:
    return int(name.removeprefix(cell_name(0)[:-1]))
