"""The lines of an emitted text with the lines of the program that they come from."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from retrograd.runtime.records import dataclass, replace

from .rebuild.statement_origins import Origin

__all__ = ["Origin", "Placed", "placed_statements", "places"]


@dataclass(frozen=True)
class Placed:
    """A statement of a text: its node there, the function that it stands in, its origin.

    ``last`` is the last line of its own: of a compound statement, of its head.
    """

    node: ast.stmt
    function: str
    first: int
    last: int
    origin: Origin | None


def placed_statements(tree: ast.Module, definitions: Sequence[ast.FunctionDef]) -> list[Placed]:
    """The statements of the parsed text in order; ``definitions`` are the trees that it was written from."""
    made = {d.name: d for d in definitions}
    found: list[Placed] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            written = made.get(node.name)
            found += block(node.body, written.body if written else [], node.name, {})
    return found


def places(origin: Origin, sources: Iterable[Any]) -> Iterator[tuple[Any, int]]:
    """The lines of an origin with the functions that they stand in, among the sources of a program.

    A lambda or a constructor that was written in place has lines of another function than the one it was
    written into; a line that could be of several is left out.
    """
    known = list(sources)
    own = [s for s in known if (s.file, s.name) == (origin.file, origin.function)]
    beside = [s for s in known if s.file == origin.file]
    for line in origin.lines:
        for among in (own, beside, known):
            found = [s for s in among if s.first <= line < s.first + len(s.lines)]
            if len(found) == 1:
                yield found[0], line
            if found:
                break


def block(
    parsed: Sequence[Any],
    written: Sequence[Any],
    name: str,
    known: dict[str, Origin],
    around: Origin | None = None,
) -> Iterator[Placed]:
    """``known``: the origin of the last statement that bound a name; ``around``: of the one that this is a part of."""
    alike = len(parsed) == len(written)
    for k, node in enumerate(parsed):
        twin = written[k] if alike and type(written[k]) is type(node) else None
        origin = getattr(twin, "origin", None) or of_what_it_reads(node, known) or around
        yield Placed(node, name, node.lineno, end_of_head(node), origin)
        for field in ("body", "orelse", "handlers", "finalbody"):
            inner = getattr(node, field, None)
            if isinstance(inner, list):
                yield from block(inner, getattr(twin, field, []), name, known, origin)
        if origin is not None:
            known |= dict.fromkeys(names(node, ast.Store), origin)


def of_what_it_reads(node: ast.stmt, known: dict[str, Origin]) -> Origin | None:
    """The origin of a copy, a return or a write to a tape: that of the values it hands on."""
    if not isinstance(node, (ast.Assign, ast.Expr, ast.Return)):
        return None
    read = [known[name] for name in names(node, ast.Load) if name in known]
    if not read:
        return None
    lines = dict.fromkeys(line for origin in read for line in origin.lines)
    return replace(read[-1], lines=tuple(lines), again=False)


def names(node: ast.stmt, context: type) -> list[str]:
    """The names that a statement binds or reads, not those of its inner statements."""
    parts = [node]
    if hasattr(node, "body"):
        parts = [getattr(node, part) for part in ("target", "iter", "test") if hasattr(node, part)]
    inside = (n for part in parts for n in ast.walk(part))
    return [n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, context)]


def end_of_head(node: Any) -> int:
    body = getattr(node, "body", None)
    if not body or not isinstance(body, list):
        return int(node.end_lineno)
    heads = [getattr(node, part, None) for part in ("test", "iter")]
    return int(max([node.lineno, *(h.end_lineno for h in heads if h is not None)]))
