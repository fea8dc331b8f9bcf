"""A nest of loops as kernels: what runs for every index, and what is reduced, each apart.

``for i: m = max over j; for j: e[i, j] = exp(x[i, j] - m)`` is a reduction over ``j`` and a kernel over ``i`` and
``j``: whatever an inner loop may do in a grid of its own, it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from retrograd.runtime.records import dataclass

from ..loop_ir.clone import copies
from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Buffer,
    For,
    Get,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    change_exprs,
    exprs_of,
    integer,
    minus,
    plus,
    subexpressions,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.operation_traits import scalar_operation
from ..loop_ir.storage import on_stack
from .independence import Uses, assigned, grid, is_sum
from .kernels import Each, Reduction
from .views import Dim

__all__ = ["PART", "Parts", "parts_of"]

PART = "_part"
FEW = 8  # iterations of a loop that a thread runs itself
Fresh = Callable[[str], str]


class TogetherOnly(Exception):
    """The statements of a nest cannot be apart."""


@dataclass
class Target:
    """Where a reduced variable goes: ``out[index]`` for the loops around it."""

    out: Buffer | Var
    kept: list[Dim]

    @property
    def index(self) -> tuple[Any, ...]:
        return tuple(affine(dim.var) for dim in self.kept)


@dataclass
class Parts:
    """Kernels in order, the memory that they need first, and the variables that come of reductions."""

    launches: list[Each | Reduction]
    allocs: list[Alloc]
    sums: dict[str, str]  # by variable: the operation

    @property
    def outs(self) -> list[Var]:
        """The variables that reductions give."""
        return [
            one.out
            for one in self.launches
            if isinstance(one, Reduction) and isinstance(one.out, Var)
        ]

    def rename(self, names: list[str]) -> None:
        """Reductions to these variables are only what is added to them."""
        for one in self.launches:
            if isinstance(one, Reduction) and isinstance(one.out, Var) and one.out.name in names:
                one.out = Var(f"{one.out.name}{PART}", one.out.dtype)


def parts_of(loop: For, uses: Uses, fresh: Fresh) -> Parts | None:
    """The kernels of a nest, or None if its iterations depend on each other."""
    shared = grid(loop, uses)
    if shared is None:
        return None
    try:
        made = Distribution(uses, fresh)
        (copy,) = copies([loop], {}, lambda v: v)
        made.sums = {name: operation_of(loop, name) for name in shared.variables}
        targets = {name: Target(Var(name, dtype_of(loop, name)), []) for name in shared.variables}
        made.private = assigned([copy]) - set(targets)
        assert isinstance(copy, For)
        made.nest(copy, [], targets, {}, set())
        return Parts(made.launches, made.allocs, made.sums)
    except TogetherOnly:
        return together(loop, uses)


def together(loop: For, uses: Uses) -> Parts | None:
    """All of a nest in one kernel, whose threads run what is inside."""
    (copy,) = copies([loop], {}, lambda v: v)
    dims: list[Dim] = []
    stmts: list[Stmt] = [copy]
    while len(stmts) == 1 and isinstance(stmts[0], For):
        shared = grid(stmts[0], uses)
        if shared is None or shared.variables or shared.buffers:
            break
        dims.append(normal(stmts[0]))
        stmts = stmts[0].body
    return Parts([Each(dims, stmts)], [], {}) if dims else None


def normal(loop: For) -> Dim:
    """A loop from 0; its body is changed."""
    if affine(loop.lo) != integer(0):
        moved = plus(affine(loop.var), loop.lo)
        change_exprs(loop.body, lambda e: moved if e == loop.var else e)
        loop.lo, loop.hi = integer(0), minus(loop.hi, loop.lo)
    return Dim(loop.var, affine(loop.hi))


def operation_of(loop: For, name: str) -> str:
    return next(s.op for s in walk([loop]) if isinstance(s, Accumulate) and s.var.name == name)


def dtype_of(loop: For, name: str) -> str:
    return next(
        s.var.dtype for s in walk([loop]) if isinstance(s, Accumulate) and s.var.name == name
    )


def is_long(loop: For) -> bool:
    count = minus(loop.hi, loop.lo)
    return bool(count.terms) or count.const > FEW


@dataclass
class Known:
    """A value that was named, and how many stores came before."""

    let: Let
    mark: int


class Distribution:
    """One nest while its statements are put into kernels."""

    def __init__(self, uses: Uses, fresh: Fresh) -> None:
        self.uses, self.fresh = uses, fresh
        self.launches: list[Each | Reduction] = []
        self.allocs: list[Alloc] = []
        self.sums: dict[str, str] = {}
        self.stored: list[Buffer] = []
        self.summed: set[str] = set()
        self.private: set[str] = set()  # variables of iterations

    def nest(
        self,
        loop: For,
        outer: list[Dim],
        targets: dict[str, Target],
        lets: dict[str, Known],
        added: set[int],
    ) -> None:
        """``added``: the buffers that iterations of the loops around add to."""
        shared = grid(loop, self.uses)
        if shared is None:
            raise TogetherOnly
        dims = [*outer, normal(loop)]
        Level(self, dims, targets, dict(lets), added | {id(b) for b in shared.buffers}).run(
            loop.body
        )

    def closure(self, stmts: Iterable[Stmt], lets: dict[str, Known]) -> list[Let]:
        """The values that statements need of those named before."""
        needed: dict[str, Known] = {}
        waiting = [v.name for s in walk(list(stmts)) for e in exprs_of(s) for v in variables(e)]
        while waiting:
            name = waiting.pop()
            if name in lets and name not in needed:
                needed[name] = lets[name]
                waiting += [v.name for v in variables(lets[name].let.value)]
        for one in needed.values():
            self.check_fresh(one.let.value, one.mark)
        return [Let(one.let.var, one.let.value) for name, one in lets.items() if name in needed]

    def check_fresh(self, value: Any, mark: int) -> None:
        """A value that is computed again must be what it was."""
        read = {id(e.buffer) for e in subexpressions(value) if isinstance(e, Get)}
        if any(id(b) in read for b in self.stored[mark:]):
            raise TogetherOnly


class Level:
    """The statements at one depth of a nest."""

    def __init__(
        self,
        whole: Distribution,
        dims: list[Dim],
        targets: dict[str, Target],
        lets: dict[str, Known],
        shared: set[int],
    ) -> None:
        self.whole, self.dims, self.targets, self.lets = whole, dims, dict(targets), lets
        self.shared = shared  # buffers that iterations add to
        self.group: list[Stmt] = []
        self.alone = False  # a loop is all there is
        self.waiting: list[tuple[Reduction, int]] = []

    def run(self, stmts: list[Stmt]) -> None:
        stmts = self.expanded(stmts)
        self.alone = len(stmts) == 1
        rows = {
            name
            for s in stmts
            if isinstance(s, For) and self.goes_apart(s)
            for name in self.added_in(s)
        }
        for k, s in enumerate(stmts):
            if isinstance(s, Set) and s.var.name in rows:
                self.begin_row(s, stmts[k + 1 :])
            elif isinstance(s, For) and self.goes_apart(s):
                self.flush()
                self.whole.nest(s, self.dims, self.targets, self.lets, self.shared)
                self.replace_rows(s, stmts[k + 1 :])
            elif isinstance(s, Accumulate) and s.var.name in self.targets:
                self.add_variable(s)
            elif isinstance(s, Store) and id(s.buffer) in self.shared:
                self.add_element(s)
            else:
                self.put(s)
        self.flush()

    def is_apart(self, s: Stmt) -> bool:
        """True if a statement becomes a kernel of its own."""
        if isinstance(s, For):
            return self.goes_apart(s)
        if isinstance(s, Accumulate):
            return s.var.name in self.targets
        return isinstance(s, Store) and id(s.buffer) in self.shared

    def added_in(self, loop: For) -> set[str]:
        shared = grid(loop, self.whole.uses)
        return shared.variables if shared is not None else set()

    def goes_apart(self, loop: For) -> bool:
        return (self.alone or is_long(loop)) and grid(loop, self.whole.uses) is not None

    def expanded(self, stmts: list[Stmt]) -> list[Stmt]:
        """Memory of each iteration as memory of all, where more than one kernel may use it."""
        found = []
        several = any(map(self.is_apart, stmts))
        for s in stmts:
            if isinstance(s, Alloc) and (several or not on_stack(s.buffer)):
                self.whole.allocs.append(Alloc(lifted(s.buffer, self.dims, stmts), s.zero))
            else:
                found.append(s)
        return found

    def begin_row(self, s: Set, rest: list[Stmt]) -> None:
        """A variable that an inner loop adds to: an element for each iteration."""
        name = s.var.name
        identity = scalar_operation(next(self.accumulations(rest, name)).op).identity
        if not (isinstance(s.value, Lit) or hasattr(s.value, "const")):
            raise TogetherOnly
        start = s.value.value if isinstance(s.value, Lit) else s.value.const
        if identity is None or start != identity or len(list(self.accumulations(rest, name))) != 1:
            raise TogetherOnly
        made = Buffer(self.whole.fresh(name), s.var.dtype, tuple(dim.size for dim in self.dims))
        self.whole.allocs.append(Alloc(made))
        self.targets[name] = Target(made, list(self.dims))

    @staticmethod
    def accumulations(stmts: list[Stmt], name: str) -> Iterator[Accumulate]:
        return (s for s in walk(stmts) if isinstance(s, Accumulate) and s.var.name == name)

    def replace_rows(self, loop: For, rest: list[Stmt]) -> None:
        """After an inner loop its sums are read from their memory."""
        done = {s.var.name for s in walk([loop]) if isinstance(s, Accumulate)} & set(self.targets)
        found = {
            n: Get(t.out, t.index)
            for n, t in self.targets.items()
            if n in done and isinstance(t.out, Buffer)
        }
        if any(
            n in found for s in walk(rest) if isinstance(s, (Set, Accumulate)) for n in [s.var.name]
        ):
            raise TogetherOnly
        change_exprs(rest, lambda e: found.get(e.name, e) if isinstance(e, Var) else e)

    def put(self, s: Stmt) -> None:
        if isinstance(s, Let):
            self.lets[s.var.name] = Known(s, len(self.whole.stored))
        self.group.append(s)
        self.whole.stored += [w.buffer for w in walk([s]) if isinstance(w, Store)]

    def add_variable(self, s: Accumulate) -> None:
        target = self.targets[s.var.name]
        if s.var.name in self.whole.summed:
            if not self.joined(s, target):
                raise TogetherOnly
            return
        self.whole.summed.add(s.var.name)
        made = Reduction(list(self.dims), target.kept, s.op, s.value, [], target.out, target.index)
        self.waiting.append((made, len(self.whole.stored)))

    def joined(self, s: Accumulate, target: Target) -> bool:
        """True if one more addition to a variable is put into the one before."""
        for made, mark in self.waiting:
            if made.out == target.out and made.op == s.op and mark == len(self.whole.stored):
                made.value = Op(s.op, (made.value, s.value), s.value.dtype)
                return True
        return False

    def add_element(self, s: Store) -> None:
        found = is_sum(s)
        assert found is not None
        moving = {v for i in s.index for v in variables(affine(i))}
        kept = [dim for dim in self.dims if dim.var in moving]
        if len(kept) == len(self.dims):
            raise TogetherOnly
        self.waiting.append(
            (
                Reduction(list(self.dims), kept, *found, [], s.buffer, s.index),
                len(self.whole.stored),
            )
        )

    def flush(self) -> None:
        """What was put together becomes a kernel, and what was to be reduced one each."""
        group, self.group = self.group, []
        waiting, self.waiting = self.waiting, []
        body = live(group)
        if body:
            own = {s.var.name for s in walk(body) if isinstance(s, (Set, Accumulate))}
            if not all(self.whole.uses.only_in(body, name) for name in own):
                raise TogetherOnly
            mine = {s.var.name for s in body if isinstance(s, Let)}
            others = {n: one for n, one in self.lets.items() if n not in mine}
            lets = self.whole.closure(body, others)
            self.whole.launches.append(Each(list(self.dims), [*lets, *body]))
        for made, mark in waiting:
            self.whole.check_fresh(made.value, mark)
            made.lets = self.whole.closure([Set(Var("value"), made.value)], self.lets)
            values = [made.value, *(let.value for let in made.lets)]
            if any(v.name in self.whole.private for value in values for v in variables(value)):
                raise TogetherOnly
            self.whole.launches.append(made)


def live(group: list[Stmt]) -> list[Stmt]:
    """The statements of a group without values that nothing in it needs."""
    needed: set[str] = set()
    kept: list[Stmt] = []
    for s in reversed(group):
        if isinstance(s, Let) and s.var.name not in needed:
            continue
        if isinstance(s, (Set, Alloc)) and not any(isinstance(w, (Store,)) for w in walk(group)):
            continue
        kept.insert(0, s)
        needed |= {v.name for w in walk([s]) for e in exprs_of(w) for v in variables(e)}
    return kept


def lifted(buffer: Buffer, dims: list[Dim], stmts: list[Stmt]) -> Buffer:
    """A buffer with the axes of the loops around it, in place of one that each iteration has."""
    lead = tuple(affine(dim.var) for dim in dims)
    made = Buffer(buffer.name, buffer.dtype, (*(dim.size for dim in dims), *buffer.dims))
    for s in walk(stmts):
        if isinstance(s, Store) and s.buffer is buffer:
            s.buffer, s.index = made, (*lead, *s.index)
    change_exprs(
        stmts,
        lambda e: Get(made, (*lead, *e.index)) if isinstance(e, Get) and e.buffer is buffer else e,
    )
    return made
