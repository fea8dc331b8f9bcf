"""What a random program has in it: the numbers say how many programs of a kind have passed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["writes_and_calls"]

WRITERS = {"fill", "sort", "partition", "put", "at", "copyto", "putmask", "place", "put_along_axis"}


def writes_and_calls(text: str) -> bool:
    """Whether ``main`` calls functions of its own, and it or they write to an array, container or object.

    >>> writes_and_calls("def g(x): x[0] = 1; return x\\ndef main(x): return g(x)")
    True
    >>> writes_and_calls("def g(x): x[0] = 1; return x\\ndef main(x): return x")
    False
    >>> writes_and_calls("def g(x): return x\\ndef main(x): y = g(x); y += x; return y")
    False
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:  # such a program is refused by Python, too
        return False
    used = reached(tree)
    return len(used) > 1 and any(is_write(n) for d in used for n in own_nodes(d))


def reached(tree: ast.Module) -> list[ast.FunctionDef]:
    """``main`` and the functions and methods whose names it, or one of them, mentions."""
    every = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    used = [d for d in every if d.name == "main"]
    for known in used:  # grows while it is gone through
        names = {name_of(n) for n in ast.walk(known)}
        used += [d for d in every if d not in used and d.name in names]
    return used


def own_nodes(definition: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, not those of functions in it."""
    stack: list[ast.AST] = list(definition.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            stack += ast.iter_child_nodes(node)


def is_write(node: ast.AST) -> bool:
    """Into a part of something: ``y += x`` may be of numbers."""
    match node:
        case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
            return True
        case ast.Call(func=ast.Attribute(attr=attr), keywords=keywords):
            return attr in WRITERS or any(k.arg == "out" for k in keywords)
    return False


def name_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
