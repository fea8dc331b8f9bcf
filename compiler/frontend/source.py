"""The source of a function: its file and line, syntax tree and comments."""

from __future__ import annotations

import ast
import functools
import hashlib
import io
import linecache
import weakref
from collections.abc import Iterator
from typing import Any

from retrograd.runtime.errors import Place, SourceUnavailable
from retrograd.runtime.objects.own_attributes import own_attribute

from .source_freshness import check_unchanged

__all__ = ["Source", "source_of"]


class Source:
    """A function's own text, with file positions: ``tree`` is a gast ``FunctionDef``."""

    def __init__(self, function: Any) -> None:
        self.name = function.__code__.co_name  # not the code: it may go before its source
        self.around = class_around(function.__code__)
        self.file = file_of(function)
        lines, self.first, self.parsed = lines_of(function)
        self.text = "".join(lines)
        here = self.text
        self.node = lambda_node(function) if self.name == "<lambda>" else None
        if self.node is not None:
            self.first, end = self.node.lineno, self.node.end_lineno
            self.text = "".join(linecache.getlines(self.file)[self.first - 1 : end])
            here = f"{self.node.col_offset} {self.text}"  # two lambdas may stand on one line
        whole = "".join(linecache.getlines(self.file, function.__globals__))
        check_unchanged(function, whole, self.node or self.parsed, self.around)
        self.digest = hashlib.sha256(here.encode()).hexdigest()

    @functools.cached_property
    def tree(self) -> Any:
        """Parsed when first asked for: code from the cache never is."""
        if self.node is not None:
            import gast

            return self.as_run(as_definition(gast.ast_to_gast(self.node)))
        module = self.parsed or ast.parse(unindented(self.text))
        self.parsed = None  # it becomes the tree
        return self.as_run(function_in(module, self.text, self.first, self.name))

    def as_run(self, tree: Any) -> Any:
        """The names of a class's body as Python has them."""
        if not self.around or "__" not in self.text:
            return tree
        from .name_mangling import with_private_names  # gast is for texts that are read

        return with_private_names(tree, self.around)

    @property
    def line(self) -> int:
        return int(self.tree.lineno)

    def place(self, node: Any) -> Place:
        """Where ``node`` (a tree node or a Location) stands, for an error message."""
        line = getattr(node, "lineno", None) or getattr(node, "line", None) or self.line
        column = int(getattr(node, "col_offset", getattr(node, "column", 0)) or 0)
        return Place(self.file, line, column, self.line_text(line))

    @functools.cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def line_text(self, line: int) -> str:
        index = line - self.first
        return self.lines[index] if 0 <= index < len(self.lines) else ""

    @functools.cached_property
    def statements(self) -> dict[int, str]:
        """The text of each plain statement on one line, by the file lines that it stands on."""
        if self.node is not None:
            return {self.node.body.lineno: f"return {ast.unparse(self.node.body)}"}
        found: dict[int, str] = {}
        shift = self.first - 1 - (unindented(self.text) != self.text)
        for node in ast.walk(ast.parse(unindented(self.text))):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                written = ast.unparse(node)
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    found.setdefault(line + shift, written)
        return found

    @functools.cached_property
    def comments(self) -> dict[int, str]:
        """Comments by file line; a comment line stands under its own number."""
        if "#" not in self.text:
            return {}
        import tokenize

        found: dict[int, str] = {}
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
                if token.type == tokenize.COMMENT:
                    found[token.start[0] + self.first - 1] = token.string.lstrip("# ").rstrip()
        except (tokenize.TokenError, IndentationError):
            pass
        return found

    def comment_lines_above(self, line: int) -> list[str]:
        """The whole-line comments directly above ``line``, in order."""
        above: list[str] = []
        while line - 1 in self.comments and self.line_text(line - 1).lstrip().startswith("#"):
            line -= 1
            above.insert(0, self.comments[line])
        return above


def class_around(code: Any) -> str:
    """The class in whose body a function stands, however deep in functions of its own; "" if there is none."""
    *outer, _ = code.co_qualname.split(".")
    while outer:
        last: str = outer.pop()
        if last == "<locals>":
            outer.pop()  # the function whose local this is
        elif not last.startswith("<"):  # no comprehension
            return last
    return ""


def file_of(function: Any) -> str:
    """The file of a function; of one that is frozen into Python, the file of its module.

    >>> from collections.abc import Mapping
    >>> file_of(Mapping.get).endswith("_collections_abc.py")
    True
    """
    code = own_attribute(function, "__code__")
    file = str(getattr(code, "co_filename", "<unknown>"))
    if file.startswith("<frozen "):
        file = str(function.__globals__.get("__file__") or file)
    return file


