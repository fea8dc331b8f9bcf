"""The names that a loop carries: where they stand, and what they hold where an iteration does not bind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field

from ..loop_ir.ir import Lit, Op, Set, Stmt, Var, integer, minus
from ..loop_ir.values import Items, View
from ..refusal import Unsupported
from .join_values import join, settle, spec_of
from .reader import Reader

__all__ = ["Carrying", "kept", "views_in"]


@dataclass(eq=False)
class Carrying:
    """A loop that is being read: where its carried names stand, and what was put there."""

    places: dict[str, Any]
    before: list[Stmt]
    known: frozenset[str]  # variables
    found: dict[str, list[Any]] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)  # names that held one array at some time
    var: Var | None = None
    lower: Any = None
    upper: Any = None  # of its index
    backwards: bool = False
    late: frozenset[str] = (
        frozenset()
    )  # names that an iteration before this one may have bound, and nothing else
    begun: Var | None = None  # whether there was one, if no index says it
    calls: int = 0  # around it
    pinned: dict[str, Any] = field(default_factory=dict)  # names of arrays that stand still
    moved: set[str] = field(default_factory=set)  # those of them that do not

    def commit(self, r: Reader) -> None:
        """The values of the names at the end of an iteration, or where it is left."""
        pairs = []
        held: dict[int, str] = {}
        for name, place in self.places.items():
            value = r.env.get(name)
            for leaf in views_in(value):
                if leaf.buffer is not None:
                    other = held.setdefault(id(leaf.buffer), name)
                    self.shared |= {name, other} if other != name else set()
            if name in self.pinned and not same_array(self.pinned[name], value):
                self.moved.add(name)
            if value is not None:
                self.found.setdefault(name, []).append(spec_of(value))
                if place is not None and agree(r, place, value):
                    pairs.append((place, value))
        settle(r, pairs)
        if self.begun is not None:
            r.emit(Set(self.begun, Lit(True, "b1")))

    def not_first(self, r: Reader) -> None:
        """Leave in the first iteration: a name would keep what it had in the one before."""
        if self.begun is not None:
            r.bail(Op("logical_not", (self.begun,), "b1"))
        else:
            r.bail(Op("less_equal", (self.turn(), integer(0)), "b1"))

    def turn(self) -> Any:
        """How many iterations there were before this one."""
        if self.backwards:
            return minus(minus(self.upper, 1), self.var)
        return minus(self.var, self.lower)


def kept(r: Reader, name: str) -> Any:
    """The value of a name that is not bound in this iteration, on this way: that of the one before."""
    for loop in reversed(r.loops):
        if loop.calls == len(r.calls) and name in loop.late:
            place = loop.places[name]
            if place is not None:
                loop.not_first(r)
            return place
    return None


def agree(r: Reader, place: Any, value: Any) -> bool:
    """True if a value fits its place, as it will in the last reading of the loop."""
    try:
        return bool(join(r, spec_of(place), spec_of(value)) == spec_of(place))
    except Unsupported:
        return False


def same_array(x: View, y: Any) -> bool:
    return isinstance(y, View) and y.buffer is x.buffer and y.whole and not y.listed


def views_in(value: Any) -> Iterator[View]:
    """The arrays in a value."""
    if isinstance(value, View):
        yield value
    elif isinstance(value, Items):
        for v in value.values:
            yield from views_in(v)
