"""Several derivatives as one module: what they import and the helpers they call stand there once.

A name that two of them give to different things is another name in the second.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["Piece", "joined"]

WIDTH = 88
FILE = re.compile(r"` in ([^,:]*)[,:]")


class Piece(NamedTuple):
    """The text of a derivative as a module, the name of its function, and what it was made from.

    ``known`` is what is known of the arguments of helpers.
    """

    text: str
    name: str
    record: Any
    known: dict[str, Any]


class Binding(NamedTuple):
    """What a module binds to a name: an import from somewhere, or the text of a statement."""

    name: str
    kind: str  # import, value or function
    text: str


def alike(a: Binding, b: Binding) -> bool:
    """True if two bindings are one, whatever their comments say."""
    return a.kind == b.kind and ast.dump(ast.parse(a.text)) == ast.dump(ast.parse(b.text))


@dataclass
class Module:
    """The bindings so far, by name."""

    found: dict[str, Binding] = field(default_factory=dict)

    def enter(self, piece: Piece) -> None:
        """Take a piece's bindings in, under other names where theirs mean something else."""
        bindings = list(bindings_of(piece.text))
        words = {t.string for t in tokens(piece.text)} | set(self.found)
        renamed: dict[str, str] = {}
        for binding in bindings:
            text = with_names(binding.text, renamed)
            known = self.found.get(binding.name)
            if known is not None and not alike(known, binding._replace(text=text)):
                fresh = unused(binding.name, words)
                words.add(fresh)
                renamed[binding.name] = fresh
                text = bound_to(binding._replace(text=text), fresh)
            name = renamed.get(binding.name, binding.name)
            self.found.setdefault(name, Binding(name, binding.kind, text))

    def texts(self, kind: str) -> list[str]:
        return [binding.text for binding in self.found.values() if binding.kind == kind]


def joined(pieces: list[Piece], version: str, source: str, command: str) -> str:
    """One text of several; ``source`` says what they were made from, ``command`` writes it anew."""
    module = Module()
    for piece in pieces:
        module.enter(piece)
    parts = [header(pieces, version, source, command), "\n".join(imports(module.texts("import")))]
    values = "\n".join(module.texts("value"))
    parts += [values] if values else []
    definitions = "\n\n\n".join(told_once(module.texts("function")))
    return "\n\n".join(parts) + f"\n\n\n{definitions}\n"


NOTE = re.compile(r"\s*# rt\.(\w+)\(")


def told_once(texts: list[str]) -> Iterator[str]:
    """The texts, a helper being explained in the first that names it only."""
    from retrograd.compiler.emit.helper_notes import note

    told: set[str] = set()
    for text in texts:
        kept: list[str] = []
        left = 0  # lines of a comment
        for line in text.split("\n"):
            found = NOTE.match(line)
            if found is not None:
                left = len(note(found[1])) if found[1] in told else 0
                told.add(found[1])
            if left == 0:
                kept.append(line)
            left = max(left - 1, 0)
        yield "\n".join(kept)


# -- the header -------------------------------------------------------------------------


def header(pieces: list[Piece], version: str, source: str, command: str) -> str:
    entries: list[str] = []
    notes: dict[str, None] = {}
    files: dict[str, None] = {}
    for piece in pieces:
        first, *others = paragraphs(piece.text)
        files |= dict.fromkeys(FILE.findall(first))
        about = first[0].lower() + first[1:]
        entries += textwrap.wrap(
            f"* `{piece.name}`: {about}", WIDTH, subsequent_indent="  ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        notes |= dict.fromkeys(others)
    written = f"Written by retrograd {version} (source {source}). Change the functions, not this file, then"
    parts = [
        f"Derivatives of functions in {', '.join(files)}.",
        "\n".join(entries),
        *map(wrapped, notes),
    ]
    parts.append(f"{wrapped(written)}\n    {command}")
    body = "\n\n".join(parts).replace("\\", "\\\\").replace('"""', '\\"""')
    return f'"""{body}\n"""'


def wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def paragraphs(text: str) -> list[str]:
    """Those of the docstring, each as one line, but for the last, which says how to write it anew."""
    found = (ast.get_docstring(ast.parse(text)) or "").strip().split("\n\n")
    return [" ".join(part.split()) for part in found[:-1]]


# -- the parts of a text ----------------------------------------------------------------


def bindings_of(text: str) -> Iterator[Binding]:
    """What the statements below the docstring bind, in order."""
    lines = text.split("\n")
    end = 0
    for node in ast.parse(text).body:
        start = first_line(node) - 1
        while start > end and lines[start - 1].startswith("#"):
            start -= 1
        inner = "\n".join(lines[start : node.end_lineno])
        end = node.end_lineno or 0
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from imported(node)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield Binding(node.name, "function", inner)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield Binding(node.targets[0].id, "value", inner)


def first_line(node: ast.stmt) -> int:
    above: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in above)])


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[Binding]:
    for alias in node.names:
        what = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
        where = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
        yield Binding(alias.asname or alias.name, "import", f"{where}import {what}")


def imports(lines: list[str]) -> list[str]:
    """Imports of Python, of NumPy, of retrograd and of the program, those from one module in one line."""
    whole = [line for line in lines if line.startswith("import ")]
    taken: dict[str, list[str]] = {}
    for line in lines:
        if line not in whole:
            where, _, what = line.partition(" import ")
            taken.setdefault(where, []).append(what)
    whole += [f"{where} import {', '.join(sorted(what))}" for where, what in taken.items()]
    return sorted(whole, key=rank)


def rank(line: str) -> int:
    root = line.split()[1].partition(".")[0]
    if root in sys.stdlib_module_names:
        return 0
    return {"numpy": 1, "cupy": 1, "retrograd": 2}.get(root, 3)


# -- names ------------------------------------------------------------------------------


def unused(name: str, words: set[str]) -> str:
    k = 2
    while f"{name}_{k}" in words:
        k += 1
    return f"{name}_{k}"


def bound_to(binding: Binding, name: str) -> str:
    """The text of a binding to another name."""
    if binding.kind == "import":
        return f"{binding.text.partition(' as ')[0]} as {name}"
    return with_names(binding.text, {binding.name: name})


def with_names(text: str, renamed: dict[str, str]) -> str:
    """A text with global names replaced: no attributes, no keywords, no variables of a function."""
    wanted = {old: new for old, new in renamed.items() if old not in own_names(text)}
    if not wanted:
        return text
    lines = text.split("\n")
    depth, before = 0, ""
    found = tokens(text)
    for k, token in reversed(list(enumerate(found))):
        before = found[k - 1].string if k else ""
        depth += (token.string in ")]}") - (token.string in "([{") if token.string else 0
        after = found[k + 1].string if k + 1 < len(found) else ""
        is_keyword = after == "=" and depth > 0
        if token.string in wanted and before != "." and not is_keyword:
            row, column = token.start
            line = lines[row - 1]
            end = column + len(token.string)
            lines[row - 1] = f"{line[:column]}{wanted[token.string]}{line[end:]}"
    return "\n".join(lines)


def own_names(text: str) -> set[str]:
    """The variables of a function's text; none of other statements."""
    node = ast.parse(text).body[0]
    if not isinstance(node, ast.FunctionDef):
        return set()
    inner = [n for n in ast.walk(node) if n is not node]
    stored = {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in inner if isinstance(n, ast.arg)}


def tokens(text: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(text).readline))
