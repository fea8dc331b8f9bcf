"""Loops that write shifted slices of one array become one loop over it, the ends written out before and after.

``x[1:] += a; x[:-1] -= a`` is two loops over ``a``.  Numbered by the element of ``x`` that they
write, both may run as one, over the elements that both of them reach.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.runtime.records import dataclass

from ...loop_ir.clone import copies
from ...loop_ir.effects import Access, Effects, effects_of, independent
from ...loop_ir.ir import (
    Accumulate,
    Affine,
    Bail,
    For,
    If,
    Kernel,
    Let,
    Op,
    Set,
    Stmt,
    Store,
    Var,
    blocks_of,
    exprs_of,
    integer,
    minus,
    plus,
    variables,
    walk,
)
from ...loop_ir.values import result_variables
from .loop_fusion import alike, moves, offset

__all__ = ["gather"]

FAR = 30  # statements that are looked at, going on
MOST = 8  # loops in one
ENDS = 12  # iterations that not all of them have
GROWTH = 120  # statements that ends may add to a kernel: those of nests are products of their axes'


@dataclass
class Member:
    """A loop, numbered anew: its iteration ``i`` is ``i + shift`` of the group."""

    loop: For
    shift: int

    @property
    def lo(self) -> Affine:
        return plus(self.loop.lo, self.shift)

    @property
    def hi(self) -> Affine:
        return plus(self.loop.hi, self.shift)


class Names:
    """Where the names of a kernel are written, and new ones."""

    def __init__(self, kernel: Kernel) -> None:
        self.body = kernel.body
        self.returned = [v.name for v in result_variables(kernel.results)]
        self.made = 0
        self.room = GROWTH
        self.uses: Counter[str] = Counter()
        self.looked: dict[Any, tuple[Stmt, Any]] = {}  # what was found out about statements
        self.count()

    def count(self) -> None:
        """In how many statements each name stands."""
        self.looked.clear()
        self.uses = Counter(self.returned)
        for s in self.body:
            self.uses += self.within(s)

    def once(self, look: Callable[..., Any], stmt: Stmt, *more: Any) -> Any:
        """``look(stmt, ...)``, which is the same until statements change."""
        key = look, id(stmt)
        if key not in self.looked:
            self.looked[key] = stmt, look(stmt, *more)
        return self.looked[key][1]

    def effects(self, stmt: Stmt) -> Effects:
        return self.once(effects_of, stmt)  # type: ignore[no-any-return]

    def within(self, stmt: Stmt) -> Counter[str]:
        """In how many statements from this one down each name stands."""
        return self.once(self.mentions, stmt)  # type: ignore[no-any-return]

    def mentions(self, stmt: Stmt) -> Counter[str]:
        found = Counter(mentioned(stmt))
        for block in blocks_of(stmt):
            for inner in block:
                found.update(self.within(inner))
        return found

    def fresh(self, var: Var) -> Var:
        self.made += 1
        return Var(f"g{self.made}_{var.name}", var.dtype)

    def place(self, e: Affine) -> int | None:
        """From where on an integer is known in the outermost block: its names are written once, there."""
        wanted = {v.name for v in variables(e)}
        at = 0
        for k, top in enumerate(self.body):
            written = {
                s.var.name for s in walk([top]) if isinstance(s, (Let, Set, Accumulate, For))
            }
            if written & wanted:
                if not isinstance(top, Let):
                    return None
                at = k + 1
        return at


def gather(kernel: Kernel) -> Kernel:
    """Join shifted loops everywhere, outer before inner."""
    names = Names(kernel)
    rooms: list[Affine] = []
    gather_block(kernel.body, names, rooms)
    for room in rooms:
        at = names.place(room)
        assert at is not None
        kernel.body.insert(at, Bail(Op("less", (room, integer(0)), "b1")))
    return kernel


def gather_block(stmts: list[Stmt], names: Names, rooms: list[Affine]) -> None:
    k = 0
    while k < len(stmts):
        group = group_at(stmts, k, names)
        made = pieces(group, names) if len(group) > 1 else []
        growth = size(made) - size([m.loop for m in group])
        if made and growth <= names.room:
            names.room -= growth
            room = room_of(group)
            if room.terms and room not in rooms:
                rooms.append(room)
            gone = {id(m.loop) for m in group}
            stmts[:] = [s for s in stmts if id(s) not in gone]
            stmts[k:k] = made
            names.count()
            k += len(made)
        else:
            k += 1
    for stmt in stmts:
        for block in blocks_of(stmt):
            gather_block(block, names, rooms)


def size(stmts: Sequence[Stmt]) -> int:
    """How many statements these are, with those below."""
    return sum(1 for _ in walk([*stmts]))


# -- which loops ------------------------------------------------------------------------


def group_at(stmts: list[Stmt], k: int, names: Names) -> list[Member]:
    """The loop number ``k`` and those after it that may run with it, shifted."""
    first = stmts[k]
    if not isinstance(first, For) or not names.once(is_plain, first, names):
        return []
    group = [Member(first, 0)]
    between: list[Effects] = []
    for s in stmts[k + 1 : k + FAR]:
        own = names.effects(s)
        if own.fixed or len(group) == MOST:
            break
        member = None
        if isinstance(s, For) and all(independent(own, other) for other in between):
            member = fitting(group, s, names)
        if member is None:
            between.append(own)
        else:
            group.append(member)
    return group


def is_plain(loop: For, names: Names) -> bool:
    """True if a loop may be copied: its scalars are sums, or its own."""
    kinds = (For, If, Let, Set, Accumulate, Store)
    return (
        not loop.backwards
        and all(isinstance(s, kinds) for s in walk([loop]))
        and all(is_own(loop, s.var.name, names) for s in walk([loop]) if isinstance(s, Set))
    )


def is_own(loop: For, name: str, names: Names) -> bool:
    """True if a variable is set in each iteration before it is read, and of no use outside."""
    block = loop.body
    while True:
        users = [s for s in block if name in names.within(s)]
        if isinstance(users[0], Set) and name not in {v.name for v in variables(users[0].value)}:
            return sum(names.within(s)[name] for s in users) == names.uses[name]
        if len(users) > 1 or not isinstance(users[0], For):
            return False
        block = users[0].body


def mentioned(stmt: Stmt) -> set[str]:
    """The scalars a statement itself reads or writes."""
    found = {v.name for e in exprs_of(stmt) for v in variables(e)}
    if isinstance(stmt, (Let, Set, Accumulate, For)):
        found.add(stmt.var.name)
    return found


def fitting(group: list[Member], loop: For, names: Names) -> Member | None:
    """A loop as a member of a group."""
    if not names.once(is_plain, loop, names):
        return None
    for shift in shifts(group, loop, names):
        member = Member(loop, shift)
        if all(joinable(m, member, names) for m in group) and short_ends([*group, member]):
            room = room_of([*group, member])
            if names.place(room) is not None if room.terms else room.const >= 0:
                return member
    return None


def shifts(group: list[Member], loop: For, names: Names) -> list[int]:
    """Numbers that may bring what a loop writes into step."""
    mine = names.effects(loop)
    found = set()
    for m in group:
        theirs = names.effects(m.loop)
        for k in mine.buffers.keys() & theirs.buffers.keys():
            if not (mine.written(k) and theirs.written(k)):
                continue
            for first, _ in theirs.buffers[k]:
                for second, _ in mine.buffers[k]:
                    found |= apart(m, first, loop, second)
    return sorted(found, key=lambda n: (abs(n), n))


def apart(m: Member, first: Any, loop: For, second: Any) -> set[int]:
    if first is None or second is None:
        return set()
    found = set()
    for a, b in zip(first, second, strict=True):
        if moves(a, m.loop.var) and moves(b, loop.var):
            (rest_a, at_a), (rest_b, at_b) = offset(a, m.loop.var), offset(b, loop.var)
            if rest_a == rest_b:
                found.add(at_b - at_a + m.shift)
    return found


def joinable(a: Member, b: Member, names: Names) -> bool:
    """True if two loops may run as one where both have iterations."""
    first, second = names.effects(a.loop), names.effects(b.loop)
    if minus(a.lo, b.lo).terms or minus(a.hi, b.hi).terms or not alike(a.loop, b.loop):
        return False
    if first.writes & (second.reads | second.writes) or second.writes & first.reads:
        return False
    changing = first.writes | second.writes
    return all(
        in_step(a, first.buffers[k], b, second.buffers[k], changing)
        for k in first.buffers.keys() & second.buffers.keys()
        if first.written(k) or second.written(k)
    )


def in_step(
    a: Member, first: list[Access], b: Member, second: list[Access], changing: set[str]
) -> bool:
    """True if all accesses are to one place, which moves with the loops."""
    places = [(a, index) for index, _ in first] + [(b, index) for index, _ in second]
    if any(index is None for _, index in places):
        return False
    return any(
        all(moves(index[p], m.loop.var) for m, index in places if index is not None)
        and len(found := {shifted(index[p], m) for m, index in places if index is not None}) == 1
        and not {v.name for rest, _ in found for atom, _ in rest for v in variables(atom)}
        & changing
        for p in range(len(places[0][1] or ()))
    )


def shifted(e: Any, m: Member) -> tuple[tuple[tuple[Any, int], ...], int]:
    rest, at = offset(e, m.loop.var)
    return rest, at - m.shift


# -- one loop of them ----------------------------------------------------------------------


def bounds(group: list[Member]) -> tuple[list[int], list[int]]:
    """Where the members begin, and where they end, from the first one's on."""
    base = group[0]
    return (
        [minus(m.lo, base.lo).const for m in group],
        [minus(m.hi, base.hi).const for m in group],
    )


