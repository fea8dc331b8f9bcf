"""Private names: in the body of a class Python writes ``__k`` as ``_Class__k``, and so is a tree written here."""

from __future__ import annotations

from typing import Any

import gast

from .tree_nodes import children

__all__ = ["mangled", "with_private_names"]

FIELDS = {
    "Name": "id", "Attribute": "attr", "arg": "arg", "ExceptHandler": "name", "MatchAs": "name",
    "MatchStar": "name", "MatchMapping": "rest", "FunctionDef": "name", "ClassDef": "name",
}  # fmt: skip  # keywords of calls stay as they are


def mangled(name: str, cls: str) -> str:
    """A name as Python writes it in the body of a class.

    >>> mangled("__k", "Spring"), mangled("__k", "_Spring"), mangled("__k__", "Spring"), mangled("__k", "_")
    ('_Spring__k', '_Spring__k', '__k__', '__k')
    """
    stem = cls.lstrip("_")
    private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{stem}{name}" if private and stem else name


def with_private_names(tree: Any, cls: str) -> Any:
    """The definition of a function that stands in a class, its private names written out: changed in place."""
    if cls:
        for child in children(tree):  # the function's own name is no name of its body
            write_out(child, cls)
    return tree


def write_out(node: Any, cls: str) -> None:
    inside = node.name if isinstance(node, gast.ClassDef) else cls
    field = FIELDS.get(type(node).__name__)
    name = getattr(node, field) if field else None
    if isinstance(name, str):
        setattr(node, field, mangled(name, cls))  # type: ignore[arg-type]
    if isinstance(node, (gast.Global, gast.Nonlocal)):
        node.names = [mangled(name, cls) for name in node.names]
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        for alias in node.names:
            bound = alias.asname or alias.name
            if mangled(bound, cls) != bound:
                alias.asname = mangled(bound, cls)
    for child in children(node):
        write_out(child, inside)
