"""Two environments made one: after a branch, every name and container that its sides left different."""

from __future__ import annotations

import operator
from typing import Any

from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import MISSING, static
from ...frontend.made_nodes import spoken
from ...ir.containers import Pack, leaves, rebuild
from ...ir.lattice import join
from ...ir.operations import UNDEFINED, Const, If, Value
from ...ir.plain_values import is_writable
from ...ir.types import Tree
from ..calls.constructors import is_plain_class
from ..chosen_functions import MOST, as_one_of, functions_in, is_choosable, places_among, united
from ..interface.lowerer import Lowerer
from ..memory.held_containers import Sides
from ..memory.places import Lost, Unsettled, cell_name, hidden, is_cell
from ..memory.run_time_items import same_way
from ..nodes import (
    PERHAPS,
    BoundUser,
    Collecting,
    Listed,
    LocalFunction,
    Mapped,
    Node,
    OneOf,
    Ref,
    Within,
)
from .one_sided.perhaps_none import (
    IS_NONE,
    NO_PART,
    is_none_constant,
    is_perhaps,
    none_like,
    one_may_be_none,
    or_none,
    perhaps,
)
from .one_sided.perhaps_set import IS_SET, as_set, is_sometimes, missing_keys, never_set
from .unbound_names import (
    Conflict,
    Torn,
    Unsure,
    is_looked_at,
    is_unbound,
    one_sided,
    same_constant,
)

__all__ = ["Conflict", "Merge", "Torn", "same_constant"]

Environment = dict[str, Node]


