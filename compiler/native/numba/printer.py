"""The loop IR as Python that numba compiles: one kernel, and the function around it.

The text is a module of its own; ``numba_module`` writes it to a file, so that numba keeps what it
compiled beside it.
"""

from __future__ import annotations

import ast
import importlib.util
import math
import re
from collections.abc import Iterator
from typing import Any

from ..c_text.expressions import math_names
from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    Break,
    Buffer,
    Continue,
    For,
    If,
    Kernel,
    Leave,
    Let,
    Lit,
    Op,
    Parts,
    Product,
    Set,
    Stmt,
    Store,
    Var,
    While,
    affine,
    blocks_of,
    exprs_of,
    minus,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.storage import Declare, elements, find_homes, on_stack, rooms
from ..loop_ir.values import result_variables
from ..math.to_numba import math_text
from ..passes.interrupt_polls import may_let_go
from ..passes.memory.grouped_appends import Growth, growths
from .arenas import first_room, growth
from .expressions import KINDS, count_of, expression, function, infix, offset
from .partial_sums import COUNTED, call, drivers, is_shared
from .support import IMPORTS, support_text
from .wrapper import leaves, signature_of, taken_of, wrapper

__all__ = ["module_text"]

ZEROS = {"f8": "0.0", "f4": "np.float32(0.0)", "i8": "0", "b1": "False"}
KEPT = re.compile(r"^\w+_array(?= = np\.)|^\w+_memory(?= = \[)")  # the lines that make memory
OPTIONS = 'cache=True, error_model="numpy", fastmath={"contract", "nsz"}'
LARGE = 20000  # multiplications of a product that the library does
ACCUMULATED = {"add": "plus", "multiply": "times"}


def module_text(kernel: Kernel, accuracy: str) -> str:
    """The Python module of a kernel: ``entry(fallback, captured)`` in it makes the function to call."""
    body = "\n".join(f"    {line}" for line in lines_of(kernel))
    own = math_text(math_names(kernel), accuracy)
    signature = signature_of(kernel)
    names = ", ".join(text for text, _ in signature)
    kinds = ", ".join(kind for _, kind in signature)
    made = "\n\n\n".join(
        [nothing(kernel), *parts_of(kernel), f"def kernel({names}):\n{body}", wrapper(kernel)]
    )
    defined = tidy(made)
    missing, *parts, code, around = defined
    used = {n[3:] for n in names_in("\n".join(defined)) if n.startswith("rg_")}
    imports = IMPORTS + (COUNTED if is_shared(kernel) else "")
    head = "\n\n".join([imports, own + support_text(used, own)])
    alone = may_let_go(kernel) and not is_shared(
        kernel
    )  # numba's threads serve one caller at a time
    options = f"{OPTIONS}, nogil=True" if alone else OPTIONS
    before = "\n\n\n".join([f"@numba.njit\n{missing}", *parts])
    return (
        f"{head}\n\n{before}\n\n\n"
        f'@numba.njit("({kinds}{"," * (len(signature) == 1)})", {options})\n{code}\n\n\n{around}\n'
    )


def parts_of(kernel: Kernel) -> list[str]:
    """The functions of the loops that threads share."""
    return [
        drivers(s, part_lines(s), expression(s.hi), OPTIONS)
        for s in walk(kernel.body)
        if isinstance(s, Parts)
    ]


def part_lines(stmt: Parts) -> list[str]:
    return [*stacks(stmt.body), *block(stmt.body)]


def stacks(stmts: list[Stmt]) -> Iterator[str]:
    """The buffers on the stack; each part of a loop has its own."""
    for stmt in stmts:
        if isinstance(stmt, Alloc) and on_stack(stmt.buffer):
            buffer = stmt.buffer
            yield f"{buffer.name} = rg_stack({elements(buffer)}, {KINDS[buffer.dtype]})"
        for below in [] if isinstance(stmt, Parts) else blocks_of(stmt):
            yield from stacks(below)


def tidy(text: str) -> list[str]:
    """The functions of a text, without the parentheses that are not needed."""
    return [ast.unparse(node) for node in ast.parse(text).body]


def names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def nothing(kernel: Kernel) -> str:
    """Empty results of the same types, for a kernel that is left."""
    parts = [
        f"np.empty({(0,) * len(leaf.dims)!r}, {stored(leaf)})"
        if isinstance(leaf, Buffer)
        else ZEROS[leaf.dtype]
        for leaf in leaves(kernel)
    ]
    return f"def nothing():\n    return {', '.join(['False', *parts])},"


# -- statements -------------------------------------------------------------------------


