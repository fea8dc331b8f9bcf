"""The launches of a kernel of the loop IR, and what the host does between them, as a function of Python.

What the host knows (sizes, Python's numbers) it computes; loops over steps are its own.  Numbers that are computed
of arrays are arrays of rank 0.  They wait until something needs them: what is cheap is computed in the kernel
that needs it, and the rest together, by one thread.
"""

from __future__ import annotations

import re
from typing import Any

from ..loop_ir.host_values import computed_on_device, is_of_host
from ..loop_ir.ir import (
    Accumulate,
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
    LibraryCall,
    Op,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    While,
    affine,
    exprs_of,
    plus,
    subexpressions,
    times,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.values import result_variables
from ..refusal import Unsupported
from .distribution import PART, Parts, parts_of
from .independence import Uses, private
from .kernels import KINDS, Around, Each, Launch, NotOfViews, Reduction, bound_in, each, reduction
from .known_tests import AnyOf, tested_ahead
from .one_thread import is_for_one_thread, is_identity, is_worth_a_grid, read_by, touches_memory
from .views import Dim, bare, view

__all__ = ["Schedule"]

WAITS = "a loop or a branch for which the host would wait"


class Schedule:
    """The lines of the function and the definitions of its kernels."""

    def __init__(self, kernel: Kernel, around: Around, stem: str) -> None:
        self.kernel, self.around, self.stem = kernel, around, stem
        self.results = {v.name for v in result_variables(kernel.results)}
        self.computed = computed_on_device(kernel)
        tested_ahead(kernel, self.computed)
        self.by_one_thread(kernel)
        self.uses = Uses(kernel, self.results)
        self.lines: list[str] = []
        self.definitions: list[list[str]] = []
        self.depth = 1
        self.pending: list[Stmt] = []
        self.allocs: dict[int, Alloc] = {}
        self.rest: list[Stmt] = []

    # -- text

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def text(self, e: Any) -> str:
        return bare(self.around.host.expression(e))

    def name(self, what: Buffer | Var) -> str:
        return self.around.names.of(what)

    def fresh(self, hint: str) -> str:
        """A name for memory between two kernels."""
        made = f"{hint}_rows"
        k = 2
        while made in self.around.names.known:
            made, k = f"{hint}_rows_{k}", k + 1
        self.around.names.known[made] = self.around.names.fresh(made)
        return made

    def is_host(self, e: Any) -> bool:
        return is_of_host(e, self.computed)

    # -- statements

    def whole(self) -> None:
        self.lists()
        self.block(self.kernel.body, set(self.results))
        self.flush(set(self.results))

    def lists(self) -> None:
        """Memory for lists that grow."""
        found = {id(s.buffer): s.buffer for s in walk(self.kernel.body) if isinstance(s, Reserve)}
        for buffer in found.values():
            dims = buffer.dims[1:]
            if any(v.name not in self.around.known for n in dims for v in variables(n)):
                raise Unsupported("a list of arrays of sizes that are not known")
            shape = ", ".join(["16", *map(self.text, dims)])
            self.line(f'{self.name(buffer)} = cp.empty(({shape},), "{KINDS[buffer.dtype]}")')

    def block(self, stmts: list[Stmt], after: set[str]) -> None:
        """``after``: the variables that are read after the block, or before it in the next iteration."""
        later = [after]
        for s in reversed(stmts):
            later.append(later[-1] | read_by([s]))
        later.reverse()
        for k, s in enumerate(stmts):
            if self.depth == 1:
                self.rest = stmts[k + 1 :]
            self.statement(s, later[k + 1])

    def statement(self, s: Stmt, after: set[str]) -> None:
        if isinstance(s, (Let, Set)) and s.var.name not in self.computed:
            if s.var.name in read_by(self.pending):
                self.flush(after | {s.var.name})
            self.around.known.add(s.var.name)
            if s.var.name in after:
                self.line(f"{self.name(s.var)} = {self.text(s.value)}")
        elif isinstance(s, Let) and self.is_known_number(s):
            self.around.names.known[s.var.name] = self.name(s.value)
        elif isinstance(s, Alloc):
            self.allocs[id(s.buffer)] = s
        elif isinstance(s, Bail):
            self.leave(self.test(s))
        elif isinstance(s, Reserve):
            name, count = self.name(s.buffer), self.text(s.count)
            self.line(f"if len({name}) < {count}:")
            self.line(f"    {name} = longer({name}, {count})")
        elif isinstance(s, LibraryCall):
            self.library(s, after)
        elif isinstance(s, (Break, Continue)):
            self.flush(after)
            self.line("break" if isinstance(s, Break) else "continue")
        elif isinstance(s, For):
            self.loop(s, after)
        elif isinstance(s, If) and self.is_host(s.cond):
            self.branch(s, after)
        elif isinstance(s, While):
            raise Unsupported(WAITS)
        elif is_for_one_thread([s]):
            self.pending.append(s)
        else:
            raise Unsupported(WAITS)

    def leave(self, test: str) -> None:
        lines = [f"if {test}:", "    return NotImplemented"]
        known = self.lines if self.depth == 1 else []
        if "    " + lines[0] not in known:
            for line in lines:
                self.line(line)

    def test(self, s: Bail) -> str:
        if not isinstance(s, AnyOf):
            return self.text(s.cond)
        loops = " ".join(
            f"for {self.name(var)} in range({self.text(lo)}, {self.text(hi)})"
            for var, lo, hi in s.loops
        )
        return f"any({self.text(s.cond)} {loops})"

    def by_one_thread(self, kernel: Kernel) -> None:
        """Numbers that a loop carries which one thread runs are the device's."""
        for s in walk(kernel.body):
            if isinstance(s, For) and is_for_one_thread([s]) and touches_memory(s):
                self.computed |= {
                    t.var.name for t in walk(s.body) if isinstance(t, Set) and t.var.dtype[0] == "f"
                }
        computed_on_device(kernel, self.computed)

    def keeps_host(self, s: For) -> bool:
        """True if a loop sets nothing that the host has to know afterwards."""
        return all(
            t.var.name in self.computed
            or (private(s.body, t.var.name) and self.uses.only_in([s], t.var.name))
            for t in walk(s.body)
            if isinstance(t, (Set, Accumulate))
        )

    def is_known_number(self, s: Let) -> bool:
        """True if a value is one that is there and stays: it needs no name of its own."""
        if not isinstance(s.value, Var) or self.depth > 1 or s.value.name in bound_in(self.pending):
            return False
        return s.value.name not in bound_in(self.rest)

    def branch(self, s: If, after: set[str]) -> None:
        self.settle([s], after)
        self.line(f"if {self.text(s.cond)}:")
        self.body(s.then, after)
        if s.orelse:
            self.line("else:")
            self.body(s.orelse, after)

    def body(self, stmts: list[Stmt], after: set[str]) -> None:
        self.depth += 1
        length = len(self.lines)
        self.block(stmts, after)
        self.flush(after)
        if len(self.lines) == length:
            self.line("pass")
        self.depth -= 1

    def settle(self, stmts: list[Stmt], after: set[str]) -> None:
        """Before a branch or a loop of the host: all values are there, and all memory."""
        self.flush(after | read_by(stmts))
        for s in walk(stmts):
            for b in [s.buffer] if isinstance(s, Store) else []:
                self.ready(b)
            for top in exprs_of(s):
                for e in subexpressions(top):
                    if isinstance(e, Get):
                        self.ready(e.buffer)

    def loop(self, s: For, after: set[str]) -> None:
        found = parts_of(s, self.uses, self.fresh) if is_worth_a_grid(s) else None
        if found is not None:
            self.grid(s, found, after)
        elif is_for_one_thread([s]) and self.keeps_host(s):
            self.pending.append(s)
        elif (found := parts_of(s, self.uses, self.fresh)) is not None:
            self.grid(s, found, after)
        else:
            self.steps(s, after)

    def steps(self, s: For, after: set[str]) -> None:
        """A loop of the host's."""
        if not (self.is_host(s.lo) and self.is_host(s.hi)):
            raise Unsupported(WAITS)
        around = after | read_by([s])
        self.settle([s], after)
        lo, hi, name = self.text(s.lo), self.text(s.hi), self.name(s.var)
        counted = f"range({hi})" if lo == "0" else f"range({lo}, {hi})"
        self.around.known.add(s.var.name)
        self.line(f"for {name} in {f'reversed({counted})' if s.backwards else counted}:")
        self.body(s.body, around)

    # -- kernels

    def grid(self, s: For, parts: Parts, after: set[str]) -> None:
        """The kernels of a nest."""
        for alloc in parts.allocs:
            self.allocs[id(alloc.buffer)] = alloc
        added = [name for name, op in parts.sums.items() if not self.begins(name, op)]
        if added:
            self.flush(after | read_by([s]))
            parts.rename(added)
        elif self.in_the_way([s], parts):
            self.flush(after | read_by([s]))
        for one in parts.launches:
            if isinstance(one, Each):
                self.run_each(one, after)
            else:
                self.run_reduction(one, after)
        for var in parts.outs:
            self.computed.add(var.name)
            if var.name.removesuffix(PART) in added:
                whole = Var(var.name.removesuffix(PART), var.dtype)
                sum_ = Op(parts.sums[whole.name], (whole, var), var.dtype)
                self.pending.append(Set(whole, sum_))
        if added:
            self.flush(after)

    def begins(self, name: str, op: str) -> bool:
        """True if a sum begins with nothing, which it need not be told then."""
        starts = [s for s in self.pending if isinstance(s, Set) and s.var.name == name]
        others = [
            s for s in self.pending if s not in starts and name in read_by([s]) | bound_in([s])
        ]
        if len(starts) != 1 or others or not is_identity(starts[0].value, op):
            return False
        self.pending.remove(starts[0])
        return True

    def in_the_way(self, stmts: list[Stmt], parts: Parts) -> bool:
        """True if what is pending has to run before: it writes to memory, or what it reads is written to."""
        if any(isinstance(s, Store) for s in walk(self.pending)):
            return True
        written = {id(s.buffer) for s in walk(stmts) if isinstance(s, Store)}
        read = {
            id(e.buffer)
            for s in walk(self.pending)
            for top in exprs_of(s)
            for e in subexpressions(top)
            if isinstance(e, Get)
        }
        if written & read or set(parts.sums) & (read_by(self.pending) | bound_in(self.pending)):
            return True
        needed = {n for n in read_by(stmts) if n in bound_in(self.pending)}
        return bool(needed) and self.inlined(needed) is None

    def inlined(self, needed: set[str]) -> list[Let] | None:
        """Pending values as a kernel computes them itself, or None if it should not."""
        found: list[Let] = []
        needed = set(needed)
        given = [n for s in self.pending for n in bound_in([s])]
        for s in reversed(self.pending):
            if not bound_in([s]) & needed:
                continue
            if not isinstance(s, (Let, Set)) or given.count(s.var.name) != 1:
                return None
            later = self.pending[self.pending.index(s) :]
            if read_by([s]) & bound_in(later):
                return None
            found.insert(0, Let(s.var, s.value))
            needed |= read_by([s])
        return found

    def run_each(self, one: Each, after: set[str]) -> None:
        lets = self.inlined({n for n in read_by(one.body) if n in bound_in(self.pending)}) or []
        body = [*lets, *one.body]
        self.emit(each(self.around, self.kernel_name(), Each(one.dims, body, one.sent)), body)

    def run_reduction(self, one: Reduction, after: set[str]) -> None:
        read = read_by([Set(Var("value"), one.value), *one.lets])
        one.lets = [
            *(self.inlined({n for n in read if n in bound_in(self.pending)}) or []),
            *one.lets,
        ]
        body: list[Stmt] = [*one.lets, Set(Var("value"), one.value)]
        if isinstance(one.out, Buffer) and not self.begins_with(one):
            self.onto(one, after)
            return
        try:
            made = reduction(self.around, self.kernel_name(), one)
        except NotOfViews:
            dims = tuple(dim.size for dim in one.dims)
            values = Buffer(self.fresh("values"), one.value.dtype, dims)
            self.allocs[id(values)] = Alloc(values)
            index = tuple(affine(dim.var) for dim in one.dims)
            store: Stmt = Store(values, index, one.value)
            self.emit(
                each(self.around, self.kernel_name(), Each(one.dims, [*one.lets, store])),
                [*one.lets, store],
            )
            one.lets, one.value = [], Get(values, index)
            body = [Set(Var("value"), one.value)]
            made = reduction(self.around, self.kernel_name(), one)
        if isinstance(one.out, Var):
            self.definitions.append(made.definition)
            self.ready_for(body, {})
            self.line(made.call)
        else:
            self.emit(made, body)

    def begins_with(self, one: Reduction) -> bool:
        """True if memory is yet to be made, and begins with what nothing comes to."""
        assert isinstance(one.out, Buffer)
        alloc = self.allocs.get(id(one.out))
        if alloc is None:
            return False
        return not alloc.zero or one.op == "add"

    def onto(self, one: Reduction, after: set[str]) -> None:
        """Sums that come to what is there."""
        assert isinstance(one.out, Buffer)
        out, index = one.out, one.index
        made = Buffer(self.fresh(out.name), out.dtype, tuple(dim.size for dim in one.kept))
        self.allocs[id(made)] = Alloc(made)
        at = tuple(affine(dim.var) for dim in one.kept)
        one.out, one.index = made, at
        self.run_reduction(one, after)
        value = Op(one.op, (Get(out, index), Get(made, at)), out.dtype)
        self.run_each(Each(one.kept, [Store(out, index, value)]), after)

    def kernel_name(self) -> str:
        return self.around.names.fresh(f"{self.stem}_{len(self.definitions) + 1}")

    def emit(self, launch: Launch, body: list[Stmt]) -> None:
        self.definitions.append(launch.definition)
        self.ready_for(body, launch.written)
        self.line(launch.call)

    def ready_for(self, body: list[Stmt], written: dict[Buffer, bool]) -> None:
        """Memory for a kernel, where there is none yet."""
        for s in walk(body):
            for top in exprs_of(s):
                for e in subexpressions(top):
                    if isinstance(e, Get):
                        self.ready(e.buffer)
        for buffer, whole in written.items():
            self.ready(buffer, whole)

    def ready(self, buffer: Buffer, whole: bool = False) -> None:
        alloc = self.allocs.pop(id(buffer), None)
        if alloc is None:
            return
        dims = ", ".join(self.text(n) for n in buffer.dims)
        shape = f"({dims},)" if len(buffer.dims) == 1 else f"({dims})"
        made = "zeros" if alloc.zero and not whole else "empty"
        self.line(
            f"{self.name(buffer)} = cp.{made}({shape}, {KINDS[buffer.dtype]!r})".replace("'", '"')
        )

    def library(self, s: LibraryCall, after: set[str]) -> None:
        """A call of a library."""
        if any(isinstance(w, Store) for w in walk(self.pending)):
            self.flush(after)
        sizes, given = list(s.sizes), []
        for buffer, look in zip((s.a[0], s.b[0]), s.looks, strict=False):
            self.ready(buffer)
            starts = [sizes.pop(0) for _ in look]
            rank = sum(axis >= 0 for _, axis in look)
            dims = [Dim(Var(f"probe_{k}"), affine(sizes.pop(0))) for k in range(rank)]
            index = tuple(
                plus(start, times(step, dims[axis].var)) if axis >= 0 else start
                for start, (step, axis) in zip(starts, look, strict=True)
            )
            around = self.around
            text = view(
                around.sizes(buffer), index, dims, around.known, around.host, self.name(buffer)
            )
            if text is None:
                raise Unsupported("such an operand")
            given.append(text)
        call = s.text.format(*given)
        is_new = self.allocs.pop(id(s.c), None) is not None
        self.line(f"{self.name(s.c)}{'' if is_new else '[...]'} = {call}")

    # -- numbers

    def flush(self, needed: set[str]) -> None:
        """Run what is pending, as far as it is needed, in one thread."""
        pending, self.pending = self.pending, []
        wanted, kept = set(needed), list[Stmt]()
        for s in reversed(pending):
            if bound_in([s]) & wanted or any(isinstance(w, Store) for w in walk([s])):
                kept.insert(0, s)
                wanted |= read_by([s])
        if not kept:
            return
        sent = self.sent(kept, needed)
        one = Each([], kept, sent)
        made = each(self.around, self.kernel_name(), one)
        self.definitions.append(made.definition)
        self.ready_for(kept, made.written)
        for var in sent:
            name, empty = self.name(var), f'cp.empty((), "{KINDS[var.dtype]}")'
            before = self.around.names.known.get(f"{var.name} before")
            both = before is not None and re.search(rf"\b{before}\b", made.call) is not None
            self.line(f"{before}, {name} = {name}, {empty}" if both else f"{name} = {empty}")
        self.line(made.call)

    def sent(self, kept: list[Stmt], needed: set[str]) -> list[Var]:
        """The variables that somebody else reads."""
        found = {s.var.name: s.var for s in kept if isinstance(s, Let)}
        found |= {s.var.name: s.var for s in walk(kept) if isinstance(s, (Set, Accumulate))}
        return [
            var
            for name, var in sorted(found.items())
            if name in needed and not (private(kept, name) and self.uses.only_in(kept, name))
        ]
