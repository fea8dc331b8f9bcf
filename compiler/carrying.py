"""What a loop carries: the names and containers that its body leaves different.

A container that is written to in the body is carried by its content.  A name that holds another
container at the end of the body is carried *deep*: at the head it holds a container of its own.
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime import linear
from retrograd.runtime.errors import MutationError, UnsupportedSyntax

from .cells import Collecting, Listed, Ref, Unsettled, cell_name, is_cell
from .infer import join, type_of
from .ir import UNDEFINED, Const, Loop, Value
from .merging import HIDDEN
from .structure import Pack, leaves, rebuild
from .types import Stack

__all__ = ["Attempt", "Plan"]

Node = Any


class Plan:
    """What a loop is lowered for: carried names, which of them deep, which lists collected."""

    def __init__(self, carried: list[str], types: dict[str, Any]) -> None:
        self.carried, self.types = carried, types
        self.deep: set[str] = set()
        self.collected: set[int] = set()
        self.tried: set[int] = set()  # lists that were found not to be only appended to

    def revise(self, found: Unsettled) -> None:
        """The plan after one that did not hold; what an outer loop planned is passed on to it."""
        if found.cell is None:
            found.change(self)
        elif found.cell in self.collected:
            self.collected.discard(found.cell)
            self.tried.add(found.cell)
        else:
            raise found

    def carry(self, name: str, content: Node) -> None:
        """One container more: before the hidden names that an early ``return`` sets."""
        at = next((k for k, n in enumerate(self.carried) if n in HIDDEN), len(self.carried))
        self.carried.insert(at, name)
        self.types[name] = [type_of(v) for v in leaves(content)]


class Attempt:
    """One lowering of a loop body, with the names it carries."""

    def __init__(self, lowerer: Any, loop: Loop, plan: Plan, node: Any) -> None:
        self.lowerer, self.loop, self.plan, self.node = lowerer, loop, plan, node
        self.outer: dict[str, Node] = dict(lowerer.env)  # before the loop
        self.heads: dict[int, int] = {}  # containers before the loop -> at its head
        self.params: list[Value] = []
        self.params_of: dict[str, Node] = {}
        self.inits: list[Any] = []
        self.yields: list[Any] = []
        self.types: dict[str, Any] = {}
        self.reshaped: dict[str, Node] = {}  # names unbound before the loop that hold containers
        self.pairs: list[tuple[int, int]] = []

    # -- the head --------------------------------------------------------------------

    def enter(self) -> dict[str, Node]:
        """The carried names at the head of the loop."""
        for cell in self.plan.collected:
            self.lowerer.env[cell_name(cell)] = Pack(Collecting, [], [])
        for name in self.plan.carried:
            kinds = iter(self.plan.types[name])
            self.params_of[name] = self.head(name, self.outer[name], kinds, self.hint(name))
            self.lowerer.env[name] = self.params_of[name]
        return self.params_of

    def hint(self, name: str) -> str | None:
        found: str | None = (
            self.lowerer.cell_hint(name) if is_cell(name) else HIDDEN.get(name, name)
        )
        return found

    def head(self, name: str, init: Node, kinds: Any, hint: str | None) -> Node:
        if isinstance(init, Ref):
            return self.head_container(name, init, kinds, hint) if name in self.plan.deep else init
        if isinstance(init, Pack):
            items = [
                self.head(name, item, kinds, entry_hint(hint, key))
                for key, item in zip(init.keys, init.items, strict=True)
            ]
            return Pack(init.kind, list(init.keys), items)
        value = Value(hint, next(kinds, None))
        value.listed = isinstance(value.type, Stack)
        value.hidden = name == "$result"
        self.params.append(value)
        self.inits.append(init)
        self.lowerer.program.origins[value] = init
        return value

    def head_container(self, name: str, init: Ref, kinds: Any, hint: str | None) -> Ref:
        if init.cell not in self.heads:
            made = self.heads[init.cell] = self.lowerer.program.next_cell()
            content = self.head(name, self.outer[cell_name(init.cell)], kinds, hint)
            self.lowerer.env[cell_name(made)] = content
        return Ref(self.heads[init.cell])

    # -- the end ---------------------------------------------------------------------

    def close(self) -> None:
        """Set what the body yields, and the types it would like to carry."""
        lowerer, loop = self.lowerer, self.loop
        self.env = dict(lowerer.env)
        self.find_written()
        done: set[int] = set()
        for name in self.plan.carried:
            self.end_of(name, done)
        loop.inits, loop.body.yields = list(self.inits), list(self.yields)
        for cell in sorted(self.plan.collected):
            self.collect(cell)
        stop = self.env["$stop"]
        if not (isinstance(stop, Const) and not stop.value):
            loop.stops = True
            loop.body.yields.append(stop)
        loop.results = [Value(v.hint, v.type, loop.loc) for v in self.params] + loop.results
        for value, param in zip(loop.results, self.params, strict=False):
            value.hidden, value.listed = param.hidden, param.listed

    def find_written(self) -> None:
        """Containers that the body writes to, and the loop does not carry yet."""
        for name, before in self.outer.items():
            if not is_cell(name) or name in self.plan.carried:
                continue
            cell = int(name.removeprefix("$cell "))
            if cell in self.plan.collected or self.env.get(name) is before:
                continue
            if isinstance(before, Pack) and before.kind is Collecting:
                raise Unsettled(cell=cell)
            if is_collectable(before) and cell not in self.plan.tried:
                raise Unsettled(lambda plan, cell=cell: plan.collected.add(cell))
            raise Unsettled(lambda plan, n=name, c=before: plan.carry(n, c))

    def end_of(self, name: str, done: set[int]) -> None:
        init, end = self.outer[name], self.env[name]
        if init is UNDEFINED and isinstance(end, (Pack, Ref)):
            whole = rebuild(self.lowerer.seen(end), lambda v: v)
            if self.lowerer.is_data(whole):
                self.reshaped[name] = rebuild(whole, lambda _: UNDEFINED)
                self.types[name] = [type_of(y) for y in leaves(whole)]
                return
        start = len(self.yields)
        self.match(name, init, end, done)
        known = self.plan.types[name]
        made = [type_of(y) for y in self.yields[start:]]
        self.types[name] = [join(t, y) for t, y in zip(known, made, strict=False)]

    def match(self, name: str, init: Node, end: Node, done: set[int]) -> None:
        """The values at the end of the body, in the order of the carried ones."""
        if isinstance(init, Ref) and isinstance(end, Ref):
            if name not in self.plan.deep:
                if init == end:
                    return
                raise Unsettled(lambda plan: self.deepen(plan, name))
            self.pairs.append((init.cell, end.cell))
            if init.cell in done:
                return
            done.add(init.cell)
            self.contents(name, init.cell, end.cell, done)
        elif isinstance(init, Pack) and isinstance(end, Pack):
            if (init.kind, init.keys) != (end.kind, end.keys):
                if is_cell(name):
                    cell = int(name.removeprefix("$cell "))
                    self.lists(name, cell, init, end)
                raise self.changed(name)
            for a, b in zip(init.items, end.items, strict=True):
                self.match(name, a, b, done)
        elif isinstance(init, (Value, Const)) and isinstance(end, (Value, Const)):
            self.yields.append(end)
        else:
            raise self.changed(name)

    def deepen(self, plan: Plan, name: str) -> None:
        plan.deep.add(name)
        whole = self.lowerer.whole_of(self.outer[name], self.outer)
        plan.types[name] = [type_of(v) for v in leaves(whole)]

    def contents(self, name: str, a: int, b: int, done: set[int]) -> None:
        before, after = self.outer[cell_name(a)], self.env[cell_name(b)]
        if isinstance(before, Pack) and isinstance(after, Pack):
            self.lists(name, a, before, after)
        self.match(name, before, after, done)

    def lists(self, name: str, cell: int, before: Pack, after: Pack) -> None:
        """A list whose length changes is one value at the head and at the end."""
        kinds = {before.kind, after.kind}
        if not kinds <= {list, Listed} or kinds == {Listed}:
            return
        if before.kind is list and (after.kind is Listed or len(before.items) != len(after.items)):
            raise Unsettled(lambda plan: self.lowerer.list_outer(plan, name, cell))
        if before.kind is Listed and after.kind is list:
            outer = self.lowerer.blocks
            self.lowerer.blocks = [*outer, self.loop.body]
            made = self.lowerer.listed(after)
            self.lowerer.blocks = outer
            after.kind, after.keys, after.items = made.kind, made.keys, made.items

    def collect(self, cell: int) -> None:
        """A list that each iteration appends one item to."""
        content = self.env[cell_name(cell)]
        if not isinstance(content, Pack) or len(content.items) != 1:
            raise Unsettled(cell=cell)
        outer = self.lowerer.blocks
        self.lowerer.blocks = [*outer, self.loop.body]
        item = self.lowerer.operand(self.lowerer.seen(content.items[0]))
        if not isinstance(item, (Value, Const)):
            item = self.lowerer.bundle_operand(item)
        self.lowerer.blocks = outer
        self.lowerer.program.ambiguous |= set(self.lowerer.reachable(content.items[0]))
        stack = Value(self.lowerer.cell_hint(cell_name(cell)), Stack(type_of(item)), self.loop.loc)
        stack.listed = True
        self.loop.body.yields.append(item)
        self.loop.results.append(stack)
        self.loop.collects += 1

    def changed(self, name: str) -> UnsupportedSyntax:
        if name == "$result":
            found: UnsupportedSyntax = self.lowerer.returns_differ()
            return found
        shown = self.lowerer.cell_hint(name) if is_cell(name) else name
        shown = f"`{shown}`" if shown else "a container"
        return UnsupportedSyntax(
            f"{shown} changes its structure in this loop",
            place=self.lowerer.place(self.node),
            fix=f"give {shown} the same containers before the loop and at its end",
        )

    # -- after the loop --------------------------------------------------------------

    def leave(self) -> None:
        """Bind the results of the loop, in the environment before it."""
        lowerer = self.lowerer
        lowerer.env.clear()
        lowerer.env.update(self.outer)
        values = iter(self.loop.results)
        made: dict[int, int] = {}
        for name in self.plan.carried:
            lowerer.env[name] = self.result(name, self.outer[name], values, made)
        for cell in sorted(self.plan.collected):
            lowerer.env[cell_name(cell)] = self.extended(cell, next(values))
        pairs = [(a, b, new) for a, b in self.pairs for new in (made[a], self.heads[a])]
        program = lowerer.program
        program.mark_shared([(a, b, made[a]) for a, b in self.pairs], lowerer.alive(lowerer.env))
        if any(made[a] in program.ambiguous for a, _, _ in pairs):
            written = [a for a in self.heads if self.heads[a] in program.written]
            program.ambiguous |= {self.heads[a] for a in self.heads}
            if written:
                raise MutationError(
                    "a container is written to that another name holds in the next iteration",
                    place=lowerer.place(self.node), fix="write to a copy: dict(p), list(p)",
                )  # fmt: skip

    def result(self, name: str, init: Node, values: Any, made: dict[int, int]) -> Node:
        if isinstance(init, Ref):
            if name not in self.plan.deep:
                return init
            if init.cell not in made:
                new = made[init.cell] = self.lowerer.program.next_cell()
                content = self.result(name, self.outer[cell_name(init.cell)], values, made)
                self.lowerer.env[cell_name(new)] = content
            return Ref(made[init.cell])
        if isinstance(init, Pack):
            items = [self.result(name, i, values, made) for i in init.items]
            return Pack(init.kind, list(init.keys), items)
        value = next(values)
        k = self.loop.results.index(value)
        return init if is_cell(name) and self.yields[k] is self.params[k] else value

    def extended(self, cell: int, stack: Value) -> Pack:
        before = self.outer[cell_name(cell)]
        if before.kind is list and not before.items:
            return Pack(Listed, [0], [stack])
        start = self.lowerer.listed(self.lowerer.seen(before))
        made = self.lowerer.apply(linear.joined, (start.items[0], stack), {})
        made.type = join(type_of(start.items[0]), stack.type)
        return Pack(Listed, [0], [made])


def entry_hint(hint: str | None, key: Any) -> str | None:
    """An entry with a name of its own is called by it."""
    return key if isinstance(key, str) and key.isidentifier() else hint


def is_collectable(content: Node) -> bool:
    return isinstance(content, Pack) and content.kind in (list, Listed)
