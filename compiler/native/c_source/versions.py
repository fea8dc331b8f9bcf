"""One variable where the text has one: a new value of a name is put where the old one stood.

The reader gives each value a name of its own, and hands them on at the end of an iteration; here
``x_1 = f(x); x = x_1`` becomes ``x = f(x)``, and a name that is bound again is the same variable if nobody
reads its old value any more.
"""

from __future__ import annotations

from retrograd.runtime.records import dataclass

from ..loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Break,
    Buffer,
    Continue,
    For,
    Let,
    Lit,
    Set,
    Stmt,
    Var,
    affine,
    blocks_of,
    change_exprs,
    rewrite,
    walk,
)
from .unread import buffers_of, names_read

__all__ = ["Begin", "in_one_variable", "replaced", "sole", "with_known_starts"]


@dataclass(eq=False)
class Begin(Set):
    """The declaration of a variable that is written again later."""


def replaced(stmts: list[Stmt], var: Var, value: object) -> None:
    """``value`` in place of a variable, in sizes of memory, too."""

    def change(e: object) -> object:
        return value if e == var else e

    change_exprs(stmts, change)
    made = {id(s.buffer) for s in walk(stmts) if isinstance(s, Alloc)}
    seen: dict[int, Buffer] = {id(b): b for s in walk(stmts) for b in buffers_of(s)}
    for buffer in (b for key, b in seen.items() if key not in made):
        buffer.dims = tuple(rewrite(n, change) for n in buffer.dims)


def writes(stmt: Stmt, var: Var) -> bool:
    return any(isinstance(s, (Set, Accumulate)) and s.var == var for s in walk([stmt]))


def reads(stmt: Stmt, var: Var) -> bool:
    return any(var.name in names_read(s) for s in walk([stmt])) or any(
        isinstance(s, Accumulate) and s.var == var for s in walk([stmt])
    )


def leaves(stmt: Stmt) -> bool:
    """True if what follows a statement may be left out."""
    return any(isinstance(s, (Break, Continue)) for s in walk([stmt]))


def in_one_variable(stmts: list[Stmt], hints: dict[str, str]) -> None:
    for stmt in stmts:
        for block in blocks_of(stmt):
            in_one_variable(block, hints)
    k = 0
    while k < len(stmts):
        stmt = stmts[k]
        if isinstance(stmt, Let) and not (handed_on(stmts, k) or set_before(stmts, k, hints)):
            bound_again(stmts, k, hints)
        k += 1


def handed_on(stmts: list[Stmt], k: int) -> bool:
    """A value that another variable gets later in the block, and nobody reads or writes this one till then."""
    made = stmts[k]
    assert isinstance(made, Let)
    for j in range(k + 1, len(stmts)):
        stmt = stmts[j]
        if isinstance(stmt, Set) and stmt.value in (made.var, affine(made.var)):
            between, after = stmts[k + 1 : j], stmts[j + 1 :]
            if any(reads(s, stmt.var) or writes(s, stmt.var) for s in between):
                continue
            if any(leaves(s) for s in between) or any(writes(s, stmt.var) for s in after):
                continue
            if isinstance(stmt, Begin):
                continue
            stmts[k] = Set(stmt.var, made.value)
            del stmts[j]
            replaced(stmts[k + 1 :], made.var, stmt.var)
            return True
    return False


def set_before(stmts: list[Stmt], k: int, hints: dict[str, str]) -> bool:
    """A value between two of one name: nobody reads the first once it is there, nor itself after the second."""
    made = stmts[k]
    assert isinstance(made, Let)
    hint = hints.get(made.var.name, "")
    for j in range(k + 1, len(stmts)):
        stmt = stmts[j]
        if (
            type(stmt) is not Set
            or hints.get(stmt.var.name) != hint
            or stmt.var.dtype != made.var.dtype
        ):
            if leaves(stmt):
                return False
            continue
        between, after = stmts[k + 1 : j], stmts[j + 1 :]
        if any(reads(s, stmt.var) or writes(s, stmt.var) for s in between) or reads(stmt, stmt.var):
            return False
        if any(reads(s, made.var) for s in after) or not hint.startswith("v_"):
            return False
        stmts[k] = Set(stmt.var, made.value)
        replaced(stmts[k + 1 :], made.var, stmt.var)
        return True
    return False


def bound_again(stmts: list[Stmt], k: int, hints: dict[str, str]) -> None:
    """A name whose old value nobody reads after its new one was computed."""
    made = stmts[k]
    assert isinstance(made, Let)
    hint = hints.get(made.var.name, "")
    if not hint.startswith("v_"):
        return
    for j in range(k - 1, -1, -1):
        old = stmts[j]
        if not isinstance(old, (Let, Begin)) or hints.get(old.var.name) != hint:
            continue
        if old.var.dtype != made.var.dtype or any(reads(s, old.var) for s in stmts[k + 1 :]):
            return
        if any(writes(s, old.var) for s in stmts[k:]):
            return
        if isinstance(old.value, (Lit, Var)) and not any(
            reads(s, old.var) for s in stmts[j + 1 : k]
        ):
            return
        stmts[j] = Begin(old.var, old.value)
        stmts[k] = Set(old.var, made.value)
        replaced(stmts[k + 1 :], made.var, old.var)
        return


def with_known_starts(stmts: list[Stmt]) -> None:
    """Names for integers that a variable is known to have, written as these: a list begins where its memory does."""
    known: dict[str, Affine] = {}
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Set) and stmt.var.dtype == "i8" and not affine(stmt.value).terms:
            known[stmt.var.name] = affine(stmt.value)
            continue
        if (
            isinstance(stmt, Let)
            and isinstance(found := sole(stmt.value), Var)
            and found.name in known
        ):
            replaced(stmts[k + 1 :], stmt.var, known[found.name])
            continue
        for s in walk([stmt]):
            if isinstance(s, (Set, Accumulate, For)):
                known.pop(s.var.name, None)


def sole(e: object) -> object:
    """The variable that an integer is, if it is one."""
    if isinstance(e, Affine) and len(e.terms) == 1 and not e.const and e.terms[0][1] == 1:
        return e.terms[0][0]
    return e
