"""The typed loop IR: scalars, buffers and structured loops, below the arrays of the emitted text.

An array operation is a nest of ``For`` around one ``Store``; what the passes fuse and contract
are such nests.  Integer arithmetic is kept in a normal form (``Affine``), so that two bounds or
two indices are equal exactly if they are written alike.

``Bail`` leaves the kernel: whoever called it runs the emitted NumPy text instead, which says what
is wrong, or does what the kernel does not.  A kernel writes to its arguments at the very end, so that this is
always possible.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.runtime.records import dataclass, field

from ..refusal import Unsupported

__all__ = [
    "Accumulate", "Affine", "Alloc", "Bail", "Break", "Buffer", "Comment", "Continue", "Expr", "For", "Get",
    "If", "Kernel", "Leave", "Let", "LibraryCall", "Lit", "Op", "Opaque", "Parts", "Point", "Poll", "Product", "Reserve", "Routine", "Set",
    "Stmt", "Store", "Var",
    "While", "affine", "blocks_of", "change_exprs", "exprs_of", "integer", "loads", "minus", "plus",
    "rewrite", "subexpressions", "times", "variables", "walk",
]  # fmt: skip


# -- expressions ------------------------------------------------------------------------


@dataclass(frozen=True)
class Lit:
    """A literal of a dtype: ``f8``, ``f4``, ``i8``, ``b1`` or ``c16``."""

    value: Any
    dtype: str


@dataclass(frozen=True)
class Var:
    """A scalar variable."""

    name: str
    dtype: str = "i8"


@dataclass(frozen=True)
class Affine:
    """``const + sum(coefficient * atom)``, the atoms in order: integers only."""

    terms: tuple[tuple[Any, int], ...]
    const: int = 0
    dtype: str = "i8"


@dataclass(frozen=True)
class Get:
    """One element of a buffer."""

    buffer: Buffer
    index: tuple[Any, ...]

    @property
    def dtype(self) -> str:
        return self.buffer.dtype


@dataclass(frozen=True)
class Op:
    """A scalar operation by name; see ``operations``."""

    name: str
    args: tuple[Any, ...]
    dtype: str


Expr = Lit | Var | Affine | Get | Op


@dataclass(eq=False)
class Buffer:
    """Memory in C order; ``role``: argument, local, result, written (see ``Kernel``), arena (which grows), shared (an
    ``Opaque`` statement has to do with it), handed (its owner changes) or pointed (it is in a record).
    """

    name: str
    dtype: str
    dims: tuple[Any, ...]
    role: str = "local"
    kept: bool = False  # somebody holds it besides its name
    home: tuple[int, ...] = ()  # the loops it was made in
    writes: list[tuple[int, ...]] = field(default_factory=list)  # in which loops it is written to
    room: int = -1  # the number of its memory, in C

    def __repr__(self) -> str:
        return self.name


# -- statements -------------------------------------------------------------------------


@dataclass(eq=False)
class Stmt:
    """A statement of a kernel."""


@dataclass(eq=False)
class Let(Stmt):
    """A name for a value, in this block and those below it."""

    var: Var
    value: Any


@dataclass(eq=False)
class Set(Stmt):
    """A variable of the kernel gets a value."""

    var: Var
    value: Any


@dataclass(eq=False)
class Accumulate(Stmt):
    """``var = var op value``; the order does not matter."""

    var: Var
    op: str
    value: Any


@dataclass(eq=False)
class Store(Stmt):
    """``buffer[index] = value``, or ``op=`` (the order of several does not matter)."""

    buffer: Buffer
    index: tuple[Any, ...]
    value: Any
    op: str | None = None


@dataclass(eq=False)
class For(Stmt):
    """``for var in range(lo, hi)``, or from the end; ``free``: its iterations are independent."""

    var: Var
    lo: Any
    hi: Any
    body: list[Stmt]
    backwards: bool = False
    free: bool = False


@dataclass(eq=False)
class Parts(For):
    """A loop from 0 whose iterations are few, long and independent: threads share them."""


@dataclass(eq=False)
class While(Stmt):
    """``while True``: the body breaks."""

    body: list[Stmt]


@dataclass(eq=False)
class If(Stmt):
    cond: Any
    then: list[Stmt]
    orelse: list[Stmt] = field(default_factory=list)


@dataclass(eq=False)
class Break(Stmt):
    pass


@dataclass(eq=False)
class Continue(Stmt):
    pass


@dataclass(eq=False)
class Alloc(Stmt):
    """Memory for a buffer, from here on."""

    buffer: Buffer
    zero: bool = False


@dataclass(eq=False)
class Reserve(Stmt):
    """Room for ``count`` elements in an arena."""

    buffer: Buffer
    count: Any


@dataclass(eq=False)
class Bail(Stmt):
    """Leave the kernel if ``cond``."""

    cond: Any


@dataclass(eq=False)
class Leave(Bail):
    """Leave the part ``part`` of a loop if ``cond``, and the kernel once all parts have ended."""

    part: Var


@dataclass(eq=False)
class Poll(Stmt):
    """Charge ``count`` iterations of ``weight`` statements; ``strip``: the loop that follows runs in strips."""

    count: Any
    weight: int
    strip: bool = False


@dataclass(eq=False)
class Product(Stmt):
    """``c = a @ b`` for matrices of buffers, given as (buffer, transposed); ``loops`` do the same."""

    c: Buffer
    a: tuple[Buffer, bool]
    b: tuple[Buffer, bool]
    sizes: tuple[Any, ...]
    loops: list[Stmt]


@dataclass(eq=False)
class LibraryCall(Product):
    """``c = text(a, b)`` by a library of the device.

    ``looks``: for each operand and each of its buffer's axes the step, and the axis of the operand that it is
    (-1: none, the index stands still); ``sizes``: the starts of these axes, and after them the operand's sizes.
    """

    text: str = ""  # with a place for each operand
    looks: tuple[tuple[tuple[int, int], ...], ...] = ()


@dataclass(eq=False)
class Comment(Stmt):
    """Lines of the text that what follows was read from, for a reader of what is printed."""

    lines: tuple[str, ...]


@dataclass(eq=False)
class Routine(Stmt):
    """A call of a routine of linear algebra: with these sizes, on memory that begins at these elements."""

    name: str
    sizes: tuple[Any, ...]
    operands: tuple[Get, ...]
    written: Buffer
    fails: bool = False


@dataclass(eq=False)
class Opaque(Stmt):
    """What passes leave as it is and where it is: expressions that it reads, and memory that it reads and writes."""

    values: tuple[Any, ...]
    memory: tuple[Buffer, ...]


@dataclass(eq=False)
class Point(Alloc):
    """Memory that is there already, at an address; ``size``: it belongs to this function from now on, so many bytes."""

    address: Any = None
    size: Any = None


@dataclass(eq=False)
class Kernel:
    """A function of the loop IR.

    ``params``: what comes in, in order (a ``Buffer``, a scalar ``Var``, or None for what is not
    read); ``dims``: a variable for each dimension of a buffer, or the number it must be;
    ``results``: nested tuples of buffers, scalars (with ``weak``: a Python number) and constants;
    ``captured``: arrays of the module, for the last of the parameters;
    ``written``: arguments, and the memory whose elements they get once nothing can go wrong any more.
    """

    name: str
    params: list[Any]
    body: list[Stmt]
    results: Any
    notes: list[str] = field(default_factory=list)
    captured: list[Any] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)  # their names in the text
    equal: dict[Var, Any] = field(default_factory=dict)  # sizes that are written as others
    functions: list[Kernel] = field(default_factory=list)  # that call themselves
    written: list[tuple[Buffer, Buffer]] = field(default_factory=list)


# -- integers in normal form --------------------------------------------------------------


def integer(value: Any) -> Expr:
    """An ``int`` as an expression; expressions stay."""
    return Affine((), int(value)) if isinstance(value, (int, bool)) else value


def affine(e: Any) -> Affine:
    """An integer expression in normal form."""
    if isinstance(e, Affine):
        return e
    if isinstance(e, int):
        return Affine((), e)
    if isinstance(e, Lit):
        return Affine((), int(e.value))
    return Affine(((e, 1),))


def plus(a: Any, b: Any, sign: int = 1) -> Affine:
    """``a + b`` of integers.

    >>> n = Var("n")
    >>> plus(plus(n, 1), -1) == affine(n)
    True
    """
    a, b = affine(a), affine(b)
    total: dict[Any, int] = dict(a.terms)
    for atom, k in b.terms:
        total[atom] = total.get(atom, 0) + sign * k
    terms = sorted(((x, k) for x, k in total.items() if k), key=lambda t: repr(t[0]))
    return Affine(tuple(terms), a.const + sign * b.const)


def minus(a: Any, b: Any) -> Affine:
    return plus(a, b, -1)


def times(a: Any, b: Any) -> Affine:
    """``a * b`` of integers; a product of two unknown ones is an atom."""
    a, b = affine(a), affine(b)
    if a.terms and b.terms:
        first, second = sorted((a, b), key=repr)
        return Affine(((Op("imul", (first, second), "i8"), 1),))
    if a.terms:
        a, b = b, a
    k = a.const
    if abs(k) > 2**31 and b.terms:
        raise Unsupported("a multiple that may not fit into 64 bits")
    return Affine(tuple((x, k * c) for x, c in b.terms), k * b.const) if k else Affine((), 0)


# -- walking ------------------------------------------------------------------------------


def blocks_of(stmt: Stmt) -> list[list[Stmt]]:
    kind = type(stmt)
    if kind not in BLOCK_NAMES:
        BLOCK_NAMES[kind] = next((names for of, names in BLOCKS if issubclass(kind, of)), ())
    return [getattr(stmt, name) for name in BLOCK_NAMES[kind]]


BLOCKS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    ((For, While), ("body",)), (If, ("then", "orelse")), (Product, ("loops",)),
)  # fmt: skip
BLOCK_NAMES: dict[type[Stmt], tuple[str, ...]] = {}  # of the classes that were met


def walk(stmts: list[Stmt]) -> Iterator[Stmt]:
    """Every statement, outer before inner."""
    waiting = [iter(stmts)]
    while waiting:
        for stmt in waiting[-1]:
            yield stmt
            if blocks := blocks_of(stmt):
                waiting.extend(map(iter, reversed(blocks)))
                break
        else:
            waiting.pop()


def exprs_of(stmt: Stmt) -> list[Any]:
    """The expressions a statement itself reads."""
    kind = type(stmt)
    if kind not in READERS:
        found = (reads for of, reads in READS if issubclass(kind, of))
        READERS[kind] = next(found, lambda stmt: [])
    return READERS[kind](stmt)


READS: tuple[tuple[Any, Callable[[Any], list[Any]]], ...] = (
    ((Let, Set, Accumulate), lambda s: [s.value]), (Store, lambda s: [*s.index, s.value]),
    (For, lambda s: [s.lo, s.hi]), ((If, Bail), lambda s: [s.cond]), (Reserve, lambda s: [s.count]),
    (Point, lambda s: [*s.buffer.dims, s.address, *([] if s.size is None else [s.size])]),
    (Alloc, lambda s: list(s.buffer.dims)), (Opaque, lambda s: list(s.values)),
    (Product, lambda s: list(s.sizes)), (Routine, lambda s: [*s.sizes, *s.operands]),
)  # fmt: skip
READERS: dict[type[Stmt], Callable[[Any], list[Any]]] = {}  # of the classes that were met


def subexpressions(e: Any) -> tuple[Any, ...]:
    """An expression and everything in it, outer before inner; expressions never change, and remember what is in them."""
    kind = type(e)
    if kind is Var or kind is Lit:
        return (e,)
    known = vars(e).get("below") if kind in PARTS else ()
    if known is None:
        known = tuple(part for inner in PARTS[kind](e) for part in subexpressions(inner))
        vars(e)["below"] = known
    return (e, *known)


PARTS: dict[type, Callable[[Any], Any]] = {
    Affine: lambda e: [atom for atom, _ in e.terms],
    Get: operator.attrgetter("index"),
    Op: operator.attrgetter("args"),
}


def loads(e: Any) -> tuple[Get, ...]:
    """The elements that an expression reads, outer before inner."""
    return leaves(e)[1]


def variables(e: Any) -> tuple[Var, ...]:
    """The variables in an expression, as often as they stand there."""
    return leaves(e)[0]


def leaves(e: Any) -> tuple[tuple[Var, ...], tuple[Get, ...]]:
    """Both; remembered, too."""
    if type(e) not in PARTS:
        return ((e,) if type(e) is Var else ()), ()
    known = vars(e)
    if "leaves" not in known:
        parts = subexpressions(e)
        names = tuple(part for part in parts if isinstance(part, Var))
        known["leaves"] = names, tuple(part for part in parts if isinstance(part, Get))
    return known["leaves"]  # type: ignore[no-any-return]


def rewrite(e: Any, change: Callable[[Any], Any]) -> Any:
    """The expression with ``change`` applied to its parts, inner first; what nothing is changed in stays the object."""
    kind = type(e)
    if kind is Op:
        args = rewritten(e.args, change)
        return change(e if args is e.args else Op(e.name, args, e.dtype))
    if kind is Get:
        index = rewritten(e.index, change)
        return change(e if index is e.index else Get(e.buffer, index))
    if kind is Affine and e.terms:
        atoms = [rewrite(atom, change) for atom, _ in e.terms]
        if any(new is not old for new, (old, _) in zip(atoms, e.terms, strict=True)):
            total = Affine((), e.const)
            for new, (_, k) in zip(atoms, e.terms, strict=True):
                total = plus(total, times(new, k))
            e = total
    return change(e)


def rewritten(parts: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    made = tuple([rewrite(part, change) for part in parts])
    return parts if all(map(operator.is_, made, parts)) else made


def change_exprs(stmts: list[Stmt], change: Callable[[Any], Any]) -> None:
    """Rewrite every expression below, in place."""
    for stmt in walk(stmts):
        change_own_exprs(stmt, change)


def change_own_exprs(stmt: Stmt, change: Callable[[Any], Any]) -> None:
    """Rewrite the expressions that a statement itself reads, in place."""
    if isinstance(stmt, (Let, Set, Accumulate)):
        stmt.value = rewrite(stmt.value, change)
    elif isinstance(stmt, Store):
        stmt.index = tuple(rewrite(i, change) for i in stmt.index)
        stmt.value = rewrite(stmt.value, change)
    elif isinstance(stmt, For):
        stmt.lo, stmt.hi = rewrite(stmt.lo, change), rewrite(stmt.hi, change)
    elif isinstance(stmt, (If, Bail)):
        stmt.cond = rewrite(stmt.cond, change)
    elif isinstance(stmt, Reserve):
        stmt.count = rewrite(stmt.count, change)
    elif isinstance(stmt, Opaque):
        stmt.values = tuple(rewrite(e, change) for e in stmt.values)
    elif isinstance(stmt, Alloc):
        stmt.buffer.dims = tuple(rewrite(n, change) for n in stmt.buffer.dims)
        if isinstance(stmt, Point):
            stmt.address = rewrite(stmt.address, change)
            stmt.size = None if stmt.size is None else rewrite(stmt.size, change)
    elif isinstance(stmt, Product):
        stmt.sizes = tuple(rewrite(s, change) for s in stmt.sizes)
    elif isinstance(stmt, Routine):
        stmt.sizes = tuple(rewrite(s, change) for s in stmt.sizes)
        stmt.operands = tuple(rewrite(s, change) for s in stmt.operands)
