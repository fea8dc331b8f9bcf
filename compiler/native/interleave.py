"""Loops that each go over the same arrays go over them together, a block at a time: the block stays near.

What a loop needs of one before it may lie a few iterations ahead.  It follows that many iterations
behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .effects import Access, Effects, effects_of
from .fuse import is_inner, moves, offset
from .gather import copies
from .loop_ir import (
    Accumulate,
    Affine,
    Alloc,
    For,
    If,
    Kernel,
    Let,
    Op,
    Reserve,
    Set,
    Stmt,
    Var,
    affine,
    blocks_of,
    integer,
    minus,
    plus,
    times,
    variables,
    walk,
)
from .operations import FEW, SMALL

__all__ = ["interleave"]

BLOCK = 1024  # iterations of a loop
ROWS = 4  # of loops with loops in them


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
    Blocks().block(kernel.body)
    return kernel


class Blocks:
    """Names that are used up."""

    def __init__(self) -> None:
        self.made = self.copied = 0

    def fresh(self, var: Var) -> Var:
        self.copied += 1
        return Var(f"{var.name}_w{self.copied}", var.dtype)

    def block(self, stmts: list[Stmt]) -> None:
        k = 0
        while k < len(stmts):
            chain = chain_at(stmts, k)
            if chain:
                stmts[k : k + len(chain)] = [self.together(chain)]
            else:
                for inner in blocks_of(stmts[k]):
                    self.block(inner)
            k += 1

    def together(self, chain: list[Link]) -> For:
        """The loop over blocks."""
        self.made += 1
        n = self.made
        size = BLOCK if is_inner(longest(chain).loop) else ROWS
        lo = extreme("minimum", [affine(x.loop.lo) for x in chain])
        hi = extreme("maximum", [plus(x.loop.hi, x.delay) for x in chain])
        strip, start = Var(f"strip_{n}"), Var(f"strip_{n}_lo")
        body: list[Stmt] = [Let(start, plus(lo, times(size, strip)))]
        for k, link in enumerate(chain):
            own = (Var(f"strip_{n}_from_{k}"), Var(f"strip_{n}_upto_{k}"))
            first = plus(start, -link.delay)
            body += self.part(link, first, plus(first, size), own)
        count = Op("floor_divide", (plus(minus(hi, lo), size - 1), integer(size)), "i8")
        return For(strip, integer(0), affine(count), body)

    def part(
        self, link: Link, first: Affine, end: Affine, names: tuple[Var, Var]
    ) -> Iterator[Stmt]:
        """What a loop does in a block."""
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
    while chain and is_short(chain[-1]):
        chain.pop()
    return chain if sum(not is_short(link) for link in chain) > 1 else []


def is_plain(loop: For) -> bool:
    """Whether a loop runs to its end, forwards, and is no sum."""
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
    """Whether a loop reads or writes what one of the chain writes, or writes what one reads."""
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
    """What an index adds to the loop's variable."""
    index, _ = access
    return offset(index[p], loop.var) if index is not None and moves(index[p], loop.var) else None