def lines_of(kernel: Kernel) -> list[str]:
    """The body of the kernel's function."""
    packed = [leaf.name + "_array" if isinstance(leaf, Buffer) else expression(leaf.expr)
              for leaf in leaves(kernel)]  # fmt: skip
    body = [*taken_of(kernel), *declared(kernel), *block(kernel.body)]
    if any("rg_imul(" in line or ", overflow)" in line for line in [*body, *packed]):
        body = ["overflow = rg_stack(1, np.int64)", "overflow[0] = 0", *body]
        body += ["if overflow[0] != 0:", "    return nothing()"]
    held = {name for line in body for name in KEPT.findall(line)}
    body += [f"rg_keep({name})" for name in sorted(held - set(packed))]
    return [*body, f"return {', '.join(['True', *packed])},"]


def declared(kernel: Kernel) -> Iterator[str]:
    """The buffers, and the variables that are written more than once and seen everywhere."""
    again(kernel)
    outside = {id(s.buffer) for s in kernel.body if isinstance(s, Alloc)}
    for buffer in rooms(kernel):
        if id(buffer) not in outside and buffer.role != "arena":
            yield f"{buffer.name}_room = 0"
            yield f"{buffer.name}_memory = [np.empty(0, {stored(buffer)})]"
            yield f"{buffer.name} = rg_address({buffer.name}_memory[0])"
    yield from stacks(kernel.body)
    returned = {v.name for v in result_variables(kernel.results)}
    homes: dict[str, tuple[str, list[Stmt]]] = {}
    find_homes(kernel.body, kernel.body, returned, homes)
    for name, (kind, home) in sorted(homes.items()):
        if home is not kernel.body:
            home[:0] = [Declare(Var(name, kind))]
        elif not is_set(kernel.body, name):
            yield f"{name} = {START[kind]}"
    for group in growths(kernel.body):
        yield from first_room(group)


class Again(Alloc):
    """Memory that may be there already, in a loop or a branch."""


def again(kernel: Kernel) -> None:
    """Mark what is allocated below the outermost block."""
    for stmt in list(walk(kernel.body)):
        for below in blocks_of(stmt):
            below[:] = [Again(s.buffer, s.zero) if type(s) is Alloc else s for s in below]


START = {"double": "0.0", "float": "np.float32(0.0)", "int64_t": "0", "int": "False"}


def is_set(stmts: list[Stmt], name: str) -> bool:
    """True if a variable gets a value before it is read."""
    for stmt in stmts:
        if isinstance(stmt, Set) and stmt.var.name == name:
            return not reads(stmt, name)
        if reads(stmt, name):
            return False
    return True


def reads(stmt: Stmt, name: str) -> bool:
    """True if a statement has to do with a variable, other than to set it."""
    return any(
        (
            isinstance(s, (Set, Accumulate))
            and s.var.name == name
            and not (s is stmt and isinstance(s, Set))
        )
        or any(v.name == name for e in exprs_of(s) for v in variables(e))
        for s in walk([stmt])
    )


def block(stmts: list[Stmt]) -> Iterator[str]:
    empty = True
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Declare) and is_set(stmts[k + 1 :], stmt.var.name):
            continue
        if isinstance(stmt, Set) and isinstance(stmt.value, (Lit, Affine)) and is_reset(stmts, k):
            continue
        for line in statement(stmt):
            empty = False
            yield line
    if empty:
        yield "pass"


def is_reset(stmts: list[Stmt], k: int) -> bool:
    """True if a variable gets another value in the same block before it is read."""
    first = stmts[k]
    assert isinstance(first, Set)
    name = first.var.name
    for stmt in stmts[k + 1 :]:
        if isinstance(stmt, Set) and stmt.var.name == name:
            return not reads(stmt, name)
        if reads(stmt, name) or blocks_of(stmt):
            return False
    return False


def inner(stmts: list[Stmt]) -> Iterator[str]:
    return ("    " + line for line in block(stmts))


def statement(stmt: Stmt) -> Iterator[str]:
    if isinstance(stmt, Declare):
        yield f"{stmt.var.name} = {START[stmt.var.dtype]}"
    elif isinstance(stmt, (Let, Set)):
        yield f"{stmt.var.name} = {expression(stmt.value)}"
    elif isinstance(stmt, Accumulate):
        yield accumulation(stmt)
    elif isinstance(stmt, Store):
        yield store(stmt)
    elif isinstance(stmt, Parts):
        yield from call(stmt, part_lines(stmt))
    elif isinstance(stmt, For):
        yield from loop(stmt)
    elif isinstance(stmt, While):
        yield from ("while True:", *inner(stmt.body))
    elif isinstance(stmt, If):
        yield f"if {expression(stmt.cond)}:"
        yield from inner(stmt.then)
        if stmt.orelse:
            yield from ("else:", *inner(stmt.orelse))
    elif isinstance(stmt, Break):
        yield "break"
    elif isinstance(stmt, Continue):
        yield "continue"
    elif isinstance(stmt, Leave):
        yield from (f"if {expression(stmt.cond)}:", "    return 1")
    elif isinstance(stmt, Bail):
        yield from (f"if {expression(stmt.cond)}:", "    return nothing()")
    elif isinstance(stmt, Alloc):
        yield from memory(stmt)
    elif isinstance(stmt, Growth):
        yield from growth(stmt)
    elif isinstance(stmt, Product):
        yield from product(stmt)
    else:
        raise AssertionError(type(stmt).__name__)


