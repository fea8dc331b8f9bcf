"""The two sides of a page: the program's functions and the derivative's, statement by statement.

Which statements belong together is what the compiler knows: see `retrograd.compiler.emit.line_origins`.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import linecache
import re
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.runtime.errors import CompileError

from ..specialise.expected_arguments import written
from ..specialise.name_origins import importable_home
from ..transformed_function import unwrap

__all__ = ["Side", "Sides", "Statement", "only_primal", "sides"]


@dataclasses.dataclass(frozen=True)
class Statement:
    """A statement of either side: its lines, and the keys of its counterparts on the other.

    ``role``: of the derivative's "primal", "again" (computed a second time) or "adjoint".
    """

    key: str
    first: int
    last: int
    to: tuple[str, ...] = ()
    role: str = "primal"


@dataclasses.dataclass(frozen=True)
class Side:
    """A function as it stands in its file or in the text of the derivative."""

    name: str
    file: str
    first: int
    text: str
    doc: str
    statements: list[Statement]


@dataclasses.dataclass(frozen=True)
class Sides:
    """``text`` is the whole module of the derivative, ``prologue`` what stands above its functions."""

    primal: list[Side]
    derivative: list[Side]
    text: str = ""
    prologue: str = ""
    helpers: dict[str, str] = dataclasses.field(default_factory=dict)
    names: tuple[str, ...] = ()  # of the functions that are asked for


def sides(asked: Any, types: dict[str, Any]) -> Sides:
    """Both sides of a derivative for arguments of these types."""
    from retrograd.compiler.emit.line_origins import placed_statements, places

    made = written_text(asked, types)
    tree = ast.parse(made.text)
    placed = placed_statements(tree, made.definitions)
    sources = list(made.program.sources.values())
    primal = [own_text(source, k) for k, source in enumerate(sources)]
    lines = {
        (source, line): s.key
        for source, side in zip(sources, primal, strict=True)
        for s in side.statements
        for line in range(s.first, s.last + 1)
    }

    def keys(origin: Any) -> tuple[str, ...]:
        found = (lines.get(place) for place in places(origin, sources))
        return tuple(dict.fromkeys(key for key in found if key is not None))

    emitted = list(derived(tree, made.text, placed, keys))
    back = backwards(emitted)
    primal = [
        dataclasses.replace(
            side,
            statements=[dataclasses.replace(s, to=back.get(s.key, ())) for s in side.statements],
        )
        for side in primal
    ]
    emitted.sort(key=lambda side: side.name not in made.names)  # the one that is asked for first
    first = min(side.first for side in emitted)
    prologue = "\n".join(made.text.splitlines()[: first - 1]).strip("\n")
    return Sides(primal, emitted, made.text, prologue, helpers_in(made.text), tuple(made.names))


def written_text(asked: Any, types: dict[str, Any]) -> Any:
    """The module of a derivative as `source` shows it."""
    home = functools.partial(importable_home, asked.fn)
    return asked.as_known(types, lambda known: written(asked, known, unwrap, home=home))


def backwards(emitted: list[Side]) -> dict[str, tuple[str, ...]]:
    """For each statement of the program those of the derivative that come from it."""
    found: dict[str, list[str]] = {}
    for side in emitted:
        for statement in side.statements:
            for key in statement.to:
                found.setdefault(key, []).append(statement.key)
    return {key: tuple(keys) for key, keys in found.items()}


# -- the program ------------------------------------------------------------------------------


def only_primal(fn: Any, error: CompileError | None) -> Sides:
    """The program alone, where there is no derivative; with the function that is refused."""
    from retrograd.compiler.frontend.source import source_of

    own = own_text(source_of(fn), 0)
    place = error.place if error is not None else None
    if place is None or any(
        s.first <= place.line <= s.last for s in own.statements if own.file == place.file
    ):
        return Sides([own], [])
    other = around(place)
    return Sides([own, other] if other else [own], [])


def around(place: Any) -> Side | None:
    """The function around a place in another file."""
    lines = linecache.getlines(place.file)
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return None
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.lineno <= place.line <= (node.end_lineno or 0)
    ]
    if not found:
        return None
    node = max(found, key=lambda n: n.lineno)
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    text = "".join(lines[first - 1 : node.end_lineno])
    return Side(
        node.name,
        place.file,
        first,
        text,
        ast.get_docstring(node) or "",
        statements_of(text, first, "q"),
    )


def own_text(source: Any, k: int) -> Side:
    """A function of the program."""
    text = source.text.rstrip("\n")
    doc = doc_in(text) if source.node is None else ""
    return Side(
        source.name,
        source.file,
        source.first,
        text,
        doc,
        statements_of(text, source.first, f"p{k}"),
    )


def doc_in(text: str) -> str:
    tree = parsed(text)
    found = (
        next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)), None) if tree else None
    )
    return (ast.get_docstring(found) or "") if found is not None else ""


def parsed(text: str) -> ast.Module | None:
    indented = text[:1] in (" ", "\t")
    try:
        return ast.parse(f"if 1:\n{text}" if indented else text)
    except SyntaxError:  # a lambda inside something
        return None


def statements_of(text: str, first: int, name: str) -> list[Statement]:
    """The statements of a text whose first line has this number in its file; of what does not parse, each line."""
    tree = parsed(text)
    count = text.count("\n") + 1
    if tree is None:
        return [Statement(f"{name}-{n}", n, n) for n in range(first, first + count)]
    indented = text[:1] in (" ", "\t")
    lines = ["if 1:"] * indented + text.splitlines()
    shift = first - 1 - indented
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not (indented and node.lineno == 1):
            start, end = node.lineno, end_of_head(node, lines)
            start = min([start, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            found[start] = Statement(f"{name}-{start + shift}", start + shift, end + shift)
    return [found[start] for start in sorted(found)]


def end_of_head(node: Any, lines: list[str]) -> int:
    """The last line of a statement, of one with a block that of its head."""
    body = getattr(node, "body", None)
    if not isinstance(body, list) or not body:
        return int(node.end_lineno)
    end = min([body[0].lineno, *(d.lineno for d in getattr(body[0], "decorator_list", ()))]) - 1
    while end > node.lineno and (not lines[end - 1].strip() or lines[end - 1].lstrip()[0] == "#"):
        end -= 1
    return int(max(node.lineno, end))


# -- the derivative ---------------------------------------------------------------------------


def derived(
    tree: ast.Module, text: str, placed: list[Any], keys: Callable[[Any], tuple[str, ...]]
) -> Iterator[Side]:
    """The functions of the derivative's text."""
    lines = text.splitlines()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        own = [Statement(f"d-{first}", first, node.lineno)]
        own += [emitted(p, keys) for p in placed if p.function == node.name]
        body = "\n".join(lines[first - 1 : node.end_lineno])
        yield Side(node.name, "", first, body, ast.get_docstring(node) or "", own)


def emitted(placed: Any, keys: Callable[[Any], tuple[str, ...]]) -> Statement:
    origin = placed.origin
    key = f"d-{placed.first}"
    if origin is None:
        return Statement(key, placed.first, placed.last)
    role = "again" if origin.again else "adjoint" if origin.made else "primal"
    return Statement(key, placed.first, placed.last, keys(origin), role)


HELPER = re.compile(r"\brt\.(\w+)")


def helpers_in(text: str) -> dict[str, str]:
    """The helpers that a text names, with what they do."""
    from retrograd import runtime

    found = {}
    for name in sorted(set(HELPER.findall(text))):
        found[name] = inspect.getdoc(getattr(runtime, name, None)) or ""
    return found
