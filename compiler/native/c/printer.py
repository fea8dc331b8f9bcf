"""The loop IR as C: one function body, between the unpacking and the packing of `shim`."""

from __future__ import annotations

from collections.abc import Iterator

from ..loop_ir.calls import Call, Ends, Fourier, Function, Keep, Library
from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Bail,
    Buffer,
    For,
    Kernel,
    Leave,
    Let,
    Opaque,
    Parts,
    Point,
    Poll,
    Product,
    Reserve,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    blocks_of,
    walk,
)  # fmt: skip
from ..loop_ir.storage import (
    SMALL,
    TYPES,
    Declare,
    elements,
    find_homes,
    on_stack,
    rooms,
    taken,
    undeclare,
)
from ..loop_ir.values import result_variables
from ..passes.interrupt_polls import weight, with_polls
from .choices import Choices
from .fourier import fourier_call
from .lapack import library_call
from .recursion import call, ends, pointed, record

__all__ = ["STORED", "body_text", "expression", "part_functions"]

STORED = {**TYPES, "b1": "uint8_t"}


class Printer(Choices):
    """C: with threads, memory of its own, ways out, and loops that ask whether they are to stop."""

    def block(self, stmts: list[Stmt]) -> Iterator[str]:
        strips = False
        for stmt in stmts:
            if strips:
                assert isinstance(stmt, For)
                yield from in_strips(stmt)
            elif not (isinstance(stmt, Poll) and stmt.strip):
                yield from self.statement(stmt)
            strips = isinstance(stmt, Poll) and stmt.strip

    def loop(self, stmt: For) -> Iterator[str]:
        if isinstance(stmt, Parts):
            yield from parts(stmt)
            return
        yield from pragma(stmt)
        yield from super().loop(stmt)

    def other(self, stmt: Stmt) -> Iterator[str]:
        if isinstance(stmt, Poll):
            yield f"RG_POLL({expression(stmt.count)}, {stmt.weight});"
        elif isinstance(stmt, Leave):
            test = f"if (RG_RARE({expression(stmt.cond)}))"
            yield f"{test} {{ overflow = 1; goto end_of_{stmt.part.name}; }}"
        elif isinstance(stmt, Bail):
            yield f"if (RG_RARE({expression(stmt.cond)})) goto bail;"
        elif isinstance(stmt, (Alloc, Reserve)):
            yield from memory(stmt)
        elif isinstance(stmt, Product):
            yield from product(stmt)
        elif isinstance(stmt, Opaque):
            yield from self.opaque(stmt)
        else:
            yield from super().other(stmt)

    def opaque(self, stmt: Opaque) -> Iterator[str]:
        if isinstance(stmt, Call):
            yield from call(stmt, self.expression)
        elif isinstance(stmt, Keep):
            yield from record(stmt, self.expression)
        elif isinstance(stmt, Fourier):
            yield fourier_call(stmt, self.expression)
        elif isinstance(stmt, Library):
            yield library_call(stmt, self.expression)
        else:
            assert isinstance(stmt, Ends)
            yield from ends(stmt, self.expression)


C = Printer()
expression, block, inner, loop = C.expression, C.block, C.inner, C.loop


# -- statements -------------------------------------------------------------------------


def body_text(kernel: Kernel, indent: str = "    ") -> list[str]:
    """The lines of a kernel's body."""
    lines = list(declared(kernel))
    with_polls(kernel.body)
    return [indent + line for line in [*lines, *block(kernel.body)]]


