"""Smaller programs that fail in the same way: statements are deleted, expressions replaced by their parts."""

from __future__ import annotations

import ast
import copy
import signal
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

__all__ = ["shrunk", "timed"]

HANGS = 100  # seconds of computing: what takes longer does not end, on a slow machine either

Fails = Callable[[str], bool]


def shrunk(text: str, fails: Fails, rounds: int = 400) -> str:
    """A program with the same failure from which no part can be left out (or ``rounds`` tries)."""
    tried = {text}
    left = rounds
    progress = True
    while progress and left > 0:
        progress = False
        for smaller in candidates(text):
            if smaller in tried or len(smaller) >= len(text):
                continue
            tried.add(smaller)
            left -= 1
            if fails(smaller):
                text, progress = smaller, True
                break
            if left <= 0:
                break
    return text


def candidates(text: str) -> Iterator[str]:
    """Programs with one thing left out, large things first; the example arguments stay."""
    code, mark, arguments = text.rpartition("\nARGS =")
    tree = ast.parse(code)
    for kind in (statements, expressions):
        for smaller in changes(tree, kind):
            yield smaller + mark + arguments


def changes(
    tree: ast.Module, kind: Callable[[ast.Module], Iterator[Callable[[], None]]]
) -> Iterator[str]:
    count = sum(1 for _ in kind(copy.deepcopy(tree)))
    for k in range(count):
        made = copy.deepcopy(tree)
        for at, change in enumerate(kind(made)):
            if at == k:
                change()
                break
        try:
            yield ast.unparse(ast.fix_missing_locations(made)) + "\n"
        except Exception:
            continue


def bodies(tree: ast.Module) -> Iterator[tuple[list[Any], int]]:
    """Every statement as its list and place, the largest first."""
    found = []
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                found += [(body, k) for k in range(len(body))]
    yield from sorted(found, key=lambda pair: -len(ast.dump(pair[0][pair[1]])))


def statements(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Leave a statement out, or put its body in its place."""
    for body, k in bodies(tree):
        yield partial(replace, body, k, [])
        inner = getattr(body[k], "body", None)
        if inner and not isinstance(body[k], ast.FunctionDef):
            yield partial(replace, body, k, inner)
        orelse = getattr(body[k], "orelse", None)
        if orelse:
            yield partial(replace, body, k, orelse)


def replace(body: list[Any], k: int, new: list[Any]) -> None:
    body[k : k + 1] = new
    if not body:
        body.append(ast.Pass())


def expressions(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Put a part of an expression, or a number, in its place."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(value, (ast.Constant, ast.Name)):
                if field in ("func", "slice", "target", "format_spec"):
                    continue
                for part in [*parts(value), ast.Constant(0.5)]:
                    yield partial(setattr, node, field, part)
            elif (
                isinstance(value, list)
                and field in ("args", "elts", "values")
                and not isinstance(node, ast.arguments)
            ):
                for k, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        for part in parts(item):
                            yield partial(value.__setitem__, k, part)


def parts(node: ast.expr) -> list[ast.expr]:
    found = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
    found += [
        c
        for item in ast.iter_child_nodes(node)
        if isinstance(item, ast.keyword)
        for c in [item.value]
    ]
    return [
        c for c in found if not isinstance(getattr(c, "ctx", None), ast.Store) and not is_module(c)
    ]


def is_module(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in ("np", "math")) or (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("np", "math")
    )


def timed(call: Callable[[], Any], seconds: int = HANGS) -> Any:
    """What ``call`` returns; TimeoutError if it computes for too long (main thread only)."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    old = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
