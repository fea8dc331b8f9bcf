"""``x_bar = y_bar = 0.0`` for assignments of one number that follow each other.

>>> def show(text): print(ast.unparse(ast.Module(chained(ast.parse(text).body), [])))
>>> show("a = 0.0; b = 0.0; c = 0; d = x; e = x")
a = b = 0.0
c = 0
d = x
e = x
"""

from __future__ import annotations

import ast

__all__ = ["chained"]

MOST = 64  # columns


def chained(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, and those in them, with such assignments joined."""
    made: list[ast.stmt] = []
    for statement in body:
        for inner in ("body", "orelse", "finalbody"):
            if getattr(statement, inner, None):
                setattr(statement, inner, chained(getattr(statement, inner)))
        last = made[-1] if made else None
        if follows(last, statement):
            assert isinstance(last, ast.Assign)
            assert isinstance(statement, ast.Assign)
            last.targets += statement.targets
        else:
            made.append(statement)
    return made


def follows(last: ast.stmt | None, statement: ast.stmt) -> bool:
    if not is_number(last) or not is_number(statement) or getattr(statement, "comments", None):
        return False
    assert isinstance(last, ast.Assign)
    assert isinstance(statement, ast.Assign)
    width = sum(
        len(t.id) + 3 for t in [*last.targets, *statement.targets] if isinstance(t, ast.Name)
    )
    return ast.dump(last.value) == ast.dump(statement.value) and width < MOST


def is_number(statement: ast.stmt | None) -> bool:
    """True of ``x = 0.0``."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
        return False
    names = all(isinstance(target, ast.Name) for target in statement.targets)
    return names and type(statement.value.value) in (int, float)
