"""What a written text was made from: the functions and constants that the compiler read, each with a short digest.

A digest does not change with comments, docstrings or the layout of a function, nor with where it stands.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from retrograd.compiler.frontend.source import source_of, unindented
from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import SourceUnavailable
from retrograd.runtime.objects.own_attributes import home_of, own_attribute

from .fingerprint import digest

__all__ = ["Record", "meaning", "record_of"]

LETTERS = 8
LIBRARIES = ("retrograd", "numpy", "scipy", "builtins")
VALUES = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset)


class Record(NamedTuple):
    """Digests by name: of the function and of those that it calls, and of the constants that they read."""

    functions: dict[str, str]
    constants: dict[str, str]

    def joined(self, other: Record) -> Record:
        """That of two texts in one file."""
        return Record(self.functions | other.functions, self.constants | other.constants)

    def text(self, root: str = "") -> str:
        """As a header has it: of the function ``root`` without the name.

        >>> Record({"loss": "1f0c", "squash": "aa32"}, {"SCALE": "09be"}).text("loss")
        '1f0c, squash aa32; SCALE 09be'
        """
        functions = [d if n == root else f"{n} {d}" for n, d in self.functions.items()]
        constants = [f"{name} {digest}" for name, digest in self.constants.items()]
        return "; ".join(", ".join(part) for part in (functions, constants) if part)


def record_of(program: Any) -> Record:
    """What a program was read from; the function itself comes first."""
    made = Record({}, {})
    for k, function in enumerate(program.functions):
        if k == 0 or home_of(function).partition(".")[0] not in LIBRARIES:
            enter(made.functions, name_of(function), function_digest(function))
    for reading in program.readings.values():
        name = constant_name(reading)
        if name:
            for short in digests(reading.value):
                enter(made.constants, name, short)
    return made


def enter(found: dict[str, str], name: str, short: str) -> None:
    """The first of a name has it; of others it holds the digest, too."""
    if name not in found:
        found[name] = short
    elif found[name] != short:
        found[name] = shortened(found[name] + short)


def name_of(function: Any) -> str:
    return str(function.__qualname__).rpartition("<locals>.")[2].replace("<lambda>", "lambda")


def function_digest(function: Any) -> str:
    try:
        return shortened(meaning(source_of(function).text))
    except SourceUnavailable:
        return shortened(name_of(function))


def meaning(text: str) -> str:
    """The text of a function without comments, docstring and layout.

    >>> print(meaning('def f(x):  # a comment\\n    "Twice."\\n    return (2 *\\n        x)'))
    def f(x):
        return 2 * x
    """
    try:
        tree = ast.parse(unindented(text))
    except SyntaxError:  # a lambda in the middle of a statement
        return " ".join(text.split())
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, False):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def constant_name(reading: Any) -> str:
    """How the program spells a constant that it reads; empty for what is none."""
    value, name = reading.value, reading.name
    if not isinstance(name, str) or name.startswith("__"):
        return ""
    if not (isinstance(value, VALUES) or is_ndarray(value)):
        return ""
    if reading.how in ("global", "cell"):
        return name
    if reading.how not in ("attribute", "static"):
        return ""
    owner = reading.owner
    if not isinstance(owner, (type, types.ModuleType)):
        owner = type(owner)
    whose = str(own_attribute(owner, "__name__", "")).rpartition(".")[2]
    library = inspect.ismodule(owner) and whose in LIBRARIES
    return f"{whose}.{name}" if whose and not library else ""


def digests(value: Any) -> Iterator[str]:
    """The digest of a value: none of what may change in ways that nobody sees."""
    try:
        yield shortened(digest(value))
    except (KeyError, SourceUnavailable, AttributeError):
        return


def shortened(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:LETTERS]
