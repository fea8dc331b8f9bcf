"""The emitted text of a derivative, read as loops, for arguments whose dtypes and ranks are known.

Names are bound to values (``values``), as in SSA: a scalar gets a new variable when it is assigned,
an array its own buffer; only what a loop carries, or the two sides of an ``if`` disagree about, is
written twice.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..loop_ir.ir import (
    Alloc,
    Bail,
    Buffer,
    Expr,
    For,
    Get,
    Let,
    Lit,
    Op,
    Stmt,
    Store,
    Var,
    affine,
    integer,
    loads,
    minus,
    plus,
    rewrite,
    subexpressions,
    times,
    variables,
)
from ..loop_ir.scalar_operations import cast, is_one
from ..loop_ir.values import Constant, Items, Scalar, View, plain_view, scalar
from ..refusal import Unsupported
from .device_rules import DeviceRules
from .source_rules import SourceRules
from .values import Arena, Object, Rows, Tape

__all__ = ["Reader", "describe"]


LARGE = 2**31


class Reader:
    """The state of reading a function: names, and the block that grows."""

    def __init__(self, scope: dict[str, Any], functions: dict[str, ast.FunctionDef]) -> None:
        self.scope, self.functions = scope, functions
        self.env: dict[str, Any] = {}
        self.body: list[Stmt] = []
        self.block = self.body
        self.around: list[list[Stmt]] = []  # the blocks that it stands in
        self.born: dict[str, list[Stmt]] = {}  # the block that was read when a variable was made
        self.entry: list[Bail] = []  # about sizes, tested first
        self.equal: dict[Var, Any] = {}
        self.counts: dict[str, int] = {}
        self.mutable: set[str] = set()
        self.defined: set[str] = set()
        self.hints: dict[str, str] = {}  # what variables and buffers are named after
        self.arenas: dict[Any, Arena] = {}  # by place and path
        self.path: tuple[
            int, ...
        ] = ()  # the calls and the iterations, written out, around the statement
        self.arena_buffers: list[Buffer] = []
        self.entry_sets: list[Stmt] = []
        self.loops: list[Any] = []  # around the statement, inner last
        self.empty: dict[int, Any] = {}  # lists that nothing was appended to, and their blocks
        self.unread: set[Any] = set()  # arenas that were read before anything was appended
        self.uncounted: set[int] = set()  # where lists are made that are no rows
        self.optional: dict[
            int, Any
        ] = {}  # what the items of lists are in which something may be None
        self.plain: set[int] = set()  # where lists are made whose items keep nothing that is known
        self.growing: set[int] = set()  # where lists are made whose items are known one by one
        self.calls: list[ast.FunctionDef] = []
        self.repeats = 0  # operations of functions that call themselves
        self.outer: list[dict[str, Any]] = []  # the names of those who call
        self.assumed: dict[Any, bool] = {}  # conditions, on this side of their branches
        self.tests: list[tuple[Any, bool]] = []  # around the statement, and their outcomes
        self.small = 1  # sizes up to this are constants
        self.hidden: list[tuple[Any, View]] = []  # arrays of the module, as further arguments
        self.held_in: dict[
            Any, Any
        ] = {}  # by lists that are copied: the loops around, arrays put in
        self.copied_later: set[int] = set()  # where such lists are made
        self.written: dict[str, Any] | None = None  # arguments, and the copies in their place
        self.given: dict[Var, int] = {}  # the sizes of the arguments that it is read for
        self.factors: list[Any] = []  # of matrices, see ``linalg``
        self.true_places: dict[Any, Any] = {}  # of masks, see ``views``
        self.beside: dict[Any, View] = {}  # the numbers of containers, in memory
        self.complex = False  # complex numbers are taken
        self.library = False  # factorisations of large matrices can be called
        self.program: Any = None  # functions that call themselves
        self.routine: Any = None  # of which this is one
        self.addresses: set[Any] = set()  # variables that hold those of records
        self.opened: dict[Any, int] = {}  # of which kind records are, on this way
        self.device: DeviceRules | None = None  # of a text for the device
        self.source: SourceRules | None = None  # of loops that are printed for people

    # -- names and blocks

    def fresh(self, hint: str, dtype: str = "i8") -> Var:
        """A new variable."""
        k, name = self.counts.get(hint, 0), hint
        while name in self.defined:
            k += 1
            name = f"{hint}_{k}"
        self.counts[hint] = k
        self.defined.add(name)
        self.hints[name] = hint
        self.born[name] = self.block
        return Var(name, dtype)

    def name_after(self, value: View, hint: str) -> None:
        """Call memory that was made for an expression by the name that this is bound to."""
        made = value.buffer
        if made is None or made.role != "local" or not value.whole:
            return
        if not self.hints.get(made.name, "").startswith("v_"):
            self.hints[made.name] = hint

    def emit(self, stmt: Stmt) -> None:
        if self.device is not None:
            self.device.check(stmt)
        self.block.append(stmt)

    @contextmanager
    def into(self, block: list[Stmt]) -> Iterator[list[Stmt]]:
        """Statements go to ``block`` for a while."""
        outer, self.block = self.block, block
        self.around.append(outer)
        try:
            yield block
        finally:
            self.block = outer
            self.around.pop()

    def known_here(self, e: Any) -> bool:
        """True if the variables of an expression were made in this block or one around it."""
        blocks = [self.block, *self.around]
        return all(
            any(born is block for block in blocks)
            for v in variables(e)
            if (born := self.born.get(v.name)) is not None
        )

    @contextmanager
    def elsewhere(
        self, scope: dict[str, Any], functions: dict[str, ast.FunctionDef]
    ) -> Iterator[None]:
        """Reads the text of another module for a while."""
        outer = self.scope, self.functions
        self.scope, self.functions = scope, functions
        try:
            yield
        finally:
            self.scope, self.functions = outer

    @contextmanager
    def below(self, mark: int) -> Iterator[None]:
        """What is read meanwhile stands in one more call, or in one iteration."""
        outer, self.path = self.path, (*self.path, mark)
        try:
            yield
        finally:
            self.path = outer

    def snapshot(self) -> Any:
        """The state that reading a statement may change, but for the block."""
        items = {a: (a.item, a.leaves) for a in self.arenas.values()}
        ahead = [len(loop.before) for loop in self.loops]
        return dict(self.env), set(self.mutable), list(self.entry), dict(self.equal), items, ahead

    def restore(self, before: Any) -> None:
        """Forget what was read since."""
        self.env, self.mutable, self.entry, self.equal, items, ahead = before
        for loop, length in zip(self.loops, ahead, strict=True):
            del loop.before[length:]
        for arena in self.arenas.values():
            arena.item, arena.leaves = items.get(arena, (None, []))

    def named(self, e: Any, hint: str = "t") -> Any:
        """An expression that is cheap to repeat, and stays what it is."""
        plain = e.args[0] if isinstance(e, Op) and e.name == "cast" else e
        if isinstance(e, Lit) or (not isinstance(plain, Op) and self.stable(plain)):
            return e
        var = self.fresh(hint, e.dtype)
        self.emit(Let(var, e))
        return var

    def stable(self, e: Any) -> bool:
        """True if an expression reads no memory and nothing that changes."""
        return not any(
            isinstance(s, (Get, Op)) or (isinstance(s, Var) and s.name in self.mutable)
            for s in subexpressions(e)
        )

    def of_sizes(self, e: Any) -> bool:
        """True if a condition is about the sizes of arguments alone."""
        return not any(
            isinstance(s, Get) or (isinstance(s, Var) and not s.name.startswith("n_"))
            for s in subexpressions(e)
        )

    def entered(self, e: Any, loop: Any) -> bool:
        """True if all of an expression was there before a loop began."""
        return all(v.name in loop.known or v.name.startswith("n_") for v in variables(e))

    def check_small(self, e: Any) -> None:
        """Leave if an integer is so large that Python's and the machine's may part."""
        high = Op("greater", (affine(e), integer(LARGE)), "b1")
        low = Op("less", (affine(e), integer(-LARGE)), "b1")
        self.bail(Op("logical_or", (high, low), "b1"))

    def bail(self, cond: Any) -> None:
        """Leave the kernel if ``cond``."""
        if isinstance(cond, Lit) and not cond.value:
            return
        if self.of_sizes(cond):  # known when the kernel begins
            if all(b.cond != cond for b in self.entry):
                self.entry.append(Bail(cond))
        else:
            self.emit(Bail(cond))

    # -- sizes

    def norm(self, e: Any) -> Any:
        """A size, with equal ones written alike."""
        return rewrite(affine(e), lambda x: self.equal.get(x, x) if isinstance(x, Var) else x)

    def likely(self, size: Any) -> int | None:
        """A size for the arguments that the function is read for, if they tell."""
        e = self.norm(size)
        if any(atom not in self.given for atom, _ in e.terms):
            return None
        return int(e.const + sum(k * self.given[atom] for atom, k in e.terms))

    def same(self, a: Any, b: Any) -> Any:
        """The size that two sizes both are: known, or tested."""
        a, b = self.norm(a), self.norm(b)
        difference = minus(a, b)
        if not difference.terms and not difference.const:
            return a
        if not difference.terms:
            raise Unsupported("sizes that differ")
        differ = Op("not_equal", (a, b), "b1")
        solved = next(
            ((x, k) for x, k in difference.terms if abs(k) == 1 and self.of_sizes(x)), None
        )
        if solved is not None and self.of_sizes(difference):
            if not self.of_sizes(differ):  # what is not there at the entry is in both
                differ = Op("not_equal", (difference, integer(0)), "b1")
            self.entry.append(Bail(differ))
            self.let_equal(solved[0], plus(times(-solved[1], difference), solved[0]))
        else:
            self.bail(differ)
        return self.norm(a)

    def let_equal(self, var: Var, value: Any) -> None:
        """From now on a size is written as another expression."""
        self.equal = {
            x: rewrite(affine(e), lambda y: value if y == var else y) for x, e in self.equal.items()
        }
        self.equal[var] = value

    def broadcast(self, shapes: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        """The shape of an elementwise result."""
        rank = max(map(len, shapes))
        dims = []
        for k in range(rank):
            sizes = [s[len(s) - rank + k] for s in shapes if len(s) - rank + k >= 0]
            long = [n for n in sizes if not is_one(n)]
            size = long[0] if long else integer(1)
            for n in long[1:]:
                size = self.same(size, n)
            dims.append(self.norm(size))
        return tuple(dims)

    def check_fits(self, value: Any, dims: tuple[Any, ...]) -> None:
        """The sizes of what is written are those of its place, or 1."""
        if isinstance(value, View):
            for n, m in zip(reversed(value.dims), reversed(dims), strict=False):
                if not is_one(n):
                    self.same(n, m)

    def spread(self, value: Any, dims: tuple[Any, ...]) -> Any:
        """How the element of ``value`` that meets an index of a broadcast result is read."""
        if isinstance(value, Scalar):
            expr = value.expr
            return lambda index: expr
        if len(value.dims) > len(dims):
            raise Unsupported("an array of more axes than where it goes")
        skip = len(dims) - len(value.dims)
        stretched = [
            is_one(n) and not is_one(m) for n, m in zip(value.dims, dims[skip:], strict=True)
        ]
        if (any(stretched) or skip) and not value.cheap:
            value = self.materialised(value)
        at, zero = value.at, integer(0)
        return lambda index: at(
            tuple(zero if flat else i for i, flat in zip(index[skip:], stretched, strict=True))
        )

    # -- values

    def truth(self, value: Any) -> Any:
        """A condition: ``True``, ``False``, or an expression."""
        if isinstance(value, Constant):
            return bool(value.value)
        if isinstance(value, Items):
            return bool(value.values)
        found = self.number(value)
        known = found.literal
        return bool(known) if known is not None else cast(found.expr, "b1")

    def array(self, value: Any) -> Any:
        """A scalar or a view; a container of numbers is an array."""
        if isinstance(value, (Scalar, View)):
            return value
        if isinstance(value, Constant) and isinstance(value.value, (bool, int, float, complex)):
            return scalar(value.value)
        raise Unsupported(f"{describe(value)} among arrays")

    def number(self, value: Any) -> Scalar:
        """A scalar."""
        value = self.array(value)
        if isinstance(value, Scalar):
            return value
        if not value.dims:
            return Scalar(value.at(()), weak=False)
        raise Unsupported("an array where a number is needed")

    def integer(self, value: Any) -> Expr:
        """An integer that may be a size or an index."""
        found = self.number(value)
        if found.dtype not in ("i8", "b1"):
            raise Unsupported("a float where an integer is needed")
        return self.named(cast(found.expr, "i8"), "k")  # type: ignore[no-any-return]

    def literal(self, value: Any) -> Any:
        """A Python value that is known while reading."""
        if isinstance(value, Constant):
            return value.value
        if isinstance(value, Items):
            return value.holding([self.literal(v) for v in value.values])
        found = value.literal if isinstance(value, Scalar) else None
        if found is None:
            raise Unsupported(f"{describe(value)} where a constant is needed")
        return found

    # -- memory

    def buffer(
        self, dims: tuple[Any, ...], dtype: str, hint: str = "t", zero: bool = False
    ) -> Buffer:
        """New memory."""
        dims = tuple(self.norm(n) for n in dims)
        made = Buffer(self.fresh(hint).name, dtype, dims)
        made.home = tuple(id(loop) for loop in self.loops)
        self.emit(Alloc(made, zero))
        return made

    def materialised(self, value: Any, hint: str = "t") -> Any:
        """An array in a buffer of its own, unless it is in one."""
        if isinstance(value, Scalar) or value.buffer is not None:
            return value
        return self.copied(value, hint)

    def copied(self, value: View, hint: str = "t") -> View:
        """A fresh array with the same elements."""
        made = self.buffer(value.dims, value.dtype, hint)
        self.fill(plain_view(made), value)
        return plain_view(made)

    def fill(self, target: View, value: Any, op: str | None = None) -> None:
        """``target[...] = value``, or ``op=``."""
        self.check_fits(value, target.dims)
        read = self.spread(value, target.dims)
        assert target.buffer is not None and target.place is not None
        place, buffer = target.place, target.buffer
        self.nest(
            target.dims,
            lambda index: [Store(buffer, place(index), cast(read(index), buffer.dtype), op)],
        )

    def nest(
        self,
        dims: tuple[Any, ...],
        inner: Callable[..., list[Any]],
        free: bool = True,
        bound: tuple[int, ...] = (),
    ) -> None:
        """Loops over all indices of ``dims``; those of the axes ``bound`` depend on each other."""
        index = tuple(None if is_one(n) else self.fresh("i") for n in dims)
        stmts = inner(tuple(integer(0) if i is None else affine(i) for i in index))
        for k, (var, n) in reversed(list(enumerate(zip(index, dims, strict=True)))):
            if var is None:
                continue
            stmts = [For(var, integer(0), self.norm(n), stmts, free=free and k not in bound)]
        for stmt in stmts:
            self.emit(stmt)

    def reads(self, value: Any) -> set[int]:
        """The buffers an array is read from."""
        if not isinstance(value, View):
            return set()
        probe = value.at(tuple(affine(Var(f"probe_{k}")) for k in range(len(value.dims))))
        return {id(g.buffer) for g in loads(probe)}


def describe(value: Any) -> str:
    """Describes a value, for people."""
    if isinstance(value, Constant):
        return f"{value.value!r}"
    if isinstance(value, Object):
        return f"an object that may change (a {type(value.value).__name__})"
    return {
        Items: "a container",
        Tape: "a list",
        Rows: "a list",
        View: "an array",
        Scalar: "a number",
    }.get(type(value), type(value).__name__)
