"""A text in which expressions are replaced: the statements around them are laid out anew, all others stay."""

from __future__ import annotations

import ast
import copy
import io
import itertools
import tokenize
from typing import Any

from retrograd.compiler.emit.helper_notes import note
from retrograd.compiler.emit.printer.printer import write

__all__ = ["is_rt", "outermost", "replaced", "with_names"]

HEADED = (ast.If, ast.For, ast.While, ast.With, ast.FunctionDef, ast.Try)


def outermost(tree: ast.AST) -> list[Any]:
    """The expressions that call or name helpers, none inside another."""
    found: list[Any] = []

    def visit(node: Any) -> None:
        if is_rt(node.func if isinstance(node, ast.Call) else node):
            found.append(node)
            return
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def is_rt(node: Any) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "rt"
    )


def with_names(node: Any, names: dict[str, str], known: dict[str, Any]) -> Any:
    """An expression of the text with whole names for helpers, and with what is known of their arguments."""
    made = copy.deepcopy(node)
    for call in [n for n in ast.walk(made) if isinstance(n, ast.Call) and is_rt(n.func)]:
        kinds = known.get(ast.unparse(call))
        given = [*call.args, *(k.value for k in call.keywords)]
        for argument, kind in zip(given, kinds or (), strict=False):
            argument.known = kind  # type: ignore[attr-defined]
    return Whole(names).visit(made)


class Whole(ast.NodeTransformer):
    """``rt.name`` as the whole name of its definition."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if is_rt(node):
            return ast.Name(self.names[node.attr], ast.Load())
        self.generic_visit(node)
        return node


def replaced(text: str, nodes: list[Any], made: list[Any], names: list[str]) -> str:
    """The text with expressions in the place of others, and without the comments that explain helpers."""
    tree = ast.parse(text)
    places = {place(n): m for n, m in zip(nodes, made, strict=True)}
    lines: list[str | None] = list(text.splitlines())
    drop_notes(lines, names)
    for statement in statements(tree):
        own = [n for n in outermost_of(statement) if place(n) in places]
        if own:
            lay_out(lines, statement, {id(n): places[place(n)] for n in own})
    return "\n".join(line for line in lines if line is not None) + "\n"


def place(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def statements(tree: Any) -> list[Any]:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.stmt)]
    return sorted(found, key=lambda n: (-n.lineno, -n.col_offset))


def outermost_of(statement: Any) -> list[Any]:
    """Those of a statement itself, not of the statements in it."""
    parts = [
        n
        for n in ast.iter_child_nodes(statement)
        if not isinstance(n, (ast.stmt, ast.ExceptHandler))
    ]
    return [found for part in parts for found in outermost(part)]


def lay_out(lines: list[str | None], statement: Any, made: dict[int, Any]) -> None:
    """Write a statement anew, in place."""
    renaming = all(is_renaming(n, made[id(n)]) for n in outermost_of(statement))
    decorated = isinstance(statement, ast.FunctionDef)
    first = (statement.decorator_list[0].lineno if decorated else statement.lineno) - 1
    last = end_of_head(lines, statement) if isinstance(statement, HEADED) else statement.end_lineno
    if renaming:
        for k in range(first, last):
            lines[k] = renamed(lines[k] or "")
        return
    level = statement.col_offset // 4
    inside = Put(made).visit(copy_of(statement, made))
    nested: Any = inside
    for _ in range(level):
        nested = ast.If(ast.Constant(True), [nested], [])
    written = write(ast.fix_missing_locations(ast.Module([nested], []))).splitlines()[level:]
    if isinstance(statement, HEADED):
        written = written[
            : next(k for k in reversed(range(len(written))) if written[k].strip() == "pass")
        ]
    if (lines[statement.lineno - 1] or "").lstrip().startswith("elif "):
        written[0] = written[0].replace("if ", "elif ", 1)
    lines[first] = "\n".join(written)
    for k in range(first + 1, last):
        lines[k] = None


def copy_of(statement: Any, made: dict[int, Any]) -> Any:
    """The statement, or its head with nothing below it; the expressions in it keep their identity."""
    if not isinstance(statement, HEADED):
        return statement
    head = copy.copy(statement)
    head.body = [ast.Pass()]
    for field in ("orelse", "finalbody", "handlers"):
        if hasattr(head, field):
            setattr(head, field, [])
    return head


class Put(ast.NodeTransformer):
    """Puts expressions in the place of others."""

    def __init__(self, made: dict[int, Any]) -> None:
        self.made = made

    def visit(self, node: Any) -> Any:
        return self.made[id(node)] if id(node) in self.made else super().generic_visit(node)


def end_of_head(lines: list[str | None], statement: Any) -> int:
    end: int = statement.lineno - 1
    parts = [
        n
        for n in ast.iter_child_nodes(statement)
        if hasattr(n, "end_lineno") and not isinstance(n, ast.stmt)
    ]
    end = max([end, *(n.end_lineno - 1 for n in parts if not isinstance(n, ast.ExceptHandler))])
    while not (lines[end] or "").rstrip().endswith(":"):
        end += 1
    return end + 1


def is_renaming(before: Any, after: Any) -> bool:
    """True if the calls are those of the text, with ``rt_`` in the place of ``rt.``."""
    return ast.unparse(before).replace("rt.", "rt_") == ast.unparse(after)


def renamed(line: str) -> str:
    """``rt.name`` as ``rt_name`` in code, not in texts and comments."""
    tokens = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(line).readline):
            tokens.append(token)
    except (tokenize.TokenError, IndentationError):
        pass
    for a, dot in itertools.pairwise(tokens):
        if (a.type, a.string, dot.string) == (tokenize.NAME, "rt", "."):
            line = f"{line[: dot.start[1]]}_{line[dot.end[1] :]}"
    return line


def drop_notes(lines: list[str | None], names: list[str]) -> None:
    """Take out what is said of a helper where it first stands: its definition says it."""
    for name in names:
        told = [f"# {line}" for line in note(name)]
        for k in range(len(lines) - len(told) + 1) if told else ():
            if [(line or "").strip() for line in lines[k : k + len(told)]] == told:
                lines[k : k + len(told)] = [None] * len(told)
