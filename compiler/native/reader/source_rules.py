"""The rules for loops that are printed for people: what they quote of the text.

The routines of linear algebra stay calls there, see ``numpy/products`` and ``numpy/linalg``.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import Any

from ..loop_ir.ir import Comment, Var
from ..loop_ir.values import View

__all__ = ["SourceRules"]

COMPOUND = (ast.For, ast.While, ast.If, ast.With)


class SourceRules:
    """``text``: the module that is read."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.apart = comments_apart(text)

    def quote(self, r: Any, stmt: ast.stmt) -> None:
        r.emit(self.quoted(stmt))

    def index_of(self, r: Any, var: Var, name: str) -> None:
        """The index of a loop over a range is what the text calls it."""
        if name.strip("_"):
            r.hints[var.name] = f"v_{name}"

    def reconsider(self, r: Any, stmt: ast.stmt) -> None:
        """A statement that left no loops is worth quoting if it names an array by which others read memory."""
        if (
            not r.block
            or not isinstance(last := r.block[-1], Comment)
            or isinstance(stmt, COMPOUND)
        ):
            return
        targets = [t for t in getattr(stmt, "targets", []) if isinstance(t, ast.Name)]
        if not any(isinstance(r.env.get(t.id), View) for t in targets):
            marks = tuple(line for line in last.lines if line.lstrip()[:1] == "#")
            r.block[-1] = Comment(marks)

    def quoted(self, stmt: ast.stmt) -> Comment:
        """A statement as it stands in the text, of a compound one the head; with the comments before it."""
        last = stmt.body[0].lineno - 1 if isinstance(stmt, COMPOUND) else stmt.end_lineno
        assert last is not None
        first = stmt.lineno
        while first - 1 in self.apart:
            first -= 1
        lines = self.lines[first - 1 : max(last, stmt.lineno)]
        while lines and isinstance(stmt, COMPOUND) and lines[-1].lstrip()[:1] == "#":
            lines.pop()  # of the body's first statement
        margin = min(len(line) - len(line.lstrip()) for line in lines)
        return Comment(tuple(re.sub(r" {2,}#", "  #", line[margin:]).rstrip() for line in lines))


def comments_apart(text: str) -> set[int]:
    """The lines that are a comment and nothing else."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        t.start[0]
        for t in tokens
        if t.type == tokenize.COMMENT and not t.line[: t.start[1]].strip()
    }
