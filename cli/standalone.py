"""``--standalone``: the helpers of the runtime that a text uses, written into it.

A definition is taken from the source of its module with everything it refers to, and nothing else;
it keeps its text, under the name ``rt_<name>``, as wide as the ``rt.<name>`` it replaces.
"""

from __future__ import annotations

import ast
import importlib
import io
import re
import tokenize
from pathlib import Path
from types import ModuleType
from typing import Any

from .targets import NotFound

__all__ = ["standalone"]

IMPORT = "from retrograd import runtime as rt\n"
Key = tuple[str, str]  # module and name


def standalone(text: str) -> str:
    """The text of a generated module, needing no retrograd when it runs."""
    if IMPORT not in text:
        return text
    body, wanted = renamed(text)
    if wanted & {"taped", "pushed", "pulled"}:
        raise NotFound(
            "this derivative needs the eager tape when it runs, so it cannot stand alone; "
            "`retrograd explain` says which call does, and why"
        )
    shaken = Shaken({(home_of(name).__name__, name): f"rt_{name.strip('_')}" for name in wanted})
    for name in sorted(wanted):
        shaken.take(home_of(name), name)
    imports, definitions = shaken.text()
    head, _, rest = body.partition(IMPORT)
    ready = ordered(head, imports)
    return f"{ready}\n\n# What this needs of retrograd's runtime, as it stands there.\n\n\n{definitions}\n\n{rest}"


def ordered(head: str, imports: list[str]) -> str:
    """The docstring and the import block, with what the helpers import."""
    lines = head.rstrip("\n").split("\n")
    known = [k for k, line in enumerate(lines) if line.startswith(("import ", "from "))]
    first = known[0] if known else len(lines)
    block = sorted({*(lines[k] for k in known), *imports}, key=import_order)
    return "\n".join([*lines[:first], *([] if known else [""]), *block])


def import_order(line: str) -> tuple[bool, bool, str]:
    """`__future__`, then ``import``s of the standard library, then NumPy."""
    return "numpy" in line, line.startswith("from"), line


def renamed(text: str) -> tuple[str, set[str]]:
    """``rt.name`` as ``rt_name`` in the code (not in texts and comments), and the names."""
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    wanted: set[str] = set()
    for a, dot, b in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (a.type, a.string, dot.string) == (tokenize.NAME, "rt", ".") and a.end == dot.start:
            wanted.add(b.string)
            row, column = dot.start
            line = lines[row - 1]
            lines[row - 1] = f"{line[:column]}_{line[column + 1 :]}"
    return "".join(lines), wanted


def home_of(name: str) -> ModuleType:
    """The module of the runtime that defines a helper."""
    from retrograd import runtime

    found = getattr(runtime, name)
    return importlib.import_module(found.__module__)


class Shaken:
    """Definitions that are needed, each after what it refers to; the text itself has ``spoken`` of some."""

    def __init__(self, spoken: dict[Key, str] | None = None) -> None:
        self.spoken = spoken or {}
        self.names: dict[Key, str] = {}
        self.found: list[str] = []
        self.imports: set[str] = set()
        self.trees: dict[str, dict[str, Any]] = {}

    def take(self, module: ModuleType, name: str) -> str | None:
        """Add a name of a module; what it is called in the text (None: by its own name)."""
        node = self.definitions(module).get(name)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return self.imported(module, node, name)
        if node is None:
            return None
        key = (module.__name__, name)
        if key not in self.names:
            self.names[key] = self.free(key)
            for other in bound(node):  # a statement may bind several
                beside = module.__name__, other
                if beside not in self.names:
                    self.names[beside] = self.free(beside)
            self.found.append(self.rewritten(module, node))
        return self.names[key]

    def free(self, key: Key) -> str:
        """The name that the text gives a definition, or one that it gives to no other."""
        if key in self.spoken:
            return self.spoken[key]
        made, k = f"rt_{key[1].strip('_')}", 1
        while made in self.names.values() or made in self.spoken.values():
            k += 1
            made = f"rt_{key[1].strip('_')}_{k}"
        return made

    def imported(self, module: ModuleType, node: Any, name: str) -> str | None:
        """An import: of our own, the definition behind it; of others, the same line."""
        if isinstance(node, ast.ImportFrom) and node.level:
            package = module.__name__.rpartition(".")[0]
            target = importlib.import_module("." * node.level + (node.module or ""), package)
            real = next(a.name for a in node.names if (a.asname or a.name) == name)
            if isinstance(getattr(target, real), ModuleType):
                raise NotImplementedError(f"a helper that reads a module of ours: {real}")
            return self.take(target, real)
        alias = next(a for a in node.names if (a.asname or a.name) == name)
        one = ast.Import([alias]) if isinstance(node, ast.Import) else None
        self.imports.add(ast.unparse(one or ast.ImportFrom(node.module, [alias], 0)))
        return None

    def definitions(self, module: ModuleType) -> dict[str, Any]:
        """Every name that a module binds at its top, with the statement that does."""
        if module.__name__ not in self.trees:
            tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
            self.trees[module.__name__] = {n: node for node in tree.body for n in bound(node)}
        return self.trees[module.__name__]

    def rewritten(self, module: ModuleType, node: Any) -> str:
        """The text of a statement, its global names replaced, what it needs taken before it."""
        text = ast.get_source_segment(source_of(module), node) or ""
        text = "".join(f"@{ast.unparse(d)}\n" for d in getattr(node, "decorator_list", [])) + text
        return self.substituted(module, plain(text))

    def substituted(self, module: ModuleType, text: str) -> str:
        table: dict[str, str] = {}
        tree = ast.parse(text)
        for name in sorted(global_names(tree)):
            new = self.take(module, name)
            if new is not None:
                table[name] = new
        return replaced(tree, table)

    def text(self) -> tuple[list[str], str]:
        return sorted(self.imports), "\n\n\n".join(self.found) + "\n"


