"""Loops that each go over the same arrays go over them together, a block at a time: the block stays near.

What a loop needs of one before it may lie a few iterations ahead.  It follows that many iterations
behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.records import dataclass

from ...loop_ir.clone import copies
from ...loop_ir.effects import Access, Effects, effects_of
from ...loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Let,
    Op,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    change_exprs,
    exprs_of,
    integer,
    loads,
    minus,
    plus,
    times,
    variables,
    walk,
)
from ...loop_ir.operation_names import FEW, SMALL
from .loop_fusion import is_inner, moves, offset

__all__ = ["interleave"]

BLOCK = 1024  # iterations of a loop
ROWS = 4  # of loops with loops in them
WHOLE = 10**9


@dataclass
class Link:
    """A loop of a chain: in a block that ends at ``e`` it goes up to ``e - delay``."""

    loop: For
    effects: Effects
    delay: int

    @property
    def count(self) -> int | None:
        """How many iterations, if that is known."""
        n = minus(self.loop.hi, self.loop.lo)
        return None if n.terms else n.const


def interleave(kernel: Kernel) -> Kernel:
    """Interleave what stands beside each other, outer before inner."""
    Blocks(kernel).block(kernel.body)
    return kernel


class Blocks:
    """The names that are used up, and how often each buffer is in use."""

    def __init__(self, kernel: Kernel) -> None:
        self.made = self.copied = 0
        self.uses = accesses(kernel.body)

    def fresh(self, var: Var) -> Var:
        self.copied += 1
        return Var(f"w{self.copied}_{var.name}", var.dtype)

    def block(self, stmts: list[Stmt]) -> None:
        k = 0
        while k < len(stmts):
            chain = chain_at(stmts, k)
            if chain:
                stmts[k : k + len(chain)] = [self.together(chain, rooms_of(stmts[:k]))]
            else:
                for inner in blocks_of(stmts[k]):
                    self.block(inner)
            k += 1

    def together(self, chain: list[Link], rooms: list[Alloc]) -> For:
        """The loop over blocks; ``rooms``: buffers that hold nothing before it."""
        self.made += 1
        n = self.made
        size = BLOCK if is_inner(longest(chain).loop) else ROWS
        lo = extreme("minimum", [affine(x.loop.lo) for x in chain])
        hi = extreme("maximum", [plus(x.loop.hi, x.delay) for x in chain])
        strip, start = Var(f"strip_{n}"), Var(f"strip_{n}_lo")
        body: list[Stmt] = [Let(start, plus(lo, times(size, strip)))]
        kept: list[Stmt] = []
        for room in rooms:
            window = window_of(chain, room.buffer)
            if window is not None and self.uses[id(room.buffer)] == sum(
                accesses([link.loop])[id(room.buffer)] for link in chain
            ):
                kept += shrink(chain, room.buffer, window, size, start, f"strip_{n}_{len(kept)}")
        for k, link in enumerate(chain):
            own = (Var(f"strip_{n}_from_{k}"), Var(f"strip_{n}_upto_{k}"))
            first = plus(start, -link.delay)
            body += self.part(link, first, plus(first, size), own)
        body += kept
        count = Op("floor_divide", (plus(minus(hi, lo), size - 1), integer(size)), "i8")
        return For(strip, integer(0), affine(count), body)

    def part(
        self, link: Link, first: Affine, end: Affine, names: tuple[Var, Var]
    ) -> Iterator[Stmt]:
        """The part of a loop in a block."""
        loop = link.loop
        if link.count is not None and link.count <= FEW:
            for k in range(link.count):
                at = plus(loop.lo, k)
                inside = Op("logical_and", (no_more(first, at), less(at, end)), "b1")
                yield If(inside, copies(loop.body, {loop.var: at}, self.fresh))
            return
        yield Let(names[0], Op("maximum", (affine(loop.lo), first), "i8"))
        yield Let(names[1], Op("minimum", (affine(loop.hi), end), "i8"))
        loop.lo, loop.hi = affine(names[0]), affine(names[1])
        yield loop


def less(a: Affine, b: Affine) -> Op:
    return Op("less", (a, b), "b1")


def no_more(a: Affine, b: Affine) -> Op:
    return Op("less_equal", (a, b), "b1")


def extreme(name: str, values: list[Affine]) -> Affine:
    """The smallest or the largest of integers."""
    best: list[Affine] = []
    for value in values:
        for k, other in enumerate(best):
            apart = minus(value, other)
            if not apart.terms:
                better = apart.const < 0 if name == "minimum" else apart.const > 0
                best[k] = value if better else other
                break
        else:
            best.append(value)
    found = best[0]
    for value in best[1:]:
        found = affine(Op(name, (found, value), "i8"))
    return found


# -- which loops ------------------------------------------------------------------------


def chain_at(stmts: list[Stmt], k: int) -> list[Link]:
    """The loops from number ``k`` on that go over the same arrays."""
    chain: list[Link] = []
    for stmt in stmts[k:]:
        if not isinstance(stmt, For) or not is_plain(stmt):
            break
        own = effects_of(stmt)
        if chain and not is_near(chain, stmt, own):
            break
        delay = delay_of(chain, stmt, own)
        if delay is None:
            break
        chain.append(Link(stmt, own, delay))
    return chain if sum(not is_short(link) for link in chain) > 1 else []


def is_plain(loop: For) -> bool:
    """True if a loop runs to its end, forwards, and is no sum."""
    own = {s.var for s in walk(loop.body) if isinstance(s, Set)}
    return not (
        loop.backwards
        or effects_of(loop).fixed
        or any(isinstance(s, (Alloc, Reserve)) for s in walk(loop.body))
        or any(isinstance(s, Accumulate) and s.var not in own for s in walk(loop.body))
    )


def is_short(link: Link) -> bool:
    return link.count is not None and link.count <= SMALL


def longest(chain: list[Link]) -> Link:
    return next(link for link in chain if not is_short(link))


def is_near(chain: list[Link], loop: For, own: Effects) -> bool:
    """True if a loop reads or writes what one of the chain writes, or writes what one reads."""
    return all(is_inner(loop) == is_inner(link.loop) for link in chain) and any(
        own.written(k) or link.effects.written(k)
        for link in chain
        for k in own.buffers.keys() & link.effects.buffers.keys()
    )


def delay_of(chain: list[Link], loop: For, own: Effects) -> int | None:
    """How many iterations a loop stays behind the first one."""
    delay = 0
    for link in chain:
        first = link.effects
        if first.writes & (own.reads | own.writes) or own.writes & first.reads:
            return None
        changing = first.writes | own.writes
        for k in own.buffers.keys() & first.buffers.keys():
            if own.written(k) or first.written(k):
                behind = distance(link.loop, first.buffers[k], loop, own.buffers[k], changing)
                if behind is None:
                    return None
                delay = max(delay, link.delay + behind)
    return delay


def distance(
    a: For, first: list[Access], b: For, second: list[Access], changing: set[str]
) -> int | None:
    """How far behind ``a`` an iteration of ``b`` must stay: each element belongs to ``a`` before."""
    found = []
    for p in range(len(first[0][0] or ())):
        ahead = [position(access, a, p) for access in first]
        after = [position(access, b, p) for access in second]
        if None in ahead or None in after:
            continue
        rests = {x[0] for x in [*ahead, *after] if x is not None}
        names = {v.name for rest in rests for atom, _ in rest for v in variables(atom)}
        if len(rests) == 1 and not names & changing:
            found.append(
                max(
                    y[1] - x[1]
                    for x, (_, x_writes) in zip(ahead, first, strict=True)
                    for y, (_, y_writes) in zip(after, second, strict=True)
                    if x is not None and y is not None and (x_writes or y_writes)
                )
            )
    return min(found, default=None)


def position(access: Access, loop: For, p: int) -> tuple[Any, int] | None:
    """The offset of an index from the loop's variable."""
    index, _ = access
    return offset(index[p], loop.var) if index is not None and moves(index[p], loop.var) else None


