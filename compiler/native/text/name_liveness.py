"""Which names a piece of the emitted text assigns, and which it reads before it assigns them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set

__all__ = ["assigned", "exposed", "lives"]


def assigned(stmts: Iterable[ast.stmt]) -> set[str]:
    """Names that are bound somewhere below."""
    return {
        node.id
        for stmt in stmts
        for node in ast.walk(stmt)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def read(node: ast.AST | None) -> set[str]:
    """Names that are read somewhere below; a node is looked at once, however often it is asked about."""
    if node is None:
        return set()
    known: set[str] | None = getattr(node, "names_read", None)
    if known is None:
        below = (n for n in ast.walk(node) if isinstance(n, ast.Name))
        known = {n.id for n in below if isinstance(n.ctx, ast.Load)}
        node.names_read = known  # type: ignore[attr-defined]
    return known


def exposed(
    stmts: list[ast.stmt],
    after: Set[str] = frozenset(),
    left: Set[str] = frozenset(),
) -> set[str]:
    """Names whose value before ``stmts`` is read: in them, or, unless they bind it, ``after``.

    ``left``: the names that are read where ``break`` and ``continue`` in them lead.

    >>> sorted(exposed(ast.parse("y = x + 1; z = y").body, {"z", "w"}))
    ['w', 'x']
    >>> sorted(exposed(ast.parse("if c: break\\ny = 1").body, {"y"}, {"y"}))
    ['c', 'y']
    """
    return lives(stmts, after, left)[0]


def lives(stmts: list[ast.stmt], after: Set[str], left: Set[str] = frozenset()) -> list[set[str]]:
    """The same for each of the statements and all that follow it, and at last ``after``."""
    found = [set(after)]
    for stmt in reversed(stmts):
        found.append(before(stmt, found[-1], left))
    return found[::-1]


def before(stmt: ast.stmt, live: set[str], left: Set[str]) -> set[str]:
    if isinstance(stmt, ast.If):
        sides = (exposed(side, live, left) for side in (stmt.body, stmt.orelse))
        return read(stmt.test).union(*sides)
    if isinstance(stmt, (ast.Break, ast.Continue)):
        return set(left)
    if isinstance(stmt, ast.While):
        return live | read(stmt.test) | exposed(stmt.body, set()) | exposed(stmt.orelse, live, left)
    if isinstance(stmt, ast.For):
        inner = exposed(stmt.body, set()) - assigned_in(stmt.target)
        return live | read(stmt.iter) | read(stmt.target) | inner | exposed(stmt.orelse, live, left)
    if isinstance(stmt, ast.Return):
        return set(read(stmt.value))
    if isinstance(stmt, ast.Assign):
        bound = {t.id for target in stmt.targets for t in flat(target)}
        places = {n for target in stmt.targets for n in read(target)}
        return (live - bound) | read(stmt.value) | places
    if isinstance(stmt, ast.AugAssign):
        own = {stmt.target.id} if isinstance(stmt.target, ast.Name) else read(stmt.target)
        return live | own | read(stmt.value)
    return live | read(stmt)


def flat(target: ast.expr) -> list[ast.Name]:
    """The names a target binds."""
    if isinstance(target, ast.Name):
        return [target]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for item in target.elts for name in flat(item)]
    if isinstance(target, ast.Starred):
        return flat(target.value)
    return []


def assigned_in(target: ast.expr) -> set[str]:
    return {name.id for name in flat(target)}