def accumulation(stmt: Accumulate) -> str:
    name, kind, value = stmt.var.name, stmt.var.dtype, expression(stmt.value)
    if stmt.op in ACCUMULATED and kind[0] == "f":
        return f"{name} = rg_{ACCUMULATED[stmt.op]}({name}, {value})"
    if stmt.op in ACCUMULATED:
        return f"{name} = {infix(Op(stmt.op, (stmt.var, stmt.value), kind), [name, value])}"
    return f"{name} = {function(stmt.op, stmt.value.dtype, [name, value])}"


def store(stmt: Store) -> str:
    place = f"{stmt.buffer.name}[{offset(stmt.buffer, stmt.index)}]"
    value = expression(stmt.value)
    if stmt.buffer.dtype == "b1":
        value = f"np.uint8({value})"
    return f"{place} {'+=' if stmt.op == 'add' else '='} {value}"


def loop(stmt: For) -> Iterator[str]:
    lo, hi = expression(stmt.lo), expression(stmt.hi)
    bounds = hi if lo in ("0", "(0)") else f"{lo}, {hi}"
    if stmt.backwards:
        bounds = f"{expression(minus(stmt.hi, 1))}, {expression(minus(stmt.lo, 1))}, -1"
    yield f"for {stmt.var.name} in range({bounds}):"
    yield from inner(stmt.body)


# -- memory -----------------------------------------------------------------------------


def stored(buffer: Buffer) -> str:
    """The dtype of an array that holds a buffer."""
    return "np.bool_" if buffer.dtype == "b1" else KINDS[buffer.dtype]


def size(n: Any) -> str:
    """A size, of memory that is made before it is known whether the kernel is left for it."""
    text = expression(n)
    return text if isinstance(n, Affine) and not n.terms else f"max({text}, 0)"


def memory(stmt: Alloc) -> Iterator[str]:
    buffer, name = stmt.buffer, stmt.buffer.name
    dims = [size(n) for n in buffer.dims]
    if on_stack(buffer):
        if stmt.zero:
            yield from zeroed(buffer, str(elements(buffer)))
        return
    if isinstance(stmt, Again):
        yield f"if {count_of(dims)} > {name}_room:"
        yield f"    {name}_room = {count_of(dims)}"
        yield f"    {name}_larger = np.empty({name}_room, {stored(buffer)})"
        yield f"    {name} = rg_address({name}_larger)"
        yield f"    {name}_memory[0] = {name}_larger"
        if stmt.zero:
            yield from zeroed(buffer, count_of(dims))
        return
    shape = (
        f"({''.join(f'{n}, ' for n in dims)})"
        if buffer.role in ("result", "written")
        else count_of(dims)
    )
    yield f"{name}_array = np.{'zeros' if stmt.zero else 'empty'}({shape}, {stored(buffer)})"
    yield f"{name} = rg_address({name}_array)"


def zeroed(buffer: Buffer, count: str) -> Iterator[str]:
    zero = "np.uint8(0)" if buffer.dtype == "b1" else ZEROS[buffer.dtype]
    yield f"for rg_k in range({count}):"
    yield f"    {buffer.name}[rg_k] = {zero}"


def product(stmt: Product) -> Iterator[str]:
    m, k, n = (expression(s) for s in stmt.sizes)
    known = [e.const for e in map(affine, stmt.sizes) if not e.terms]
    small = len(known) == 3 and math.prod(known) <= LARGE
    if small or importlib.util.find_spec("scipy") is None:  # numba finds the library there
        yield from block(stmt.loops)
        return
    (a, ta), (b, tb) = stmt.a, stmt.b
    first = matrix(a, m, k, ta)
    second = matrix(b, k, n, tb)
    yield f"if {m} * {k} * {n} > {LARGE}:"
    yield f"    np.dot({first}, {second}, {matrix(stmt.c, m, n, False)})"
    yield "else:"
    yield from inner(stmt.loops)


def matrix(buffer: Buffer, rows: str, columns: str, flipped: bool) -> str:
    """A matrix as an array; ``flipped``: it stands in memory column by column."""
    if flipped:
        return f"numba.carray({buffer.name}, ({columns}, {rows})).T"
    return f"numba.carray({buffer.name}, ({rows}, {columns}))"
