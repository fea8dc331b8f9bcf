"""The user's code as it runs on the tape: what it calls is asked for, so that methods are followed, too.

``self.rate(x)`` becomes ``call__(self.rate, x)``, ``self.area`` becomes ``attribute__(self, "area")``, and an array
that is written to becomes one that takes values of the tape: ``b = written__(data.copy())``.  ``A @ x`` is ``product__("matmul", A, x)``.
"""

from __future__ import annotations
import __future__

import ast
import dis
import functools
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any

__all__ = ["ATTRIBUTE", "CALL", "PRODUCT", "WRITTEN", "code_with_calls"]

CALL, ATTRIBUTE, WRITTEN, PRODUCT = "call__", "attribute__", "written__", "product__"
OF_THE_FRAME = {
    "super",
    "locals",
    "globals",
    "vars",
    "dir",
    "eval",
    "exec",
    "currentframe",
    "_getframe",
}
FUTURES = functools.reduce(
    lambda flags, name: flags | getattr(__future__, name).compiler_flag,
    __future__.all_feature_names,
    0,
)
MAKING = (ast.Call, ast.BinOp, ast.UnaryOp)  # as they are written
Definition = ast.FunctionDef | ast.AsyncFunctionDef
Written = Definition | ast.Lambda


@functools.lru_cache(maxsize=4096)
def code_with_calls(code: types.CodeType) -> types.CodeType:
    """The same code with its calls and attributes asked for; as it is, where there is no text that it came from."""
    for node, around in written_at(code):
        plain = compiled(node, around, code)
        if plain is not None and same(plain, code):
            return compiled(Asking(stored(node)).visit(node), around, code) or code
    return code  # the text is another by now, or somebody has rewritten the code


def written_at(code: types.CodeType) -> Iterator[tuple[Written, str]]:
    """The definitions and lambdas where a function stands in its file, and the class around each."""
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return
    for node, around in definitions(tree, ""):
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(d.lineno for d in decorators)])
        if name_of(node) == code.co_name and first == code.co_firstlineno:
            yield node, around


def name_of(node: Written) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def definitions(tree: ast.AST, around: str) -> Iterator[tuple[Written, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Written):
            yield node, around
        yield from definitions(node, node.name if isinstance(node, ast.ClassDef) else around)


def compiled(node: Written, around: str, code: types.CodeType) -> types.CodeType | None:
    """The code of a definition; names of enclosing functions are parameters of one that stands around it."""
    whole: Any = ast.parse(
        f"class {around or 'no_class'}:\n def around({', '.join(code.co_freevars)}): pass"
    )
    decorators = getattr(node, "decorator_list", [])
    if isinstance(node, ast.Lambda):
        whole.body[0].body[0].body = [ast.Expr(node)]
    else:
        node.decorator_list, whole.body[0].body[0].body = [], [node]
    try:
        made = compile(
            ast.fix_missing_locations(whole), code.co_filename, "exec",
            flags=code.co_flags & FUTURES, dont_inherit=True,
        )  # fmt: skip
    finally:
        if not isinstance(node, ast.Lambda):
            node.decorator_list = decorators
    found = made
    for name in (around or "no_class", "around", name_of(node)):
        inner = (c for c in found.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
        step = next(inner, None)
        if step is None:
            return None
        found = step
    return found if set(found.co_freevars) == set(code.co_freevars) else None


def same(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether two codes do the same."""
    names = ("co_names", "co_varnames", "co_argcount", "co_kwonlyargcount")
    consts = [[c for c in code.co_consts if not isinstance(c, types.CodeType)] for code in (a, b)]
    alike = [getattr(a, n) == getattr(b, n) for n in names]
    return all(alike) and repr(consts[0]) == repr(consts[1]) and steps_of(a) == steps_of(b)


def steps_of(code: types.CodeType) -> list[str]:
    """The instructions, but for how methods are looked up: of an imported module that is another one."""
    found = (i.opname for i in dis.get_instructions(code))
    return [name for name in found if name not in ("LOAD_METHOD", "LOAD_ATTR", "PUSH_NULL")]


def stored(node: ast.AST) -> frozenset[str]:
    """The names whose items are written to, or that are written to in place."""
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Store):
            base = inner.value
            found.add(base.id if isinstance(base, ast.Name) else "")
        if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
            found.add(inner.target.id)
    return frozenset(found - {""})


class Asking(ast.NodeTransformer):
    """Writes calls and attributes as questions; ``stored`` are the names that are written to."""

    def __init__(self, stored: frozenset[str]) -> None:
        self.stored = stored

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = [self.visit(a) for a in node.args]
        node.keywords = [self.visit(k) for k in node.keywords]
        if name in OF_THE_FRAME:
            return node
        return called(CALL, [node.func, *node.args], node, node.keywords)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        private = node.attr.startswith("__") and not node.attr.endswith("__")
        if private or not isinstance(node.ctx, ast.Load):
            return node
        return called(ATTRIBUTE, [node.value, ast.Constant(node.attr)], node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Sparse matrices are asked for their products first, and would take a box for an array."""
        self.generic_visit(node)
        op = "matmul" if isinstance(node.op, ast.MatMult) else "mul"
        if op == "mul" and not (isinstance(node.op, ast.Mult) and "scipy.sparse" in sys.modules):
            return node
        return called(PRODUCT, [ast.Constant(op), node.left, node.right], node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        makes = isinstance(node.value, MAKING)  # rather than names what others hold, too
        if makes and any(isinstance(t, ast.Name) and t.id in self.stored for t in node.targets):
            node.value = called(WRITTEN, [node.value], node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Patterns are names and attributes as they are."""
        node.guard = None if node.guard is None else self.visit(node.guard)
        node.body = [self.visit(n) for n in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(n) if isinstance(n, Definition) else n for n in node.body]
        return node


def called(
    name: str, args: list[ast.expr], at: ast.expr, keywords: list[ast.keyword] | None = None
) -> ast.Call:
    made = ast.Call(ast.Name(name, ast.Load()), args, keywords or [])
    for inner in (made, made.func):
        ast.copy_location(inner, at)
    return made
