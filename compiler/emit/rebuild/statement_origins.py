"""The origin of every emitted statement: the lines of the program that it computes, or is the derivative of.

The compiler's own positions say it, not the comments of the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.records import dataclass, replace

from ...ir.operations import Op, Value, operands_of, values_in

__all__ = ["Origin", "of_return", "originated"]


@dataclass(frozen=True)
class Origin:
    """``lines`` of a file, that of the statement's own operation first.

    ``made``: written for the derivative; ``again``: computed a second time, in place of being kept.
    """

    file: str
    function: str
    lines: tuple[int, ...]
    made: bool = False
    again: bool = False


def originated(statements: list[ast.stmt], op: Op, source: Any, nesting: Any) -> list[ast.stmt]:
    """The statements of an operation, with their origin on those that have none yet."""
    origin = None
    for statement in statements:
        if not hasattr(statement, "origin"):
            origin = origin or origin_of(op, source, nesting)
            statement.origin = origin  # type: ignore[attr-defined]
    return statements


def of_return(statement: ast.stmt, finals: list[Any], source: Any, nesting: Any) -> ast.stmt:
    """A ``return``, with the origin of what is computed in it; one that hands on names has that of those."""
    values = [v for v in values_in(finals) if written_inside(v, nesting) and v in nesting.ops]
    found = [origin_of(nesting.ops[v], source, nesting) for v in values]
    if found:
        lines = dict.fromkeys(line for origin in found for line in origin.lines)
        statement.origin = replace(found[0], lines=tuple(lines))  # type: ignore[attr-defined]
    return statement


def origin_of(op: Op, source: Any, nesting: Any) -> Origin:
    lines = dict.fromkeys(lines_of(op, nesting))
    made = bool(op.results) and all(r.made for r in op.results)
    backwards = bool(getattr(op, "backwards", False))
    again = any(r.again for r in op.results)
    file, name = (source.file, source.name) if source is not None else ("", "")
    return Origin(file, name, tuple(lines), made or backwards, again)


def lines_of(op: Op, nesting: Any) -> Iterator[int]:
    """The lines of an operation, and of those that are written inside its statement."""
    if op.loc is not None:
        yield op.loc.line
    elif op.results and op.results[0].loc is not None:
        yield op.results[0].loc.line
    for operand in operands_of(op):
        for value in values_in(operand):
            inner = nesting.ops.get(value) if written_inside(value, nesting) else None
            if inner is not None and inner is not op:
                yield from lines_of(inner, nesting)


def written_inside(value: Any, nesting: Any) -> bool:
    return isinstance(value, Value) and value in nesting.nested
