"""Which names a piece of the emitted text assigns, and which it reads before it assigns them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set

__all__ = ["assigned", "exposed", "lives"]

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def assigned(stmts: Iterable[ast.stmt]) -> set[str]:
    """Names that are bound somewhere below; those of a comprehension are its own.

    >>> sorted(assigned(ast.parse("y = [2.0 * j for j in x]; z[k] = w").body))
    ['y']
    """
    return {name.id for stmt in stmts for name in names_in(stmt) if isinstance(name.ctx, ast.Store)}


def names_in(node: ast.AST) -> Iterator[ast.Name]:
    """The names below that a function shares: without those of comprehensions and lambdas inside."""
    if isinstance(node, ast.Name):
        yield node
        return
    own = names_of_scope(node)
    for child in ast.iter_child_nodes(node):
        yield from (name for name in names_in(child) if name.id not in own)
    if isinstance(node, COMPREHENSIONS):  # what is gone over first is read outside
        yield from names_in(node.generators[0].iter)


def names_of_scope(node: ast.AST) -> set[str]:
    """The names that a comprehension or a lambda binds for itself."""
    if isinstance(node, COMPREHENSIONS):
        return {name.id for part in node.generators for name in flat(part.target)}
    if isinstance(node, ast.Lambda):
        return {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    return set()


def read(node: ast.AST | None) -> set[str]:
    """Names that are read somewhere below; a node is looked at once, however often it is asked about.

    >>> sorted(read(ast.parse("[k * j for j in range(n)]"))), read(ast.parse("[x for x in x]"))
    (['k', 'n', 'range'], {'x'})
    """
    if node is None:
        return set()
    known: set[str] | None = getattr(node, "names_read", None)
    if known is None:
        known = {name.id for name in names_in(node) if isinstance(name.ctx, ast.Load)}
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
