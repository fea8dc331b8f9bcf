"""What a random program has in it: the numbers say how many programs of a kind have passed."""

from __future__ import annotations

import ast

__all__ = ["calls", "writes"]

WRITERS = {
    "fill",
    "sort",
    "partition",
    "put",
    "itemset",
    "at",
    "copyto",
    "putmask",
    "place",
    "put_along_axis",
}


def writes(tree: ast.AST) -> bool:
    """Whether a program writes to an array (or another container), part by part or as a whole.

    >>> writes(ast.parse("y[0] = x")), writes(ast.parse("y = x[0]"))
    (True, False)
    """
    return any(map(is_write, ast.walk(tree)))


def is_write(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(ctx=ast.Store()) | ast.AugAssign(target=ast.Subscript()):
            return True
        case ast.Call(func=ast.Attribute(attr=attr), keywords=keywords):
            return attr in WRITERS or any(k.arg == "out" for k in keywords)
    return False


def calls(tree: ast.AST) -> bool:
    """Whether a program calls a function (or method) of its own.

    >>> calls(ast.parse("def f(x): return x\\ny = f(1)")), calls(ast.parse("y = np.sin(1)"))
    (True, False)
    """
    nodes = list(ast.walk(tree))
    own = {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    called = {name_of(n.func) for n in nodes if isinstance(n, ast.Call)}
    return not own.isdisjoint(called)


def name_of(fn: ast.expr) -> str:
    match fn:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
