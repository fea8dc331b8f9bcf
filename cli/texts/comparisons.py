"""Whether a written file means what would be written now, and what has changed if not.

Layout, comments and the order of imports mean nothing: a formatter may have been there.
"""

from __future__ import annotations

import ast
import difflib
import re
from typing import NamedTuple

__all__ = ["Header", "difference", "header_of", "reasons", "same_meaning"]

SOURCE = re.compile(r"Written by retrograd\s+(\S+)\s+\(source\s+([^)]*)\)")
ROOT = re.compile(r"[Dd]erivative of `(\w+)`")


class Header(NamedTuple):
    """The version that wrote a file, what it was made from, and the command that writes it anew."""

    version: str
    functions: dict[str, str]
    constants: dict[str, str]
    command: str


def header_of(text: str) -> Header | None:
    """What the docstring of a written file says; None of other files."""
    try:
        doc = (ast.get_docstring(ast.parse(text)) or "").strip()
    except SyntaxError:
        return None
    found = SOURCE.search(doc)
    _, mark, command = doc.rpartition("\n    retrograd ")
    if found is None or not mark:
        return None
    root = ROOT.search(doc)
    functions, _, constants = found[2].partition(";")
    command = " ".join(["retrograd", *command.split()])
    return Header(
        found[1], digests(functions, root[1] if root else ""), digests(constants, ""), command
    )


def digests(text: str, root: str) -> dict[str, str]:
    """
    >>> digests("1f0c, squash aa32", "loss")
    {'loss': '1f0c', 'squash': 'aa32'}
    """
    made = {}
    for part in filter(str.strip, text.split(",")):
        *name, digest = part.split()
        made[" ".join(name) or root] = digest
    return made


def same_meaning(old: str, new: str) -> bool:
    """True if two modules have the same statements, the docstring aside."""
    return old == new or meaning(old) == meaning(new)


def meaning(text: str) -> list[str]:
    """The imports, one by one and in an order of their own, then the other statements."""
    body = ast.parse(text).body[1:]
    imports = [n for n in body if isinstance(n, (ast.Import, ast.ImportFrom))]
    names = {
        (getattr(node, "module", None) or "", alias.name, alias.asname or "")
        for node in imports
        for alias in node.names
    }
    return [*map(str, sorted(names)), *(ast.dump(n) for n in body if n not in imports)]


FIRST = "0.1.0"  # whose digests were of other things


def reasons(old: Header, new: Header) -> list[str]:
    """What is behind a difference, as far as the two headers tell."""
    root, found = next(iter(new.functions)), []
    if old.version == new.version or old.version != FIRST:
        for name in differing(old.functions, new.functions):
            said = "the function `{}`" if name == root else "`{}`, which it calls,"
            found.append(f"{said.format(name)} changed")
        constants = differing(old.constants, new.constants)
        found += [f"the constant `{name}` changed" for name in constants]
    if old.version != new.version:
        found.append(f"it was written by retrograd {old.version}, this is {new.version}")
    if not found and old.command != new.command:
        found.append("it is asked for in other words")
    return found or ["it was edited by hand"]


def differing(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """The names whose digests are not what they were."""
    return [name for name in {**new, **old} if old.get(name) != new.get(name)]


def difference(name: str, old: str, new: str) -> str:
    """A unified diff: what would change in the file."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), name, f"{name} (anew)"
    )
    return "".join(lines)
