"""Mistakes of one place each: a sign, a transpose, a dropped term, an axis, a fact, a condition, a reset."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

__all__ = ["Mutant", "mutants_of"]


class Mutant(NamedTuple):
    """One edit of one file: ``text[start:end]`` becomes ``new``."""

    file: str
    function: str
    line: int
    kind: str
    start: int
    end: int
    old: str
    new: str

    def applied(self, text: str) -> str:
        assert text[self.start : self.end] == self.old
        return text[: self.start] + self.new + text[self.end :]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.kind}: {self.old!r} -> {self.new!r}"


Edit = tuple[ast.AST, str, str]  # what is replaced, by which text, what kind of mistake
FLIPPED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*"}
COMPARED = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.Gt: "<=", ast.LtE: ">", ast.GtE: "<",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
UNDONE = {"swapaxes", "transpose", "moveaxis", "copy", "flip", "H", "hermitian", "conj"}


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """Every mistake there is a place for in a file, in the order of the file."""
    text = (root / file).read_text(encoding="utf-8")
    source, found = Source(text), []
    for function in functions(ast.parse(text)):
        for node in inside(function):
            for edit in (e for make in MAKERS for e in make(node, source)):
                found.append(made(file, function, source, edit))
    return sorted(set(found), key=lambda m: (m.start, m.end, m.new))


class Source:
    """Positions and texts of the nodes of a file."""

    def __init__(self, text: str) -> None:
        self.whole, self.lines = text, text.splitlines(keepends=True)
        self.starts = list(accumulate(map(len, self.lines), initial=0))

    def span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.place(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self.place(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def place(self, line: int, column: int) -> int:
        """Columns of the parser count bytes."""
        before = self.lines[line - 1].encode()[:column].decode()
        return self.starts[line - 1] + len(before)

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.whole[start:end]


def made(file: str, function: ast.FunctionDef, source: Source, edit: Edit) -> Mutant:
    node, new, kind = edit
    start, end = source.span(node)
    line = node.lineno  # type: ignore[attr-defined]
    return Mutant(file, function.name, line, kind, start, end, source.text(node), new)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node


def inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a body that are no text, no assertion, and no function of its own."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.Assert, ast.Raise, ast.JoinedStr)):
            continue
        yield node
        todo += ast.iter_child_nodes(node)


# -- the kinds of mistakes ---------------------------------------------------------------------------


def signs(node: ast.AST, source: Source) -> Iterator[Edit]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if not isinstance(node.operand, ast.Constant):
            yield node, f"(+{source.text(node.operand)})", "sign"
    if isinstance(node, ast.BinOp) and type(node.op) in FLIPPED:
        left, right = source.text(node.left), source.text(node.right)
        kind = "sign" if isinstance(node.op, (ast.Add, ast.Sub)) else "quotient"
        yield node, f"({left} {FLIPPED[type(node.op)]} {right})", kind


def terms(node: ast.AST, source: Source) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        kind = "factor" if isinstance(node.op, ast.Mult) else "term"
        yield node, f"({source.text(node.left)})", f"dropped {kind}"
        if not isinstance(node.op, ast.Sub):
            yield node, f"({source.text(node.right)})", f"dropped {kind}"


def transposes(node: ast.AST, source: Source) -> Iterator[Edit]:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield node, f"({source.text(node.value)})", "transpose"
    if isinstance(node, ast.Call) and node.args:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in UNDONE:
            yield node, f"({source.text(node.args[0])})", f"without {name}"


def numbers(node: ast.AST, source: Source) -> Iterator[Edit]:
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield node, repr(not node.value), "fact"
    elif isinstance(node.value, int):
        yield node, f"({node.value + 1})", "number"
    elif isinstance(node.value, float):
        yield node, repr(node.value * 2 + 1), "number"


def conditions(node: ast.AST, source: Source) -> Iterator[Edit]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        left, right = source.text(node.left), source.text(node.comparators[0])
        yield node, f"({left} {COMPARED[type(node.ops[0])]} {right})", "condition"
    if isinstance(node, ast.BoolOp) and len(node.values) == 2:
        for value in node.values:
            yield node, f"({source.text(value)})", "condition dropped"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"({source.text(node.operand)})", "condition"


def facts(node: ast.AST, source: Source) -> Iterator[Edit]:
    """An entry of a set or a tuple of names that is not there."""
    if isinstance(node, (ast.Set, ast.Tuple)) and len(node.elts) > 1:
        if isinstance(getattr(node, "ctx", None), ast.Store):
            return
        kept = ", ".join(source.text(e) for e in node.elts[1:])
        yield node, f"{{{kept}}}" if isinstance(node, ast.Set) else f"({kept},)", "dropped entry"


def statements(node: ast.AST, source: Source) -> Iterator[Edit]:
    """A step that is left out: a call made for what it does, a reset, an augmented assignment."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, "pass", "dropped step"
    if isinstance(node, ast.AugAssign):
        yield node, f"{source.text(node.target)} = {source.text(node.value)}", "overwritten"


MAKERS: tuple[Callable[[ast.AST, Source], Iterator[Edit]], ...] = (
    signs, terms, transposes, numbers, conditions, facts, statements,
)  # fmt: skip