class Merge:
    """The merge of the environments of the two sides of ``op``."""

    def __init__(
        self,
        lowerer: Lowerer,
        op: If,
        then: Environment,
        orelse: Environment,
        found: Sides | None = None,
    ) -> None:
        self.lowerer, self.op, self.sides = lowerer, op, (then, orelse)
        self.found = found  # out of containers, by either side
        self.merged: Environment = {}
        self.pairs: dict[tuple[int, int], Ref] = {}
        self.around = list(lowerer.scope.blocks)
        self.exported: dict[tuple[Value, int], Value] = {}

    def run(self) -> Environment:
        then, orelse = self.sides
        self.merged = self.lowerer.versions.merge_versions(self.op, then, orelse)
        for name in [*then, *(n for n in orelse if n not in then)]:
            if hidden(name) or (is_cell(name) and not (name in then and name in orelse)):
                continue
            default = Const(False) if name in ("$left", "$stop", "$returned") else UNDEFINED
            a, b = then.get(name, default), orelse.get(name, default)
            if is_looked_at(a, b) or is_looked_at(b, a):
                self.merged[name] = a if isinstance(a, Unsure) else b
                continue
            if any(map(is_unbound, (a, b))) and not name.startswith("$"):
                self.merged[name] = one_sided(self, name, a, b)
                continue
            one = a if a is b or same_constant(a, b) or same_way(a, b) else self.one_place(a, b)
            if one is None:
                a, b = self.items_as_they_are(a, 0), self.items_as_they_are(b, 1)
                one = self.named(name, *self.at_end(a, b))
            self.merged[name] = one
        self.mark()
        return self.merged

    def one_place(self, a: Node, b: Node) -> Node:
        """The same view of one memory on both sides: as it was made before them, or made after them once more."""
        versions, scope = self.lowerer.versions, self.lowerer.scope
        if not (isinstance(a, Value) and isinstance(b, Value) and versions.same_place(a, b)):
            return None
        for v in (a, b):
            if versions.born.get(v) is None or versions.born[v] in scope.blocks:
                return v
        place = versions.place_of(a)
        version = versions.held(place.cell, self.merged)
        if not isinstance(version, Value):
            return None
        outer = scope.use(self.merged)
        try:
            return versions.seen_again(place, version, a)
        finally:
            scope.use(outer)

    def at_end(self, a: Node, b: Node) -> tuple[Node, Node]:
        """The nodes of both sides, every array in them as it is where they end."""
        blocks, sides = (self.op.then, self.op.orelse), self.sides
        first, second = (
            self.lowerer.versions.as_of(block, env, node)
            for block, env, node in zip(blocks, sides, (a, b), strict=True)
        )
        return first, second

    def chosen(self, a: Node, b: Node) -> Node:
        """The value of an expression that evaluates one of two others."""
        if not same_way(a, b):
            a, b = self.items_as_they_are(a, 0), self.items_as_they_are(b, 1)
        return self.kept(self.node(None, *self.at_end(a, b)), None)

    def made(self) -> Environment:
        """The containers that are one of two."""
        names = [cell_name(ref.cell) for ref in self.pairs.values()]
        return {n: self.merged[n] for n in names if n in self.merged}

    def named(self, name: str, a: Node, b: Node) -> Node:
        """One name that the two branches leave different."""
        unclear = next((v for v in (a, b) if isinstance(v, (Torn, Lost))), None)
        if unclear is not None:
            return self.kept(unclear, name)
        if a is UNDEFINED or b is UNDEFINED:
            side = 1 if a is UNDEFINED else 0
            known = self.whole(b if side else a, side)
            if name == "$result" and isinstance(known, Const) and known.text is None:
                return known  # nobody asks where nothing was returned
            if not all(isinstance(v, (Value, Const)) for v in leaves(known)):
                return UNDEFINED
            blank = rebuild(known, lambda v: UNDEFINED)
            a, b = (blank, known) if side else (known, blank)
            return self.kept(self.node(name, a, b), name)
        if is_cell(name) and isinstance(a, Pack) and isinstance(b, Pack):
            cell = int(name.removeprefix("$cell "))
            if Collecting in (a.kind, b.kind) and len(a.items) != len(b.items):
                raise Unsettled(cell=cell)
            a, b = self.alike(a, b, {cell})
        for one, other, side in ((a, b, 1), (b, a, 0)):
            if isinstance(one, Value) and isinstance(other, (Pack, Ref)):
                self.lowerer.loops.begin_as_container(name, one, self.whole(other, side))
        chosen = None if hidden(name) or name.startswith("$") else self.one_of(name, a, b)
        if chosen is not None:
            return chosen
        return self.kept(self.node(name, a, b), name)

    def kept(self, node: Node, name: str | None) -> Node:
        for v in leaves(node):
            if isinstance(v, Lost) and name == "$result":
                raise self.lowerer.versions.unclear(v, Value("the result"))
            if isinstance(v, (Lost, Torn)):
                return v
        conflict = any(isinstance(v, Conflict) for v in leaves(node))
        return Conflict(name) if conflict else node

    def node(self, name: str | None, a: Node, b: Node) -> Node:
        """Two nodes as one: a result of the ``if`` per value that differs."""
        if a is b or same_constant(a, b):
            return a
        unclear = next((v for v in (a, b) if isinstance(v, (Torn, Lost))), None)
        if unclear is not None:
            return unclear
        if isinstance(a, LocalFunction) and isinstance(b, LocalFunction) and a.node is b.node:
            since = len(self.lowerer.lending.lent)
            a, b = (self.lowerer.cells.stored(self.lowerer.closures.handed_on(f)) for f in (a, b))
            self.lowerer.lending.keep_lent(since, a)
        a, b = self.taken_apart(a, b, 0), self.taken_apart(b, a, 1)
        if one_may_be_none(a, b):
            a, b = self.perhaps(a, b, 0), self.perhaps(b, a, 1)
        if is_sometimes(a) is not is_sometimes(b):
            a, b = as_set(a), as_set(b)
        if isinstance(a, Ref) and isinstance(b, Ref):
            return a if a == b else self.containers(name, a, b)
        if isinstance(a, Pack) and isinstance(b, Pack) and (a.kind, a.keys) == (b.kind, b.keys):
            pairs = zip(a.keys, a.items, b.items, strict=True)
            items = [self.part(a.kind, entry_name(name, k), x, y) for k, x, y in pairs]
            return Pack(a.kind, list(a.keys), items)
        if isinstance(a, (Value, Const)) and isinstance(b, (Value, Const)):
            return self.leaf(name, a, b)
        for one, other in ((a, b), (b, a)):
            self.lowerer.boundary.open_rebound(one, other)
        return Conflict(name)

    def part(self, kind: Any, name: str | None, a: Node, b: Node) -> Node:
        """A part of two containers; what may be None may be one of several functions, too."""
        functions = kind is PERHAPS and a is not b and is_choosable(a) and is_choosable(b)
        chosen = self.one_of(name, a, b) if functions else None
        return self.node(name, a, b) if chosen is None else chosen

    def leaf(self, name: str | None, a: Value | Const, b: Value | Const) -> Value:
        hint = self.lowerer.cells.cell_hint(name) if is_cell(name) else name and spoken(name)
        kind = join(type_of(a), type_of(b))
        if NO_PART in (a, b):
            kind = or_none(type_of(b if a is NO_PART else a))
        result = Value(hint, kind, self.op.loc)
        result.hidden = name == "$result"
        self.lowerer.versions.join_places(self.op, result, a, b)
        self.op.then.yields.append(a)
        self.op.orelse.yields.append(b)
        self.op.results.append(result)
        self.lowerer.inactive.note_words(result, (a, b))
        return result

    def one_of(self, name: str | None, a: Node, b: Node) -> OneOf | None:
        """Functions, of which one is called later: a number says which."""
        alike = isinstance(a, Pack) and isinstance(b, Pack) and (a.kind, a.keys) == (b.kind, b.keys)
        if alike:
            return None
        a, b = as_one_of(a), as_one_of(b)
        if not (is_choosable(a) and is_choosable(b)):
            return None
        a, b = self.function_outside(name, a, 0), self.function_outside(name, b, 1)
        functions = [] if a is None or b is None else united(functions_in(a), functions_in(b))
        if not 1 < len(functions) <= MOST:
            return None
        first, second = (self.place_among(functions, n, side) for side, n in enumerate((a, b)))
        return OneOf(self.leaf("place", first, second), functions)

    def function_outside(self, name: str | None, node: Node, side: int) -> Node:
        """A function that a side leaves, with what it was made of there; None if that cannot be."""
        if isinstance(node, BoundUser):
            return self.method_outside(name, node, side)
        if not isinstance(node, Pack):
            return node
        known = self.whole(node, side)
        if not all(isinstance(v, (Value, Const)) for v in leaves(known)):
            return None
        blank = rebuild(known, lambda v: UNDEFINED)
        return self.node(name, *((blank, known) if side else (known, blank)))

    def method_outside(self, name: str | None, node: BoundUser, side: int) -> Node:
        """A method of an object that stands outside; of one that a side made, and nothing else there leads to."""
        cell = node.base.cell
        if cell is None or all(cell_name(cell) in env for env in self.sides):
            return node if cell is not None else None
        others = {k: v for k, v in self.sides[side].items() if v is not node}
        if cell in self.lowerer.cells.alive(others):
            return None
        base = self.function_outside(name, node.base, side)
        if not isinstance(base, Pack):
            return None
        base.cell = self.lowerer.scope.program.next_cell()
        self.merged[cell_name(base.cell)] = Pack(base.kind, list(base.keys), list(base.items))
        return BoundUser(node.function, base)

    def place_among(self, functions: list[Node], node: Node, side: int) -> Value | Const:
        """The place of what a side leaves among the functions of both."""
        places = places_among(functions, functions_in(node))
        if not isinstance(node, OneOf):
            return Const(places[0])
        if places == list(range(len(places))):
            return node.place  # type: ignore[no-any-return]
        lowerer = self.lowerer
        outer = lowerer.scope.use(self.sides[side])
        lowerer.scope.enter_again((self.op.then, self.op.orelse)[side])
        try:
            numbers = Const(tuple(places))
            return lowerer.operations.apply(operator.getitem, (numbers, node.place), {})  # type: ignore[no-any-return]
        finally:
            lowerer.scope.leave()
            lowerer.scope.use(outer)

    # -- containers ------------------------------------------------------------------

    def containers(self, name: str | None, a: Ref, b: Ref) -> Node:
        """A name that holds one container or another: a third, with what they hold."""
        known = self.pairs.get((a.cell, b.cell))
        if known is not None:
            return known
        contents: Any = [
            env.get(cell_name(ref.cell)) for env, ref in zip(self.sides, (a, b), strict=True)
        ]
        if not all(isinstance(c, Pack) for c in contents):
            return Conflict(name)
        made = self.pairs[a.cell, b.cell] = Ref(self.lowerer.scope.program.next_cell())
        first, second = self.alike(*self.at_end(*contents), {a.cell, b.cell})
        content = self.kept(self.node(name, first, second), name)
        self.merged[cell_name(made.cell)] = content
        return made if isinstance(content, Pack) else content

    def taken_apart(self, node: Node, other: Node, side: int) -> Node:
        """A tuple that is one value, its items read one by one on its side where the other side leaves None."""
        if not (is_tuple(node) and (is_none_constant(other) or is_perhaps(other))):
            return node
        lowerer = self.lowerer
        outer = lowerer.scope.use(self.sides[side])
        lowerer.scope.enter_again((self.op.then, self.op.orelse)[side])
        try:
            return lowerer.construction.taken_apart(node)
        finally:
            lowerer.scope.leave()
            lowerer.scope.use(outer)

    def perhaps(self, node: Node, other: Node, side: int) -> Pack:
        """What one side leaves, where one of the two leaves None and the other a container."""
        if is_perhaps(node):
            return node  # type: ignore[no-any-return]
        if not is_none_constant(node):
            return perhaps(Const(False), node)
        content = other.items[1] if is_perhaps(other) else other
        blank = none_like(self.whole(content, 1 - side))
        outer = self.lowerer.scope.use(self.sides[side])
        try:
            return self.lowerer.cells.stored(blank)  # type: ignore[no-any-return]
        finally:
            self.lowerer.scope.use(outer)

    def alike(self, a: Pack, b: Pack, cells: set[int]) -> tuple[Pack, Pack]:
        """Two lists of different lengths as lists of run-time length; two objects with the same attributes."""
        kinds = {a.kind, b.kind}
        if len(kinds) == 1 and not cells & {*self.lowerer.scope.program.cell_paths}:
            a = self.with_unset(with_defaults(a, b), b, 0)
            b = self.with_unset(with_defaults(b, a), a, 1)
        same_sort = kinds <= {list, Listed} or kinds <= {dict, Mapped}
        if same_sort and (len(kinds) == 2 or a.keys != b.keys):
            return self.as_one(a, 0), self.as_one(b, 1)
        return a, b

    def with_unset(self, pack: Pack, other: Pack, side: int) -> Pack:
        """An object that was made here, with the attributes that only the ``other`` side has set as not set."""
        gone = missing_keys(pack, other)
        if not gone:
            return pack
        contents = [self.whole(other.get(k), 1 - side) for k in gone]
        outer = self.lowerer.scope.use(self.sides[side])
        try:
            items = [self.lowerer.cells.stored(never_set(c)) for c in contents]
        finally:
            self.lowerer.scope.use(outer)
        held = dict(zip([*pack.keys, *gone], [*pack.items, *items], strict=True))
        keys = [k for k in other.keys if k in held]
        keys = [*keys, *(k for k in held if k not in keys)]
        return Pack(pack.kind, keys, [held[k] for k in keys])

    def as_one(self, pack: Pack, side: int) -> Pack:
        lowerer = self.lowerer
        outer = lowerer.scope.use(self.sides[side])
        lowerer.scope.enter_again((self.op.then, self.op.orelse)[side])
        try:
            made: Pack = lowerer.cells.as_one(pack)
        finally:
            lowerer.scope.leave()
            lowerer.scope.use(outer)
        if self.found is not None:
            self.found.end(side)
        return made

    def items_as_they_are(self, node: Node, side: int) -> Node:
        """What a name holds on one side, items of containers known at run time by what they are there."""
        if not any(isinstance(v, Within) for v in leaves(node)):
            return node
        lowerer = self.lowerer
        outer = lowerer.scope.use(self.sides[side])
        lowerer.scope.enter_again((self.op.then, self.op.orelse)[side])
        try:
            return lowerer.items.settled(node)
        finally:
            lowerer.scope.leave()
            lowerer.scope.use(outer)

    def whole(self, node: Node, side: int) -> Node:
        """A node with the content of its containers, on one side."""
        lowerer = self.lowerer
        outer = lowerer.scope.use(self.sides[side])
        try:
            found = lowerer.cells.seen(node)
        finally:
            lowerer.scope.use(outer)
        return rebuild(found, lambda v: v)

    def mark(self) -> None:
        """A container that is one of two may be written to if nobody else holds either."""
        self.lowerer.scope.program.mark_shared(
            [(a, b, made.cell) for (a, b), made in self.pairs.items()],
            self.lowerer.cells.alive(self.merged),
            *(() if self.found is None else (self.found.alone(0), self.found.alone(1))),
        )

    def mark_within(self, env: Environment) -> None:
        """The same for two sides of an expression, which leave all names as they are."""
        self.merged = env
        self.mark()