def declared(kernel: Kernel) -> Iterator[str]:
    """The buffers, and the variables that are written more than once and seen everywhere."""
    undeclare(kernel.body)
    for k, buffer in enumerate(rooms(kernel)):
        buffer.room = k
        if buffer.role == "arena":
            few = 8 if isinstance(kernel, Function) else SMALL  # it stands there again and again
            yield f"{STORED[buffer.dtype]} {buffer.name}_start[{few}];"
            yield f"{STORED[buffer.dtype]} *{buffer.name} = {buffer.name}_start;"
            yield f"cap[{k}] = sizeof {buffer.name}_start;"
        else:
            yield f"{STORED[buffer.dtype]} *{buffer.name} = 0;"
    yield from stacks(kernel.body)
    returned = {v.name for v in result_variables(kernel.results)}
    homes: dict[str, tuple[str, list[Stmt]]] = {}
    find_homes(kernel.body, kernel.body, returned, homes)
    for name, (kind, home) in sorted(homes.items()):
        if home is kernel.body:
            yield f"{kind} {name} = 0;"
        else:
            home[:0] = [Declare(Var(name, kind))]


def stacks(stmts: list[Stmt]) -> Iterator[str]:
    """The buffers on the stack; each part of a loop has its own."""
    for stmt in stmts:
        if isinstance(stmt, Point):
            if stmt.size is None:
                yield f"const {STORED[stmt.buffer.dtype]} *{stmt.buffer.name} = 0;"
        elif isinstance(stmt, Alloc) and on_stack(stmt.buffer):
            yield f"{STORED[stmt.buffer.dtype]} {stmt.buffer.name}[{elements(stmt.buffer)}];"
        for below in [] if isinstance(stmt, Parts) else blocks_of(stmt):
            yield from stacks(below)


def in_strips(stmt: For) -> Iterator[str]:
    """A long loop, which asks between strips whether it is to stop."""
    lo, hi = expression(stmt.lo), expression(stmt.hi)
    yield f"for (int64_t rg_lo = {lo}, rg_hi = {hi}; rg_lo < rg_hi;) {{"
    if stmt.backwards:
        yield "    const int64_t rg_to = rg_hi, rg_from = rg_to - rg_lo > RG_STRIP ? rg_to - RG_STRIP : rg_lo;"
    else:
        yield "    const int64_t rg_from = rg_lo, rg_to = rg_hi - rg_from > RG_STRIP ? rg_from + RG_STRIP : rg_hi;"
    yield f"    RG_POLL(rg_to - rg_from, {weight(stmt.body)});"
    ends = affine(Var("rg_from")), affine(Var("rg_to"))
    strip = For(stmt.var, *ends, stmt.body, stmt.backwards, stmt.free)
    yield from ("    " + line for line in loop(strip))
    yield f"    {'rg_hi = rg_from' if stmt.backwards else 'rg_lo = rg_to'};"
    yield "}"


def parts(stmt: Parts) -> Iterator[str]:
    """All parts of a loop, whose body is a function of its own."""
    name = stmt.var.name
    given = ", ".join(f".{n} = {n}" for n in taken(stmt))
    yield "{"
    yield f"    struct given_{name} rg_given = {{{given}}};"
    yield "    rg_let_go(&rg_state);"
    yield f"    rg_share(run_{name}, &rg_given, {expression(stmt.hi)});"
    yield "    if (RG_RARE(rg_given.left)) goto bail;"
    yield "    RG_POLL(RG_FUEL, 2);"
    yield "}"


def part_functions(stmts: list[Stmt]) -> Iterator[str]:
    """The bodies of the loops in parts, as functions, and what they are given."""
    for stmt in stmts:
        if isinstance(stmt, Parts):
            yield from part_function(stmt)
        else:
            for below in blocks_of(stmt):
                yield from part_functions(below)


def part_function(stmt: Parts) -> Iterator[str]:
    name, given = stmt.var.name, taken(stmt)
    yield f"struct given_{name} {{"
    yield from (f"    {kind_of(what)}{n};" for n, what in given.items())
    yield from ("    int left;", "};", "")
    yield f"static void run_{name}(void *rg_from, int64_t {name})"
    yield from ("{", f"    struct given_{name} *rg_given = rg_from;", "    int overflow = 0;")
    for n, what in given.items():
        kind = kind_of(what)
        yield f"    {kind}{'restrict ' if kind[-1] == '*' else 'const '}{n} = rg_given->{n};"
    yield from ("    " + line for line in stacks(stmt.body))
    yield from inner(stmt.body)
    if any(isinstance(s, Leave) for s in walk(stmt.body)):
        yield f"end_of_{name}:"
    yield from (
        "    if (overflow) __atomic_store_n(&rg_given->left, 1, __ATOMIC_RELAXED);",
        "}",
        "",
    )


