"""Names of emitted variables: the user's, as long as versions of one do not interfere.

Values joined by a loop or a branch share one variable if they may (a web); a web takes the name
most of it has, and a suffix counted within that name only where it would clash.
"""

from __future__ import annotations

import keyword

from ...analyses.aliasing.memory_facts import is_written
from ...analyses.control_flow.liveness import Interference
from ...ir.operations import Apply, Block, Call, Function, If, Loop, Value, walk
from ...ir.types import Stack
from ...ir.value_names import in_words
from .likely_names import LikelyNames

__all__ = ["Names"]


class Names:
    """``names[v]``: the variable that holds ``v``."""

    def __init__(
        self,
        function: Function,
        interference: Interference,
        nested: set[Value],
        taken: set[str],
        likely: LikelyNames,
    ) -> None:
        self.interference, self.nested = interference, nested
        self.parent: dict[Value, Value] = {}
        self.members: dict[Value, list[Value]] = {}
        self.extents: dict[Value, tuple[set[Value], set[Value]]] = {}
        self.hints: dict[Value, set[str]] = {}
        self.order: dict[Value, int] = {}  # the webs, in the order of their first value
        self.likely = likely
        self.collected, self.defs = likely.collected, likely.defs
        self.taken = taken
        self.collect(function.body)
        self.coalesce(function.body)
        self.users = {v.hint for v in {*function.body.params, *self.defs} if not v.made}
        self.starts = {
            self.find(init)
            for op in walk(function.body)
            if isinstance(op, Loop)
            for param, init in zip(op.carried, op.inits, strict=True)
            if isinstance(init, Value) and init.hint == param.hint
            if init in self.defs and not init.made
        }
        self.names = self.assign(function)

    def __getitem__(self, v: Value) -> str:
        return self.names[self.find(v)]

    def get(self, v: Value) -> str | None:
        """The variable that holds ``v``; None if it is nested in another expression."""
        return self.names.get(self.find(v))

    # -- webs ------------------------------------------------------------------------

    def find(self, v: Value) -> Value:
        first = v = self.interference.one(v)
        while v in self.parent:
            v = self.parent[v]
        if first is not v:
            self.parent[first] = v  # the way is shorter next time
        return v

    def enter(self, v: Value) -> None:
        root = self.find(v)
        if root not in self.members:
            self.members[root] = [root]
            self.order[root] = len(self.order)
        if v is not root and v not in self.members[root]:
            self.members[root].append(v)

    def collect(self, block: Block) -> None:
        for v in block.params:
            self.enter(v)
        for op in block.ops:
            if isinstance(op, Loop):
                for v in op.results:
                    self.enter(v)
            if isinstance(op, If):
                self.collect(op.then)
                self.collect(op.orelse)
            elif isinstance(op, Loop):
                if op.cond is not None:
                    self.collect(op.cond)
                self.collect(op.body)
            for v in op.results:
                if v not in self.nested:
                    self.enter(v)

    def coalesce(self, block: Block) -> None:
        """Let values that are copied into each other share a variable."""
        for op in block.ops:
            if isinstance(op, Apply) and is_written(op):
                if isinstance(op.args[0], Value):
                    self.join(op.result, op.args[0], force=True)
            elif isinstance(op, Call):
                for k, j in op.callee.facts.writes:
                    if j is not None and isinstance(op.args[k], Value):
                        self.join(op.results[j], op.args[k], force=True)
            elif isinstance(op, If):
                self.coalesce(op.then)
                self.coalesce(op.orelse)
                for result, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
                    self.join(result, a)
                    self.join(result, b)
            elif isinstance(op, Loop):
                if op.cond is not None:
                    self.coalesce(op.cond)
                self.coalesce(op.body)
                for param, init, value in zip(op.carried, op.inits, op.body.yields, strict=False):
                    self.join(param, value)
                    self.join(param, init)

    def join(self, a: Value, b: object, force: bool = False) -> None:
        if not isinstance(b, Value) or b in self.nested or a in self.nested:
            return
        x, y = self.find(a), self.find(b)
        if x is y or y not in self.members or x not in self.members:
            return
        hints = self.hints_of(x) | self.hints_of(y)
        if (len(hints) > 1 and not force) or self.clash(x, y):
            return
        first, second = (x, y) if self.order[x] < self.order[y] else (y, x)
        self.parent[second] = first
        self.members[first] += self.members.pop(second)
        self.hints[first] = hints
        parts = zip(self.extents[first], self.extents.pop(second), strict=True)
        own, met = (joined(a, b) for a, b in parts)
        self.extents[first] = own, met
        del self.order[second]

    def hints_of(self, web: Value) -> set[str]:
        if web not in self.hints:
            self.hints[web] = {v.hint for v in self.members[web] if v.hint is not None}
        return self.hints[web]

    def clash(self, x: Value, y: Value) -> bool:
        """True if two webs are alive at the same time."""
        return clash(self.extent(x), *self.extent(y))

    def extent(self, web: Value) -> tuple[set[Value], set[Value]]:
        """The values of a web, and those alive where they are defined; one that was not joined has one value."""
        if web not in self.extents:
            self.extents[web] = {web}, self.interference.conflicts[web]
        return self.extents[web]

    # -- names -----------------------------------------------------------------------

    def assign(self, function: Function) -> dict[Value, str]:
        names: dict[Value, str] = {}
        users: dict[str, tuple[set[Value], set[Value]]] = {}
        for web in self.in_order(function):
            kept = self.same_as_kept(web, names)
            own, met = self.extent(web)
            base = kept or self.likely.of(self.members[web])
            if base in users and web in self.starts and clash(users[base], own, met):
                base = self.likely.described(
                    self.members[web], "start"
                )  # a loop has its variable's
            name, k = base, 1
            while not self.is_free(name, web, users, name == kept):
                k += 1
                name = f"{base}_{k}"
            names[web] = name
            if name in users:
                users[name][0].update(own)
                users[name][1].update(met)
            else:
                users[name] = own, met  # nobody asks for the extent of a web that has a name
        return names

    def is_free(
        self, name: str, web: Value, users: dict[str, tuple[set[Value], set[Value]]], kept: bool
    ) -> bool:
        """True if a web may have a name.

        Several may share one that the user chose, or that tells whose adjoint it is; what we call a temporary
        means one thing only.
        """
        if name in self.taken or keyword.iskeyword(name):
            return False
        if name not in users:
            return True
        return (kept or self.is_named(web)) and not clash(users[name], *self.extent(web))

    def is_named(self, web: Value) -> bool:
        """True if a web has a name that says what it is: the user's, an adjoint of such, a tape, ``i_minus_1``."""
        return any(map(self.says_what, self.members[web]))

    def says_what(self, v: Value) -> bool:
        if isinstance(v.type, Stack) or (v.hint and not v.soft):
            return True
        whose = v.bar.lstrip("~") if v.bar else (v.hint or "").removesuffix("_bar")
        op = self.defs.get(v)
        return whose in self.users or (isinstance(op, Apply) and in_words(op) is not None)

    def in_order(self, function: Function) -> list[Value]:
        """The webs in the order in which they choose: arguments, what loops update, all others."""
        loops = [op for op in walk(function.body) if isinstance(op, Loop)]
        updated = [v for op in loops for v in op.carried if v.hint and v not in self.collected]
        first = dict.fromkeys(map(self.find, [*function.body.params, *updated]))
        return [web for web in dict.fromkeys([*first, *self.order]) if web in self.order]

    def same_as_kept(self, web: Value, names: dict[Value, str]) -> str | None:
        """An element of a tape is called what the value was called when it was put there."""
        for v in self.members[web]:
            value = self.collected.get(v)
            if (
                isinstance(value, Value)
                and not isinstance(v.type, Stack)
                and value not in self.nested
            ):
                return names.get(self.find(value))
        return None


def joined(a: set[Value], b: set[Value]) -> set[Value]:
    """The union of two sets that nobody else has, at the cost of the smaller one."""
    a, b = (a, b) if len(a) >= len(b) else (b, a)
    a |= b
    return a


def clash(known: tuple[set[Value], set[Value]], own: set[Value], met: set[Value]) -> bool:
    """True if two webs, or all webs of a name and one more, are alive at the same time."""
    return not (known[0].isdisjoint(met) and own.isdisjoint(known[1]))
