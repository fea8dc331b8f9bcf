"""From what was read to what is printed: what nobody needs goes, and everything is declared where it is first used."""

from __future__ import annotations

import re

from ..loop_ir.ir import (
    Accumulate,
    Alloc,
    Bail,
    Break,
    Buffer,
    Comment,
    Continue,
    For,
    Get,
    If,
    Let,
    Set,
    Stmt,
    Store,
    Var,
    While,
    blocks_of,
    walk,
)
from ..loop_ir.storage import find_homes
from ..passes.memory.single_assignment import overwritten
from .in_place import kept_in_place
from .known_loops import with_known_numbers, without_single_loops
from .layout import Layout, home_of
from .short_forms import asked_once, in_fewer_words, to_the_end
from .unread import buffers_of, names_read, without_unread
from .versions import Begin, in_one_variable, sole, with_known_starts
from .zeros import ZERO, zeros

__all__ = ["declared", "simplified"]


def simplified(body: list[Stmt], hints: dict[str, str]) -> None:
    """What is not read goes, and values take the place of those they follow."""
    with_known_starts(body)
    asked_once(body)
    to_the_end(body, {})
    without_single_loops(body)
    with_known_numbers(body)
    overwritten(body)
    without_unread(body)
    kept_in_place(body, hints)
    in_one_variable(body, hints)
    in_fewer_words(body, hints)
    without_idle(body)
    overwritten(body)
    without_unread(body)


def without_idle(stmts: list[Stmt]) -> None:
    """Take out what gives a variable its own value."""
    stmts[:] = [s for s in stmts if not (isinstance(s, Set) and sole(s.value) == s.var)]
    for stmt in stmts:
        for block in blocks_of(stmt):
            without_idle(block)


def declared(body: list[Stmt], layout: Layout) -> None:
    """Every variable and array on the stack begins where it is first used."""
    homes: dict[str, tuple[str, list[Stmt]]] = {}
    find_homes(body, body, set(), homes)
    begun = {s.var.name for s in walk(body) if isinstance(s, Begin)}
    kinds = {s.var.name: s.var for s in walk(body) if isinstance(s, (Set, Accumulate))}
    for name, (_, home) in sorted(homes.items()):
        if name not in begun:
            begin(home, kinds[name])
    for buffer in {id(b): b for s in walk(body) for b in buffers_of(s)}.values():
        if id(buffer) in layout.stack:
            move_home(body, buffer)
    without_needless_comments(body)


def begin(home: list[Stmt], var: Var) -> None:
    for k, stmt in enumerate(home):
        if not mentions(stmt, var):
            continue
        if type(stmt) is Set and stmt.var == var and var.name not in names_read(stmt):
            home[k] = Begin(var, stmt.value)
        else:
            while k and isinstance(home[k - 1], Comment):
                k -= 1
            home.insert(k, Begin(var, ZERO[var.dtype]))
        return


def mentions(stmt: Stmt, var: Var) -> bool:
    return any(
        var.name in names_read(s) or (isinstance(s, (Set, Accumulate)) and s.var == var)
        for s in walk([stmt])
    )


def move_home(body: list[Stmt], buffer: Buffer) -> None:
    """The declaration of an array, in front of its first use in the block that has all of them."""
    home = home_of(body, buffer)
    if any(isinstance(s, Alloc) and s.buffer is buffer for s in home):
        return
    for block in every_block(body):
        for k, s in enumerate(block):
            if isinstance(s, Alloc) and s.buffer is buffer:
                block[k : k + 1] = zeros(buffer) if s.zero else []
                break
    first = next(k for k, s in enumerate(home) if any(buffer in buffers_of(t) for t in walk([s])))
    home.insert(first, Alloc(buffer))


def every_block(stmts: list[Stmt]) -> list[list[Stmt]]:
    found = [stmts]
    for stmt in stmts:
        for block in blocks_of(stmt):
            found += every_block(block)
    return found


# -- comments -----------------------------------------------------------------------------


def without_needless_comments(stmts: list[Stmt]) -> None:
    """A statement is quoted where the C does not say the same in as many words."""
    for stmt in stmts:
        for block in blocks_of(stmt):
            without_needless_comments(block)
    kept: list[Stmt] = []
    for k, stmt in enumerate(stmts):
        if isinstance(stmt, Comment):
            if not (lines := worth(stmt, following(stmts, k + 1))):
                continue
            if kept and isinstance(kept[-1], Comment):
                kept[-1] = Comment((*kept[-1].lines, *lines))
                continue
            stmt = Comment(lines)
        kept.append(stmt)
    while kept and isinstance(kept[-1], Comment):
        kept.pop()
    stmts[:] = kept


def following(stmts: list[Stmt], k: int) -> list[Stmt]:
    """The statements up to the next comment."""
    end = next((j for j in range(k, len(stmts)) if isinstance(stmts[j], Comment)), len(stmts))
    return stmts[k:end]


SCALAR = (Let, Set, Accumulate, Bail, Break, Continue)
HEAD = re.compile(
    r"(if|while|else|elif)\b.*:$|for .* in (range|reversed|zip\( ?reversed)\(.*:$|\w+ = \[\]$|return [\w, ()]*$|continue$|break$"
)


def worth(comment: Comment, stmts: list[Stmt]) -> tuple[str, ...]:
    """The lines of a comment that say more than the C below it."""
    marks = tuple(line for line in comment.lines if line.lstrip().startswith("#"))
    rest = comment.lines[len(marks) :]
    said = " ".join(re.sub(r"\s*#.*", "", line).strip() for line in rest)
    whole = stmts[0] if stmts else None
    plain = bool(stmts) and all(isinstance(s, SCALAR) or to_result(s) for s in stmts)
    if plain or HEAD.match(said) or (isinstance(whole, (While, If)) and not isinstance(whole, For)):
        return marks
    return comment.lines


def to_result(stmt: Stmt) -> bool:
    """A number that is given back."""
    return isinstance(stmt, Store) and not stmt.index and not isinstance(stmt.value, Get)