def lines_of(function: Any) -> tuple[list[str], int, ast.Module | None]:
    """The function's lines, the file line of the first, their tree; or an error that says what to do."""
    file, first = file_of(function), function.__code__.co_firstlineno
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    found, tree = block_of(lines, first) if 0 < first <= len(lines) else ([], None)
    if not found:
        name = own_attribute(function, "__qualname__", repr(function))
        raise SourceUnavailable(
            f"no source text for {name}: could not get source code",
            fix="define it in a file or a notebook cell: what comes from exec(), the prompt of `python` or "
            "`python -c` has no text to read",
        )
    return found, first, tree


def block_of(lines: list[str], first: int) -> tuple[list[str], ast.Module | None]:
    """The lines of the statement that begins at line ``first``, the shortest that parse, and their tree.

    (``inspect`` finds the same, but looks through every module first.)
    """
    for end in ends_of(lines, first):
        block = lines[first - 1 : end]
        while block and (not block[-1].strip() or block[-1].lstrip()[0] == "#"):
            block.pop()
        try:
            tree = ast.parse(unindented("".join(block)))
        except SyntaxError:
            continue
        return block, tree
    # A lambda stands inside a statement that begins elsewhere: its line will do.
    return lines[first - 1 : first], None


def ends_of(lines: list[str], first: int) -> Iterator[int]:
    """Where the statement may end: before each line no deeper than its first, and at the end."""
    depth = indent_of(lines[first - 1])
    for end in range(first, len(lines)):
        bare = lines[end].lstrip()
        if bare and bare[0] != "#" and len(lines[end]) - len(bare) <= depth:
            yield end
    yield len(lines)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def unindented(text: str) -> str:
    """Text that parses by itself, whatever its indentation: one line more, if it has any."""
    return "if 1:\n" + text if text[:1] in (" ", "\t") else text


def function_in(tree: ast.Module, text: str, first: int, name: str) -> Any:
    """The gast tree of the definition in a parsed text, its lines numbered as in the file."""
    import gast

    module = gast.ast_to_gast(tree)
    before = first - (2 if unindented(text) != text else 1)
    for node in ast.walk(module):
        if hasattr(node, "lineno"):
            node.lineno += before
    for node in ast.walk(module):
        if isinstance(node, gast.FunctionDef) and node.name == name:
            return node
    raise SourceUnavailable(
        f"no definition of {name} in its source text", fix="write it as a plain `def`"
    )


@functools.lru_cache(maxsize=32)
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


def lambda_node(function: Any) -> ast.Lambda:
    """The innermost lambda whose body holds every instruction of the function."""
    code = function.__code__
    text = "".join(linecache.getlines(file_of(function), function.__globals__))
    spots = [p for p in code.co_positions() if None not in p and p[3]]
    found = [
        node
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
        if all(holds(node.body, spot) for spot in spots)
    ]
    if not found or (not spots and len(found) > 1):
        raise SourceUnavailable(
            f"cannot tell which lambda of line {code.co_firstlineno} this is",
            fix="write it as a `def`",
        )
    return max(found, key=lambda node: (node.body.lineno, node.body.col_offset))


def holds(body: ast.expr, spot: tuple[int, int, int, int]) -> bool:
    """True if an instruction's (line, last line, column, last column) lies in an expression."""
    assert body.end_lineno is not None
    assert body.end_col_offset is not None
    line, last, column, end = spot
    begins = (body.lineno, body.col_offset) <= (line, column)
    return begins and (last, end) <= (body.end_lineno, body.end_col_offset)


def as_definition(node: Any) -> Any:
    """A lambda as the function that returns its expression."""
    import gast

    result = gast.Return(value=node.body)
    gast.copy_location(result, node.body)
    made = gast.FunctionDef(
        name="lambda_", args=node.args, body=[result], decorator_list=[], returns=None,
        type_comment=None, type_params=[],
    )  # fmt: skip
    return gast.copy_location(made, node)


SOURCES: dict[int, Source] = {}  # by code objects, as long as they live


def source_of(function: Any) -> Source:
    """The source of ``function``, read once per code object."""
    if own_attribute(function, "__code__") is None:
        raise SourceUnavailable(
            f"{own_attribute(function, '__name__', function)!r} is not a Python function: it has no source text",
            fix="wrap it in a function: `def f(x): return abs(x)`",
        )
    code = function.__code__
    found = SOURCES.get(id(code))
    if found is None:
        found = Source(function)
        SOURCES[id(code)] = found
        weakref.finalize(code, SOURCES.pop, id(code), None).atexit = False
    return found