def source_of(module: ModuleType) -> str:
    return Path(str(module.__file__)).read_text(encoding="utf-8")


def bound(node: ast.stmt) -> list[str]:
    """The names a statement at the top of a module binds."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [a.asname or a.name for a in node.names]
        case ast.Assign():
            return [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def plain(text: str) -> str:
    """A definition without annotations, and with the first line of its docstring only."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            spec = node.args
            for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]:
                if a is not None:
                    a.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            first = node.body[0]
            assert isinstance(first, ast.Expr)
            doc = (ast.get_docstring(node) or "").split("\n\n")[0]
            first.value = ast.Constant(re.sub(r"\s+", " ", doc))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [unannotated(s) for s in body]  # type: ignore[attr-defined]
    from retrograd.compiler.emit.printer.printer import write

    return write(ast.fix_missing_locations(tree)).strip()


def unannotated(node: Any) -> Any:
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return ast.Assign([node.target], node.value)
    return node


def global_names(tree: ast.Module) -> set[str]:
    """The names a definition reads that are bound outside of it."""
    import symtable

    found: set[str] = set()

    def visit(table: Any, top: bool) -> None:
        for symbol in table.get_symbols():
            if symbol.is_referenced() if top else symbol.is_global():
                found.add(symbol.get_name())
        for inner in table.get_children():
            visit(inner, False)

    text = ast.unparse(tree)
    visit(symtable.symtable(text, "<helper>", "exec"), True)
    return found | {n for node in tree.body for n in bound(node)}


def replaced(tree: ast.Module, table: dict[str, str]) -> str:
    """The text with global names replaced where no inner name hides them."""
    from retrograd.compiler.emit.printer.printer import write

    class Rename(ast.NodeTransformer):
        """Renames below a node; what a function binds itself is hidden in its body."""

        def __init__(self, hidden: frozenset[str]) -> None:
            self.hidden = hidden

        def visit_Name(self, node: ast.Name) -> Any:
            if node.id in table and node.id not in self.hidden:
                node.id = table[node.id]
            return node

        def visit_scope(self, node: Any) -> Any:
            name = getattr(node, "name", None)
            if name in table and name not in self.hidden:
                node.name = table[name]
            inner = Rename(self.hidden | local_names(node))
            for field, value in ast.iter_fields(node):
                visitor = inner if field == "body" else self
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        visitor.visit(child)
            return node

        def visit_ClassDef(self, node: ast.ClassDef) -> Any:
            node.name = table.get(node.name, node.name)
            self.generic_visit(node)
            return node

        visit_FunctionDef = visit_Lambda = visit_scope

    made = Rename(frozenset()).visit(tree)
    return write(ast.fix_missing_locations(made)).strip()


def local_names(node: Any) -> frozenset[str]:
    """The names that a function binds: its parameters and those it assigns."""
    spec = node.args
    args = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    found = {a.arg for a in args if a is not None}
    body = node.body if isinstance(node.body, list) else []
    for statement in body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                found.add(inner.id)
            elif isinstance(inner, ast.FunctionDef):
                found.add(inner.name)
    return frozenset(found)
