"""What is known of the arguments of a call besides their types, where it stands, and what the text depends on of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.records import dataclass, field, replace

from ..ir.containers import Pack, leaves
from ..ir.operations import Apply, Value
from ..ir.types import Exactly, Tree
from .attempt import Attempt
from .memory.array_kinds import OfRank0, is_numpy_scalar
from .memory.restart import Anew
from .nodes import Node

__all__ = ["CallFacts", "Entry", "Known"]

Path = tuple[str, tuple[Any, ...]]  # a parameter, and the keys that lead into it


class Known(NamedTuple):
    """A whole number, and the facts of the call that it follows from."""

    value: int
    roots: frozenset[Path]


class Entry(NamedTuple):
    """An entry of a container of the module, what takes it for a constant, and whether branches do."""

    owner: Any
    key: Any
    value: Any
    take: Callable[[], None]
    decides: bool


@dataclass
class CallFacts:
    """The facts of one compilation; ``paths`` are those of the containers in the arguments."""

    paths: dict[Value, Path]
    given: dict[Path, Any] = field(default_factory=dict)
    given_at: dict[Value, Path] = field(default_factory=dict)
    not_asked: dict[Value, bool] = field(default_factory=dict)  # arguments that might be known
    numbers: dict[Value, Known] = field(default_factory=dict)  # known ones that a callee is given
    scalars: dict[Value, bool] = field(default_factory=dict)  # a callee's: NumPy's, and no arrays
    arrays: dict[Value, bool] = field(default_factory=dict)  # a callee's, of rank 0: no scalars
    made_at: dict[Value, Any] = field(default_factory=dict)  # what calls gave, and parts of it
    callees: dict[Any, Any] = field(
        default_factory=dict
    )  # the functions that were called, by places
    chosen_from: dict[Value, tuple[Node, ...]] = field(default_factory=dict)  # `a or b`, a call
    entries: dict[Value, Entry] = field(default_factory=dict)  # of containers of packages
    late: dict[Value, Apply] = field(default_factory=dict)  # what is asked when it runs
    inside: list[set[str]] = field(default_factory=list)  # words that context managers were given
    replayed: dict[Any, Any] = field(default_factory=dict)  # readings that the text depends on
    tests: set[Any] = field(default_factory=set)  # places of calls that a branch is taken by
    asked: dict[Value, Apply] = field(default_factory=dict)  # operations that may be computed
    consulted: set[Path] = field(default_factory=set)  # what the text depends on
    doubted: set[Path] = field(default_factory=set)  # what may be written to while it runs
    may_decide: bool = True  # constants that have names may decide a branch: they are guarded
    deciding: bool = False  # whether anything asked whether they do
    attempt: Attempt = field(default_factory=Attempt)

    def begin_with(self, given: dict[Path, Any]) -> None:
        """These values of arguments are known."""
        self.given = given

    def learn(self, value: Any, path: Path) -> None:
        """Something is known of the argument that a value is."""
        if path in self.given:
            self.given_at[value] = path
        else:
            self.not_asked[value] = True

    def consult(self, path: Path) -> Any:
        """What is known of an argument: from now on the text depends on it."""
        self.consulted.add(path)
        return self.given[path]

    def class_of(self, value: Value) -> type | None:
        """The class of an argument whose type leaves several, where it is known."""
        path = self.given_at.get(value)
        known = None if path is None else self.given.get(path)
        if path is None or not isinstance(known, Exactly):
            return None
        if not known.sure:
            self.consult(path)
        return known.cls

    def enter_classes(self, params: Iterable[Value]) -> None:
        """Parameters that are known to be NumPy's numbers, or arrays; it is no matter until somebody asks."""
        for param in params:
            known = self.given.get(self.given_at.get(param, ("", ())))
            if isinstance(known, Exactly):
                is_array = issubclass(known.cls, np.ndarray)
                (self.arrays if is_array else self.scalars)[param] = True

    def decide(self) -> bool:
        """Let constants that have names decide branches from now on; False where they did, or may not."""
        before = self.decides
        self.attempt.decides = self.may_decide
        return self.decides and not before

    @property
    def decides(self) -> bool:
        """Whether constants that have names decide: without that, something was refused."""
        return self.may_decide and self.attempt.decides

    def under(self, node: Any) -> Path | None:
        """Where an argument stands of which, or of whose parts, something is known."""
        if not isinstance(node, Value):
            return None
        path = self.given_at.get(node) or self.paths.get(node)
        known = path is not None and any(is_within(found, path) for found in self.given)
        return path if known else None

    def doubt(self, node: Any) -> None:
        """Whoever is given this may write to it: nothing is known of its parts."""
        path = self.under(node)
        whole = self.paths.get(node)
        if whole is not None and whole not in self.doubted and holds_known(node.type):
            self.doubted.add(whole)
            raise Anew
        gone = set() if path is None else {p for p in self.given if is_within(p, path)}
        self.given = {p: value for p, value in self.given.items() if p not in gone}
        if gone & self.consulted:
            self.consulted -= gone
            raise Anew

    def certain(self, types: dict[str, Any]) -> dict[str, Any]:
        """The types of the arguments without objects that are known at entry, and may be others later."""
        for name, keys in self.doubted:
            types = types | {name: without_known(types[name], keys)}
        return types

    def of_callee(
        self,
        params: dict[str, Node],
        inner: dict[str, Node],
        number: Callable[[Node], Known | None] | None,
        rank_0: OfRank0 | None,
        inert: set[Value],
    ) -> list[Any]:
        """What is known of the arguments that a callee is given, entered for its parameters.

        ``number`` tells those that are known, if the callee is made for them; ``rank_0`` are those of rank 0 that
        may be arrays, and nothing that is differentiated is in ``inert`` ones.
        """
        outer = [leaf for p in params.values() for leaf in leaves(p)]
        own = [leaf for p in inner.values() for leaf in leaves(p)]
        pairs = [(g, m) for g, m in zip(outer, own, strict=True) if isinstance(m, Value)]
        held = {leaf for p in params.values() if isinstance(p, Pack) for leaf in leaves(p)}
        found: list[Any] = []
        for k, (given, made) in enumerate(pairs):
            if given in held and given in self.entries:
                entry = self.entries[made] = self.entries[given]
                found.append((k, id(entry.owner), repr(entry.key)))
            if given in self.made_at:
                self.made_at[made] = self.made_at[given]
            if given in self.not_asked:
                self.not_asked[made] = True
            if given in inert:
                inert.add(made)
                found.append((k, "inert"))
            if rank_0 is not None and is_numpy_scalar(given, rank_0):
                self.scalars[made] = True
                found.append((k, "scalar"))
            if rank_0 is not None and rank_0.is_array(given):
                self.arrays[made] = True
                found.append((k, "array"))
            found += [] if number is None else self.handed(k, given, made, number)
        return found + ([self.under(v) for v in outer] if self.given else [])

    def handed(
        self, k: int, given: Node, made: Value, number: Callable[[Node], Known | None]
    ) -> Iterator[Any]:
        """What is known of a number that a callee is given."""
        if given in self.given_at:
            self.given_at[made] = self.given_at[given]
            yield k, self.given_at[made]
        elif (known := number(given)) is not None:
            self.numbers[made] = known
            yield k, repr(known.value)

    @property
    def tables(self) -> tuple[dict[Value, Any], ...]:
        """What is known by the value that stands for an argument."""
        numbers = self.numbers, self.given_at, self.not_asked
        return *numbers, self.scalars, self.arrays, self.made_at, self.entries

    def note_callee(self, place: Any, fn: Any) -> None:
        """This function is called there."""
        self.callees[place] = fn

    def note_number(self, value: Value, known: Known) -> None:
        """This is a number that is known."""
        self.numbers[value] = known

    def note_choice(self, value: Node, parts: tuple[Node, ...]) -> None:
        """This is one of these: of `a or b`, or of what a callee returns."""
        if isinstance(value, Value):
            self.chosen_from[value] = parts

    def note_entry(self, value: Value, entry: Entry) -> None:
        """This is an entry of a container of a module."""
        self.entries[value] = entry

    def note_late(self, value: Value, op: Apply) -> None:
        """This is asked for when the program runs."""
        self.late[value] = op

    def note_test(self, place: Any) -> None:
        """A branch is taken by what is called there."""
        self.tests.add(place)

    @contextmanager
    def given_words(self, words: set[str]) -> Iterator[None]:
        """What is lowered here runs within a context manager that was given these words."""
        self.inside.append(words)
        try:
            yield
        finally:
            self.inside.pop()

    def begin_anew(self) -> None:
        """The values are others; what is known of the arguments stays."""
        for table in (*self.tables, self.asked, self.late, self.chosen_from):
            table.clear()


def holds_known(kind: Any) -> bool:
    """True if a container whose items may be replaced holds an object that is known."""
    if not isinstance(kind, Tree):
        return False
    fixed = kind.container == "tuple"
    return any(holds_known(i) or (not fixed and is_known(i)) for i in kind.items)


def is_known(kind: Any) -> bool:
    return isinstance(kind, Tree) and kind.known is not None


def without_known(kind: Any, keys: tuple[Any, ...]) -> Any:
    """A type, nothing being known of what the part that ``keys`` lead to holds."""
    if not isinstance(kind, Tree):
        return kind
    if keys:
        pairs = zip(kind.keys, kind.items, strict=True)
        items = [without_known(i, keys[1:]) if k == keys[0] else i for k, i in pairs]
    else:
        items = [
            without_known(replace(i, known=None) if is_known(i) else i, ()) for i in kind.items
        ]
    return replace(kind, items=tuple(items))


def is_within(path: Path, whole: Path) -> bool:
    """True if a path leads to a part of what another leads to, or to the same."""
    return path[0] == whole[0] and path[1][: len(whole[1])] == whole[1]