# -- what is handed on in a chain ----------------------------------------------------------


def rooms_of(stmts: list[Stmt]) -> list[Alloc]:
    """The buffers made here that hold nothing yet, and that nobody sees after the kernel."""
    made = [s for s in stmts if isinstance(s, Alloc)]
    return [s for s in made if not s.zero and s.buffer.role == "local"]


def accesses(stmts: list[Stmt]) -> Counter[int]:
    """How often each buffer is read or written, element by element; all of it counts for many."""
    found: Counter[int] = Counter()
    for s in walk(stmts):
        found.update(id(g.buffer) for e in exprs_of(s) for g in loads(e))
        if isinstance(s, Store):
            found[id(s.buffer)] += 1
        elif isinstance(s, Product):
            found.update({id(buffer): WHOLE for buffer in (s.c, s.a[0], s.b[0])})
    return found


def window_of(chain: list[Link], buffer: Buffer) -> tuple[int, int] | None:
    """From where to where, from the beginning of a block on, a chain needs what a loop of it made.

    None if it is not one loop that makes it, all of it.
    """
    own = id(buffer)
    users = [link for link in chain if own in link.effects.buffers]
    makers = [link for link in users if link.effects.written(own)]
    if len(makers) != 1 or is_short(makers[0]) or makers[0] is not users[0]:
        return None
    body = list(walk(makers[0].loop.body))
    stores = [s for s in body if isinstance(s, Store) and s.buffer is buffer]
    if len(stores) != 1 or stores[0].op is not None or any(isinstance(s, If) for s in body):
        return None
    places = [
        (position(access, link.loop, 0), link.delay)
        for link in users
        for access in link.effects.buffers[own]
    ]
    if any(place is None or place[0] for place, _ in places):
        return None
    behind = [place[1] - delay for place, delay in places if place is not None]
    return min(behind), max(behind)


def shrink(
    chain: list[Link], buffer: Buffer, window: tuple[int, int], size: int, start: Var, name: str
) -> list[Stmt]:
    """Give a buffer room for one block and what is needed of the one before; how that is kept."""
    low, high = window
    old = high - low
    buffer.dims = (integer(size + old), *buffer.dims[1:])

    def moved(index: tuple[Any, ...]) -> tuple[Any, ...]:
        return (minus(plus(index[0], -low), start), *index[1:])

    for link in chain:
        change_exprs(
            link.loop.body,
            lambda e: (
                Get(buffer, moved(e.index)) if isinstance(e, Get) and e.buffer is buffer else e
            ),
        )
        for s in walk(link.loop.body):
            if isinstance(s, Store) and s.buffer is buffer:
                s.index = moved(s.index)
    at = [Var(f"{name}_{k}") for k in range(len(buffer.dims))]
    index = tuple(affine(v) for v in at)
    last: list[Stmt] = [Store(buffer, index, Get(buffer, (plus(at[0], size), *index[1:])))]
    for v, n in zip(reversed(at), reversed((integer(old), *buffer.dims[1:])), strict=True):
        last = [For(v, integer(0), affine(n), last, free=v is not at[0])]
    return last if old else []
