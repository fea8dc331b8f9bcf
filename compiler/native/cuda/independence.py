"""Which loops have independent iterations: those of a grid.

An iteration may write where no other one writes or reads, and to variables of its own.  It may also add to a
variable, or to elements that all iterations add to: that is a reduction over the loop.
"""

from __future__ import annotations

from typing import Any

from retrograd.runtime.records import dataclass, field

from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    Break,
    Buffer,
    Continue,
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
    While,
    affine,
    exprs_of,
    subexpressions,
    variables,
    walk,
)  # fmt: skip

__all__ = ["Uses", "assigned", "grid", "is_sum", "private"]


class Uses:
    """How often each variable is used in a kernel, results included."""

    def __init__(self, kernel: Kernel, results: set[str]) -> None:
        self.counts: dict[str, int] = dict.fromkeys(results, 1)
        count(kernel.body, self.counts)

    def only_in(self, stmts: list[Stmt], name: str) -> bool:
        here: dict[str, int] = {}
        count(stmts, here)
        return here.get(name, 0) == self.counts.get(name, 0)


def count(stmts: list[Stmt], counts: dict[str, int]) -> None:
    for s in walk(stmts):
        for e in exprs_of(s):
            for v in variables(e):
                counts[v.name] = counts.get(v.name, 0) + 1
        if isinstance(s, (Set, Accumulate)):
            counts[s.var.name] = counts.get(s.var.name, 0) + 1


@dataclass
class Grid:
    """What the iterations of a loop share: variables and buffers that they all add to."""

    variables: set[str] = field(default_factory=set)
    buffers: list[Buffer] = field(default_factory=list)


def grid(loop: For, uses: Uses) -> Grid | None:
    """What a loop's iterations share, or None if they depend on each other otherwise."""
    if leaves(loop.body):
        return None
    shared = Grid()
    body = loop.body
    inner = {s.var.name for s in walk(body) if isinstance(s, (Let, Set, Accumulate, For))}
    own = {id(s.buffer) for s in walk(body) if isinstance(s, Alloc)}
    found: dict[int, tuple[Buffer, list[Store], list[Get]]] = {}
    for s in walk(body):
        if isinstance(s, Store):
            found.setdefault(id(s.buffer), (s.buffer, [], []))[1].append(s)
        for top in exprs_of(s):
            for e in subexpressions(top):
                if isinstance(e, Get):
                    found.setdefault(id(e.buffer), (e.buffer, [], []))[2].append(e)
    for key, (buffer, stores, gets) in found.items():
        if not stores or key in own:
            continue
        indices = [s.index for s in stores] + [g.index for g in gets]
        if apart(indices, loop.var, inner):
            continue
        if not added_to(buffer, stores, gets, loop.var):
            return None
        shared.buffers.append(buffer)
    for name in sorted(assigned(body)):
        if private(body, name) and uses.only_in(body, name):
            continue
        if not only_accumulated(body, name):
            return None
        shared.variables.add(name)
    return shared


def leaves(stmts: list[Stmt], in_loop: bool = False) -> bool:
    """True if an iteration may end early, or the kernel."""
    for s in stmts:
        if isinstance(s, (Bail, Product, Reserve)) or (
            isinstance(s, (Break, Continue)) and not in_loop
        ):
            return True
        if isinstance(s, (For, While)) and leaves(s.body, True):
            return True
        if isinstance(s, If) and (leaves(s.then, in_loop) or leaves(s.orelse, in_loop)):
            return True
    return False


def apart(indices: list[tuple[Any, ...]], var: Var, inner: set[str]) -> bool:
    """True if every iteration has elements of its own: one index moves with the loop, and with nothing inside."""
    return any(
        len({affine(index[p]) for index in indices}) == 1
        and moves_alone(affine(indices[0][p]), var, inner)
        for p in range(len(indices[0]))
    )


def moves_alone(e: Affine, var: Var, inner: set[str]) -> bool:
    rest = [atom for atom, _ in e.terms if atom != var]
    return any(atom == var for atom, _ in e.terms) and not any(
        isinstance(part, Get) or (isinstance(part, Var) and (part == var or part.name in inner))
        for atom in rest
        for part in subexpressions(atom)
    )


def added_to(buffer: Buffer, stores: list[Store], gets: list[Get], var: Var) -> bool:
    """True if iterations do nothing to a buffer but to add to elements, the same in all of them."""
    still = not any(var in set(variables(affine(i))) for s in stores for i in s.index)
    return (
        still
        and len(stores) == 1
        and is_sum(stores[0]) is not None
        and not gets_beside(stores, gets)
    )


def gets_beside(stores: list[Store], gets: list[Get]) -> bool:
    """True if an element is read for something else."""
    own = sum(s.op is None for s in stores)
    return len(gets) != own


def is_sum(store: Store) -> tuple[str, Any] | None:
    """The operation by which a value is added to an element, and the value."""
    if store.op is not None:
        return store.op, store.value
    value, own = store.value, Get(store.buffer, store.index)
    if (
        isinstance(value, Op)
        and value.name in ("add", "multiply", "maximum", "minimum")
        and own in value.args
    ):
        a, b = value.args
        other = b if a == own else a
        if not any(isinstance(e, Get) and e.buffer is store.buffer for e in subexpressions(other)):
            return value.name, other
    return None


def assigned(stmts: list[Stmt]) -> set[str]:
    return {s.var.name for s in walk(stmts) if isinstance(s, (Set, Accumulate))}


def private(stmts: list[Stmt], name: str) -> bool:
    """True if a variable gets a value in every iteration before it is read."""
    return state(stmts, name) in ("set", "unused")


def state(stmts: list[Stmt], name: str) -> str:
    """What happens first to a variable: it is ``set``, or ``read``, or nothing (``unused``)."""
    for s in stmts:
        if any(v.name == name for e in exprs_of(s) for v in variables(e)):
            return "read"
        if isinstance(s, (Let, Set)) and s.var.name == name:
            return "set"
        if isinstance(s, Accumulate) and s.var.name == name:
            return "read"
        if isinstance(s, If):
            sides = {state(s.then, name), state(s.orelse, name)}
            if "read" in sides:
                return "read"
            if sides == {"set"}:
                return "set"
            if "set" in sides and name in named_after(stmts, s):
                return "read"
        if isinstance(s, (For, While)):
            inner = state(s.body, name)
            if inner == "read":
                return "read"
            if inner == "set" and name in named_after(stmts, s):
                return "read"
    return "unused"


def named_after(stmts: list[Stmt], stmt: Stmt) -> set[str]:
    """The variables that are read after a statement, unless they are set anew first."""
    rest = stmts[stmts.index(stmt) + 1 :]
    return {n for n in assigned([stmt]) if state(rest, n) == "read"}


def only_accumulated(stmts: list[Stmt], name: str) -> bool:
    """True if a variable is added to by one operation, and nothing else is done to it."""
    adding = [s for s in walk(stmts) if isinstance(s, Accumulate) and s.var.name == name]
    others = any(isinstance(s, Set) and s.var.name == name for s in walk(stmts))
    read = any(v.name == name for s in walk(stmts) for e in exprs_of(s) for v in variables(e))
    return bool(adding) and not others and not read and len({s.op for s in adding}) == 1