def with_defaults(pack: Pack, other: Pack) -> Pack:
    """An object that was made here, with what its class says of attributes that only the ``other`` side has set."""
    known = isinstance(pack.kind, type) and is_plain_class(pack.kind)
    if pack.keys == other.keys or not known:
        return pack
    found = {k: static(pack.kind, k, MISSING) for k in other.keys if k not in pack.keys}
    found = {k: v for k, v in found.items() if v is not MISSING}
    if not all(map(is_writable, found.values())):
        return pack
    held = dict(zip(pack.keys, pack.items, strict=True)) | {
        k: of_plain(v) for k, v in found.items()
    }
    keys = [k for k in other.keys if k in held]
    keys = [*keys, *(k for k in held if k not in keys)]
    return Pack(pack.kind, keys, [held[k] for k in keys])


def of_plain(value: Any) -> Node:
    """A plain value as the compiler sees it: a tuple taken apart."""
    if type(value) is not tuple:
        return Const(value)
    return Pack(tuple, list(range(len(value))), list(map(of_plain, value)))


def is_tuple(node: Node) -> bool:
    """True of a value that is a tuple, named or not, of so many items."""
    kind = node.type if isinstance(node, Value) else None
    named = isinstance(kind, Tree) and isinstance(kind.cls, type) and issubclass(kind.cls, tuple)
    return isinstance(kind, Tree) and bool(kind.keys) and (named or kind.container == "tuple")


def entry_name(name: str | None, key: Any) -> str | None:
    """An entry with a name of its own is called by it."""
    if key == IS_NONE and name is not None:
        return f"{name}_is_none"
    if key == IS_SET and name is not None:
        return f"{name}_is_set"
    known = isinstance(key, str) and key.isidentifier() and name != "$result"
    return key if known else name
