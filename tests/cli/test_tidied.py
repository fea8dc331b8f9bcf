"""What is left of a helper is written shortly, and computes the same."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from retrograd.cli.specialised.tidied import tidy

# Before, after, and arguments with which both are called.
CASES: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "a test that was made before": (
        "if a == b:\n    return a\nreturn a if a == b else -b",
        "return a if a == b else -b",
        (1, 2),
    ),
    "its opposite": (
        "if a == b:\n    return a\nif a != b:\n    a = b + 1\n    print(end='')\nreturn a",
        "if a == b:\n    return a\nif a != b:\n    a = b + 1\n    print(end='')\nreturn a",
        (1, 2),
    ),
    "the opposite where nothing changes": (
        "if a == b:\n    return a\nprint(end='')\nreturn a - b if a != b else 0",
        "if a == b:\n    return a\nprint(end='')\nreturn a - b",
        (1, 2),
    ),
    "a value of the next statement": (
        "c = abs(a)\nreturn max(c, b)",
        "return max(abs(a), b)",
        (-3, 2),
    ),
    "a value that is bound anew": (
        "c = True\nc = abs(a)\nc = c + b\nreturn c",
        "return abs(a) + b",
        (-3, 2),
    ),
    "a value that is read twice": ("c = abs(a)\nreturn c + c", "c = abs(a)\nreturn c + c", (-3, 2)),
    "a value that is read later": (
        "c = abs(a)\nd = c + 1\nreturn d * c",
        "c = abs(a)\nreturn (c + 1) * c",
        (-3, 2),
    ),
    "a call that comes first": (
        "c = len(a)\nreturn a.pop() + c",
        "c = len(a)\nreturn a.pop() + c",
        ([1, 2], 0),
    ),
    "a value of a branch": (
        "c = a.pop()\nreturn c if b else 0",
        "c = a.pop()\nreturn c if b else 0",
        ([1, 2], 0),
    ),
    "a value that is asked for again and again": (
        "c = a.pop()\nreturn [c for _ in range(b)]",
        "c = a.pop()\nreturn [c for _ in range(b)]",
        ([1, 2], 2),
    ),
}


def function(body: str) -> ast.FunctionDef:
    made = ast.parse("def f(a, b):\n    " + body.replace("\n", "\n    ")).body[0]
    assert isinstance(made, ast.FunctionDef)
    return made


def run(made: ast.FunctionDef, args: tuple[Any, ...]) -> Any:
    space: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module([made], [])), "<f>", "exec"), space)
    return space["f"](*(list(a) if isinstance(a, list) else a for a in args))


@pytest.mark.parametrize("case", CASES)
def test_what_is_left_of_a_helper(case: str) -> None:
    before, after, args = CASES[case]
    made = function(before)
    tidy(made)
    assert "\n".join(map(ast.unparse, made.body)) == after
    assert run(made, args) == run(function(before), args)


def test_a_shape_is_read_where_it_is_needed() -> None:
    made = function(
        "shape = b.shape\nif a.shape == shape:\n    return a\nreturn a if a.shape == shape else b"
    )
    tidy(made)
    assert "\n".join(map(ast.unparse, made.body)) == "return a if a.shape == b.shape else b"
