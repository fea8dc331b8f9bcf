"""Definitions of the runtime as trees, every global name as ``module::name`` of where it is defined."""

from __future__ import annotations

import ast
import copy
import functools
import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from ..texts.plain_containers import PLAIN

__all__ = ["Key", "Sources", "names_beside", "split", "whole"]

Key = tuple[str, str]  # module and name
PLAIN_HOME = "retrograd.cli.texts.plain_containers"


def split(name: str) -> Key:
    module, _, own = name.partition("::")
    return module, own


def whole(module: str, name: str) -> str:
    return f"{module}::{name}"


class Sources:
    """What modules define; ``plain``: containers are plain ones, whose functions are shorter."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain

    def home(self, module: str, name: str) -> Key:
        """Where a name is defined; of what is imported from others, where it is imported."""
        if self.plain and (module, name) in PLAIN:
            return PLAIN_HOME, name
        node = definitions(module).get(name)
        if isinstance(node, ast.ImportFrom) and is_ours(node):
            package = module.rpartition(".")[0]
            target = importlib.import_module("." * node.level + (node.module or ""), package)
            real = next(a.name for a in node.names if (a.asname or a.name) == name)
            if isinstance(getattr(target, real), ModuleType):
                raise NotImplementedError(f"a helper that reads a module of ours: {real}")
            return self.home(target.__name__, real)
        return module, name

    def statement(self, key: Key) -> Any:
        """The statement that defines a name, its global names replaced; None if there is none."""
        node = definitions(key[0]).get(key[1])
        if node is None or isinstance(node, (ast.Import, ast.ImportFrom)):
            return None
        return self.named(key)

    def named(self, key: Key) -> Any:
        made = copy.deepcopy(bare(*key))
        known = definitions(key[0])
        for node in ast.walk(made):
            if (
                getattr(node, "is_global", False)
                and isinstance(node, ast.Name)
                and node.id in known
            ):
                node.id = whole(*self.home(key[0], node.id))
        return made

    def function(self, key: Key) -> ast.FunctionDef | None:
        """A function that has no decorator."""
        found = self.statement(key)
        plain = isinstance(found, ast.FunctionDef) and not found.decorator_list
        return found if plain else None

    def import_line(self, key: Key) -> str | None:
        """The import that gives a name of another library."""
        node = definitions(key[0]).get(key[1])
        if isinstance(node, ast.Import):
            return ast.unparse(ast.Import([a for a in node.names if key[1] in (a.asname, a.name)]))
        if isinstance(node, ast.ImportFrom):
            names = [a for a in node.names if key[1] == (a.asname or a.name)]
            return ast.unparse(ast.ImportFrom(node.module, names, 0))
        return None


def is_ours(node: ast.ImportFrom) -> bool:
    return bool(node.level) or (node.module or "").startswith("retrograd.")


@functools.cache
def definitions(module: str) -> dict[str, Any]:
    """Every name that a module binds at its top, with the statement that does."""
    file = Path(str(importlib.import_module(module).__file__))
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {name: node for node in tree.body for name in bound(node)}


def names_beside(key: Key) -> list[str]:
    """The names that the statement binds which binds this one."""
    return bound(alone(definitions(key[0])[key[1]], key[1]))


def alone(node: ast.stmt, name: str) -> ast.stmt:
    """The one of ``a, b = 1, 2`` that binds this name."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = zip(targets, values, strict=True)
            return next(
                ast.Assign([t], v) for t, v in pairs if isinstance(t, ast.Name) and t.id == name
            )
    return node


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


@functools.cache
def bare(module: str, name: str) -> Any:
    """A statement without annotations, with one sentence of each docstring, and its global names noted."""
    made = copy.deepcopy(alone(definitions(module)[name], name))
    if isinstance(made, ast.AnnAssign) and made.value is not None:
        made = ast.Assign([made.target], made.value)
    for node in ast.walk(made):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            spec = node.args
            for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]:
                if a is not None:
                    a.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body[0] = ast.Expr(ast.Constant(sentence(ast.get_docstring(node) or "")))
    for node in ast.walk(made):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [unannotated(s) for s in body]  # type: ignore[attr-defined]
    mark(made)
    return made


def sentence(doc: str) -> str:
    """The first sentence of a docstring.

    >>> sentence("A copy: every array\\n    is fresh.  It may be written to.")
    'A copy: every array is fresh.'
    """
    words = " ".join(doc.split("\n\n")[0].split())
    return re.split(r"(?<=[.;])\s", words)[0].rstrip(";")


def unannotated(node: Any) -> Any:
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return ast.Assign([node.target], node.value)
    return node


def mark(tree: Any) -> None:
    """Note the names that are read from the module, and not from a function."""
    scope(tree, frozenset())


def scope(node: Any, hidden: frozenset[str]) -> None:
    """Mark global names below a node in which these names are local."""
    if isinstance(node, ast.Name):
        node.is_global = node.id not in hidden  # type: ignore[attr-defined]
        return
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        inner = hidden | local_names(node)
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    scope(child, inner if field == "body" else hidden)
        return
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        hidden |= {
            n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)
        }
    for child in ast.iter_child_nodes(node):
        scope(child, hidden)


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
            elif isinstance(inner, ast.FunctionDef) or (
                isinstance(inner, ast.ExceptHandler) and inner.name
            ):
                found.add(inner.name)
    return frozenset(found)
