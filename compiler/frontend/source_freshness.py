"""Check that a function's text is what runs: its file may have been edited, its code replaced."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import os
import time
from typing import Any

from retrograd.runtime.errors import SourceUnavailable
from retrograd.runtime.objects.own_attributes import home_of

__all__ = ["check_unchanged", "runs_alike"]

IMPORTED = time.time()
OWN = "retrograd."  # rules and helpers are many, and nobody edits them
FUTURE = functools.reduce(
    int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
KIND = (  # of a code object: how its arguments arrive, and what a call of it gives
    inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE
    | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR
)  # fmt: skip
PARTS = (
    "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount",
    "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable",
)  # fmt: skip
HERE: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}


def check_unchanged(function: Any, text: str, tree: ast.AST | None, around: str) -> None:
    """Refuse a function whose text, when it is compiled again, is not what runs.

    ``text`` is that of its file, ``tree`` that of its own statement, or of the lambda, ``around`` its class.
    """
    code = function.__code__
    if home_of(function).startswith(OWN) and not is_newer(code):
        return
    if tree is not None and runs_alike(compiled_alone(tree, code, around), code):
        return
    loader = function.__globals__.get("__loader__")
    compiling = getattr(loader, "source_to_code", None)
    if any(runs_alike(c, code) for c in namesakes(codes(text, compiling), code)):
        return
    if loader is not None and compiling is None and has_assert(tree) and not is_newer(code):
        return  # a loader of its own (pytest's) has written the asserts anew
    raise SourceUnavailable(
        f"the text of {code.co_name} is not what runs: {code.co_filename} has changed since {code.co_name} was "
        "loaded, or its code was replaced",
        fix="load it again, or write what its code does as a `def`",
    )


def compiled_alone(tree: ast.AST, code: Any, around: str) -> Any:
    """The code of a definition, compiled where its free names are those of a function around it."""
    inner: list[Any] = tree.body if isinstance(tree, ast.Module) else [ast.Expr(tree, **HERE)]  # type: ignore[arg-type]
    if around:
        inner = [ast.ClassDef(around, [], [], inner, [], **HERE)]
    free = [ast.arg(name, **HERE) for name in code.co_freevars if name != "__class__"]
    given = ast.arguments([], free, None, [], [], None, [])
    module = ast.Module([ast.FunctionDef("_", given, inner, [], **HERE)], [])
    flags = code.co_flags & FUTURE
    try:
        made = compile(module, "<again>", "exec", flags, dont_inherit=True)
    except SyntaxError:  # a statement that its surroundings make right
        return None
    return next((c for c in all_codes(made) if c.co_name == code.co_name), None)


def namesakes(found: tuple[Any, ...], code: Any) -> list[Any]:
    """The code objects of a file that stand where a code object stood."""
    place = code.co_name, code.co_firstlineno
    return [c for c in found if (c.co_name, c.co_firstlineno) == place]


@functools.lru_cache(maxsize=32)
def codes(text: str, compiling: Any) -> tuple[Any, ...]:
    """Every code object of a file, as its loader compiles it."""
    try:
        if compiling is not None:
            return all_codes(compiling(text, "<again>"))
        return all_codes(compile(text, "<again>", "exec", dont_inherit=True))
    except (SyntaxError, ValueError):  # it is being edited, or cells of a notebook with commands
        return ()


def all_codes(code: Any) -> tuple[Any, ...]:
    """A code object and those in it, the outer ones first."""
    found = [code]
    for one in found:
        found += [c for c in one.co_consts if inspect.iscode(c)]
    return tuple(found)


def has_assert(tree: ast.AST | None) -> bool:
    return tree is not None and any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def is_newer(code: Any) -> bool:
    """True if a file was written after the compiler was imported."""
    try:
        state = os.stat(
            code.co_filename
        )  # what an installer wrote may have the time of its archive
        return max(state.st_mtime, state.st_ctime) > IMPORTED
    except OSError:
        return False


def runs_alike(a: Any, b: Any) -> bool:
    """True if two code objects do the same, wherever they stand."""
    if inspect.iscode(a) and inspect.iscode(b):
        consts = len(a.co_consts) == len(b.co_consts)
        same = consts and all(getattr(a, part) == getattr(b, part) for part in PARTS)
        same = same and a.co_flags & KIND == b.co_flags & KIND
        return same and all(map(runs_alike, a.co_consts, b.co_consts))
    if type(a) is type(b) is frozenset:
        return sorted(map(repr, a)) == sorted(map(repr, b))
    return type(a) is type(b) and repr(a) == repr(b)  # 1.0 and True are no 1, and -0.0 is no 0.0
