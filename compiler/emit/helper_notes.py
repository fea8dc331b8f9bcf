"""What each helper does that a text names: one comment, above the statement that names it first."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache

import numpy as np

from retrograd import runtime
from retrograd.runtime.objects.own_attributes import own_attribute

__all__ = ["explain_helpers", "note"]

WIDTH = 76  # of a comment, whose statement may be indented
MOST = 2  # lines


def explain_helpers(definitions: list[ast.FunctionDef]) -> None:
    """Give the statements of a text their comments, in place."""
    told: set[str] = set()
    for definition in definitions:
        for statement in statements(definition.body):
            lines = [line for name in named(statement) if name not in told for line in note(name)]
            told.update(named(statement))
            if lines:
                statement.notes = lines  # type: ignore[attr-defined]


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement, with those inside it after it."""
    for statement in body:
        yield statement
        for field in ("body", "orelse", "finalbody"):
            yield from statements(getattr(statement, field, []))
        for handler in getattr(statement, "handlers", []):
            yield from statements(handler.body)


def named(statement: ast.stmt) -> list[str]:
    """The helpers that a statement itself names, in order."""
    own = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    found = (node for part in own for node in ast.walk(part))
    names = [
        node.attr
        for node in found
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "rt"
    ]
    return list(dict.fromkeys(names))


@cache
def note(name: str) -> tuple[str, ...]:
    """``rt.phi(x): the lower triangle with half of the diagonal``, on at most two lines.

    Nothing is said of what NumPy has by the same name (``rt.zeros_like``).

    >>> note("phi")
    ('rt.phi(x): the lower triangle with half of the diagonal',)
    """
    helper = getattr(runtime, name, None)
    told = inspect.cleandoc(own_attribute(helper, "__doc__") or "").partition("\n\n")[0]
    if not told or hasattr(np, name):
        return ()
    sentence = re.sub(r"``?", "", re.split(r"(?<=[.;])\s", " ".join(told.split()))[0]).rstrip(".;")
    text = f"rt.{name}({parameters(helper)}): {sentence[:1].lower()}{sentence[1:]}"
    return tuple(textwrap.wrap(text, WIDTH)[:MOST])


def parameters(helper: object) -> str:
    """The names of the arguments without a default."""
    try:
        known = inspect.signature(helper).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "..."
    stars: dict[object, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    return ", ".join(
        stars.get(p.kind, "") + p.name for p in known if p.default is inspect.Parameter.empty
    )