def kind_of(given: Var | Buffer) -> str:
    """The type of what a part is given, as it stands before a name."""
    if isinstance(given, Var):
        return f"{TYPES[given.dtype]} "
    return f"{'const ' * (given.role == 'argument')}{STORED[given.dtype]} *"


def pragma(stmt: For) -> Iterator[str]:
    """Say that iterations are independent but for sums, where the compiler could not know."""
    if (
        not stmt.free
        or stmt.backwards
        or not all(isinstance(s, (Let, Store, Accumulate, Set, Declare)) for s in stmt.body)
    ):
        return
    own = {s.var.name for s in stmt.body if isinstance(s, Declare)}
    if any(isinstance(s, Set) and s.var.name not in own for s in stmt.body):
        return
    sums: dict[str, list[str]] = {}
    for s in stmt.body:
        if isinstance(s, Accumulate) and s.var.name not in own:
            if s.var.dtype == "c16" or s.op not in ("add", "multiply"):
                return
            sums.setdefault({"add": "+", "multiply": "*"}[s.op], []).append(s.var.name)
    parts = [f" reduction({op}:{', '.join(sorted(set(names)))})" for op, names in sums.items()]
    yield f"#pragma omp simd{''.join(parts)}"


def memory(stmt: Alloc | Reserve) -> Iterator[str]:
    buffer = stmt.buffer
    kind = STORED[buffer.dtype]
    if isinstance(stmt, Point):
        yield from pointed(stmt, expression)
        return
    if isinstance(stmt, Alloc) and on_stack(buffer):
        if stmt.zero:
            yield f"memset({buffer.name}, 0, sizeof {buffer.name});"
        return
    first = expression(stmt.count) if isinstance(stmt, Reserve) else None
    dims = [first or expression(buffer.dims[0]) if buffer.dims else "1"]
    dims += [expression(n) for n in buffer.dims[1:]]
    size = f"{' * '.join(f'rg_size({n})' for n in dims)} * sizeof({kind})"
    if isinstance(stmt, Reserve):
        yield f"RG_RESERVE({buffer.name}, {buffer.room}, {size});"
    elif buffer.role == "result":
        shape = ", ".join(f"rg_size({expression(n)})" for n in buffer.dims)
        yield f"RG_RESULT({buffer.name}, {buffer.room}, {NUMPY[buffer.dtype]}, {len(buffer.dims)}, {shape});"
    else:
        yield f"RG_ROOM({buffer.name}, {buffer.room}, {size});"
    if isinstance(stmt, Alloc) and stmt.zero:
        yield f"memset({buffer.name}, 0, {size});"


NUMPY = {"f8": 12, "f4": 11, "i8": 7, "b1": 0, "c16": 15}  # NPY_DOUBLE, NPY_FLOAT, ..., NPY_CDOUBLE


def product(stmt: Product) -> Iterator[str]:
    m, k, n = (expression(s) for s in stmt.sizes)
    (a, ta), (b, tb) = stmt.a, stmt.b
    kind = "d" if stmt.c.dtype == "f8" else "s"
    lda, ldb = (m if ta else k), (k if tb else n)
    yield f"if (rg_{kind}gemm && (double)({m})*({k})*({n}) > RG_LIBRARY) {{"
    yield (
        f"    rg_{kind}gemm(101, {112 if ta else 111}, {112 if tb else 111}, {m}, {n}, {k}, 1, "
        f"{a.name}, {lda}, {b.name}, {ldb}, 0, {stmt.c.name}, {n});"
    )
    yield "} else {"
    yield from inner(stmt.loops)
    yield "}"