def short_ends(group: list[Member]) -> bool:
    los, his = bounds(group)
    return max(los) - min(los) + max(his) - min(his) <= ENDS


def room_of(group: list[Member]) -> Affine:
    """The number of iterations that all members have."""
    los, his = bounds(group)
    return minus(plus(group[0].hi, min(his)), plus(group[0].lo, max(los)))


def pieces(group: list[Member], names: Names) -> list[Stmt]:
    """The ends before the core, the core, and the ends after it."""
    los, his = bounds(group)
    lo, hi = group[0].lo, group[0].hi
    starts, ends = sorted(set(los)), sorted(set(his))
    made: list[Stmt] = []
    for a, b in itertools.pairwise(starts):
        part = [m for m, start in zip(group, los, strict=True) if start <= a]
        made.append(joined(part, plus(lo, a), plus(lo, b), names))
    made.append(joined(group, plus(lo, starts[-1]), plus(hi, ends[0]), names))
    for a, b in itertools.pairwise(ends):
        part = [m for m, end in zip(group, his, strict=True) if end >= b]
        made.append(joined(part, plus(hi, a), plus(hi, b), names))
    return made


def joined(part: list[Member], lo: Affine, hi: Affine, names: Names) -> For:
    """One loop of some members."""
    var = names.fresh(part[0].loop.var)
    body: list[Stmt] = []
    for m in part:
        body += copies(m.loop.body, {m.loop.var: plus(var, -m.shift)}, names.fresh)
    return For(var, lo, hi, body, free=all(m.loop.free for m in part))
