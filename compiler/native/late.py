"""What a kernel leaves for is asked once, behind the loops, where going on does no harm; sums are sums."""

from __future__ import annotations

from typing import Any

from .elementwise import cast
from .loop_ir import (
    Accumulate,
    Bail,
    Break,
    Continue,
    For,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Stmt,
    Var,
    While,
    affine,
    blocks_of,
    exprs_of,
    integer,
    variables,
    walk,
)

__all__ = ["late"]


def late(kernel: Kernel) -> Kernel:
    """Test behind the outermost loop; write running sums as such."""
    flags: list[Var] = []
    later(kernel.body, flags)
    kernel.body[:0] = [Set(flag, integer(0)) for flag in flags]
    reads = read_by(kernel)
    for stmt in walk(kernel.body):
        if isinstance(stmt, For):
            sums(stmt, reads)
    return kernel


# -- tests -----------------------------------------------------------------------------------


def later(stmts: list[Stmt], flags: list[Var]) -> None:
    """Take the tests out of the loops of a block."""
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, For) and goes_through(stmt):
            first = len(flags)
            counted(stmt.body, flags)
            for flag in flags[first:]:
                k += 1
                stmts.insert(k, Bail(Op("not_equal", (affine(flag), integer(0)), "b1")))
        else:
            for block in blocks_of(stmt):
                later(block, flags)
        k += 1


def goes_through(loop: For) -> bool:
    """Whether all iterations run, whatever the numbers are."""
    return not any(isinstance(s, (While, Break, Continue)) for s in walk(loop.body))


def counted(stmts: list[Stmt], flags: list[Var]) -> None:
    """Count how often a test would have left, in place of leaving."""
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Bail) and is_harmless(stmt.cond):
            flag = Var(f"odd_{len(flags)}")
            flags.append(flag)
            stmts[k] = Accumulate(flag, "add", cast(stmt.cond, "i8"))
        for block in blocks_of(stmt):
            counted(block, flags)


def is_harmless(cond: Any) -> bool:
    """A test of a float: arithmetic goes on with infinities, but an index must be inside."""
    if not isinstance(cond, Op) or not all(v.dtype[0] == "f" for v in variables(cond)):
        return False
    if cond.name == "logical_not":
        inner = cond.args[0]
        return isinstance(inner, Op) and inner.name == "isfinite" and is_float(inner.args[0])
    return cond.name in ("equal", "less") and is_float(cond.args[0]) and is_zero(cond.args[1])


def is_float(e: Any) -> bool:
    return bool(e.dtype[0] == "f")


def is_zero(e: Any) -> bool:
    return isinstance(e, Lit) and e.value == 0.0


# -- sums ------------------------------------------------------------------------------------


def read_by(kernel: Kernel) -> dict[str, int]:
    """How often each variable is read."""
    found: dict[str, int] = {}
    for stmt in walk(kernel.body):
        for e in exprs_of(stmt):
            for v in variables(e):
                found[v.name] = found.get(v.name, 0) + 1
    return found


def sums(loop: For, reads: dict[str, int]) -> None:
    """``t = v + e; v = t`` as an addition to ``v``, of which this loop reads nothing else."""
    for stmt in list(loop.body):
        if not isinstance(stmt, Set) or stmt.var.dtype[0] != "f" or stmt not in loop.body:
            continue
        value, name = stmt.value, None
        if isinstance(value, Var):
            name = next((s for s in loop.body if isinstance(s, Let) and s.var == value), None)
            value = name.value if name is not None and reads[value.name] == 1 else None
        term = added(value, stmt.var)
        if term is None or not alone(loop, stmt.var, {id(stmt), id(name)}):
            continue
        loop.body[loop.body.index(name or stmt)] = Accumulate(stmt.var, "add", term)
        if name is not None:  # what is added is what it was there
            loop.body.remove(stmt)


def added(value: Any, var: Var) -> Any:
    """What is added to a variable, if that is all."""
    if not isinstance(value, Op) or value.name not in ("add", "subtract"):
        return None
    a, b = value.args
    if value.name == "add" and b == var:
        a, b = b, a
    if a != var or any(v == var for v in variables(b)):
        return None
    return b if value.name == "add" else Op("negative", (b,), value.dtype)


def alone(loop: For, var: Var, own: set[int]) -> bool:
    """Whether a loop neither reads nor writes a variable but in these statements."""
    for s in walk(loop.body):
        if id(s) in own:
            continue
        if isinstance(s, (Set, Accumulate)) and s.var == var:
            return False
        if any(v == var for e in exprs_of(s) for v in variables(e)):
            return False
    return True
