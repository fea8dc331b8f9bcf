"""Parameters of lmfit's that are given by expressions of others: their derivatives."""

from __future__ import annotations

import ast
import itertools
import linecache
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation

__all__ = ["dependent_slopes"]

COUNT = itertools.count(1)
MADE: dict[tuple[str, ...], Any] = {}


def dependent_slopes(
    params: Any, dependent: list[str], varying: list[str]
) -> dict[str, dict[str, float]]:
    """The derivative of each dependent parameter by each that varies."""
    if not dependent:
        return {}
    needed = in_order(params, dependent)
    names = sorted({n for name in needed for n in names_in(params[name].expr)} - set(needed))
    unknown = [n for n in names if n not in params and not hasattr(np, n)]
    if unknown:
        raise UnsupportedOperation(f"`{unknown[0]}` in the expression of a parameter of lmfit's")
    inputs = [n for n in names if n in params]
    if not inputs:
        return {name: dict.fromkeys(varying, 0.0) for name in dependent}
    lines = [f"    {name} = {params[name].expr}" for name in needed]
    slopes = function_of(inputs, lines, dependent)(*(float(params[n].value) for n in inputs))
    return {
        name: {v: float(row[inputs.index(v)]) if v in inputs else 0.0 for v in varying}
        for name, row in zip(dependent, slopes, strict=True)
    }


def function_of(inputs: list[str], lines: list[str], results: list[str]) -> Any:
    """The Jacobian of a function that computes the expressions one after the other."""
    text = "\n".join([
        f"def dependent({', '.join(inputs)}):", *lines, f"    return {', '.join(results)},"
    ])  # fmt: skip
    key = (text,)
    if key not in MADE:
        file = f"<expressions of lmfit {next(COUNT)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        scope = {name: getattr(np, name) for name in dir(np) if not name.startswith("_")}
        exec(compile(text, file, "exec"), scope)
        MADE[key] = rg.jacobian(scope["dependent"], tuple(range(len(inputs))))
    return MADE[key]


def in_order(params: Any, wanted: list[str]) -> list[str]:
    """What is wanted, after all that it is computed from."""
    found: list[str] = []

    def add(name: str) -> None:
        if name in found or not params[name].expr:
            return
        for other in names_in(params[name].expr):
            if other in params:
                add(other)
        found.append(name)

    for name in wanted:
        add(name)
    return found


def names_in(expression: str) -> list[str]:
    return sorted({n.id for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)})
